"""All answers of APIBench in a folder, scored: one row a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from docrev.errors import InputError
from docrev.records import Json

from ..metrics.paths import Share
from ..suites.apibench_files import NAME, part_of, present
from ..suites.reading import folder_of, read_lines
from .calls import ARGUMENTS, TORCHHUB, branches, called, head, parse, require, text

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True)
class ApiBenchRow:
    """A file of answers: `model` is its name without "response_" and the part."""

    part: str
    model: str
    answers: int
    scores: Scores

    def to_json(self) -> dict[str, Json]:
        """Percentages with their 95 % intervals (Wilson), as published and corrected."""
        columns = {"published": self.scores.published, "corrected": self.scores.corrected}
        return {"part": self.part, "model": self.model, "answers": self.answers} | {
            name: {
                "hallucination": _percent(column.hallucination),
                "hallucination_interval": _interval(column.hallucination),
                "accuracy": _percent(column.accuracy),
                "accuracy_interval": _interval(column.accuracy),
            }
            for name, column in columns.items()
        }


def score_folder(data: Path | None, answers: Sequence[Path] | None = None) -> list[ApiBenchRow]:
    """Score files of `answers`, by default every `response_*.jsonl` in a folder of evaluation sets and APIs, by name.

    Raises UsageError without a folder or the extra `bench`, InputError (file:line) for files that are not APIBench's.
    """
    require()
    place, parts = folder_of(data, NAME), present(data)
    files = [place] if place.is_file() else sorted(place.rglob("response_*.jsonl"))
    rows = []
    for file in answers if answers is not None else files:
        part = part_of(file, parts)
        if part is not None:
            scores = score(file, part.evaluation, part.apis, part.name)
            model = file.stem.removeprefix("response_").removeprefix(f"{part.name}_")
            rows.append(ApiBenchRow(part.title, model, len(scores.outcomes), scores))
    return rows


def to_text(rows: Sequence[ApiBenchRow]) -> str:
    """A line a file: hallucination and accuracy in percent with 95 % intervals, as published and corrected."""
    names = [f"{row.part} {row.model}" for row in rows]
    width = max([len("answers of"), *map(len, names)])
    head = "".join(f"  {name:<19}" for name in ("hallucination", "accuracy", "corrected hall.", "corrected acc."))
    lines = [f"{'answers of':<{width}}  {'n':>5}{head}".rstrip()]
    for name, row in zip(names, rows, strict=True):
        shares = (*row.scores.published, *row.scores.corrected)
        cells = "".join(f"  {share.percent(2):<19}" for share in shares)
        lines.append(f"{name:<{width}}  {row.answers:>5}{cells}".rstrip())
    return "\n".join(lines)


def _interval(share: Share) -> tuple[float, float]:
    low, high = share.interval
    return round(100 * low, 2), round(100 * high, 2)


def _percent(share: Share) -> float:
    return round(100 * (share.rate or 0.0), 2)


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


def judge(answer: str, domain: object, apis: Sequence[Api], *, published: bool, bare: bool = False) -> Outcome:
    """What one answer is; `published` with the fault of the published evaluator, `bare` also where it is code alone."""
    code = call_of(answer)
    if code is None and bare:
        code = answer
    if code is None:
        return "no-call"
    api = match(code, apis, published=published)
    if api is None:
        return "invented"
    return "right" if api.domain == domain else "wrong"


def call_of(answer: str) -> str | None:
    """The code of an answer's `api_call`, up to the last bracket before its `api_provider`; None without one.

    The answers are nearly, but not quite, Python dicts: they are cut, never evaluated.
    """
    _, separator, rest = answer.partition("api_call")
    if not separator:
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


def _api(row: object, part: str, where: str) -> Api:
    code = _field(row, "api_call", str, where)
    node: Node | None = called(parse(code))
    return Api(
        name=(head(node) or "") if node is not None else "",
        arguments=tuple(ARGUMENTS[part](node)) if node is not None else (),
        domain=_field(row, "domain", str, where),
    )


def _field(row: object, name: str, kind: type, where: str) -> Json:
    value = row.get(name) if isinstance(row, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InputError(f"has no {name}", where=where, fix="give the files of APIBench")
    return value
