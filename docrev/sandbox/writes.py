"""What is read back after writing to the bundled services, from what a question says was sent."""

from __future__ import annotations

from collections.abc import Callable

from docrev.records import Given, Goal, Json
from docrev.sandbox.tables import load
from docrev.sandbox.world import equal

DEFAULTS: dict[str, dict[str, Json]] = {
    "note": {"rating": None, "status": "draft"},
    "watchlist": {"visibility": "private", "review_on": None},
    "item": {"note": None},
}
FIELDS = {
    "note": {"country_code", "text", "rating", "status"},
    "watchlist": {"name", "visibility", "review_on"},
    "item": {"iata", "note"},
}

KEYS = {"country_code": ("country", "code"), "iata": ("airport", "iata")}
"""Properties that are keys of records: the noun and the field of what they name."""


def written(goal: Goal, resolve: Callable[[Goal], Json]) -> Json:
    """The wanted field of what was created and changed as the givens say; LookupError where they do not tell.

    A given at `body:/name` is sent as that property; one that is given a second time begins a later change.
    """
    sent = [given for given in goal.givens if given.location.startswith("body:")]
    writes = _writes(sent)
    state: dict[str, dict[str, Json]] = {}
    for noun, body in writes:
        # Only notes are patched: the others are created, or replaced whole.
        state[noun] = {**(state.get(noun, DEFAULTS[noun]) if noun == "note" else DEFAULTS[noun]), **body}
    noun = goal.noun if goal.noun in FIELDS else writes[-1][0] if writes else ""
    computed: dict[str, Callable[[], Json]] = {
        "revision": lambda: sum(1 for one, _ in writes if one == "note"),
        "item_count": lambda: sum(1 for one, _ in writes if one == "item"),
        "airport_name": lambda: _airport(state.get("item", {}).get("iata"), goal, resolve),
    }
    known = state.get(noun, DEFAULTS.get(noun, {}))
    if goal.want in known:
        return known[goal.want]
    if goal.want in KEYS and goal.want in FIELDS.get(noun, ()):
        return _looked_up(*KEYS[goal.want], goal, resolve)
    if goal.want in computed:
        return computed[goal.want]()
    raise LookupError(f"{goal.want} of {goal.noun} is not told by what was sent")


def _writes(sent: list[Given]) -> list[tuple[str, dict[str, Json]]]:
    """The bodies that were sent, in order, with the noun of each."""
    found: list[tuple[str, dict[str, Json]]] = []
    for given in sent:
        whole = given.location == "body:"
        values = dict(given.value) if whole and isinstance(given.value, dict) else {_property(given): given.value}
        noun = _noun(given, set(values))
        if found and found[-1][0] == noun and not whole and not set(values) & set(found[-1][1]):
            found[-1][1].update(values)
        else:
            found.append((noun, values))
    return found


def _property(given: Given) -> str:
    return given.location.partition(":")[2].lstrip("/")


def _noun(given: Given, names: set[str]) -> str:
    if given.noun in FIELDS:
        return given.noun
    return next(noun for noun, fields in FIELDS.items() if names <= fields)


def _airport(iata: Json, goal: Goal, resolve: Callable[[Goal], Json]) -> Json:
    code = iata or _looked_up(*KEYS["iata"], goal, resolve)
    return next(row["name"] for row in load("airfield", "airports") if equal(row["iata"], code))


def _looked_up(noun: str, field: str, goal: Goal, resolve: Callable[[Goal], Json]) -> Json:
    """What had to be looked up to be sent: the key of the record that the other givens lead to."""
    naming = tuple(given for given in goal.givens if not given.location.startswith("body:"))
    return resolve(Goal(naming, field, noun))
