"""A tool user on trial, in worlds and with tools that it has never seen: each step, and whole tasks by runners."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from docrev.driver.plain_steps import perform
from docrev.eval.intervals import paired_bootstrap, wilson
from docrev.models import Model
from docrev.models.tooluser.grammar import Grammar
from docrev.models.tooluser.slots import Slots, Vocabulary
from docrev.models.tooluser.vocabulary import THOUGHTS
from docrev.prompts.agents import FINISH, Action, NextAction, Past, Sheet
from docrev.prompts.steps import Ask, Invoke
from docrev.records import Call, Json, OperationKey, Task, Trajectory
from docrev.retrieval.lexical import Bm25
from docrev.runners import Toolbox, TrackLimits, runner
from docrev.spec import Catalog, Document
from docrev.train.toolllama.episodes import THOUGHT
from docrev.train.toolllama.errands import Errand, InventedPlace, errands
from docrev.train.toolllama.scratch import UNSEEN

TRIED = UNSEEN + 500_000
"""Worlds from this number on are neither trained on nor looked at while training."""
_SIGNS = Vocabulary.create(4096)
STEPS = TrackLimits(steps=7, calls=24, asks=60)


class StepActor(Protocol):
    """What is asked step by step: a batch of prompts to actions."""

    def actions(self, prompts: Sequence[NextAction]) -> list[Action | Exception]: ...


@dataclass(frozen=True, slots=True)
class TrialRate:
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
    """An errand in its place; `others` are services of which documents may stand beside, for nothing."""

    place: InventedPlace
    errand: Errand
    others: tuple[InventedPlace, ...] = ()

    def call(self, key: OperationKey, arguments: dict[str, object]) -> Call:
        """Call the service that has this operation."""
        return next(one for one in (self.place, *self.others) if one.tool == key.tool).call(key, arguments)


def cases(worlds: int, first: int = TRIED) -> list[Case]:
    """One errand of each kind in each of some worlds."""
    cases_found: list[Case] = []
    places = [InventedPlace(seed) for seed in range(first, first + worlds + 2)]
    for at, place in enumerate(places[:worlds]):
        others = tuple(places[at + 1 : at + 3])
        cases_found += [Case(place, errand, others) for errand in errands(place, random.Random(f"trial {first + at}"))]
    return cases_found


def by_step(actor: StepActor, found: Iterable[Case], docs: str = "good", choice: str = "all") -> list[TrialRate]:
    """Given the right way so far: is the action well-formed, the function right, are the arguments right?

    Beside it what chance would choose of the functions that can be called (all that they need is known), and what BM25
    of the task would choose of those that were not called yet.
    """
    steps = [step for case in found for step in right_way(case, docs, choice)]
    actions = _actions(actor, [prompt for prompt, _ in steps])
    pairs = [(action, wanted) for action, (_, wanted) in zip(actions, steps, strict=True)]
    calls = [pair for pair in pairs if pair[1].action != FINISH]
    return [
        _rate("well-formed", (isinstance(action, Action) for action in actions)),
        _rate("right function or end", (_same(*pair) for pair in pairs)),
        *_call_rates(calls),
        _rate("right answer", (_exact(*pair) for pair in pairs if pair[1].action == FINISH)),
        *_baselines(steps),
    ]


def _actions(actor: StepActor, prompts: Sequence[NextAction]) -> list[Action | Exception]:
    return [action for at in range(0, len(prompts), 32) for action in actor.actions(prompts[at : at + 32])]


def _rate(name: str, right: Iterable[bool]) -> TrialRate:
    results = list(right)
    return TrialRate(name, sum(results), len(results))


def _call_rates(calls: Sequence[tuple[Action | Exception, Action]]) -> list[TrialRate]:
    """How often the function is right, and then the arguments."""
    right = [_exact(*pair) for pair in calls if _same(*pair)]
    return [
        TrialRate("right function", len(right), len(calls)),
        TrialRate("right arguments of a right function", sum(right), len(right)),
        TrialRate("right call", sum(right), len(calls)),
    ]  # fmt: skip


def _baselines(steps: Sequence[tuple[NextAction, Action]]) -> list[TrialRate]:
    """How many right functions BM25 chooses, and how many chance would."""
    calls = [step for step in steps if step[1].action != FINISH]
    ranked = sum(_ranked(prompt) == wanted.action for prompt, wanted in calls)
    chance = sum(1 / len(_callable(prompt)) for prompt, _ in calls)
    return [
        TrialRate("BM25: right function", ranked, len(calls)),
        TrialRate("chance: right function", round(chance), len(calls)),
    ]


def _same(one: Action | Exception, other: Action) -> bool:
    return isinstance(one, Action) and one.action == other.action


def _exact(one: Action | Exception, other: Action) -> bool:
    return isinstance(one, Action) and one.action == other.action and one.arguments == other.arguments


def right_way(case: Case, docs: str = "good", choice: str = "all") -> Iterator[tuple[NextAction, Action]]:
    """The prompts along the right way, and what is right at each."""
    tools = _toolbox(case, docs, choice)
    by_key = {sheet.key: sheet for sheet in tools.sheets}
    history: list[Past] = []
    for deed in case.errand.deeds:
        sheet = by_key[deed.key]
        prompt = NextAction(task=case.errand.text, history=tuple(history), operations=tools.sheets)
        thought = THOUGHTS[THOUGHT[deed.what]]
        yield prompt, Action(thought=thought, action=sheet.name, arguments=deed.arguments)
        call = case.place.call(deed.key, case.place.placed(deed.key, deed.arguments))
        seen = tools.observe(sheet, call)
        history.append(Past(thought=thought, action=sheet.name, arguments=deed.arguments, observation=seen))
    ends: dict[str, Json] = {"return_type": "give_answer", "final_answer": case.errand.answer}
    # An answer of one item is written as the item.
    if isinstance(case.errand.answer, list) and len(case.errand.answer) == 1:
        ends["final_answer"] = case.errand.answer[0]
    yield (
        NextAction(task=case.errand.text, history=tuple(history), operations=tools.sheets),
        Action(action=FINISH, arguments=ends),
    )


def _callable(prompt: NextAction) -> list[Sheet]:
    names = Grammar(prompt, Slots(_SIGNS)).callable
    return [sheet for sheet in prompt.operations if sheet.name in names]


def _ranked(prompt: NextAction) -> str:
    """BM25's choice: the best of the functions that can be called and were not yet."""
    called = {past.action for past in prompt.history}
    can = _callable(prompt)
    open_ = [sheet for sheet in can if sheet.name not in called] or can
    scores = Bm25([_text(sheet) for sheet in open_]).scores(prompt.task)
    return open_[int(scores.argmax())].name


