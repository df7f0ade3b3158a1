"""Checks that need the whole folder: `$ref`s that lead nowhere, and flags that are written as strings."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.spec.findings import Finding, Place
from docrev.spec.grammar import Table, Visit, table_of, visit
from docrev.spec.refs import References, target


def visits(refs: References, files: list[str]) -> Iterator[tuple[str, Visit]]:
    """Every object of the specs `files`, and of the parts of other files that they refer to, as (document, visit)."""
    for file in files:
        table = table_of(refs.documents[file].tree)
        queue: list[tuple[str, str, str]] = [(file, "", "document")]
        seen = {(file, "")}
        while queue:
            name, at, kind = queue.pop(0)
            for one in visit(refs.documents[name], table, kind, at):
                yield name, one
                ref = one.node.get("$ref")
                goal = target(name, ref) if isinstance(ref, str) else None
                if goal and goal[0] != file and goal not in seen and goal[0] not in files:
                    seen.add(goal)
                    if refs.document(goal[0]) is not None:
                        queue.append((*goal, one.kind))


def check(refs: References, files: list[str]) -> list[Finding]:
    """Findings on broken `$ref`s and on flags that are strings, in `files` and what they refer to."""
    findings: list[Finding] = []
    known: dict[tuple[str, str], tuple[str, str] | None] = {}
    for name, one in visits(refs, files):
        place = Place(name, one.pointer)
        ref = one.node.get("$ref")
        if isinstance(ref, str):
            if (name, ref) not in known:
                known[name, ref] = refs.broken(place, ref)
            trouble = known[name, ref]
            if trouble is not None:
                at = Place(name, f"{one.pointer}/$ref")
                findings.append(refs.finding(at, *trouble, fix="mend it, or run docrev lint --fix"))
        for key, value in one.node.items():
            if isinstance(value, str) and one.expected.get(key) in ("bool", "schema?"):
                at = Place(name, f"{one.pointer}/{key}")
                findings.append(
                    refs.finding(
                        at,
                        "string-boolean",
                        f'{key} is the string "{value}", not a boolean',
                        level="warning",
                        fix="remove the quotes, or run docrev lint --fix",
                    )  # fmt: skip
                )
    return findings
