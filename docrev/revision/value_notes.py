"""What is appended to the purpose of a parameter or property: one sentence for each kind of fact.

`SENTENCES` is in the order of importance: without room for all, the last are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from docrev.calls.routes import only_path
from docrev.conventions.run_names import is_invented
from docrev.conventions.statuses import INVALID
from docrev.conventions.verbs import READING
from docrev.facts.kinds import characters as characters_kind
from docrev.facts.kinds import sorts as sorts_kind
from docrev.facts.kinds import status as status_kind
from docrev.facts.kinds.format import FORMATS
from docrev.facts.parameter_trials import HUGE
from docrev.facts.registry import BOUNDS, PROVES_READ, with_effect
from docrev.facts.status_causes import Cause, message
from docrev.facts.wire_values import number
from docrev.json_values.canonical import canonical
from docrev.json_values.scalars import is_number
from docrev.language import documentation_phrases as phrases
from docrev.language.phrases import joined, sentence
from docrev.language.words import words
from docrev.records import Call, ChangeClass, Fact, Json, OperationKey
from docrev.revision import trap_notes
from docrev.revision.effect_wording import is_direction
from docrev.revision.false_texts import refuted, swapped_text
from docrev.revision.notes import Statement
from docrev.revision.observations import CatalogObservations
from docrev.revision.place_facts import FactsByKind, common_facts, last
from docrev.revision.places import Spot, Use
from docrev.revision.quotations import example as quoted_example
from docrev.revision.quotations import quote, quote_message, values
from docrev.revision.state_notes import type_cases
from docrev.revision.value_sources import ValueSource, best_source, collection_of, find_sources
from docrev.settings.choices import Examples
from docrev.spec import MISSING

MAX_CALLS = 5
_MIN_ALIKE = 3
"""Operations beside one that must agree, for it to be taken as one of them."""
_MIN_EQUAL = 3
"""Different numbers that must be equal in two responses."""
_MIN_THINGS = 2
"""Things that must have been found by another field than their ID."""
MIN_WORDS = 5
"""Words of a message that says more than that something is missing."""
MAX_VALUES = 8
MAX_SENT = 5
MAX_FIELDS = 5
MAX_WORDS = 3
WHOLE_NUMBERS = with_effect("window")
"""Kinds of effects that only whole numbers have."""
CLEAR = (*with_effect("window", "sort", "default"), *BOUNDS, "in-year")
"""Kinds that leave no need for an example: the number is plain, or the fact itself shows a value."""
CHECKED = PROVES_READ - {"required"}
"""Kinds that state which values are valid."""
_CODE = re.compile(r"[a-z][a-z0-9_-]*|[A-Z][A-Z0-9_-]*")
_NUMBERS = frozenset(["number", "no", "nr", "ref", "reference", "code", "key", "sku", "serial"])
"""Words at the end of the names of fields by which people know things beside their IDs."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_FORMATS = {
    "date": "Format: `YYYY-MM-DD`.",
    "date-time": "Format: `YYYY-MM-DDThh:mm:ss` with a time zone.",
    "uuid": "A UUID.",
    "email": "An email address.",
    "uri": "A URL.",
}
_TYPES = {"integer": "an integer", "number": "a number"}


def of_value(spot: Spot, observations: CatalogObservations, purpose: str, *, examples: Examples) -> list[Statement]:
    """The statements on a parameter or a property, beside its `purpose`, the most important first."""
    value = DocumentedValue(spot, observations, purpose, examples)
    rows = [IGNORED] if ignored(value) else SENTENCES
    return [
        Statement(text, kind, category, *_shown_by(value, kind))
        for kind, category, sentence in rows
        if (text := sentence(value))
    ]


def _shown_by(value: DocumentedValue, kind: str) -> tuple[tuple[Fact, ...], tuple[str, ...]]:
    """The facts and calls that show the sentence on a kind of fact; of an example, calls alone."""
    if not kind:
        return (), tuple(_calls(value))
    if kind == "type-by":
        return tuple(_type_facts(value.spot)), ()
    facts = value.known.all(kind) or [fact for fact in value.spot.related if fact.kind == kind]
    if kind in ("required", "status"):
        facts = [*facts, *(fact for fact, _ in status_facts(value.spot.first))]
    return tuple(facts), ()


