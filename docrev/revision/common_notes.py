"""What holds for a whole API: it stands once in `info.description`, and only what differs stands at the operations.

Found by comparing operations: what most of those show of which something of this kind is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import chain

from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.statuses import NOT_FOUND
from docrev.language import documentation_phrases as phrases
from docrev.language.path_subjects import subject
from docrev.language.path_templates import ends_in_parameter, shape_of
from docrev.language.phrases import joined, joined_names
from docrev.language.words import article
from docrev.records import Fact
from docrev.revision import labels
from docrev.revision.change_notes import common_condition, in_method
from docrev.revision.common_errors import common_errors
from docrev.revision.common_forms import common_forms
from docrev.revision.left_out_notes import in_changes
from docrev.revision.list_notes import common_past_end
from docrev.revision.majority import MAX_CALLS, MIN_OPERATIONS, have_most, is_common
from docrev.revision.notes import CREATION, Statement, categories, facts_behind
from docrev.revision.observations import ObservedOperation
from docrev.revision.operator_notes import common_operators
from docrev.revision.state_notes import ADDED, missing_everywhere, what_exists
from docrev.revision.value_sources import operation_key

LIST_DELETION = "list-deletion"
"""The kind of the statements that a deletion takes a whole list; no fact has it."""
_RATE_LIMIT = re.compile(r"(?:x-)?rate-?limit[\w-]*", re.IGNORECASE)


@dataclass(frozen=True)
class Rule:
    """How a kind of statement is written for the whole API: `write` gets one that most operations share, and returns
    "" if it holds for its operation alone.

    A `usual` status is what everybody would expect: it is not written at all. Statements are compared if they are
    `about` the same; `least` operations make one: fewer of what is tried at a few alone.
    """

    kind: str
    write: Callable[[Statement], str]
    usual: frozenset[int] = frozenset()
    about: Callable[[Statement], str] = lambda statement: statement.about
    least: int = MIN_OPERATIONS


def _status_of(statement: Statement) -> int:
    return int(statement.facts[0].value["status"])


def _status(statement: Statement) -> str:
    """What a statement on the status of success, or of an ID that does not exist, says of all operations."""
    status = _status_of(statement)
    if statement.about == CREATION:
        return f"Operations that create something return {status}."
    if statement.about:
        method = statement.facts[0].key.method
        return f"Most `{method}` operations that declare {statement.about.partition(', not ')[2]} return {status}."
    return f"IDs that do not exist return {status}."


def _of_method(statement: Statement) -> str:
    """What a statement on a status is about, that on another success than the declared one with its method."""
    is_other = statement.about not in ("", CREATION)
    return f"{statement.facts[0].key.method} {statement.about}" if is_other else statement.about


def _is_as_declared(observed: ObservedOperation, about: str) -> bool:
    """Whether an operation returns the success that others of its method declare too, and do not return."""
    method, _, other = about.partition(" ")
    declared = other.partition(", not ")[2]
    return observed.key.method == method and any(str(call.status) == declared for call in observed.good)


def _within(statement: Statement) -> str:
    if not statement.about:
        return ""
    thing = f"{article(statement.about)} {statement.about}"
    return f"Most operations below {thing} that does not exist return {_status_of(statement)}."


def _sign_of(statement: Statement) -> str:
    """The sign that the names begin with that a statement on unknown parameters is about; "" if it is about others."""
    return str(statement.facts[0].value).partition(" ")[2]


def _header_of(statement: Statement) -> str:
    return str(statement.facts[0].value["header"])


def _existing(statement: Statement) -> str:
    fact = statement.facts[0]
    return statement.text if fact.value.get("unless") or statement.about == ADDED else what_exists(fact)


RULES = (
    Rule("left-out", in_changes, about=lambda statement: statement.facts[0].key.method),
    Rule("exists", _existing),
    Rule("missing", missing_everywhere, about=lambda statement: statement.facts[0].key.method),
    Rule("needs-credentials", lambda found: f"Most requests without credentials return {_status_of(found)}."),
    Rule("unknown-parameters", lambda found: found.text, about=_sign_of),
    Rule("unknown-properties", lambda found: found.text.replace("the request body", "request bodies")),
    Rule("pages", lambda found: found.text),
    Rule("status", _status, NOT_FOUND, about=_of_method),
    Rule("needs-first", _within, NOT_FOUND),
    Rule(
        "empty",
        lambda found: f"If nothing matches, lists are empty, with status {_status_of(found)}.",
        frozenset({HTTPStatus.OK}),
    ),
    Rule("conditions", common_condition, about=_header_of, least=2),
    Rule("nulls", in_method, least=2),
    Rule("past-end", common_past_end, about=lambda statement: str(statement.facts[0].value["parameter"]), least=2),
)
SOURCE = "comes-from"
OF_LISTS = "of-lists"
"""The kind of the purposes that tell what a property beside a list is: their number, the next page; no fact has it."""
_KINDS = frozenset({*(rule.kind for rule in RULES), SOURCE, OF_LISTS, "creates", "operators"})


def common_statements(
    notes: Sequence[tuple[ObservedOperation, Sequence[Statement]]],
    fields: Iterable[Statement] = (),
    every: Collection[ObservedOperation] = (),
) -> list[Statement]:
    """What holds for most operations of one document, given the statements on each; the facts are those of all.

    `fields` are the statements on the fields that their objects have in common; `every` operation of the document is
    one that nothing is known of, too.
    """
    operations = [observed for observed, _ in notes]
    found = [_on_or_below(statement, notes) for rule in RULES for statement in _agreed(rule, notes)]
    found = [_of_reads(_in_most_bodies(statement, every), every) for statement in found]
    if not any(statement.kind == "pages" for statement in found):
        found += _next_pages(operations)
    found += _creating(operations)
    return [
        *found,
        *common_errors(operations),
        *_rate_limits(operations),
        *common_forms(operations),
        *common_operators(operations),
        *fields,
    ]


def uncovered(statements: Sequence[Statement], shared: Sequence[Statement]) -> Iterator[Statement]:
    """What statements on an operation or a value say beside what is stated for all; a quoted message says more."""
    covered = {id(fact) for statement in shared for fact in statement.facts}
    for statement in _not_said(statements, shared):
        left = [fact for fact in statement.facts if id(fact) not in covered]
        if left and _is_exception(statement, shared):
            # What everybody expects is a surprise beside a rule that says something else.
            yield replace(_with_others(statement, statements), kind="")
        elif left or not statement.facts or not _may_be_shared(statement):
            yield statement


def _with_others(exception: Statement, statements: Sequence[Statement]) -> Statement:
    """What an operation returns below one thing that does not exist, with all others for which it returns the same."""
    status = _status_of(exception)
    needed = [one for one in statements if one.kind == "needs-first" and one.about and _status_of(one) == status]
    nouns = joined([one.about for one in needed], "or")
    text = phrases.ABSENT.write(status=status, label=nouns) if len(needed) > 1 else exception.text
    return replace(exception, text=text, facts=facts_behind(needed))


def _not_said(statements: Iterable[Statement], shared: Iterable[Statement]) -> Iterator[Statement]:
    """Statements without those that the whole API's paragraph makes in other words."""
    said = {kind: [one.about for one in shared if one.kind == kind] for kind in (LIST_DELETION, OF_LISTS)}
    return (
        one
        for one in statements
        if not (one.about in said.get(one.kind, ()) or _is_shorter(one, said.get(OF_LISTS, ())))
    )


