"""The tool graph: which operation's responses feed which operation's parameters, by name and by value."""