def _calls(value: DocumentedValue) -> list[str]:
    """The calls with the value that is the example; without one, any."""
    with_example = (call for seen, call in value.spot.values if not value.example or quote(seen) == value.example)
    return (list(dict.fromkeys(with_example)) or [call for _, call in value.spot.values])[:MAX_CALLS]


@dataclass(frozen=True)
class DocumentedValue:
    """A parameter or property: its place with all users, what is known of it, and the purpose written before."""

    spot: Spot
    observations: CatalogObservations
    purpose: str
    examples: Examples

    @cached_property
    def known(self) -> FactsByKind:
        facts = common_facts(self.spot)
        is_alone = self.is_in_path and len(self.spot.uses) == 1
        if is_alone and not any(fact.kind == "comes-from" for fact in facts):
            facts = (*facts, *_sources_alike(self.spot.first, self.observations))
        return FactsByKind.of(facts)

    @property
    def is_parameter(self) -> bool:
        return self.spot.kind == "parameter"

    @property
    def is_in_path(self) -> bool:
        return self.spot.first.location.startswith("path:")

    @property
    def path(self) -> str:
        return self.spot.first.observed.key.path

    @property
    def is_last_of_get(self) -> bool:
        """Whether it is what the path of a GET ends in."""
        is_last = self.path.rstrip("/").endswith(f"{{{self.spot.name}}}")
        return is_last and self.spot.first.observed.key.method == "GET"

    @cached_property
    def allowed(self) -> list[Json]:
        """The allowed values: by a fact, or by the schema, if one of them was accepted."""
        stated = self.known.value("allowed-values")
        if isinstance(stated, list):
            return stated
        enum = self.spot.schema.enum if self.spot.schema is not None and self.is_parameter else None
        accepted = {str(value) for value, _ in self.spot.values}
        if not enum or len(enum) < 2 or not accepted or not accepted <= {*map(str, enum)}:
            return []
        return [value for value in enum if value is not None]

    @cached_property
    def observed(self) -> list[str]:
        """The observed values, quoted, if they are words of a small set and not samples of IDs, numbers or text."""
        stated = self.known.value("observed-values")
        if self.allowed or "sorts" in self.known or not isinstance(stated, list) or len(stated) > MAX_VALUES:
            return []
        found = [value for value in stated if not is_invented(value)]
        is_sent = self.is_parameter or self.spot.first.location.startswith("body:")
        words = self._codes(found) if is_sent else found
        worth = len(words) > 1 and all(isinstance(value, str) and len(value.split()) <= MAX_WORDS for value in words)
        return values(words, self.spot.name, parents=self.path, examples=self.examples) if worth else []

    def _codes(self, found: Sequence[Json]) -> list[Json]:
        """What was sent as a parameter is a sample of what may be: only short lists of codes are worth quoting."""
        sent = {str(value) for value, _ in self.spot.values}
        meant = [value for value in found if str(value) in sent and str(value) in self.observations.returned]
        sample = self.is_in_path or self.known.any_of(("comes-from", "selects")) or len(meant) > MAX_SENT
        short = all(re.fullmatch("[A-Z]{2,3}", str(value)) for value in meant)
        return [] if sample or short or not all(_CODE.fullmatch(str(value)) for value in meant) else meant

    @cached_property
    def example(self) -> str:
        """An observed value, quoted, if nothing else shows one."""
        if self._shows_values or self.known.any_of(CLEAR) or (self.is_in_path and self._is_listed):
            return ""
        # A filter takes anything; what found nothing is no example of it.
        seen = self.spot.fruitful if "filters" in self.known else self.spot.values
        lasting, returned = [value for value, _ in seen if self._is_lasting(value)], self.observations.returned
        # What the service lists is better than what was only accepted; of an ID nothing else will do.
        if self.is_parameter and self.is_in_path:
            lasting = [value for value in lasting if str(value) in returned]
        lasting.sort(key=lambda value: isinstance(value, str) and value not in returned)
        return quoted_example(lasting, self.spot.name, parents=self.path, examples=self.examples)

    @property
    def _is_listed(self) -> bool:
        """Whether a list shows the values of a parameter of the path."""
        key, location = self.spot.first.observed.key, self.spot.first.location
        above = OperationKey(key.tool, f"GET {collection_of(key, location)}")
        return "comes-from" in self.known or above in self.observations.by_key

    def _is_lasting(self, value: Json) -> bool:
        """Whether a value says something, and others can use it later."""
        if isinstance(value, bool) or value in (None, "", 0) or is_invented(value):
            return False
        if (self.spot.name, canonical(value)) in self.observations.defaults:
            return False
        return str(value) not in self.observations.temporary and not self._is_guess(value)

    def _is_guess(self, value: Json) -> bool:
        """Whether nobody can use a value again: a UUID, a number beyond all sense, digits where a text is wanted."""
        if isinstance(value, str) and FORMATS["uuid"].fullmatch(value):
            return True
        found = number(value)
        is_text = self.is_parameter and not self.is_in_path and self.known.value("type") not in ("integer", "number")
        return found is not None and (abs(found) >= HUGE or (is_text and isinstance(value, str)))

    @property
    def _shows_values(self) -> bool:
        """Whether the document, or another statement, gives values."""
        declared = self.spot.schema.example if self.spot.schema is not None else MISSING
        return bool(self.allowed or self.observed) or declared is not MISSING

    @property
    def number(self) -> str:
        """ "an integer", "a number", for a parameter that takes only numbers if its purpose does not say so."""
        if not self.is_parameter or self.is_in_path or self.known.any_of(WHOLE_NUMBERS):
            return ""
        return "" if "allowed-values" in self.known else _TYPES.get(str(self.known.value("type")), "")


