"""Whether a text says more than its evidence: claims that one call cannot show, by the words that make them.

Names, values and numbers are checked elsewhere (`text_checks`); here it is what is claimed of them. A rule is a pattern
of a claim and what the evidence on the place must contain for it; a text without any such claim passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from docrev.facts.tried_values import Tried
from docrev.facts.wire_values import number
from docrev.models.trust import Suspicion
from docrev.records import Call

SEVERAL = 2


@dataclass(frozen=True, slots=True)
class TextEvidence:
    """What a text names as its evidence: calls, and values that were tried. `required`: the schema says so."""

    calls: Sequence[Call] = ()
    tried: Sequence[Tried] = ()
    returned: Collection[str] = ()
    required: bool = False

    @property
    def sent(self) -> list[Tried]:
        return [one for one in self.tried if one.sent]


def _has_several(evidence: TextEvidence, text: str) -> bool:
    return len(evidence.sent) >= SEVERAL or len(evidence.calls) >= SEVERAL


def _has_same_outcome(evidence: TextEvidence, text: str) -> bool:
    """Several values, each answered with 2xx, whose outcomes cannot be told apart from one another or from none."""
    accepted = [one for one in evidence.sent if one.ok]
    same = [one for one in accepted if "same response" in one.outcome]
    # The first of all is what the others are compared with.
    is_first_sent = not any(one.ok and not one.sent for one in evidence.tried)
    return len(accepted) >= SEVERAL and len(same) >= len(accepted) - is_first_sent


def _has_unknown(evidence: TextEvidence, text: str) -> bool:
    """Several values that no response has."""
    strange = [one for one in evidence.sent if str(one.value) not in evidence.returned]
    return len(strange) >= SEVERAL


def _was_left_out(evidence: TextEvidence, text: str) -> bool:
    return any(not one.sent for one in evidence.tried) or (not evidence.tried and bool(evidence.calls))


def _was_exceeded(evidence: TextEvidence, text: str) -> bool:
    """A value beyond each number that is called a maximum."""
    numbers = [float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]
    sent = [float(value) for one in evidence.sent if (value := number(one.value)) is not None]
    by_length = [float(len(one.value)) for one in evidence.sent if isinstance(one.value, str)]
    return not numbers or any(value > min(numbers) for value in (*sent, *by_length))


def _was_refused_without(evidence: TextEvidence, text: str) -> bool:
    left_out = [one for one in evidence.tried if not one.sent]
    refused = any(not one.ok for one in left_out) or any(not call.ok for call in evidence.calls)
    return evidence.required or refused


def _has_both_cases(evidence: TextEvidence, text: str) -> bool:
    sent = [str(one.value) for one in evidence.sent] + [
        str(value) for call in evidence.calls for value in call.arguments.values()
    ]
    return len(sent) > len({value.casefold() for value in sent})


Rule = Callable[[TextEvidence, str], bool]
_RULES: tuple[tuple[re.Pattern[str], Rule, str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), rule, needs)
    for pattern, rule, needs in (
        (r"\bignored?\b|\bno effect\b|\bunchanged\b", _has_same_outcome, "several values with the same response"),
        (r"\b(?:unknown|other|invalid|unsupported|unrecogni[sz]ed)\b (?:\w+ )?(?:values?|codes?|names?|ids?)\b",
         _has_unknown, "several values that are none of those returned"),
        (r"\bcase[- ](?:in)?sensitive|\b(?:any|either|upper|lower) ?case\b", _has_both_cases, "a value in both cases"),
        (r"\bby default\b|\bdefaults? to\b|\bif omitted\b|\bwithout it\b", _was_left_out, "a call that left it out"),
        (r"\b(?:at most|maximum|cut|capped|limited to|no more than)\b", _was_exceeded, "a value beyond it"),
        (r"\bis required\b|^required\b|\bmust be sent\b", _was_refused_without, "a call without it that was refused"),
        (r"\b(?:any|all|every|each|always|never) (?:other )?(?:values?|dates?|codes?|languages?|names?|ids?|calls?)\b",
         _has_several, "several values"),
    )
)  # fmt: skip


def overstatements(text: str, evidence: TextEvidence) -> Iterator[Suspicion]:
    """What a text claims and its evidence does not show; each says what would."""
    if not evidence.calls and not evidence.tried:
        yield Suspicion("no-evidence", "no label of the material is given as its evidence")
        return
    for pattern, rule, needs in _RULES:
        if (claim := pattern.search(text)) and not rule(evidence, text):
            yield Suspicion("overstated", f'"{claim.group()}" needs {needs}, and the evidence named has none')
