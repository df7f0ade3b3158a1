"""Files on disk: written whole or not at all, locked by one writer, and SQLite opened in one way."""
