"""A tool user on trial, in worlds and with tools that it has never seen: each step, and whole tasks by runners."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from docrev.errors import ModelError
from docrev.eval.intervals import wilson
from docrev.models import Model
from docrev.prompts.agents import FINISH, Action, NextAction, Past, Sheet
from docrev.prompts.steps import Ask, Invoke
from docrev.records import Json, Task, Trajectory
from docrev.runners import Limits, Toolbox, runner
from docrev.train.retriever.lexical import Bm25
from docrev.train.toolllama.errands import Errand, Place, errands
from docrev.train.toolllama.scratch import UNSEEN

TRIED = UNSEEN + 500_000
"""Worlds from this number on are neither trained on nor looked at while training."""
RUNNERS = ("react", "dfsdt")
STEPS = Limits(steps=7, calls=24, asks=60)


class Actor(Protocol):
    """What is asked step by step: a batch of prompts to actions."""

    def actions(self, prompts: Sequence[NextAction]) -> list[Action | Exception]: ...


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `total`, with Wilson's 95 % interval."""

    what: str
    hits: int
    total: int

    @property
    def rate(self) -> float:
        return self.hits / self.total if self.total else 0.0

    def to_json(self) -> dict[str, Json]:
        low, high = wilson(self.hits, self.total)
        return {**asdict(self), "rate": round(self.rate, 4), "low": round(low, 4), "high": round(high, 4)}


@dataclass(frozen=True, slots=True)
class Case:
    """An errand in its place."""

    place: Place
    errand: Errand


def cases(worlds: int, first: int = TRIED) -> list[Case]:
    """One errand of each kind in each of some worlds."""
    found: list[Case] = []
    for seed in range(first, first + worlds):
        place = Place(seed)
        found += [Case(place, errand) for errand in errands(place, random.Random(f"trial {seed}"))]
    return found


def by_step(actor: Actor, found: Iterable[Case], docs: str = "good") -> list[Rate]:
    """Given the right way so far: is the action well-formed, the function right, are the arguments right?

    Beside it what chance would choose, and BM25 of the task over the functions that were not called yet.
    """
    prompts: list[NextAction] = []
    wanted: list[Action] = []
    for case in found:
        for prompt, action in _way(case, docs):
            prompts.append(prompt)
            wanted.append(action)
    given = [one for at in range(0, len(prompts), 32) for one in actor.actions(prompts[at : at + 32])]
    pairs = list(zip(given, wanted, prompts, strict=True))
    calls = [(one, right, prompt) for one, right, prompt in pairs if right.action != FINISH]
    right = [_exact(one, other) for one, other, _ in calls if _same(one, other)]
    ends = [_exact(one, other) for one, other, _ in pairs if other.action == FINISH]
    return [
        Rate("well-formed", sum(isinstance(one, Action) for one in given), len(given)),
        Rate("right function or end", sum(_same(one, other) for one, other, _ in pairs), len(pairs)),
        Rate("right function", len(right), len(calls)),
        Rate("right arguments of a right function", sum(right), len(right)),
        Rate("right call", sum(right), len(calls)),
        Rate("right answer", sum(ends), len(ends)),
        Rate("BM25: right function", sum(_ranked(prompt) == other.action for _, other, prompt in calls), len(calls)),
        Rate("chance: right function", round(sum(1 / len(prompt.operations) for _, _, prompt in calls)), len(calls)),
    ]  # fmt: skip


def _same(one: Action | Exception, other: Action) -> bool:
    return isinstance(one, Action) and one.action == other.action


def _exact(one: Action | Exception, other: Action) -> bool:
    return isinstance(one, Action) and one.action == other.action and one.arguments == other.arguments


def _way(case: Case, docs: str) -> Iterable[tuple[NextAction, Action]]:
    """The prompts along the right way, and what is right at each."""
    tools = _toolbox(case, docs)
    by_key = {sheet.key: sheet for sheet in tools.sheets}
    history: list[Past] = []
    for deed in case.errand.deeds:
        sheet = by_key[deed.key]
        prompt = NextAction(task=case.errand.text, history=tuple(history), operations=tools.sheets)
        yield prompt, Action(action=sheet.name, arguments=deed.arguments)
        call = case.place.call(deed.key, case.place.placed(deed.key, deed.arguments))
        history.append(
            Past(thought="", action=sheet.name, arguments=deed.arguments, observation=tools.observe(sheet, call))
        )
    ends: dict[str, Json] = {"return_type": "give_answer", "final_answer": case.errand.answer}
    # An answer of one item is written as the item.
    if isinstance(case.errand.answer, list) and len(case.errand.answer) == 1:
        ends["final_answer"] = case.errand.answer[0]
    yield (
        NextAction(task=case.errand.text, history=tuple(history), operations=tools.sheets),
        Action(action=FINISH, arguments=ends),
    )


