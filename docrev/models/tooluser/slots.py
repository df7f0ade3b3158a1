"""Symbols to token ids: known symbols have theirs, all others take slots, drawn anew for each prompt."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from docrev.errors import InputError
from docrev.models.tooluser.vocabulary import KNOWN, PAD, SIGNS
from docrev.storage.atomic import write_json

FILE = "docrev-tooluser.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Token ids of known symbols, and how many slots follow them."""

    known: tuple[str, ...]
    slots: int

    @classmethod
    def create(cls, slots: int, more: Iterable[str] = ()) -> Vocabulary:
        """Today's vocabulary, with this many slots; `more` symbols are known as well."""
        return cls((*SIGNS, *KNOWN, *more), slots)

    @classmethod
    def read(cls, folder: Path) -> Vocabulary:
        """The vocabulary beside the weights. Raises InputError if it cannot be read."""
        path = folder / FILE
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            if found["version"] != VERSION:
                raise InputError(f"made by another version ({found['version']})", where=str(path), fix="train it again")
            return cls(tuple(found["known"]), int(found["slots"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"no vocabulary: {error}", where=str(path), fix="name a folder that docrev made") from None

    def write(self, folder: Path) -> None:
        """Write it beside the weights."""
        told = {"version": VERSION, "form": "slots", "known": self.known, "slots": self.slots}
        write_json(folder / FILE, told)

    @property
    def size(self) -> int:
        return len(self.known) + self.slots

    @property
    def pad(self) -> int:
        return self.known.index(PAD)

    def tokens(self) -> list[str]:
        """The text of every token, by id."""
        return [*self.known, *(f"<s{number}>" for number in range(self.slots))]


class Slots:
    """The slots of one prompt. Where there are more words than slots, later words share those of earlier ones."""

    def __init__(self, vocabulary: Vocabulary, seed: int | str = 0) -> None:
        self._ids = {symbol: at for at, symbol in enumerate(vocabulary.known)}
        free = list(range(len(vocabulary.known), vocabulary.size))
        random.Random(f"slots {seed}").shuffle(free)
        self._free, self._used = free, 0

    def ids(self, symbols: Iterable[str]) -> list[int]:
        """The token ids of symbols; new words take new slots."""
        return [self.id(one) for one in symbols]

    def id(self, symbol: str) -> int:
        found = self._ids.get(symbol)
        if found is None:
            found = self._ids[symbol] = self._free[self._used % len(self._free)]
            self._used += 1
        return found
