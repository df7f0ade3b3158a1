"""What the verbs in names of operations do to things."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from docrev.language.words import plural, singular_words, word_set

Deed = Literal["make", "list", "read", "change", "remove", "act"]

VERBS: dict[str, Deed] = {
    **dict.fromkeys(word_set("add create insert make new upsert"), "make"),
    **dict.fromkeys(word_set("browse filter find list query search"), "list"),
    **dict.fromkeys(word_set("count describe detail details get info inspect lookup retrieve show view"), "read"),
    **dict.fromkeys(word_set("change edit modify patch update"), "change"),
    **dict.fromkeys(word_set("delete destroy drop erase remove"), "remove"),
}
METHODS: dict[Deed, str] = {
    "make": "POST",
    "list": "GET",
    "read": "GET",
    "change": "PATCH",
    "remove": "DELETE",
    "act": "POST",
}
CHANGING = frozenset({"make", "change", "remove"})
"""What is done to things by operations that change something for sure."""

ADDING = word_set("add insert")
"""Verbs that make a thing, or put one that there is into another."""
STORING = word_set("put register save set store")
"""Verbs that make a thing where nothing else does, or change it where there is one with the name that they are sent."""
TAKING = word_set("claim consume dequeue lease poll pull receive reserve")
"""Verbs that take what they return, though their method may be GET."""
UPLOADING = word_set("register upload")
"""Verbs that make things where their collection is named before them: `/files/upload`."""
SELECTING = word_set("filter find query search")
"""Verbs that list what is asked for, and not all that is there."""
WITHOUT_KIND = word_set("all detail details info")
"""Words after a verb that say how much of some things, and not of what kind they are."""
_JOINING = word_set("and as by for from if in of on or to with")
"""Words in names that say more than which things they are about: `get_users_by_role`, `createGroupIfNotExistsFor`."""

Kind = tuple[str, ...]
"""The words for a kind of things, each in the singular: `api`, `key`."""


def kind_named(rest: Sequence[str]) -> Kind:
    """The kind of things that the words after a verb name; () if they name none, or say more than that."""
    named = "_".join(word for word in rest if word not in WITHOUT_KIND)
    return singular_words(named) if _JOINING.isdisjoint(rest) else ()


def collection_name(kind: Kind) -> str:
    """What a collection of things of a kind is called: `api_keys`; "" if there is no kind."""
    return "_".join([*kind[:-1], plural(kind[-1])]) if kind else ""
