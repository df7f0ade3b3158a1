"""Names that a text mentions: how much of a name's rarer words occur in it, and whether the name stands there whole."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from docrev.language.words import words
from docrev.retrieval.tokens import tokens

if TYPE_CHECKING:
    import numpy as np

_SHORTEST = 5


def rarity(texts: Iterable[str]) -> dict[str, float]:
    """How rare each token of `texts` is: the logarithm of its inverse share of the texts."""
    counts: Counter[str] = Counter()
    size = 0
    for text in texts:
        counts.update(set(tokens(text)))
        size += 1
    return {token: math.log1p(size / (count + 0.5)) for token, count in counts.items()}


class Mentions:
    """Names (not all distinct), ready to be looked for; `rare` says how much a token weighs, as `rarity` gives it."""

    def __init__(self, names: Sequence[str], rare: dict[str, float]) -> None:
        import numpy as np

        distinct = {name: place for place, name in enumerate(dict.fromkeys(names))}
        self._place = np.array([distinct[name] for name in names])
        self._plain = [" ".join(words(name)) for name in distinct]
        self._size = len(distinct)
        most = max(rare.values(), default=1.0)
        found: dict[str, list[tuple[int, float]]] = {}
        for place, name in enumerate(distinct):
            own = list(dict.fromkeys(tokens(name) or words(name)))
            total = math.fsum(rare.get(token, most) for token in own)
            for token in own:
                found.setdefault(token, []).append((place, rare.get(token, most) / total))
        self._having = {t: (np.array([p for p, _ in row]), np.array([w for _, w in row])) for t, row in found.items()}

    def share(self, text: str) -> np.ndarray:
        """For each name the weighted share of its tokens that occur in `text`, from 0 to 1."""
        import numpy as np

        total = np.zeros(self._size)
        for token in sorted({*tokens(text), *words(text)}):
            if token in self._having:
                places, weights = self._having[token]
                total[places] += weights
        found: np.ndarray = total[self._place].astype(np.float32)
        return found

    def whole(self, text: str) -> np.ndarray:
        """1 for each name that stands in `text` as it is, word by word; names under five letters never do."""
        import numpy as np

        said = f" {' '.join(words(text))} "
        found = [1.0 if len(name) >= _SHORTEST and f" {name} " in said else 0.0 for name in self._plain]
        said_of: np.ndarray = np.array(found, dtype=np.float32)[self._place]
        return said_of