def _sources_alike(use: Use, observations: CatalogObservations) -> tuple[Fact, ...]:
    """Where the values of a path's parameter come from, as several other operations below the same path show it."""
    shown = [
        fact
        for observed in observations.operations
        if observed.key.tool == use.observed.key.tool and observed.key.path.startswith(_item_path(use))
        for fact in observed.at(use.location)
        if fact.kind == "comes-from"
    ]
    values = [canonical(fact.value) for fact in shown]
    return tuple(
        fact
        for fact, value in zip(shown, values, strict=True)
        if values.index(value) == shown.index(fact) and values.count(value) >= _MIN_ALIKE
    )


def ignored(value: DocumentedValue) -> str:
    """That it has no effect; there is then nothing else to say."""
    return "Ignored by the API: any value returns the same response." if "ignored" in value.known else ""


def correction(value: DocumentedValue) -> str:
    """What calls refute of the text that is there."""
    spot = value.spot
    if text := swapped_text(spot):
        return sentence(text)
    return refuted(spot, value.observations.field_of(spot.telling_values))


def identifier(value: DocumentedValue) -> str:
    """That the last parameter of a path takes another field of the thing than the ID that it is called after."""
    use, name = value.spot.first, value.spot.name
    if f"{value.spot.text} {correction(value)}".rstrip().endswith(", not a UUID."):
        return ""
    # What is said to take both may take the other as well, of things that were not tried.
    if "or" in {*words(name), *value.spot.text.lower().split()}:
        return ""
    if not use.observed.key.path.rstrip("/").endswith(f"{{{name}}}") or "id" not in {
        *words(name),
        *words(value.spot.text),
    }:
        return ""
    taken, things = set[str](), 0
    for call in use.observed.good:
        thing = _thing(call.body)
        sent = str(call.arguments.get(use.location))
        if "id" in thing:
            same = {field for field, held in thing.items() if isinstance(held, str) and held == sent}
            taken, things = (taken & same if things else same), things + 1
    return f"Takes the `{min(taken)}`, not the `id`." if things >= _MIN_THINGS and taken and "id" not in taken else ""


def in_details(value: DocumentedValue) -> str:
    """Where the field that a number is compared with is, if the list does not show it."""
    found = [fact for fact in value.known.facts if fact.kind in BOUNDS]
    if not value.is_parameter or not found or any(fact.kind == "scaled" for fact in value.spot.related):
        return ""
    name = last(str(found[0].value))
    detail = value.observations.detail_of(value.spot.first.observed.key, name)
    return f"Compared with `{name}` of `{detail[0].operation}`, such as {quote(detail[1])}." if detail else ""


