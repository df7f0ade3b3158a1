"""Batches for training from nothing: episodes with documents beside them, every word a slot drawn anew each time."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrev.models.tooluser.encoding import words_of
from docrev.models.tooluser.slots import Vocabulary
from docrev.models.tooluser.vocabulary import BEGIN, END, HIT, NEXT
from docrev.train.toolllama.episodes import Episode

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ids = npt.NDArray[np.int64]

POOR, FOREIGN, FEWER, OWN = 0.3, 0.25, 0.25, 0.75
"""How often the documents are the poor ones, how often documents of another service stand among them, how often there
are fewer than the service has, and how often one of the user's own annotated ways is taken, if there are some."""


@dataclass(slots=True)
class Compiled:
    """An episode as numbers of one table: those below the number of known symbols are token ids already."""

    kind: str
    task: Ids
    said: Ids
    good: dict[str, Ids]
    poor: dict[str, Ids]
    needed: list[str]
    turns: list[tuple[Ids, bool]]


@dataclass(frozen=True, slots=True)
class TrainingStage:
    """How hard the examples are: how many documents beside the needed ones, and whether poor and foreign ones."""

    beside: int
    poor: float = 0.0
    foreign: float = 0.0
    fewer: float = 0.0
    own: float = 0.0


def stage(progress: float) -> TrainingStage:
    """The curriculum, by the share of the time that is over: one document first, then many, then poor ones."""
    if progress < 0.10:
        return TrainingStage(0)
    if progress < 0.25:
        return TrainingStage(1)
    if progress < 0.45:
        return TrainingStage(3)
    return TrainingStage(6, POOR, FOREIGN, FEWER, OWN)


class Composer:
    """Makes examples of episodes; `seed` decides all that is drawn."""

    def __init__(
        self, vocabulary: Vocabulary, found: Iterable[Episode], seed: int = 0, own: Iterable[Episode] = ()
    ) -> None:
        import numpy as np

        self._np, self._vocabulary, self._draw = np, vocabulary, random.Random(f"compose {seed}")
        self._slots = np.random.default_rng(seed)
        self._table = {symbol: at for at, symbol in enumerate(vocabulary.known)}
        self._documents: dict[tuple[int, str], Ids] = {}
        self.episodes = [self._compiled(one) for one in found]
        self.own = [self._compiled(one) for one in own]

    def _ids(self, symbols: Sequence[str]) -> Ids:
        table = self._table
        return self._np.array([table.setdefault(one, len(table)) for one in symbols], dtype=self._np.int64)

    def _compiled(self, one: Episode) -> Compiled:
        def documents(found: dict[str, list[str]]) -> dict[str, Ids]:
            # The episodes of one world share their documents.
            for name, symbols in found.items():
                if (id(found), name) not in self._documents:
                    self._documents[id(found), name] = self._ids(symbols)
            return {name: self._documents[id(found), name] for name in found}

        turns = [(self._ids(part), right) for part, right in one.turns]
        task, said = self._ids(one.task), self._ids(sorted(words_of(one.task)))
        return Compiled(one.kind, task, said, documents(one.good), documents(one.poor), one.needed, turns)

    def example(self, one: Compiled, how: TrainingStage, longest: int) -> tuple[Ids, Ids]:
        """Token ids, and the same as labels: -100 if nothing is learned.

        Of too many documents those are left out that the way does not need; what is too long still loses its end.
        """
        np = self._np
        needed, others = self._documents_for(one, how)
        turns = [(part if right else self._marked(part, one.said), right) for part, right in one.turns]
        documents = [self._marked(each, one.said) for each in needed]
        room = longest - 2 - sum(map(len, (one.task, *documents, *(part for part, _ in turns))))
        for each in (self._marked(document, one.said) for document in others):
            room -= len(each)
            if room >= 0:
                documents.append(each)
        self._draw.shuffle(documents)
        begin, following = (np.array([self._table[sign]]) for sign in (BEGIN, NEXT))
        parts = [begin, one.task, *documents, following, *(part for part, _ in turns)]
        ids = self._slotted(np.concatenate(parts))[:longest]
        labels = np.full_like(ids, -100)
        at = sum(map(len, parts))
        for part, right in reversed(turns):
            if right:
                labels[at - len(part) : at] = ids[at - len(part) : at]
            at -= len(part)
        return ids, labels

    def _documents_for(self, one: Compiled, how: TrainingStage) -> tuple[list[Ids], list[Ids]]:
        """The documents that the way needs, and others to stand beside them, some of another world."""
        draw = self._draw
        documents = one.poor if draw.random() < how.poor else one.good
        needed = dict.fromkeys(one.needed)
        names = [name for name in documents if name not in needed]
        draw.shuffle(names)
        beside = draw.randrange(how.beside + 1) if draw.random() < how.fewer else how.beside
        others = [documents[name] for name in names[:beside]]
        if draw.random() < how.foreign:
            other = draw.choice(self.episodes)
            others += draw.sample(list(other.good.values()), min(2, len(other.good)))
        return [documents[name] for name in needed], others

    def _marked(self, numbers: Ids, said: Ids) -> Ids:
        """As `encoding.marked`; what an action itself says is not marked."""
        np = self._np
        hits = np.isin(numbers, said)
        ends = np.flatnonzero(numbers == self._table[END])
        if len(ends):
            hits[: ends[0]] = False
        marked: Ids = np.insert(numbers, np.flatnonzero(hits), self._table[HIT])
        return marked

    def _slotted(self, numbers: Ids) -> Ids:
        np, known = self._np, len(self._vocabulary.known)
        distinct, back = np.unique(numbers, return_inverse=True)
        new = distinct >= known
        slots = self._slots.permutation(self._vocabulary.slots)
        distinct = distinct.copy()
        distinct[new] = known + slots[np.arange(int(new.sum())) % len(slots)]
        slotted: Ids = distinct[back]
        return slotted

    def _drawn(self, how: TrainingStage) -> Compiled:
        takes_own = bool(self.own) and self._draw.random() < how.own
        return self._draw.choice(self.own if takes_own else self.episodes)

    def batches(self, size: int, how: TrainingStage, longest: int, at_once: int = 8) -> Iterable[tuple[Ids, Ids]]:
        """Several batches of `size` examples, each of examples of about the same length, in any order."""
        examples = [self.example(self._drawn(how), how, longest) for _ in range(size * at_once)]
        # An example without anything to learn would make a loss of nothing, which is no number.
        examples = [pair for pair in examples if (pair[1] >= 0).any()]
        examples.sort(key=lambda pair: len(pair[0]))
        groups = [examples[at : at + size] for at in range(0, len(examples), size)]
        self._draw.shuffle(groups)
        for group in groups:
            yield self.padded(group)

    def padded(self, found: Sequence[tuple[Ids, Ids]]) -> tuple[Ids, Ids]:
        np = self._np
        width = max(len(told) for told, _ in found)
        ids = np.full((len(found), width), self._vocabulary.pad, dtype=np.int64)
        labels = np.full((len(found), width), -100, dtype=np.int64)
        for row, (told, wanted) in enumerate(found):
            ids[row, : len(told)], labels[row, : len(told)] = told, wanted
        return ids, labels
