"""What an exploration came to, as one self-contained HTML page."""

from __future__ import annotations

import base64
import hashlib
import json
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from docrev.calls.curl import as_curl
from docrev.errors import UsageError
from docrev.evidence import Evidence
from docrev.evidence.queries import statuses
from docrev.exploration.unreached import MEANINGS
from docrev.facts.masking import mask
from docrev.grouping import grouped
from docrev.json_values import pointer as pointers
from docrev.records import Call, Change, Experience, Fact, Json, OperationKey, Scenario
from docrev.render import render
from docrev.search.outline import Leaf, as_text, outline
from docrev.sessions.report_figures import Drawing, Period, draw_graph, periods
from docrev.spec import Catalog
from docrev.spec.place_names import place_name

MOST_SCENARIOS = 200
"""Maximum number of scenarios whose search trees a page has; the evidence has them all."""
FACTS_IN_DETAIL = 6_000
"""Number of facts above which each has the first call alone that shows it: a page stays below some 10 MB."""
_CALLS, _LONGEST = 3, 240


@dataclass(frozen=True)
class ShownCall:
    """A call that shows a fact: the command that repeats it, and the start of what it returned."""

    curl: str
    status: str
    body: str


@dataclass(frozen=True)
class ShownFact:
    """A fact in words of its kind, with calls that show it."""

    kind: str
    location: str
    value: str
    calls: tuple[ShownCall, ...]


@dataclass(frozen=True)
class ShownChange:
    """A text or value before and after the revision; `before` is "" if there was none."""

    place: str
    classes: str
    before: str
    after: str


@dataclass
class ReportRow:
    """An operation with everything that is known of it. `why` says why it was not reached, "" if it was."""

    number: int
    key: OperationKey
    answers: Counter[str] = field(default_factory=Counter)
    why: str = ""
    facts: list[ShownFact] = field(default_factory=list)
    takes: list[tuple[str, int, str]] = field(default_factory=list)
    feeds: list[tuple[str, int, str]] = field(default_factory=list)
    experiences: list[Experience] = field(default_factory=list)
    changes: list[ShownChange] = field(default_factory=list)

    @property
    def calls(self) -> int:
        """How many calls were made."""
        return self.answers.total()

    @property
    def is_reached(self) -> bool:
        """Whether a call was answered with 2xx."""
        return any(status.startswith("2") for status in self.answers)


@dataclass(frozen=True)
class Search:
    """The search for the solution of a scenario by one strategy."""

    scenario: Scenario
    strategy: str
    solved: bool
    ways: tuple[tuple[Leaf, ...], ...]


