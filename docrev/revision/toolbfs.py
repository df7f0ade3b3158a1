"""Revising as ToolBFS+ does (§3.4, appendix A.5): three questions an operation, and its experience set.

Only right nodes of solved scenarios are shown, each with its own scenario. No facts, no values of docrev's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from docrev.evidence import Evidence
from docrev.evidence.usefulness import useless_tools
from docrev.language.characters import visible
from docrev.models import Model
from docrev.models.trust import unsafe
from docrev.prompts.baselines import (
    LocatedText,
    PlaceTexts,
    ReviseDescription,
    ReviseParameters,
    ReviseResponses,
    SolvedUse,
)
from docrev.prompts.briefs import brief
from docrev.prompts.questions import Text
from docrev.records import Change, Experience, Json, OperationKey
from docrev.revision.baselines import asked
from docrev.revision.experience import change_of_experience, present_experience
from docrev.revision.quotations import masked_call
from docrev.revision.revision import Revision
from docrev.revision.validation import apply
from docrev.spec import Catalog, Operation, Place, Schema

MAX_USES = 8
"""Solved scenarios that a question shows: more would not fit into the models of the paper."""
MAX_VALUES = 40
"""Response values that are described: those that lie highest."""
DESCRIPTION_WORDS, PARAMETER_WORDS = 50, 10
MAX_RESPONSE_WORDS = 30
"""The paper sets no limit for response values; a whole paragraph is no description of one."""


async def toolbfs(catalog: Catalog, evidence: Evidence, model: Model | None = None) -> Revision:
    """Each operation that is on the way of a solution gets the three texts, and each its experiences."""
    useless = useless_tools(evidence)
    uses = {key: found for key, found in solved_uses(evidence).items() if key.tool not in useless}
    changes: dict[tuple[str, str], Change] = {}
    for operation in catalog.operations:
        texts = await _texts(operation, uses[operation.key], model) if operation.key in uses else ()
        calls = tuple(use.call.id for use in uses.get(operation.key, ()))
        learned = _experience(catalog, operation, evidence)
        for change in (*_changes(catalog, operation, texts, calls), *learned):
            # A component that several operations share is described once, by the first of them.
            changes.setdefault((change.file, change.pointer), change)
    documents, kept, dropped = apply(catalog, list(changes.values()))
    return Revision(tuple(kept), documents, tuple(dropped))


def solved_uses(evidence: Evidence) -> dict[OperationKey, tuple[SolvedUse, ...]]:
    """The right nodes of each operation, each with its own scenario, masked; no two with the same arguments."""
    texts = {scenario.id: scenario.text for scenario in evidence.scenarios()}
    found: dict[OperationKey, dict[str, SolvedUse]] = {}
    for solution in evidence.solutions():
        for node in solution.nodes:
            if node.call is not None and node.call.ok:
                use = SolvedUse(
                    scenario=texts.get(solution.scenario, ""), call=masked_call(node.call), result=node.observation
                )
                found.setdefault(node.call.key, {}).setdefault(repr(sorted(node.call.arguments.items(), key=str)), use)
    return {key: tuple(uses.values())[:MAX_USES] for key, uses in found.items()}


def questions(
    operation: Operation, uses: tuple[SolvedUse, ...]
) -> tuple[ReviseDescription, ReviseParameters, ReviseResponses]:
    """The three questions of an operation (tables 10, 11 and 12)."""
    about, present = brief(operation), operation.description or operation.summary
    return (
        ReviseDescription(operation=about, examples=uses, original=present, words=DESCRIPTION_WORDS),
        ReviseParameters(
            operation=about, examples=uses, original=_originals(_parameters(operation)), words=PARAMETER_WORDS
        ),
        ReviseResponses(operation=about, examples=uses, original=_originals(_values(operation))),
    )


async def _texts(
    operation: Operation, uses: tuple[SolvedUse, ...], model: Model | None
) -> tuple[tuple[str, PlaceTexts | Text], ...]:
    """The answers to the three questions; a question about nothing is not asked."""
    first, second, third = questions(operation, uses)
    text = await asked(model, first)
    parameters = await asked(model, second) if second.original else PlaceTexts()
    values = await asked(model, third) if third.original else PlaceTexts()
    return (("description", text), ("parameters", parameters), ("responses", values))


Places = Mapping[str, tuple[str, str, str]]
"""By location: file, pointer of the object that has the description, and the description that is there."""


def _parameters(operation: Operation) -> Places:
    places = {
        parameter.key: (parameter.place.file, parameter.place.pointer, parameter.description)
        for parameter in operation.parameters
        if parameter.declared and parameter.location != "cookie"
    }
    body = operation.body_schema
    return {**places, **_properties("body", body, top_only=True)} if body is not None else places


def _values(operation: Operation) -> Places:
    success = operation.success
    if success is None or success.schema is None:
        return {}
    found = _properties(success.status, success.schema, top_only=False)
    return {at: found[at] for at in sorted(found, key=lambda at: at.count("/"))[:MAX_VALUES]}


def _properties(status: str, schema: Schema, *, top_only: bool) -> Places:
    return {
        f"{status}:{at}": (part.place.file, part.place.pointer, part.description)
        for at, part in schema.walk(1 if top_only else 6)
        if at and not at.endswith("/0")
    }


def _originals(places: Places) -> dict[str, str]:
    return {location: text for location, (_, _, text) in places.items()}


def _changes(
    catalog: Catalog, operation: Operation, texts: Iterable[tuple[str, PlaceTexts | Text]], calls: tuple[str, ...]
) -> Iterator[Change]:
    for kind, answer in texts:
        if isinstance(answer, Text):
            place = operation.place
            yield from _change(
                catalog, operation.key, (place.file, place.pointer), answer.text, DESCRIPTION_WORDS, calls
            )
            continue
        places = _parameters(operation) if kind == "parameters" else _values(operation)
        words = PARAMETER_WORDS if kind == "parameters" else MAX_RESPONSE_WORDS
        for one in _texts_of_places(answer.texts, places):
            file, pointer, _ = places[one.location]
            yield from _change(catalog, operation.key, (file, pointer), one.text, words, calls)


def _texts_of_places(texts: Iterable[LocatedText], places: Places) -> Iterator[LocatedText]:
    return (one for one in texts if one.location in places)


def _change(
    catalog: Catalog, key: OperationKey, at: tuple[str, str], text: str, words: int, calls: tuple[str, ...]
) -> Iterator[Change]:
    """The change of a description; none for a text that is there already, is empty, or instructs its reader."""
    file, pointer = at
    node = catalog.node(Place(file, pointer))
    before = node.get("description") if isinstance(node, dict) else None
    cut = " ".join(visible(text).split()[:words])
    if isinstance(node, dict) and "$ref" not in node and cut and cut != before and next(unsafe(cut), None) is None:
        yield Change(file, f"{pointer}/description", before, cut, key, calls=calls)


def _experience(catalog: Catalog, operation: Operation, evidence: Evidence) -> Iterator[Change]:
    """The experience set of the operation, under `x-docrev`, each with its four parts."""
    entries = [_entry(one) for one in evidence.experiences(operation.key) if not one.location]
    safe = [entry for entry in entries if next(unsafe(entry["text"]), None) is None]
    if safe and safe != present_experience(catalog, operation):
        yield change_of_experience(catalog, operation, safe, (call for entry in safe for call in entry["calls"]))


def _entry(one: Experience) -> dict[str, Json]:
    """The four parts (§3.3) as plain data, and as one text that is shown with the operation."""
    text = f"Known: {one.known} Right: {one.right_plan} Wrong: {one.wrong_plan} (Task: {one.scenario})"
    return {
        "text": visible(" ".join(text.split())),
        "scenario": one.scenario,
        "known": one.known,
        "right": one.right_plan,
        "wrong": one.wrong_plan,
        "use": one.right.operation,
        "calls": list(one.calls),
    }