def _is_shorter(statement: Statement, said: Iterable[str]) -> bool:
    """Whether what a property beside a list is was said of all lists, and more."""
    return statement.kind == OF_LISTS and any(about.startswith(statement.about) for about in said)


def _may_be_shared(statement: Statement) -> bool:
    """Whether what is stated for a whole API may say all that a statement says: not what a status comes with."""
    return statement.kind in _KINDS and not (statement.kind == "status" and statement.quotes)


def _is_exception(statement: Statement, shared: Iterable[Statement]) -> bool:
    """Whether most operations return another status if the same thing does not exist."""
    is_of_parent = statement.kind == "needs-first" and statement.about != ""
    return is_of_parent and any(rule.kind == "needs-first" and rule.about == statement.about for rule in shared)


def _agreed(rule: Rule, notes: Iterable[tuple[ObservedOperation, Sequence[Statement]]]) -> Iterator[Statement]:
    """The statements of a kind that most operations make of which there is one about the same."""
    notes = [*notes]
    for about, by_text in _by_text(rule, notes).items():
        others = sum(_is_as_declared(observed, about) for observed, _ in notes) if rule.kind == "status" else 0
        text, most = max(by_text.items(), key=lambda pair: len(pair[1]))
        is_usual = text == "" or (bool(rule.usual) and all(_status_of(statement) in rule.usual for statement in most))
        if not is_usual and is_common(len(most), sum(map(len, by_text.values())) + others, rule.least):
            yield Statement(text, rule.kind, categories(most)[0], facts_behind(most), (), about, most[0].quotes)


