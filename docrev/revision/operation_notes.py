"""What is appended to the purpose of an operation: what it needs first, paging, pitfalls, how it fails.

`SENTENCES` is in the order of importance: without room for all, the last are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.language import documentation_phrases as phrases
from docrev.language.path_subjects import subject
from docrev.language.path_templates import PARAMETER, ends_in_parameter, shape_of
from docrev.language.phrases import joined_names
from docrev.language.words import singular, words
from docrev.records import Call, ChangeClass, Fact, OperationKey
from docrev.revision import action_notes, labels, list_notes, state_notes
from docrev.revision.change_notes import becomes, conditions, nulls, sent_back, starts_as, withheld
from docrev.revision.choice_notes import better_choices
from docrev.revision.deletion_notes import deletes_all
from docrev.revision.error_rules import error_rules
from docrev.revision.field_notes import field_notes, status_note, type_note
from docrev.revision.notes import MAX_CALLS, Statement
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.operator_notes import operators
from docrev.revision.other_objects import declared_elsewhere
from docrev.revision.refusal_notes import needed_to_replace, some_refused
from docrev.revision.sent_notes import sent
from docrev.revision.shared_notes import Parts, bounds, ignored, required_here, rules_here
from docrev.revision.text_errors import labelled_json
from docrev.revision.value_sources import operation_key
from docrev.settings.choices import Examples
from docrev.spec import MISSING
from docrev.spec.schema import properties_of


def of_operation(
    observed: ObservedOperation,
    observations: CatalogObservations,
    parts: Parts,
    *,
    examples: Examples,
) -> list[Statement]:
    """The statements on an operation, beside its first paragraph, the most important first."""
    context = OperationContext(observed, observations, parts, examples)
    return [
        replace(statement, kind=kind or statement.kind, category=_class(statement, category))
        for kind, category, sentences in SENTENCES
        for statement in sentences(context)
    ]


def _class(statement: Statement, usual: ChangeClass) -> ChangeClass:
    return usual if statement.category == "wording" else statement.category


@dataclass(frozen=True)
class OperationContext:
    """An operation with what was observed of it; `parts` are what it shares with others."""

    observed: ObservedOperation
    observations: CatalogObservations
    parts: Parts
    examples: Examples


Statements = Iterable[Statement]


def broken(context: OperationContext) -> Statements:
    """That it fails; one that takes nothing may fail for want of something in this instance alone."""
    operation = context.observed.operation
    for fact in context.observed.all("broken")[:1] if operation.parameters or operation.body else ():
        yield Statement(phrases.BROKEN.write(status=fact.value["status"]), facts=(fact,))


def needs_credentials(context: OperationContext) -> Statements:
    """That requests without credentials are refused."""
    for fact in context.observed.all("needs-credentials")[:1]:
        yield Statement(phrases.CREDENTIALS.write(status=fact.value["status"]), facts=(fact,))


def wrapped_in(context: OperationContext) -> Statements:
    """The object that a body must be in, unless the schema has it."""
    declared = properties_of(context.observed.operation.body_schema)
    for fact in context.observed.all("wrapped-in")[:1]:
        if fact.value in declared:
            return
        text = f'The request body must be wrapped in `{fact.value}`: `{{"{fact.value}": {{…}}}}`.'
        yield Statement(text, facts=(fact,))


def alternatives(context: OperationContext) -> Statements:
    """How many of some arguments a request must have, or may have."""
    facts = context.observed.all("alternatives")
    needed = [fact for fact in facts if not (_is_of_all(context, fact) or any(_is_part(fact, one) for one in facts))]
    for alike in grouped((tuple(sorted(fact.value["names"])), fact) for fact in needed).values():
        rules = {fact.value["rule"] for fact in alike}
        for rule in ["exactly-one-of"] if rules == _EXACTLY_ONE else sorted(rules):
            if rule in _ALTERNATIVES:
                shown = joined_names(alike[0].value["names"])
                yield Statement(_ALTERNATIVES[rule].format(shown), facts=tuple(alike))


def _is_of_all(context: OperationContext, fact: Fact) -> bool:
    """Whether one of all properties is needed: nobody sends a body with nothing in it."""
    declared = {*properties_of(context.observed.operation.body_schema)}
    return fact.value["rule"] == "at-least-one-of" and {*fact.value["names"]} >= declared != set()


def _is_part(fact: Fact, other: Fact) -> bool:
    """Whether another rule wants exactly one of the names."""
    is_exact = other.value["rule"] == "exactly-one-of" != fact.value["rule"]
    return is_exact and {*fact.value["names"]} <= {*other.value["names"]}


_EXACTLY_ONE = {"at-least-one-of", "at-most-one-of"}
"""Rules on the same arguments that make one."""
_ALTERNATIVES = {
    "exactly-one-of": "Requires exactly one of {}.",
    "at-least-one-of": "Requires at least one of {}.",
    "at-most-one-of": "Accepts at most one of {}.",
    "all-or-none-of": "Requires all of {}, or none of them.",
}


def needs_first(context: OperationContext) -> Statements:
    """What must be created before and is not in the path, outermost first, or the status if it is missing."""
    parents: dict[str, tuple[OperationKey, Fact]] = {}
    for creator, fact in sorted(_parents(context.observed), key=lambda pair: pair[0].path.count("/")):
        parents.setdefault(subject(creator.path).noun, (creator, fact))
    for noun, (creator, fact) in parents.items():
        status, path = fact.value["status"], context.observed.key.path
        beside = _made_beside(path, creator.path)
        if beside:
            # It is not the only creation of such things: a reader finds it beside their list.
            label = subject(beside).noun
            yield Statement(phrases.ABSENT.write(status=status, label=label), facts=(fact,), about=label)
        elif _fixed_parts(path)[: len(_fixed_parts(creator.path))] != _fixed_parts(creator.path):
            text = f"First create the {noun} (`{creator.operation}`); returns {status} if it is missing."
            yield Statement(text, facts=(fact,))
        else:
            yield Statement(phrases.ABSENT.write(status=status, label=noun), facts=(fact,), about=noun)


def _made_beside(path: str, creator: str) -> str:
    """The list in a path below which a creation has a path with a further word: `/sets/upload`, for `/sets/{id}`."""
    lists = [path[: found.start()].rstrip("/") for found in PARAMETER.finditer(path)]
    below = [one for one in lists if one and shape_of(creator).startswith(f"{shape_of(one)}/")]
    return below[-1] if below and "{" not in creator[len(below[-1]) :] else ""


def _parents(observed: ObservedOperation) -> Iterator[tuple[OperationKey, Fact]]:
    """What creates the things that an operation needs, but not the thing that it is about itself."""
    for fact in observed.all("needs-first"):
        creator = operation_key(str(fact.value["operation"]))
        if not _is_same_place(creator.path, observed.key.path) and creator != observed.key:
            yield creator, fact


def _fixed_parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part and "{" not in part]


def _is_same_place(path: str, other: str) -> bool:
    """Whether two paths address the same kind of thing, by PUT to its own path or by POST to the list of them."""
    return [*map(singular, _fixed_parts(path))] == [*map(singular, _fixed_parts(other))]


_CREATES_OR_REPLACES = re.compile(
    r"\b(creat|add|insert)\w* or (over)?(writ|replac|updat|set)"
    r"|\b(updat|replac|overwrit|set)\w* or (creat|add|insert)|\bupsert",
    re.IGNORECASE,
)


def also_creates(context: OperationContext) -> Statements:
    """That a PUT creates what it does not find, unless its text says that it creates or replaces."""
    operation = context.observed.operation
    if _CREATES_OR_REPLACES.search(f"{operation.summary} {operation.description}"):
        return
    for fact in context.observed.all("creates"):
        if fact.value.get("replaces"):
            noun = subject(context.observed.key.path).noun or "ID"
            yield Statement(f"If the {noun} does not exist, creates it.", facts=(fact,))
            return


def creates(context: OperationContext) -> Statements:
    """Which field of the response to a POST reads what it created, if not a plain ID."""
    for fact in context.observed.all("creates"):
        operation = operation_key(str(fact.value["operation"])).operation
        parameter = operation.rpartition("{")[2].rstrip("/}")
        names = labels.steps(str(fact.value.get("field", "")))
        if fact.value.get("replaces"):
            return
        if _is_listed(context, operation_key(str(fact.value["operation"])), parameter, names[-1:]):
            return
        if names and ends_in_parameter(operation) and not {*words(names[-1])} <= {"id", *words(parameter)}:
            text = f"To read it with `{operation}`, pass the response's `{'.'.join(names)}` as `{parameter}`."
            yield Statement(text, facts=(fact,))
            return


def _is_listed(context: OperationContext, reader: OperationKey, parameter: str, field: Sequence[str]) -> bool:
    """Whether the parameter that reads a thing is said to come from this field of the list of such things."""
    observed = context.observations.by_key.get(reader)
    facts = observed.all("comes-from") if observed is not None else []
    named = (labels.steps(str(fact.value["field"]))[-1:] for fact in facts if fact.location == f"path:{parameter}")
    return [*field] in named


def refused_parameters(observed: ObservedOperation) -> Iterator[Statement]:
    """Unknown parameters that filter or are rejected: more important than that they are ignored."""
    yield from _unknown_parameters(
        observed,
        filter="In lists, a query parameter that is not listed here may filter by the field of that name; then a"
        " misspelled name returns an empty list.",
        rejected="Unknown query parameters are rejected.",
    )


def ignored_parameters(observed: ObservedOperation) -> Iterator[Statement]:
    """That unknown query parameters are ignored."""
    yield from _unknown_parameters(observed, ignored="Unknown query parameters are ignored.")


def _unknown_parameters(observed: ObservedOperation, **texts: str) -> Iterator[Statement]:
    for fact in observed.all("unknown-parameters"):
        effect, _, sign = str(fact.value).partition(" ")
        if effect in texts:
            text = texts[effect]
            text = text.replace("parameters are", f"parameters that begin with `{sign}` are") if sign else text
            yield Statement(text, facts=(fact,))


def choices(context: OperationContext) -> Statements:
    """Which operation is the better choice, and for what."""
    for choice in better_choices(context.observed.key, context.observations):
        yield Statement(choice.text, calls=choice.calls)


_MAX_SWITCHES = 3


def switches(context: OperationContext) -> Statements:
    """How the other switches of a request body stand if nobody sets them, where the default of one is stated."""
    observed = context.observed
    stated = {fact.location.removeprefix("body:/") for fact in observed.all("default") if isinstance(fact.value, bool)}
    names = _switches(observed)
    others = [name for name in names if name not in stated]
    off = {name: calls for name in others if (calls := _calls_with_off(observed, name))}
    text = _of_switches([*off], is_all=[*off] == others and not _has_default_true(observed))
    if text and len(others) < len(names):
        yield Statement(text, calls=tuple(dict.fromkeys(calls[0].id for calls in off.values()))[:MAX_CALLS])


def _calls_with_off(observed: ObservedOperation, name: str) -> list[Call]:
    """The calls that did not set a switch, if it is off in all their responses."""
    unset = [call for call in observed.good if _leaves_out(call, name)]
    return unset if {canonical(call.body[name]) for call in unset} == {"false"} else []


def _of_switches(off: Sequence[str], *, is_all: bool) -> str:
    """That switches are off; "" for many of them that are not all."""
    if len(off) > 1 and is_all:
        return "The other booleans default to `false`."
    verb = "defaults" if len(off) == 1 else "default"
    return f"{joined_names(off)} {verb} to `false`." if 0 < len(off) <= _MAX_SWITCHES else ""


def _switches(observed: ObservedOperation) -> list[str]:
    """The properties of a request body that are true or false, and have no declared default."""
    schema = observed.operation.body_schema
    parts = properties_of(schema)
    return [name for name, part in parts.items() if part.type == "boolean" and part.default is MISSING]


def _has_default_true(observed: ObservedOperation) -> bool:
    return any(part.default is True for part in properties_of(observed.operation.body_schema).values())


def _leaves_out(call: Call, name: str) -> bool:
    """Whether a request did not have a property that the response has, as true or false."""
    sent = call.arguments.get("body:")
    return isinstance(sent, dict) and name not in sent and isinstance(call.body, dict) and name in call.body


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
    return key.path.rstrip("/").endswith("{" + str(fact.value.get("parameter", "")).partition(":")[2] + "}")


def _of_observed(sentences: state_notes.Sentences) -> Callable[[OperationContext], Statements]:
    """Sentences that need nothing but what was observed of the operation."""
    return lambda context: sentences(context.observed)


def fields(context: OperationContext) -> Statements:
    """The fields that the schema of the response lacks."""
    return field_notes(context.observed, context.observations.operations, context.observations.invented)


SENTENCES: tuple[tuple[str, ChangeClass, Callable[[OperationContext], Statements]], ...] = (
    ("broken", "trap", broken),
    ("", "trap", lambda context: deletes_all(context.observed, context.observations.operations)),
    ("needs-credentials", "trap", needs_credentials),
    ("wrapped-in", "trap", wrapped_in),
    ("", "bound", lambda context: sent(context.observed, context.observations)),
    ("", "bound", lambda context: required_here(context.parts, context.observations, context.examples)),
    ("needs-first", "undeclared", needs_first),
    ("alternatives", "trap", alternatives),
    *((kind, category, _of_observed(sentences)) for kind, category, sentences in state_notes.SENTENCES),
    ("conditions", "trap", _of_observed(conditions)),
    ("nulls", "trap", _of_observed(nulls)),
    ("sent-back", "trap", _of_observed(sent_back)),
    ("becomes", "trap", _of_observed(becomes)),
    ("starts-as", "undeclared", _of_observed(starts_as)),
    ("repeated", "trap", _of_observed(action_notes.repeated)),
    ("sets", "undeclared", _of_observed(action_notes.sets)),
    ("withheld", "trap", _of_observed(withheld)),
    ("", "trap", lambda context: some_refused(context.observed, context.observations)),
    ("", "trap", _of_observed(needed_to_replace)),
    ("", "trap", _of_observed(labelled_json)),
    ("", "bound", lambda context: bounds(context.parts)),
    ("", "bound", lambda context: rules_here(context.parts, context.observations, context.examples)),
    ("", "bound", switches),
    ("", "bound", lambda context: error_rules(context.observed)),
    ("status", "undeclared", lambda context: status_note(context.observed, context.observations.invented)),
    ("", "correction", lambda context: type_note(context.observed)),
    ("", "correction", lambda context: declared_elsewhere(context.observed, context.observations.operations)),
    ("field", "undeclared", fields),
    ("creates", "trap", also_creates),
    ("creates", "source", creates),
    ("", "undeclared", _of_observed(list_notes.sorted_by)),
    ("newest-first", "undeclared", _of_observed(list_notes.newest_first)),
    ("pages", "trap", _of_observed(list_notes.pages)),
    ("past-end", "trap", _of_observed(list_notes.past_end)),
    ("operators", "trap", _of_observed(operators)),
    ("unknown-parameters", "trap", _of_observed(refused_parameters)),
    ("", "trap", choices),
    ("status", "undeclared", unknown_id),
    ("", "trap", lambda context: ignored(context.parts)),
    ("empty", "undeclared", _of_observed(list_notes.empty)),
    ("unknown-parameters", "trap", _of_observed(ignored_parameters)),
)
"""The kind of fact that each sentence rests on ("" for one of several kinds, or of none) and its class."""
