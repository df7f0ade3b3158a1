"""`missing`: an operation returns 2xx for an ID that nothing has: an empty response, or a success for nothing.

The ID is in its path, in a query that names the thing, or in a list in the body of a change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from docrev.calls.routes import template
from docrev.conventions.run_names import is_invented_id
from docrev.conventions.statuses import NOT_FOUND
from docrev.facts.call_values import ids, sent_properties
from docrev.facts.creations import concrete_path
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record, Replay
from docrev.facts.observations import Observations
from docrev.facts.samples import barren
from docrev.grouping import only
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import escape, find
from docrev.language.path_templates import ends_in_parameter
from docrev.language.words import singular, words
from docrev.records import Call, Fact, Json, OperationKey
from docrev.spec import Operation
from docrev.spec.route_places import place_of
from docrev.spec.schema import properties_of


@dataclass(frozen=True)
class Missing(Record):
    """The parameter of the path or the query, or the list in the body, whose value nothing has, the status, and the
    JSON type of the empty response."""

    parameter: str
    status: int
    returns: str | None = None
    at: str | None = None
    """Where the null is in the response, which is the thing in others."""


_LEAST = 2
_CHANGES = frozenset("update delete remove patch modify edit".split())
"""Verbs of operations that change what is there."""
_MAKES = frozenset("add create insert upsert put set import save write store".split())
"""Verbs of operations that may make what is not there."""
_EMPTY = {list: "array", dict: "object", int: "number"}


def _from_calls(view: EvidenceView) -> Facts:
    there = {part for item in view.journal for part in item.path.split("/")}
    there |= {str(value) for item in view.journal for value in item.arguments.values()}
    for key, seen in view.observations.items():
        if key.method == "GET":
            yield from _reading(view, seen, there)
        elif key.method == "DELETE" and ends_in_parameter(key.path):
            yield from _deleting(view, seen)
        else:
            yield from _changing(view, seen)


def _reading(view: EvidenceView, seen: Observations, there: set[str]) -> Facts:
    """What is empty below an ID that nobody has, and is not below others."""
    if all(_is_empty(call.body) for call in seen.good):
        return
    named = _naming_places(view.catalog[seen.key])
    sent = {place for call in seen.good for place in call.arguments if place.startswith("path:") or place in named}
    for place in sorted(sent):
        nobody = [call for call in seen.good if _is_unknown(call.arguments.get(place), there)]
        # Another invented value in the path or the query could be the reason as well.
        clear = [call for call in nobody if not _has_other_unknown(call, place, there)]
        yield from _alike(seen, place, nobody, clear)


def _naming_places(operation: Operation) -> set[str]:
    """The query parameters that name the one thing which an operation of RPC style is on."""
    places = map(place_of, template(operation.route.path).names)
    return {f"query:{at.name}" for at in places if at.place == "query" and not at.is_listed}


def _alike(seen: Observations, place: str, nobody: Sequence[Call], clear: Sequence[Call]) -> Facts:
    """The fact that calls for `nobody` show if all are answered alike, and with nothing."""
    # What is empty may be so for another reason; what is not shows that unknown IDs find something.
    telling = (call for call in nobody if call in clear or not _nothing(call, seen)[0])
    answers = {(call.status, *_nothing(call, seen)) for call in telling}
    refused = any(call.status in NOT_FOUND and is_invented_id(call.arguments.get(place)) for call in seen.calls)
    returns, at = _nothing(clear[0], seen) if clear else ("", None)
    if returns and not refused and len(answers) == 1:
        yield KIND.fact(seen.key, "", Missing(place, clear[0].status or 0, returns, at), ids(clear))


def _nothing(call: Call, seen: Observations) -> tuple[str, str | None]:
    """The JSON type of an empty response, "page" of an envelope of nothing, "null" with its place; "" for any other."""
    body = call.body
    if _is_empty(body):
        return "page" if _is_empty_page(body) else _EMPTY.get(type(body), ""), None
    at = next((at for other in seen.good if (at := _nulled(body, other.body)) is not None), None)
    return ("null", at) if at is not None else ("", None)


def _nulled(body: Json, other: Json) -> str | None:
    """The pointer of the one member of a response that is null, and an object in another response that is the same
    beside it; None if there is none. What an envelope says beside the thing does not change with it."""
    if not isinstance(body, dict) or not isinstance(other, dict) or body.keys() != other.keys():
        return None
    name = only({name for name in body if body[name] != other[name]})
    is_thing = name is not None and body[name] is None and isinstance(other[name], dict) and bool(other[name])
    return f"/{escape(str(name))}" if is_thing else None


def _has_other_unknown(call: Call, place: str, there: set[str]) -> bool:
    """Whether another parameter of the path or the query is a value that nobody has."""
    others = ((at, value) for at, value in call.arguments.items() if at != place)
    return any(_is_unknown(value, there) for at, value in others if at.startswith(("path:", "query:")))


def _is_unknown(id: object, there: set[str]) -> bool:
    return is_invented_id(id) and str(id) not in there


def _is_empty(body: object) -> bool:
    return (body in ([], {}, 0) and not isinstance(body, bool)) or _is_empty_page(body)


def _is_empty_page(body: object) -> bool:
    """Whether a response is an envelope of nothing: an object with a text is a thing that only has an empty list."""
    return isinstance(body, dict) and barren(body) and not any(isinstance(value, str) for value in body.values())


def _deleting(view: EvidenceView, seen: Observations) -> Facts:
    """Deletions of what the run had deleted before, and not created again since."""
    again = [*_deleted_again(view, seen)]
    if len(again) >= _LEAST and len({call.status for call in again}) == 1:
        parameter = "path:" + seen.key.path.rpartition("{")[2].rstrip("}")
        yield KIND.fact(seen.key, "", Missing(parameter, again[0].status or 0), ids(again))


def _deleted_again(view: EvidenceView, seen: Observations) -> Iterator[Call]:
    """The accepted deletions of what an earlier one had deleted, after its last creation."""
    makers = [one for one in view.created if one.item.tool == seen.key.tool]
    first: dict[str, int] = {}
    for call in seen.good:
        path, now = concrete_path(call), view.when(call)
        before = first.setdefault(path, now)
        made = [view.when(one.call) for one in makers if one.item.path == path]
        if before < now and made and max(made) < before:
            yield call


def _changing(view: EvidenceView, seen: Observations) -> Facts:
    """Changes of things by IDs in the body that no other operation was sent, so that nothing has them."""
    operation = view.catalog[seen.key]
    names = _lists_of_ids(operation) if _only_changes(operation) else []
    known = _sent_elsewhere(view, seen.key) if names else set()
    for name in names:
        sent = ((call, _sent_ids(call, name)) for call in seen.good)
        nobody = [call for call, found in sent if found and found.isdisjoint(known)]
        if len(nobody) >= _LEAST and len({call.status for call in nobody}) == 1:
            yield KIND.fact(seen.key, "", Missing(f"body:/{name}", nobody[0].status or 0), ids(nobody))


def _lists_of_ids(operation: Operation) -> list[str]:
    """The properties of a request body that are called `ids`, or the IDs of something."""
    schema = operation.body_schema
    return [name for name in properties_of(schema) if words(name)[-1:] == ("ids",)]


def _only_changes(operation: Operation) -> bool:
    """Whether an operation changes what is there, by its verbs, and makes nothing."""
    text = f"{operation.path.rpartition('/')[2]} {operation.name} {operation.summary}"
    said = {*map(singular, words(text.lower()))}
    return bool(said & _CHANGES) and not said & _MAKES


def _sent_elsewhere(view: EvidenceView, key: OperationKey) -> set[str]:
    """What the accepted writes of all other operations sent."""
    others = (one.good for other, one in view.observations.items() if other != key and other.method != "GET")
    return {str(value) for call in chain.from_iterable(others) for _, value in leaves(call.arguments, "")}


def _sent_ids(call: Call, name: str) -> set[str]:
    """The IDs in a list of a request body, if the run made up all of them."""
    found = sent_properties(call).get(name)
    is_made_up = isinstance(found, list) and found != [] and all(map(is_invented_id, found))
    return {*map(str, found)} if isinstance(found, list) and is_made_up else set()


def _shows(fact: Fact, call: Call) -> bool:
    value = KIND.value_of(fact)
    if value.parameter.startswith("body:/"):
        return call.status == value.status and bool(_sent_ids(call, value.parameter.removeprefix("body:/")))
    if call.status != value.status or value.returns is None:
        return False
    is_null = value.at is not None and find(call.body, value.at) == (True, None)
    return is_invented_id(call.arguments.get(value.parameter)) and (is_null or _is_empty(call.body))


KIND = Kind("missing", Missing, OPERATION, shows=_shows, replay=Replay(weight=4), from_calls=_from_calls)
