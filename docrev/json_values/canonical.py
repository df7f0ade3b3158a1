"""JSON as one text: compact, in ASCII, with sorted keys if equal values must have equal texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


def _encoder(*, sort_keys: bool) -> Callable[[Any], str]:
    """What `encode` of a JSONEncoder does, which makes its encoder in C anew for each value: that takes longer."""
    # Whatever YAML has beyond JSON (dates) is written as its text.
    encoder = json.JSONEncoder(separators=(",", ":"), sort_keys=sort_keys, default=str)
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return encoder.encode
    text = json.encoder.encode_basestring_ascii
    pieces = make(None, str, text, None, ":", ",", sort_keys, False, True)
    return lambda value: text(value) if type(value) is str else "".join(pieces(value, 0))


_compact, _canonical = _encoder(sort_keys=False), _encoder(sort_keys=True)


def compact(value: Any) -> str:
    """Compact JSON, ASCII only, with the keys in their order."""
    return _compact(value)


def canonical(value: Any) -> str:
    """Compact JSON, ASCII only, with sorted keys: equal values have equal texts; 1, 1.0 and true differ."""
    return _canonical(value)


def unique(values: Iterable[T]) -> list[T]:
    """The values without those that are equal to an earlier one; 1, 1.0 and true differ."""
    return list({_canonical(value): value for value in values}.values())


def digest(value: Any, length: int = 32) -> str:
    """The first `length` hex digits of the sha256 of a value's canonical text."""
    return hashlib.sha256(_canonical(value).encode()).hexdigest()[:length]
