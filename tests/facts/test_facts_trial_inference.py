"""Facts from trials that come one after another: the same as from all of them at once, and no work done twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrev.facts.parameter_trials import NONSENSE
from docrev.facts.trial_inference import TrialInference
from docrev.facts.trial_replays import replay_trials
from docrev.facts.trials import UNCHANGED, Trial
from docrev.prompts.steps import Invoke
from docrev.records import Call, Fact, Json, OperationKey

KEY = OperationKey("shop", "GET /things")
THINGS: list[Json] = [{"id": n, "colour": ["red", "blue", "green"][n % 3], "size": n * 2.5} for n in range(1, 10)]
CALLS: dict[str, Call] = {}


def answered(id: str, body: Json, **sent: Json) -> str:
    """Keep a call under its id, with its query arguments."""
    arguments = {f"query:{name}": value for name, value in sent.items()}
    CALLS[id] = Call(id, KEY, arguments, "http://a/things", 200, {}, body, "application/json", "probe")
    return id


def chosen(colour: str) -> Json:
    return {"items": [one for one in THINGS if isinstance(one, dict) and one["colour"] == colour]}


BASE = answered("base", {"items": THINGS})
AGAIN = Trial(UNCHANGED, None, BASE, answered("again", {"items": THINGS}), sent=False)
FLAVOURS = [
    Trial("query:flavour", value, BASE, answered(f"flavour-{value}", {"items": THINGS}, flavour=value))
    for value in (*NONSENSE, "sour")
]
COLOURS = [
    Trial("query:colour", value, BASE, answered(f"colour-{value}", chosen(value), colour=value))
    for value in ("red", "blue", "zz-1")
]


def of(facts: list[Fact], name: str) -> list[Fact]:
    return [fact for fact in facts if fact.location == f"query:{name}"]


def test_facts_follow_as_trials_come_and_are_not_inferred_twice() -> None:
    inference = TrialInference(CALLS.get)
    trials: list[Trial] = []
    for trial in (AGAIN, *FLAVOURS, *COLOURS):
        trials.append(trial)
        assert inference.facts(KEY, trials) == TrialInference(CALLS.get).facts(KEY, trials)
    first, then = inference.facts(KEY, trials), inference.facts(KEY, trials)
    assert {fact.kind for fact in of(first, "colour")} >= {"filters"}
    assert [*map(id, first)] == [*map(id, then)]


def test_that_a_parameter_is_ignored_follows_once_another_one_is_read() -> None:
    inference = TrialInference(CALLS.get)
    assert "ignored" not in {fact.kind for fact in of(inference.facts(KEY, FLAVOURS), "flavour")}
    assert "ignored" in {fact.kind for fact in of(inference.facts(KEY, FLAVOURS + COLOURS), "flavour")}


def test_facts_follow_from_what_calls_are_known_to_have_returned_by_now() -> None:
    known = dict(CALLS)
    inference = TrialInference(known.get)
    assert of(inference.facts(KEY, COLOURS), "colour")
    for trial in COLOURS:
        known[trial.call] = CALLS[BASE]
    assert not [fact for fact in of(inference.facts(KEY, COLOURS), "colour") if fact.kind == "filters"]


@pytest.mark.parametrize(("taken", "ends"), [((1,), []), ((1, 2, 3), [{"minimum": 1, "maximum": 3}])])
def test_one_number_alone_that_is_accepted_ends_no_range(taken: tuple[int, ...], ends: list[Json]) -> None:
    trials = []
    for value in (-7, 0, 1, 2, 3, 4, 2.5, "zz", 1000):
        id = answered(f"level-{taken}-{value}", {"items": THINGS}, level=value)
        if value not in taken:
            CALLS[id] = replace(CALLS[id], status=400, body={"message": f"Level '{value}' is invalid"})
        trials.append(Trial("query:level", value, BASE, id))
    found = of(TrialInference(CALLS.get).facts(KEY, trials), "level")
    assert [fact.value for fact in found if fact.kind == "range"] == ends


def test_facts_on_a_list_are_shown_again_though_something_was_added_to_it() -> None:
    """The base was repeated before the new thing came: this comparison says nothing on what is asked afterwards."""
    grown: list[Json] = [{"id": 0, "colour": "red", "size": 0.5}, *THINGS]
    page = answered("page", {"items": THINGS[:5]})
    again = Trial(UNCHANGED, None, page, answered("page-again", {"items": THINGS[:5]}), sent=False)
    limits = [
        Trial("query:limit", n, page, answered(f"limit-{n}", {"items": THINGS[:n]}, limit=n)) for n in (1, 2, 5, 1000)
    ]
    trials = {KEY: (again, *limits)}
    facts = TrialInference(CALLS.get).facts(KEY, trials[KEY])
    assert {fact.kind for fact in facts} >= {"limits", "default"}
    running = replay_trials(facts, trials, CALLS.get)
    asked = next(running)
    assert isinstance(asked, list)
    most = [step.arguments.get("query:limit", 5) for step in asked if isinstance(step, Invoke)]
    fresh = [answered(f"fresh-{n}", {"items": grown[:limit]}) for n, limit in enumerate(most)]
    try:
        running.send([CALLS[id] for id in fresh])
    except StopIteration as end:
        kept, dropped = end.value
    assert {fact.kind for fact in kept} >= {"limits", "default"}
    assert not dropped


@pytest.mark.parametrize(
    ("value", "message", "expected"),
    [
        (True, "you must choose at least one stream", False),
        (True, "stderr is required", True),
        ("all", "you must choose at least one stream", True),
        ("all", "stderr is required", True),
        ("all", "stderr is required since the container has no default stream", False),
    ],
)
def test_a_flag_is_required_only_if_a_refusal_names_it(value: Json, message: str, expected: bool) -> None:
    """`stdout` or `stderr`: what answers one flag alone says nothing of the other; nor does a reason why of all."""
    base = answered("log", {"lines": []}, stderr=value)
    CALLS["bare"] = Call("bare", KEY, {}, "http://a/things", 400, {}, {"message": message}, "application/json", "probe")
    facts = TrialInference(CALLS.get).facts(KEY, [Trial("query:stderr", None, base, "bare", sent=False)])
    assert ("required" in {fact.kind for fact in of(facts, "stderr")}) is expected
