"""Which functions a task is likely to need: those on the resources whose documents have most of its words.

Prompts show the documents of these, and of the others a line each, until one of them is chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import log

from docrev.prompts.agents import Sheet
from docrev.retrieval.lexical import tokens

SHOWN = 8
"""Functions that are shown whole, at least. Of those that tasks on the bundled services need (219 tasks), 84 to 90 %
are among them; with 6 it is 64 to 85 %, with 10 it is 84 to 92 %, and tokens are as many or more."""
FEW = 16
"""So many are all shown whole: hardly anything would be left out."""
_NAMED, _SAID, _LISTED = 2.0, 1.0, 0.5
"""What a word counts in the name and the path, in the description, and in parameters and fields."""


class ResourceRanking:
    """The words and the resources of functions."""

    def __init__(self, sheets: Sequence[Sheet]) -> None:
        self._names = [sheet.name for sheet in sheets]
        self._documents = [_weights(sheet) for sheet in sheets]
        self._found = Counter(word for document in self._documents for word in document)
        self._resources = _resources(sheets)

    def likely(self, task: str) -> frozenset[str]:
        """The names of the functions on whole resources, the likeliest first, until there are `SHOWN`; all of a few,
        and all if the words of a task name none."""
        every = range(len(self._names))
        if len(every) <= FEW:
            return frozenset(self._names)
        asked = {*_with_compounds(tokens(task))} & {*self._found}
        rarity = {word: log(1 + len(every) / self._found[word]) for word in sorted(asked)}
        scores = [sum(rare * words.get(word, 0.0) for word, rare in rarity.items()) for words in self._documents]
        shown: set[int] = set()
        for best in sorted(every, key=lambda at: -scores[at]):
            if len(shown) >= SHOWN or not scores[best]:
                break
            shown.update(at for at in every if self._resources[at] == self._resources[best])
        return frozenset(self._names[at] for at in shown or every)


def _with_compounds(words: Sequence[str]) -> list[str]:
    """Words, and each two in a row as one: a task's "watch-list" is the document's `watchlist`."""
    return [*words, *map("".join, pairwise(words))]


def _weights(sheet: Sheet) -> dict[str, float]:
    """What each word of a document counts."""
    parts = [*(f"{one.name} {one.description}" for one in sheet.parameters), *(one.pointer for one in sheet.fields)]
    texts = ((" ".join(parts), _LISTED), (sheet.description, _SAID), (f"{sheet.name} {sheet.key.path}", _NAMED))
    return {word: weight for text, weight in texts for word in tokens(text)}


def _resources(sheets: Sequence[Sheet]) -> list[tuple[str, ...]]:
    """The resource of each function: its tool and the beginning of its path, no longer than it takes for one to have at
    most `SHOWN` functions. Values in a path do not count."""
    paths = [(sheet.key.tool, *_literals(sheet.key.path)) for sheet in sheets]
    lengths = range(2, max(map(len, paths), default=0) + 1)
    sizes = Counter(beginning for path in paths for beginning in {path[:length] for length in lengths})
    return [next((path[:length] for length in lengths if sizes[path[:length]] <= SHOWN), path) for path in paths]


def _literals(path: str) -> list[str]:
    return [part for part in path.split("/") if part and not part.startswith("{")]
