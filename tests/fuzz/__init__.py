"""Hostile input, drawn: specs, responses, model answers, settings, databases and sources to import.

The guarantee for each: no traceback, one clear line, the right exit code, bounded time and memory.
"""
