"""What writing comes to, as statements on an operation: for what is there, what is not, and what a body lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from docrev.conventions.ids import NAMING, is_id_name
from docrev.conventions.run_names import is_invented_id
from docrev.facts.call_values import argument
from docrev.facts.kinds.deletes import KEPT
from docrev.facts.kinds.exists import PASSED, Existing
from docrev.facts.kinds.no_effect import UNCHANGED
from docrev.facts.status_causes import message
from docrev.grouping import grouped, parted
from docrev.json_values import pointer as pointers
from docrev.language.path_subjects import owner, subject
from docrev.language.phrases import joined, joined_names, sentence
from docrev.language.words import article, words
from docrev.records import ChangeClass, Fact, Json
from docrev.revision import labels
from docrev.revision.left_out_notes import left_out, object_at
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.revision.quotations import is_quotable, quote, quote_message
from docrev.revision.reference_notes import unknown_references
from docrev.revision.thing_deletions import (
    deleted,
    deleted_too,
    own_noun,
    referred_to,
    refused_if_full,
    taken_afterwards,
)
from docrev.revision.value_sources import operation_key
from docrev.spec import Schema
from docrev.spec.schema import properties_of
from docrev.spec.texts import is_restated

IGNORED_SINCE = {"path": "the URL decides", "server": "the server assigns it"}
_RETURNS = {
    "array": "an empty list",
    "page": "an empty result",
    "object": "an empty object",
    "number": "0",
    "null": "null",
}

_TAKEN = "taken used unique duplicate conflict with same name id key"
"""Words by which a refusal says no more than that there is such a thing."""

_FEW = 2
"""Properties that are passed over, up to which no reader takes it that all the others are not."""
ADDED = "added"
"""What a statement on a thing that is there already is about, if that was added to another and not created."""

Sentences = Callable[[ObservedOperation], Iterable[Statement]]


def what_exists(fact: Fact, noun: str = "", *, is_added: bool = False) -> str:
    """What a creation does if the thing is there already; without its `noun`, what every creation of an API does.

    `is_added`: what is sent is the ID of a thing that is there, which is added to another.
    """
    value, by = fact.value, _name(fact.value.get("by", ""))
    scope = _name(value.get("within", ""))
    in_use, subject_of_all = _in_use(by, noun, scope, is_added=is_added), "" if noun else "a `POST` on a list "
    if fact.key.method != "POST":
        # What is changed has one already, and its path may have a parameter that is called so.
        in_use = in_use.replace("the `", "the new `", 1)
    if not is_refused_if_there(fact):
        return f"If {in_use or 'it exists already'}, {subject_of_all}{_accepts(Existing.from_json(value), by, noun)}."
    there = in_use or (f"the {noun} exists already" if noun else "there is such a thing already")
    flag = value.get("unless")
    instead = f"; if `{flag}` is true, returns the existing {noun or 'one'} instead" if flag else ""
    return sentence(f"{subject_of_all}returns {value.get('status')} if {there}{instead}")


def _accepts(found: Existing, by: str, noun: str) -> str:
    """What a creation does with a thing that is there already, or beside it."""
    if found.second:
        called = f"whose `{by}` is changed" if found.renamed else "with it"
        return f"creates a second {noun or 'thing'} {called}"
    existing, status = f"the existing {noun}" if noun else "what exists", found.status
    if found.updated:
        return f"updates {existing}, with {status}"
    kept = f"{'' if noun else ','} unchanged" if found.unchanged else ""
    return f"returns {existing}{kept}, with {status}"


def _in_use(by: str, noun: str, scope: str, *, is_added: bool) -> str:
    if is_added:
        return f"the {noun} was added already"
    return f"the `{by}` is in use{f' with the same `{scope}`' if scope else ''}" if by else ""


def missing_everywhere(statement: Statement) -> str:
    """What most operations with one method return for IDs that nothing has; "" for what is called otherwise."""
    fact = statement.facts[0]
    place, _, name = fact.value["parameter"].partition(":")
    # What is in the query names the thing, whatever it is called.
    if len(statement.facts) > 1 or (place != "query" and NAMING.isdisjoint(words(name))):
        return ""
    returns, status = fact.value.get("returns", ""), fact.value["status"]
    what = f"{_returned_instead(returns, fact.value.get('at'))}, not 404" if returns else str(status)
    return f"A `{fact.key.method}` of an ID that does not exist returns {what}."


def unexpected_if_there(observed: ObservedOperation) -> Iterator[Statement]:
    """That a thing which is there already is returned as it is, or that a repeated request creates one more."""
    for fact in observed.all("exists"):
        if not is_refused_if_there(fact):
            yield _existing(observed, fact)


def refused_if_there(observed: ObservedOperation) -> Iterator[Statement]:
    """A refusal of a thing that is there already, if it is undeclared, or what must be unique is not said."""
    for fact in observed.all("exists"):
        if is_refused_if_there(fact) and not _is_declared_refusal(observed, fact):
            yield _existing(observed, fact)


def _is_declared_refusal(observed: ObservedOperation, fact: Fact) -> bool:
    """Whether the document declares a refusal with the property that must be unique, if only one can be it."""
    response = observed.operation.responses.get(str(fact.value["status"]))
    by = {*words(_name(fact.value.get("by", "")).rpartition(".")[2])}
    return response is not None and by <= {*words(response.description)}


def _existing(observed: ObservedOperation, fact: Fact) -> Statement:
    is_added = _is_added(observed, fact.value.get("by", ""))
    text = what_exists(fact, own_noun(observed), is_added=is_added)
    why = _said_if_there(observed, fact, text)
    return Statement(f"{text[:-1]}: {why}." if why else text, facts=(fact,), about=ADDED if is_added else "")


def _said_if_there(observed: ObservedOperation, fact: Fact, text: str) -> str:
    """What refusals say of a thing that is there, quoted, where that is more than that there is one: it may name what
    must be unique, where no property does.
    """
    said = {message(call.body) for call in observed.bad if call.id in fact.calls}
    found = said.pop() if len(said) == 1 and not fact.value.get("by") else ""
    is_more = is_quotable(found) and not found.endswith("…") and not is_restated(found, text, _TAKEN)
    return quote_message(found) if is_more else ""


def _is_added(observed: ObservedOperation, by: str) -> bool:
    """Whether a creation is sent the ID of a thing that is there, not one that the caller chooses."""
    sent = [value for value, _ in observed.sent.get(f"body:{by}", ())] if is_id_name(_name(by)) else []
    return bool(sent) and not any(map(is_invented_id, sent))


def is_refused_if_there(fact: Fact) -> bool:
    """Whether a creation of what is there already is refused: it returns, changes or makes nothing."""
    return not PASSED & fact.value.keys()


def missing(observed: ObservedOperation) -> Iterator[Statement]:
    """What is returned for IDs that nothing has, where one would expect 404."""
    # What is kept after its deletion is there when it is deleted again.
    is_kept = any(fact.value["thing"] == KEPT for fact in observed.all("deletes"))
    in_body, in_path = parted(
        () if is_kept else observed.all("missing"), lambda fact: fact.value["parameter"].startswith("body:")
    )
    for fact in in_body:
        name = labels.field_name(fact.value["parameter"])
        yield Statement(
            f"Returns {fact.value['status']} even if nothing has the `{name}` that are sent.", facts=(fact,)
        )
    results = ((fact.value.get("returns", ""), fact.value.get("at"), fact.value["status"]) for fact in in_path)
    for (returns, at, status), facts in grouped(zip(results, in_path, strict=True)).items():
        nouns = dict.fromkeys(_noun(observed, fact.value["parameter"]) for fact in facts)
        what = f"{joined([*nouns], 'or')} does not exist"
        text = (
            f"If the {what}, returns {_returned_instead(returns, at)}, not 404."
            if returns
            else f"Returns {status} even if the {what}."
        )
        yield Statement(text, facts=tuple(facts))


def _returned_instead(returns: str, at: str | None) -> str:
    """What is returned in place of a thing that does not exist."""
    return _RETURNS[returns] + (f" in `{_name(at)}`" if at else "")


def _noun(observed: ObservedOperation, parameter: str) -> str:
    """What a parameter identifies: the last noun before it in the path, or what an operation of RPC style is on."""
    place, _, name = parameter.partition(":")
    if place == "query":
        return subject(observed.operation.route.path).noun or labels.label(name)
    about = subject(observed.key.path.partition("{" + name + "}")[0].rstrip("/"))
    # What is below `/metrics/applications` has the ID of an application.
    noun = owner(observed.key.path, name) if about.single else about.noun
    beside = {*words(name)} - {*words(noun)}
    # A `resourceType` below `/resources` is no resource.
    is_of_noun = not NAMING.isdisjoint(beside) or not beside
    return (noun if is_of_noun else f"`{name}`") or labels.label(name)


def created_too(observed: ObservedOperation) -> Iterator[Statement]:
    """What a creation makes besides the thing itself, where nothing that was sent names one that is there already."""
    facts = list(observed.all("also-creates"))
    if facts:
        others = [subject(operation_key(str(fact.value)).path).indefinite for fact in facts]
        yield Statement(f"Also creates {joined(others)}, unless the request has the ID of one.", facts=tuple(facts))


def stored(observed: ObservedOperation) -> Iterator[Statement]:
    """The properties that the schema does not declare and that are stored."""
    declared = properties_of(observed.operation.body_schema)
    facts = [fact for fact in observed.all("stored") if _name(fact.location.removeprefix("body:")) not in declared]
    names = [f"`{_name(fact.location.removeprefix('body:'))}` ({', '.join(map(quote, fact.value))})" for fact in facts]
    if facts:
        yield Statement(f"The request body may also have {joined(names)}.", facts=tuple(facts))


def no_effect(observed: ObservedOperation) -> Iterator[Statement]:
    """The properties that are passed over, since the URL or the server decides."""
    for reason, why in IGNORED_SINCE.items():
        facts = [
            fact
            for fact in observed.all("no-effect")
            if fact.value == reason and not (_is_read_only(observed, fact) or is_at_property(observed, fact))
        ]
        if facts:
            names = joined_names(_name(fact.location.removeprefix("body:")) for fact in facts)
            yield Statement(f"Ignores {names} in the request body; {why}.", facts=tuple(facts))
    yield from _stored_elsewhere(observed)


def _stored_elsewhere(observed: ObservedOperation) -> Iterator[Statement]:
    """The properties that are passed over here, with the operation that stores them, if one does."""
    found = (fact for fact in observed.all("no-effect") if fact.value == UNCHANGED or " " in fact.value)
    for other, facts in grouped((fact.value, fact) for fact in found if not _is_read_only(observed, fact)).items():
        names = joined_names(_name(fact.location.removeprefix("body:")) for fact in facts)
        them = "it" if len(facts) == 1 else "them"
        instead = "" if other == UNCHANGED else f"; `{operation_key(other).operation}` sets {them}"
        # Of several, a reader takes it that they are all: those that were not tried may be ignored, too.
        some = "properties such as " if len(facts) > _FEW else ""
        yield Statement(f"Ignores {some}{names} in the request body{instead}.", facts=tuple(facts))


def is_at_property(observed: ObservedOperation, fact: Fact) -> bool:
    """Whether the schema of a property is this operation's alone and says something: what is ignored is said there."""
    place = object_at(observed, fact)
    own = observed.operation.place
    inside = place is not None and place.place.file == own.file and place.place.pointer.startswith(f"{own.pointer}/")
    return place is not None and inside and place.description.strip() != ""


