"""What is appended to the purpose of a parameter or property: whether it must be there, values, bounds, an example."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from docrev.facts.registry import BOUNDS
from docrev.facts.samples import barren
from docrev.records import Fact, Json
from docrev.revision.notes import Notes, lines
from docrev.revision.observations import View
from docrev.revision.place_facts import Known, common_facts, last
from docrev.revision.places import Spot, Use
from docrev.revision.purposes import source_of
from docrev.revision.quotations import example, quote, values
from docrev.settings.choices import Examples
from docrev.spec import MISSING

MAX_VALUES = 8
MAX_SENT = 5
MAX_CALLS = 5
MAX_FIELDS = 5
_CODE = re.compile(r"[a-z][a-z0-9_-]*|[A-Z][A-Z0-9_-]*")
# What these do is of whole numbers anyhow.
_COUNTED = ("limits", "pages")
_CLEAR = (*_COUNTED, *BOUNDS, "in-year", "default", "sorts")
_TOLD = (
    *("required", "default", "range", "clamps", "length", "pattern", "format", "allowed-values", "ignored", "sorts"),
    *("unknown-values", "nullable", "type"),
)


def of_value(spot: Spot, view: View, purpose: str, *, examples: Examples) -> Notes:
    """The notes on a parameter or a property, beside its `purpose`."""
    facts = common_facts(spot)
    known = Known.of(facts)
    if "ignored" in known:
        return Notes(lines("revise/notes.j2", {"ignored": True}), tuple(known.all("ignored")))
    parents = spot.first.observed.key.path
    seen = [(value, call) for use in spot.uses for value, call in use.values]
    closed = _closed(spot, known)
    sorts = {} if closed else _sorts(known.all("sorts"))
    listed = [] if closed or sorts else _seen(spot, known, parents, examples)
    # A number that bounds or counts needs no example, and a default is one.
    clear = closed or sorts or listed or _declares_example(spot) or any(kind in known for kind in _CLEAR)
    # A filter takes anything; what found nothing is no example of it.
    shown = "" if clear else _example(spot, view, _found(spot) if "filters" in known else seen, examples)
    context: dict[str, Any] = {
        "ignored": False,
        "needed": _needed(spot, known),
        "closed": closed,
        "sorts": sorts,
        "seen": listed,
        "example": shown,
        "default": quote(known.value("default")) if "default" in known else "",
        "bounds": _bounds(spot, known),
        "format": _format(spot, known, purpose, bool(shown)),
        "kind": _kind(spot, known),
        "unknown": known.value("unknown-values") == "ignored",
        "null": spot.kind == "property" and "nullable" in known and "null" not in purpose.split(),
        "source": _source(spot, facts, purpose),
        "refusal": _refusal(spot, known) if examples != "none" else None,
    }
    told = [fact for fact in facts if fact.kind in _TOLD]
    told += [fact for fact in facts if fact.kind == "observed-values" and listed]
    told += [fact for use in spot.uses[:1] for fact, _ in _statuses(use) if context["needed"] or context["refusal"]]
    called = dict.fromkeys(call for value, call in seen if not shown or quote(value) == shown)
    calls = (list(called) or [call for _, call in seen])[:MAX_CALLS]
    calls += [fact.calls[0] for fact in told if fact.kind == "status" and fact.calls]
    return Notes(lines("revise/notes.j2", context), tuple(told), tuple(dict.fromkeys(calls)))


def _closed(spot: Spot, known: Known) -> list[str]:
    """The allowed values: by a fact, or by the schema, where one of them was accepted."""
    told = known.value("allowed-values")
    if isinstance(told, list):
        return [quote(value) for value in told]
    enum = spot.schema.enum if spot.schema is not None and spot.kind == "parameter" else None
    accepted = {str(value) for use in spot.uses for value, _ in use.values}
    if not enum or len(enum) < 2 or not accepted or not accepted <= {str(value) for value in enum}:
        return []
    return [quote(value) for value in enum if value is not None]


def _sorts(facts: Sequence[Fact]) -> dict[str, Any]:
    """Which fields it sorts by, and how the order is turned, as the values that were tried show it."""
    told = [fact.value for fact in facts if isinstance(fact.value, dict)]
    fields = list(dict.fromkeys(last(str(value["field"])) for value in told))
    if not fields:
        return {}
    turned = next((value for value in told if value["order"] == "descending"), None)
    plain = next((value for value in told if value["order"] == "ascending"), None)
    if turned is not None and str(turned["value"]).lower().startswith("desc"):
        return {"directions": [quote(value["value"]) for value in told]}
    minus = turned is not None and str(turned["value"]).startswith("-")
    return {
        "directions": [],
        "fields": [quote(field) for field in fields[:MAX_FIELDS]],
        "minus": quote(turned["value"]) if minus and turned is not None else "",
        "descending": quote(turned["value"]) if turned is not None and plain is None and not minus else "",
    }


def _seen(spot: Spot, known: Known, parents: str, examples: Examples) -> list[str]:
    """The observed values, where they are words of a small set and not samples of ids, numbers or free text."""
    told = known.value("observed-values")
    if not isinstance(told, list) or not 2 <= len(told) <= MAX_VALUES:
        return []
    if spot.kind == "parameter" and (spot.first.location.startswith("path:") or "comes-from" in known):
        return []
    found = [value for value in told if not _invented(value)]
    if spot.kind == "parameter":
        meant = {str(value) for use in spot.uses for value, _ in use.values}
        found = [value for value in found if str(value) in meant and "selects" not in known]
    if len(found) < 2 or not all(isinstance(value, str) and len(value.split()) <= 3 for value in found):
        return []
    # What was sent as a parameter is a sample of what may be; only short lists of codes are worth quoting.
    if spot.kind == "parameter" and (len(found) > MAX_SENT or not all(_CODE.fullmatch(value) for value in found)):
        return []
    return values(found, spot.name, parents=parents, examples=examples)


def _declares_example(spot: Spot) -> bool:
    return spot.schema is not None and spot.schema.example is not MISSING


def _example(spot: Spot, view: View, seen: Sequence[tuple[Json, str]], examples: Examples) -> str:
    telling = [value for value, _ in seen if not isinstance(value, bool) and value not in (None, "", 0)]
    telling = [value for value in telling if not _invented(value) and str(value) not in view.own]
    return example(telling, spot.name, parents=spot.first.observed.key.path, examples=examples)


def _found(spot: Spot) -> list[tuple[Json, str]]:
    """The values that were sent, each with its call, where the answer was not an empty list."""
    empty = {call.id for use in spot.uses for call in use.observed.good if barren(call.body)}
    return [(value, call) for use in spot.uses for value, call in use.values if call not in empty]


def _invented(value: Json) -> bool:
    """Whether docrev made a value up to have one: it shows that it was accepted, and nothing else."""
    return isinstance(value, str) and "docrev" in value.lower()


def _needed(spot: Spot, known: Known) -> str:
    """That a parameter is required, where its document does not say so; with the answer to calls without it."""
    if spot.kind == "property" and not spot.first.location.startswith("body:"):
        return ""
    if _declared_required(spot):
        return ""
    status = _needed_status(spot)
    if status is not None:
        return f"Required: calls without it are answered {status}."
    return "Required." if "required" in known else ""


def _declared_required(spot: Spot) -> bool:
    use = spot.first
    operation = use.observed.operation
    if use.location.startswith("body:") and operation.body is not None and operation.body.schema is not None:
        parent = use.location[5:].rpartition("/")[0]
        owner = next((schema for at, schema in operation.body.schema.walk() if at == parent), None)
        return owner is not None and spot.name in owner.required
    parameter = operation.parameter(use.location)
    return parameter is not None and parameter.required


def _statuses(use: Use) -> Iterator[tuple[Fact, dict[str, Json]]]:
    """The status facts of an operation that are about the location of `use`."""
    for fact in use.observed.at(""):
        if fact.kind == "status" and isinstance(fact.value, dict) and fact.value.get("parameter") == use.location:
            yield fact, fact.value


def _needed_status(spot: Spot) -> int | None:
    """The status of calls without a parameter, where all users answer so."""
    found: set[int | None] = set()
    for use in spot.uses:
        lacking = [told["status"] for _, told in _statuses(use) if str(told["cause"]).endswith(" missing")]
        found.add(lacking[0] if lacking else None)
    return found.pop() if len(found) == 1 else None


def _refusal(spot: Spot, known: Known) -> dict[str, Json] | None:
    """How values are answered that are not valid; in the API's own words where nothing else says which those are."""
    clear = any(kind in known for kind in ("allowed-values", "range", "length", "pattern", "format"))
    for use in spot.uses:
        for _, told in _statuses(use):
            message = str(told.get("message", ""))
            if not str(told["cause"]).endswith("not valid"):
                continue
            if clear:
                return {"status": told["status"], "message": ""}
            if message and not _invented(message):
                return {"status": told["status"], "message": quote(message)}
    return None


