"""Facts on what is written: bodies and how they are wrapped, what is created and where it is read, what must be first.

Each is shown by calls that differ in one thing: with a property and without it, with a parent and without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from docrev.calls.routes import Routes, encoded
from docrev.conventions.error_messages import read_statements
from docrev.facts.observations import Observations, body_pointers, made_up, main_list
from docrev.json_values.leaves import MAX_ITEMS, values_at
from docrev.records import Call, Fact, JournalItem, Json, OperationKey

MAX_NAMED = 8
MAX_PAIRS = 4
_NOT_VALID = (400, 422)
_NO_BODY = (400, 411, 415, 422)
_NOT_THERE = (403, 404, 409, 410)
_PARAMETER = re.compile(r"\{([^{}]+)\}")

Seen = Mapping[OperationKey, Observations]


@dataclass(frozen=True)
class Made:
    """Something that the run created: its item, the call that made it, and where its answer tells its id.

    `shape` is the path of its kind with the parameters' names forgotten: `/buckets/{}`.
    """

    item: JournalItem
    call: Call
    field: str
    shape: str

    @property
    def id(self) -> str:
        return str(next(reversed(self.item.arguments.values())))


def creations(seen: Seen, journal: Iterable[JournalItem], routes: Routes) -> list[Made]:
    """What the journal says was created by a call that answered, in the order of the journal."""
    calls = {call.id: call for one in seen.values() for call in one.good}
    found = []
    for item in journal:
        call = calls.get(item.call)
        shape = _shape(item, routes)
        if call is None or not item.confirmed or not item.arguments or shape is None:
            continue
        # What a batch created was created by what it carried.
        if call.key.method not in ("POST", "PUT") or call.key.path.count("/") not in (n := shape.count("/"), n - 1):
            continue
        place = _place_of(call.body, str(next(reversed(item.arguments.values()))))
        found.append(Made(item, call, f"{call.status}:{place}" if place else "", shape))
    return found


def _shape(item: JournalItem, routes: Routes) -> str | None:
    """The path of an item's kind, as whatever operation on it has it."""
    for method in ("GET", "DELETE", "PUT", "PATCH"):
        found = routes.resolve(item.tool, method, item.path)
        if found is not None:
            return _PARAMETER.sub("{}", found[0].path)
    return None


def _place_of(body: Json, id: str, pointer: str = "", depth: int = 3) -> str:
    """Where an answer holds an id: nearest to the top, a field called like an id first; "" where it does not."""
    if not isinstance(body, dict) or not depth:
        return ""
    here = [name for name, value in body.items() if not isinstance(value, bool) and str(value) == id]
    if here:
        return f"{pointer}/{min(here, key=lambda name: 'id' not in name.lower())}"
    inner = (_place_of(value, id, f"{pointer}/{name}", depth - 1) for name, value in body.items())
    return next((place for place in inner if place), "")


# What is created


def creates(seen: Seen, made: list[Made]) -> Iterator[Fact]:
    """What a POST creates, and what a PUT creates or replaces, with the operation that reads it."""
    groups: dict[tuple[OperationKey, OperationKey, str], list[tuple[str, str]]] = {}
    for one in made:
        reading = _reading(seen, one)
        if reading is not None:
            field = one.field if one.call.key.method == "POST" else ""
            groups.setdefault((one.call.key, reading.key, field), []).append((one.call.id, reading.id))
    told: set[OperationKey] = set()
    # An operation of one item says more than a list in which it is.
    order = sorted(groups.items(), key=lambda entry: (entry[0][0], not entry[0][1].path.endswith("}"), entry[0]))
    for (key, reader, field), pairs in order:
        if key in told or len(pairs) < 2:
            continue
        ids = tuple(id for pair in pairs[:MAX_PAIRS] for id in pair)
        if key.method == "PUT":
            if _replaces(seen[key], made):
                told.add(key)
                yield Fact(key, "creates", "", {"operation": str(reader), "replaces": True}, ids)
        elif field:
            told.add(key)
            yield Fact(key, "creates", "", {"operation": str(reader), "field": field}, ids)


