"""Instructions for any specs (ToolLLM §2.2): sampled, written by rule or by a model, checked against the sample.

With evidence, the texts that the offline engine makes of it come first: tasks that the evidence shows to be solvable,
with values that occur. A model's instruction that names an operation outside of its sample is dropped, and counted.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random

from docrev.errors import ModelError
from docrev.events import Handler, ignore
from docrev.evidence import Evidence
from docrev.models import Model
from docrev.prompts.briefs import brief
from docrev.prompts.training import InstructionDraft, Kind, SampleOperation, WriteInstructions
from docrev.records import Call, OperationKey
from docrev.spec import Catalog
from docrev.train.data.arguments import ArgumentValues
from docrev.train.data.author import Author
from docrev.train.data.collecting import read_dropped
from docrev.train.data.instructions import Instruction
from docrev.train.data.optional_model import optional_model
from docrev.train.data.sampling import OperationSample, Sampler, communities
from docrev.train.data.seed_examples import drawn
from docrev.train.data.tasks import EvidenceTasks
from docrev.train.data.verdicts import good
from docrev.train.settings import InstructionSettings

KINDS: tuple[Kind, ...] = ("I1", "I2", "I3")
AT_ONCE = 4
EACH, LONG = 10, 3
"""Instructions that a model is asked for at a time, for one sample; the last are long (ToolLLM appendix A.7)."""
WORDS = 30
"""Least words of an instruction that a model writes."""
TRIES = 30
"""Samples drawn for each instruction that is wanted, before no more are believed to be found."""
SHARE = 0.7
"""Of the instructions, how many are made of the evidence if that gives so many."""


@dataclass
class Generated:
    """Instructions, and what was dropped on the way, counted by reason."""

    instructions: list[Instruction] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


async def generate(
    catalog: Catalog, wanted: InstructionSettings, folder: Path, on_event: Handler = ignore
) -> Generated:
    """The instructions; a model's answers are remembered in `folder`.

    Raises UsageError if the specs have no sample of the kind, UnreachableError for a model that is not there.
    """
    calls, dropped = _evidence_of_use(wanted.evidence)
    usable = [operation.key for operation in catalog.operations if operation.key not in dropped]
    making = _InstructionGenerator(catalog, wanted, calls, usable)
    async with optional_model(wanted, folder, wanted.seed, on_event, roles=("scenario",)) as model:
        if model is not None:
            await making.ask(model)
        else:
            making.recall()
        making.write()
    return making.made


def _evidence_of_use(folder: Path | None) -> tuple[list[Call], dict[OperationKey, str]]:
    """The calls of use, and what a collection dropped."""
    if folder is None:
        return [], {}
    with Evidence.open(folder, write=False) as evidence:
        return good(evidence.calls.select()), read_dropped(folder)


class _InstructionGenerator:
    def __init__(
        self, catalog: Catalog, wanted: InstructionSettings, calls: Sequence[Call], usable: Sequence[OperationKey]
    ) -> None:
        self._catalog, self._wanted, self._calls, self._usable = catalog, wanted, calls, usable
        self._values = ArgumentValues(calls)
        self._author = Author(catalog, self._values)
        # Each kind has draws of its own: of few tools, the same groups would give the same instructions.
        self._seed = 3 * wanted.seed + KINDS.index(wanted.kind)
        self._random = Random(self._seed)
        self._texts: set[str] = set()
        self.made = Generated()

    @property
    def _missing(self) -> int:
        return self._wanted.count - len(self.made.instructions)

    def recall(self) -> None:
        """Tasks that the evidence shows to be solvable, with other operations of their sample beside those needed."""
        if not self._calls:
            return
        tasks = EvidenceTasks(self._catalog, self._calls, self._seed)
        enough = max(1, round(SHARE * self._wanted.count))
        groups = self._sampler(self._usable).groups(self._wanted.kind)
        for task in tasks.of(self._wanted.kind, self._usable, groups, enough):
            text = self._author.around(task.texts, task.needed, self._random)
            draft = InstructionDraft(text=text, operations=task.needed)
            self._keep(draft, self._offered(task.needed), task.wanted)

    def write(self) -> None:
        """What is missing, by rule; without what only works on things that the evidence's own calls had made."""
        if self._missing <= 0:
            return
        lasting = [key for key in self._usable if key not in self._values.gone]
        samples = self._sampler(lasting or self._usable).draw(self._wanted.kind)
        for sample in islice(samples, TRIES * self._missing):
            if self._missing <= 0:
                return
            self._keep(self._author.write(sample.operations, self._random), sample.operations)

    def _sampler(self, usable: Sequence[OperationKey]) -> Sampler:
        return Sampler(self._catalog, usable, lambda: communities(self._catalog, self._wanted.seed), self._seed)

    async def ask(self, model: Model) -> None:
        """What a model writes, a few samples at a time; a sample that it has nothing for is left to the rules."""
        turn, drawn = 0, self._sampler(self._usable).draw(self._wanted.kind)
        while self._missing > 0 and turn < TRIES * self._wanted.count:
            samples = list(islice(drawn, min(AT_ONCE, -(-self._missing // EACH))))
            prompts = [self._prompt(sample, turn + at) for at, sample in enumerate(samples)]
            turn += len(samples)
            for sample, drafts in zip(
                samples, await asyncio.gather(*(_ask(model, one) for one in prompts)), strict=True
            ):
                if not drafts:
                    self.made.dropped["samples the model had nothing for"] += 1
                    self._keep(self._author.write(sample.operations, self._random), sample.operations)
                for draft in drafts:
                    if self._missing > 0:
                        self._keep(draft, sample.operations, least=WORDS)

    def _prompt(self, sample: OperationSample, turn: int) -> WriteInstructions:
        operations = [self._catalog[key] for key in sample.operations]
        titles = {key.tool: self._title(key.tool) for key in sample.operations}
        offers = tuple(
            SampleOperation(
                operation=brief(one),
                tool=titles[one.tool],
                category=sample.group,
                arguments=self._values.of(one, self._random),
            )
            for one in operations
        )
        seeds = drawn(sample.kind, self._random)
        return WriteInstructions(
            kind=sample.kind, offers=offers, count=EACH, long=LONG, words=WORDS, seeds=seeds, turn=turn
        )

    def _title(self, tool: str) -> str:
        return str(self._catalog.documents[self._catalog.files[tool]].get("/info/title", tool))

    def _offered(self, needed: Sequence[OperationKey]) -> tuple[OperationKey, ...]:
        """The operations needed, and a few others of the same tools."""
        tools = {key.tool for key in needed}
        others = [key for key in self._usable if key.tool in tools and key not in needed]
        some = self._random.sample(others, min(len(others), self._random.randint(1, 5)))
        mixed = [*needed, *some]
        self._random.shuffle(mixed)
        return tuple(mixed)

    def _keep(
        self,
        draft: InstructionDraft,
        offered: Sequence[OperationKey],
        wanted: tuple[str, ...] = (),
        *,
        least: int = 0,
    ) -> None:
        """Take an instruction in, unless it is empty, short, known, or needs what was not offered (ToolLLM §2.2)."""
        text = " ".join(draft.text.split())
        needed = tuple(dict.fromkeys(draft.operations))
        if not set(needed) <= set(offered):
            self.made.dropped["instructions name operations outside of their sample"] += 1
        elif not text or not needed:
            self.made.dropped["instructions are empty"] += 1
        elif self._wanted.kind != "I1" and len({key.tool for key in needed}) < 2:
            self.made.dropped["instructions need one tool only"] += 1
        elif len(text.split()) < least:
            self.made.dropped[f"instructions have fewer than {least} words"] += 1
        elif text in self._texts:
            self.made.dropped["instructions were there before"] += 1
        else:
            self._texts.add(text)
            id, group = str(len(self.made.instructions) + 1), f"G{self._wanted.kind[1:]}"
            self.made.instructions.append(Instruction(id, text, tuple(offered), needed, group, wanted=wanted))


async def _ask(model: Model, prompt: WriteInstructions) -> tuple[InstructionDraft, ...]:
    try:
        return (await model.ask(prompt)).instructions
    except ModelError:
        return ()
