"""Airfield: the world's airports and the distances between them, with watch-lists that can be written."""
