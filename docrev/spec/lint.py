"""All that can be said against specs without calling the API: one function per kind of finding, its ids on top."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from docrev.spec.catalog import Catalog
from docrev.spec.findings import Finding, Level, Place
from docrev.spec.operation import Operation
from docrev.spec.texts import first_paragraph, is_restated
from docrev.spec.validate import validate

LONGEST_TEXT = 1_000
LONGEST_PARAGRAPH = 300
LONGEST_PARAMETER = 700
LONG_PARAMETER = 300
"""What the consumers of documentation allow: OpenAI tools 1,024 characters, GPT Actions 300 per operation and 700 per
parameter. docrev's own texts keep within 1,000 for an operation and 300 for a parameter."""
_LONGEST_NAME = 64
_FIT_NAME = re.compile(r"[A-Za-z0-9_-]+")


def lint(catalog: Catalog, *, validator: bool = True) -> list[Finding]:
    """Findings of loading, of openapi-spec-validator, and on the documentation; by file, line and pointer.

    Level `error`: the format is violated. `warning`: readers or tools will be misled. `info`: could be better.
    """
    findings = list(catalog.findings)
    for check in _CHECKS:
        findings += check(catalog)
    findings = list(dict.fromkeys(findings))
    for name in catalog.files.values() if validator else ():
        findings += validate(catalog.documents[name], catalog.refs)
    return sorted(findings, key=lambda one: (one.file, one.line, one.pointer, one.id, one.message))


def _duplicate_keys(catalog: Catalog) -> Iterator[Finding]:
    """`duplicate-key`"""
    for name, document in sorted(catalog.documents.items()):
        for pointer, line in document.duplicates:
            what = f'key "{pointer.rpartition("/")[2]}" stands here twice; only the last counts'
            yield Finding("duplicate-key", "warning", name, line, pointer, what, "remove one")


def _operation_ids(catalog: Catalog) -> Iterator[Finding]:
    """`duplicate-operation-id`, `missing-operation-id`, `unfit-operation-id`"""
    first: dict[tuple[str, str], Operation] = {}
    for operation in catalog.operations:
        id = operation.operation_id
        here = Place(operation.place.file, f"{operation.place.pointer}/operationId")
        if not id:
            yield _note(
                catalog,
                operation.place,
                ("missing-operation-id", "info"),
                "the operation has no operationId",
                f"name it, for instance {operation.name}",
            )
        elif (operation.tool, id) in first:
            other = first[operation.tool, id].key.operation
            what = f'operationId "{id}" is also that of {other}'
            yield _note(catalog, here, ("duplicate-operation-id", "error"), what, "rename one")
        elif len(id) > _LONGEST_NAME or not _FIT_NAME.fullmatch(id):
            what = f'operationId "{id[:80]}" is no tool name: 64 letters, digits, "_" or "-" at most'
            yield _note(catalog, here, ("unfit-operation-id", "info"), what, "shorten or respell it")
        first.setdefault((operation.tool, id), operation)


def _operation_texts(catalog: Catalog) -> Iterator[Finding]:
    """`undocumented-operation`, `restated-name`, `description-too-long`, `long-first-paragraph`"""
    for operation in catalog.operations:
        text = operation.text
        if not text.strip():
            what = "the operation has neither description nor summary"
            yield _note(catalog, operation.place, ("undocumented-operation", "info"), what, "say what it is for")
            continue
        key = "description" if operation.description.strip() else "summary"
        here = Place(operation.place.file, f"{operation.place.pointer}/{key}")
        if is_restated(text, operation.name, operation.path):
            yield _note(catalog, here, ("restated-name", "info"), f"the {key} only restates the name", "say more")
        if len(text) > LONGEST_TEXT:
            yield _too_long(catalog, here, text, LONGEST_TEXT)
        elif len(first_paragraph(text)) > LONGEST_PARAGRAPH:
            length = len(first_paragraph(text))
            what = f"the first paragraph has {length:,} characters; some consumers cut it at {LONGEST_PARAGRAPH}"
            yield _note(catalog, here, ("long-first-paragraph", "info"), what, "begin with a shorter one")


def _parameter_texts(catalog: Catalog) -> Iterator[Finding]:
    """`restated-name`, `description-too-long`, `long-description`"""
    for operation in catalog.operations:
        for parameter in operation.written_parameters:
            text = parameter.description
            own = Place(parameter.place.file, f"{parameter.place.pointer}/description")
            here = own if catalog.node(own) == text else parameter.schema.place
            if is_restated(text, parameter.name):
                what = f'the description of "{parameter.name}" only restates the name'
                yield _note(catalog, here, ("restated-name", "info"), what, "say more")
            elif len(text) > LONGEST_PARAMETER:
                yield _too_long(catalog, here, text, LONGEST_PARAMETER)
            elif len(text) > LONG_PARAMETER:
                what = f"the description has {len(text):,} characters; better keep it under {LONG_PARAMETER}"
                yield _note(catalog, here, ("long-description", "info"), what, "shorten it")


def _too_long(catalog: Catalog, place: Place, text: str, limit: int) -> Finding:
    what = f"the description has {len(text):,} characters; consumers allow {limit:,}"
    return _note(catalog, place, ("description-too-long", "warning"), what, "shorten it")


def _note(catalog: Catalog, place: Place, kind: tuple[str, Level], message: str, fix: str) -> Finding:
    return catalog.refs.finding(place, kind[0], message, level=kind[1], fix=fix)


_CHECKS: tuple[Callable[[Catalog], Iterator[Finding]], ...] = (
    _duplicate_keys,
    _operation_ids,
    _operation_texts,
    _parameter_texts,
)
