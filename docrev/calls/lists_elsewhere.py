"""Where things are shown that have no list, or no path, of their own: lists beside the collection, and their parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from docrev.calls.routes import Routes
from docrev.language.path_subjects import LIST_WORDS
from docrev.language.path_templates import shape_of
from docrev.language.words import plural, singular, words
from docrev.records import Json

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


def lists_elsewhere(routes: Routes, tool: str, collection: str) -> Iterator[tuple[Operation, dict[str, Json]]]:
    """The GETs, with their arguments, that may list a collection and are not at its path: `/users` and `/user/list`
    for `/user`, and of those at the top `/joined_rooms` for `/rooms`.
    """
    head, _, word = collection.rpartition("/")
    paths = [f"{head}/{other}" for other in (plural(word), singular(word)) if other != word]
    paths += [f"{collection}/{other}" for other in LIST_WORDS]
    if word and not head:
        paths += [op.route.path for op in routes.operations if op.tool == tool and _says_which(op, word)]
    for path in dict.fromkeys(paths):
        found = routes.resolve(tool, "GET", path)
        if found is not None and not routes.path(found[0].key).ends_in_parameter:
            yield found


def reads_parts(routes: Routes, operation: Operation) -> bool:
    """Whether a part of one of the things that an operation may make can be read: `/rooms/{id}/members`."""
    below = f"{shape_of(operation.route.path).rstrip('/')}/{{}}/"
    there = (op.route for op in routes.operations if op.tool == operation.tool)
    return any(route.method == "GET" and shape_of(route.path).startswith(below) for route in there)


def _says_which(operation: Operation, word: str) -> bool:
    """Whether a GET at the top is called by a `word` for things, in the plural, and by which of them it lists."""
    *which, things = words(operation.route.path.strip("/")) or ("",)
    is_at_top = operation.route.method == "GET" and operation.route.path.count("/") == 1
    return is_at_top and bool(which) and things == word.lower() and singular(things) != things
