"""What an exploration does not believe, and what it says about why it learned so little."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from docrev.conventions.ids import known_by
from docrev.conventions.lists import find_list
from docrev.conventions.run_names import is_invented_id
from docrev.conventions.statuses import BUSY, INVALID, NOT_FOUND, NOT_THERE, RATE_LIMITED
from docrev.evidence import Evidence
from docrev.evidence.queries import arguments, reader_at
from docrev.exploration.steadiness import difference, form
from docrev.facts.error_contradictions import contradictions
from docrev.facts.observations import MAX_CALLS, Observations, observe
from docrev.facts.samples import barren
from docrev.facts.volatility import volatile
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import escape
from docrev.records import Call, Fact, Json, OperationKey
from docrev.spec import Catalog

MANY = 3
"""Operations that must answer the same before it is taken for the same page."""
_NAMED = 3


@dataclass
class Distrust:
    """Operations of which nothing is believed, by why; locations of which nothing is; and findings, one line each."""

    catalog: Catalog
    operations: dict[OperationKey, str] = field(default_factory=dict)
    places: dict[OperationKey, set[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def about(self, fact: Fact) -> bool:
        """Whether a fact is doubted, whatever calls show it."""
        if fact.key in self.operations or fact.location in self.places.get(fact.key, ()):
            return True
        source = str(fact.value.get("operation", "")) if isinstance(fact.value, dict) else ""
        return bool(source) and any(str(key) == source for key in self.operations)

    # What the probes compare

    def twice(self, pairs: Sequence[tuple[Call, Call]]) -> None:
        """Equal requests, made twice in a row with nothing done in between."""
        differing = {one.key: why for one, other in pairs if (why := difference(one, other))}
        self.operations |= differing
        if differing:
            many = f"{len(differing)} of {len(pairs)} operations do not answer the same to the same request"
            self.notes.append(f"{many}, so nothing is said of them: {_listing(differing)}")
        asked = [one.key.tool for one, _ in pairs]
        for tool in sorted({key.tool for key in differing}):
            unsteady = sum(key.tool == tool for key in differing)
            # The same service answers its writes.
            if unsteady > asked.count(tool) / 2:
                self._doubt_all(tool, "most of the others do not answer the same to the same request")
        self._same_page(pairs)

    def _same_page(self, pairs: Sequence[tuple[Call, Call]]) -> None:
        """Operations with nothing in common that answer the same: somebody answers for all of them."""
        # All empty lists look the same, and HEAD is answered without content (RFC 9110 §9.3.2).
        full = [pair for pair in pairs if pair[0].ok and pair[0].key.method != "HEAD" and not barren(pair[0].body)]
        tools = grouped((one.key.tool, _asked_of(one.key)) for one, _ in full)
        groups = grouped(((one.key.tool, _page(one, other)), one.key) for one, other in full)
        for (tool, page), keys in sorted(groups.items()):
            # What several collections are asked alike, as `/charts/owners` and `/pages/owners`, may have one answer.
            unlike = len({_asked_of(key) for key in keys})
            if unlike >= MANY and unlike > len(set(tools[tool])) / 2:
                self._doubt_all(tool, "it answers the same as the others")
                what = "answer with nothing" if not page else "answer the same page: check --base-url"
                many = f"{len(keys)} of {len(tools[tool])} operations of {tool}"
                self.notes.append(f"{many} {what}; nothing is said of them")

    def _doubt_all(self, tool: str, why: str) -> None:
        for operation in self.catalog.operations:
            if operation.tool == tool:
                self.operations.setdefault(operation.key, why)

    def changed(self, before: Iterable[Call], now: dict[str, Call]) -> None:
        """Calls from the beginning beside the same at the end; `now` is by `request_of`."""
        found, lost = dict[OperationKey, str](), dict[OperationKey, str]()
        for call in before:
            later = now.get(request_of(call))
            if later is None or later.error == "denied" or later.status in NOT_FOUND:
                continue
            if not later.ok:
                lost[call.key] = f"it answers {later.status or later.error} to what it answered {call.status}"
            elif form(call) != form(later):
                found[call.key] = "it has other fields than at the beginning"
        if found:
            self.notes.append(f"operations that changed while they were explored: {_listing(found)}")
        if lost:
            self.notes.append(f"operations that stopped answering while they were explored: {_listing(lost)}")
        for key, why in lost.items():
            self.operations.setdefault(key, why)

    # What the evidence shows

    def look(self, evidence: Evidence) -> None:
        """Find what only all calls together show."""
        seen = observe(evidence.calls.select(), (operation.key for operation in self.catalog.operations))
        self._limited(evidence)
        created = {str(value) for item in evidence.journal.items() for value in item.arguments.values()}
        lies, deaf, strange = dict[OperationKey, str](), dict[OperationKey, str](), dict[OperationKey, str]()
        for key, one in seen.items():
            if key.method != "GET":
                continue
            if contradicted := contradictions(one.calls):
                lies[key] = f"its errors say that {contradicted[0]}, and its answers show otherwise"
            if places := _any_id(one, created):
                self.places.setdefault(key, set()).update(places)
                deaf[key] = f"{', '.join(sorted(places))} may be anything"
            if ids := _not_found(one, seen, created):
                strange[key] = f"it does not know {ids[0]}, which is listed"
        if lies:
            self.notes.append(f"operations whose error messages are not believed: {_listing(lies)}")
        if deaf:
            self.notes.append(f"operations that answer the same to any ID: {_listing(deaf)}")
        if strange:
            self.notes.append(f"operations that refuse IDs that the service itself gives: {_listing(strange)}")

    def _limited(self, evidence: Evidence) -> None:
        counts = dict.fromkeys(sorted(BUSY), 0)
        total = 0
        for ending, calls in evidence.calls.endings().items():
            total += calls
            if ending.status in counts:
                counts[ending.status] += calls
        for status, count in counts.items():
            if count >= MANY:
                # What is unavailable is seldom so for the rate at which it was asked.
                advice = "give a lower --rate, or go on later" if status == RATE_LIMITED else "go on later"
                self.notes.append(f"{count} of {total} calls were answered {status}: {advice}")


def request_of(call: Call) -> str:
    """What was asked, in one text."""
    return canonical([call.key, call.arguments])


def _page(one: Call, other: Call) -> str:
    """What a response shows each time, as JSON text; "" for nothing."""
    moving = volatile(one, other)
    rest = [(place, value) for place, value in _leaves(one.body) if place not in moving]
    return canonical(rest) if one.body not in (None, "", {}) else ""


def _asked_of(key: OperationKey) -> str:
    """What an operation asks a collection or a thing for: the last of its path that is no parameter."""
    return next((part for part in reversed(key.path.split("/")) if part and not part.startswith("{")), "")


def _listing(found: dict[OperationKey, str]) -> str:
    shown = [f"{key} ({why})" for key, why in sorted(found.items())[:_NAMED]]
    more = len(found) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")


def _leaves(body: Json, pointer: str = "", depth: int = 6) -> Iterable[tuple[str, Json]]:
    if isinstance(body, dict) and depth:
        for name, value in body.items():
            yield from _leaves(value, f"{pointer}/{escape(name)}", depth - 1)
    elif isinstance(body, list) and depth:
        yield f"{pointer}/length", len(body)
        for value in body[:MAX_CALLS]:
            yield from _leaves(value, f"{pointer}/0", depth - 1)
    else:
        yield pointer, body


def _any_id(seen: Observations, created: set[str]) -> set[str]:
    """Path locations at which an unknown id returns the same as an existing one; what the run `created` may have an id
    that it made up."""
    found = set()
    for call in seen.good:
        if call.purpose != "probe" or barren(call.body):
            continue
        for place, id in call.arguments.items():
            unknown = place.startswith("path:") and is_invented_id(id) and str(id) not in created
            if unknown and any(_same_but(place, call, one) for one in seen.good):
                found.add(place)
    return found


def _same_but(place: str, call: Call, other: Call) -> bool:
    """Whether a call on an id that exists differs from one on a made-up id in that id alone, sent and returned."""
    id, known = call.arguments[place], other.arguments.get(place)
    if is_invented_id(known) or {**other.arguments, place: id} != call.arguments:
        return False
    return canonical(other.body).replace(str(known), str(id)) == canonical(call.body)


def _not_found(seen: Observations, all_seen: dict[OperationKey, Observations], created: set[str]) -> list[str]:
    """Ids that the list above an operation gives, and that the operation does not know."""
    path = seen.key.path.rstrip("/")
    above = reader_at(all_seen, seen.key.tool, path.rpartition("/")[0])
    if not path.endswith("}") or above is None:
        return []
    lists = (find_list(call.body, call.key.path) for call in above.good)
    given = {id for found in lists if found is not None for item in found.items for id in known_by(item)}
    worked = {str(value) for call in seen.good for _, value in arguments(call)}
    last = path.rpartition("{")[2].rstrip("}")
    refused = {str(call.arguments.get(f"path:{last}")) for call in seen.with_status(*INVALID, *NOT_THERE)}
    return sorted((refused & given) - worked - created)
