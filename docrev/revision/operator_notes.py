"""How lists are filtered by operators on their fields: what stands in a parameter's name, or in its value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docrev.conventions import operators as forms
from docrev.facts.trials import OPERATORS
from docrev.language.phrases import joined
from docrev.records import Fact
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.revision.place_facts import FactsByKind
from docrev.revision.places import Spot

_MEANINGS = {
    forms.MORE_THAN: "above",
    forms.AT_LEAST: "at least",
    forms.LESS_THAN: "below",
    forms.AT_MOST: "at most",
    forms.NOT_EQUAL: "not equal",
    forms.ANY_OF: "any of `a,b`",
    forms.NONE_OF: "none of `a,b`",
    forms.CONTAINS: "contains",
}
_MIN_LISTS = 2


def operators(observed: ObservedOperation) -> Iterator[Statement]:
    """How the list of one operation is filtered by operators in the names of parameters."""
    facts = [fact for fact in observed.all("operators") if fact.location == OPERATORS]
    if facts:
        yield Statement(f"Fields can be compared: {_listed(facts)}.", facts=tuple(facts))
        yield from _keeping(facts)


def common_operators(operations: Iterable[ObservedOperation]) -> Iterator[Statement]:
    """The same for all lists, if several were seen to take the same; what one takes more, only it was tried with."""
    found = [[fact for fact in observed.all("operators") if fact.location == OPERATORS] for observed in operations]
    having = [facts for facts in found if facts]
    if len(having) >= _MIN_LISTS:
        shared = tuple(fact for facts in having for fact in facts)
        text = f"In lists, undeclared query parameters compare fields: {_listed(shared)}."
        whole = " ".join([text, *(one.text for one in _keeping(shared))])
        yield Statement(whole, "operators", "trap", shared)


def conditions(spot: Spot) -> str:
    """How conditions on fields are written in the value of a parameter."""
    facts = FactsByKind.of(spot.common).all("operators")
    equal = [fact for fact in facts if fact.value["relation"] == forms.EQUAL][:1]
    within = equal[0].value.get("within") if equal else None
    named = f", with a name in `{within}` as `FIELD`" if within else ""
    others = [fact for fact in facts if fact.value["relation"] != forms.EQUAL]
    texts = [
        f"Conditions are written {_written(equal[0])}{named}." if equal else "",
        f"Other operators: {_listed(others)}." if others else "",
    ]
    return " ".join(filter(None, texts))


def _listed(facts: Sequence[Fact]) -> str:
    """The forms, each relation once: what does the same has several names. A field for which one fails is named."""
    known: dict[str, Fact] = {}
    for fact in facts:
        known.setdefault(fact.value["relation"], fact)
    failing = {fact.value["relation"]: f", not for `{name}`" for fact in facts if (name := fact.value.get("unless"))}
    return joined(
        [
            f"{_written(known[relation])} ({meaning}{failing.get(relation, '')})"
            for relation, meaning in _MEANINGS.items()
            if relation in known
        ]
    )


def _keeping(facts: Sequence[Fact]) -> Iterator[Statement]:
    """Which forms return what lacks the field, too."""
    found = [fact for fact in facts if fact.value.get("absent")]
    if found:
        named = joined([*dict.fromkeys(map(_written, found))])
        yield Statement(f"Items without the field are returned by {named}, too.", "operators", "trap", tuple(found))


def _written(fact: Fact) -> str:
    """A form as a text: `min_FIELD` for the name of a parameter, `FIELD>VALUE` for what one contains."""
    form = str(fact.value["form"])
    form = form.removesuffix("={value}") if fact.location == OPERATORS else form
    return f"`{form.replace('{field}', 'FIELD').replace('{value}', 'VALUE')}`"
