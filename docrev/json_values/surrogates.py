"""Text that can be written as UTF-8."""

from __future__ import annotations

from docrev.records import Json


def without_surrogates(value: object) -> Json:
    """Half a surrogate pair cannot be written as UTF-8, by nobody: it becomes U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(name): without_surrogates(item) for name, item in value.items()}
    return value
