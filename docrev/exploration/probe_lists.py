"""Probes of what most lists of a service do alike: what is behind the last page, and which switches fill in fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import inf

from docrev.conventions.parameters import Role, role_in
from docrev.exploration.experiments import Experiment, Spent
from docrev.exploration.first_tries import FirstTries
from docrev.exploration.state_bodies import fewest
from docrev.facts.kinds.past_end import last_page
from docrev.facts.observations import Observations
from docrev.facts.parameter_trials import SAME, names_fit, scalars
from docrev.facts.trials import list_in
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, Json, OperationKey
from docrev.spec import Operation

_PAGES, _SWITCHES = 3, 6
"""Lists of a service whose last page is passed early, and on which a switch is tried early: as many as let it be told
of all of them."""
_EARLY, _LATER = 8.0, 1.0
"""What it is worth on these, and on others: who calls any list needs to know it."""
_SHARED = 4
"""Operations that have a switch which says how all lists are shown."""


class ListProber:
    """Offers the experiments on the lists that worked before. `seen` are the calls made before."""

    def __init__(self, reading: Iterable[Operation], seen: Mapping[OperationKey, Observations]) -> None:
        self._reading, self._seen, self._firsts = list(reading), seen, FirstTries()
        self._users = Counter((one.tool, parameter.key) for one in self._reading for parameter in one.parameters)

    def experiments(self) -> Iterator[Experiment]:
        for operation in self._reading:
            template = fewest(self._seen[operation.key].good)
            found = list_in(template) if template is not None else None
            if template is not None and found is not None and found.items:
                yield from self._behind(operation, template)
                yield from self._switches(operation, template, found.items)

    def _behind(self, operation: Operation, template: Call) -> Iterator[Experiment]:
        """The page behind the last one, where the first says how many there are."""
        last = last_page(template)
        for parameter in operation.parameters:
            is_page = role_in(parameter) is Role.PAGE
            if is_page and parameter.key not in template.arguments and last != inf:
                # Pages may be counted from 0, and something may be added meanwhile.
                arguments = dict(template.arguments) | {parameter.key: int(last) + 2}
                yield self._one(operation, f"behind the last {parameter.name}", template, arguments, _PAGES)

    def _switches(self, operation: Operation, template: Call, items: Sequence[Json]) -> Iterator[Experiment]:
        """Each switch that is off and is not called after a field of the items, by which it would choose some."""
        fields = scalars(items)
        for parameter in operation.parameters:
            is_switch = parameter.location == "query" and parameter.schema.type == "boolean"
            is_off = parameter.schema.default is not True and parameter.key not in template.arguments
            if is_switch and is_off and not any(names_fit(parameter.key, field) == SAME for field in fields):
                arguments = dict(template.arguments) | {parameter.key: True}
                first = _SWITCHES if self._users[operation.tool, parameter.key] >= _SHARED else 0
                yield self._one(operation, f"{parameter.name} on", template, arguments, first)

    def _one(
        self, operation: Operation, subject: str, template: Call, arguments: dict[str, Json], first: int
    ) -> Experiment:
        facts = _EARLY if self._firsts.is_among(first, operation.tool, subject) else _LATER
        run = partial(self._beside, operation, dict(template.arguments), arguments)
        return Experiment(operation.key, subject, facts, 4, run, owed=2)

    def _beside(self, operation: Operation, plain: dict[str, Json], arguments: dict[str, Json]) -> Steps[None]:
        """What a list returns, and what it returns with one argument more."""
        for sent in (plain, arguments):
            call: Call = yield Invoke(operation.key, sent, "probe")
            if call.error == "budget":
                raise Spent
