"""Where a parameter of a route lies: in the path, or in the query or the body of an operation of RPC style.

One that is not in the path is written with its place: `{body:name}`, `{body:names[]}` for the one item of a list,
`{body:[].id}` for a member of the one object in a list that is the body, `{body:id:integer}` for a number; one that is
a segment of an argument, as `address` writes it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from docrev.language.words import singular_words

ADDRESS = "address"
"""What a parameter of a route begins with that is a segment of a path argument."""
IN_ITEM = "[]."
"""What the name of a member begins with that lies in the one object of a list that is the body."""


class ArgumentPlace(NamedTuple):
    """Where a parameter of a route lies: in the `path`, the `query` or the `body`, and as what.

    `in_item`: in the one object of a list that is the body. With an `address`, it is segment number `segment`, of
    those that it leaves open, of the argument `name`.
    """

    place: str
    name: str
    is_listed: bool = False
    is_number: bool = False
    address: str = ""
    segment: int = 0
    in_item: bool = False


@lru_cache(maxsize=4096)
def place_of(name: str) -> ArgumentPlace:
    """The place of a parameter of a route: `body:names[]` is in the body."""
    if name.startswith(f"{ADDRESS}:"):
        _, segment, address, member = name.split(":", 3)
        return ArgumentPlace("path", member, address=unquote(address), segment=int(segment))
    place, _, member = name.partition(":")
    if place not in ("body", "query") or not member:
        return ArgumentPlace("path", name)
    plain = member.removeprefix(IN_ITEM)
    whole = plain.removesuffix("[]")
    return ArgumentPlace(
        place,
        whole.removesuffix(":integer"),
        whole != plain,
        whole.endswith(":integer"),
        in_item=plain != member,
    )


def called(name: str) -> str:
    """What a parameter of a route stands for, as a path would call it: `name` for `body:names[]`."""
    found = place_of(name)
    return found.name if found.place == "path" else "_".join(singular_words(found.name)) or found.name
