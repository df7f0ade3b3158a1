"""A check put together: what the documents say, asked of the API again in few calls."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from docrev.calls.authentication import shell_auth
from docrev.calls.credentials import shell_headers
from docrev.calls.curl import as_curl
from docrev.calls.policy import is_like
from docrev.driver import Budget, Driver
from docrev.errors import UsageError
from docrev.events import Handler, PhaseStarted, ignore
from docrev.evidence import Evidence
from docrev.evidence.part import EvidencePart
from docrev.facts.checks import CheckedFact, Outcome, check_facts
from docrev.facts.kind import Name, name_of
from docrev.graph.tool_graph import ToolGraph
from docrev.grouping import grouped
from docrev.offline import OfflineModel
from docrev.records import Call, Change, Fact, Json, OperationKey
from docrev.revision.contradictions import contradiction
from docrev.revision.documented_facts import Documented, documented_facts
from docrev.sessions import exploration, revision
from docrev.sessions.opening import Specs, load_operations, open_executor
from docrev.settings.choices import Edit
from docrev.settings.groups import CheckSettings, ExploreSettings, ReviseSettings
from docrev.spec import Catalog, Finding, Place
from docrev.spec.diff import compare
from docrev.spec.lock import read_marks
from docrev.spec.marks import Marks
from docrev.spec.security import security_schemes

CALLS_PER_OPERATION = 10
"""The default budget, in requests for each operation that is checked by the evidence's facts."""
CALLS_WITHOUT_EVIDENCE = 30
"""The default budget for each operation without evidence: values must be found before they can be tried."""
Standing = Outcome | Literal["undocumented"]
"""What came of a statement: "undocumented" if the API was seen to do otherwise, and the documents do not say it."""
_LONGEST = 80
_GONE = "the evidence is on an operation that the specs have no more; explore again"
_NEW = "the evidence has nothing on it; explore again"


@dataclass(frozen=True, slots=True)
class Checked:
    """One statement on an operation after the check: `why` says what was seen instead, or why nothing was.

    `kind` and `location` are those of a fact, or "" if the spec says it by itself; `curl` is the call that shows it.
    """

    key: OperationKey
    statement: str
    outcome: Standing
    why: str = ""
    curl: str = ""
    kind: str = ""
    location: str = ""
    place: Place | None = None

    def to_json(self) -> dict[str, Json]:
        """The statement as `docrev check --format json` prints it."""
        return {
            "tool": self.key.tool,
            "operation": self.key.operation,
            "outcome": self.outcome,
            "statement": self.statement,
            "kind": self.kind,
            "location": self.location,
            "why": self.why,
            "curl": self.curl,
        }


@dataclass(frozen=True, slots=True)
class Check:
    """What came of a check: each statement, and how many requests it took. `catalog` is that of the specs."""

    catalog: Catalog
    statements: tuple[Checked, ...]
    requests: int

    def of(self, outcome: Standing) -> tuple[Checked, ...]:
        """The statements with an outcome."""
        return tuple(one for one in self.statements if one.outcome == outcome)

    @property
    def findings(self) -> list[Finding]:
        """What is false, as errors at the places in the specs that say it, and what changed besides."""
        return [self._finding(one) for one in (*self.of("false"), *self.of("undocumented"))]

    def _finding(self, checked: Checked) -> Finding:
        operation = self.catalog[checked.key]
        parameter = operation.parameter(checked.location)
        file, pointer = checked.place or (parameter.place if parameter is not None else operation.place)
        is_false = checked.outcome == "false"
        what = "no longer true" if is_false else "otherwise now, and not documented"
        message = f"{checked.key.operation}: {what}: {checked.statement.rstrip('.')}: {checked.why}"
        line = self.catalog.documents[file].line(pointer)
        id = "no-longer-true" if is_false else "undocumented-change"
        return Finding(id, "error" if is_false else "info", file, line, pointer, message, f"try: {checked.curl}")


