"""Facts on what comes back: nulls, formats, what empty looks like, errors, paging by header, broken, credentials."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import parse_qsl, urlsplit

from docrev.evidence.queries import arguments
from docrev.facts.kinds.format import FORMATS
from docrev.facts.kinds.pages import next_url
from docrev.facts.observations import Observations, main_list
from docrev.facts.samples import Sample
from docrev.facts.shape import Field, shape
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import values_at
from docrev.language.words import words
from docrev.records import Call, Fact, Json, OperationKey

MAX_NAMED = 8
# One value may look like something by chance, unless its field is called so.
_MIN_VALUES = 2
_CERTAIN = ("date-time", "uuid")
_NAMES: Mapping[str, frozenset[str]] = {
    "date": frozenset(["date", "day", "on", "birthday", "since", "until"]),
    "email": frozenset(["email", "mail"]),
    "uri": frozenset(["url", "uri", "href", "link", "next", "prev", "previous"]),
}
_NOT_VALID = (400, 422)
_REFUSALS = (400, 401, 403, 404, 405, 409, 410, 412, 415, 422)
# Of these, 502 to 504 are said by what stands between, and pass.
_BROKEN = (500, 501)


def nullable(sample: Sample) -> Iterator[Fact]:
    """Response fields that were null in some call."""
    for status, shape_of in sample.shapes.items():
        for pointer, place in shape_of.items():
            if place.nulls and pointer:
                shown = _having(sample.by_status[status], pointer, lambda values: None in values)
                yield Fact(sample.key, "nullable", f"{status}:{pointer}", True, shown)


def formats(taken: Iterable[Sample]) -> Iterator[Fact]:
    """Formats of response texts, where no field of that name on the same resource shows another text."""
    found: list[Fact] = []
    other: set[tuple[str, str, str]] = set()
    for sample in taken:
        for status, shape_of in sample.shapes.items():
            for pointer, place in shape_of.items():
                if not pointer or set(place.types) != {"string"}:
                    continue
                name = _format(sample, status, pointer)
                if name is not None:
                    shown = _having(sample.by_status[status], pointer, lambda values: any(values))
                    found.append(Fact(sample.key, "format", f"{status}:{pointer}", name, shown))
                if name is None or not name:
                    other.add(_resource(sample.key, pointer))
    return (fact for fact in found if fact.value and _resource(fact.key, fact.location) not in other)


def _format(sample: Sample, status: int, pointer: str) -> str | None:
    """The format of all texts at a place; "" where they have one that is not certain; None where they have none."""
    texts: dict[str, bool] = {}
    for call in sample.by_status[status]:
        sent = {str(value) for _, value in arguments(call)}
        for value in values_at(call.body, pointer):
            if isinstance(value, str):
                texts[value] = texts.get(value, False) or value not in sent
    for name, pattern in FORMATS.items():
        if texts and all(map(pattern.fullmatch, texts)):
            named = bool(_NAMES.get(name, frozenset()) & set(words(pointer.rpartition("/")[2])))
            # What was sent comes back as it was: it shows nothing on what the service itself would say.
            own = len(texts) if _guarded(sample, pointer, name) else sum(texts.values())
            certain = own >= _MIN_VALUES or (own and (named or name in _CERTAIN))
            return name if certain else ""
    return None


def _guarded(sample: Sample, pointer: str, name: str) -> bool:
    """Whether the operation refused another text where it is sent what comes back here."""
    leaf = pointer.rpartition("/")[2]
    sent = [
        value
        for status in _NOT_VALID
        for call in sample.by_status.get(status, ())
        for place, value in arguments(call)
        if place.partition(":")[2].rpartition("/")[2] == leaf
    ]
    return any(isinstance(value, str) and value and not FORMATS[name].fullmatch(value) for value in sent)


def _resource(key: OperationKey, location: str) -> tuple[str, str, str]:
    """The tool, the collection and the name of a field: the same in a list, in an item, and in what was created."""
    parts = [part for part in key.path.split("/") if part and not part.startswith("{")]
    return key.tool, parts[-1] if parts else "", location.rpartition("/")[2]


def empty(seen: Observations) -> Iterator[Fact]:
    """What a list looks like in which nothing is."""
    if seen.key.method != "GET" or seen.key.path.endswith("}"):
        return
    lists: dict[tuple[int, str], tuple[list[str], list[str]]] = {}
    for call in seen.good:
        pointer = main_list(call.body)
        if pointer is not None and call.status is not None:
            [items] = values_at(call.body, pointer)
            lists.setdefault((call.status, pointer), ([], []))[bool(items)].append(call.id)
    for (status, pointer), (none, some) in sorted(lists.items()):
        if none and some and len(lists) == 1:
            yield Fact(seen.key, "empty", f"{status}:{pointer}", {"status": status}, tuple(none[:MAX_NAMED]))


def errors(seen: Observations) -> Iterator[Fact]:
    """What all refusals with a status are, and their fields, apart from those that are named after what was sent."""
    names = {name for call in seen.calls for place, _ in arguments(call) for name in place.split("/")}
    names |= {name.partition(":")[2] for name in names}
    names -= {"", "0"}
    for status in _REFUSALS:
        calls = seen.with_status(status)
        # What can be repeated is shown again by that; a message on one argument says nothing on the next.
        least = 1 if seen.key.method == "GET" else 2
        if len(calls) < least or not all(isinstance(call.body, dict) for call in calls):
            continue
        yield Fact(seen.key, "type", f"{status}:", "object", _ids(calls))
        if len(calls) > 1 or status not in _NOT_VALID:
            yield from _error_fields(seen.key, status, calls, names)


def _error_fields(key: OperationKey, status: int, calls: list[Call], names: set[str]) -> Iterator[Fact]:
    if len({canonical(sorted(call.body)) for call in calls}) > 1:
        return
    for pointer, place in shape(calls).items():
        if pointer and not names.intersection(pointer.split("/")) and _whole(place, len(calls)):
            location, shown = f"{status}:{pointer}", tuple(place.calls[:MAX_NAMED])
            if not pointer.endswith("/0"):
                yield Fact(key, "field", location, True, shown)
            if place.type is not None and not place.nulls:
                yield Fact(key, "type", location, place.type, shown)


def _whole(place: Field, calls: int) -> bool:
    return place.always and not place.is_map and len(place.calls) >= min(2, calls)


def broken(seen: Observations, *, plain: bool) -> Iterator[Fact]:
    """An operation that fails whatever it is called with; one that is `plain` can only be called in one way."""
    failing = seen.with_status(*_BROKEN) + [call for call in seen.calls if call.error == "not-json"]
    others = [call for call in seen.calls if call not in failing and call.status != 404]
    statuses = {call.status for call in failing}
    if len(failing) >= (1 if plain else 2) and len(statuses) == 1 and statuses <= set(_BROKEN) and not others:
        yield Fact(seen.key, "broken", "", {"status": failing[0].status}, _ids(failing))


def credentials(seen: Observations) -> Iterator[Fact]:
    """An operation that refuses whoever does not say who he is: all calls, or those that left it out on purpose."""
    refused = seen.with_status(401)
    if refused and len(refused) == len(seen.calls):
        yield Fact(seen.key, "needs-credentials", "", {"status": 401}, _ids(refused))
        return
    for status in (401, 403):
        strangers = [call for call in seen.with_status(status) if call.anonymous]
        known = [{k: v for k, v in call.arguments.items() if v is not None} for call in strangers]
        if strangers and any(call.arguments in known for call in seen.good):
            yield Fact(seen.key, "needs-credentials", "", {"status": status}, _ids(strangers))
            return


def header_paging(seen: Observations) -> Iterator[Fact]:
    """A response header that leads to the next page: followed, it showed other items; the last page has none."""
    if seen.key.method != "GET":
        return
    pages = [(call, found) for call in seen.good if (found := next_url(call)) is not None]
    if not pages or len(pages) == len(seen.good):
        return
    places: dict[tuple[int, str, str], list[str]] = {}
    for call, (name, url) in pages:
        pointer = main_list(call.body)
        following = next((other for other in seen.good if _follows(call, url, other)), None)
        if pointer is None or following is None or call.status is None:
            continue
        here, there = (values_at(one.body, pointer) for one in (call, following))
        if here and there and here[0] and there[0] and _disjoint(here[0], there[0]):
            places.setdefault((call.status, name, pointer), []).append(call.id)
    for (status, name, pointer), ids in sorted(places.items()):
        location = f"{status}:header:{name}"
        value = {"by": "cursor", "list": f"{status}:{pointer}", "next": location}
        yield Fact(seen.key, "pages", location, value, tuple(ids[:MAX_NAMED]))


def following(call: Call, url: str) -> dict[str, Json] | None:
    """The arguments with which a call reaches `url`, the next page of its answer; None where that is elsewhere."""
    parts, own = urlsplit(url), urlsplit(call.url)
    if not parts.query or (parts.path and parts.path != own.path):
        return None
    path = {name: value for name, value in call.arguments.items() if name.startswith("path:")}
    query = {f"query:{name}": value for name, value in parse_qsl(parts.query, keep_blank_values=True)}
    # What was sent as a number is one there too.
    same = {name: call.arguments[name] for name in query if str(call.arguments.get(name)) == query[name]}
    return path | query | same


def _follows(call: Call, url: str, other: Call) -> bool:
    wanted = following(call, url)
    texts = {name: str(value) for name, value in other.arguments.items()}
    return wanted is not None and texts == {name: str(value) for name, value in wanted.items()}


def _disjoint(one: list[Json], other: list[Json]) -> bool:
    return {canonical(item) for item in one}.isdisjoint(canonical(item) for item in other)


def _having(calls: Iterable[Call], pointer: str, holds: Callable[[list[Json]], bool]) -> tuple[str, ...]:
    return tuple(call.id for call in calls if holds(values_at(call.body, pointer)))[:MAX_NAMED]


def _ids(calls: Iterable[Call]) -> tuple[str, ...]:
    return tuple(call.id for call in calls)[:MAX_NAMED]


__all__ = [
    "broken",
    "credentials",
    "empty",
    "errors",
    "following",
    "formats",
    "header_paging",
    "nullable",
]
