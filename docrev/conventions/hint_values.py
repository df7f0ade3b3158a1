"""Values that satisfy hints: what was sent, changed as little as the hints allow."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise

from docrev.conventions.error_claims import Hint
from docrev.conventions.examples import fit_type
from docrev.conventions.format_values import formatted
from docrev.conventions.run_names import is_made_up
from docrev.json_values.containers import mapping
from docrev.json_values.scalars import is_number, same_scalar
from docrev.language.patterns import matching
from docrev.records import Json
from docrev.spec import Schema

_ASCII = "".join(map(chr, range(32, 127)))
_SUBSTITUTES = "-_. x0"
"""What stands for a character that is not allowed, the first that is allowed."""
_MAX_LENGTH = 5000
_MAX_PATTERN = 300


@dataclass(frozen=True)
class _Rules:
    """What hints say on one value, by kind; several patterns and classes must all be met."""

    hints: Sequence[Hint]
    schema: Schema | None
    values: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for hint in self.hints:
            self.values.setdefault(hint.kind, []).extend(hint.values)

    def first(self, kind: str) -> str:
        """The first value of the hints of a kind; "" if there is none."""
        return next(iter(self.values.get(kind, ())), "")

    @cached_property
    def types(self) -> list[str]:
        """The types that are required, or else the type of the schema."""
        stated = self.values.get("type", [])
        return stated or ([self.schema.type] if self.schema is not None and self.schema.type else [])

    @cached_property
    def allowed(self) -> str:
        """The characters that a text may have, of ASCII."""
        return _allowed_of_ascii(
            tuple(self.values.get("characters", ())), tuple(self.values.get("forbidden-characters", ()))
        )

    def number(self, kind: str) -> float | None:
        """The tightest bound of a kind."""
        found = [float(value) for value in self.values.get(kind, ())]
        return (max(found) if "min" in kind else min(found)) if found else None


@lru_cache(maxsize=1024)
def _allowed_of_ascii(classes: tuple[str, ...], forbidden: tuple[str, ...]) -> str:
    """The characters of ASCII that are in each of some classes (`[a-z]`), and in none of those forbidden."""
    within, without = [re.compile(text) for text in classes], [re.compile(text) for text in forbidden]
    return "".join(
        char
        for char in _ASCII
        if all(one.fullmatch(char) for one in within) and not any(one.fullmatch(char) for one in without)
    )


def value_for(hints: Sequence[Hint], given: object, schema: Schema | None = None) -> Json:
    """`given` changed so that it satisfies the hints, all on this one value; None if no such value is found.

    The same hints and value give the same result. A schema tells the type where the hints do not.
    """
    rules = _Rules(hints, schema)
    try:
        changed = _changed(rules, given)
    except (re.error, ValueError, OverflowError):
        return None
    return changed if changed is not None and _satisfies(rules, changed) else None


def _changed(rules: _Rules, given: object) -> Json:
    if choices := rules.values.get("allowed-values"):
        return _choice(rules, choices, given)
    value = _typed(rules, given)
    if form := rules.first("format"):
        value = formatted(form, value)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return _within(rules, value)
    if isinstance(value, list):
        return _sized(rules, value)
    return _text(rules, value) if isinstance(value, str) else value


def _choice(rules: _Rules, choices: Sequence[str], given: Json) -> Json:
    """The allowed value that is what was given, or else the first, as the type that is required."""
    chosen = next((choice for choice in choices if same_scalar(choice, given)), choices[0])
    wanted = rules.types[0] if rules.types else None
    if wanted is None and is_number(given):
        wanted = "number" if "." in chosen else "integer"
    if wanted == "boolean":
        return {"true": True, "false": False}.get(chosen.lower())
    fitting = fit_type(chosen, wanted)
    return chosen if fitting is None else fitting


def _typed(rules: _Rules, given: object) -> Json:
    """What was given as the first of the types that it can be made to."""
    for wanted in rules.types:
        if (value := _MAKERS.get(wanted, lambda value: value)(given)) is not None:
            return value
    return given


def _as_integer(value: object) -> Json:
    whole = fit_type(value, "integer")
    if whole is None and isinstance(value, float):
        return int(value)
    digits = re.search(r"-?\d{1,15}", str(value)) if whole is None else None
    return int(digits.group()) if digits else 1 if whole is None else whole


def _as_number(value: object) -> Json:
    number = fit_type(value, "number")
    return _as_integer(value) if number is None else value if isinstance(value, int | float) else number


def _as_boolean(value: object) -> Json:
    return value if isinstance(value, bool) else str(value).lower() not in ("false", "0", "no", "off")


def _as_text(value: object) -> Json:
    if isinstance(value, str):
        return value
    return "docrev" if value is None else json.dumps(value)


def _as_array(value: object) -> Json:
    return value if isinstance(value, list) else [] if value is None else [value]


_MAKERS: dict[str, Callable[[Json], Json]] = {
    "integer": _as_integer,
    "number": _as_number,
    "boolean": _as_boolean,
    "string": _as_text,
    "array": _as_array,
    "object": mapping,
}


def _within(rules: _Rules, value: float) -> Json:
    """A number within the bounds: the one given, the nearest bound, or the next number beyond an excluded one."""
    low, high = rules.number("minimum"), rules.number("maximum")
    value = _beyond_excluded(rules, value)
    value = max(value, low) if low is not None else value
    value = min(value, high) if high is not None else value
    if step := rules.number("multiple-of"):
        value = value if value % step == 0 else (value // step + (0 if high is not None else 1)) * step
    whole = rules.types[:1] == ["integer"] or float(value).is_integer()
    return int(value) if whole else value


def _beyond_excluded(rules: _Rules, value: float) -> float:
    """A number within the excluded bounds: the one given, the next number beyond a bound, or the middle of both."""
    above, below = rules.number("exclusive-minimum"), rules.number("exclusive-maximum")
    if above is not None and value <= above:
        value = above + 1 if below is None or above + 1 < below else (above + below) / 2
    if below is not None and value >= below:
        value = below - 1 if above is None or below - 1 > above else (above + below) / 2
    return value


def _sized(rules: _Rules, items: list[Json]) -> Json:
    """An array of a number of items: its own ones again if it has too few, the first if it has too many."""
    if "unique-items" in rules.values:
        items = [item for index, item in enumerate(items) if item not in items[:index]]
    low, high = rules.number("min-items"), rules.number("max-items")
    if low is not None and items and len(items) < low <= _MAX_LENGTH:
        items = [items[index % len(items)] for index in range(int(low))]
    return items[: int(high)] if high is not None else items


def _text(rules: _Rules, text: str) -> Json:
    """A text of allowed characters, with its prefix and suffix, of the length that is wanted, matching the patterns."""
    fitted = next((fit for fit in _variants(rules, text) if _satisfies(rules, fit)), None)
    if fitted is not None:
        return fitted
    for pattern in rules.values.get("pattern", ()):
        made = matching(pattern, lambda most: 0) if len(pattern) <= _MAX_PATTERN else None
        if made is not None and _satisfies(rules, made):
            return made
    return None


def _variants(rules: _Rules, text: str) -> Iterator[str]:
    """The text, then what differs from it more and more; each within the rules but perhaps for the patterns."""
    if _satisfies(rules, text):
        yield text
    joined = (re.sub(r"[\s\-_.]+", joint, text) for joint in ("-", "_", ".", ""))
    for variant in dict.fromkeys((text, *joined) if "pattern" in rules.values else (text,)):
        for case in (str, str.lower, str.upper):
            yield _fitted(rules, case(variant))


def _fitted(rules: _Rules, text: str) -> str:
    """The text with the characters, the ends and the length that the rules want."""
    prefix, suffix = rules.first("prefix"), rules.first("suffix")
    inner = text.removeprefix(prefix).removesuffix(suffix) if prefix or suffix else text
    inner = _of_allowed(inner, rules.allowed)
    inner = _ended(rules, inner)
    low = int(rules.number("min-length") or 0) - len(prefix) - len(suffix)
    high = int(rules.number("max-length") or _MAX_LENGTH) - len(prefix) - len(suffix)
    if len(inner) < low <= _MAX_LENGTH:
        inner += _padding(rules) * (low - len(inner))
    if len(inner) > high:
        # The end tells names of one run apart.
        tail = re.search(r"\d{0,6}$", inner)
        end = tail.group()[-high:] if tail and high else ""
        inner = _ended(rules, inner[: high - len(end)] + end)
    return prefix + inner + suffix


def _of_allowed(text: str, allowed: str) -> str:
    """The text with what stands for characters that are not allowed, or without them if a name of the run would be no
    such name with them."""
    replaced = "".join(_allowed(char, allowed) for char in text)
    if is_made_up(text) and not is_made_up(replaced):
        return "".join(char for char in text if char in allowed)
    return replaced


def _allowed(char: str, allowed: str) -> str:
    """The character itself, in the other case, or what stands for it."""
    for other in (char, char.lower(), char.upper()):
        if other in allowed:
            return other
    return next((other for other in _SUBSTITUTES if other in allowed), "")


def _padding(rules: _Rules) -> str:
    last = rules.first("last-character")
    fitting = (
        char for char in "x0" + rules.allowed if char in rules.allowed and (not last or re.fullmatch(last, char))
    )
    return next(fitting, "x")


def _ended(rules: _Rules, text: str) -> str:
    """The text without what may not stand at its ends."""
    first, last = rules.first("first-character"), rules.first("last-character")
    while text and last and not re.fullmatch(last, text[-1]):
        text = text[:-1]
    if not first or (text and re.fullmatch(first, text[0])):
        return text
    stripped = text.lstrip("-_. /")
    if stripped and re.fullmatch(first, stripped[0]):
        return stripped
    return next((char for char in "dx0D" if char in rules.allowed and re.fullmatch(first, char)), "") + text


def _satisfies(rules: _Rules, value: object) -> bool:
    """Whether a value meets every rule that can be checked."""
    if isinstance(value, str):
        return _satisfies_as_text(rules, value)
    if isinstance(value, list):
        return _is_between(len(value), rules.number("min-items"), rules.number("max-items"))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    above, below = rules.number("exclusive-minimum"), rules.number("exclusive-maximum")
    inside = (above is None or value > above) and (below is None or value < below)
    step = rules.number("multiple-of")
    bounded = _is_between(value, rules.number("minimum"), rules.number("maximum"))
    return inside and bounded and (not step or value % step == 0)


def _satisfies_as_text(rules: _Rules, text: str) -> bool:
    prefix, suffix = rules.first("prefix"), rules.first("suffix")
    inner = text.removeprefix(prefix).removesuffix(suffix) if prefix or suffix else text
    patterns = [pattern for pattern in rules.values.get("pattern", ()) if len(pattern) <= _MAX_PATTERN]
    return (
        text.startswith(prefix)
        and text.endswith(suffix)
        and _has_allowed_characters(rules, inner)
        and _is_between(len(text), rules.number("min-length"), rules.number("max-length"))
        and all(re.search(pattern, text) for pattern in patterns)
    )


def _has_allowed_characters(rules: _Rules, text: str) -> bool:
    """Whether a text without its prefix and suffix has the characters, and those at its ends, that it may have."""
    ends = zip(("first-character", "last-character"), (text[:1], text[-1:]), strict=True)
    return all(char in rules.allowed or not char.isascii() for char in text) and all(
        not rules.first(kind) or re.fullmatch(rules.first(kind), char) for kind, char in ends
    )


def _is_between(value: float, low: float | None, high: float | None) -> bool:
    ends = [end for end in (low, value, high) if end is not None]
    return all(one <= other for one, other in pairwise(ends))
