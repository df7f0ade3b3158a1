"""Doubts first: a model names the claims of a tool's documentation that may be false, and calls that would tell.

The calls are made like all others, by the policy and within the budget, and are kept as evidence: what they show
becomes a fact only if the kinds of facts see it there. Their results, failures included, go back to the model. Two
rounds are held before tasks are designed, so that tasks step on what is doubtful, and the last one after the probes,
where the model may ask for what it would want to try before the documentation is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from docrev.conventions.methods import SAFE_METHODS
from docrev.evidence import Evidence
from docrev.grouping import parted
from docrev.json_values.canonical import canonical
from docrev.prompts.briefs import contract
from docrev.prompts.exploring import Doubt, Doubts, FindDoubts, ModelCall, TestedDoubt
from docrev.prompts.questions import Brief
from docrev.prompts.steps import Ask, Invoke, Steps
from docrev.records import Call, Fact, OperationKey
from docrev.spec import Catalog

FIRST_ROUNDS = 2
"""Rounds before tasks are designed; one more is held before the documentation is written."""
OPERATIONS = 40
"""Operations of one question; a larger tool is asked about in parts."""
FACTS = 120
_UNTELLING = frozenset({"type", "field", "observed-values", "comes-from", "nullable", "status"})
"""Kinds of facts that settle no doubt, or that the samples show."""


class DoubtRounds:
    """The doubts of a catalog, and what was called for them. `take_in` is given every call that was made."""

    def __init__(self, catalog: Catalog, evidence: Evidence, take_in: Callable[[Call], None]) -> None:
        self._evidence, self._take_in = evidence, take_in
        self._parts = [part for tool in sorted(catalog.tools) for part in _parts(catalog, tool)]
        self._tested: list[list[TestedDoubt]] = [[] for _ in self._parts]

    @property
    def claims(self) -> list[tuple[OperationKey, str]]:
        """What was doubted, by operation; with the verdict, if there is one."""
        return [
            (one.doubt.operation, f"{one.doubt.place} {one.doubt.verdict or one.doubt.claim}".strip())
            for part in self._tested
            for one in part
        ]

    def first(self, facts: Sequence[Fact]) -> Steps[None]:
        """The rounds before tasks are designed."""
        for number in range(FIRST_ROUNDS):
            open_parts = [at for at, tested in enumerate(self._tested) if not number or any(map(_is_open, tested))]
            if not open_parts:
                return
            yield from self._round(open_parts, facts, first=not number)

    def last(self, facts: Sequence[Fact]) -> Steps[None]:
        """The round before the documentation is written."""
        yield from self._round(range(len(self._parts)), facts, for_writing=True)

    def _round(
        self, parts: Sequence[int], facts: Sequence[Fact], *, first: bool = False, for_writing: bool = False
    ) -> Steps[None]:
        asked = [Ask(self._question(at, facts, first=first, for_writing=for_writing)) for at in parts]
        answers: list[Doubts] = yield asked
        for at, answer in zip(parts, answers, strict=True):
            results = yield from self._results(answer)
            self._keep(at, answer, results)

    def _results(self, answer: Doubts) -> Steps[dict[str, Call]]:
        """Make the calls of doubts: what only reads side by side, then the others in the order of each doubt."""
        reading, writing = parted(answer.doubts, _reads)
        results: dict[str, Call] = {}
        first = {_name(call): call for doubt in reading for call in doubt.calls}
        if first:
            calls: list[Call] = yield [_invoke(call) for call in first.values()]
            results = dict(zip(first, calls, strict=True))
        for wanted in (call for doubt in writing for call in doubt.calls):
            results[_name(wanted)] = yield _invoke(wanted)
        for call in results.values():
            self._take_in(call)
        return results

    def _keep(self, at: int, answer: Doubts, results: dict[str, Call]) -> None:
        """Take in an answer: a verdict closes a doubt, new calls are added to what was called for it before."""
        found = {(one.doubt.operation, one.doubt.place): one for one in self._tested[at]}
        for doubt in answer.doubts:
            before = found.get((doubt.operation, doubt.place))
            calls = [results[_name(call)] for call in doubt.calls]
            earlier = before.results if before is not None else ()
            found[doubt.operation, doubt.place] = TestedDoubt(doubt=doubt, results=(*earlier, *calls))
        self._tested[at] = list(found.values())

    def _question(self, at: int, facts: Sequence[Fact], *, first: bool, for_writing: bool) -> FindDoubts:
        briefs = self._parts[at]
        keys = {brief.key for brief in briefs}
        settled = (fact for fact in facts if fact.key in keys and _settles(fact))
        return FindDoubts(
            tool=briefs[0].key.tool,
            operations=briefs,
            samples=tuple(self._samples(briefs)) if first else (),
            facts=tuple(islice(settled, FACTS)) if first or for_writing else (),
            tested=tuple(filter(_is_open, self._tested[at])),
            for_writing=for_writing,
        )

    def _samples(self, briefs: Sequence[Brief]) -> Iterator[Call]:
        """The first call of each operation that was answered, and the first that was refused."""
        for brief in briefs:
            yield from islice(self._evidence.calls.select(key=brief.key, ok=True), 1)
            refused = (call for call in self._evidence.calls.select(key=brief.key, ok=False) if call.status is not None)
            yield from islice(refused, 1)


def _parts(catalog: Catalog, tool: str) -> Iterator[tuple[Brief, ...]]:
    operations = [operation for operation in catalog.operations if operation.tool == tool]
    for at in range(0, len(operations), OPERATIONS):
        yield tuple(map(contract, operations[at : at + OPERATIONS]))


def _reads(doubt: Doubt) -> bool:
    return all(call.operation.method in SAFE_METHODS for call in doubt.calls)


def _invoke(call: ModelCall) -> Invoke:
    return Invoke(call.operation, call.arguments, "scenario")


def _name(call: ModelCall) -> str:
    return f"{call.operation} {canonical(call.arguments)}"


def _is_open(one: TestedDoubt) -> bool:
    return not one.doubt.verdict and bool(one.results)


def _settles(fact: Fact) -> bool:
    place = fact.location.partition(":")[0]
    return not place.isdecimal() and fact.kind not in _UNTELLING
