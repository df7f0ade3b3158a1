"""Which lists may show what a GET makes that should only read: those called like it beside it, and those below it."""

from __future__ import annotations

from docrev.calls.routes import Path, Routes, above
from docrev.language.words import plural, singular_words, words
from docrev.prompts.steps import Invoke
from docrev.records import Arguments, Json
from docrev.spec import Operation

_MOST = 3
"""Lists that are looked at for one GET."""


def lists_beside(operation: Operation, arguments: Arguments, routes: Routes) -> list[Invoke]:
    """The GETs of the lists that may have one thing more after a GET: `/exports` and `/export/files` for `/export`.

    In RPC style, the one that lists what `/jobs/next` or `/messages/unread` may take or mark.
    """
    path = routes.path(operation.key)
    if (listing := _list_above(operation, path.fill(arguments), routes)) is not None:
        return [Invoke(listing[0].key, _with_required(*listing, arguments), "survey")]
    if path.ends_in_parameter or operation.method != "GET" or _is_list(operation, routes):
        return []
    found = []
    for other in routes.operations:
        if other.tool == operation.tool and other.method == "GET" and _may_show(other, path, routes):
            given = zip(routes.path(other.key).names, path.names, strict=True)
            found.append(Invoke(other.key, {f"path:{new}": arguments[f"path:{old}"] for new, old in given}, "survey"))
    return found[:_MOST]


def _list_above(operation: Operation, place: str, routes: Routes) -> tuple[Operation, dict[str, Json]] | None:
    """The nearest list above what a call of RPC style reads at a place, with its arguments."""
    for path in above(place):
        found = routes.resolve(operation.tool, "GET", path)
        if found is not None and not routes.path(found[0].key).ends_in_parameter and found[0].key != operation.key:
            return found if operation.rpc_route or found[0].rpc_route else None
    return None


def _with_required(listing: Operation, given: dict[str, Json], sent: Arguments) -> dict[str, Json]:
    """The arguments of a list, with what it requires as a call beside it sends that: the parent of both."""
    body = sent.get("body:")
    named = {location.partition(":")[2]: value for location, value in sent.items()}
    named |= body if isinstance(body, dict) else {}
    wanted = [(p.key, p.name) for p in listing.parameters if p.required and p.location == "query"]
    found = given | {location: named[name] for location, name in wanted if name in named}
    schema, own = listing.body_schema, found.get("body:")
    members = {name: named[name] for name in (schema.required if schema is not None else ()) if name in named}
    return found | {"body:": {**(own if isinstance(own, dict) else {}), **members}} if members else found


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
