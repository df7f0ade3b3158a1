"""Names that agents can call: unique, at most 64 characters, and the front of what they name never cut.

The rule. An operation is named `API_for_TOOL`: each part in lower case, every run of other characters one underscore.
A name that is too long, or that two operations would share, loses whole words: first the last ones of the tool, then
the last ones of the API. It ends in a short digest of what it names, so it is the same whatever else is imported; only
an operation whose plain name another one takes as well gets a new name.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

LIMIT = 64
LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What OpenAI and Anthropic accept as the name of a function."""

_SHORTEST = 6
_OTHER = re.compile(r"[^a-z0-9]+")
Item = TypeVar("Item", bound=Hashable)


def slug(text: str) -> str:
    """`text` in lower-case ASCII words joined by underscores; "" if it has no letter or digit of those."""
    folded = text if text.isascii() else unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _OTHER.sub("_", folded.lower()).strip("_")


def function_name(api: str, tool: str) -> str:
    """The plain name of an operation: `get_city_for_world_atlas`. May be longer than the limit."""
    front, back = slug(api), slug(tool)
    return f"{front}_for_{back}" if front and back else front or back or "operation"


def digest(*identity: str, length: int = _SHORTEST) -> str:
    """A short digest of an identity, in hexadecimal."""
    return hashlib.sha256("\0".join(identity).encode("utf-8", "replace")).hexdigest()[:length]


def unique(plain: Mapping[Item, str], identity: Mapping[Item, Sequence[str]], limit: int = LIMIT) -> dict[Item, str]:
    """A name for each item: the plain one if it fits `limit` and no other item has it, else a shortened one.

    `identity` says of each item what its digest is made of; it differs between any two.
    """
    counts = Counter(plain.values())
    settled = {item: name for item, name in plain.items() if counts[name] == 1 and 0 < len(name) <= limit}
    taken = set(settled.values())
    for item in sorted(plain.keys() - settled.keys(), key=lambda item: tuple(identity[item])):
        length = _SHORTEST
        while (name := shortened(plain[item], digest(*identity[item], length=length), limit)) in taken:
            length += 2
        settled[item] = name
        taken.add(name)
    return {item: settled[item] for item in plain}


def shortened(name: str, ending: str, limit: int = LIMIT) -> str:
    """`name` cut by whole words until it fits with the ending: the tool's last words first, then the API's."""
    room = limit - len(ending) - 1
    front, link, back = name.partition("_for_")
    api, tool = front.split("_"), back.split("_")
    while len(tool) > 1 and len(_joined(api, link, tool)) > room:
        tool.pop()
    while len(api) > 1 and len(_joined(api, link, tool)) > room:
        api.pop()
    kept = _joined(api, link, tool)
    if len(kept) > room:
        kept = "_".join(api)[:room].rstrip("_")
    return f"{kept}_{ending}" if kept else ending


def _joined(api: list[str], link: str, tool: list[str]) -> str:
    return "_".join(api) + (link + "_".join(tool) if link else "")


def legal(name: str) -> str:
    """`name` if it is legal for a function, else the nearest legal name; "" if nothing is left."""
    if LEGAL.fullmatch(name):
        return name
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_-]+", "_", folded).strip("_")
