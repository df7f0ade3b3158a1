"""Candidate facts: what the calls of a run show, before it is replayed.

Every fact names all calls (at most 20) that show it, so that the replay can choose; see `replays`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from docrev.evidence import Evidence
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.invented_properties import Inventions
from docrev.facts.kind import Name, name_of
from docrev.facts.registry import KINDS
from docrev.json_values.canonical import canonical
from docrev.records import Fact

if TYPE_CHECKING:
    from docrev.graph.tool_graph import Edge
    from docrev.spec import Catalog


def infer(
    catalog: Catalog, evidence: Evidence, edges: Iterable[Edge] = (), *, probed: Iterable[Fact] = ()
) -> list[Fact]:
    """Candidate facts of the catalog's operations, by tool, operation, location, kind and value.

    `edges` are those of the tool graph; they count if the calls bear them out. `probed` are facts that trials have
    shown already. The same calls give the same facts, whatever their order of arrival was.
    """
    view = EvidenceView.of(catalog, evidence, edges)
    found = list(_once(fact for kind in KINDS.values() if kind.from_calls for fact in kind.from_calls(view)))
    inventions = Inventions.of(catalog, view.samples, chain(probed, found))
    own = (fact for fact in found if not inventions.concern(fact))
    return sorted(own, key=lambda fact: (fact.key, fact.location, fact.kind, canonical(fact.value)))


def _once(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Each fact once, as it was found first: several analyses may find the same."""
    names: set[Name] = set()
    for fact in facts:
        name = name_of(fact)
        if name not in names:
            names.add(name)
            yield fact