async def check(specs: Specs, settings: CheckSettings, *, on_event: Handler = ignore) -> Check:
    """Ask the API whether the documents are still true: reads alone. Raises DocrevError and its kinds.

    With evidence, its facts are shown again. Without, the spec's own statements are tried by a short exploration, whose
    evidence is thrown away.
    """
    catalog = load_operations(specs, settings)
    keys = _chosen(catalog, specs, settings)
    facts = _facts(settings)
    calls = CALLS_PER_OPERATION if facts is not None else CALLS_WITHOUT_EVIDENCE
    limit = settings.max_calls or calls * max(1, len(keys))
    with tempfile.TemporaryDirectory(prefix="docrev-check-") as folder:
        if facts is None:
            return await _check_spec(catalog, specs, settings, keys, limit, Path(folder), on_event)
        check = await _check_facts(
            catalog, settings, [f for f in facts if f.key in keys], limit, Path(folder), on_event
        )
    everything = not (settings.operations or settings.since)
    gone = {fact.key: _GONE for fact in facts if everything and catalog.get(fact.key) is None}
    new = dict.fromkeys(sorted(keys - {fact.key for fact in facts}), _NEW)
    unknown = (Checked(key, "what the documents say", "unknown", why) for key, why in (gone | new).items())
    return replace(check, statements=(*check.statements, *unknown))


def _chosen(catalog: Catalog, specs: Specs, settings: CheckSettings) -> set[OperationKey]:
    """The operations to check."""
    keys = {operation.key for operation in catalog.operations}
    if settings.operations:
        keys = {op.key for op in catalog.operations if any(is_like(op, glob) for glob in settings.operations)}
        if not keys:
            where, fix = f"--operations {settings.operations[0]}", "name one as 'GET /items/*'"
            raise UsageError("no operation matches", where=where, fix=fix)
    return keys & _touched(catalog, specs, settings.since) if settings.since else keys


def _touched(catalog: Catalog, specs: Specs, since: str) -> set[OperationKey]:
    """The operations that differ from what the specs said at a revision of git."""
    touched: set[tuple[str, str]] = set()
    for spec in [specs] if isinstance(specs, str | Path) else specs:
        for entry in compare(f"{since}:{spec}", str(spec)).entries:
            touched |= {(entry.tool, operation) for operation in (entry.operation, *entry.used_by)}
    return {operation.key for operation in catalog.operations if (operation.tool, operation.key.operation) in touched}


def _facts(settings: CheckSettings) -> list[Fact] | None:
    """The facts of the evidence; None if there is none."""
    if settings.evidence is None or not Path(settings.evidence).is_dir():
        return None
    with Evidence.open(settings.evidence, write=False) as evidence:
        return list(evidence.facts())


async def _check_facts(
    catalog: Catalog, settings: CheckSettings, facts: list[Fact], limit: int, folder: Path, emit: Handler
) -> Check:
    executor, _ = open_executor(catalog, settings, timeout=settings.timeout)
    emit(PhaseStarted("check", len(facts), limit))
    try:
        assert settings.evidence is not None
        with Evidence.open(settings.evidence, write=False) as kept, Evidence.open(folder, write=True) as fresh:
            fresh.begin({"check": True})
            model = OfflineModel(catalog, ToolGraph(catalog), settings.seed)
            budget = Budget(limit)
            driver = Driver(executor, model, fresh, budget=budget, concurrency=settings.concurrency, emit=emit)
            verdicts: list[CheckedFact] = await driver.run(check_facts(facts, kept, catalog))
            is_any_false = any(verdict.outcome == "false" for verdict in verdicts)
            documented = documented_facts(catalog, EvidencePart(kept)) if is_any_false else {}
        commands = Commands(catalog, settings)
        return Check(catalog, tuple(_of_fact(verdict, commands, documented) for verdict in verdicts), budget.spent)
    finally:
        await executor.close()


class Commands:
    """Calls to a `catalog` as commands of curl, with the headers and credentials that every call has."""

    def __init__(self, catalog: Catalog, settings: CheckSettings) -> None:
        self.catalog, schemes = catalog, security_schemes(catalog)
        self._credentials = {
            tool: [*shell_headers(settings.headers, tool), *shell_auth(settings.auth, schemes, tool)]
            for tool in catalog.tools
        }

    def curl(self, call: Call | None) -> str:
        """The command; "" without a call."""
        if call is None:
            return ""
        return as_curl(call, self.catalog.get(call.key), self._credentials.get(call.key.tool, ()))


def _of_fact(verdict: CheckedFact, commands: Commands, documented: Mapping[Name, Documented]) -> Checked:
    """A fact after the check: it is false if the documents state it, and the API does not show it any more."""
    fact = verdict.fact
    statement = f"{fact.location or 'the operation'}: {_in_words(fact)}"
    curl = commands.curl(verdict.call)
    checked = Checked(fact.key, statement, verdict.outcome, verdict.why, curl, fact.kind, fact.location)
    if verdict.outcome != "false":
        return checked
    found = documented.get(name_of(fact))
    if found is None or (not found.text and _is_other_declared_status(verdict, commands.catalog)):
        return replace(checked, outcome="undocumented")
    return replace(checked, place=found.place, statement=found.text or statement)


