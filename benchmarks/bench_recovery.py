"""Documentation that was hidden and found again: the bundled services, a simulated TMDB, Kinto, and texts of others."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from counting_proxy import counting
from draft_documents import documents
from kinto_server import CREDENTIALS, kinto, spec
from table import Row, render

from docrev.eval.hiding import Hiding
from docrev.eval.recovery import BUDGETS, Point, RecoveryPlan, Result, curve, run, simulated
from docrev.eval.recovery_tables import score as lines_of
from docrev.eval.recovery_tables import share
from docrev.eval.scores import Score, score
from docrev.eval.statements import TextStatement, statements_of
from docrev.eval.truth import truth_of
from docrev.evidence import Evidence
from docrev.json_values.canonical import canonical
from docrev.records import Fact, Json, OperationKey
from docrev.sandbox import serve
from docrev.spec import fixed, load

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data"
TRUTHS = tuple(ROOT / "docrev" / "sandbox" / name / "truth.yaml" for name in ("airfield", "atlas"))
TMDB = SHARED / "restbench" / "tmdb_oas.json"
SPOTIFY = SHARED / "restbench" / "spotify_oas.json"
DRAFT = SHARED / "draft"
LIST = Path(__file__).with_name("kinto_facts.yaml")
READ = ("required", "default", "range", "clamps", "allowed-values")
"""Kinds that the sentences of a text are read for."""
NAMED = 12
"""Wrong statements that are named under a table."""


def main() -> str:
    parts = [*bundled(), *tmdb(), *spotify(), on_kinto(), texts()]
    return "\n".join(parts)


def bundled() -> list[str]:
    """Both bundled services, all hidden; then with the names of parameters hidden too; then the curve."""
    from docrev.sandbox.atlas import KEY

    os.environ["DOCREV_DEMO_KEY"] = KEY
    plan = RecoveryPlan(TRUTHS, headers=("X-Api-Key: env:DOCREV_DEMO_KEY",), closed=True)
    result = run(plan, serve)
    total = result.facts.total
    rows = [
        Row("precision", share(total.precision), "1.000", total.wrong == 0),
        Row("recall", share(total.recall), ">= 0.900", (total.recall or 0) >= 0.9),
        Row("recall, mean over kinds", share(result.facts.mean_recall)),
        *_cost(result, 40),
    ]
    nameless = run(RecoveryPlan(TRUTHS, Hiding.parse("all,parameters"), plan.headers, closed=True), serve).facts.total
    rows.append(Row("with names of parameters hidden too: recall", share(nameless.recall)))
    table = render("Recovery: bundled services, everything hidden but names", rows)
    points = _curve("Recovery: bundled services, recall over calls", curve(plan, serve))
    return [_with_kinds(table, result.facts), points]


def tmdb() -> list[str]:
    """A world simulated from TMDB's spec, all hidden."""
    if not TMDB.exists():
        return [render("Recovery: simulated TMDB", [Row(f"skipped: no {TMDB.name} in ../shared/data/restbench", "-")])]
    plan = RecoveryPlan((TMDB,), simulated=True)
    result = run(plan, simulated(plan))
    total = result.facts.total
    rows = [
        Row("precision", share(total.precision), ">= 0.980", (total.precision or 0) >= 0.98),
        Row("recall", share(total.recall), ">= 0.800", (total.recall or 0) >= 0.8),
        Row("recall, mean over kinds", share(result.facts.mean_recall)),
        *_cost(result, None),
    ]
    table = render("Recovery: simulated TMDB, everything hidden but names", rows)
    return [_with_kinds(table, result.facts), _curve("Recovery: simulated TMDB", curve(plan, simulated(plan)))]


def spotify() -> list[str]:
    """A second opinion on what was measured on TMDB: a world of Spotify's spec, mended; nothing is required of it."""
    if not SPOTIFY.exists():
        return [render("Recovery: simulated Spotify", [Row(f"skipped: no {SPOTIFY.name} in ../shared/data", "-")])]
    with tempfile.TemporaryDirectory() as folder:
        mended = Path(folder) / "spotify.json"
        mended.write_bytes(next(iter(fixed(load(SPOTIFY))[0].documents.values())).to_bytes())
        plan = RecoveryPlan((mended,), simulated=True)
        result = run(plan, simulated(plan))
    total = result.facts.total
    rows = [
        Row("precision", share(total.precision)),
        Row("recall", share(total.recall)),
        Row("recall, mean over kinds", share(result.facts.mean_recall)),
        *_cost(result, None),
    ]
    return [_with_kinds(render("Recovery: simulated Spotify, mended, everything hidden but names", rows), result.facts)]


def _cost(result: Result, wanted: int | None) -> list[Row]:
    calls = result.calls_per_operation
    met = calls <= wanted if wanted else None
    return [
        Row("calls an operation", f"{calls:.1f}", f"<= {wanted}" if wanted else "", met),
        Row("operations answered", f"{result.reached} of {result.operations}"),
    ]


def _with_kinds(table: str, found: Score) -> str:
    wrong = [f"wrong: {said}; true is {told}" for said, told in found.wrong[:NAMED]]
    return "\n".join([table, *lines_of(found), *wrong, ""])


