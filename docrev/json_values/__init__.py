"""JSON values: pointers into them, their leaves, and their canonical text."""
