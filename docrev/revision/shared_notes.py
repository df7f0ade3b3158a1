"""What holds at one operation of parameters and properties that it shares with others, and not at all of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from docrev.language import documentation_phrases as phrases
from docrev.language.phrases import joined
from docrev.records import Fact, OperationKey
from docrev.revision import labels
from docrev.revision.declared_facts import is_declared
from docrev.revision.notes import Statement
from docrev.revision.observations import CatalogObservations
from docrev.revision.place_facts import FactsByKind, own_facts
from docrev.revision.places import Spot, items_of
from docrev.revision.uses import Use
from docrev.revision.validity_notes import states_end
from docrev.revision.value_notes import required_of_use, rules_of_use
from docrev.settings.choices import Examples
from docrev.spec.texts import is_restated

_RULE = "must be"
Parts = Sequence[tuple[Spot, Use]]
"""Places that several operations share, each with its use at one of them."""


def shared_parts(spots: Iterable[Spot]) -> Mapping[OperationKey, Parts]:
    """By operation, what others are sent too, parameters and parts of bodies, each with its first use there."""
    found: dict[OperationKey, list[tuple[Spot, Use]]] = {}
    for spot in spots:
        for key, use in {use.observed.key: use for use in reversed(spot.uses)}.items():
            if len(spot.uses) > 1 and not use.location[:1].isdecimal():
                found.setdefault(key, []).append((spot, use))
    return found


def _parameters(parts: Parts) -> Parts:
    return [(spot, use) for spot, use in parts if spot.kind == "parameter"]


def bounds(parts: Parts) -> Iterator[Statement]:
    """The bounds here of parameters that other operations share, with other bounds."""
    for spot, use in _parameters(parts):
        own = FactsByKind.of(own_facts(use.facts, spot.common))
        stated = {fact.kind for fact in spot.common}
        clamp = own.value("clamps", {}).get("maximum") if "clamps" not in stated else None
        most = own.value("range", {}).get("maximum") if "range" not in stated else None
        if clamp is not None:
            text = phrases.CLAMP_HERE.write(parameter=spot.name, number=clamp)
            yield Statement(text, facts=tuple(own.all("clamps")))
        elif most is not None:
            text = phrases.MOST_HERE.write(parameter=spot.name, number=most)
            yield Statement(text, facts=tuple(own.all("range")))


def required_here(parts: Parts, observations: CatalogObservations, examples: Examples) -> Iterator[Statement]:
    """Which shared parameters and properties are required here, if not all their users need them."""
    needed: list[tuple[str, Fact]] = []
    for spot, use in parts:
        facts = required_of_use(replace(spot, uses=(use,)), observations, examples)
        needed += [(_full_name(spot, use), fact) for fact in own_facts(facts, spot.common)]
    if needed:
        names = [f"`{name}`" for name, _ in needed]
        text = f"{joined(names)} {'is' if len(names) == 1 else 'are'} required."
        yield Statement(text, "required", facts=tuple(fact for _, fact in needed))


def rules_here(parts: Parts, observations: CatalogObservations, examples: Examples) -> Iterator[Statement]:
    """The rules here on values of a shared parameter or property, if not all its users have them."""
    for spot, use in parts:
        alone = replace(spot, uses=(use,))
        name = _full_name(spot, use)
        around, _, inner = name.rpartition("[].")
        about = f"Each `{inner}` in `{around}`" if around else f"`{name}`"
        for place, named in ((alone, about), (items_of(alone), f"Each of `{name}`")):
            yield from _rules_at(place, spot, named, observations, examples) if place is not None else ()


def _rules_at(
    place: Spot, spot: Spot, named: str, observations: CatalogObservations, examples: Examples
) -> Iterator[Statement]:
    """The rules at one place, of one user of what a spot describes, in a sentence about what is `named`."""
    rules = [*rules_of_use(place, observations, examples)]
    of_all = {text for text, _ in rules_of_use(spot, observations, examples)} if rules else set()
    for text, shown in rules:
        is_told = text in of_all or is_declared(place.schema, shown) or len(own_facts(shown, spot.common)) < len(shown)
        if not (is_told or states_end(spot.text, text) or is_restated(text, spot.text, _RULE)):
            yield Statement(f"{named} {text[0].lower()}{text[1:]}", facts=shown)


def _full_name(spot: Spot, use: Use) -> str:
    """The name of a parameter, or of a property with those of what it is in: `rrsets[].name`."""
    steps = labels.steps(use.location)
    return ".".join(steps).replace(".0", "[]") if use.location.startswith("body:") and steps else spot.name


def ignored(parts: Parts) -> Iterator[Statement]:
    """The parameters that other operations share and heed, and this one does not."""
    for spot, use in _parameters(parts):
        if here := [fact for fact in own_facts(use.facts, spot.common) if fact.kind == "ignored"]:
            yield Statement(phrases.IGNORES.write(name=spot.name), facts=tuple(here))