def _by_text(
    rule: Rule, notes: Iterable[tuple[ObservedOperation, Sequence[Statement]]]
) -> dict[str, dict[str, list[Statement]]]:
    """The statements of a kind, by what they are about, then by the sentence on the whole API."""
    found: dict[str, dict[str, list[Statement]]] = {}
    for observed, statements in notes:
        is_declared = rule.kind == "needs-credentials" and bool(observed.operation.security)
        if rule.kind == "missing" and _refuses_unknown(observed):
            # Where others return 404, one rule for all would be wrong of these.
            found.setdefault(observed.key.method, {}).setdefault("", []).append(Statement(""))
        for statement in statements:
            of_kind = statement.kind == rule.kind and statement.facts and not is_declared
            if of_kind and (text := rule.write(statement)):
                found.setdefault(rule.about(statement), {}).setdefault(text, []).append(statement)
    return found


def _refuses_unknown(observed: ObservedOperation) -> bool:
    """Whether an operation returns 404 for an ID that nothing has."""
    causes = (fact for fact in observed.all("status") if str(fact.value.get("cause", "")).startswith("unknown "))
    return any(fact.value["status"] in NOT_FOUND for fact in (*observed.all("needs-first"), *causes))


def _on_or_below(statement: Statement, notes: Iterable[tuple[ObservedOperation, Sequence[Statement]]]) -> Statement:
    """What is returned below a thing that does not exist, with the operations on the thing itself: those that return it
    too, and the one that creates it."""
    if statement.kind != "needs-first":
        return statement
    alone = phrases.ABSENT.write(status=_status_of(statement), label="ID")
    facts = [
        fact
        for observed, stated in notes
        if subject(observed.key.path).noun == statement.about
        for found in stated
        if found.text == alone
        for fact in found.facts
    ]
    text = statement.text.replace(" below ", " on or below ", 1) if facts else statement.text
    creator = operation_key(str(statement.facts[0].value.get("operation", ""))).operation
    if facts and creator.startswith("PUT "):
        text = f"{text.removesuffix('.')}; `{creator}` creates it."
    return replace(statement, text=text, facts=(*statement.facts, *facts))


def _in_most_bodies(statement: Statement, operations: Iterable[ObservedOperation]) -> Statement:
    """What becomes of unknown properties, unless it was shown of every operation that takes a body."""
    shown = {fact.key for fact in statement.facts}
    if not _is_of_whole_bodies(statement) or all(
        one.key in shown for one in operations if one.operation.body is not None
    ):
        return statement
    return replace(statement, text=statement.text.replace("in request bodies", "in most request bodies"))


