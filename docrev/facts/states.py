"""Facts on responses, on operations as a whole and on the state that they need, leave or lack.

Pure over the calls: what must be called for them is chosen by `docrev.exploration.probe_states`. Facts on reading
operations are shown again by `replay`; those on writing ones name independent calls, made while their objects existed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from docrev.calls.routes import Routes
from docrev.evidence import Evidence
from docrev.facts import states_responses as responses
from docrev.facts import states_writes as writes
from docrev.facts.observations import Observations, observe
from docrev.facts.samples import Sample
from docrev.records import Fact, OperationKey

if TYPE_CHECKING:
    from docrev.spec import Catalog


def infer_states(catalog: Catalog, evidence: Evidence, taken: Mapping[OperationKey, Sample]) -> Iterator[Fact]:
    """Candidate facts of these kinds, and `required` in bodies; `taken` are the samples that all inference shares."""
    seen = observe(evidence.iter_calls(), (operation.key for operation in catalog.operations))
    made = writes.creations(seen, evidence.journal(), Routes(catalog.operations))
    for sample in taken.values():
        yield from responses.nullable(sample)
    yield from responses.formats(taken.values())
    for one in seen.values():
        operation = catalog[one.key]
        yield from responses.broken(one, plain=not operation.parameters and operation.body is None)
        yield from _of_operation(one)
    yield from writes.creates(seen, made)
    yield from writes.needs_first(seen, made)


def _of_operation(seen: Observations) -> Iterable[Fact]:
    yield from responses.empty(seen)
    yield from responses.errors(seen)
    yield from responses.credentials(seen)
    yield from responses.header_paging(seen)
    yield from writes.wrapped(seen)
    yield from writes.required(seen)
    yield from writes.body_required(seen)
