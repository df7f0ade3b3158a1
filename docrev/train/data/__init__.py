"""Data for retrievers and tool users, made of any catalog: collection, instructions, annotated solutions."""