def _of_reads(statement: Statement, operations: Iterable[ObservedOperation]) -> Statement:
    """What becomes of unknown query parameters, shown by GETs alone: that is all, if other requests take a query, too.

    A write often reads its query with more care; a deletion that takes what the list on its path takes, as that does.
    """
    if statement.kind != "unknown-parameters" or any(fact.key.method != "GET" for fact in statement.facts):
        return statement
    read = {one.key.path: _query_of(one) for one in operations if one.key.method == "GET"}
    takes_query = any(
        not _query_of(one) <= (read.get(one.key.path, set()) if one.key.method == "DELETE" else set())
        for one in operations
        if one.key.method not in SAFE_METHODS
    )
    text = statement.text.replace("query parameters", "query parameters of GET requests", 1)
    return replace(statement, text=text) if takes_query and statement.text.startswith("Unknown") else statement


def _query_of(observed: ObservedOperation) -> set[str]:
    return {parameter.name for parameter in observed.operation.parameters if parameter.location == "query"}


def _is_of_whole_bodies(statement: Statement) -> bool:
    """Whether it says that properties are lost wherever they are: not only outside some that it quotes."""
    is_lost = statement.kind == "unknown-properties" and statement.facts[0].value["effect"] != "stored"
    return is_lost and not statement.quotes


def _next_pages(operations: Sequence[ObservedOperation]) -> Iterator[Statement]:
    """The header that leads to the next page, if several lists return it, though it was followed at one alone."""
    by_header: dict[str, list[Fact]] = {}
    for fact in (fact for observed in operations for fact in observed.all("pages")):
        if ":header:" in str(fact.value.get("next", "")):
            by_header.setdefault(fact.value["next"].rpartition(":")[2].lower(), []).append(fact)
    for header, facts in by_header.items():
        having = [observed.next_header[1] for observed in operations if observed.next_header[0] == header]
        if len(having) > 1:
            text = phrases.next_page_url(labels.header_name(header)).replace("page,", "page of a list,", 1)
            yield Statement(text, "pages", "trap", tuple(facts), tuple(having[:MAX_CALLS]))


def _creating(operations: Iterable[ObservedOperation]) -> Iterator[Statement]:
    """That a PUT creates what it does not find, if each does that succeeded on a thing of its own path."""
    items = [one for one in operations if _replaces(one)]
    facts = [[fact for fact in observed.all("creates") if fact.value.get("replaces")] for observed in items]
    if len(items) >= MIN_OPERATIONS and all(facts):
        alone = _without_parents(items)
        text = f"A `PUT` of something that does not exist creates it{', but not what it lies in' if alone else ''}."
        yield Statement(text, "creates", "trap", tuple(chain.from_iterable(facts)), alone)


def _without_parents(items: Iterable[ObservedOperation]) -> tuple[str, ...]:
    """The calls by which operations on things were refused since what lies around the thing was not there.

    What is returned then stands at the operations: the facts are not told for all.
    """
    needs = (fact for one in items for fact in one.all("needs-first") if _is_parent(fact, one))
    return tuple(fact.calls[0] for fact in needs)[:MAX_CALLS]


def _replaces(observed: ObservedOperation) -> bool:
    """Whether an operation puts single things, and did."""
    return bool(observed.good) and observed.key.method == "PUT" and ends_in_parameter(observed.key.path)


def _is_parent(fact: Fact, observed: ObservedOperation) -> bool:
    """Whether what an operation needs lies around the thing that it is about."""
    creator = operation_key(str(fact.value["operation"]))
    made = shape_of(creator.path.rstrip("/")) + ("/{}" if creator.method == "POST" else "")
    return shape_of(observed.key.path).startswith(f"{made}/")


def _rate_limits(operations: Iterable[ObservedOperation]) -> Iterator[Statement]:
    """The headers that state a rate limit."""
    calls = [call for observed in operations for call in observed.good]
    names = sorted({name for call in calls for name in call.headers if _RATE_LIMIT.fullmatch(name)})
    having = [call for call in calls if {*names} & {*call.headers}]
    if names and have_most(having, calls):
        shown = joined_names(labels.header_name(name) for name in names)
        text = f"The rate limit is in the response headers {shown}."
        yield Statement(text, "", "undeclared", calls=tuple(call.id for call in having[:MAX_CALLS]))