def _bounds(spot: Spot, known: Known) -> list[str]:
    """Sentences on range, clamps, length and pattern."""
    found = [_range(known.value("range"))]
    clamps = known.value("clamps")
    if isinstance(clamps, dict):
        low, high = clamps.get("minimum"), clamps.get("maximum")
        found.append(f"At least {_plain(low)}; smaller values are raised." if low is not None else "")
        found.append(f"At most {_plain(high)}; larger values are cut." if high is not None else "")
    found.append(_length(known.value("length")))
    if "pattern" in known:
        found.append(f"Matches {quote(known.value('pattern'))}.")
    return [text for text in found if text]


def _range(value: Json) -> str:
    low, high = (value.get("minimum"), value.get("maximum")) if isinstance(value, dict) else (None, None)
    if low is not None and high is not None:
        return f"From {_plain(low)} to {_plain(high)}."
    return f"At least {_plain(low)}." if low is not None else f"At most {_plain(high)}." if high is not None else ""


def _length(value: Json) -> str:
    low, high = (value.get("minimum"), value.get("maximum")) if isinstance(value, dict) else (None, None)
    if low is not None and high is not None:
        return f"{_plain(low)} characters." if low == high else f"{_plain(low)} to {_plain(high)} characters."
    if low is not None:
        return "Not empty." if low == 1 else f"{_plain(low)} characters or more."
    return f"{_plain(high)} characters or fewer." if high is not None else ""


