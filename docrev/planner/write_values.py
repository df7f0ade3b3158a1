"""The values that scenarios write: those of accepted request bodies, with new texts in the place of free ones."""

from __future__ import annotations

from docrev.conventions.fields import is_free_text, is_link, is_name_field, is_volatile_field
from docrev.conventions.run_names import SCENARIOS, is_made_up, renumbered, run_name
from docrev.graph.values import flat
from docrev.planner.knowledge import Knowledge
from docrev.planner.operation_views import OperationView
from docrev.records import Given, Json

MAX_VALUES = 3
"""Values of a body that a text gives."""
_TEXTS = ("Harbour walk", "Morning ferry", "Paper lantern", "Quiet garden", "Blue kettle", "Winter market")


class WriteValues:
    """Chooses values; each free text is a new one."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self._knowledge = knowledge
        self._seed = seed
        self.count = 0
        """How many texts were chosen."""

    def id_given(self, view: OperationView) -> Given:
        """An ID of the run's own for the item that a PUT creates."""
        self.count += 1
        location = f"path:{view.key.path.rstrip('/').rpartition('{')[2].rstrip('}')}"
        return Given(location.partition(":")[2], run_name(self.count, SCENARIOS), view.noun, location)

    def body_givens(self, view: OperationView, *, rich: bool) -> list[Given] | None:
        """What a body must have and, if `rich`, more texts; None if no accepted body is known."""
        content = _accepted_content(view, rich=rich)
        if content is None:
            return None
        givens = [_body_given(view, location, self._replace(view, location, value)) for location, value in content]
        return self._recognisable(view, givens)

    def changed_text(self, view: OperationView, givens: list[Given]) -> list[Given]:
        """A new value for the first text among the givens that an operation accepts."""
        for given in givens:
            if given.location in view.slots and is_free_text(given.label):
                return [_body_given(view, given.location, self._replace(view, given.location, given.value))]
        return []

    def _recognisable(self, view: OperationView, givens: list[Given]) -> list[Given]:
        """The givens of a body with a name of the run in its first free text, unless one is in it already."""
        texts = [given for given in givens if is_free_text(given.location) and isinstance(given.value, str)]
        if not texts or any(is_made_up(given.value) for given in givens):
            return givens
        text = f"{texts[0].value} {run_name(self.count, SCENARIOS)}"
        named = _body_given(view, texts[0].location, text)
        return [named if given is texts[0] else given for given in givens]

    def _next_text(self) -> str:
        self.count += 1
        return _TEXTS[(self.count + self._seed) % len(_TEXTS)]

    def _replace(self, view: OperationView, location: str, value: Json) -> Json:
        """A new text for a free one, another known value for a reference; any other value stays."""
        slot = view.slots.get(location)
        if not isinstance(value, str) or (slot is not None and slot.documented_values):
            return value
        text = self._next_text()
        if is_made_up(value) and not _is_prose(location):
            return renumbered(value, self.count, SCENARIOS)
        if is_name_field(location):
            return run_name(self.count, SCENARIOS)
        if is_free_text(location) or is_made_up(value):
            return f"{text} {self.count}"
        values = self._alternatives(view, location, value)
        return values[self.count % len(values)]

    def _alternatives(self, view: OperationView, location: str, value: str) -> list[str]:
        """Values of the field that a reference comes from."""
        for edge in self._knowledge.best_edges(view.key, location):
            source = self._knowledge.views.get(edge.source)
            if source is None or not source.is_safe or edge.kind != "value":
                continue
            field = source.fields.get(edge.pointer.rpartition("/")[2])
            if field is not None:
                values = [text for text in field.values if len(text) == len(value)]
                if value in values:
                    return values[:20]
        return [value]


def _accepted_content(view: OperationView, *, rich: bool) -> list[tuple[str, Json]] | None:
    """Locations and values of an accepted body: what is required and, if `rich`, the texts of the fullest body."""
    required = {location for location in view.required_locations() if location.startswith("body:/")}
    contents = []
    for call in view.calls:
        sent = [pair for pair in dict(flat(call.arguments)).items() if _is_plain(pair[0])]
        content = [pair for pair in sent if pair[0] in required or (rich and _can_write(*pair))][:MAX_VALUES]
        if required <= dict(content).keys():
            contents.append(content)
    return max(contents, key=len, default=None)


def _is_prose(location: str) -> bool:
    """Whether a field takes any text and is not what an item is called by."""
    return is_free_text(location) and not is_name_field(location)


def _is_plain(location: str) -> bool:
    """Whether a location is in a body, outside of arrays and at most one object deep."""
    return location.startswith("body:/") and "/0" not in location and location.count("/") <= 2


def _can_write(location: str, value: Json) -> bool:
    return isinstance(value, str) and bool(value) and not is_link(value) and not is_volatile_field(location, value)


def _body_given(view: OperationView, location: str, value: Json) -> Given:
    return Given(location.rpartition("/")[2], value, view.noun, location)
