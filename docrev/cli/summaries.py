"""How explorations and revisions end: their results as text."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from docrev.grouping import grouped
from docrev.language.tables import columns
from docrev.records import Json, OperationKey

if TYPE_CHECKING:
    from docrev.calls.permissions import Permission
    from docrev.sessions.exploration import Exploration
    from docrev.sessions.leftovers import Cleaned

MAX_NAMED = 3
"""Operations that are named for each reason why some were not reached."""


def exploration(explored: Exploration, specs: Sequence[str]) -> str:
    """What an exploration came to, and what was not reached and why."""
    from docrev.evidence.usefulness import listing

    run = explored.summary
    lines = [
        *(["Finished before: nothing was called."] if explored.kept else []),
        f"operations answered   {run['operations_2xx']} of {run['operations']}",
        f"calls                 {run['calls']}, {run['calls_2xx']} answered with 2xx ({run['requests']} requests)",
        f"scenarios             {run['scenarios']}, {run['solved']} solved",
        f"experiences           {run['experiences']}",
        f"facts                 {run['facts']} shown again, {run['facts_dropped']} not",
        f"seconds               {run['seconds']}",
        *_sections(run, listing(explored.folder)),
    ]
    evidence = "" if str(explored.folder) == ".docrev" else f" --evidence {shlex.quote(str(explored.folder))}"
    lines += ["", f"Next: docrev revise {' '.join(map(shlex.quote, specs))}{evidence}"]
    return "\n".join([*lines, *_after_effects(run, listing(explored.folder))])


def _sections(told: Mapping[str, Json], listing: str) -> Iterator[str]:
    """What is printed only if there is any of it, each after an empty line."""
    if told["model"]:
        yield from ["", *model_lines(told["model"], "no more scenarios were begun; a larger one goes on from here")]
    if told["comparison"]:
        yield from ["", *_comparison(told["comparison"])]
    if told["missed"]:
        yield from ["", f"Not reached ({listing} lists each with its last answer):", *_missed(told["missed"])]
    if told["wanted_values"]:
        yield from ["", "What you could tell it:", *_wanted(told["wanted_values"], told["missed"])]
    if told["findings"]:
        yield from ["", "Noticed:", *(f"  {finding}" for finding in told["findings"])]
    if told["budget_spent"]:
        reached = "The budget of requests was reached: some scenarios or probes were left out."
        yield from ["", f"{reached} A larger --max-calls goes on from here."]


def _missed(rows: Sequence[Mapping[str, Json]]) -> Iterator[str]:
    """One line a kind of reason: how many operations, and up to three of them."""
    from docrev.exploration.unreached import MEANINGS

    several = len({row["tool"] for row in rows}) > 1
    for kind, meaning in MEANINGS.items():
        chosen = [row for row in rows if row["kind"] == kind]
        names = [f"{row['tool']} {row['operation']}" if several else row["operation"] for row in chosen]
        if names:
            more = ", …" if len(names) > MAX_NAMED else ""
            yield f"  {meaning}: {len(names)} ({', '.join(names[:MAX_NAMED])}{more})"


def _wanted(rows: Sequence[Mapping[str, Json]], missed: Sequence[Mapping[str, Json]]) -> Iterator[str]:
    """The values, credentials and consents that would open most; of a value also where it belongs, what it is, and
    what was answered to others."""
    from docrev.exploration.wanted_consents import CONSENT
    from docrev.exploration.wanted_credentials import CREDENTIALS

    named = {CREDENTIALS: CREDENTIALS, CONSENT: "your consent"}
    why = {(row["tool"], row["operation"]): row["why"] for row in missed}
    for row in rows:
        location, operation = row["location"], row.get("operation", "")
        count = f"{row['operations']} operation{'' if row['operations'] == 1 else 's'}"
        what = named.get(location, f"a value for {_place(location)} of {operation}")
        yield f"  {what} would open {count}: {row['option']}"
        known = (row.get("meaning"), why.get((row["tool"], operation)))
        if any(known):
            yield f"    {'; '.join(filter(None, known))}"


def _place(location: str) -> str:
    """A location as a person writes it: `{tenant}` in a path, `filter/name` in a body."""
    where, _, name = location.partition(":")
    return {"path": f"{{{name}}}", "body": f"`{name.lstrip('/')}` in the body", "header": f"the header `{name}`"}.get(
        where, f"`{name}`"
    )


def _comparison(rows: Sequence[Mapping[str, Json]]) -> list[str]:
    """The paper's Table 4, with the length over the scenarios that every strategy solved beside it."""
    head = ("strategy", "correct", "length", "common", "tool-calling success", "calls")
    cells = [
        (
            row["strategy"], f"{row['correct']:.1%}", _number(row["length"]), _number(row["common_length"]),
            _share(row["success"]), str(row["calls"]),
        )
        for row in rows
    ]  # fmt: skip
    return columns([head, *cells], right=range(1, len(head)))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def permissions(rows: Sequence[Permission], *, as_json: bool) -> str:
    """How far each operation may be called, and with which option further."""
    if as_json:
        return json.dumps([row.to_json() for row in rows])
    return "\n".join(columns([(str(row.key), _permission(row)) for row in rows]))


def _permission(row: Permission) -> str:
    if row.verdict == "allowed":
        return f"may be called {row.where}".rstrip()
    if row.verdict == "own":
        return f"on things of the run's own: {row.where}"
    if row.verdict == "within":
        return f"may be called {row.where}"
    if row.verdict == "denied":
        return row.reason
    return f"needs consent ({row.reason.partition(';')[0]}): {' or '.join(row.options)}"