def other_numbers(value: DocumentedValue) -> str:
    """That a parameter of a path takes the ID of a thing, and not another number or code by which it is known."""
    use = value.spot.first
    if not value.is_last_of_get:
        return ""
    things = [(_thing(call.body), str(call.arguments.get(use.location))) for call in use.observed.good]
    pairs = [(thing, sent) for thing, sent in things if "id" in thing and str(thing["id"]) == sent]
    names = [name for name in (pairs[0][0] if pairs else ()) if words(name)[-1:] and words(name)[-1] in _NUMBERS]
    others = [f"`{name}`" for name in names if _identifies_too(name, pairs)]
    return f"Takes the `id`, not the {joined(others)}." if others else ""


def _identifies_too(name: str, things: Sequence[tuple[dict[str, Json], str]]) -> bool:
    """Whether a field is of the type of the ID, and another for each of the things, but not their ID."""
    is_alike = all(type(thing.get(name)) is type(thing["id"]) for thing, _ in things)
    values, ids = {str(thing.get(name)) for thing, _ in things}, {sent for _, sent in things}
    # Nobody takes another text for a UUID.
    is_uuid = all(map(FORMATS["uuid"].fullmatch, ids))
    return is_alike and not is_uuid and len(values) == len(ids) >= _MIN_THINGS and values != ids


def same_number(value: DocumentedValue) -> str:
    """That a number in a response is what another GET of the same thing calls otherwise, beside other numbers."""
    use = value.spot.first
    status, _, pointer = use.location.partition(":")
    if value.is_parameter or not status.isdecimal() or pointer.count("/") != 1 or use.observed.key.method != "GET":
        return ""
    for other in value.observations.operations:
        is_beside = other.key.tool == use.observed.key.tool and other is not use.observed and other.key.method == "GET"
        is_on_same = other.key.path.count("{") == use.observed.key.path.count("{") == 1
        if is_beside and is_on_same and (name := _equal_field(use.observed.good, value.spot.name, other.good)):
            return f"The same as `{name}` of `{other.key.operation}`."
    return ""


def _equal_field(calls: Sequence[Call], name: str, others: Sequence[Call]) -> str:
    """The one number of other responses that is always the named one, of the same things; it has another name."""
    held = {path: _numbers(body) for path, body in _bodies(others).items()}
    pairs = [
        (_numbers(body)[name], held[path])
        for path, body in _bodies(calls).items()
        if path in held and name in _numbers(body)
    ]
    if len({number for number, _ in pairs}) < _MIN_EQUAL:
        return ""
    fields = pairs[0][1]
    equal = [field for field in fields if all(there.get(field) == number for number, there in pairs)]
    return equal[0] if len(equal) == 1 and name not in fields and len(fields) > 1 else ""


def _bodies(calls: Iterable[Call]) -> dict[str, dict[str, Json]]:
    """Objects that were returned, by the path that was asked for."""
    return {canonical(only_path(call.arguments)): call.body for call in calls if isinstance(call.body, dict)}


def _numbers(body: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in body.items() if is_number(value)}


def type_by(value: DocumentedValue) -> str:
    """The types of a field that its schema does not declare, with the value of the field that tells them."""
    facts = _type_facts(value.spot)
    declared = value.spot.schema.type if value.spot.schema is not None else None
    if not facts or value.spot.kind != "property":
        return ""
    return sentence(type_cases(facts[0], declared, value.spot.text))


def _type_facts(spot: Spot) -> list[Fact]:
    """The facts on types by another field: one user of a schema is enough, for others may return nothing there."""
    return [fact for use in spot.uses for fact in use.facts if fact.kind == "type-by"][:1]


def refused_field(value: DocumentedValue) -> str:
    """That a parameter of a path refuses another field of the things that it identifies, while their IDs are taken.

    Where an operation was not tried, those beside it count if they agree: what lies below one thing finds it alike.
    """
    if not value.is_in_path or len(value.spot.uses) > 1:
        return ""
    field, status = _refused_at(value.spot.first, value.observations)
    is_below = value.path != _item_path(value.spot.first) and bool(value.spot.first.observed.good)
    if not field and is_below:
        alike = [_refused_at(use, value.observations) for use in _below_the_same(value)]
        found = {refused for refused in alike if refused[0]}
        count = sum(1 for refused in alike if refused[0])
        field, status = found.pop() if len(found) == 1 and count >= _MIN_ALIKE else ("", 0)
    return f"The `{field}` is not accepted: returns {status}." if field else ""