def _is_other_declared_status(verdict: CheckedFact, catalog: Catalog) -> bool:
    """Whether one declared status came in place of another: the documents have both."""
    fact, call = verdict.fact, verdict.call
    is_status = isinstance(fact.value, dict) and "status" in fact.value
    return is_status and call is not None and catalog[fact.key].response(call.status or 0) is not None


def _in_words(fact: Fact) -> str:
    """What a fact says of its place, on one short line."""
    value, kind = fact.value, fact.kind.replace("-", " ")
    if value is True:
        return kind
    if isinstance(value, dict) and fact.kind == "status":
        return f"returns {value['status']}, {value['cause']}"
    if isinstance(value, dict):
        text = ", ".join(f"{name} {part}" for name, part in value.items())
    else:
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{kind} {text[:_LONGEST]}"


async def _check_spec(
    catalog: Catalog,
    specs: Specs,
    settings: CheckSettings,
    keys: Collection[OperationKey],
    limit: int,
    folder: Path,
    emit: Handler,
) -> Check:
    """What the specs say by themselves, by a short exploration.

    Each correction that it leads to is a falsehood; so is each sentence of docrev that would have other values now.
    """
    explored = await exploration.explore(specs, _short(settings, catalog, keys, limit, folder), on_event=emit)
    with Evidence.open(folder, write=False) as evidence:
        good = grouped((call.key, call) for call in evidence.calls.select(ok=True))
        commands = Commands(catalog, settings)
        false = await _false_statements(commands, keys, evidence, folder)
    missed = {(row["tool"], row["operation"]): row["why"] for row in explored.summary["missed"]}
    wrong = {one.key for one in false}
    rest = (
        _of_operation(key, good.get(key, []), commands, missed.get((key.tool, key.operation), ""))
        for key in sorted(keys)
        if key not in wrong
    )
    return Check(catalog, (*false, *rest), explored.summary["requests"])


def _short(
    settings: CheckSettings, catalog: Catalog, keys: Collection[OperationKey], limit: int, folder: Path
) -> ExploreSettings:
    """A short exploration of some operations."""
    others = tuple(str(operation.key) for operation in catalog.operations if operation.key not in keys)
    names = CheckSettings.model_fields.keys() & ExploreSettings.model_fields.keys()
    shared = {name: getattr(settings, name) for name in names}
    return ExploreSettings(**shared | {"out": str(folder), "max_calls": limit, "deny": (*settings.deny, *others)})


async def _false_statements(
    commands: Commands, keys: Collection[OperationKey], evidence: Evidence, folder: Path
) -> list[Checked]:
    """What a revision by this evidence says of the documents."""
    edits: tuple[Edit, ...] = ("docs", "contract")
    catalog = commands.catalog
    revised = [await revision.revise(catalog, ReviseSettings(evidence=str(folder), edit=edit)) for edit in edits]
    marks, _ = read_marks(catalog.documents)
    changes = [change for each in revised for change in each.changes if change.key in keys]
    found = (_of_change(change, marks, commands, evidence) for change in changes)
    return list(dict.fromkeys(one for one in found if one is not None))


def _of_operation(key: OperationKey, calls: list[Call], commands: Commands, why: str) -> Checked:
    if not calls:
        return Checked(key, "what the spec says", "unknown", why or "it was not reached")
    many = f"{len(calls)} calls" if len(calls) > 1 else "one call"
    statement = f"what the spec says, as far as {many} can show"
    return Checked(key, statement, "true", curl=commands.curl(calls[0]))


def _of_change(change: Change, marks: Mapping[str, Marks], commands: Commands, evidence: Evidence) -> Checked | None:
    """What a change says of the documents; None if it does not say that they are false."""
    pair = contradiction(change, marks) or ((change.before, change.after) if "correction" in change.classes else None)
    if pair is None or change.key is None:
        return None
    before, after = (" ".join(str(text).split()) for text in pair)
    call = next((found for id in change.calls if (found := evidence.calls.get(id)) is not None), None)
    why = f"as seen: {after[: 2 * _LONGEST]}"
    place = Place(change.file, change.pointer)
    return Checked(change.key, before[:_LONGEST], "false", why, commands.curl(call), place=place)
