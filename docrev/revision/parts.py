"""A folder of specs in parts that are revised one after the other, so that memory does not follow their number.

What is said of one part rests on nothing that another one has: two specs are in the same part if one refers to the
other or to the same file, if values of one are known to come from the other, or if an operation of one was right where
that of the other was wrong. That a text was returned by a service which has nothing to do with this one is chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import replace

from docrev.evidence import Evidence
from docrev.evidence.part import EvidencePart
from docrev.facts.kinds import comes_from
from docrev.grouping import connected, grouped
from docrev.records import Fact
from docrev.revision.value_sources import operation_key
from docrev.spec import Catalog
from docrev.spec.catalog import refers_elsewhere
from docrev.spec.files import stem_of
from docrev.spec.refs import targets


def divided(catalog: Catalog, evidence: EvidencePart, *, whole: bool = False) -> Iterator[tuple[Catalog, EvidencePart]]:
    """The parts of a catalog, each with its evidence, in the order of the documents; one alone if `whole`.

    The first part also has what the evidence has of tools that are in no spec.
    """
    groups = [list(catalog.documents)] if whole else _groups(catalog, evidence.evidence)
    tools = grouped((name, tool) for tool, name in catalog.files.items())
    operations = grouped((operation.tool, operation) for operation in catalog.operations)
    strangers = evidence.tools - catalog.files.keys()
    for names in groups:
        own = sorted(tool for name in names for tool in tools.get(name, ()))
        part = replace(
            catalog,
            # What is looked up in a document stays with it: it is let go of with the part.
            documents={name: copy(catalog.documents[name]) for name in names},
            tools=tuple(own),
            operations=tuple(operation for tool in own for operation in operations.get(tool, ())),
            servers={tool: catalog.servers[tool] for tool in own},
            files={tool: catalog.files[tool] for tool in own},
            _by_key={},
        )
        yield part, evidence.of({*own, *strangers})
        strangers = set()


def _groups(catalog: Catalog, evidence: Evidence) -> list[list[str]]:
    """The names of the documents of each part. What is no spec, and nothing refers to, is in the first."""
    specs = {*catalog.files.values()}
    pairs = [*_referring(catalog), *_of_tools(catalog, _fed(catalog, evidence))]
    pairs += _of_tools(catalog, ((one.wrong.tool, one.right.tool) for one in evidence.experiences()))
    pairs += _of_one_stem(catalog)
    groups = connected(catalog.documents, pairs)
    alone = [name for group in groups if specs.isdisjoint(group) for name in group]
    first, *others = [group for group in groups if not specs.isdisjoint(group)]
    return [[*first, *alone], *others]


def _of_one_stem(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """The documents whose tools are named with regard to each other: not as their files are, and those called alike."""
    renamed = {name for tool, name in catalog.files.items() if tool != stem_of(name)}
    stems = {stem_of(name) for name in renamed}
    return ((min(renamed), name) for name in catalog.files.values() if name in renamed or stem_of(name) in stems)


def _of_tools(catalog: Catalog, pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The documents of two tools each."""
    files = catalog.files
    return ((files[one], files[other]) for one, other in pairs if one in files and other in files)


def _referring(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Each document that refers to another one, with that."""
    for name, document in catalog.documents.items():
        if refers_elsewhere(document):
            yield from ((name, other) for other in targets(document) if other in catalog.documents)


def _fed(catalog: Catalog, evidence: Evidence) -> Iterator[tuple[str, str]]:
    """The tools of which one has values that the other one needs: a filter of its own list is no such need."""
    required = {(fact.key, fact.location) for fact in evidence.facts(kind="required")}
    for fact in evidence.facts(kind=comes_from.KIND.name):
        source = operation_key(comes_from.KIND.value_of(fact).operation).tool
        is_needed = not fact.location.startswith("query:") or (fact.key, fact.location) in required
        if source != fact.key.tool and (is_needed or _is_declared_required(catalog, fact)):
            yield fact.key.tool, source


def _is_declared_required(catalog: Catalog, fact: Fact) -> bool:
    operation = catalog.get(fact.key)
    parameters = operation.parameters if operation is not None else ()
    return any(parameter.required for parameter in parameters if parameter.key == fact.location)