def _item_path(use: Use) -> str:
    """The path up to a parameter, with it."""
    parameter = "{" + use.location.partition(":")[2] + "}"
    return use.observed.key.path.partition(parameter)[0] + parameter


def _below_the_same(value: DocumentedValue) -> list[Use]:
    """The other operations below the thing that a parameter of a path identifies, as its users."""
    use = value.spot.first
    return [
        Use(observed, use.location)
        for observed in value.observations.operations
        if observed.key.tool == use.observed.key.tool and observed.key.path.startswith(f"{_item_path(use)}/")
    ]


def _refused_at(use: Use, observations: CatalogObservations) -> tuple[str, int]:
    """The field whose values an operation refuses at a place, and the status; "" if none is known."""
    causes = [cause for _, cause in status_facts(use) if cause.cause.endswith(" not valid") and cause.message]
    if not causes or causes[0].status not in INVALID:
        return "", 0
    field = observations.field_of(_refused(use, observations, causes[0]))
    taken = [call.arguments.get(use.location) for call in use.observed.good]
    is_other = field and taken and not observations.field_of(taken)
    return (field, causes[0].status) if is_other else ("", 0)


def _refused(use: Use, observations: CatalogObservations, cause: Cause) -> list[Json]:
    """The values for which operations on the same things returned the same refusal."""
    alike = (
        observed
        for observed in observations.operations
        if observed.key.tool == use.observed.key.tool and observed.key.path.startswith(_item_path(use))
    )
    calls = (call for observed in alike for call in observed.bad if call.status == cause.status)
    return [call.arguments.get(use.location) for call in calls if message(call.body) == cause.message]


def _thing(body: Json) -> dict[str, Json]:
    """The object that a response is, or that it wraps alone."""
    while isinstance(body, dict) and len(body) == 1 and isinstance(next(iter(body.values())), dict):
        body = next(iter(body.values()))
    return body if isinstance(body, dict) else {}


def required(value: DocumentedValue) -> str:
    """That it is required, if its document does not say so; with an unusual status of requests without it."""
    if not (value.is_parameter or value.spot.first.location.startswith("body:")) or _is_declared_required(value.spot):
        return ""
    if "required" not in value.known:
        return ""
    status = _status_without(value.spot)
    return "Required." if status is None or status in INVALID else phrases.REQUIRED.write(status=status)


def sometimes_required(value: DocumentedValue) -> str:
    """What requests without a property return in the API's words, if it is not known to be required of all of them."""
    use = value.spot.first
    is_known = "required" in value.known or _is_declared_required(value.spot) or bool(use.observed.all("alternatives"))
    if value.is_parameter or is_known or value.examples == "none":
        return ""
    texts = {(status, text) for status, text in _refusals_without(value) if value.spot.name in words(text)}
    [status, text] = texts.pop() if len(texts) == 1 else (0, "")
    is_usable = len(text.split()) >= MIN_WORDS and not is_invented(text) and not text.endswith("…")
    return f"Requests without it may return {status}: {quote_message(text)}." if is_usable else ""


def _refusals_without(value: DocumentedValue) -> Iterator[tuple[int, str]]:
    """(status, message) of the requests that were refused for lacking a property."""
    use = value.spot.first
    for fact, cause in status_facts(use):
        if cause.cause == f"{value.spot.name} missing":
            yield from ((cause.status, message(call.body)) for call in use.observed.bad if call.id in fact.calls)


def _is_declared_required(spot: Spot) -> bool:
    use = spot.first
    operation = use.observed.operation
    if use.location.startswith("body:") and operation.body is not None and operation.body.schema is not None:
        parent = use.location[5:].rpartition("/")[0]
        owners = [schema for at, schema in operation.body.schema.walk() if at == parent]
        return any(
            spot.name in part.required for owner in owners for part in (owner, *(part for part, _ in owner.parts()))
        )
    parameter = operation.parameter(use.location)
    return parameter is not None and parameter.required


def status_facts(use: Use) -> Iterator[tuple[Fact, Cause]]:
    """The status facts of an operation that are about the location of `use`, with their values."""
    for fact in use.observed.at(""):
        if fact.kind == "status" and (cause := status_kind.KIND.value_of(fact)).parameter == use.location:
            yield fact, cause


