"""Texts that look like an example: characters of the same classes in the same places."""

from __future__ import annotations

import re

from docrev.language.patterns import Draw

_LOWER, _UPPER, _DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"


def like(example: str, draw: Draw) -> str:
    """A text with letters and digits in the places of the example's: `tt0137523` → `tt4810077`, word parts kept."""
    example = example.strip()
    first = re.match(r"[a-z]{1,3}(?=\d)|[a-z]+://.*/(?=[^/]+$)", example)
    start = first.end() if first else 0
    last = re.search(r"\.[a-z0-9]{2,4}$", example)
    end = last.start() if last else len(example)
    return example[:start] + "".join(_alike(char, draw) for char in example[start:end]) + example[end:]


def _alike(char: str, draw: Draw) -> str:
    for alphabet in (_DIGITS, _LOWER, _UPPER):
        if char in alphabet:
            return alphabet[draw(len(alphabet))]
    return char


def is_code(text: str) -> bool:
    """Whether a text reads as a made-up code and not as words: `4aawyAB9vmqN`, `/fCayJrk.jpg`, `tt0137523`."""
    return (
        " " not in text
        and len(text) >= 6
        and (
            (any(char.isdigit() for char in text) and any(char.isalpha() for char in text))
            or bool(re.search(r"[a-z][A-Z]", text))
        )
    )
