"""`length`: a text shorter than the minimum, or longer than the maximum, is refused."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.conventions.error_claims import Hint
from docrev.facts.call_values import call_values
from docrev.facts.kind import Ends, Facts
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.stated_facts import stated_kind
from docrev.records import Call, Fact


def _refutes(fact: Fact, call: Call) -> bool:
    texts = [value for value in call_values(call, fact.location) if isinstance(value, str)]
    return any(KIND.value_of(fact).excludes(len(text)) for text in texts)


def _from_trials(trials: ParameterTrials) -> Facts:
    """Messages state a bound: a text of this length was accepted, one beyond it rejected and none accepted."""
    accepted = {len(value): call for value, call in trials.accepted if isinstance(value, str)}
    rejected = {len(one.value): one.call.id for one in trials.sent if one.rejected and isinstance(one.value, str)}
    ends, calls = dict[str, int](), list[str]()
    for end, outermost, step in (("minimum", min, -1), ("maximum", max, 1)):
        for (text, *_), _rejections in trials.statements(f"{end[:3]}-length"):
            bound = int(float(text))
            if bound == outermost(accepted, default=None) and bound + step in rejected:
                ends[end] = bound
                calls += [accepted[bound], rejected[bound + step]]
    if ends:
        yield KIND.fact(trials.key, trials.location, Ends(**ends), dict.fromkeys(calls))


def _read(hints: Sequence[Hint]) -> Ends | None:
    ends = {end: hint.values[0] for hint in hints for end in ("minimum", "maximum") if hint.kind == f"{end[:3]}-length"}
    whole = {end: int(float(text)) for end, text in ends.items()}
    return Ends(**whole) if whole else None


KIND = stated_kind("length", Ends, _read, refutes=_refutes, from_trials=_from_trials)
