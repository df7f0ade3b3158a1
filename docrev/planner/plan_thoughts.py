"""The thought that is written before a planned call: what it is made for, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.conventions.parameters import ORDERING, role_of
from docrev.language.words import plural
from docrev.planner.bindings import Binding
from docrev.planner.field_names import field_phrase
from docrev.planner.operation_views import OperationView
from docrev.planner.search_state import FoundItem, can_see
from docrev.records import THERE, Given, Goal

BESIDE = {"nearby": "near", "nearest": "near", "similar": "similar to", "related": "related to"}
"""Nouns of paths that say how items are related to the item above, with the preposition to use."""
_WRITING = {"POST": "Create", "DELETE": "Delete"}


def thought_before(goal: Goal, view: OperationView, bindings: Sequence[Binding]) -> str:
    """Why this operation is called with these arguments."""
    noun = view.noun or "answer"
    if not view.is_safe:
        return f"{_WRITING.get(view.key.method, 'Change')} the {noun} with {view.key.operation}."
    givens = [goal.givens[binding.given] for binding in bindings if binding.given is not None]
    if givens:
        return _look_for(noun, givens)
    found = next((binding.item for binding in bindings if binding.item is not None), None)
    if found is None:
        return f"List what there is and find the {field_phrase(noun)} in it."
    if goal.want == THERE and can_see(goal, view.key, view.noun):
        if goal.many:
            return f"List the {plural(field_phrase(noun))} and look for it."
        return f"See if the {field_phrase(noun)} is there."
    return _follow(goal, view, noun, found)


def _look_for(noun: str, givens: list[Given]) -> str:
    """What to look for, or how to choose and sort a list."""
    sorts = [given for given in givens if role_of(given.label) in ORDERING]
    filters = [
        f"{field_phrase(given.label if given.noun in ('', noun) else given.noun)} {given.value}"
        for given in givens
        if given not in sorts
    ]
    order = f"sorted by {field_phrase(str(sorts[0].value).lstrip('-+'))}" if sorts else ""
    if not filters:
        return f"List the {plural(field_phrase(noun))} {order}."
    return f"Look for the {field_phrase(noun)} with {' and '.join(filters)}{f', {order}' if order else ''}."


def _follow(goal: Goal, view: OperationView, noun: str, found: FoundItem) -> str:
    """What to get of an item found before."""
    source = field_phrase(found.noun or "item")
    if noun == (found.noun or "item"):
        wanted = f"the {field_phrase(goal.want)}" if view.returns_field(goal.want) else "more"
        return f"Get {wanted} of the {source} found."
    if noun in BESIDE:
        return f"Get the {plural(source)} {BESIDE[noun]} the {source} found."
    returns_many = view.longest_list > 1 or not (view.was_single or view.is_single)
    return f"Get the {plural(field_phrase(noun)) if returns_many else field_phrase(noun)} of the {source} found."
