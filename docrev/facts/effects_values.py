"""What a parameter takes: required, type, format, allowed values, range, length, pattern.

What a message states counts from its second call on, and only where calls bear it out: the bound itself was accepted
and the next value beyond it was not, every allowed value was accepted, an accepted value has the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docrev.facts.effects_trials import Scene, Tried, key_of, number
from docrev.facts.shape import format_of, type_name
from docrev.json_values.pointer import unescape
from docrev.records import Fact, Json

MAX_ALLOWED = 16
"""Allowed values that are tried one by one; a longer list is no fact."""
MAX_PATTERN = 200
_FORMATS = {"date": "date", "date-time": "date-time", "uuid": "uuid", "email": "email", "url": "uri"}
_NUMBERS = ("integer", "number")
_HITS = 2

Accepted = list[tuple[Json, str]]
"""Values that were accepted, each with its call."""


def value_facts(scene: Scene, location: str) -> Iterator[Fact]:
    """The facts on what a parameter, or a property of the body, takes."""
    tried = scene.tried.get(location, [])
    sent = [one for one in tried if one.sent]
    accepted = _accepted(location, sent)
    said = _said(sent)
    yield from _required(scene, location, tried)
    if location.startswith("body:"):
        yield from _body_type(scene, location, sent, accepted, said)
    else:
        yield from _type(scene, location, sent, accepted, said)
    yield from _format(scene, location, accepted, said)
    allowed = next(_allowed(scene, location, accepted, said), None)
    if allowed is not None:
        yield allowed
        if not location.startswith("body:") and all(number(value) is None for value in allowed.value):
            yield Fact(scene.key, "type", location, "string", allowed.calls[:2])
    elif not any(kind == "allowed-values" for kind, _ in said):
        yield from _range(scene, location, sent, accepted, said)
    yield from _length(scene, location, sent, accepted, said)
    yield from _pattern(scene, location, accepted, said)


def _accepted(location: str, sent: Iterable[Tried]) -> Accepted:
    """Each accepted value once: those tried, and what the base calls had there."""
    found: dict[str, tuple[Json, str]] = {}
    for one in sent:
        if one.ok:
            found.setdefault(key_of(one.value), (one.value, one.call.id))
    for one in sent:
        held, value = argument(one.base.arguments, location)
        if held:
            found.setdefault(key_of(value), (value, one.base.id))
    return list(found.values())


def argument(arguments: dict[str, Json], location: str) -> tuple[bool, Json]:
    """Whether arguments have a location, and its value: of a body's property, found by its pointer."""
    if not location.startswith("body:/"):
        return location in arguments, arguments.get(location)
    value = arguments.get("body:")
    for name in location.removeprefix("body:/").split("/"):
        name = unescape(name)
        if not isinstance(value, dict) or name not in value:
            return False, None
        value = value[name]
    return True, value


Said = dict[tuple[str, tuple[str, ...]], list[Tried]]


def _said(sent: Iterable[Tried]) -> Said:
    """What rejections state, each with the trials that were told so."""
    found: Said = {}
    for one in sent:
        for statement in one.said if one.rejected else ():
            trials = found.setdefault((statement.kind, statement.values), [])
            if one not in trials:
                trials.append(one)
    return found


def _heard(said: Said, kind: str) -> Iterator[tuple[tuple[str, ...], list[Tried]]]:
    """The statements of a kind that were heard often enough: a bound once, since what lies beyond it is tried too."""
    least = 1 if kind.startswith(("min", "max")) else _HITS
    for (name, values), trials in said.items():
        if name == kind and len({one.call.id for one in trials}) >= least:
            yield values, trials


def _required(scene: Scene, location: str, tried: Iterable[Tried]) -> Iterator[Fact]:
    for one in tried:
        if not one.sent and one.rejected and argument(one.base.arguments, location)[0]:
            yield Fact(scene.key, "required", location, True, (one.call.id, one.base.id))
            return


def _type(scene: Scene, location: str, sent: list[Tried], accepted: Accepted, said: Said) -> Iterator[Fact]:
    """A number, an integer or a truth value, where what reads as none is rejected."""
    stated = {values[0] for values, _ in _heard(said, "type")}
    texts = [one for one in sent if one.rejected and isinstance(one.value, str) and number(one.value) is None]
    if not texts or any(kind in ("allowed-values", "pattern") for kind, _ in said):
        return
    if any(isinstance(value, str) and number(value) is None for value, _ in accepted if value not in ("true", "false")):
        return
    numbers = [(value, call) for value, call in accepted if number(value) is not None]
    truths = [call for value, call in accepted if value in (True, False, "true", "false")]
    if stated == {"boolean"} and truths:
        yield Fact(scene.key, "type", location, "boolean", (texts[0].call.id, truths[0]))
        return
    if not numbers or (stated and not stated & set(_NUMBERS)) or (not stated and len(numbers) < _HITS):
        return
    parts = [one for one in sent if (value := number(one.value)) is not None and not float(value).is_integer()]
    whole = [call for n, call in sorted((float(number(value) or 0), call) for value, call in numbers) if n.is_integer()]
    kept = [one.call.id for one in parts if one.ok]
    cut = [one.call.id for one in parts if one.rejected and not _bounded(one)]
    if len({one.value for one in texts}) + bool(cut) < _HITS:
        return
    if kept:
        yield Fact(scene.key, "type", location, "number", (texts[0].call.id, kept[0]))
    elif whole and ("integer" in stated or cut):
        yield Fact(scene.key, "type", location, "integer", (texts[0].call.id, whole[0], *cut[:1]))


