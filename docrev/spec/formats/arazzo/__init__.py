"""Solved scenarios as Arazzo 1.0.1 workflows (https://spec.openapis.org/arazzo/v1.0.1.html)."""
