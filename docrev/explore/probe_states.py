"""Probes of states: what comes of writing with and without a thing, to what is there and to what is not.

They run while what the run created still exists. Everything on a writing operation is done twice, apart from each
other: nothing that was created by a survey can be replayed later in the state in which it was then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from docrev.calls.batch import batch
from docrev.calls.journal import Journal
from docrev.calls.policy import Policy
from docrev.calls.routes import Routes
from docrev.evidence import Evidence
from docrev.explore.contexts import fill, heads_of, parameters_of, shape_of
from docrev.explore.doubts import Doubts, request_of
from docrev.explore.state_bodies import bare, empty_wrappers, fewest, filled, fullest, left_out, merged
from docrev.facts.observations import Observations, main_list, observe, unknown_id
from docrev.facts.samples import STATES, barren
from docrev.facts.states_responses import following
from docrev.facts.states_shown import next_url
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, JournalItem, Json, OperationKey, Purpose
from docrev.spec import Catalog, Operation
from docrev.wording import singular, words

SAFE = ("GET", "HEAD", "OPTIONS")
NOT_VALID = (400, 422)
NOW = 10
"""A repetition that no other probe makes: its answer is of now, not of when the same was asked before."""
_LIMITS = frozenset(["limit", "per", "size", "pagesize", "perpage", "count", "max", "first", "top"])


class Spent(Exception):
    """The budget is spent: what is known so far is the result."""


class StateProber:
    """Runs the probes once. `doubts` say afterwards what is not believed, and what was found beside."""

    def __init__(self, catalog: Catalog, evidence: Evidence, journal: Journal, policy: Policy) -> None:
        self._catalog, self._evidence, self._journal = catalog, evidence, journal
        self._permitted = [operation for operation in catalog.operations if policy.permits(operation) is None]
        self._routes = Routes(catalog.operations)
        self._seen: dict[OperationKey, Observations] = {}
        self._made: dict[tuple[str, str], Operation] = {}
        self._number = 0
        self.doubts = Doubts(catalog)

    def probe(self) -> Steps[None]:
        """Make the calls; what they show is inferred from the evidence."""
        known = (call for purpose in _EARLIER for call in self._evidence.iter_calls(purpose=purpose))
        # A run that is resumed finds its own probes of states in the evidence: they are no reason for others.
        earlier = (call for call in known if call.scenario != STATES)
        self._seen = observe(earlier, (operation.key for operation in self._catalog.operations))
        try:
            for operation in self._writing("POST", "PUT"):
                yield from (self._post(operation) if operation.method == "POST" else self._put(operation))
            for operation in self._writing("PATCH"):
                yield from self._patch(operation)
            yield from self._unknown()
            yield from self._pages()
            for operation in reversed(self._writing("DELETE")):
                yield from self._delete(operation)
            yield from self._again()
        except Spent:
            pass
        self.doubts.look(self._evidence)

    # Creating and changing

    def _post(self, operation: Operation) -> Steps[None]:
        good, place = self._seen[operation.key].good, self._place(operation)
        template = fullest(good)
        if template is None or place is None:
            return
        arguments, more = _rest(template) | place, merged(good)
        first: Call = yield from self._make(operation, _rest(more or template) | place)
        if not first.ok:
            first = yield from self._make(operation, arguments)
        if first.ok and not batch(operation):
            first = yield from self._fill_in(operation, first)
            yield from self._bodies(operation, first)
            yield from self._orphans(operation, first)
        yield from self._make(operation, _arguments(first) if first.ok else arguments)

    def _put(self, operation: Operation) -> Steps[None]:
        template = merged(self._seen[operation.key].good)
        if template is None:
            return
        rest = _rest(template)
        if "body:" in rest:
            rest["body:"] = filled(rest["body:"])
        if operation.path.endswith("}"):
            for _ in range(2):
                fresh = self._fresh(operation)
                if fresh is not None:
                    yield from self._make(operation, rest | fresh)
        place = self._own(operation)
        if place is None:
            return
        for _ in range(2):
            call: Call = yield from self._send(operation, rest | place)
            yield from self._look(operation, place)
        if call.ok:
            call = yield from self._fill_in(operation, call)
            yield from self._bodies(operation, call)
            yield from self._send(operation, _arguments(call))
            yield from self._orphans(operation, call)

    def _patch(self, operation: Operation) -> Steps[None]:
        template, place = fullest(self._seen[operation.key].good), self._own(operation)
        if template is None or place is None:
            return
        rest = _rest(template)
        if "body:" in rest:
            rest["body:"] = filled(rest["body:"])
        for _ in range(2):
            call: Call = yield from self._send(operation, rest | place)
        if call.ok and isinstance(rest.get("body:"), dict):
            yield from self._twice_refused(operation, place, bare(rest["body:"], call.body))

    def _make(self, operation: Operation, arguments: dict[str, Json]) -> Steps[Call]:
        """Send what may create something, and read what it created."""
        before = {item.id for item in self._journal.items if not item.deleted}
        call: Call = yield from self._send(operation, arguments)
        for item in self._journal.items:
            if item.id not in before and not item.deleted:
                shape = self._shape(item)
                if shape is not None:
                    self._made.setdefault((item.tool, shape), operation)
                yield from self._read(item)
        return call

    def _read(self, item: JournalItem) -> Steps[None]:
        """Look at an item: by itself, or in the list that it lies in."""
        for path in (item.path, item.path.rpartition("/")[0]):
            found = self._routes.resolve(item.tool, "GET", path)
            if found is not None and found[0] in self._permitted:
                yield from self._all([(found[0], dict(found[1]))])
                return

    def _look(self, operation: Operation, place: dict[str, Json]) -> Steps[None]:
        twin = self._routes.twin(operation.key, "GET")
        if twin is not None and twin in self._permitted:
            values = [place[f"path:{name}"] for name in parameters_of(operation.path)]
            yield from self._all([(twin, _named(twin, values))])

    def _fill_in(self, operation: Operation, call: Call) -> Steps[Call]:
        """Where what was created came back in an object that was not sent, try to send one; the call that worked."""
        body = call.arguments.get("body:")
        for name in empty_wrappers(body, call.body):
            more = _arguments(call) | {"body:": {**(body or {}), name: {"title": "docrev"}}}
            again: Call = yield from self._make(operation, more)
            if again.ok:
                return again
        if isinstance(body, dict) and filled(body) != body:
            again = yield from self._make(operation, _arguments(call) | {"body:": filled(body)})
            return again if again.ok else call
        return call

    # Bodies

    def _bodies(self, operation: Operation, call: Call) -> Steps[None]:
        """The body without each of its properties, and without its wrapper: what is refused is refused twice."""
        body = call.arguments.get("body:")
        if isinstance(body, dict) and not batch(operation):
            place = {name: value for name, value in call.arguments.items() if name != "body:"}
            yield from self._twice_refused(operation, place, chain(left_out(body), bare(body, call.body)))

    def _twice_refused(
        self, operation: Operation, place: dict[str, Json], bodies: Iterable[dict[str, Json]]
    ) -> Steps[None]:
        for body in bodies:
            for _ in range(2):
                call: Call = yield from self._make(operation, place | {"body:": body})
                if call.status not in NOT_VALID:
                    break

    # What is not there

    def _orphans(self, operation: Operation, call: Call) -> Steps[None]:
        """The same below parents that do not exist: each in turn, the ones above it being there."""
        names = parameters_of(operation.path)
        parents = names[:-1] if operation.path.endswith("}") else names
        for name in parents:
            for _ in range(2):
                changed = {f"path:{name}": self._nobody(operation, name)}
                if operation.method == "PUT" and operation.path.endswith("}"):
                    changed[f"path:{names[-1]}"] = self._nobody(operation, names[-1])
                    self._journal.choose(operation, _arguments(call) | changed)
                missing: Call = yield from self._make(operation, _arguments(call) | changed)
                if missing.ok or missing.status is None:
                    break

    def _unknown(self) -> Steps[None]:
        """Reading with one unknown id, for each parameter of a path; the ids before it being known."""
        batch: list[tuple[Operation, dict[str, Json]]] = []
        for operation in self._reading():
            template = fewest(self._seen[operation.key].good)
            if template is None:
                continue
            arguments = _arguments(template) | (self._own(operation) or {})
            for name in parameters_of(operation.path):
                batch.append((operation, arguments | {f"path:{name}": self._nobody(operation, name)}))
        yield from self._all(batch)

    def _nobody(self, operation: Operation, name: str) -> Json:
        self._number += 1
        values = [call.arguments.get(f"path:{name}") for call in self._seen[operation.key].good]
        return unknown_id((value for value in values if value is not None), self._number)

    # Pages

    def _pages(self) -> Steps[None]:
        """Where some answer leads on by a header: a first page of one item, and the page after it."""
        leading = {key.tool for key, seen in self._seen.items() if any(map(next_url, seen.good))}
        firsts = [
            (operation, arguments)
            for operation in self._reading()
            if operation.tool in leading and (arguments := self._first_page(operation)) is not None
        ]
        answers = yield from self._all(firsts)
        following_pages = []
        for (operation, _), call in zip(firsts, answers, strict=True):
            leads = next_url(call)
            arguments = following(call, leads[1]) if leads is not None else None
            if arguments is not None:
                following_pages.append((operation, arguments))
        yield from self._all(following_pages)

    def _first_page(self, operation: Operation) -> dict[str, Json] | None:
        good = self._seen[operation.key].good
        template = fewest(good)
        names = [p.key for p in operation.parameters if p.location == "query" and _LIMITS & set(words(p.name))]
        if template is None or not names or all(main_list(call.body) is None for call in good):
            return None
        place = self._crowded(operation) or {}
        return _arguments(template) | place | {names[0]: 1}

    def _crowded(self, operation: Operation) -> dict[str, Json] | None:
        """The path arguments under which this run created most."""
        counts: dict[tuple[str, ...], int] = {}
        for item in self._journal.items:
            values = fill(shape_of(operation.path) + "/{}", item.path)
            if values is not None and item.tool == operation.tool and not item.deleted:
                parent = tuple(map(str, values[:-1]))
                counts[parent] = counts.get(parent, 0) + 1
        if not counts or not parameters_of(operation.path):
            return None
        most = max(counts.items(), key=lambda entry: (entry[1], entry[0]))
        return _named(operation, list(most[0]))

    # Deleting

    def _delete(self, operation: Operation) -> Steps[None]:
        """Delete something that was made for it, until two deletions were answered; then look for it."""
        telling = [call for call in self._seen[operation.key].good if not barren(call.body)]
        for _ in range(2 - min(2, len(telling))):
            made = yield from self._victim(operation)
            place = self._place(operation) if made else None
            template = self._seen[operation.key].good[:1]
            if place is None or not template:
                return
            arguments = _rest(template[0]) | place
            if not parameters_of(operation.path) and made is not None:
                id = fill(self._shape(made) or "", made.path)
                queried = [name for name in arguments if name.startswith("query:")]
                if not id or len(queried) != 1:
                    return
                arguments = {queried[0]: id[-1]}
            call: Call = yield from self._send(operation, arguments)
            if call.ok and operation.path.endswith("}"):
                yield from self._look(operation, place)

    def _victim(self, operation: Operation) -> Steps[JournalItem | None]:
        """Make an item that the operation will delete; for a collection its parent too, so that nothing else goes."""
        shape = shape_of(operation.path)
        if shape.endswith("}"):
            return (yield from self._another(operation.tool, shape))
        heads = list(heads_of(operation.path))
        if heads:
            yield from self._another(operation.tool, shape_of(heads[-1]))
        return (yield from self._another(operation.tool, f"{shape}/{{}}"))

    def _another(self, tool: str, shape: str) -> Steps[JournalItem | None]:
        maker = self._made.get((tool, shape))
        template = fullest(self._seen[maker.key].good) if maker is not None else None
        if maker is None or template is None:
            return None
        place = self._fresh(maker) if maker.method == "PUT" else self._place(maker)
        if place is None:
            return None
        before = {item.id for item in self._journal.items if not item.deleted}
        yield from self._send(maker, _rest(template) | place)
        return next((item for item in self._journal.items if item.id not in before and not item.deleted), None)

    # Once more

    def _again(self) -> Steps[None]:
        """Read everything twice in a row: what differs then is no matter of what was done in between."""
        templates = [(operation, fewest(self._seen[operation.key].good)) for operation in self._reading()]
        pairs = [
            (operation, _arguments(template) | (self._own(operation) or {}))
            for operation, template in templates
            if template is not None
        ]
        first = yield from self._all(pairs, purpose="replay", repeat=NOW)
        second = yield from self._all(pairs, purpose="replay", repeat=NOW + 1)
        self.doubts.twice(list(zip(first, second, strict=True)))
        now = {request_of(call): call for call in first}
        self.doubts.changed([template for _, template in templates if template is not None], now)

    # Places

    def _reading(self) -> list[Operation]:
        return [operation for operation in self._permitted if operation.method in SAFE]

    def _writing(self, *methods: str) -> list[Operation]:
        """Permitted operations with these methods, parents before what lies under them."""
        found = [operation for operation in self._permitted if operation.method in methods]
        return sorted(found, key=lambda one: one.path.count("{") - one.path.endswith("}"))

    def _place(self, operation: Operation) -> dict[str, Json] | None:
        """Path arguments for a write: nothing, what this run created last, or, to POST, what was accepted before."""
        if not parameters_of(operation.path):
            return {}
        own = self._own(operation)
        if own is None and operation.method == "POST":
            good = self._seen[operation.key].good
            return {k: v for k, v in good[0].arguments.items() if k.startswith("path:")} if good else None
        return own

    def _own(self, operation: Operation) -> dict[str, Json] | None:
        """The path arguments of the newest item of this run that an operation is on, or under."""
        heads = list(heads_of(operation.path))
        if not heads:
            return None
        for item in reversed(self._journal.items):
            if item.tool == operation.tool and item.confirmed and not item.deleted:
                values = fill(shape_of(heads[-1]), item.path)
                if values is not None:
                    return _named(operation, list(values))
        return None

    def _fresh(self, operation: Operation) -> dict[str, Json] | None:
        """Path arguments that end in an id that nobody has, below what this run created; it is noted as chosen."""
        names, heads = parameters_of(operation.path), list(heads_of(operation.path))
        upper: list[Json] = []
        if len(names) > 1:
            above = shape_of(heads[-2])
            items = [i for i in self._journal.items if i.tool == operation.tool and i.confirmed and not i.deleted]
            found = next((values for item in reversed(items) if (values := fill(above, item.path))), None)
            if found is None:
                return None
            upper = list(found)
        self._number += 1
        last = unknown_id(self._ids(operation, names[-1]), self._number)
        if isinstance(last, str) and last.startswith("docrev-unknown"):
            last = f"docrev-{_noun(operation)}-p{self._number}"
        place = _named(operation, [*upper, last])
        self._journal.choose(operation, place)
        return place

    def _ids(self, operation: Operation, name: str) -> Iterator[Json]:
        for call in self._seen[operation.key].good:
            if f"path:{name}" in call.arguments:
                yield call.arguments[f"path:{name}"]

    def _shape(self, item: JournalItem) -> str | None:
        for method in ("GET", "DELETE", "PUT", "PATCH"):
            found = self._routes.resolve(item.tool, method, item.path)
            if found is not None:
                return shape_of(found[0].path)
        return None

    # Calling

    def _send(self, operation: Operation, arguments: dict[str, Json]) -> Steps[Call]:
        call: Call = yield Invoke(operation.key, arguments, "probe", STATES)
        if call.error == "budget":
            raise Spent
        return call

    def _all(
        self, batch: list[tuple[Operation, dict[str, Json]]], *, purpose: Purpose = "probe", repeat: int = 0
    ) -> Steps[list[Call]]:
        if not batch:
            return []
        calls: list[Call] = yield [
            Invoke(operation.key, arguments, purpose, STATES, repeat) for operation, arguments in batch
        ]
        if any(call.error == "budget" for call in calls):
            raise Spent
        return calls


_EARLIER: tuple[Purpose, ...] = ("survey", "scenario", "probe")


def _arguments(call: Call) -> dict[str, Json]:
    return dict(call.arguments)


def _rest(call: Call) -> dict[str, Json]:
    """The arguments of a call that are not in its path."""
    return {name: value for name, value in call.arguments.items() if not name.startswith("path:")}


def _named(operation: Operation, values: list[Json]) -> dict[str, Json]:
    return {f"path:{name}": value for name, value in zip(parameters_of(operation.path), values, strict=False)}


def _noun(operation: Operation) -> str:
    nouns = [words(part)[-1] for part in operation.path.split("/") if words(part) and "{" not in part]
    return singular(nouns[-1]) if nouns else "item"
