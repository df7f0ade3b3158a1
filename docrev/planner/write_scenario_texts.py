"""The text of a scenario that writes: what to create, what to do with it, and what to look up afterwards."""

from __future__ import annotations

from docrev.language.phrases import joined
from docrev.language.words import article, plural
from docrev.planner.field_names import field_phrase
from docrev.planner.scenario_texts import quoted, wanted_phrase, wanted_phrase_of_many
from docrev.planner.write_scenarios import WriteScenario, WriteStep
from docrev.records import THERE, Given

_TEXT_LABELS = ("title", "name", "text", "description", "content")


def write_scenario_text(scenario: WriteScenario) -> str:
    """Two or three sentences: the creations, what happens then, and the question."""
    created = [step for step in scenario.steps if step.deed.verb == "create"]
    later = [f"Then {_instruction(scenario, step)}." for step in scenario.steps if step.deed.verb != "create"]
    return " ".join([f"{_creations(created)}.", *later, _question(scenario)])


def _creations(steps: list[WriteStep]) -> str:
    """Create a bucket, in it a collection, and in that a record with title "X"."""
    places = ["", "in it ", *["in that "] * len(steps)]
    things = [f"{'' if step.is_second else place}{_thing(step)}" for place, step in zip(places, steps, strict=False)]
    return "Create " + (things[0] if len(things) == 1 else f"{', '.join(things[:-1])}, and {things[-1]}")


def _thing(step: WriteStep) -> str:
    noun = field_phrase(step.deed.noun) or "item"
    path_id = next((given for given in step.givens if given.location.startswith("path:")), None)
    others = [given for given in step.givens if given is not path_id]
    if step.is_second:
        thing = f"another {noun}"
    elif path_id is not None:
        thing = f"the {noun} {quoted(path_id.value)}"
    else:
        thing = f"{article(noun)} {noun}"
    return thing + (f" with {joined([_with_value(given) for given in others])}" if others else "")


def _with_value(given: Given) -> str:
    label = field_phrase(given.label)
    has_article = label.isupper() or given.label in _TEXT_LABELS or " code" in label
    return f"{'the ' if has_article else ''}{label} {quoted(given.value)}"


def _instruction(scenario: WriteScenario, step: WriteStep) -> str:
    noun = field_phrase(step.deed.noun) or "item"
    if step.deed.verb == "change":
        changes = [f"its {field_phrase(given.label)} to {quoted(given.value)}" for given in step.givens]
        return f"change {joined(changes)}"
    if step.deed.verb == "delete":
        has_second = any(other.is_second and other.resource is step.resource for other in scenario.steps)
        return "delete the second one" if has_second else "delete it"
    if step.givens:
        return f"delete all {plural(noun)} with {joined([_with_value(given) for given in step.givens])}"
    return f"delete all {plural(noun)} in {_parent(scenario)}"


def _question(scenario: WriteScenario) -> str:
    goal = scenario.goal
    noun = field_phrase(goal.noun) or "item"
    verbs = {deed.verb for deed in goal.deeds}
    if goal.want == THERE:
        still = "still " if verbs & {"delete", "clear"} else ""
        if not goal.many:
            return f"Is it {still}there?"
        whose = f"{_parent(scenario)}'s" if scenario.resource.parent is not None else "the"
        return f"Is the {noun} {still}in {whose} list of {plural(noun)}?"
    if goal.many:
        left = " that are left" if "delete" in verbs else ""
        want = wanted_phrase_of_many(goal.want, goal.noun)
        return f"What are the {want} of the {plural(noun)}{left} in {_parent(scenario)}?"
    then = " then" if "change" in verbs else ""
    return f"What {wanted_phrase(goal.want, goal.noun)} does the {noun} have{then}?"


def _parent(scenario: WriteScenario) -> str:
    parent = scenario.resource.parent
    return f"the {field_phrase(parent.noun)}" if parent is not None else "the list"
