"""APIBench (Gorilla, arXiv:2305.15334): hallucination and accuracy of model answers by syntax trees.

An answer's call is held against every API of the benchmark: it is that API if it calls what the API's call calls,
and its code has the arguments that identify the API. An answer that is no API is a hallucination; one whose
API has the domain of the gold API is right. The published evaluator has a fault: if no part of the answer calls
what an API's call calls, the arguments are looked for in the part that was met last. `Scores.published` has it,
`Scores.corrected` does not: there an answer whose quotes are broken, which no parser takes for a call, is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from docrev.errors import InputError
from docrev.records import Json

from ..metrics.paths import Share
from ..suites.reading import read_lines
from .calls import ARGUMENTS, TORCHHUB, branches, called, head, parse, text

if TYPE_CHECKING:
    from tree_sitter import Node

Outcome = Literal["right", "wrong", "invented", "no-call"]


@dataclass(frozen=True)
class Api:
    """One API of the benchmark: what is called, the arguments that identify it, and its domain."""

    name: str
    arguments: tuple[str, ...]
    domain: str


class Column(NamedTuple):
    """Rates of one way of scoring, each of all answers."""

    hallucination: Share
    accuracy: Share


@dataclass(frozen=True)
class Scores:
    """How the answers of a file are judged, each way; `outcomes` are those of the published way, by question id."""

    published: Column
    corrected: Column
    outcomes: Mapping[int, Outcome]


def score(responses: Path, evaluation: Path, apis: Path, part: str = TORCHHUB) -> Scores:
    """Score a file of answers (JSON lines with question_id and text) against the evaluation set and the APIs.

    Raises InputError (file:line) for files that are not those of APIBench, UsageError without the extra `bench`.
    """
    documented = [_api(row, part, f"{apis} [{at}]") for at, row in enumerate(read_lines(apis))]
    gold = [_field(row, "api_data", dict, f"{evaluation} [{at}]") for at, row in enumerate(read_lines(evaluation))]
    answers = read_lines(responses)
    seen: dict[int, Outcome] = {}
    corrected: list[Outcome] = []
    for at, row in enumerate(answers):
        where = f"{responses} [{at}]"
        number = _field(row, "question_id", int, where)
        if not 1 <= number <= len(gold) or number in seen:
            raise InputError(
                f"question_id {number} is unknown or comes twice", where=where, fix="mend or remove the line"
            )
        domain = gold[number - 1].get("domain")
        answer = _field(row, "text", str, where)
        seen[number] = judge(answer, domain, documented, published=True, bare=part != TORCHHUB)
        corrected.append(judge(answer, domain, documented, published=False, bare=part != TORCHHUB))
    return Scores(_column([*seen.values()]), _column(corrected), seen)


def judge(answer: str, domain: Json, apis: Sequence[Api], *, published: bool, bare: bool = False) -> Outcome:
    """What one answer is; `published` with the fault of the published evaluator, `bare` also where it is code alone."""
    code = call_of(answer)
    if code is None and bare:
        code = answer
    if code is None:
        return "no-call"
    found = match(code, apis, published=published)
    if found is None:
        return "invented"
    return "right" if found.domain == domain else "wrong"


def call_of(answer: str) -> str | None:
    """The code of an answer's `api_call`, up to the last bracket before its `api_provider`; None without one.

    The answers are nearly, but not quite, Python dicts: they are cut, never evaluated.
    """
    _, found, rest = answer.partition("api_call")
    if not found:
        return None
    rest = rest.split("api_call")[0].split("api_provider")[0]
    start = rest.find(":") + 2 if ":" in rest else 2
    end = rest.rindex(")") + 1 if ")" in rest else len(rest) - 1
    return rest[start:end]


def match(code: str, apis: Sequence[Api], *, published: bool) -> Api | None:
    """The first API that the code calls; None if it calls none."""
    parts = [(head(node), text(node)) for node in branches(parse(code))]
    for api in apis:
        if not api.arguments:
            continue
        part = next((body for name, body in parts if name == api.name), parts[-1][1] if published else None)
        if part is not None and all(argument in part for argument in api.arguments):
            return api
    return None


def _column(outcomes: Sequence[Outcome]) -> Column:
    return Column(*(Share(outcomes.count(kind), len(outcomes)) for kind in ("invented", "right")))


def _api(row: Json, part: str, where: str) -> Api:
    code = _field(row, "api_call", str, where)
    node: Node | None = called(parse(code))
    return Api(
        name=(head(node) or "") if node is not None else "",
        arguments=tuple(ARGUMENTS[part](node)) if node is not None else (),
        domain=_field(row, "domain", str, where),
    )


def _field(row: Json, name: str, kind: type, where: str) -> Json:
    value = row.get(name) if isinstance(row, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InputError(f"has no {name}", where=where, fix="give the files of APIBench")
    return value
