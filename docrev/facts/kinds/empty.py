"""`empty`: what a list looks like if nothing matches."""

from __future__ import annotations

from docrev.facts.call_values import MAX_NAMED, own_list, response_values
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import RESPONSE, Facts, Kind, Replay, StatusCode
from docrev.language.path_templates import ends_in_parameter
from docrev.records import Call, Fact


def _shows(fact: Fact, call: Call) -> bool:
    return [] in response_values(call, fact.location)


def _from_calls(view: EvidenceView) -> Facts:
    """A list was returned with items and, at the same place, without."""
    for key, seen in view.observations.items():
        lists: dict[str, tuple[list[str], list[str]]] = {}
        for call in seen.good if key.method == "GET" and not ends_in_parameter(key.path) else ():
            if (found := own_list(call)) is not None:
                lists.setdefault(f"{call.status}:{found.pointer}", ([], []))[bool(found.items)].append(call.id)
        for location, (none, some) in lists.items():
            if none and some and len(lists) == 1:
                yield KIND.fact(key, location, StatusCode(int(location.partition(":")[0])), none[:MAX_NAMED])


KIND = Kind("empty", StatusCode, RESPONSE, shows=_shows, replay=Replay(weight=4), from_calls=_from_calls)