def _reading(seen: Seen, made: Made) -> Call | None:
    """A GET that showed what was created: of the item itself, or of the list that it lies in."""
    path = made.item.path
    for key, one in seen.items():
        if key.tool != made.item.tool or key.method != "GET":
            continue
        if key.path.endswith("}") and key.path.count("/") == path.count("/"):
            found = next((call for call in one.good if _is_at(call, made)), None)
            if found is not None:
                return found
    for key, one in seen.items():
        if key.tool == made.item.tool and key.method == "GET" and key.path.count("/") == path.count("/") - 1:
            above = path.rpartition("/")[0]
            found = next((call for call in one.good if _filled(call) == above and _lists(call, made)), None)
            if found is not None:
                return found
    return None


def _is_at(call: Call, made: Made) -> bool:
    return _filled(call) == made.item.path and _place_of(call.body, made.id) != ""


def _lists(call: Call, made: Made) -> bool:
    pointer = main_list(call.body)
    items = values_at(call.body, f"{pointer}/0") if pointer is not None else []
    return any(item == made.id or _place_of(item, made.id, depth=1) for item in items[:MAX_ITEMS])


def _filled(call: Call, end: int | None = None) -> str:
    """The concrete path of a call, or its beginning up to a place in the template."""
    return _PARAMETER.sub(lambda match: encoded(call.arguments.get(f"path:{match.group(1)}", "")), call.key.path[:end])


def _replaces(seen: Observations, made: list[Made]) -> bool:
    """Whether a PUT was also answered 2xx on something that was there already, twice."""
    creating = {one.call.id for one in made}
    there = {_filled(call) for call in seen.good if call.id in creating}
    again = [call for call in seen.good if call.id not in creating and _filled(call) in there]
    return len(again) >= 2


# What must be first


def needs_first(seen: Seen, made: list[Made]) -> Iterator[Fact]:
    """Operations that are refused where what they lie under, or are about, was not created before."""
    makers: dict[tuple[str, str], set[OperationKey]] = {}
    known: dict[tuple[str, str], set[str]] = {}
    for one in made:
        shape = one.item.tool, one.shape
        makers.setdefault(shape, set()).add(one.call.key)
        known.setdefault(shape, set()).add(one.item.path)
    for key, observed in seen.items():
        names = _PARAMETER.findall(key.path)
        for index in range(len(names)):
            head = key.path[: _end(key.path, index)]
            shape = key.tool, _PARAMETER.sub("{}", head)
            # What creates the items itself, under ids that the caller chooses, needs none of them.
            if shape in makers and key not in makers[shape]:
                maker = min(makers[shape], key=lambda maker: (maker.method != "PUT", maker))
                yield from _needs(observed, index, maker, known[shape])


def _needs(seen: Observations, index: int, maker: OperationKey, known: set[str]) -> Iterator[Fact]:
    names = _PARAMETER.findall(seen.key.path)
    upper = [f"path:{name}" for name in names[:index]]
    name = f"path:{names[index]}"
    worked = [call for call in seen.good if _head(call, index) in known]
    accepted = {str(call.arguments.get(name)) for call in seen.good}
    parents = {tuple(str(call.arguments.get(one)) for one in upper) for call in worked}
    missing = [
        call
        for call in seen.with_status(*_NOT_THERE)
        if made_up(call.arguments.get(name))
        and str(call.arguments.get(name)) not in accepted
        and _head(call, index) not in known
        if tuple(str(call.arguments.get(one)) for one in upper) in parents
    ]
    wanted = 1 if seen.key.method == "GET" else 2
    statuses = {call.status for call in missing}
    if len(statuses) == 1 and len(missing) >= wanted and len(worked) >= wanted:
        value = {"operation": str(maker), "status": missing[0].status}
        yield Fact(seen.key, "needs-first", "", value, tuple(call.id for call in missing[:MAX_NAMED]))


def _end(path: str, index: int) -> int:
    return [match.end() for match in _PARAMETER.finditer(path)][index]


def _head(call: Call, index: int) -> str:
    """The concrete path of a call up to one of its parameters."""
    return _filled(call, _end(call.key.path, index))


# Bodies


