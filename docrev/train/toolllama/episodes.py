"""Episodes: errands annotated as a tool user should do them, as symbols, with wrong turns that are not learned.

After one wrong turn the right call follows; after two in a row the agent gives up, so that a tree search goes back
and a chain ends. What was tried at a point is shown, and something else is right.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from docrev.models.tooluser.encoding import (
    action_symbols,
    past_symbols,
    sheet_symbols,
    task_symbols,
    tried_symbols,
    words_of,
)
from docrev.models.tooluser.vocabulary import ACTION, END, QUIT
from docrev.prompts.agents import FINISH, Past, Sheet
from docrev.records import Json
from docrev.runners.compression import observe
from docrev.runners.sheets import sheets
from docrev.train.toolllama.errands import Errand, InventedPlace, errands

THOUGHT = {"search": "<search>", "list": "<list>", "get": "<read>", "parts": "<parts>"}
WRONG, STUCK, SIBLING = 0.3, 0.35, 0.15
"""How often an episode takes a wrong turn, how often then a second, and how often something was tried at a point."""


@dataclass(slots=True)
class Episode:
    """One errand as symbols: the documents apart, so that others can be put beside them.

    `turns` are the parts after the documents, each with whether it is learned; `needed` are names of functions.
    """

    id: str
    kind: str
    task: list[str]
    good: dict[str, list[str]]
    poor: dict[str, list[str]]
    needed: list[str]
    turns: list[tuple[list[str], bool]]


def episodes(seed: int) -> Iterator[Episode]:
    """The episodes of one world, one of each kind."""
    place = InventedPlace(seed)
    draw = random.Random(f"episodes {seed}")
    good, poor = (sheets(catalog.operations) for catalog in (place.good, place.poor))
    documents = [{sheet.name: sheet_symbols(sheet) for sheet in found} for found in (good, poor)]
    for errand in errands(place, draw):
        yield Annotator(place, errand, good, draw).episode(*documents)


class Annotator:
    """Does one errand by its plan, with wrong turns now and then."""

    def __init__(self, place: InventedPlace, errand: Errand, known: tuple[Sheet, ...], draw: random.Random) -> None:
        self._place, self._errand, self._draw = place, errand, draw
        self._by_name = {sheet.name: sheet for sheet in known}
        self._by_key = {sheet.key: sheet for sheet in known}
        self._task = task_symbols(errand.text)
        self._said = words_of(self._task)
        self._turns: list[tuple[list[str], bool]] = []

    def episode(self, good: dict[str, list[str]], poor: dict[str, list[str]]) -> Episode:
        errand, draw = self._errand, self._draw
        needed = [self._by_key[deed.key].name for deed in errand.deeds]
        wrong_at = draw.randrange(len(errand.deeds)) if draw.random() < WRONG else -1
        tried_at = draw.randrange(len(errand.deeds)) if draw.random() < SIBLING else -1
        for at, deed in enumerate(errand.deeds):
            sheet = self._by_key[deed.key]
            if at == wrong_at and self._stray(sheet):
                break
            if at == tried_at:
                other = draw.choice([name for name in self._by_name if name != sheet.name])
                self._turns.append((tried_symbols([other]), False))
            self._right(THOUGHT[deed.what], sheet, deed.arguments)
            if at == tried_at:
                break
            self._observed(sheet, deed.arguments)
        else:
            ends = {"return_type": "give_answer", "final_answer": errand.answer}
            self._turns.append((["<answer>", *action_symbols(FINISH, ends, {})], True))
        return Episode(errand.id, errand.kind, self._task, good, poor, needed, self._turns)

    def _right(self, thought: str, sheet: Sheet, arguments: dict[str, object]) -> None:
        self._turns.append(([thought, *action_symbols(sheet.name, arguments, self._by_name)], True))

    def _observed(self, sheet: Sheet, arguments: dict[str, object]) -> None:
        past = self._past(sheet, arguments)
        symbols = past_symbols(past, self._by_name, self._said)
        self._turns.append((symbols[symbols.index(END) + 1 :], False))

    def _past(self, sheet: Sheet, arguments: dict[str, object]) -> Past:
        call = self._place.call(sheet.key, self._place.placed(sheet.key, arguments))
        return Past(
            thought="", action=sheet.name, arguments=arguments, observation=observe(sheet, call),
            outcome="answered" if call.ok else "failed",
        )  # fmt: skip

    def _stray(self, right: Sheet) -> bool:
        """Take one or two wrong turns; whether the agent then gave up."""
        others = [sheet for sheet in self._by_name.values() if sheet.name != right.name]
        self._draw.shuffle(others)
        for sheet in others[: 2 if self._draw.random() < STUCK else 1]:
            arguments = self._guessed(sheet)
            self._turns.append(
                (
                    [
                        self._draw.choice(sorted(THOUGHT.values())),
                        *action_symbols(sheet.name, arguments, self._by_name),
                    ],
                    False,
                )
            )
            self._observed(sheet, arguments)
            twice = sheet is others[1] if len(others) > 1 else False
        if twice:
            self._turns.append((["<stuck>", ACTION, QUIT, END], True))
        return twice

    def _guessed(self, sheet: Sheet) -> dict[str, Json]:
        """Arguments for a call that is wrong: what it needs, from the right calls."""
        guesses: dict[str, Json] = {}
        for one in sheet.parameters:
            if one.allowed and self._draw.random() < 0.5:
                guesses[one.name] = self._draw.choice(one.allowed)
            elif one.required:
                guesses[one.name] = self._value(one.type)
        return guesses

    def _value(self, kind: str) -> Json:
        values = [value for deed in self._errand.deeds for value in deed.arguments.values()]
        fitting = [value for value in values if isinstance(value, int) == (kind == "integer")]
        return fitting[0] if fitting else 7 if kind == "integer" else str(values[0])