def _is_read_only(observed: ObservedOperation, fact: Fact) -> bool:
    place = object_at(observed, fact)
    return place is None or bool(place.get("readOnly"))


def unknown_properties(observed: ObservedOperation) -> Iterator[Statement]:
    """What becomes of a property that nobody declared, unless the schema says that all are taken, or none."""
    for fact in observed.all("unknown-properties"):
        around, effect = object_at(observed, fact), fact.value["effect"]
        extra = around.get("additionalProperties") if around is not None else None
        is_said = effect == ("rejected" if extra is False else "stored" if extra is not None else "")
        if around is not None and not is_said:
            end = f"return {fact.value['status']}" if effect == "rejected" else f"are {effect}"
            names = _envelope(around)
            outside = f", outside {joined_names(names)}," if names else ""
            text = f"Unknown properties in the request body{outside} {end}."
            yield Statement(text, facts=(fact,), quotes=names)


def _envelope(around: Schema) -> tuple[str, ...]:
    """Where unknown properties were not tried: in an envelope, the objects that properties belong into."""
    declared = around.properties()
    return tuple(declared) if all(part.type in (None, "object") for part in declared.values()) else ()


def substitutes(observed: ObservedOperation) -> Iterator[Statement]:
    """That an unknown value of a property is treated as another one."""
    for fact in observed.all("substitutes"):
        name = _name(fact.location.removeprefix("body:"))
        yield Statement(f"An unknown `{name}` is not refused but treated as `{fact.value}`.", facts=(fact,))