def _plain(value: Json) -> str:
    return json.dumps(value)


_FORMATS = {
    "date": "As `YYYY-MM-DD`.",
    "date-time": "As `YYYY-MM-DDThh:mm:ss` with its time zone.",
    "uuid": "A UUID.",
    "email": "An email address.",
    "uri": "A URL.",
}


def _format(spot: Spot, known: Known, purpose: str, shown: bool) -> str:
    """The form of a text; of a response an example shows as much."""
    told = known.value("format")
    if not isinstance(told, str) or (spot.kind == "property" and shown) or "YYYY" in purpose:
        return ""
    return _FORMATS.get(told, f"Format: {quote(told)}.")


def _kind(spot: Spot, known: Known) -> str:
    """The type of a parameter, where numbers only are taken and what it does does not say so."""
    told = known.value("type")
    if spot.kind != "parameter" or spot.first.location.startswith("path:") or any(kind in known for kind in _COUNTED):
        return ""
    if "allowed-values" in known:
        return ""
    return {"integer": "A whole number.", "number": "A number.", "boolean": "`true` or `false`."}.get(str(told), "")


def _source(spot: Spot, facts: Sequence[Fact], purpose: str) -> str:
    """Where a query parameter's value comes from, where the purpose tells something else."""
    use = spot.first
    if spot.kind != "parameter" or not any(fact.kind in ("filters", "required") for fact in facts):
        return ""
    found = source_of(use.observed.key, use.location, facts)
    return "" if not found or found.rpartition("`")[0].rpartition("`")[2] in purpose else found
