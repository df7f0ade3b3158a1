"""Function schemas, as the interfaces of OpenAI and Anthropic take them: reader and writer."""