def _curve(title: str, points: Sequence[Point]) -> str:
    """Recall at each budget in both orders; the explorer's own order must be better at each."""
    at = {(point.order, point.budget): point for point in points}
    rows = []
    for budget in BUDGETS:
        own, other = at["poorest", budget], at.get(("random", budget))
        row = f"{share(own.recall)} at {own.calls:.1f} calls"
        if other is None:
            rows.append(Row(f"{budget} calls an operation", row))
        else:
            text = f"> {share(other.recall)} at {other.calls:.1f}, at random"
            rows.append(Row(f"{budget} calls an operation", row, text, (own.recall or 0) > (other.recall or 0)))
    return render(title, rows)


# Kinto


def on_kinto() -> str:
    """What is said of Kinto, held against the list of this folder, and what must be among it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with kinto() as url, counting(url) as proxy:
            document = spec(url, folder / "kinto.json")
            command = [sys.executable, "-m", "docrev", "explore", str(document), "--base-url", proxy.url, "--json"]
            command += ["-H", f"Authorization: {CREDENTIALS}", "--allow", "POST,PUT,PATCH,DELETE"]
            printed = subprocess.run([*command, "--out", str(folder / "evidence")], check=True, capture_output=True)
            told = json.loads(printed.stdout)
            wiped = [target for method, target, _ in proxy.requests if method == "DELETE" and "__user_data__" in target]
        with Evidence.open(folder / "evidence", write=False) as evidence:
            facts = list(evidence.facts())
    return kinto_table(facts, len(proxy.requests) / told["operations"], wiped)


def kinto_table(facts: Sequence[Fact], calls: float, wiped: Sequence[str]) -> str:
    """The table of what was said of Kinto."""
    known = yaml.safe_load(LIST.read_text("utf-8"))
    verdicts = [
        (one, verdict(one, known)) for one in statements_of(facts) if one.key.operation not in known["not_judged"]
    ]
    counts = {name: sum(told == name for _, told in verdicts) for name in ("right", "wrong", "unjudged")}
    judged = counts["right"] + counts["wrong"]
    precision = counts["right"] / judged if judged else 0.0
    rows = [
        Row("precision by the list", f"{precision:.3f}", ">= 0.980", precision >= 0.98),
        Row("statements right, wrong, not judged", f"{counts['right']}, {counts['wrong']}, {counts['unjudged']}"),
        Row("calls an operation", f"{calls:.1f}"),
        Row("requests that would wipe an account", str(len(wiped)), "0", not wiped),
    ]
    for must in known["must"]:
        there = any(_fits(one, must["operations"], pattern) for one, _ in verdicts for pattern in must["any"])
        rows.append(Row(must["what"], "yes" if there else "no", "yes", there))
    named = {told: [one for one, verdict in verdicts if verdict == told] for told in ("wrong", "unjudged")}
    listed = [f"{told}: {one}" for told, found in named.items() for one in found[:NAMED]]
    return "\n".join([render("Recovery: Kinto, by a list checked by hand", rows), *listed, ""])


def verdict(one: TextStatement, known: Mapping[str, Any]) -> str:
    """right, wrong or unjudged: the first rule that fits, a right one that is more special first."""
    for told in ("wrong", "right"):
        for name, patterns in known[told].items():
            if any(_fits(one, known["operations"][name], pattern) for pattern in patterns):
                return "right" if told == "wrong" and _excepted(one, known) else told
    return "unjudged"


def _excepted(one: TextStatement, known: Mapping[str, Any]) -> bool:
    """Whether the first group under `right`, which holds the exceptions to what is wrong, has it."""
    name, patterns = next(iter(known["right"].items()))
    return any(_fits(one, known["operations"][name], pattern) for pattern in patterns)


def _fits(one: TextStatement, operations: str, pattern: str) -> bool:
    return bool(re.fullmatch(operations, one.key.operation)) and bool(_compiled(pattern).fullmatch(line(one)))


def line(one: TextStatement) -> str:
    """A statement as the list writes it."""
    value: Json = sorted(one.value, key=canonical) if isinstance(one.value, list) else one.value
    part = f" {one.part}" if one.part else ""
    return f"{one.kind} {one.location or '-'}{part} = {canonical(value)}"


_PATTERNS: dict[str, re.Pattern[str]] = {}


def _compiled(pattern: str) -> re.Pattern[str]:
    if pattern not in _PATTERNS:
        escaped = re.escape(pattern).replace(r"\*", ".*").replace("%", r"(\S+)", 1).replace("%", r"\1")
        _PATTERNS[pattern] = re.compile(escaped)
    return _PATTERNS[pattern]


# Texts of others


def texts() -> str:
    """What people's and a model's documents say of TMDB and Spotify, held against the specs' own keywords."""
    rows = []
    for api_name, oas in (("TMDB", "tmdb_oas.json"), ("Spotify", "spotify_oas.json")):
        for author in ("Initial", "DRAFT"):
            file = DRAFT / f"{api_name}_{author}.json"
            if file.exists():
                catalog = load([SHARED / "restbench" / oas])
                stated, matched = documents(file, catalog)
                total = score(stated, truth_of(catalog), _asked_of(matched)).total
                text = f"recall {share(total.recall)}, precision {share(total.precision)}"
                rows.append(Row(f"{author} on {api_name}, {len(matched)} documents", text))
    title = "Recovery: what texts say of parameters (required, default, range, allowed values)"
    return render(title, rows or [Row("skipped: no ../shared/data/draft", "-")])


def _asked_of(matched: set[OperationKey]) -> Callable[[TextStatement], bool]:
    """Chooses what sentences are read for, of the parameters of the operations that have a document."""

    def asked(told: TextStatement) -> bool:
        on_parameter = told.location.startswith(("query:", "header:", "body:"))
        return told.key in matched and on_parameter and told.kind in READ

    return asked
