"""English: the words of identifiers, singular and plural, and names said as phrases."""
