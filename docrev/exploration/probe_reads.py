"""Probes of reading: ids that nobody has, no credentials, pages that headers lead to, and everything twice in a row."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial

from docrev.calls.policy import Policy
from docrev.calls.routes import Routes
from docrev.conventions.ids import own_id
from docrev.conventions.lists import find_list, list_of
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.parameters import Role, role_in
from docrev.conventions.statuses import NOT_FOUND
from docrev.conventions.time_order import claimed_order
from docrev.exploration.doubts import Distrust, request_of
from docrev.exploration.experiments import Experiment, Spent
from docrev.exploration.first_tries import FirstTries
from docrev.exploration.probe_places import Places
from docrev.exploration.state_bodies import fewest
from docrev.exploration.steadiness import difference
from docrev.facts.kinds.pages import following, next_url
from docrev.facts.observations import Observations
from docrev.facts.samples import STATES
from docrev.language.path_templates import parameters_of
from docrev.prompts.steps import Invoke, Repeat, Steps
from docrev.records import Call, Json, OperationKey, Purpose
from docrev.spec import Catalog, Operation

_ERROR = 4.0
_ORDER = 4.0
"""What it is worth to check the order that a text claims: the first item is taken for the newest."""
_ITEMS = 4
"""Items of a list that show its order."""
_NOBODIES, _LATER = 3, 0.3
"""Operations of a service that are asked early for an ID of one kind that nothing has, and what later ones are worth:
what the first return, most of them do."""
_STRANGERS = 2
"""Operations of a service that are asked without credentials early."""
_LED = 2
"""Lists whose next page, to which a header leads, is asked for early."""
_UNANNOUNCED = 4
"""Operations that are asked without credentials if the document mentions none: enough to tell what most of them do."""


class ReadProber:
    """Offers the experiments on what only reads. `seen` are the calls made before, `secrets` the headers that say
    who calls."""

    def __init__(
        self,
        catalog: Catalog,
        policy: Policy,
        places: Places,
        seen: Mapping[OperationKey, Observations],
        secrets: Sequence[str] = (),
    ) -> None:
        self.reading = [one for one in catalog.operations if one.method in SAFE_METHODS and policy.permits(one) is None]
        self._places, self._seen = places, seen
        self._secrets, self._routes = secrets, Routes(catalog.operations)
        self._firsts = FirstTries()
        self._announced = {tool for tool in catalog.tools if _announced(catalog, tool)}

    def experiments(self) -> Iterator[Experiment]:
        """What may be tried of each reading operation that worked before."""
        leading = {key.tool for key, seen in self._seen.items() if any(map(next_url, seen.good))}
        for operation in self.reading:
            template = fewest(self._seen[operation.key].good)
            if template is None:
                continue
            yield from self._of_unknown_ids(operation)
            if self._secrets and operation.method == "GET" and (facts := self._strange(operation)):
                run = partial(self._stranger, operation, template)
                yield Experiment(operation.key, "no credentials", facts, 2, run, owed=1)
            if claimed_order(operation.text) is not None:
                yield Experiment(operation.key, "order", _ORDER, 3 * _ITEMS, partial(self._in_order, operation))
            if operation.tool in leading and self._first_page(operation) is not None:
                yield self._of_pages(operation)

    def _of_pages(self, operation: Operation) -> Experiment:
        """The next page, as headers lead to it."""
        leads = any(map(next_url, self._seen[operation.key].good))
        facts = _ERROR if leads and self._firsts.is_among(_LED, operation.tool, "pages") else 1
        return Experiment(operation.key, "pages", facts, 3, partial(self._pages, operation), owed=1)

    def _of_unknown_ids(self, operation: Operation) -> Iterator[Experiment]:
        """An ID that nothing has, for each parameter of the path."""
        for name in parameters_of(operation.path):
            # Drawn here, in order: experiments run side by side.
            run = partial(self._nobody, operation, name, self._places.unknown_id(operation, name))
            subject = f"unknown {name}"
            is_early = self._firsts.is_among(_NOBODIES, operation.tool, subject)
            facts = self._error(operation) * (1 if is_early else _LATER)
            yield Experiment(operation.key, subject, facts, 2, run, owed=1)

    def _strange(self, operation: Operation) -> float:
        """How many new facts an operation would show that is asked without credentials."""
        is_announced = operation.tool in self._announced
        early, later = (0.5 * (1 + _ERROR), 0.25) if is_announced else (_ERROR, 0.0)
        first = _STRANGERS if is_announced else _UNANNOUNCED
        return early if self._firsts.is_among(first, operation.tool, "no credentials") else later

    def _error(self, operation: Operation) -> float:
        """How many new facts a refusal of an unknown id would show."""
        known = [response for status, response in operation.responses.items() if status in map(str, NOT_FOUND)]
        if any(response.schema for response in known):
            return 0.5
        return 0.4 if self._seen[operation.key].with_status(*NOT_FOUND) else _ERROR

    def _nobody(self, operation: Operation, name: str, unknown: Json) -> Steps[None]:
        """One unknown id, the ids before it being known."""
        template = fewest(self._seen[operation.key].good)
        assert template is not None
        arguments = dict(template.arguments) | (self._places.created_place(operation) or {})
        yield from self._send(operation, arguments | {f"path:{name}": unknown})

    def _stranger(self, operation: Operation, template: Call) -> Steps[None]:
        """What worked, without the headers that say who calls."""
        arguments = dict(template.arguments) | (self._places.created_place(operation) or {})
        yield from self._send(operation, arguments | {f"header:{name}": None for name in self._secrets})

    def _in_order(self, operation: Operation) -> Steps[None]:
        """Read single items of two lists: the list may not show when they were made."""
        item = self._routes.item_reader(operation)
        lists = (found.items for call in self._seen[operation.key].good if (found := list_of(call)) is not None)
        longest = sorted(lists, key=len, reverse=True)[:2]
        if item is None:
            return
        name = parameters_of(item.path)[-1]
        for items in longest:
            for place in sorted({round(part * (len(items) - 1) / (_ITEMS - 1)) for part in range(_ITEMS)}):
                id = own_id(items[place], name, "") if items else None
                if id is not None:
                    yield from self._send(item, {f"path:{name}": id})

    # Pages

    def _pages(self, operation: Operation) -> Steps[None]:
        """A first page of one item, and the page that its headers lead to."""
        arguments = self._first_page(operation)
        if arguments is None:
            return
        call = yield from self._send(operation, arguments)
        leads = next_url(call)
        after = following(call, leads[1]) if leads is not None else None
        if after is not None:
            yield from self._send(operation, after)

    def _first_page(self, operation: Operation) -> dict[str, Json] | None:
        good = self._seen[operation.key].good
        template = fewest(good)
        names = [p.key for p in operation.parameters if role_in(p) is Role.PAGE_SIZE]
        if template is None or not names or all(find_list(call.body, call.key.path) is None for call in good):
            return None
        place = self._places.fullest_place(operation) or {}
        return dict(template.arguments) | place | {names[0]: 1}

    # Once more

    def _templates(self, besides: Container[OperationKey]) -> list[tuple[Operation, Call]]:
        """The answered call with the fewest arguments of each reading operation but `besides`."""
        asked = [operation for operation in self.reading if operation.key not in besides]
        templates = [(operation, fewest(self._seen[operation.key].good)) for operation in asked]
        return [(operation, template) for operation, template in templates if template is not None]

    def again(self, doubts: Distrust, besides: Container[OperationKey], left: int) -> Steps[dict[str, Call]]:
        """Read everything but `besides` once more, and at once again what is different from before: what differs then,
        too, is no matter of what was done in between. Nor is what differs then and no more a third time: a job was on
        its way, and ended.

        Returns the last answers by the ids of the calls that they repeat. If fewer requests are `left` than all of it
        may take, none is made: a part says nothing of the others, and each of them shows more where it is chosen by
        that.
        """
        known = self._templates(besides)
        if 2 * len(known) > left:
            return {}
        asked = [(operation, {**call.arguments, **self._place_of(operation, call)}) for operation, call in known]
        templates = [template for _, template in known]
        try:
            first, second, third = yield from self._three_times(asked, templates)
        except Spent:
            return {}
        last = second | third
        # What is the same as long before is the same twice in a row.
        pairs = [(second[at] if at in third else call, last.get(at, call)) for at, call in enumerate(first)]
        doubts.twice(pairs)
        doubts.changed(templates, {request_of(call): call for call in first})
        return {
            template.id: last.get(place, first[place])
            for place, template in enumerate(templates)
            if request_of(template) == request_of(first[place])
        }

    def _three_times(
        self, asked: list[tuple[Operation, dict[str, Json]]], before: list[Call]
    ) -> Steps[tuple[list[Call], dict[int, Call], dict[int, Call]]]:
        """Read all of it once; again what is different from before; and a third time what differs from the first."""
        first = yield from self._all(asked, Repeat.READ_ONCE)
        other = [place for place, call in enumerate(first) if not _is_same(before[place], call)]
        repeated = yield from self._all([asked[place] for place in other], Repeat.READ_TWICE)
        second = dict(zip(other, repeated, strict=True))
        moved = [place for place, call in second.items() if difference(first[place], call)]
        third = yield from self._all([asked[place] for place in moved], Repeat.READ_THRICE)
        return first, second, dict(zip(moved, third, strict=True))

    def _place_of(self, operation: Operation, template: Call) -> dict[str, Json]:
        """Where a call is repeated that was on something of this run: on what is there now."""
        return (self._places.created_place(operation) or {}) if self._places.is_on_own(template) else {}

    # Calling

    def _send(self, operation: Operation, arguments: dict[str, Json]) -> Steps[Call]:
        call: Call = yield Invoke(operation.key, arguments, "probe", STATES)
        if call.error == "budget":
            raise Spent
        return call

    def _all(self, batch: list[tuple[Operation, dict[str, Json]]], repeat: Repeat) -> Steps[list[Call]]:
        purpose: Purpose = "replay"
        calls: list[Call] = yield [
            Invoke(operation.key, arguments, purpose, STATES, repeat) for operation, arguments in batch
        ]
        if any(call.error == "budget" for call in calls):
            raise Spent
        return calls


def _is_same(one: Call, other: Call) -> bool:
    """Whether a request was answered the same as before."""
    return (request_of(one), one.status, one.body) == (request_of(other), other.status, other.body)


def _announced(catalog: Catalog, tool: str) -> bool:
    """Whether the spec of a tool has schemes of security."""
    document = catalog.documents[catalog.files[tool]]
    return any(document.get(place, None) for place in ("/components/securitySchemes", "/securityDefinitions"))
