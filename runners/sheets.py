"""Sheets: the documentation of operations as functions, read from the catalog as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from docrev.conventions.envelopes import NEXTS, TOTALS, plain_name
from docrev.conventions.parameters import STARTS, role_of
from docrev.json_values.pointer import last
from docrev.language.characters import one_line
from docrev.language.documentation_phrases import SOURCE, sentences
from docrev.prompts.agents import FINISH, Argument, ResponseField, Sheet
from docrev.records import Json, OperationKey
from docrev.spec import MISSING, Catalog, Operation, is_restated
from docrev.spec.meaning import Absent
from docrev.spec.schema import Schema, properties_of

from .lessons import Lesson, Lessons

MAX_NAME = 64
MAX_FIELDS = 60
MAX_DEPTH, MAX_SHAPE_DEPTH = 5, 2
MAX_TEXT, MAX_PARAMETER_TEXT, MAX_FIELD_TEXT, MAX_SHAPE = 1024, 400, 100, 400
MAX_HEAD, MAX_PARAGRAPH = 2048, 512
"""What is shown of a whole API stands once in a prompt, so there is room for the rules that hold everywhere."""
MAX_ALLOWED = 40
_SEGMENT = re.compile(r"[^A-Za-z0-9_-]+")
_EXAMPLE = re.compile(r"\s*\bExamples?: `[^`]*`(?:(?:,| and| or) `[^`]*`)*\.?")
_OUT_OF_REACH = re.compile(
    r"\b(?:with(?:out)?|requires?|needs?) credentials\b|\bcredentials are accepted\b|\bresponse headers?\b"
    r"|\bunknown (?:query )?(?:parameters|properties)\b|\berrors are (?:JSON )?objects\b",
    re.IGNORECASE,
)
"""How sentences on a whole API speak of credentials, headers, undeclared parameters, and how errors look."""
_OF_PAGES = "the total number of all items entries across every page, cursor token value or URL for next; null on last"
"""What a total, or what leads to the next page, is expected to be."""
_ENDS = (("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " items"))
_NATURAL = (None, 0, 1)
"""Lower ends that nobody goes below."""
_HUGE, _LONG, _SHORT = 2**31 - 1, 40, 2
"""A number, and the characters of a text, that are bounds of a machine, and no caller's; and the fewest characters of a
text that anybody sends."""


def sheets(
    operations: Sequence[Operation],
    lessons: Lessons | None = None,
    heads: Mapping[str, str] | None = None,
    plain: Mapping[OperationKey, Sheet] | None = None,
) -> tuple[Sheet, ...]:
    """One sheet an operation, in their order.

    `lessons` stand behind the description that does not say them; `heads` are what holds for all operations of a tool.
    Sheets of the same operations without lessons are taken from `plain`.
    """
    names, lessons, heads, plain = function_names(operations), lessons or {}, heads or {}, plain or {}

    def sheet(operation: Operation) -> Sheet:
        taught = _before(lessons.get(operation.key, ()))
        if not taught and operation.key in plain:
            return plain[operation.key]
        return _sheet(operation, names[operation.key], taught, heads.get(operation.tool, ""))

    return tuple(map(sheet, operations))


def _before(lessons: Sequence[Lesson]) -> list[Lesson]:
    return [lesson for lesson in lessons if not lesson.after]


def heads(catalog: Catalog, tools: Iterable[str]) -> dict[str, str]:
    """What the document of each of some tools says of the whole API; of a long text what fits, see `_head`."""
    found = {}
    for tool in tools:
        text = catalog.documents[catalog.files[tool]].get("/info/description", None)
        head = _head(text.strip()) if isinstance(text, str) else ""
        if head:
            found[tool] = f"{tool}: {head}"
    return found


def _head(text: str) -> str:
    """The first paragraph of a text, and as many of the last ones as fit: rules stand behind what presents the API."""
    first, *others = [one_line(_usable(part), MAX_HEAD) for part in re.split(r"\n\s*\n", text)]
    room = MAX_HEAD - sum(map(len, others)) - len(others)
    if len(first) <= room:
        return " ".join(filter(None, [first, *others]))
    first, others[-1:] = one_line(first, MAX_PARAGRAPH), [one_line(part, MAX_PARAGRAPH) for part in others[-1:]]
    while len(" ".join([first, *others])) > MAX_HEAD:
        del others[0]
    return " ".join([first, *others])


def _usable(paragraph: str) -> str:
    """A paragraph without what an agent can do nothing with: it sends what is declared, and is shown bodies."""
    if not _OUT_OF_REACH.search(paragraph):
        return paragraph
    return " ".join(sentence for sentence in sentences(paragraph) if not _OUT_OF_REACH.search(sentence))


def function_names(operations: Sequence[Operation]) -> dict[OperationKey, str]:
    """A name for each operation: its operationId, cut at the end to 64 characters, unique whatever the case.

    Of several with the same name all but the first get their tool in front, or else a number behind.
    """
    taken = {FINISH.lower()}
    names: dict[OperationKey, str] = {}
    for operation in operations:
        base = _clean(operation.name) or "operation"
        names[operation.key] = next(name for name in _names(base, _clean(operation.tool)) if name.lower() not in taken)
        taken.add(names[operation.key].lower())
    return names


def _names(base: str, tool: str) -> Iterator[str]:
    yield base[:MAX_NAME].rstrip("_-")
    yield f"{tool}_{base}"[:MAX_NAME].rstrip("_-")
    for number in range(2, 1_000_000):
        yield f"{base[: MAX_NAME - len(str(number)) - 1]}_{number}"


def _clean(name: str) -> str:
    return _SEGMENT.sub("_", name).strip("_")


def _sheet(operation: Operation, name: str, lessons: Sequence[Lesson], api: str) -> Sheet:
    success = operation.success
    described = one_line(operation.text, MAX_TEXT)
    unsaid = [lesson.text for lesson in lessons if not lesson.location and lesson.text not in described]
    of_arguments = {lesson.location: lesson.text for lesson in lessons if lesson.location}
    return Sheet(
        name=name,
        key=operation.key,
        description=" ".join([_sentence(described), *unsaid]) if unsaid else described,
        parameters=tuple(_taught(one, of_arguments) for one in _named(_parameters(operation))),
        response=success.description if success is not None else "",
        fields=tuple(_fields(success.schema, operation.key.operation))
        if success is not None and success.schema is not None
        else (),
        api=api,
    )


def _taught(argument: Argument, lessons: Mapping[str, str]) -> Argument:
    """The argument with what is to be known of it, unless its description names the same operation."""
    text = lessons.get(argument.location, "")
    source = SOURCE.read(text)
    if source is None or source["operation"] in argument.description:
        return argument
    return argument.model_copy(update={"description": f"{_sentence(argument.description)} {text}".strip()})


def _sentence(text: str) -> str:
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def _parameters(operation: Operation) -> Iterator[Argument]:
    for parameter in operation.parameters:
        if parameter.location != "cookie":
            yield _argument(
                parameter.key,
                parameter.name,
                parameter.schema,
                parameter.required,
                parameter.description,
                parameter.example,
            )
    body = operation.body
    if body is None:
        return
    fields = properties_of(body.schema)
    if body.schema is None or not fields:
        schema = body.schema
        kind = (schema.type if schema is not None else None) or "object"
        example = None if isinstance(body.example, Absent) else body.example
        yield Argument(
            name="body", location="body:", type=kind, required=body.required, description=body.description,
            example=example,
        )  # fmt: skip
        return
    for name, schema in fields.items():
        if not schema.get("readOnly"):
            needed = name in body.schema.required
            yield _argument(f"body:/{name}", name, schema, needed, schema.description, MISSING)


def _argument(location: str, name: str, schema: Schema, required: bool, text: str, example: Json | Absent) -> Argument:
    shown_value = example if not isinstance(example, Absent) else schema.example
    is_natural = schema.default == STARTS.get(role_of(name))
    items = schema.items()
    allowed = schema.enum or (items.enum if items is not None else None) or []
    return Argument(
        name=name,
        location=location,
        type=schema.type or "any",
        required=required,
        description=one_line(text, MAX_PARAMETER_TEXT),
        allowed=tuple(allowed[:MAX_ALLOWED]),
        default=None if isinstance(schema.default, Absent) or is_natural else schema.default,
        example=None if isinstance(shown_value, Absent) else shown_value,
        limits=", ".join(_limits(schema)),
        shape=one_line(_shape(items if items is not None else schema, MAX_SHAPE_DEPTH), MAX_SHAPE),
    )


def _shape(schema: Schema, depth: int) -> str:
    """The fields that can be sent in an object, with those of objects in it: `{name, records: [{content}]}`."""
    if not depth:
        return ""
    parts = [(name, part) for name, part in schema.properties().items() if not part.get("readOnly")]
    fields = [f"{name}{_below(part, depth - 1)}" for name, part in parts[:MAX_ALLOWED]]
    return f"{{{', '.join(fields)}}}" if fields else ""


def _below(schema: Schema, depth: int) -> str:
    items = schema.items()
    shape = _shape(items if items is not None else schema, depth)
    return "" if not shape else f": {shape}" if items is None else f": [{shape}]"


def _limits(schema: Schema) -> Iterator[str]:
    """The format and the bounds of a value, as short as they can be said."""
    if schema.format:
        yield schema.format
    if schema.pattern is not None:
        yield f"pattern {schema.pattern}"
    for lowest, highest, unit in _ENDS:
        low, high = _reached(schema.get(lowest), schema.get(highest), unit)
        if high is not None and low is not None:
            yield f"{low}{unit}" if low == high else f"{low} to {high}{unit}"
        elif high is not None:
            yield f"at most {high}{unit}"
        elif low not in _NATURAL:
            yield f"at least {low}{unit}"


def _reached(low: Any, high: Any, unit: str) -> tuple[Any, Any]:
    """The ends of a range without those that no caller reaches."""
    is_text = unit == " characters"
    if isinstance(high, int | float) and high >= (_LONG if is_text else _HUGE):
        high = None
    if high is None and is_text and isinstance(low, int) and low <= _SHORT:
        low = None
    return low, high


def _named(arguments: Iterable[Argument]) -> Iterator[Argument]:
    """Arguments with a name each: if a path and a query have the same one, the later one says where it goes."""
    taken: set[str] = set()
    for argument in arguments:
        name = argument.name
        if name in taken:
            name = f"{argument.location.partition(':')[0]}_{name}"
        taken.add(name)
        yield argument if name == argument.name else argument.model_copy(update={"name": name})


def _fields(schema: Schema, operation: str) -> list[ResponseField]:
    """The fields of a response in the schema's order; of too many, those that lie highest."""
    fields = [
        ResponseField(
            pointer=pointer,
            type=part.type or "",
            description=one_line(_news(part.description, pointer, operation), MAX_FIELD_TEXT),
        )
        for pointer, part in schema.walk(MAX_DEPTH)
        if pointer and (part.description or part.type not in ("object", "array", None) or not part.properties())
    ]
    kept = {field.pointer for field in sorted(fields, key=lambda field: field.pointer.count("/"))[:MAX_FIELDS]}
    return [field for field in fields if field.pointer in kept]


def _news(text: str, *names: str) -> str:
    """What a response field's text says beyond its names and an example: an answer shows both, a prompt need not."""
    text_left = _EXAMPLE.sub("", text).strip()
    is_of_pages = plain_name(last(names[0])) in TOTALS | NEXTS
    return "" if is_restated(text_left, *names, _OF_PAGES * is_of_pages) else text_left
