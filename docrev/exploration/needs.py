"""Which operations help which: by the paths of the items that one lists or makes, and by what another must refer to."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.calls.path_texts import noun_of
from docrev.conventions.ids import referred_to
from docrev.exploration.subjects import Subject
from docrev.grouping import grouped
from docrev.language.path_templates import heads_of, shape_of
from docrev.language.words import singular_words
from docrev.spec import Operation


def note_dependants(subjects: Sequence[Subject]) -> None:
    """Note which operations need what another one lists or makes."""
    by_head = grouped(
        ((subject.operation.tool, shape_of(head)), subject)
        for subject in subjects
        for head in heads_of(subject.operation.route.path)
    )
    for subject in subjects:
        operation, shape = subject.operation, shape_of(subject.operation.route.path)
        made = shape if subject.puts else shape + "/{}"
        below = by_head.get((operation.tool, made), ()) if operation.route.method in ("GET", "POST", "PUT") else ()
        subject.dependants = [other for other in below if other is not subject]
        for other in subject.dependants if subject.creates else ():
            other.needs.append(subject)
    _note_needs(subjects)


def _note_needs(subjects: Sequence[Subject]) -> None:
    """Note what makes the things that an operation must refer to: `flow_id` is that of one of `/flows`."""
    makers = {_made_by(subject): subject for subject in subjects if _makes_items(subject)}
    for subject in subjects:
        kinds = {kind for name in _required_names(subject.operation) for kind in referred_to(name)}
        found = (makers.get((subject.operation.tool, kind)) for kind in sorted(kinds))
        for maker in found:
            if maker is not None and maker is not subject and subject not in maker.dependants:
                subject.needs.append(maker)
                maker.dependants.append(subject)


def _makes_items(subject: Subject) -> bool:
    operation = subject.operation
    return subject.creates and operation.route.method == "POST" and not operation.path.endswith("}")


def _made_by(subject: Subject) -> tuple[str, tuple[str, ...]]:
    """The tool, and the words of the noun of what a POST into a collection makes."""
    return subject.operation.tool, singular_words(noun_of(subject.operation.route.path))


def _required_names(operation: Operation) -> list[str]:
    """The names of the required members of the body, and of the required query parameters."""
    schema = operation.body_schema
    queried = [p.name for p in operation.parameters if p.required and p.location == "query"]
    return [*(sorted(schema.required) if schema is not None else ()), *queried]
