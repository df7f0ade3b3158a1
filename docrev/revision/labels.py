"""Names as people write them: "ID", `Next-Page`, a field without the list around it, an operation with its tool."""

from __future__ import annotations

import re

from docrev.conventions.envelopes import ENVELOPES, plain_name
from docrev.json_values import pointer as pointers
from docrev.language.phrases import humanise
from docrev.language.words import plural
from docrev.records import OperationKey

_ID = re.compile(r"\bid(s?)\b")


def spelled(text: str) -> str:
    """`text` with "ID" in capitals."""
    return _ID.sub(r"ID\1", text)


def label(name: str) -> str:
    """A name in lower-case words, except for acronyms: `author_id` → "author ID"."""
    return spelled(humanise(name))


def many(noun: str) -> str:
    """The plural of a noun; "items" without one."""
    head, _, tail = noun.rpartition(" ")
    return f"{head} {plural(tail)}".strip() if noun else "items"


def without_noun(label: str, noun: str) -> str:
    """`movie ID` of a movie is its `ID`; what is left must still be a noun."""
    rest = label[len(noun) + 1 :] if noun and label.startswith(f"{noun} ") else label
    return label if rest.startswith("in ") else rest


def steps(location: str) -> list[str]:
    """The names in a location: `200:/data/0/currency/code` → data, 0, currency, code."""
    pointer = location.partition(":")[2]
    return pointers.split(pointer) if pointer.startswith("/") else []


def field_name(location: str) -> str:
    """`200:/data/0/currency/code` → `currency.code`: without the list around it."""
    names = [step for step in steps(location) if step != "0"]
    if len(names) > 1 and plain_name(names[0]) in ENVELOPES:
        names = names[1:]
    return ".".join(names)


def header_name(name: str) -> str:
    """A header as people write it: `next-page` → `Next-Page`."""
    return "-".join(part.capitalize() for part in name.split("-"))


def with_tool(text: str, key: OperationKey, tool: str) -> str:
    """A sentence that ends in the name of an operation, followed by the operation's tool if that is not `tool`."""
    return text if key.tool == tool else f"{text.removesuffix('.')} of {key.tool}."
