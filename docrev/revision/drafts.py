"""What the built-in writer is asked of each place, with the calls and facts of all its users."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from docrev.grouping import only
from docrev.json_values import pointer as pointers
from docrev.language.path_subjects import owner, subject
from docrev.language.phrases import humanise
from docrev.language.verbs import READING
from docrev.language.words import singular, words
from docrev.models import Model
from docrev.prompts.briefs import brief
from docrev.records import Call, Fact
from docrev.revision.observations import CatalogObservations
from docrev.revision.operation_purposes import RESTS_ON
from docrev.revision.places import Spot
from docrev.revision.profiles import TextBudget
from docrev.revision.response_samples import lists
from docrev.revision.uses import Use
from docrev.revision.writer_inputs import OperationInput, ParameterInput, PropertyInput
from docrev.settings.choices import DEFAULT_WORDS, Examples

_SHAPES = (
    "ref list input output response request summary detail details dto model schema item page result object short full"
    " brief base basic mini lite simple compact extended public"
)
_FORMS = frozenset(_SHAPES.split())


@dataclass(frozen=True, slots=True)
class Writing:
    """Who writes, how long, and what may be shown; `words` is how many an operation may get in all.

    `trust` counts what became of a model's texts: see `Revision`.
    """

    model: Model
    budget: TextBudget
    words: int = DEFAULT_WORDS
    examples: Examples = "masked"
    trust: Counter[str] = field(default_factory=Counter)


def writer_input(spot: Spot, observations: CatalogObservations) -> OperationInput | ParameterInput | PropertyInput:
    """What is known of a place: the brief is of its first observed user, calls and facts of all."""
    use = spot.first
    calls = tuple(call for user in spot.uses for call in user.observed.good)
    if spot.kind == "operation":
        return OperationInput(
            operation=brief(use.observed.operation),
            original=spot.text,
            facts=tuple(use.observed.all(*RESTS_ON)),
            calls=calls,
        )
    return _value_input(spot, calls, observations)


def _value_input(
    spot: Spot, calls: tuple[Call, ...], observations: CatalogObservations
) -> ParameterInput | PropertyInput:
    """What is known of a parameter or a part of a response."""
    use = spot.first
    location = use.location if spot.kind == "parameter" else _within(spot)
    # Below the component's own level its calls would show the envelope around it.
    here = location == use.location
    around = use.observed.all("pages", "limits", "empty") if here else []
    is_parameter = spot.kind == "parameter"
    kind, more = (ParameterInput, next_page_facts(spot, observations)) if is_parameter else (PropertyInput, around)
    return kind(
        operation=brief(use.observed.operation),
        original=spot.text,
        facts=(*spot.common, *more),
        calls=calls if here else (),
        location=location,
        noun=noun(spot),
    )


def next_page_facts(spot: Spot, observations: CatalogObservations) -> list[Fact]:
    """The paging facts that a parameter belongs to because the next page's URL, given by a header, has it.

    Lists of one API that declare such a parameter page alike: it is enough that one of them was followed.
    """
    if not all(spot.name in use.observed.next_page for use in spot.uses):
        return []
    tool = spot.first.observed.key.tool
    paging = (observed.all("pages") for observed in observations.operations if observed.key.tool == tool)
    return [fact for facts in paging for fact in facts if ":header:" in fact.location][:1]


def noun(spot: Spot) -> str:
    """What a parameter or property belongs to: the component's name, or what all its users' paths are about.

    A component may be called after more than that: a `ModelListResponse` with a vendor before it is of models.
    """
    component = _component(spot) if spot.kind == "property" else ""
    about = only({_noun(use) for use in spot.uses}) or ""
    named = {*words(humanise(_component_name(spot)).lower())}
    return about if not component or (about and {*words(about)} <= named) else component


def _noun(use: Use) -> str:
    place, _, name = use.location.partition(":")
    path = use.observed.key.path
    if place == "path":
        return owner(path, name)
    about = subject(path)
    # A status, an overview: there is one of it, and its fields are no fields "of the status".
    alone = place.isdecimal() and not about.by and use.observed.key.method == "GET" and not lists(use.observed.good)
    # `/search-deep` names what is done, not a thing.
    if {*about.noun.split()[:1]} & READING and " " in about.noun:
        return ""
    return "" if alone else "entry" if about.single else about.noun


def _component_name(spot: Spot) -> str:
    """The name of the component that a property is written in; "" outside of one."""
    parts = pointers.split(spot.place.pointer)
    if parts[:2] != ["components", "schemas"] and parts[:1] != ["definitions"]:
        return ""
    return parts[2] if parts[0] == "components" else parts[1]


def _component(spot: Spot) -> str:
    """The noun of the component that a property is written in: `CountryList` → "country"; "" outside of one."""
    phrase = humanise(re.sub(r".*[./]", "", _component_name(spot))).split()
    whole = len(phrase)
    while phrase and singular(phrase[-1].lower()) in _FORMS:
        phrase.pop()
    # `OrderCollectionResponse` is of orders, `Collection` of a thing that is called so.
    if 1 < len(phrase) < whole and phrase[-1].lower() == "collection":
        phrase.pop()
    if phrase and phrase[0].lower() in ("paginated", "paged", "page"):
        del phrase[0]
    return " ".join([*phrase[:-1], singular(phrase[-1])]) if phrase else ""


def _within(spot: Spot) -> str:
    """The location of a property, from the component on that it is written in: `200:/country/code` → `200:/code`."""
    use = spot.first
    if not _component(spot):
        return use.location
    parts = pointers.split(spot.place.pointer)
    rest = parts[3:] if parts[0] == "components" else parts[2:]
    steps: list[str] = []
    while rest:
        if rest[0] == "properties" and len(rest) > 1:
            steps, rest = [*steps, rest[1]], rest[2:]
        elif rest[0] == "items":
            steps, rest = [*steps, "0"], rest[1:]
        else:
            rest = rest[1:]
    return use.location.partition(":")[0] + ":" + pointers.join(*steps)
