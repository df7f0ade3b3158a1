"""A refusal in the same words, whatever is sent to several operations: what they lack is nothing that they are sent."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from docrev.conventions.error_claims import Hint
from docrev.conventions.hint_locations import name_at, sent
from docrev.exploration.subjects import Subject
from docrev.language.words import words
from docrev.records import Arguments
from docrev.spec.schema import properties_of

SAME_WORDS = "same-words"
MANY = 3
"""Operations that are refused in the same words, from which on these say nothing of what one of them is sent."""
MAX_SAME = 3
"""Refusals in a row in such words, after which an operation is asked again only when something was changed."""

_LACK = re.compile(r"\b(?:no|not|none|never|nothing|without|lacks?|unavailable|disabled|offline)\b|n't\b", re.I)
"""Words of what is not there, or not so."""
_OF_REQUEST = frozenset(
    "request requests input inputs parameter parameters argument arguments body data payload value values field fields "
    "json validation validate format valid invalid bad content type query path url property properties entity".split()
)
"""Words on what is sent, whatever it is: a framework may say no more of any mistake."""


class SameRefusals:
    """Counts by tool and words the operations that were refused so, and stops them.

    What they lack may be made by another operation: each one that changes something for the first time lets all of them
    be asked once more.
    """

    def __init__(self) -> None:
        self._refused: dict[tuple[str, str], dict[str, Subject]] = defaultdict(dict)
        self._latest: dict[str, tuple[str, int]] = {}

    def note(self, subject: Subject, arguments: Arguments, hints: Sequence[Hint], text: str) -> None:
        """Take in a refusal."""
        tool, name = subject.operation.tool, str(subject.operation.key)
        if not _is_on_nothing_sent(subject, arguments, hints, text):
            self._latest.pop(name, None)
            return
        before, count = self._latest.get(name, (text, 0))
        self._latest[name] = text, count + 1 if before == text else 1
        alike = self._refused[tool, text]
        alike[name] = subject
        for other, waiting in alike.items() if len(alike) >= MANY else ():
            latest, times = self._latest.get(other, ("", 0))
            if latest == text and times >= MAX_SAME:
                waiting.stopped = waiting.stopped or SAME_WORDS

    def note_change(self, tool: str) -> None:
        """Take in that an operation changed something for the first time."""
        for (of, _), alike in self._refused.items():
            for subject in alike.values() if of == tool else ():
                if subject.stopped == SAME_WORDS:
                    subject.stopped = ""


def _is_on_nothing_sent(subject: Subject, arguments: Arguments, hints: Sequence[Hint], text: str) -> bool:
    """Whether a refusal names something that is not there, and nothing that was sent or could be."""
    if any(hint.kind != "invalid" or hint.name for hint in hints) or not _LACK.search(text):
        return False
    said = set(words(text))
    operation = subject.operation
    names = [parameter.name for parameter in operation.parameters] + [*properties_of(operation.body_schema)]
    names += [name_at(location) for location, _ in sent(arguments)]
    values = [value for _, value in sent(arguments) if isinstance(value, str)]
    named = any(said.issuperset(own) for own in map(words, (*names, *values)) if own)
    return not named and not said & _OF_REQUEST