def _status_without(spot: Spot) -> int | None:
    """The status of requests without a parameter, if all users return the same."""
    found: set[int | None] = set()
    for use in spot.uses:
        causes = (cause for _, cause in status_facts(use) if cause.cause.endswith(" missing"))
        found.add(next((cause.status for cause in causes), None))
    return found.pop() if len(found) == 1 else None


def allowed_values(value: DocumentedValue) -> str:
    return _one_of(map(quote, value.allowed)) if value.allowed else ""


def _one_of(quoted: Iterable[str]) -> str:
    return phrases.CHOICE.write(values=", ".join(quoted))


def sorts(value: DocumentedValue) -> str:
    """Which fields it sorts by, and how the order is reversed, as the values that were tried show it."""
    orders = [sorts_kind.KIND.value_of(fact) for fact in value.known.all("sorts")]
    if not orders or value.allowed:
        return ""
    reverse = next((order.value for order in orders if order.order == "descending"), "")
    if is_direction(reverse):
        return _one_of(quote(order.value) for order in orders)
    fields = dict.fromkeys(last(order.field) for order in orders)
    only_reverse = all(order.order == "descending" for order in orders)
    return f"For example, {', '.join(map(quote, [*fields][:MAX_FIELDS]))}{_reversed(reverse, only_reverse)}."


def _reversed(reverse: str, only_reverse: bool) -> str:
    """How the order is reversed, as the end of a sentence: shown by a value that sorts in descending order."""
    if reverse.startswith("-"):
        return f"; prefix a minus sign for descending order: {quote(reverse)}"
    return f"; in descending order: {quote(reverse)}" if reverse and only_reverse else ""


def observed_values(value: DocumentedValue) -> str:
    return f"Observed values: {', '.join(value.observed)}." if value.observed else ""


def default(value: DocumentedValue) -> str:
    if trap_notes.left_out(value.spot):
        return ""
    return phrases.DEFAULT.write(value=quote(value.known.value("default"))) if "default" in value.known else ""


def type_name(value: DocumentedValue) -> str:
    """The type of a parameter; of a number with bounds, these say it."""
    if value.number:
        return "" if _bounds(value.known.value("range")) != (None, None) else f"Must be {value.number}."
    boolean = value.known.value("type") == "boolean" and value.is_parameter and not value.is_in_path
    return "Either `true` or `false`." if boolean and "allowed-values" not in value.known else ""


def number_range(value: DocumentedValue) -> str:
    low, high = _bounds(value.known.value("range"))
    number = value.number
    if low is not None and high is not None:
        text = phrases.RANGE.write(low=json.dumps(low), number=json.dumps(high))
        return text.replace("Must be", f"Must be {number}", 1) if number else text
    if low is None and high is None:
        return ""
    text = f"Must be {json.dumps(low)} or greater." if high is None else phrases.MOST.write(number=json.dumps(high))
    return text.replace("Must be", f"Must be {number},", 1) if number else text


def clamps(value: DocumentedValue) -> str:
    """What larger or smaller values are taken as, instead of being refused."""
    low, high = _bounds(value.known.value("clamps"))
    pieces = []
    if low is not None:
        pieces.append(f"At least {json.dumps(low)}; smaller values are treated as {json.dumps(low)}.")
    if high is not None:
        pieces.append(phrases.CLAMP.write(number=json.dumps(high)))
    return " ".join(pieces)


def length(value: DocumentedValue) -> str:
    low, high = _bounds(value.known.value("length"))
    if low is not None and high is not None:
        return f"Must be {low if low == high else f'{low} to {high}'} characters long."
    if low is not None:
        return "Must not be empty." if low == 1 else f"Must be {low} characters or more."
    return f"Must be {high} characters or fewer." if high is not None else ""


def _bounds(found: Json) -> tuple[Json, Json]:
    return (found.get("minimum"), found.get("maximum")) if isinstance(found, dict) else (None, None)


def pattern(value: DocumentedValue) -> str:
    return f"Must match {quote(value.known.value('pattern'))}." if "pattern" in value.known else ""


