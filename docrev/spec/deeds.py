"""What the verbs in names of operations do to things."""

from __future__ import annotations

from typing import Literal

from docrev.language.words import word_set

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
