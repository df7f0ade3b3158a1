"""Annotation (ToolLLM §2.3): instructions are solved by a runner, and what is judged to be good is kept.

Each task is done by the benchmark's engine: in a room of its own if the services are simulated worlds, side by side
with others, and kept when it is done, so the same command continues an interrupted run. Kept are ToolBench's answer
files, with every branch that failed beside the way that did not, and ToolLLaMA's conversations.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from docrev.calls.bases import choose_bases
from docrev.errors import ModelError, UsageError
from docrev.eval.agents.bench import limits_of
from docrev.eval.agents.engine import Cell, do_cell
from docrev.eval.agents.models import RULES, acting, judging
from docrev.eval.agents.stages import Stage, staged
from docrev.eval.suites.suite import Loaded, Serving
from docrev.eval.tooleval.judging import answered, judge_pass
from docrev.events import Handler, Notice, ignore
from docrev.evidence import Evidence
from docrev.models import Model
from docrev.prompts.briefs import brief
from docrev.records import Json, Task, Trajectory
from docrev.runners import CompressionRule, Rules, Toolbox, read_rules, runner
from docrev.runners.compression import keep_what_matters
from docrev.runners.toolbox import Toolboxes, toolboxes
from docrev.runners.track import NO_ACTION
from docrev.settings.choices import ALL_METHODS, MAX_SPEC_SIZE, AgentForm
from docrev.spec import Catalog, load
from docrev.spec.formats import read
from docrev.storage.atomic import write_json
from docrev.train.data.agent_steps import action, by_key, past
from docrev.train.data.answer_files import answer_file, method_name, write_answer_file
from docrev.train.data.conversations import Conversation, conversation, write_conversations
from docrev.train.data.instructions import Instruction, ReadInstructions, counted, read_instructions
from docrev.train.data.solution_checks import lacking
from docrev.train.data.tool_listing import ToolListing
from docrev.train.settings import AnnotationSettings

CONVERSATIONS, SUMMARY = "conversations.json", "annotations.json"
KEPT, REJECTED = "answers", "rejected"
VOTES = 1
"""Predictions of the judge for each task: data are made here, not measured."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One instruction that was tried: `label` is the judge's ("" if it had no answer), `file` what was written.

    `lacks` is what the rules miss in it, if it is known what is wanted; a model that judges has the last word.
    """

    instruction: Instruction
    trajectory: Trajectory
    label: str
    kept: bool
    file: str = ""
    lacks: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """A row of `annotations.json`."""
        one, done = self.instruction, self.trajectory
        row: dict[str, Json] = {"id": one.id, "group": one.group, "level": one.level, "kept": self.kept}
        row |= {"label": self.label, "finish": done.finish, "reason": done.reason, "file": self.file}
        return row | {
            "lacks": list(self.lacks),
            "calls": sum(node.call is not None for node in done.nodes),
            "nodes": len(done.nodes),
        }


@dataclass(frozen=True, slots=True)
class AnnotationResult:
    """What came of it; `warnings` are what was dropped of the instructions, a line for each reason."""

    rows: tuple[Annotation, ...]
    warnings: tuple[str, ...]
    runner: str
    model: str
    judge: str

    def to_json(self) -> dict[str, Json]:
        """The content of `annotations.json`, which is what the command prints with --json."""
        finishes = Counter(row.trajectory.finish for row in self.rows)
        return {
            "runner": self.runner,
            "model": self.model,
            "judge": self.judge,
            "instructions": len(self.rows),
            "kept": sum(row.kept for row in self.rows),
            "finishes": dict(sorted(finishes.items())),
            "warnings": list(self.warnings),
            "rows": [row.to_json() for row in self.rows],
        }


async def annotate(
    instructions: Sequence[Path],
    specs: Sequence[str],
    settings: AnnotationSettings,
    on_event: Handler = ignore,
    parts: Sequence[Path] = (),
) -> AnnotationResult:
    """Solve instructions, and write what was judged to be good into the folder `out`.

    `parts` are the folders of what `solve_part` did.
    Raises UsageError and its kinds for bad input, UnreachableError if the model cannot be reached, StoreError.
    """
    catalog = catalog_of(instructions, specs, settings.max_spec_size)
    read = _read(instructions, catalog, settings.limit, on_event)
    tasks = [one.task() for one in read.instructions]
    with _staged(settings, catalog) as stage, Evidence.open(settings.out, write=True) as evidence:
        cell, toolbox = await _solve(tasks, catalog, settings, stage, evidence, on_event, parts)
        async with judging(settings.judge, settings, settings.out, settings.seed, on_event) as judge:
            labels = {task.id: await _label(task, evidence.trajectories.get(task.id), catalog, judge) for task in tasks}
        writer = _AnnotationWriter(settings, toolbox, labels)
        rows = tuple(writer.write(one, evidence.trajectories.get(one.id)) for one in read.instructions)
        done = AnnotationResult(rows, tuple(read.warnings()), settings.runner, cell.model, judge.name)
        evidence.finish({"kept": sum(row.kept for row in rows)})
    writer.finish(done)
    return done


async def _solve(
    tasks: Sequence[Task],
    catalog: Catalog,
    settings: AnnotationSettings,
    stage: Stage,
    evidence: Evidence,
    on_event: Handler,
    parts: Sequence[Path] = (),
) -> tuple[Cell, Toolboxes]:
    """Do the tasks that the evidence does not have, beginning with what was done in `parts`."""
    rule = read_rules(settings.compression) if settings.compression is not None else keep_what_matters
    toolbox = toolboxes(catalog, observed=settings.observed, rule=rule)
    async with acting(settings, settings.out, settings.seed, on_event) as model:
        identity: dict[str, Json] = {
            "specs": catalog.digest,
            "seed": settings.seed,
            "shown": _observed(settings, rule),
        }
        cell = Cell(
            "annotations",
            settings.runner,
            model.name,
            lambda task: toolbox(task.operations),
            runner(settings.runner),
            limits_of(settings),
            identity,
        )
        await do_cell(cell, "annotations", tasks, stage, model, evidence, settings, parts, on_event)
    return cell, toolbox


def solve_part(task: Mapping[str, Any], on_event: Handler) -> dict[str, Json]:
    """Solve a `part` of the instructions: which, and of how many, in the `folder` of the part; {} is returned."""
    settings = AnnotationSettings.model_validate_json(json.dumps(task["settings"] | {"out": task["folder"]}))
    files = [*map(Path, task["instructions"])]
    catalog = catalog_of(files, task["specs"], settings.max_spec_size)
    place, parts = task["part"]
    tasks = [one.task() for one in _read(files, catalog, settings.limit, on_event).instructions][place::parts]
    if tasks:
        with _staged(settings, catalog) as stage, Evidence.open(settings.out, write=True) as evidence:
            asyncio.run(_solve(tasks, catalog, settings, stage, evidence, on_event))
    return {}


def catalog_of(instructions: Sequence[Path], specs: Sequence[str], max_size: int = MAX_SPEC_SIZE) -> Catalog:
    """The operations of the specs; without any, those of the instructions' own lists.

    Raises UsageError if there is no operation.
    """
    catalog = load(specs, max_size=max_size) if specs else read("toolbench", instructions).catalog()
    return catalog.with_operations()


def _read(instructions: Sequence[Path], catalog: Catalog, limit: int | None, on_event: Handler) -> ReadInstructions:
    listed = read_instructions(instructions, ToolListing(catalog))
    listed.instructions = listed.instructions[:limit]
    for line in listed.warnings():
        on_event(Notice(line))
    if not all(one.offered for one in listed.instructions):
        open_ones = sum(not one.offered for one in listed.instructions)
        without_offers = counted(open_ones, "instructions offer no operations")
        on_event(Notice(f"{without_offers}: all {len(catalog.operations)} are given"))
    return listed


def _observed(settings: AnnotationSettings, rule: CompressionRule) -> Json:
    """What decides what agents are shown of responses."""
    return [settings.observed, rule.to_json() if isinstance(rule, Rules) else None]


@contextmanager
def _staged(settings: AnnotationSettings, catalog: Catalog) -> Iterator[Stage]:
    """Where calls go: worlds made of the specs, or the base URLs. Raises UsageError if neither is said."""
    if settings.simulate == bool(settings.base_urls):
        raise UsageError(
            "calls have no target, or two", where="--base-url", fix="give base URLs, or --simulate, not both"
        )
    if settings.simulate:
        with simulated(catalog, settings.seed) as stage:
            yield stage
        return
    bases, _ = choose_bases(catalog.tools, settings.base_urls, catalog.servers)
    serving = Serving("live", urls=dict(bases), headers=settings.headers, allow=settings.allow)
    with staged(Loaded("annotations", (), {}, serving)) as stage:
        yield stage


async def _label(task: Task, trajectory: Trajectory, catalog: Catalog, judge: Model) -> str:
    """ToolEval's label of what was done; "" if the judge has no usable answer, "fail" if nothing was answered."""
    if trajectory.finish != "answer":
        return "fail"
    wanted = set(task.operations)
    briefs = [brief(one) for one in catalog.operations if not wanted or one.key in wanted]
    try:
        return (await answered(judge_pass(task, trajectory, briefs, votes=VOTES), judge)).label
    except ModelError:
        return ""