def cleaned(outcome: Cleaned, *, as_json: bool) -> str:
    """What came of `--clean`."""
    left = [asdict(item) for item in outcome.left]
    if as_json:
        return json.dumps({"left": left, "unseen": outcome.unseen})
    return "\n".join(_remaining(left, outcome.unseen))


def changed_and_left(
    changed: Sequence[Mapping[str, object]], left: Sequence[Mapping[str, object]], listing: str = ""
) -> list[str]:
    """The lines on what was changed, by consent or unforeseen, and on what is still there, each after an empty line.

    With a command for the `listing` of all, what is alike is told together.
    """
    lines = []
    for unforeseen, title in (
        (False, "Changed with your consent:"),
        (True, "Changed though nothing says so:"),
    ):
        if rows := [_change(row) for row in changed if row["unforeseen"] is unforeseen]:
            lines += ["", title, *columns(rows)]
    if not left:
        return lines
    things = _left(left, together=bool(listing))
    where = f" ({listing} lists each)" if len(things) < len(_left(left)) else ""
    return [*lines, "", f"Created and still there{where}:", *things]


def _after_effects(told: Mapping[str, Json], listing: str) -> list[str]:
    """The end of a summary: what is not as it was before."""
    lines = changed_and_left(told["changed"], told["left"], listing)
    if not told["left"] and told["created"]:
        lines += ["", *_remaining([], told["unseen"])]
    return lines


def _remaining(left: Sequence[Mapping[str, object]], unseen: int) -> list[str]:
    if left:
        return ["Still there:", *_left(left)]
    if unseen:
        things = "thing was" if unseen == 1 else "things were"
        return [f"{unseen} {things} removed, but nothing shows whether they are gone."]
    return ["Nothing is left."]


def _left(rows: Sequence[Mapping[str, object]], *, together: bool = False) -> list[str]:
    """Two lines a thing: what and why, and the call that removes it. `together`: what no call removes of one list, and
    is there for one reason, has one line."""
    lines = []
    for row, *others in grouped((_alike(row) if together else place, row) for place, row in enumerate(rows)).values():
        further = ", ".join(str(other["path"]).rpartition("/")[2] for other in others[:MAX_NAMED])
        more = f" and {len(others)} more there ({further}{', …' if others[MAX_NAMED:] else ''})" if others else ""
        lines.append(f"  {row['tool']} {row['path']}{more}: {row['reason']}")
        lines += [f"    {row['removal']}"] if row["removal"] else []
    return lines


def _alike(row: Mapping[str, object]) -> tuple[object, ...]:
    """What things have in common that are told in one line."""
    return (row["tool"], row["removal"] or str(row["path"]).rpartition("/")[0], row["reason"])


def _change(row: Mapping[str, Json]) -> tuple[str, str, str]:
    return f"  {row['tool']} {row['operation']}", row["path"], f"{row['calls']} ×"


def model_lines(told: Mapping[str, Json], at_the_end: str) -> list[str]:
    """The lines of a summary's `model`; `at_the_end` says what was done if a budget was reached."""
    lines = [f"model                 {_spent(told)}"]
    for prompt, row in told["by_prompt"].items():
        lines.append(f"  {prompt:<20}{_spent(row)}")
    answers = told["asks"] - told["cached"]
    if told["errors"]:
        failed = sum(told["errors"].values())
        lines.append(f"{failed} of {told['asks']} answers could not be used; the offline engine answered instead.")
    if told["budget_spent"]:
        lines.append(f"{' and '.join(told['budget_spent'])} was reached after {answers} answers: {at_the_end}.")
    return lines


def _spent(row: Mapping[str, object]) -> str:
    cached = f" and {row['cached']:,} from the cache" if row["cached"] else ""
    cost = f", cost {row['cost']:,.4f}" if row.get("cost") is not None else ""
    prefix = f" ({row['tokens_cached']:,} cached by the server)" if row["tokens_cached"] else ""
    asked = f"{row['asks']:,} questions, {row['calls']:,} calls{cached}"
    return f"{asked}, {row['tokens_in']:,} tokens in{prefix}, {row['tokens_out']:,} out{cost}"


def unanswered(missed: Sequence[tuple[OperationKey, str]], listing: str) -> list[str]:
    """The operations that gave no usable answer, with the reasons; those that share one in a line."""
    if not missed:
        return []
    alike = grouped((why, key) for key, why in missed)
    rows = [(f"  {keys[0]}{f' and {len(keys) - 1} more' if keys[1:] else ''}", why) for why, keys in alike.items()]
    return [f"Not described, without a usable answer ({listing} lists each):", *columns(rows)]


def refusals(trust: Mapping[str, int]) -> str:
    """What became of the model's texts: how many were kept, and why others were not.

    Without any, what was refused are experiences, which quote what the API says.
    """
    done = ("kept", "mended", "cut", "replaced", "unanswered")
    kept = trust.get("kept", 0) + trust.get("mended", 0)
    line = f"{kept} text{'' if kept == 1 else 's'} of the model kept"
    line += f" ({trust.get('mended', 0)} at the second try)" if trust.get("mended", 0) else ""
    line += f", {trust['cut']} cut to what calls show" if trust.get("cut", 0) else ""
    line += f", {trust.get('replaced', 0)} replaced" if trust.get("replaced", 0) else ""
    refused = ", ".join(f"{reason} {trust[reason]}" for reason in sorted(trust) if reason not in done)
    if not any(name in trust for name in done):
        return f"Experiences were left out, since their texts could mislead a reader: {refused}."
    return f"{line}{f'; refused: {refused}' if refused else ''}."