def wrapped(seen: Observations) -> Iterator[Fact]:
    """The property that a body must be wrapped in: with it the content came back, without it was refused."""
    good = [call for call in seen.good if isinstance(call.arguments.get("body:"), dict)]
    bare = [call for call in seen.with_status(*_NOT_VALID) if isinstance(call.arguments.get("body:"), dict)]
    for name in sorted({name for call in good for name in call.arguments["body:"]}):
        inside = [call for call in good if _echoed(call, name)]
        names = {inner for call in inside for inner in call.arguments["body:"][name]}
        refused = [
            call
            for call in bare
            if call.arguments["body:"] and set(call.arguments["body:"]) <= names and name not in call.arguments["body:"]
        ]
        accepted = [call for call in good if names & set(call.arguments["body:"])]
        if len(inside) >= 2 and len(refused) >= 2 and not accepted:
            ids = tuple(one.id for pair in zip(inside, refused, strict=False) for one in pair)
            yield Fact(seen.key, "wrapped-in", "body:", name, ids[:MAX_NAMED])


def _echoed(call: Call, name: str) -> bool:
    """Whether what was sent inside a property came back inside the same."""
    sent = call.arguments["body:"].get(name)
    got = call.body.get(name) if isinstance(call.body, dict) else None
    if not isinstance(sent, dict) or not isinstance(got, dict) or not sent:
        return False
    return all(got.get(inner) == value for inner, value in sent.items())


def required(seen: Observations) -> Iterator[Fact]:
    """Body properties without which an otherwise complete body was refused twice, and which no accepted one lacked."""
    good = [(call, body_pointers(call.arguments["body:"])) for call in seen.good if _has_body(call)]
    if len(good) < 2:
        return
    known: dict[str, set[str]] = {}
    for _, members in good:
        for pointer, value in members.items():
            known.setdefault(pointer, set()).add(repr(value))
    refused = [
        (call, body_pointers(call.arguments["body:"])) for call in seen.with_status(*_NOT_VALID) if _has_body(call)
    ]
    for pointer in sorted(known):
        parent = pointer.rpartition("/")[0]
        within = [members for _, members in good if not parent or parent in members]
        if not all(pointer in members for members in within) or len(within) < 2:
            continue
        lacking = [(call, members) for call, members in refused if _lacks_only(members, pointer, known, good)]
        # One of two may be needed: where either was sent, it must have been refused without this one.
        beside = {place for place in known if place.rpartition("/")[0] == parent and place != pointer}
        covered = {place for _, members in lacking for place in members}
        named = len(lacking) >= 2 and all(_says_required(call, pointer) for call, _ in lacking)
        if len(lacking) >= 2 and (named or all(place in covered or _invented(place) for place in beside)):
            ids = tuple(call.id for call, _ in lacking[:MAX_NAMED])
            yield Fact(seen.key, "required", f"body:{pointer}", True, ids)


def _says_required(call: Call, pointer: str) -> bool:
    """Whether a refusal says of the very property that it is missing, and of no other."""
    said = {statement.name for statement in read_statements(call.body) if statement.kind == "required"}
    return said == {pointer.rpartition("/")[2]}


def body_required(seen: Observations) -> Iterator[Fact]:
    """A body without which a request was refused twice, and which every accepted one had."""
    refused = [call for call in seen.with_status(*_NO_BODY) if "body:" not in call.arguments]
    if len(refused) >= 2 and seen.good and all("body:" in call.arguments for call in seen.good):
        yield Fact(seen.key, "required", "body:", True, tuple(call.id for call in refused[:MAX_NAMED]))


def _invented(pointer: str) -> bool:
    """Whether a property was sent under a name that nobody documents, to see what comes of it."""
    return "docrev" in pointer.rpartition("/")[2]


def _has_body(call: Call) -> bool:
    return isinstance(call.arguments.get("body:"), dict)


def _lacks_only(
    members: dict[str, Json], pointer: str, known: dict[str, set[str]], good: list[tuple[Call, dict[str, Json]]]
) -> bool:
    """Whether a refused body is an accepted one without one property, its values accepted ones."""
    if pointer in members:
        return False
    leaves = {place: value for place, value in members.items() if not isinstance(value, dict)}
    if not all(repr(value) in known.get(place, ()) for place, value in leaves.items()):
        return False
    whole = ({place for place in full if place != pointer and not place.startswith(pointer + "/")} for _, full in good)
    return any(set(members) == rest for rest in whole)
