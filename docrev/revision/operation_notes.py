"""What is appended to the purpose of an operation: what it needs first, paging, pitfalls, how it fails.

`SENTENCES` is in the order of importance: without room for all, the last are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from docrev.language import documentation_phrases as phrases
from docrev.language.path_subjects import subject
from docrev.language.phrases import joined
from docrev.records import ChangeClass, Fact, Json, OperationKey
from docrev.revision import labels
from docrev.revision.choice_notes import better_choices
from docrev.revision.notes import Statement
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.place_facts import FactsByKind, common_facts, last
from docrev.revision.places import Spot, Use
from docrev.revision.quotations import values
from docrev.revision.value_notes import rules_of_use
from docrev.revision.value_sources import operation_key
from docrev.settings.choices import Examples

MAX_CALLS = 5


def of_operation(
    observed: ObservedOperation, observations: CatalogObservations, spots: Sequence[Spot], *, examples: Examples
) -> list[Statement]:
    """The statements on an operation, beside its first paragraph, the most important first."""
    context = OperationContext(observed, observations, spots, examples)
    return [
        replace(statement, kind=kind, category=category)
        for kind, category, sentences in SENTENCES
        for statement in sentences(context)
    ]


@dataclass(frozen=True)
class OperationContext:
    """An operation with what was observed of it; `spots` are all places, for the parameters that it shares."""

    observed: ObservedOperation
    observations: CatalogObservations
    spots: Sequence[Spot]
    examples: Examples

    @cached_property
    def shared(self) -> list[tuple[Spot, Use]]:
        """The parameters that other operations use as well, each with its use here."""
        found = []
        for spot in self.spots:
            use = next((use for use in spot.uses if use.observed.key == self.observed.key), None)
            if spot.kind == "parameter" and use is not None and len(spot.uses) > 1:
                found.append((spot, use))
        return found


Statements = Iterable[Statement]


def broken(context: OperationContext) -> Statements:
    for fact in context.observed.all("broken")[:1]:
        yield Statement(phrases.BROKEN.write(status=fact.value["status"]), facts=(fact,))


def needs_credentials(context: OperationContext) -> Statements:
    for fact in context.observed.all("needs-credentials")[:1]:
        yield Statement(phrases.CREDENTIALS.write(status=fact.value["status"]), facts=(fact,))


def failing(context: OperationContext) -> Statements:
    """The statuses of an operation that never succeeded, for reasons that no fact shows."""
    observed = context.observed
    if observed.good or not observed.bad or observed.all("broken", "needs-credentials"):
        return
    statuses = " or ".join(sorted({str(call.status) for call in observed.bad}))
    count = len(observed.bad)
    text = f"{f'All {count} requests' if count > 1 else 'The only request'} observed failed with {statuses}."
    yield Statement(text, calls=tuple(call.id for call in observed.bad[:MAX_CALLS]))


def wrapped_in(context: OperationContext) -> Statements:
    for fact in context.observed.all("wrapped-in")[:1]:
        text = f'The request body must be wrapped in `{fact.value}`: `{{"{fact.value}": {{…}}}}`.'
        yield Statement(text, facts=(fact,))


def alternatives(context: OperationContext) -> Statements:
    """How many of some arguments a request must have, or may have."""
    for fact in context.observed.all("alternatives"):
        text = _ALTERNATIVES.get(fact.value["rule"], "")
        if text:
            yield Statement(text.format(joined([f"`{name}`" for name in fact.value["names"]])), facts=(fact,))


_ALTERNATIVES = {
    "exactly-one-of": "Requires exactly one of {}.",
    "at-least-one-of": "Requires at least one of {}.",
    "at-most-one-of": "Accepts at most one of {}.",
    "all-or-none-of": "Requires all of {}, or none of them.",
}


def needs_first(context: OperationContext) -> Statements:
    """What must be created before, from the outermost on, and what is returned if it is missing."""
    parents: dict[str, tuple[OperationKey, Fact]] = {}
    for creator, fact in sorted(_parents(context.observed), key=lambda pair: pair[0].path.count("/")):
        parents.setdefault(subject(creator.path).noun, (creator, fact))
    if not parents:
        return
    what = joined([f"the {noun} (`{creator.operation}`)" for noun, (creator, _) in parents.items()])
    facts = tuple(fact for _, fact in parents.values())
    statuses = " or ".join(dict.fromkeys(str(fact.value["status"]) for fact in facts))
    text = f"First create {what}; returns {statuses} if {'one' if len(parents) > 1 else 'it'} is missing."
    yield Statement(text, facts=facts)


def _parents(observed: ObservedOperation) -> Iterator[tuple[OperationKey, Fact]]:
    """What creates the things that an operation lies under, but not the thing that it is about itself."""
    for fact in observed.all("needs-first"):
        creator = operation_key(str(fact.value["operation"]))
        if not _is_same_place(creator.path, observed.key.path) and creator != observed.key:
            yield creator, fact


def _is_same_place(path: str, other: str) -> bool:
    """Whether two paths address the same kind of thing, by PUT to its own path or by POST to the list of them."""
    fixed, others = ([part for part in whole.split("/") if part and "{" not in part] for whole in (path, other))
    return fixed == others


def creates(context: OperationContext) -> Statements:
    """Which field of the response to a POST is the ID of what it created, and which operation reads that."""
    for fact in context.observed.all("creates"):
        operation = operation_key(str(fact.value["operation"])).operation
        if fact.value.get("replaces"):
            yield Statement("The client chooses the ID.", facts=(fact,))
            return
        if fact.value.get("field") and operation.endswith("}"):
            field = ".".join(labels.steps(str(fact.value["field"])))
            yield Statement(f"The response's `{field}` is the new ID; read it with `{operation}`.", facts=(fact,))
            return


def pages(context: OperationContext) -> Statements:
    """How the next page is requested: by the URL in a header, or with a cursor."""
    for fact in context.observed.all("pages"):
        place = str(fact.value.get("next", ""))
        if ":header:" in place:
            text = phrases.NEXT_PAGE_URL.write(header=labels.header_name(place.rpartition(":")[2]))
            yield Statement(text, facts=(fact,))
            return
        if fact.value.get("by") == "cursor" and fact.location.startswith("query:"):
            field, parameter = ".".join(labels.steps(place)), fact.location.partition(":")[2]
            yield Statement(phrases.NEXT_PAGE.write(field=field, parameter=parameter), facts=(fact,))
            return


def refused_parameters(context: OperationContext) -> Statements:
    """Unknown parameters that filter or are rejected: more important than that they are ignored."""
    yield from _unknown_parameters(
        context,
        filter="A query parameter that is not listed here filters by the field of that name,"
        " so a misspelled name returns an empty list.",
        rejected="Unknown query parameters are rejected.",
    )


def ignored_parameters(context: OperationContext) -> Statements:
    yield from _unknown_parameters(
        context, ignored="Unknown query parameters are ignored, so a misspelled name has no effect."
    )


def _unknown_parameters(context: OperationContext, **texts: str) -> Statements:
    for fact in context.observed.all("unknown-parameters")[:1]:
        if fact.value in texts:
            yield Statement(texts[str(fact.value)], facts=(fact,))


def choices(context: OperationContext) -> Statements:
    for choice in better_choices(context.observed.key, context.observations):
        yield Statement(choice.text, calls=choice.calls)


def bounds(context: OperationContext) -> Statements:
    """The bounds here of parameters that other operations share, with other bounds."""
    for spot, use in context.shared:
        common = common_facts(spot)
        own = FactsByKind.of(fact for fact in use.facts if fact not in common)
        stated = {fact.kind for fact in common}
        clamp = own.value("clamps", {}).get("maximum") if "clamps" not in stated else None
        most = own.value("range", {}).get("maximum") if "range" not in stated else None
        if clamp is not None:
            bound = phrases.MOST_HERE.write(parameter=spot.name, number=clamp).removesuffix(".")
            yield Statement(f"{bound}; larger values are treated as {clamp}.", facts=tuple(own.all("clamps")))
        elif most is not None:
            text = phrases.MOST_HERE.write(parameter=spot.name, number=most)
            yield Statement(text, facts=tuple(own.all("range")))


def rules_here(context: OperationContext) -> Statements:
    """The rules here on values of a shared parameter or property, if not all its users have them."""
    for spot in context.spots:
        use = next((use for use in spot.uses if use.observed.key == context.observed.key), None)
        if use is None or len(spot.uses) < 2 or use.location[:1].isdecimal():
            continue
        common = common_facts(spot)
        for text, facts in rules_of_use(replace(spot, uses=(use,)), context.observations, context.examples):
            if not any(fact in common for fact in facts):
                steps = [step for step in labels.steps(use.location) if step != "0"]
                name = ".".join(steps) if use.location.startswith("body:") and steps else spot.name
                yield Statement(f"`{name}` {text[0].lower()}{text[1:]}", facts=facts)


def unknown_id(context: OperationContext) -> Statements:
    """What an operation on one thing returns for an ID that nothing has."""
    observed, about = context.observed, subject(context.observed.key.path)
    shown = [
        fact
        for fact in observed.all("needs-first")
        if _is_same_place(operation_key(str(fact.value["operation"])).path, observed.key.path)
    ]
    shown += [fact for fact in observed.at("") if _is_about_unknown_id(fact, observed.key)]
    statuses = {fact.value["status"] for fact in shown}
    if about.by and len(statuses) == 1:
        text = phrases.ABSENT.write(status=statuses.pop(), label=labels.spelled(about.by))
        yield Statement(text, facts=tuple(shown))


def _is_about_unknown_id(fact: Fact, key: OperationKey) -> bool:
    if fact.kind != "status" or not str(fact.value.get("cause", "")).startswith("unknown "):
        return False
    return key.path.endswith("{" + str(fact.value.get("parameter", "")).partition(":")[2] + "}")


def ignored(context: OperationContext) -> Statements:
    """The parameters that other operations share and heed, and this one does not."""
    for spot, use in context.shared:
        here, anywhere = (
            [fact for fact in facts if fact.kind == "ignored"] for facts in (use.facts, common_facts(spot))
        )
        if here and not anywhere:
            yield Statement(phrases.IGNORES.write(name=spot.name), facts=tuple(here))


def empty(context: OperationContext) -> Statements:
    for fact in context.observed.all("empty")[:1]:
        what = f"`{last(fact.location)}`" if "/" in fact.location else "list"
        text = phrases.NOTHING_MATCHES.write(status=fact.value["status"], list=what)
        yield Statement(text, facts=(fact,))


def observed_values(context: OperationContext) -> Statements:
    """The values that this operation accepted for a shared parameter, if they are not those of its other users."""
    for spot, use in context.shared:
        own = _observed_values(use)
        others = [_observed_values(other) for other in spot.uses]
        differs = all(others) and any({*map(str, other)} != {*map(str, own)} for other in others)
        if differs and all(isinstance(value, str) for value in own):
            shown = values(own, spot.name, parents=context.observed.key.path, examples=context.examples)
            if shown:
                facts = tuple(fact for fact in use.facts if fact.kind == "observed-values")
                yield Statement(f"Values of `{spot.name}` observed here: {', '.join(shown)}.", facts=facts)


def _observed_values(use: Use) -> list[Json]:
    return next((list(fact.value) for fact in use.facts if fact.kind == "observed-values"), [])


SENTENCES: tuple[tuple[str, ChangeClass, Callable[[OperationContext], Statements]], ...] = (
    ("broken", "trap", broken),
    ("needs-credentials", "trap", needs_credentials),
    ("", "trap", failing),
    ("wrapped-in", "trap", wrapped_in),
    ("alternatives", "trap", alternatives),
    ("needs-first", "source", needs_first),
    ("creates", "source", creates),
    ("pages", "trap", pages),
    ("unknown-parameters", "trap", refused_parameters),
    ("", "trap", choices),
    ("", "bound", bounds),
    ("", "bound", rules_here),
    ("", "undeclared", unknown_id),
    ("", "trap", ignored),
    ("empty", "undeclared", empty),
    ("", "example", observed_values),
    ("unknown-parameters", "trap", ignored_parameters),
)
"""The kind of fact that each sentence rests on ("" for one of several kinds, or of none) and its class."""
