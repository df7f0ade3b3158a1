"""Request bodies to try where no error says what to change: one thing more at a time, halves, other choices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta

from docrev.calls.content import content, with_content
from docrev.calls.journal import Journal
from docrev.calls.path_texts import last_segment, noun_of
from docrev.conventions.fields import is_free_text, is_name_field
from docrev.conventions.ids import is_id_name, refers_to
from docrev.conventions.run_names import is_made_up, renumbered
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import last, placed
from docrev.language.path_templates import shape_of
from docrev.language.words import word_set, words
from docrev.records import Arguments, Json
from docrev.spec import Operation, Schema

MAX_SINGLES = 16
MAX_CHOICES = 4
MAX_FORMS = 8
_NAMED = re.compile(r"""[`"']([\w.:/-]{1,40})[`"']|\b([A-Z][A-Z0-9_-]{2,30})\b""")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_FORMED = word_set(
    """
    color colour country cron currency date duration expression format frequency interval language locale pattern query
    regex schedule time timezone tz unit version webhook
    """
)
"""Words of the names of texts that must have a form, which a name of the run has not."""
_ANNOTATIONS = frozenset({"annotations", "attributes", "extra", "labels", "metadata", "properties"})
"""Names of objects for whatever somebody wants to keep with a thing."""
_STRESSED = frozenset({"MUST", "NOT", "SHOULD", "MAY", "SHALL", "REQUIRED", "OPTIONAL", "ONLY", "AND", "JSON", "URL"})
"""Words in capitals that are no values."""


def body_variants(schema: Schema, minimal: Json, full: Json) -> Iterator[Json]:
    """Bodies between the smallest and the fullest; nothing if they are no objects."""
    if not isinstance(minimal, dict) or not isinstance(full, dict):
        return
    properties = schema.properties()
    optional = [name for name in full if name not in minimal]
    # What chooses between forms first.
    optional.sort(key=lambda name: not _limited(properties, [name]))
    for name in optional[:MAX_SINGLES]:
        yield {**minimal, name: _told(properties.get(name), full[name])}
        yield from _choices({**minimal, name: full[name]}, _limited(properties, [name]))
    half = len(optional) // 2
    for names in (optional[:half], optional[half:]) if half else ():
        yield {name: full[name] for name in full if name in minimal or name in names}
    yield from _choices(minimal, _limited(properties, minimal))


def _told(schema: Schema | None, value: Json) -> Json:
    """A value that says something: to switch on what is on unless it is switched off says nothing."""
    return False if schema is not None and value is True and schema.default is True else value


def marked(minimal: Json, full: Json) -> Json:
    """The smallest body, with an optional name, or another text, if it has nothing made up: what it makes can be told
    from others'. Free texts come first, then objects of which nothing is said; what else is a text may have to be one
    of a certain form."""
    if not isinstance(minimal, dict) or not isinstance(full, dict) or _is_named(minimal):
        return minimal
    texts = sorted(
        (name for name, value in full.items() if is_made_up(value) or _is_annotation(name, value)), key=_tells
    )
    return {**minimal, texts[0]: full[texts[0]]} if texts else minimal


def _is_annotation(name: str, value: Json) -> bool:
    """Whether a member takes what anybody wants to keep with a thing, and has something made up."""
    made_up = isinstance(value, dict) and bool(value) and all(map(is_made_up, value.values()))
    return made_up and not _ANNOTATIONS.isdisjoint(words(name)[-1:])


def _tells(name: str) -> int:
    """How little a made-up value of a member says, or may be refused: 0 is best."""
    kinds = (is_name_field(name), is_free_text(name), not _ANNOTATIONS.isdisjoint(words(name)[-1:]))
    return kinds.index(True) if True in kinds else len(kinds) + (not _FORMED.isdisjoint(words(name)))


def emptied(schema: Schema | None, value: Json) -> Json:
    """The value without what was made up in objects of which the schema says nothing: what they take is not known. Nor
    are such objects sent in lists.
    """
    if schema is None:
        return value
    if isinstance(value, list) and (item := schema.items()) is not None:
        return [] if _is_open(item) else [emptied(item, part) for part in value]
    if not isinstance(value, dict):
        return value
    if _is_open(schema):
        return {name: part for name, part in value.items() if not is_made_up(part)}
    properties = schema.properties()
    return {name: emptied(properties.get(name), part) for name, part in value.items()}


def _is_open(schema: Schema) -> bool:
    """Whether a schema is of an object of which it says nothing."""
    return schema.type == "object" and not schema.properties()


