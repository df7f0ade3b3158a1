"""Deletions of what another thing names by its ID: is it refused, does that go too, or is its reference cleared?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from docrev.calls.path_texts import noun_of
from docrev.conventions.ids import is_id, refers_to
from docrev.exploration.probe_places import rest_of
from docrev.exploration.state_bench import StateBench
from docrev.json_values.leaves import members
from docrev.json_values.pointer import last, placed
from docrev.language.path_templates import shape_of
from docrev.prompts.steps import Steps
from docrev.records import Call, JournalItem, Json
from docrev.spec import Operation
from docrev.spec.schema import properties_of

_MAX_KINDS = 2
"""Kinds of things that name another one, and are made before that is deleted."""
_SCALARS = ("string", "integer")


class Naming(NamedTuple):
    """A creation whose body can name another thing at a pointer, and how: by a text or a number, or a list of them."""

    maker: Operation
    pointer: str
    type: str
    in_list: bool

    def named(self, body: Json, id: str) -> Json:
        """A body that names the thing with an ID."""
        value: Json = int(id) if self.type == "integer" else id
        return placed(body, self.pointer, [value] if self.in_list else value)


class ReferenceProbes:
    """Deletions of things that others name."""

    def __init__(self, bench: StateBench) -> None:
        self._bench = bench

    def namings(self, operation: Operation) -> list[Naming]:
        """How things that the run makes, and can read, may name what an operation deletes."""
        shape = shape_of(operation.path)
        noun = noun_of(shape.rpartition("/")[0])
        if not shape.endswith("/{}") or not noun or self._bench.maker(operation.tool, shape) is None:
            return []
        makers = (
            one
            for one in self._bench.permitted
            if one.method == "POST" and one.tool == operation.tool and one.body_schema is not None
        )
        first = (next(self._of_maker(one, noun), None) for one in makers if self._is_apart(one, shape))
        return list(islice((one for one in first if one is not None), _MAX_KINDS))

    def _is_apart(self, maker: Operation, shape: str) -> bool:
        """Whether a creation worked whose things can be read, and lie neither in nor around things of a shape."""
        made = f"{shape_of(maker.path)}/{{}}"
        return (
            not made.startswith(f"{shape}/")
            and not shape.startswith(f"{made}/")
            and self._bench.maker(maker.tool, made) == maker
            and self._bench.routes.item_under(maker.key) is not None
        )

    def _of_maker(self, maker: Operation, noun: str) -> Iterator[Naming]:
        """How a creation may name a thing: as accepted bodies did, then as its schema says."""
        for pointer, value in members(self._bench.body(maker) or {}):
            one = value[0] if isinstance(value, list) and value else value
            if refers_to(last(pointer), noun) and is_id(one):
                yield Naming(maker, pointer, "integer" if isinstance(one, int) else "string", isinstance(value, list))
        yield from _declared(maker, noun)

    def delete(self, operation: Operation) -> Steps[None]:
        """Delete something that another thing names, once for each kind of these; after that, if it is refused."""
        good = self._bench.good(operation)
        for naming in self.namings(operation) if good else ():
            victim: JournalItem | None = yield from self._bench.another(operation.tool, shape_of(operation.path))
            place = self._bench.places.created_place(operation) if victim is not None else None
            if victim is None or place is None:
                return
            referrer: JournalItem | None = yield from self._refer(naming, str(next(reversed(place.values()))))
            if referrer is None:
                continue
            arguments = rest_of(good[0]) | place
            call: Call = yield from self._bench.send(operation, arguments)
            if call.ok:
                yield from self._bench.read(referrer)
            else:
                yield from self._bench.remove(referrer)
                yield from self._bench.send(operation, arguments)

    def _refer(self, naming: Naming, id: str) -> Steps[JournalItem | None]:
        """Make a thing that names the one with an ID; None if that was not accepted."""
        bench, maker = self._bench, naming.maker
        template, place = bench.template(maker), bench.places.place_to_write(maker)
        if template is None or place is None or (naming.type == "integer" and not id.isdecimal()):
            return None
        before = bench.places.existing_items()
        sent = bench.anew(maker, template, place)
        yield from bench.make(maker, {**sent, "body:": naming.named(sent["body:"], id)})
        return next(iter(bench.places.new_items(before)), None)


def _declared(maker: Operation, noun: str) -> Iterator[Naming]:
    """How the schema of a creation says that it may name a thing."""
    for name, part in properties_of(maker.body_schema).items():
        if refers_to(name, noun) and not (part.get("readOnly") or part.enum):
            items = part.items()
            type = items.type if items is not None else part.type
            yield from [Naming(maker, f"/{name}", type, items is not None)] if type in _SCALARS else []
