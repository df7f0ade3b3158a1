"""The items that a response is about, with their scalar fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from docrev.conventions.ids import is_id_name
from docrev.conventions.lists import ListFound, list_of, object_of
from docrev.conventions.paging import next_of, total_of
from docrev.json_values.containers import mapping
from docrev.json_values.leaves import scalar_members
from docrev.json_values.pointer import escape
from docrev.language.words import singular, words
from docrev.records import Call, Json, OperationKey

MAX_ITEMS = 50
MAX_FIELDS = 60


class ResponseItem(NamedTuple):
    """An object of a response of `key`. `fields` maps paths within it to scalars: `name`, `country/code`, `cast/0/id`.

    `pattern` is its pointer, with `/0` for any item of an array; `noun` is what the list's own name says it is.
    """

    key: OperationKey
    pattern: str
    noun: str
    fields: dict[str, Json]


@dataclass(frozen=True, slots=True)
class ResponseItems:
    """The items that a response is about: at most 50 of its list (`is_list`), or the one object that it is.

    `is_partial`: the list has more items than these.
    """

    items: tuple[ResponseItem, ...]
    is_list: bool
    is_partial: bool = False


def read_items(call: Call) -> ResponseItems:
    """The items of a call's response; none if it has nothing that can be named."""
    entries = list_of(call)
    if entries is None:
        pointer, value = object_of(call) or ("", call.body)
        item = _item(call.key, pointer, "", value)
        return ResponseItems((item,) if item.fields else (), is_list=False)
    items = tuple(item for item in islice(_list_items(call.key, entries), MAX_ITEMS) if item.fields)
    total = total_of(call) or 0
    continues = next_of(call) is not None
    is_partial = continues or max(total, len(entries.items)) > min(len(entries.items), MAX_ITEMS)
    return ResponseItems(items, is_list=True, is_partial=is_partial)


def _list_items(key: OperationKey, entries: ListFound) -> Iterator[ResponseItem]:
    noun = singular((words(entries.name) or ("",))[-1])
    steps = [escape(key) for key in entries.keys] or ["0"] * len(entries.items)
    for step, value in zip(steps, entries.things, strict=True):
        yield _item(key, f"{entries.pointer}/{step}{entries.inner}", noun, value)


def _item(key: OperationKey, pattern: str, noun: str, value: object) -> ResponseItem:
    if not isinstance(value, dict):
        is_scalar = value is not None and not isinstance(value, list)
        return ResponseItem(key, pattern, noun, {"": value} if is_scalar else {})
    members = islice(scalar_members(value), MAX_FIELDS)
    fields = {pointer[1:]: scalar for pointer, scalar in members}
    return ResponseItem(key, pattern, noun, {**fields, **dict(_first_ids(value))})


def _first_ids(value: dict[str, object]) -> Iterator[tuple[str, Json]]:
    """The ids of the first thing in each list that an object has: `cast/0/id` leads on from it."""
    for name, part in value.items():
        first = part[0] if isinstance(part, list) and part else None
        for field, scalar in mapping(first).items():
            if is_id_name(field) and isinstance(scalar, str | int):
                yield f"{escape(name)}/0/{escape(field)}", scalar