def _is_named(body: Json) -> bool:
    """Whether something made up in a body names what it makes; the id of another thing is made up until it is known,
    and what must have a form will be another value once a refusal says which."""
    made_up = [last(pointer) for pointer, value in leaves(body) if is_made_up(value)]
    kept = [name for name in made_up if _FORMED.isdisjoint(words(name)) or is_name_field(name)]
    return any(not is_id_name(name) or len(words(name)) == 1 for name in kept)


def renamed(body: Json, operation: Operation, journal: Journal, number: int, series: str = "") -> Json:
    """A body with new names for what was made up in it, but not for what it refers to of the run's own."""
    kind = noun_of(shape_of(operation.path).removesuffix("/{}"))
    items = [item for item in journal.items if item.tool == operation.tool and not item.deleted]
    there = [(noun_of(item.path.rpartition("/")[0]), last_segment(item.path)) for item in items]

    def refers(name: str, value: Json) -> bool:
        return any(id == value and noun != kind and refers_to(name, noun) for noun, id in there)

    scope = {value for (tool, _), value in journal.routes.scopes.items() if tool == operation.tool}
    fixed = {value for pointer, value in leaves(body) if isinstance(value, str) and refers(last(pointer), value)}
    return renumbered(body, number, series, fixed={*map(str, scope), *fixed})


def renamed_arguments(
    operation: Operation, arguments: Arguments, journal: Journal, number: int, series: str = ""
) -> dict[str, Json]:
    """Arguments with new names in their body, and in a query beside it, which may name what the body describes."""
    said = renamed(content(operation, arguments), operation, journal, number, series)
    queried = {at: value for at, value in arguments.items() if at.startswith("query:")}
    return with_content(operation, {**arguments, **renamed(queried, operation, journal, number, series)}, said)


def days_later(body: Json, days: int) -> Json:
    """A body with its dates and times moved by whole days, so that they keep their distances."""
    for pointer, value in leaves(body):
        if isinstance(value, str) and (found := _DATE.match(value)) is not None:
            with suppress(ValueError, OverflowError):
                moved = date.fromisoformat(found[0]) + timedelta(days=days)
                body = placed(body, pointer, moved.isoformat() + value[found.end() :])
    return body


def _limited(properties: Mapping[str, Schema], names: Iterable[str]) -> dict[str, Schema]:
    """The properties of these names that are limited to some values."""
    return {name: properties[name] for name in names if name in properties and properties[name].enum}


def _choices(body: dict[str, Json], properties: Mapping[str, Schema]) -> Iterator[dict[str, Json]]:
    """The body with each of the other values to which a property is limited."""
    for name, part in properties.items():
        for value in (part.enum or ())[:MAX_CHOICES]:
            if value != body[name]:
                yield {**body, name: value}


def forms(schema: Schema, minimal: Json, example: Callable[[Schema], Json]) -> Iterator[Json]:
    """The body in each form that `oneOf` and `anyOf` leave open, then in each form of each of its properties.

    `minimal` is what all forms have in common, `example` gives a body of one form. A discriminator has its value.
    """
    alternatives = schema.alternatives()[:MAX_FORMS]
    for part in alternatives or [schema]:
        body = example(part) if alternatives else minimal
        if isinstance(body, dict) and isinstance(minimal, dict):
            body = {**minimal, **body, **_discriminator(schema, part)}
        if alternatives:
            yield body
        for name, inner in part.properties().items() if isinstance(body, dict) else ():
            for form in inner.alternatives()[:MAX_FORMS]:
                yield {**body, name: example(form)}


def _discriminator(schema: Schema, part: Schema) -> dict[str, Json]:
    """The property that tells the forms of a schema apart, with its value for one of them (OpenAPI 3)."""
    found = schema.get("discriminator")
    name = found.get("propertyName") if isinstance(found, dict) else found
    if not isinstance(name, str):
        return {}
    called = last(part.place.pointer)
    values = found.get("mapping") if isinstance(found, dict) else None
    named = [value for value, ref in values.items() if str(ref).endswith(called)] if isinstance(values, dict) else []
    return {name: (named or [called])[0]}


def named_in(description: str) -> list[str]:
    """The values that a description names: what stands in quotes or backticks, and words in capitals."""
    found = [next(filter(None, groups)) for groups in _NAMED.findall(description)]
    return list(dict.fromkeys(value for value in found if value not in _STRESSED))[:MAX_CHOICES]
