"""Whether a solution does what its instruction needs, as far as rules can tell beside the judge.

That an answer is grounded is little: an agent that looks at one thing and tells another is grounded too. Where it is
known what an instruction needs, the relevant operations must have been called on the way, and the answer must tell a
value of each field that is asked for, as a response has it of what the instruction speaks of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from docrev.json_values.leaves import parts
from docrev.language.words import has_word, words
from docrev.records import THERE, Call, Json, OperationKey, Trajectory
from docrev.train.data.instructions import Instruction


def lacking(one: Instruction, trajectory: Trajectory) -> list[str]:
    """What a solution does not do, in words; [] if nothing is missing that is known to be needed.

    Where one field is asked for and was seen, other operations may have shown it than those that were expected; what
    writes must have been called in any case.
    """
    calls = [node.call for node in trajectory.steps if node.call is not None and node.call.ok]
    values = {name: _values_of(one, name, calls) for name in one.wanted}
    any_reading = len(one.wanted) == 1 and all(values.values())
    needed = [key for key in one.relevant if not (any_reading and key.method == "GET")]
    return [*_uncalled(needed, calls), *_unanswered(values, trajectory.answer)]


def _uncalled(needed: Sequence[OperationKey], calls: Sequence[Call]) -> list[str]:
    called = {call.key for call in calls}
    return [f"{key} was not called" for key in needed if key not in called]


def _unanswered(values: Mapping[str, set[str]], answer: object) -> list[str]:
    answered = set(_scalars(answer))
    return [f"{name} is not in the answer" for name, known in values.items() if known and not known & answered]


def _values_of(one: Instruction, name: str, calls: Sequence[Call]) -> set[str]:
    """The values that an answer may tell for a field; whether a thing is there follows from what was done to it."""
    if name == THERE:
        return {"false" if any(key.method == "DELETE" for key in one.relevant) else "true"}
    name_words = words(name)
    meant = {value for part in _meant(one.text, calls) for value in _named(part, name_words)}
    return meant or {value for call in calls for value in _named(call.body, name_words)}


def _meant(text: str, calls: Sequence[Call]) -> Iterator[Json]:
    """The parts of responses that are about what a text says: if some objects hold most of its values, those; else
    whole responses of calls with its values, or with what such parts held (the id of what was looked up by name)."""
    seen: set[str] = set()
    for call in calls:
        objects = [(one, _values_in_text(one, text)) for _, one in parts(call.body) if isinstance(one, dict)]
        most = max((count for _, count in objects), default=0)
        sent = set(_scalars(call.arguments))
        meant: list[Json] = [one for one, count in objects if count == most > 0]
        if not meant and (sent & seen or any(_says(text, value) for value in sent)):
            meant = [call.body]
        for part in meant:
            seen |= set(_scalars(part))
            yield part


def _values_in_text(one: dict[str, object], text: str) -> int:
    """How many of an object's own values a text says."""
    own = {str(value) for value in one.values() if isinstance(value, str | int | float)}
    return sum(_says(text, value) for value in own)


def _says(text: str, value: str) -> bool:
    # Shorter ones stand in a text for other reasons.
    return len(value) > 2 and has_word(text, value)


def _named(body: object, name: tuple[str, ...]) -> Iterator[str]:
    """The values of fields of a name, at any depth."""
    return (text for key, part in parts(body) if key and words(key) == name for text in _scalars(part))


def _scalars(value: object) -> Iterator[str]:
    for _, part in parts(value):
        if part is not None and not isinstance(part, dict | list):
            yield str(part).lower() if isinstance(part, bool) else str(part)