def _ranked(prompt: NextAction) -> str:
    """BM25's choice: the best of the functions that were not called yet."""
    called = {past.action for past in prompt.history}
    open_ = [sheet for sheet in prompt.operations if sheet.name not in called] or list(prompt.operations)
    scores = Bm25([_text(sheet) for sheet in open_]).scores(prompt.task)
    return open_[int(scores.argmax())].name


def _text(sheet: Sheet) -> str:
    return " ".join([sheet.name, sheet.description, *(f"{one.name} {one.description}" for one in sheet.parameters)])


def _toolbox(case: Case, docs: str, choice: str = "all") -> Toolbox:
    """`choice`: all functions of the service, the `oracle`'s, or as many as those that BM25 `retrieved`."""
    catalog = case.place.poor if docs == "poor" else case.place.good
    whole = Toolbox(catalog)
    if choice == "all":
        return whole
    needed = tuple(dict.fromkeys(deed.key for deed in case.errand.deeds))
    if choice == "oracle":
        return Toolbox(catalog, needed)
    scores = Bm25([_text(sheet) for sheet in whole.sheets]).scores(case.errand.text)
    best = sorted(range(len(whole.sheets)), key=lambda at: -scores[at])[: max(3, len(needed))]
    return Toolbox(catalog, tuple(whole.sheets[at].key for at in best))


def by_task(
    model: Model, found: Sequence[Case], *, docs: str = "good", choice: str = "all", method: str = "react"
) -> Rate:
    """How many tasks a runner solves: the answer is that of the world's records."""
    solved = asyncio.run(_solved(model, found, docs, choice, method))
    return Rate(f"{method}, {docs} documents, {choice} functions", sum(solved), len(solved))


async def _solved(model: Model, found: Sequence[Case], docs: str, choice: str, method: str) -> list[bool]:
    async def one(case: Case) -> bool:
        task = Task(case.errand.id, case.errand.text)
        steps = runner(method)(task, _toolbox(case, docs, choice), STEPS)
        trajectory: Trajectory = await _drive(steps, model, case.place)
        return _alike(trajectory.answer, case.errand.answer)

    return list(await asyncio.gather(*(one(case) for case in found)))


def _alike(said: Json, truth: Json) -> bool:
    one, other = (value if isinstance(value, list) else [value] for value in (said, truth))
    return sorted(map(str, one)) == sorted(map(str, other))


async def _drive(step: Any, model: Model, place: Place) -> Any:
    """Perform steps in process: the model is asked, the world is called."""
    if isinstance(step, Ask):
        return await model.ask(step.prompt)
    if isinstance(step, Invoke):
        return place.call(step.key, dict(step.arguments))
    if isinstance(step, list):
        return [await _drive(one, model, place) for one in step]
    if not isinstance(step, Generator):
        return None
    answer: Any = None
    error: Exception | None = None
    while True:
        try:
            asked = step.send(answer) if error is None else step.throw(error)
        except StopIteration as stop:
            return stop.value
        answer, error = None, None
        try:
            answer = await _drive(asked, model, place)
        except ModelError as raised:
            error = raised


def whole_trial(
    user: Any, worlds: int, tell: Callable[[dict[str, Json]], None] = lambda _: None
) -> dict[str, list[dict[str, Json]]]:
    """Everything that docs/experiments/tool-user.md reports of one model."""
    found = cases(worlds)
    report: dict[str, list[dict[str, Json]]] = {"steps": [], "tasks": []}
    for docs in ("good", "poor"):
        report["steps"] += [{"docs": docs, **rate.to_json()} for rate in by_step(user, found, docs)]
        for line in report["steps"][-8:]:
            tell(line)
    for docs, choice, method in (
        ("good", "all", "react"), ("good", "all", "dfsdt"), ("poor", "all", "react"), ("poor", "all", "dfsdt"),
        ("good", "oracle", "react"), ("good", "retrieved", "react"),
    ):  # fmt: skip
        report["tasks"].append(by_task(user, found, docs=docs, choice=choice, method=method).to_json())
        tell(report["tasks"][-1])
    return report
