"""The text of an errand: what to create, what to do with it, and what to say then."""

from __future__ import annotations

from docrev.language.words import article, plural
from docrev.planner.field_phrases import spoken
from docrev.planner.scenario_texts import joined, quoted, wanted, wanted_all
from docrev.planner.write_scenarios import Errand, Step
from docrev.records import THERE, Given


def tell(errand: Errand) -> str:
    """Two or three sentences: the creations, what happens then, and the question."""
    steps = errand.steps
    created = [step for step in steps if step.deed.verb == "create"]
    said = [f"{_making(created)}."]
    said += [f"Then {_doing(errand, step)}." for step in steps if step.deed.verb != "create"]
    return f"{' '.join(said)} {_question(errand)}"


def _making(steps: list[Step]) -> str:
    """Create a bucket, in it a collection, and in that a record with title "X"."""
    said: list[str] = []
    for index, step in enumerate(steps):
        where = "" if index == 0 or step.again else "in it " if index == 1 else "in that "
        said.append(f"{where}{_thing(step)}")
    return "Create " + (said[0] if len(said) == 1 else f"{', '.join(said[:-1])}, and {said[-1]}")


def _thing(step: Step) -> str:
    noun = spoken(step.deed.noun) or "item"
    named = next((given for given in step.given if given.location.startswith("path:")), None)
    rest = [given for given in step.given if given is not named]
    if step.again:
        thing = f"another {noun}"
    elif named is not None:
        thing = f"the {noun} {quoted(named.value)}"
    else:
        thing = f"{article(noun)} {noun}"
    return thing + (f" with {joined([_with(given) for given in rest])}" if rest else "")


def _with(given: Given) -> str:
    label = spoken(given.label)
    bare = label.isupper() or given.label in ("title", "name", "text", "description", "content")
    return f"the {label} {quoted(given.value)}" if bare or " code" in label else f"{label} {quoted(given.value)}"


def _doing(errand: Errand, step: Step) -> str:
    noun = spoken(step.deed.noun) or "item"
    if step.deed.verb == "change":
        return f"change {joined([f'its {spoken(given.label)} to {quoted(given.value)}' for given in step.given])}"
    if step.deed.verb == "delete":
        two = sum(one.deed.verb == "create" and one.resource is step.resource for one in errand.steps) > 1
        return "delete the second one" if two else "delete it"
    if step.given:
        return f"delete all {plural(noun)} with {joined([_with(given) for given in step.given])}"
    return f"delete all {plural(noun)} in {_holder(errand)}"


def _question(errand: Errand) -> str:
    goal = errand.goal
    noun = spoken(goal.noun) or "item"
    verbs = {deed.verb for deed in goal.deeds}
    if goal.want == THERE:
        still = "still " if verbs & {"delete", "clear"} else ""
        if not goal.many:
            return f"Is it {still}there?"
        whose = f"{_holder(errand)}'s" if errand.resource.parent is not None else "the"
        return f"Is the {noun} {still}in {whose} list of {plural(noun)}?"
    if goal.many:
        left = " that are left" if "delete" in verbs else ""
        return f"What are the {wanted_all(goal.want, goal.noun)} of the {plural(noun)}{left} in {_holder(errand)}?"
    then = " then" if "change" in verbs else ""
    return f"What {wanted(goal.want, goal.noun)} does the {noun} have{then}?"


def _holder(errand: Errand) -> str:
    parent = errand.resource.parent
    return f"the {spoken(parent.noun)}" if parent is not None else "the list"