class _AnnotationWriter:
    """Writes answers as they come, and the rest in the end."""

    def __init__(
        self,
        settings: AnnotationSettings,
        toolbox: Toolboxes,
        labels: Mapping[str, str],
    ) -> None:
        self._settings, self._toolbox, self._labels = settings, toolbox, labels
        self._conversations: list[Conversation] = []

    def write(self, one: Instruction, trajectory: Trajectory) -> Annotation:
        """One answer: kept if the judge passed it, else beside those that are."""
        label = self._labels[one.id]
        answered, ruled = trajectory.finish == "answer", self._settings.judge == RULES
        lacks = tuple(lacking(one, trajectory)) if answered and ruled else ()
        # Where it is known what is wanted, that decides: a bare "true" is grounded in nothing.
        kept = answered and not lacks and (label == "pass" or (ruled and bool(one.wanted)))
        tools = self._toolbox(one.task().operations)
        file = ""
        if trajectory.nodes:
            answer = answer_file(
                one.text,
                trajectory,
                tools.sheets,
                asdict(limits_of(self._settings)),
            )
            file = f"{KEPT if kept else REJECTED}/{_place(one, self._settings.runner)}"
            write_answer_file(self._settings.out / file, answer)
            other = self._settings.out / (REJECTED if kept else KEPT) / _place(one, self._settings.runner)
            other.unlink(missing_ok=True)
        if kept:
            self._conversations.append(conversation_of(one.text, trajectory, tools, self._settings.form))
        return Annotation(one, trajectory, label, kept, file, lacks)

    def finish(self, done: AnnotationResult) -> None:
        """The conversations of all that was kept, and the summary."""
        write_conversations(self._settings.out / CONVERSATIONS, self._conversations)
        write_json(self._settings.out / SUMMARY, done.to_json())