def report_page(
    evidence: Evidence, catalog: Catalog | None = None, changes: Sequence[Change] = (), *, masked: bool = True
) -> str:
    """The page of the newest run. `catalog` adds operations that were never called, `changes` texts before and after.

    `masked`: values of responses that look personal are replaced. Raises UsageError if nothing was explored.
    """
    rows = _rows(evidence, catalog)
    if not rows:
        raise UsageError("there is nothing in this evidence", fix="run docrev explore first")
    facts = _facts(evidence, rows, catalog, masked)
    _add_changes(rows, changes, catalog)
    for experience in evidence.experiences():
        if experience.key in rows:
            rows[experience.key].experiences.append(experience)
    told = (evidence.run.summary or {}).get("told", {})
    searches, left_out = _searches(evidence)
    script = render("report/filter.js.j2")
    return render(
        "report/page.html.j2",
        rows=list(rows.values()),
        told=told,
        finished=evidence.run.finished,
        several=len({key.tool for key in rows}) > 1,
        missed_by_meaning=_missed(rows, told.get("missed") or []),
        wanted=told.get("wanted_values") or [],
        again=_again(evidence),
        graph=_graph(rows),
        timeline=_timeline(evidence),
        searches=searches,
        left_out=left_out,
        facts=facts,
        has_changes=bool(changes),
        script=script,
        digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def _again(evidence: Evidence) -> str:
    """The command that explores the same APIs once more, without what a person knows alone: specs and credentials."""
    urls = evidence.run.settings.get("base_urls") or {}
    bases = [url if len(urls) == 1 else f"{tool}={url}" for tool, url in sorted(urls.items())]
    return " ".join(["docrev explore SPECS", *(f"--base-url {shlex.quote(base)}" for base in bases)])


def _rows(evidence: Evidence, catalog: Catalog | None) -> dict[OperationKey, ReportRow]:
    """A row for each operation of the catalog, or of what was called and missed."""
    found, missed = statuses(evidence), evidence.missed()
    declared = {operation.key for operation in catalog.operations} if catalog is not None else set()
    keys = sorted({*found, *missed, *declared}, key=lambda key: (key.tool, key.path, key.method))
    return {
        key: ReportRow(
            number, key, found.get(key, Counter()), missed.get(key, "" if key in found else "it was not called")
        )
        for number, key in enumerate(keys, 1)
    }


def _missed(
    rows: Mapping[OperationKey, ReportRow], told: Sequence[Mapping[str, Json]]
) -> list[tuple[str, list[ReportRow]]]:
    """The operations that were not reached, by the kind of reason."""
    kinds = {OperationKey(row["tool"], row["operation"]): row.get("kind", "unexplained") for row in told}
    groups: dict[str, list[ReportRow]] = {}
    for key, row in rows.items():
        if not row.is_reached:
            # A run that was cut off says of nothing why.
            meaning = MEANINGS.get(kinds.get(key, ""), MEANINGS["unexplained"] if row.calls else "was not called yet")
            groups.setdefault(meaning, []).append(row)
    return sorted(groups.items(), key=lambda group: -len(group[1]))


def _facts(evidence: Evidence, rows: Mapping[OperationKey, ReportRow], catalog: Catalog | None, masked: bool) -> int:
    """Put facts and what feeds what into the rows; how many facts there are."""
    facts = [fact for fact in evidence.facts() if fact.key in rows]
    most = _CALLS if len(facts) <= FACTS_IN_DETAIL else 1
    named = {str(key): row for key, row in rows.items()}
    for fact in facts:
        row = rows[fact.key]
        ids = (*fact.calls, *fact.replays) if not fact.calls else fact.calls
        calls = [call for id in ids[:most] if (call := evidence.calls.get(id)) is not None]
        shown = tuple(_shown_call(call, catalog, masked) for call in calls)
        row.facts.append(ShownFact(fact.kind.replace("-", " "), fact.location, _value(fact, masked), shown))
        if fact.kind == "comes-from" and (source := named.get(str(fact.value["operation"]))) is not None:
            row.takes.append((fact.location, source.number, f"{source.key.operation} {fact.value['field']}"))
            source.feeds.append((str(fact.value["field"]), row.number, f"{row.key.operation} {fact.location}"))
    return len(facts)


def _value(fact: Fact, masked: bool) -> str:
    if fact.value is True:
        return ""
    value = mask(fact.value, fact.location, parents=fact.key.path) if masked else fact.value
    return _short(as_text(value))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _shown_call(call: Call, catalog: Catalog | None, masked: bool) -> ShownCall:
    operation = catalog.get(call.key) if catalog is not None else None
    body: Json = mask(call.body, parents=call.key.path) if masked else call.body
    text = "" if body is None else json.dumps(body, ensure_ascii=False)
    return ShownCall(as_curl(call, operation), str(call.status or call.error), _short(text))


def _add_changes(rows: Mapping[OperationKey, ReportRow], changes: Sequence[Change], catalog: Catalog | None) -> None:
    for change in changes:
        row = rows.get(change.key) if change.key is not None else None
        if row is not None and catalog is not None:
            document = catalog.documents[change.file]
            parts = pointers.split(place_name(document.tree, change.pointer))
            within = "/".join(parts[3:] if parts[0] == "paths" else parts)
            place = f"{within} {change.file}:{document.line(change.pointer)}"
            before, after = ("" if value is None else as_text(value) for value in (change.before, change.after))
            row.changes.append(ShownChange(place, ", ".join(change.classes), before, after))


def _searches(evidence: Evidence) -> tuple[list[Search], int]:
    """The searches of the scenarios, unsolved ones first, and how many scenarios are left out."""
    scenarios = evidence.scenarios()
    right = {(solution.scenario, solution.strategy): solution for solution in evidence.solutions()}
    found = []
    for scenario in scenarios[:MOST_SCENARIOS]:
        planned = (node for node in evidence.nodes(scenario=scenario.id) if node.plan is not None)
        by_strategy = grouped((node.strategy, node) for node in planned)
        for strategy, nodes in by_strategy.items():
            solution = right.get((scenario.id, strategy))
            path = [node.id for node in solution.nodes] if solution is not None else []
            ways = outline(nodes, path, longest=_LONGEST)
            found.append(Search(scenario, strategy, solution is not None, ways))
    return sorted(found, key=lambda search: search.solved), max(0, len(scenarios) - MOST_SCENARIOS)


def _graph(rows: Mapping[OperationKey, ReportRow]) -> Drawing:
    names = {row.number: row.key.operation for row in rows.values()}
    edges = {(source, row.number) for row in rows.values() for _, source, _ in row.takes if source != row.number}
    return draw_graph(names, edges)


def _timeline(evidence: Evidence) -> list[Period]:
    """The calls in the order in which they were made, in periods of as many calls each."""

    def endings() -> Iterator[tuple[str, OperationKey, str]]:
        for ending in evidence.calls.timeline():
            status = ending.status or 0
            kind = "good" if ending.ok else "refused" if 300 <= status < 500 else "failed"
            yield ending.purpose, ending.key, kind

    return periods(endings(), evidence.calls.endings().total())
