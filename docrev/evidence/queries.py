"""Queries on the evidence that exploration, inference and revision share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from docrev.calls.media import ACCEPT, CONTENT_TYPE
from docrev.calls.routes import template
from docrev.conventions.run_names import RunNames, is_made_up
from docrev.conventions.statuses import is_client_error
from docrev.evidence.store import Evidence
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import escape
from docrev.records import Call, ConsentedChange, Json, LeftItem, OperationKey

Found = TypeVar("Found")

# Fields of a request body are followed this deep, and into the first item of an array.
_BODY_DEPTH = 4


@dataclass(slots=True)
class Seen:
    """A value with the ids of the calls that show it."""

    value: Json
    calls: list[str] = field(default_factory=list)


def reached(evidence: Evidence) -> list[OperationKey]:
    """The operations that returned 2xx at least once, by tool and operation."""
    return sorted({ending.key for ending in evidence.calls.endings() if ending.ok})


def totals(evidence: Evidence, *, watched: bool = True) -> dict[str, int]:
    """The calls made, and how many of them ended in 2xx; without those that others made, unless `watched`."""
    found = evidence.calls.endings().items()
    endings = Counter({ending: calls for ending, calls in found if watched or ending.purpose != "observed"})
    return {"calls": endings.total(), "calls_2xx": sum(calls for ending, calls in endings.items() if ending.ok)}


def statuses(evidence: Evidence) -> dict[OperationKey, Counter[str]]:
    """How often each operation ended in which status, or in which error if there was none; keys sorted."""
    found: dict[OperationKey, Counter[str]] = {}
    for ending, calls in evidence.calls.endings().items():
        found.setdefault(ending.key, Counter())[str(ending.status or ending.error)] += calls
    return dict(sorted(found.items()))


def arguments(call: Call) -> Iterator[tuple[str, Json]]:
    """The arguments of a call by location; a request body as `body:/ptr`, with `/0` for the first item of an array."""
    for location, value in call.arguments.items():
        if location == "body:" and isinstance(value, dict | list):
            yield from _leaves(value, "body:", _BODY_DEPTH)
        elif location not in (ACCEPT, CONTENT_TYPE):
            yield location, value


def _leaves(value: object, pointer: str, depth: int) -> Iterator[tuple[str, Json]]:
    if depth and isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _leaves(inner, f"{pointer}/{escape(name)}", depth - 1)
    elif depth and isinstance(value, list) and value:
        yield from _leaves(value[0], f"{pointer}/0", depth - 1)
    else:
        yield pointer, value


def left_items(evidence: Evidence) -> list[LeftItem]:
    """What the run created, or may have created, and did not remove, in the order of creation and as it is called on
    the server."""
    names = RunNames(evidence.run.nonce)
    left = [item for item in evidence.journal.kept_items() if not item.deleted]
    paths = tuple(f" {item.path}" for item in left)
    return [
        LeftItem(
            item.tool,
            names.outgoing(item.path),
            names.outgoing(item.reason) or "it was not removed yet",
            names.outgoing(item.removal) if item.removal else None,
        )
        for item in left
        # What is only known by what a response named is told by its path, if it is there by now.
        if not (item.path.endswith("/?") and item.reason.endswith(paths))
    ]


def consented_changes(evidence: Evidence) -> list[ConsentedChange]:
    """What the run changed by consent, or unforeseen, by tool, operation and path as it is called on the server.

    What was refused (4xx) changed nothing, nor did what went to a name of the run's own where nothing is; what created
    an item of the run's own is told by the journal.
    """
    names = RunNames(evidence.run.nonce)
    creating = {item.call for item in evidence.journal.kept_items()}
    changes = Counter(
        (intent.key, template(intent.key.path).fill(intent.arguments), intent.unforeseen)
        for intent in evidence.intents.changing()
        if (intent.unforeseen or intent.id not in creating) and not _is_refused(evidence.calls.get(intent.id))
    )
    return [
        ConsentedChange(key.tool, key.operation, names.outgoing(path), calls, unforeseen)
        for (key, path, unforeseen), calls in sorted(changes.items())
        if not is_made_up(path)
    ]


def _is_refused(call: Call | None) -> bool:
    return call is not None and is_client_error(call.status)


def distinct(pairs: Iterable[tuple[object, str]]) -> list[Seen]:
    """Equal values together, each with its call ids, in the order in which they come; 1, 1.0 and true differ."""
    found: dict[str, Seen] = {}
    for value, call in pairs:
        seen = found.setdefault(canonical(value), Seen(value))
        if call not in seen.calls:
            seen.calls.append(call)
    return list(found.values())


def reader_at(found: Mapping[OperationKey, Found], tool: str, path: str) -> Found | None:
    """What is known of the GET of a path; None if nothing is. The path may end in a slash, as all do in some APIs."""
    bare = path.rstrip("/")
    keys = (OperationKey(tool, f"GET {bare}{slash}") for slash in ("", "/"))
    return next((found[key] for key in keys if key in found), None)
