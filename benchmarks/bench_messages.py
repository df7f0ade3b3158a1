"""Error messages that were collected apart from the reader: how many it reads right, and what it reads differently."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import yaml
from table import Row, render

from docrev.conventions.error_claims import VALUE_KINDS, Hint
from docrev.conventions.error_hints import read_hints
from docrev.conventions.hint_values import value_for
from docrev.conventions.sent_values import Sent
from docrev.records import Arguments, Json

TABLES = Path(__file__).resolve().parents[1] / "tests" / "conventions"
READ, DIFFERING = 0.70, 0.03
"""What part of the messages is wanted to be read right, and at most to have a hint that differs."""


def main() -> str:
    names = "collected unseen third fourth fifth sixth seventh eighth ninth tenth".split()
    names += "eleventh twelfth thirteenth fourteenth fifteenth sixteenth".split()
    tables = {name: _table(f"{name}_messages") for name in names}
    collected, unseen, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, *later = tables.values()
    twelfth, thirteenth, fourteenth, fifteenth, sixteenth = later
    aside, studied = halves(unseen)
    third_aside, third_studied = halves(third)
    return "\n\n".join(
        _measured(title, cases)
        for title, cases in [
            ("Error messages that were collected apart from the reader", collected),
            ("A second table, read once before anything was mended", unseen),
            ("The half of it that was looked at", studied),
            ("The half of it that was set aside", aside),
            ("A third table, read once by a reader that was finished", third),
            ("The half of it that was looked at then", third_studied),
            ("The half of it that was set aside then", third_aside),
            ("A fourth table", fourth),
            ("Every second message of it, from the first on: the reader was mended with these", fourth[::2]),
            ("The others, only counted", fourth[1::2]),
            ("A fifth table", fifth),
            ("Every second message of it, from the first on: the reader was mended with these, too", fifth[::2]),
            ("The others of it, only counted", fifth[1::2]),
            ("A sixth table", sixth),
            ("Every second message of the sixth, from the first on: the reader was mended with these", sixth[::2]),
            ("The others of the sixth, only counted until the seventh was opened", sixth[1::2]),
            ("A seventh table", seventh),
            ("Every second message of the seventh, from the first on: the reader was mended with these", seventh[::2]),
            ("The others of the seventh, only counted", seventh[1::2]),
            ("An eighth table: the reader was mended with it", eighth),
            ("A ninth table: the reader was mended with some of it", ninth),
            ("A tenth table, of services and libraries that the others have little of", tenth),
            ("Every second message of the tenth, from the first on: the reader was mended with these", tenth[::2]),
            ("The others of the tenth, only counted", tenth[1::2]),
            ("An eleventh table, of frameworks", eleventh),
            ("Every second framework of it: the reader was mended with these", of_every_second_source(eleventh, 0)),
            ("The other frameworks of the eleventh, only counted", of_every_second_source(eleventh, 1)),
            ("A twelfth table, of servers that mostly write plain sentences", twelfth),
            ("Every second message of the twelfth, from the first on: the reader was mended with these", twelfth[::2]),
            ("The others of the twelfth, only counted", twelfth[1::2]),
            ("A thirteenth table, of further constructs of frameworks and of further servers", thirteenth),
            ("Every second message of the thirteenth: the reader was mended with these", thirteenth[::2]),
            ("The others of the thirteenth, only counted", thirteenth[1::2]),
            ("A fourteenth table, half of servers and half of frameworks that the others do not have", fourteenth),
            ("Every second message of the fourteenth: the reader was mended with these", fourteenth[::2]),
            ("The others of the fourteenth, only counted", fourteenth[1::2]),
            ("A fifteenth table, half of servers and half of frameworks that the others do not have", fifteenth),
            ("Every second message of the fifteenth: the reader was mended with these", fifteenth[::2]),
            ("The others of the fifteenth, only counted", fifteenth[1::2]),
            ("A sixteenth table, of the formats that most services use", sixteenth),
            ("Every second message of the sixteenth: the reader was mended with these", sixteenth[::2]),
            ("The others of the sixteenth, only counted", sixteenth[1::2]),
        ]
    )


def halves(cases: list[Json]) -> tuple[list[Json], list[Json]]:
    """The half of a table that is set aside while the reader is mended, and the other one."""
    aside = set(random.Random(7).sample(range(len(cases)), len(cases) // 2))
    return [case for n, case in enumerate(cases) if n in aside], [c for n, c in enumerate(cases) if n not in aside]


def of_every_second_source(cases: list[Json], first: int) -> list[Json]:
    """The messages of every second source of a table: what is mended with one framework is counted with another."""
    sources = [*dict.fromkeys(case["source"] for case in cases)][first::2]
    return [case for case in cases if case["source"] in sources]


def judged(case: dict[str, Any]) -> tuple[list[Hint], list[Json], list[Hint]]:
    """What a message is read as, what is missed in it, and which of the hints differ from all that is true of it."""
    headers = {str(name): str(value) for name, value in (case["headers"] or {}).items()}
    reported, meant = read_hints(case["status"], headers, case["body"], arguments(case["sent"])), case["means"] or []
    missed = [truth for truth in meant if not any(is_same(truth, hint) for hint in reported)]
    true = [*meant, *case.get("also", [])]
    return reported, missed, [hint for hint in reported if not any(is_same(truth, hint) for truth in true)]


def arguments(sent: str) -> Arguments:
    """What was sent, as a call has it: from `POST /pets?page=0 {"name": "a", ...}`; what cannot be read is left out."""
    target, _, body = sent.partition(" {")
    url, form = [*target.split(" "), "", ""][1:3]
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query or url) + parse_qsl(form)
    found: dict[str, Json] = {"path:": parts.path.split("/"), **{f"query:{name}": value for name, value in pairs}}
    try:
        return {**found, "body:": yaml.safe_load("{" + body.replace(", ...", "").replace("...", ""))} if body else found
    except yaml.YAMLError:
        return found


def _table(name: str) -> list[Json]:
    cases: list[Json] = yaml.safe_load((TABLES / f"{name}.yaml").read_text(encoding="utf-8"))
    return cases


def _measured(title: str, cases: list[Json]) -> str:
    outcomes: Counter[str] = Counter()
    hints: Counter[str] = Counter()
    for case in cases:
        reported, missed, differing = judged(case)
        meant = case["means"] or []
        outcomes[_outcome(reported, missed, differing)] += 1
        outcomes["as good"] += not differing and all(_is_met(truth, reported, case) for truth in missed)
        outcomes["otherwise"] += bool(missed and not differing and _is_in_other_words(case, reported, missed))
        hints.update(expected=len(meant), found=len(meant) - len(missed))
        hints.update(reported=len(reported), differing=len(differing))
    right, wrong = outcomes["right"] / len(cases), outcomes["differing"] / len(cases)
    rows = [
        Row("messages", str(len(cases))),
        Row("read right", _of(outcomes["right"], right), f">= {READ:.0%}", right >= READ),
        Row("right, or so that a caller does the same", _of(outcomes["as good"], outcomes["as good"] / len(cases))),
        Row("read in part", str(outcomes["in part"])),
        Row("of these, all in other words that the table allows", str(outcomes["otherwise"])),
        Row("silent", str(outcomes["silent"])),
        Row("with a hint that differs", _of(outcomes["differing"], wrong), f"<= {DIFFERING:.0%}", wrong <= DIFFERING),
        Row("hints expected", str(hints["expected"])),
        Row("hints found", _of(hints["found"], hints["found"] / hints["expected"])),
        Row("hints reported", str(hints["reported"])),
        Row("hints that differ", _of(hints["differing"], hints["differing"] / hints["reported"])),
    ]
    return render(title, rows)


def _is_in_other_words(case: dict[str, Any], reported: list[Hint], missed: list[Json]) -> bool:
    """Whether as many hints as are missed are given as the table says that they may be given, too."""
    other = [truth for truth in case.get("also", []) if any(is_same(truth, hint) for hint in reported)]
    return len(other) >= len(missed)


def _is_met(truth: dict[str, Any], reported: list[Hint], case: dict[str, Any]) -> bool:
    """Whether a hint that the table allows makes a caller do what the one that is meant would make it do.

    Of the same name, both make the same value of the one that was sent; of what was not found, more is told.
    """
    meant = Hint(truth["kind"], truth["place"], truth["pointer"], tuple(map(str, truth["values"] or [])), "")
    return any(_name(hint.pointer) == _name(meant.pointer) and _acts_alike(meant, hint, case) for hint in reported)


def _acts_alike(meant: Hint, hint: Hint, case: dict[str, Any]) -> bool:
    if meant.kind == hint.kind == "not-found":
        return set(meant.values) <= set(hint.values)
    if not {meant.kind, hint.kind} <= VALUE_KINDS:
        return False
    value = Sent(arguments(case["sent"])).value_of(hint)
    wanted = None if value is None else value_for([meant], value)
    return wanted is not None and wanted == value_for([hint], value)


def _of(count: int, part: float) -> str:
    return f"{count} ({part:.0%})"


def _outcome(reported: list[Hint], missed: list[Json], differing: list[Hint]) -> str:
    if differing:
        return "differing"
    if not missed:
        return "right"
    return "in part" if reported else "silent"


def is_same(truth: dict[str, Any], hint: Hint) -> bool:
    """Whether a hint is what a message means: the kind, the name, the values, and the place where both tell it."""
    if truth["kind"] != hint.kind or (truth["place"] and hint.place and truth["place"] != hint.place):
        return False
    if _name(truth["pointer"]) != _name(hint.pointer):
        return False
    return {_value(hint.kind, value) for value in truth["values"] or []} == {
        _value(hint.kind, value) for value in hint.values
    }


def _name(pointer: str) -> str:
    return next((key.lower() for key in reversed(pointer.split("/")) if key and not key.isdecimal()), "")


def _value(kind: str, value: Json) -> str | frozenset[str]:
    """A value as it is compared: numbers by their value, classes of characters by what stands in them."""
    text = str(value).lower() if isinstance(value, bool) or value in ("True", "False") else str(value)
    if "char" in kind and text.startswith("["):
        return frozenset(text)
    try:
        return repr(float(text))
    except ValueError:
        # JavaScript writes a pattern between slashes.
        return text.strip("/") if text.lstrip("/").startswith("^") else text