def characters(value: DocumentedValue) -> str:
    """Which characters a text may have, and what it must begin and end with."""
    facts = value.known.all("characters")
    if not facts:
        return ""
    rules = characters_kind.KIND.value_of(facts[0])
    ends = {"begin": rules.prefix or rules.first, "end": rules.suffix or rules.last}
    stated = [f"contain only characters from {quote(rules.allowed)}"] if rules.allowed else []
    stated += [f"not contain {quote(rules.forbidden)}"] if rules.forbidden else []
    if ends["begin"] == ends["end"] and ends["begin"]:
        stated.append(f"begin and end with {_sign(ends['begin'])}")
    else:
        stated += [f"{verb} with {_sign(text)}" for verb, text in ends.items() if text]
    return f"Must {joined(stated)}."


def _sign(text: str) -> str:
    """A sign with its name, if a reader may overlook it: a dot (`.`)."""
    name = _SIGN_NAMES.get(text)
    return f"{name} ({quote(text)})" if name else quote(text)


_SIGN_NAMES = {".": "a dot", "/": "a slash", ",": "a comma", ":": "a colon"}


def states_end(text: str, rule: str) -> bool:
    """Whether a text of people says by a word what a `rule` on characters says: "MUST have a trailing dot"."""
    found = re.fullmatch(r"Must (begin|end) with (?:[a-z ]+\()?`(.)`\)?\.", rule)
    names = _SIGNS.get(found[2], found[2]) if found is not None else ""
    place = _PLACES.get(found[1], "") if found is not None else ""
    return bool(names and re.search(rf"\b(?:{place})\b.{{0,20}}(?:{names})", text, re.IGNORECASE))


_SIGNS = {
    ".": r"dot|period|full stop|\.[`'\"]",
    "/": r"slash|/[`'\"]",
    "-": "dash|hyphen",
    "_": "underscore",
    "#": "hash",
}
_PLACES = {"begin": "leading|begins?|starts?|starting|first", "end": "trailing|ends?|ending|final|last"}


def required_of_use(spot: Spot, observations: CatalogObservations, examples: Examples) -> list[Fact]:
    """The facts that a value is required at one place, if its document does not say so."""
    value = DocumentedValue(spot, observations, "", examples)
    return [] if _is_declared_required(spot) else value.known.all("required")


def rules_of_use(
    spot: Spot, observations: CatalogObservations, examples: Examples
) -> Iterator[tuple[str, tuple[Fact, ...]]]:
    """What values must be like at one place: a predicate with its facts, each rule that refusals state."""
    value = DocumentedValue(spot, observations, "", examples)
    rules = (("length", length), ("characters", characters), ("pattern", pattern), ("default", default))
    for kind, rule in rules:
        is_natural = value.is_parameter or value.known.value("default") in (None, False, "")
        if not (kind == "default" and is_natural) and (text := rule(value)):
            yield text, tuple(value.known.all(kind))


def partners(value: DocumentedValue) -> str:
    """What an argument must, or must not, be sent with."""
    facts = value.known.all("partners")
    together = {"needs": "Only together with", "excluded-by": "Not together with"}
    return " ".join(
        f"{together[fact.value['rule']]} {joined([f'`{n}`' for n in fact.value['names']])}." for fact in facts
    )


def text_format(value: DocumentedValue) -> str:
    """The format of a text; of a property, an example shows as much."""
    stated = value.known.value("format")
    if stated is None and value.is_parameter and value.spot.values:
        stated = "date" if all(_DATE.fullmatch(str(seen)) for seen, _ in value.spot.values) else None
    if stated == "uuid" and "uuid" in value.spot.text.lower():
        return ""
    said = f"{value.purpose} {correction(value)}"
    if not isinstance(stated, str) or (not value.is_parameter and value.example) or "YYYY" in said:
        return ""
    return _FORMATS.get(stated, f"Format: {quote(stated)}.")


def unknown_values(value: DocumentedValue) -> str:
    if value.known.value("unknown-values") != "ignored" or trap_notes.choice_correction(value.spot):
        return ""
    return f"Unknown {'fields' if sorts(value) else 'values'} are ignored."


def nullable(value: DocumentedValue) -> str:
    stated = "null" in value.purpose.split()
    return "May be null." if "nullable" in value.known and not value.is_parameter and not stated else ""