def _text(sheet: Sheet) -> str:
    return " ".join([sheet.name, sheet.description, *(f"{one.name} {one.description}" for one in sheet.parameters)])


def _toolbox(case: Case, docs: str, choice: str = "all") -> Toolbox:
    """`choice`: all functions of the service, the `oracle`'s, as many as those that BM25 `retrieved`, or `crowded`:
    those of two other services as well."""
    places = (case.place, *case.others) if choice == "crowded" else (case.place,)
    made = [(one.made.poor if docs == "poor" else one.made.good, one.tool) for one in places]
    catalog = Catalog.of([Document.parse(json.dumps(text), f"{tool}.json") for text, tool in made])
    whole = Toolbox(catalog)
    if choice in ("all", "crowded"):
        return whole
    needed = tuple(dict.fromkeys(deed.key for deed in case.errand.deeds))
    if choice == "oracle":
        return Toolbox(catalog, needed)
    scores = Bm25([_text(sheet) for sheet in whole.sheets]).scores(case.errand.text)
    best = sorted(range(len(whole.sheets)), key=lambda at: -scores[at])[: max(3, len(needed))]
    return Toolbox(catalog, tuple(whole.sheets[at].key for at in best))


@dataclass(frozen=True, slots=True)
class Setting:
    """How tasks are done: by which runner, with which documents of which functions."""

    method: str = "react"
    docs: str = "good"
    choice: str = "all"

    def __str__(self) -> str:
        return f"{self.method}, {self.docs} documents, {self.choice} functions"


SETTINGS = (
    Setting(), Setting("dfsdt"), Setting(docs="poor"), Setting("dfsdt", "poor"),
    Setting(choice="oracle"), Setting(choice="retrieved"), Setting(choice="crowded"),
)  # fmt: skip
PAIRS = (
    (Setting(), Setting("dfsdt")), (Setting(docs="poor"), Setting("dfsdt", "poor")), (Setting(docs="poor"), Setting()),
    (Setting(choice="retrieved"), Setting(choice="oracle")), (Setting(), Setting(choice="oracle")),
)  # fmt: skip
"""What is compared: the first is expected to solve less."""


def by_task(model: Model, found: Sequence[Case], how: Setting) -> list[bool]:
    """Which tasks are solved: the answer is that of the world's records."""
    return asyncio.run(_solved(model, found, how))


def difference(before: Sequence[bool], after: Sequence[bool], what: str) -> dict[str, Json]:
    """How many more of the same tasks are solved, with the 95 % interval of the paired bootstrap."""
    low, high = paired_bootstrap([float(one) for one in before], [float(one) for one in after])
    return {"what": what, "rate": round((sum(after) - sum(before)) / len(before), 4), "low": low, "high": high}


async def _solved(model: Model, found: Sequence[Case], how: Setting) -> list[bool]:
    async def passes(case: Case) -> bool:
        async def act(step: Any) -> Any:
            """Ask the model, or call the world, in process."""
            if isinstance(step, Ask):
                return await model.ask(step.prompt)
            return case.call(step.key, dict(step.arguments)) if isinstance(step, Invoke) else None

        task = Task(case.errand.id, case.errand.text)
        steps = runner(how.method)(task, _toolbox(case, how.docs, how.choice), STEPS)
        trajectory: Trajectory = await perform(steps, act)
        return _alike(trajectory.answer, case.errand.answer)

    return list(await asyncio.gather(*(passes(case) for case in found)))


def _alike(said: object, truth: object) -> bool:
    one, other = (value if isinstance(value, list) else [value] for value in (said, truth))
    return sorted(map(str, one)) == sorted(map(str, other))


def whole_trial(
    user: Any, worlds: int, tell: Callable[[dict[str, Json]], None] = lambda _: None
) -> dict[str, list[dict[str, Json]]]:
    """Everything that docs/experiments/tool-user.md reports of one model."""
    tried = cases(worlds)
    report: dict[str, list[dict[str, Json]]] = {"steps": [], "tasks": [], "differences": []}

    def add(part: str, row: dict[str, object]) -> None:
        report[part].append(row)
        tell(row)

    for docs, choice in (("good", "all"), ("poor", "all"), ("good", "crowded")):
        for rate in by_step(user, tried, docs, choice):
            add("steps", {"docs": docs, "choice": choice, **rate.to_json()})
    solved: dict[Setting, list[bool]] = {}
    for how in SETTINGS:
        solved[how] = by_task(user, tried, how)
        add("tasks", {**asdict(how), **TrialRate(str(how), sum(solved[how]), len(tried)).to_json()})
    for less, more in PAIRS:
        add("differences", difference(solved[less], solved[more], f"{more} − {less}"))
    return report
