"""The list in a thing that the last segment of a path is called after: `options` of what `/products/7` shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from docrev.calls.path_texts import last_segment, noun_of
from docrev.conventions.ids import created_object
from docrev.json_values.containers import mapping
from docrev.language.words import singular_words
from docrev.records import Call, Json


def as_inner_list(call: Call, collection: str) -> Call:
    """The GET of a thing as one of the list in it that a path below it is called after; of an empty one without it.

    Of a long answer not all is kept: it shows nothing of what is in a list.
    """
    if not call.ok:
        return call
    return replace(call, error="too-large") if call.sampled else replace(call, body=inner_list(call.body, collection))


def inner_list(body: Json, collection: str) -> list[Json]:
    """The list in what an answer shows that the path of a collection is called after, or the end of that: `items` for
    `/carts/7/line-items`.
    """
    wanted = singular_words(last_segment(collection))
    members = [item for thing in _things(body, collection) for item in mapping(thing).items()]
    named = [(singular_words(name), value) for name, value in members if isinstance(value, list)]
    lists = [value for name, value in named if name == wanted]
    lists = lists or [value for name, value in named if name and name == wanted[-len(name) :]]
    return lists[0] if len(lists) == 1 else []


def _things(body: Json, collection: str) -> Iterator[Json]:
    """What an answer about the thing that a collection lies in shows of it: `{"cart": …}` may have more beside that."""
    found = created_object(body)
    yield found
    kind = noun_of(collection.rpartition("/")[0].rpartition("/")[0])
    if found is body and kind:
        wanted = singular_words(kind)
        yield from (value for name, value in mapping(body).items() if singular_words(name) == wanted)
