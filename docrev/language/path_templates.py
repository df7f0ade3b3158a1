"""Path templates (`/buckets/{id}`): their parameters, and what is alike in paths that only name these otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator

PARAMETER = re.compile(r"\{([^{}/]+)\}")
FORMAT = re.compile(r"\.json(?=/?$)")
"""What may stand at the end of a path for the format of the answer: `/users/{id}.json`."""


def parameters_of(path: str) -> list[str]:
    """The names of the path parameters, in order."""
    return PARAMETER.findall(path)


def ends_in_parameter(path: str) -> bool:
    """Whether a path ends in a parameter, as that of one thing does: `/buckets/{id}`, and `/buckets/{id}/`."""
    return path.rstrip("/").endswith("}")


def shape_of(path: str) -> str:
    """The path with its parameter names forgotten, without a slash at its end: `/buckets/{}/groups/{}`."""
    return PARAMETER.sub("{}", path).rstrip("/")


def heads_of(path: str) -> Iterator[str]:
    """The path up to each of its parameters, shortest first: `/things/{id}` for `/things/{id}:stop`."""
    return (path[: found.end()] for found in PARAMETER.finditer(path))
