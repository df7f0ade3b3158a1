"""Paths, their shapes (`/buckets/{}/collections/{}`), and the arguments that fill them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile
from urllib.parse import unquote

from docrev.calls.route_arguments import key_of
from docrev.conventions.ids import segment_identifies
from docrev.conventions.parameters import takes_paths
from docrev.language.path_templates import parameters_of
from docrev.records import Json


def path_arguments(path: str, values: Sequence[Json]) -> dict[str, Json]:
    """Path arguments from their values, in the order of the path; values may be missing at the end."""
    return {key_of(name): value for name, value in zip(parameters_of(path), values, strict=False)}


def fill(shape: str, path: str) -> tuple[str, ...] | None:
    """The arguments with which `shape` gives the concrete `path`, or None."""
    found = _pattern(shape).fullmatch(path.rstrip("/"))
    return tuple(map(unquote, found.groups())) if found is not None else None


@cache
def _pattern(shape: str) -> re.Pattern[str]:
    return re.compile("([^/]+?)".join(map(re.escape, shape.split("{}"))))


def segments_of(shape: str, values: tuple[Json, ...]) -> list[str]:
    """The segments of a shape with values in its places; those without a value are empty."""
    remaining = iter(values)
    return [re.sub(r"\{\}", lambda _: str(next(remaining, "")), part) for part in shape.split("/")]


def tail_of(shape: str) -> str:
    """A shape from the collection before its first parameter on: `users/{}/keys/{}` for `/v1/users/{}/keys/{}`.

    What is named by a member is of the collection above that: `users/name/{}`.
    """
    before, brace, rest = shape.partition("/{}")
    above, slash, noun = before.rpartition("/")
    whole = f"{above.rpartition('/')[2]}{slash}{noun}" if segment_identifies(noun) else noun
    return whole + brace + rest


def beginnings(shape: str) -> Iterator[str]:
    """The beginnings of a shape that end in a literal segment."""
    parts = shape.split("/")
    yield from ("/".join(parts[:count]) for count, part in enumerate(parts, 1) if "{" not in part)


def shared_parameters(shape: str, other: str) -> int:
    """How many parameters are in the beginning that two shapes have in common."""
    pairs = zip(shape.split("/"), other.split("/"), strict=False)
    return sum(part == "{}" for part, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def ends_in_paths(path: str) -> bool:
    """Whether the last segment of a path is a parameter that takes whole paths: `/files/{path}`."""
    return any(takes_paths(name) for name in parameters_of(path.rpartition("/")[2])[-1:])
