"""What things are found by beside their paths: `user_id`, which a creation sends, and every request to them must."""

from __future__ import annotations

from docrev.calls.effects import Effects
from docrev.conventions.examples import fitting_values
from docrev.conventions.run_names import run_name, run_uuid
from docrev.exploration.run_numbers import RunNumbers
from docrev.records import Json
from docrev.spec import Operation, Schema


class Scopes:
    """Gives what the run's own things are made with, and found by: one value for each name, which nobody else uses.

    None is made up for what the API makes itself: for `project` beside `POST /projects`, a project of the run is used.
    """

    def __init__(self, effects: Effects, numbers: RunNumbers) -> None:
        self._routes = routes = effects.routes
        creations = (op for op in routes.operations if op.route.method == "POST")
        found = dict.fromkeys((op.tool, name) for op in creations for name in routes.scoping(op))
        places = [place for place in found if not effects.makes(place[0], effects.kind_called(*place))]
        # Older than all names of things, so that it stays where another thing gets another name.
        self._numbers = {place: numbers.next() for place in places}

    def of(self, creation: Operation) -> list[str]:
        """The members of a creation's body that say in which scope its thing is."""
        return self._routes.scoping(creation)

    def queried(self, operation: Operation, location: str, schema: Schema) -> list[Json]:
        """What the run's own things were made with, for a location in the query; nothing for others."""
        place, _, name = location.partition(":")
        value = self.value(operation, f"/{name}", schema) if place == "query" else None
        return [] if value is None else [value]

    def value(self, operation: Operation, pointer: str, schema: Schema, *, guess: bool = False) -> Json:
        """What the run sends at a place in a body: as its things were made with, or a `guess`.

        None if the place names no scope.
        """
        place = operation.tool, pointer.removeprefix("/")
        known, number = self._routes.scopes.get(place), self._numbers.get(place)
        if known is not None or number is None or not guess:
            return known
        forms = (run_uuid(number) if schema.format == "uuid" else run_name(number), 900_000_000 + number)
        return next(iter(fitting_values(forms, schema)), None)
