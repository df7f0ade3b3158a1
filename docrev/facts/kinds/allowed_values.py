"""`allowed-values`: a parameter or a request property accepts these values and no others."""

from __future__ import annotations

import re
from collections.abc import Sequence as Several

from docrev.conventions.error_claims import Hint
from docrev.facts.call_values import call_values
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import ARGUMENT, Facts, Kind, Replay, Sequence
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.stated_facts import facts_stated, shows_stated
from docrev.facts.wire_values import key_of
from docrev.records import Call, Fact, Json


def _refutes(fact: Fact, call: Call) -> bool:
    allowed = {key_of(value) for value in fact.value} | {""}
    sent = [key_of(value) for value in call_values(call, fact.location)]
    # A list of several values may be accepted if each of them is allowed.
    return any(value not in allowed and not allowed.issuperset(value.split(",")) for value in sent)


MAX_ALLOWED = 16
"""Allowed values that are tried one by one; a longer list is no fact."""


def _from_trials(trials: ParameterTrials) -> Facts:
    """Rejections state a list of values, all of which and no others were accepted."""
    accepted = {key_of(value): call for value, call in trials.accepted}
    for values, rejected in trials.statements("allowed-values"):
        if 2 <= len(values) <= MAX_ALLOWED and accepted.keys() == set(values):
            calls = dict.fromkeys([rejected[0].call.id, *(accepted[value] for value in values)])
            yield KIND.fact(trials.key, trials.location, Sequence(_typed(values)), calls)
            return


def _typed(values: tuple[str, ...]) -> tuple[Json, ...]:
    """Texts, or integers if all of them are."""
    whole = all(re.fullmatch(r"0|-?[1-9]\d{0,17}", value) for value in values)
    return tuple(int(value) for value in values) if whole else values


def _read(hints: Several[Hint]) -> Sequence | None:
    lists = [
        hint.values for hint in hints if hint.kind == "allowed-values" and all(v in hint.text for v in hint.values)
    ]
    return Sequence(_typed(lists[0])) if len(lists) == 1 and 2 <= len(lists[0]) <= MAX_ALLOWED else None


def _from_calls(view: EvidenceView) -> Facts:
    return facts_stated(KIND, view.stated, _read)


# All values were accepted once: the refusal and one of them are enough.
KIND = Kind(
    "allowed-values",
    Sequence,
    ARGUMENT,
    shows=shows_stated(_read),
    refutes=_refutes,
    replay=Replay(trials=2),
    proves_read=True,
    from_trials=_from_trials,
    from_calls=_from_calls,
)