def comes_from(value: DocumentedValue) -> str:
    """Where a parameter's value comes from, unless all values are listed here; a filter's, by its own API."""
    if value.allowed or not value.is_parameter:
        return ""
    tool = value.spot.first.observed.key.tool
    filters = "filters" in value.known and "required" not in value.known
    source = best_source(source for source in _sources(value) if source.operation.tool == tool or not filters)
    if source is None or not (value.is_in_path or value.known.any_of(("filters", "required"))):
        return ""
    return next(source.phrases(text=f"{value.spot.text} {correction(value)}"))


def _sources(value: DocumentedValue) -> list[ValueSource]:
    """The sources of a value. Where the path itself has the list of what it identifies, others have a part of it."""
    use, by_key = value.spot.first, value.observations.by_key
    key = use.observed.key
    sources = find_sources(key, use.location, value.known.facts)
    path = collection_of(key, use.location)
    listing = (OperationKey(key.tool, f"GET {path}"), OperationKey(key.tool, f"GET {path}/"))
    listed = next((by_key[each] for each in listing if each in by_key), None)
    if listed is not None:
        return [source for source in sources if source.operation == listed.key] if listed.good else sources
    around, _, last_part = path.rpartition("/")
    collection = around if last_part == value.spot.name else path
    if collection and _is_found_below(collection, value.observations):
        return [source for source in sources if "{" not in source.operation.path]
    return sources


def _is_found_below(collection: str, observations: CatalogObservations) -> bool:
    """Whether an operation below the path that identifies things is there to find them: `POST /flows/filter`."""
    below = (
        observed.key.path.removeprefix(f"{collection}/")
        for observed in observations.operations
        if observed.key.path.startswith(f"{collection}/")
    )
    return any({*words(rest)} <= READING for rest in below if rest and "{" not in rest)


def example(value: DocumentedValue) -> str:
    return phrases.EXAMPLE.write(value=value.example) if value.example else ""


def refusal(value: DocumentedValue) -> str:
    """What invalid values return; in the API's own words if nothing else says which values are invalid."""
    if value.examples == "none":
        return ""
    checked = value.known.any_of(CHECKED)
    for use in value.spot.uses:
        for _, cause in status_facts(use):
            if not cause.cause.endswith("not valid"):
                continue
            if checked:
                return f"Any other value returns {cause.status}." if _states_valid(value) else ""
            if cause.message and not is_invented(cause.message):
                return f"An invalid value returns {cause.status}: {quote_message(cause.message)}."
    return ""


def _states_valid(value: DocumentedValue) -> bool:
    """Whether the other sentences say which values are valid."""
    return any(sentence(value) for sentence in _VALIDITY)


_VALIDITY = (allowed_values, number_range, clamps, length, pattern, characters, text_format)
"""What says which values are valid."""


def _of_spot(write: Callable[[Spot], str]) -> Callable[[DocumentedValue], str]:
    return lambda value: write(value.spot)


Sentence = tuple[str, ChangeClass, Callable[[DocumentedValue], str]]
IGNORED: Sentence = ("ignored", "trap", ignored)
SENTENCES: tuple[Sentence, ...] = (
    IGNORED,
    ("", "correction", correction),
    ("", "correction", identifier),
    ("type-by", "correction", type_by),
    ("at-least", "trap", in_details),
    ("", "trap", other_numbers),
    ("", "trap", same_number),
    *((kind, category, _of_spot(write)) for kind, category, write in trap_notes.SENTENCES),
    ("", "trap", refused_field),
    ("required", "bound", required),
    ("required", "bound", sometimes_required),
    ("comes-from", "source", comes_from),
    ("allowed-values", "bound", allowed_values),
    ("sorts", "bound", sorts),
    ("observed-values", "example", observed_values),
    ("default", "bound", default),
    ("clamps", "trap", clamps),
    ("type", "bound", type_name),
    ("range", "bound", number_range),
    ("length", "bound", length),
    ("pattern", "bound", pattern),
    ("characters", "bound", characters),
    ("partners", "trap", partners),
    ("format", "bound", text_format),
    ("unknown-values", "trap", unknown_values),
    ("status", "undeclared", refusal),
    ("nullable", "undeclared", nullable),
    ("", "example", example),
)
"""The kind of fact that each sentence rests on ("" for one that rests on calls alone) and its class."""