def _body_type(scene: Scene, location: str, sent: list[Tried], accepted: Accepted, said: Said) -> Iterator[Fact]:
    """The one JSON type of all that was accepted, where something else was rejected: so the property is read."""
    types = {type_name(value): call for value, call in reversed(accepted) if value is not None}
    name = "number" if types.keys() == {"integer", "number"} else next(iter(types)) if len(types) == 1 else ""
    refused = [one for one in sent if one.rejected]
    if name == "integer" and not any(isinstance(one.value, float) and not _bounded(one) for one in refused):
        return
    if name and refused:
        yield Fact(scene.key, "type", location, name, tuple(dict.fromkeys((refused[0].call.id, *types.values()))))


def _bounded(tried: Tried) -> bool:
    """Whether a rejection says that a number is too small or too large."""
    return any("imum" in statement.kind for statement in tried.said)


def _format(scene: Scene, location: str, accepted: Accepted, said: Said) -> Iterator[Fact]:
    for (name, *_), trials in _heard(said, "type"):
        format = _FORMATS.get(name, "")
        shown = [call for value, call in accepted if format_of([value]) == format]
        others = [value for value, _ in accepted if isinstance(value, str) and format_of([value]) != format]
        if format and shown and not others:
            yield Fact(scene.key, "format", location, format, (trials[0].call.id, shown[0]))
            return


def _allowed(scene: Scene, location: str, accepted: Accepted, said: Said) -> Iterator[Fact]:
    known = {key_of(value): call for value, call in accepted}
    for values, trials in _heard(said, "allowed-values"):
        if 2 <= len(values) <= MAX_ALLOWED and known.keys() == set(values):
            calls = dict.fromkeys([trials[0].call.id, *(known[value] for value in values)])
            yield Fact(scene.key, "allowed-values", location, _typed(values), tuple(calls))


def _typed(values: tuple[str, ...]) -> list[Json]:
    """Texts, or integers where all of them are."""
    whole = all(re.fullmatch(r"0|-?[1-9]\d{0,17}", value) for value in values)
    return [int(value) for value in values] if whole else list(values)


def _range(scene: Scene, location: str, sent: list[Tried], accepted: Accepted, said: Said) -> Iterator[Fact]:
    """Bounds that were accepted, with the next whole number beyond them rejected, as was all that is further out."""
    taken = {n: call for value, call in accepted if (n := _number(location, value)) is not None}
    refused = {
        n: one.call.id
        for one in sent
        if one.rejected and (n := _number(location, one.value)) is not None and float(n).is_integer()
    }
    if not taken:
        return
    whole = _whole(location, sent, said)
    value: dict[str, Json] = {}
    calls: list[str] = []
    for name, bound, beyond in (("minimum", min(taken), min(taken) - 1), ("maximum", max(taken), max(taken) + 1)):
        stated = any(float(values[0]) == bound for values, _ in _heard(said, name))
        if beyond in refused and (stated or whole) and float(bound).is_integer():
            value[name] = bound if isinstance(bound, int) else int(bound)
            calls += [taken[bound], refused[beyond]]
    if value:
        yield Fact(scene.key, "range", location, value, tuple(dict.fromkeys(calls)))


def _number(location: str, value: Json) -> float | int | None:
    """The number that is meant: in a body a text is none."""
    return None if location.startswith("body:") and isinstance(value, str) else number(value)


def _whole(location: str, sent: Iterable[Tried], said: Said) -> bool:
    """Whether the parameter is one of whole numbers."""
    parts = [one for one in sent if (n := _number(location, one.value)) is not None and not float(n).is_integer()]
    stated = any(values == ("integer",) for values, _ in _heard(said, "type"))
    return not any(one.ok for one in parts) and (stated or any(one.rejected for one in parts))


def _length(scene: Scene, location: str, sent: list[Tried], accepted: Accepted, said: Said) -> Iterator[Fact]:
    lengths = {len(value): call for value, call in accepted if isinstance(value, str)}
    refused = {len(one.value): one.call.id for one in sent if one.rejected and isinstance(one.value, str)}
    value: dict[str, Json] = {}
    calls: list[str] = []
    for name, kind, step in (("minimum", "min-length", -1), ("maximum", "max-length", 1)):
        for (text, *_), _trials in _heard(said, kind):
            bound = int(float(text))
            beyond = [length for length in lengths if (length - bound) * step > 0]
            if bound in lengths and bound + step in refused and not beyond:
                value[name] = bound
                calls += [lengths[bound], refused[bound + step]]
    if value:
        yield Fact(scene.key, "length", location, value, tuple(dict.fromkeys(calls)))


def _pattern(scene: Scene, location: str, accepted: Accepted, said: Said) -> Iterator[Fact]:
    for (text, *_), trials in _heard(said, "pattern"):
        pattern = _compiled(text)
        texts = [(value, call) for value, call in accepted if isinstance(value, str)]
        if (
            pattern is None
            or not texts
            or any(isinstance(one.value, str) and pattern.search(one.value) for one in trials)
        ):
            continue
        if all(pattern.search(value) for value, _ in texts):
            yield Fact(scene.key, "pattern", location, text, (trials[0].call.id, texts[0][1]))


def _compiled(text: str) -> re.Pattern[str] | None:
    """A pattern that a server stated, where it may be run: short, and without what can take for ever."""
    if len(text) > MAX_PATTERN or re.search(r"[+*}]\)?[+*{]", text):
        return None
    try:
        return re.compile(text)
    except re.error:
        return None