def type_by(observed: ObservedOperation) -> Iterator[Statement]:
    """The types of a field that its schema does not declare, with the value of the field that tells them."""
    for fact in observed.all("type-by"):
        if (place := observed.declared(fact.location)) is not None and place.type is not None:
            continue
        yield Statement(f"`{labels.field_name(fact.location)}` is {type_cases(fact)}.", facts=(fact,))


def type_cases(fact: Fact, declared: str | None = None, text: str = "") -> str:
    """ "an array if `type` is `directory`", for each type but the one that is declared, and what a `text` says."""
    said = text.casefold()
    types: Mapping[str, str] = fact.value["types"]
    by_type = grouped(
        (name, f"`{value}`") for value, name in types.items() if not (name in said and value.casefold() in said)
    )
    cases = [
        f"{article(name)} {name} if `{fact.value['by']}` is {' or '.join(values)}"
        for name, values in by_type.items()
        if name != declared
    ]
    return joined(cases)


def on_request(observed: ObservedOperation) -> Iterator[Statement]:
    """The fields that are returned only if a list in the request names them, and those that are without the list."""
    by_list = grouped((fact.location, fact) for fact in observed.all("on-request"))
    for location, facts in by_list.items():
        name = location.partition(":")[2].strip("/")
        fields, others = ([f"`{field}`" for field in names] for names in _chosen_fields(observed, location, facts))
        are, them = ("is", "it") if len(facts) == 1 else ("are", "them")
        text = f"{joined(fields)} {are} returned only if `{name}` lists {them}."
        if others:
            text = f"`{name}` lists which of {joined([*others, *fields])} are returned; by default {joined(others)}."
        yield Statement(text, facts=tuple(facts))


