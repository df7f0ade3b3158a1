"""`pattern`: a text that does not match this regular expression is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docrev.conventions.error_claims import Hint
from docrev.facts.call_values import call_values
from docrev.facts.kind import Facts, TextValue
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.stated_facts import stated_kind
from docrev.records import Call, Fact

MAX_PATTERN = 200


def compiled(text: str) -> re.Pattern[str] | None:
    """A pattern that a server stated, if it may be run: it is short, and nothing in it can take for ever."""
    if len(text) > MAX_PATTERN or re.search(r"[+*}]\)?[+*{]", text):
        return None
    try:
        return re.compile(text)
    except re.error:
        return None


def _refutes(fact: Fact, call: Call) -> bool:
    pattern = compiled(fact.value)
    texts = [value for value in call_values(call, fact.location) if isinstance(value, str)]
    return pattern is not None and any(pattern.search(text) is None for text in texts)


def _from_trials(trials: ParameterTrials) -> Facts:
    """Messages state a pattern that all accepted texts match, and none of the rejected ones."""
    texts = [(value, call) for value, call in trials.accepted if isinstance(value, str)]
    for (text, *_), rejected in trials.statements("pattern"):
        pattern = compiled(text)
        refused = [one.value for one in rejected if isinstance(one.value, str)]
        if pattern is None or not texts or any(map(pattern.search, refused)):
            continue
        if all(pattern.search(value) for value, _ in texts):
            yield KIND.fact(trials.key, trials.location, TextValue(text), (rejected[0].call.id, texts[0][1]))


def _read(hints: Sequence[Hint]) -> TextValue | None:
    texts = [hint.values[0] for hint in hints if hint.kind == "pattern" and compiled(hint.values[0]) is not None]
    return TextValue(texts[0]) if len(texts) == 1 else None


KIND = stated_kind("pattern", TextValue, _read, refutes=_refutes, from_trials=_from_trials)
