"""The built-in agent: does tasks by reading documentation, as a language model would in its place."""
