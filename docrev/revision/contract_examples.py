"""Examples of responses that a corrected type makes false: what was returned stands in their place, or nothing does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping, sequence
from docrev.json_values.leaves import values_at
from docrev.records import Change, Json
from docrev.revision.response_uses import Use
from docrev.spec import Catalog, Place
from docrev.spec.formats.fitted_schemas import of_type


def example_changes(
    changes: Iterable[Change], catalog: Catalog, uses: Mapping[Place, Sequence[Use]]
) -> Iterator[Change]:
    """For each type that is corrected, the values that contradict it in the examples of the responses that have it, and
    that of the schema itself."""
    for change in changes:
        owner, _, name = change.pointer.rpartition("/")
        of_place = uses.get(Place(change.file, owner), ()) if name == "type" and change.before is not None else ()
        if of_place:
            example = mapping(catalog.node(Place(change.file, owner))).get("example")
            yield from _instead(change, Place(change.file, f"{owner}/example"), example, of_place[0])
        for use in of_place:
            place = use[0].operation.place
            for at, example in _examples(catalog, place, use[1]):
                for pointer, value in _values(example, pointers.split(use[2])):
                    yield from _instead(change, Place(place.file, f"{at}{pointer}"), value, use)


def _instead(change: Change, place: Place, value: Json, use: Use) -> Iterator[Change]:
    """What stands in the place of a value that is not of a corrected type: one that was returned, or nothing."""
    observed, _, inside = use
    wanted = {change.after} if isinstance(change.after, str) else {*sequence(change.after)}
    if value is None or _is(value, wanted):
        return
    seen = next((value for call in observed.good for value in values_at(call.body, inside) if _is(value, wanted)), None)
    # A number says enough, and is nobody's; a text may be. A list keeps its items.
    after = seen if isinstance(seen, int | float) else None
    if after is not None or not pointers.last(place.pointer).isdecimal():
        yield replace(change, file=place.file, pointer=place.pointer, before=value, after=after, key=observed.key)


def _examples(catalog: Catalog, place: Place, status: str) -> Iterator[tuple[str, Json]]:
    """The examples of a response, each with where it stands, in OpenAPI 3 and in Swagger 2."""
    at = f"/responses/{pointers.escape(status)}"
    response = mapping(catalog.node(place, at))
    for media, example in mapping(response.get("examples")).items():
        yield f"{place.pointer}{at}/examples{pointers.join(media)}", example
    for media, content in mapping(response.get("content")).items():
        inside = f"{place.pointer}{at}/content{pointers.join(media)}"
        if "example" in mapping(content):
            yield f"{inside}/example", content["example"]
        for name, example in mapping(mapping(content).get("examples")).items():
            if "value" in mapping(example):
                yield f"{inside}/examples{pointers.join(name)}/value", example["value"]


def _values(example: Json, keys: Sequence[str]) -> Iterator[tuple[str, Json]]:
    """The values at some keys of an example, each with its pointer: `0` stands for each item of a list."""
    if not keys:
        yield "", example
    elif isinstance(example, list) and keys[0] == "0":
        for number, item in enumerate(example):
            yield from ((f"/{number}{at}", value) for at, value in _values(item, keys[1:]))
    elif isinstance(example, dict) and keys[0] in example:
        yield from ((f"{pointers.join(keys[0])}{at}", value) for at, value in _values(example[keys[0]], keys[1:]))


def _is(value: Json, types: set[str]) -> bool:
    return any(of_type(value, kind) for kind in types)
