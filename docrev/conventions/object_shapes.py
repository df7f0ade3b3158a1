"""What an object of a response is, by its members: one thing, a page of a list, or an envelope around either."""

from __future__ import annotations

from docrev.conventions.envelopes import WRAPPERS, is_paging, plain_name, says_collection
from docrev.records import Json

ID_NAMES = frozenset({"id", "uuid", "guid", "uid", "pk"})
LABEL_NAMES = frozenset({"name", "title", "label", "slug", "displayname", "fullname", "email", "username", "login"})


def is_thing(body: dict[str, object]) -> bool:
    """Whether an object has an id or a name, of its own or in its `metadata`."""
    if any(is_id_member(name, value) or _is_label(name, value) for name, value in body.items()):
        return not says_collection(body)
    about = body.get("metadata")
    return isinstance(about, dict) and bool({"name", "uid"} & about.keys()) and not says_collection(body)


def is_id_member(name: str, value: object) -> bool:
    """Whether a member is the ID of the object that it is in."""
    return plain_name(name) in ID_NAMES and "@" not in name and isinstance(value, str | int)


def _is_label(name: str, value: object) -> bool:
    return plain_name(name) in LABEL_NAMES and isinstance(value, str)


def is_page(value: dict[str, object]) -> bool:
    """Whether an object says that it is a page of a list."""
    return says_collection(value) or any(is_paging(name, part) for name, part in value.items())


def wrapper_in(body: dict[str, object]) -> str | None:
    """The member that is an envelope for the data of a response: `data`, `response`, `_embedded`."""
    known = {plain_name(name): name for name, value in reversed(body.items()) if isinstance(value, dict)}
    return next((known[plain] for plain in WRAPPERS if plain in known), None)


def are_of_one_shape(values: list[Json], *, keyed: bool) -> bool:
    """Whether values are objects that have at least half of their names in common.

    Below `keyed` that are like IDs half the names of the smallest are enough: a thing may have been made with few.
    """
    if not values or not all(isinstance(value, dict) and value for value in values):
        return False
    names = [set(value) for value in values]
    whole = min(names, key=len) if keyed else set.union(*names)
    return len(set.intersection(*names)) * 2 >= len(whole)