def conversation_of(text: str, trajectory: Trajectory, tools: Toolbox, form: AgentForm = "docrev") -> Conversation:
    """The way that a trajectory ended on, as ToolLLaMA's record; `id` tells its steps and the instruction."""
    sheets = by_key(tools.sheets)
    steps = trajectory.steps
    calls = [node for node in steps if node.plan is not None and node.plan.key is not None]
    history = [past(node, sheets) for node in calls if node.reason != NO_ACTION]
    end = steps[-1] if steps and steps[-1].plan is not None and steps[-1].plan.final else None
    last = action(end, sheets) if end is not None else None
    return conversation(f"Step {len(steps)}: {text}", text, tools.sheets, history, last, form)


def _place(one: Instruction, name: str) -> str:
    """Where an answer is written, as ToolBench has them: `G1_answer/12_DFS_woFilter_w2.json`."""
    group = one.group[:2] if one.group[:1] == "G" else "G1" if len({key.tool for key in one.relevant}) < 2 else "G2"
    id = one.id.removeprefix(f"{one.group}-")
    return f"{group}_answer/{re.sub(r'[^A-Za-z0-9-]+', '_', id)}_{method_name(name)}.json"


"""What may be called in a world, which is thrown away."""


@contextmanager
def simulated(catalog: Catalog, seed: int) -> Iterator[Stage]:
    """Worlds of a catalog's specs for as long as the block lasts: the same for a seed, fresh in each room.

    Raises UsageError without the extra `sandbox`, UnreachableError if they do not start.
    """
    documents = [(tool, catalog.documents[file]) for tool, file in catalog.files.items()]
    specs = {f"{tool}.{'json' if doc.format == 'json' else 'yaml'}": doc.text for tool, doc in documents}
    with staged(Loaded("data", (), specs, Serving("simulated", allow=ALL_METHODS)), seed) as stage:
        yield stage