def _chosen_fields(observed: ObservedOperation, location: str, facts: Iterable[Fact]) -> tuple[list[str], list[str]]:
    """The fields that a list must name, and those that are returned without it and may be null with it."""
    listed = {name for at in (location, f"{location}/0") for fact in observed.at(at) for name in _texts(fact)}
    nullable = {pointers.last(fact.location) for fact in observed.all("nullable") if fact.location.count("/") == 1}
    plain = [call.body for call in observed.good if not argument(call.arguments, location)[0]]
    on_request = [str(fact.value) for fact in facts]
    return on_request, sorted((listed & nullable & _returned(plain)).difference(on_request))


def _returned(bodies: Iterable[Json]) -> set[str]:
    """The fields of responses that have a value in one of them."""
    return {name for body in bodies if isinstance(body, dict) for name, value in body.items() if value is not None}


def _texts(fact: Fact) -> Iterable[str]:
    return map(str, fact.value) if fact.kind in ("allowed-values", "observed-values") else ()


def _name(pointer: str) -> str:
    return ".".join(step for step in labels.steps(f":{pointer}") if step != "0")


SENTENCES: Sequence[tuple[str, ChangeClass, Sentences]] = (
    ("exists", "trap", unexpected_if_there),
    ("exists", "undeclared", refused_if_there),
    ("missing", "trap", missing),
    ("deletes", "trap", deleted),
    ("also-deletes", "trap", deleted_too),
    ("stays-taken", "trap", taken_afterwards),
    ("also-creates", "trap", created_too),
    ("not-empty", "trap", refused_if_full),
    ("referred", "trap", referred_to),
    ("left-out", "trap", left_out),
    ("stored", "undeclared", stored),
    ("no-effect", "trap", no_effect),
    ("substitutes", "trap", substitutes),
    ("unknown-properties", "trap", unknown_properties),
    ("unknown-references", "trap", unknown_references),
    ("type-by", "correction", type_by),
    ("on-request", "trap", on_request),
)
"""The kind of fact that each sentence rests on, and its class."""
