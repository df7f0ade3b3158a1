"""Which lists may show what a GET makes or takes that should only read: those called like it beside it, those below it,
and the one beside whose items it stands."""

from __future__ import annotations

from dataclasses import replace

from docrev.calls.listings import list_above
from docrev.calls.routes import Path, Routes
from docrev.language.verbs import reads_by_name
from docrev.language.words import plural, singular_words, words
from docrev.prompts.steps import Invoke
from docrev.records import Arguments
from docrev.spec import Operation

_MOST = 3
"""Lists that are looked at for one GET."""


def lists_beside(operation: Operation, arguments: Arguments, routes: Routes) -> list[Invoke]:
    """The GETs of the lists that may show something else after a GET: `/exports` and `/export/files` for `/export`, and
    `/jobs` for `/jobs/next`.

    In RPC style, the one that lists what `/jobs/next` or `/messages/unread` may take or mark.
    """
    path = routes.path(operation.key)
    if (listing := list_above(operation, arguments, routes)) is not None:
        return [replace(listing[1], purpose="survey")]
    if path.ends_in_parameter or operation.method != "GET":
        return []
    found = _around(operation, arguments, routes)
    if _is_list(operation, routes):
        return found
    for other in routes.operations:
        if other.tool == operation.tool and other.method == "GET" and _may_show(other, path, routes):
            given = zip(routes.path(other.key).names, path.names, strict=True)
            found.append(Invoke(other.key, {f"path:{new}": arguments[f"path:{old}"] for new, old in given}, "survey"))
    return found[:_MOST]


def says_next(path: str) -> bool:
    """Whether a GET is of what comes next (`/invoices/next-number`): some services count on with each."""
    last = path.rstrip("/").rpartition("/")[2]
    return "{" not in last and "next" in words(last)


def _around(operation: Operation, arguments: Arguments, routes: Routes) -> list[Invoke]:
    """The GET of the list that a word stands beside the items of, and from which it may take one: `/jobs` for
    `/jobs/next`. What is called by what only reads takes none.
    """
    path = routes.path(operation.key)
    word, collection = path.literals[-1].rpartition("/")[2], path.around
    if not word or not collection.literals[-1] or routes.item_of(operation.tool, collection) is None:
        return []
    if reads_by_name(word):
        return []
    found = routes.resolve(operation.tool, "GET", collection.fill(arguments))
    return [] if found is None else [Invoke(found[0].key, found[1], "survey")]


def _may_show(other: Operation, path: Path, routes: Routes) -> bool:
    """Whether a GET lists what the GET of a path may make."""
    beside = routes.path(other.key)
    wants = any(parameter.required and parameter.location != "path" for parameter in other.parameters)
    if wants or beside.literals[:-1] != path.literals[:-1] or not _is_list(other, routes):
        return False
    place, _, word = path.literals[-1].rpartition("/")
    above, _, name = beside.literals[-1].rpartition("/")
    return above == path.literals[-1] or (above == place and singular_words(name) == singular_words(word))


def _is_list(operation: Operation, routes: Routes) -> bool:
    """Whether a GET lists things by its path: items lie under it, or its last word is a plural."""
    path = routes.path(operation.key)
    last = words(path.literals[-1].rpartition("/")[2])[-1:]
    return not path.ends_in_parameter and (
        routes.item_under(operation.key) is not None or any(plural(word) == word for word in last)
    )
