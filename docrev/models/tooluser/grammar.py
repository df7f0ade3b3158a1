"""What an action may be: functions that exist, parameters that they have, values that were documented or seen.

A grammar is asked, token by token, what may come next. At the end there is always an action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docrev.models.tooluser.encoding import function, parameter, values
from docrev.models.tooluser.slots import Slots
from docrev.models.tooluser.vocabulary import ACTION, ALSO, ARGUMENT, END, FINISH, QUIT, THOUGHTS
from docrev.prompts.agents import FINISH as FINISH_NAME
from docrev.prompts.agents import Action, Argument, NextAction, Sheet, finish, give_up
from docrev.records import Json

MOST_ANSWERS = 12


class ChoiceTree:
    """The values that may be copied, as a tree of tokens; if two are written alike, the first holds."""

    def __init__(self, found: Sequence[tuple[Sequence[int], object]]) -> None:
        self._root: dict[int, Any] = {}
        for told, value in found:
            node = self._root
            for token in told:
                node = node.setdefault(token, {})
            node.setdefault(-1, value)

    def at(self, tokens: Sequence[int]) -> dict[int, Any]:
        """What may follow: tokens, and -1 with the value if it may end."""
        node = self._root
        for token in tokens:
            node = node.get(token, {})
        return node


class Grammar:
    """The actions that one prompt allows; `slots` are those that the prompt was written with."""

    def __init__(self, prompt: NextAction, slots: Slots) -> None:
        self._prompt, self._slots = prompt, slots
        self._sign = {name: slots.id(name) for name in (ACTION, ALSO, ARGUMENT, END, FINISH, QUIT)}
        self._thoughts = {slots.id(sign): text for sign, text in THOUGHTS.items()}
        tried = {action.action for action in prompt.siblings}
        # What was tried here is not tried again, as long as something else is left.
        open_ = [sheet for sheet in prompt.operations if sheet.name not in tried] or list(prompt.operations)
        self._trees: dict[str, ChoiceTree] = {}
        self._answers: ChoiceTree = self._tree(None)
        self._sheets = {slots.id(function(sheet.name)): sheet for sheet in open_ if self._callable(sheet)}
        self._may_quit = FINISH_NAME not in tried or not self._sheets

    @property
    def callable(self) -> tuple[str, ...]:
        """The functions that may be called: all that they need is known, and they were not tried here."""
        return tuple(sheet.name for sheet in self._sheets.values())

    def allowed(self, written: Sequence[int]) -> list[int]:
        """The tokens that may come after `written`; empty after the end."""
        sign = self._sign
        if not written:
            return sorted(self._thoughts)
        if len(written) == 1:
            return [sign[ACTION]]
        if len(written) == 2:
            ends = [sign[FINISH]] * bool(self._answers.at(())) + [sign[QUIT]] * self._may_quit
            return [*self._sheets, *ends] or [sign[QUIT]]
        if written[-1] == sign[END]:
            return []
        if written[2] == sign[QUIT]:
            return [sign[END]]
        return self._in_answer(written[3:]) if written[2] == sign[FINISH] else self._in_call(written)

    def action(self, written: Sequence[int]) -> Action:
        """The action that was written, to its end."""
        thought = self._thoughts.get(written[0], "")
        if written[2] == self._sign[QUIT]:
            return give_up(thought)
        if written[2] == self._sign[FINISH]:
            parts = [self._answers.at(part)[-1] for part in _split(written[3:-1], self._sign[ALSO])]
            return finish(parts[0] if len(parts) == 1 else parts, thought)
        sheet = self._sheets[written[2]]
        arguments: dict[str, Json] = {}
        for part in _split(written[3:-1], self._sign[ARGUMENT])[1:]:
            one = self._named(sheet)[part[0]]
            arguments[one.name] = self._of(sheet, one).at(part[1:])[-1]
        return Action(thought=thought, action=sheet.name, arguments=arguments)

    def _in_answer(self, written: Sequence[int]) -> list[int]:
        parts = _split(written, self._sign[ALSO])
        follows = self._answers.at(parts[-1])
        more = [self._sign[ALSO]] if len(parts) < MOST_ANSWERS else []
        return [token for token in follows if token >= 0] + ([*more, self._sign[END]] if -1 in follows else [])

    def _in_call(self, written: Sequence[int]) -> list[int]:
        sheet = self._sheets[written[2]]
        _, *arguments = _split(written[3:], self._sign[ARGUMENT])
        given = {part[0] for part in arguments if part}
        if not arguments:
            return self._after_value(sheet, given)
        last = arguments[-1]
        if not last:
            return self._open(sheet, given)
        follows = self._of(sheet, self._named(sheet)[last[0]]).at(last[1:])
        more = [token for token in follows if token >= 0]
        return more + self._after_value(sheet, given) if -1 in follows else more

    def _after_value(self, sheet: Sheet, given: set[int]) -> list[int]:
        """The signs that may come between two arguments: another one, or the end."""
        named, rest = self._named(sheet), self._open(sheet, given)
        missing = any(named[token].required for token in rest)
        return [self._sign[ARGUMENT]] * bool(rest) + [self._sign[END]] * (not missing)

    def _open(self, sheet: Sheet, given: set[int]) -> list[int]:
        """The parameters that may still be given: the required ones first, in the documents' order."""
        named = self._named(sheet)
        left = [token for token in named if token not in given]
        needed = [token for token in left if named[token].required]
        return needed[:1] or [token for token in left if self._of(sheet, named[token]).at(())]

    def _named(self, sheet: Sheet) -> dict[int, Argument]:
        return {self._slots.id(parameter(sheet.name, one.name)): one for one in sheet.parameters}

    def _callable(self, sheet: Sheet) -> bool:
        return all(self._of(sheet, one).at(()) for one in sheet.parameters if one.required)

    def _of(self, sheet: Sheet, one: Argument) -> ChoiceTree:
        key = f"{sheet.name} {one.name}" if one.allowed else one.type
        if key not in self._trees:
            self._trees[key] = self._tree(one)
        return self._trees[key]

    def _tree(self, one: Argument | None) -> ChoiceTree:
        return ChoiceTree([(self._slots.ids(told), value) for told, value in values(self._prompt, one)])


def _split(tokens: Sequence[int], at: int) -> list[list[int]]:
    parts: list[list[int]] = [[]]
    for token in tokens:
        if token == at:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts
