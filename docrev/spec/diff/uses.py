"""Which operations use a shared definition, directly or through others."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.json_values.containers import mapping, sequence
from docrev.json_values.pointer import escape
from docrev.records import Json
from docrev.spec.diff.sides import Side, references
from docrev.spec.diff.structure import METHODS
from docrev.spec.diff.walk import At
from docrev.spec.document import Document
from docrev.spec.refs import target

_DEPTH = {"components": 4, "paths": 3, "webhooks": 3} | dict.fromkeys(
    ("definitions", "parameters", "responses", "securityDefinitions"), 3
)
"""How many parts of a pointer name a definition."""

_SECURITY = {"swagger": "/securityDefinitions", "openapi": "/components/securitySchemes"}


class Uses:
    """The users of every definition of one side, worked out when first asked."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._users: dict[At, list[tuple[str, str]]] | None = None
        self._direct: dict[At, frozenset[At]] = {}
        self._outer: list[At] = []

    def of(self, at: At) -> tuple[tuple[str, str], ...]:
        """(document name, `METHOD /path`) of each operation that uses the definition, in file order."""
        if self._users is None:
            self._outer = [At(*place) for place in self._side.fragments().values()]
            self._users = {}
            for user, first in self._operations():
                for definition in self._closure(first):
                    self._users.setdefault(definition, []).append(user)
        return tuple(self._users.get(self._definition(at), ()))

    def _operations(self) -> Iterator[tuple[tuple[str, str], set[At]]]:
        for document in self._side.specs.values():
            for key, shown in (("paths", ""), ("webhooks", "webhook ")):
                paths = document.tree.get(key)
                for path, item in mapping(paths).items():
                    at = At(document.name, f"/{key}/{escape(path)}")
                    for method, found in self._of_path(document, item):
                        yield (document.name, f"{method.upper()} {shown}{path}"), found | {at}

    def _of_path(self, document: Document, item: Json) -> Iterator[tuple[str, set[At]]]:
        found = self._side.target(document.name, item)
        if not isinstance(found, dict):
            return
        beside = {key: value for key, value in (*item.items(), *found.items()) if key not in METHODS}
        shared = self._targets(document.name, beside)
        for method in METHODS:
            operation = found.get(method)
            if isinstance(operation, dict):
                used = self._targets(document.name, operation) | self._secured(document, operation)
                yield method, used | shared

    def _secured(self, document: Document, operation: Json) -> set[At]:
        section = next((place for key, place in _SECURITY.items() if key in document.tree), "")
        demands = operation.get("security", document.tree.get("security"))
        demands = sequence(demands)
        names = [name for demand in demands if isinstance(demand, dict) for name in demand]
        return {At(document.name, f"{section}/{escape(name)}") for name in names}

    def _closure(self, first: set[At]) -> set[At]:
        seen, stack = set(first), list(first)
        while stack:
            for one in self._of_definition(stack.pop()):
                if one not in seen:
                    seen.add(one)
                    stack.append(one)
        return seen

    def _of_definition(self, at: At) -> frozenset[At]:
        if at not in self._direct:
            path_item = at.pointer.startswith(("/paths/", "/webhooks/"))
            node = None if path_item else self._side.get(at.file, at.pointer)
            self._direct[at] = frozenset(self._targets(at.file, node))
        return self._direct[at]

    def _targets(self, file: str, node: object) -> set[At]:
        goals = (target(file, ref) for ref in references(node))
        return {self._definition(At(*goal)) for goal in goals if goal is not None}

    def _definition(self, at: At) -> At:
        """The definition that holds a place."""
        parts = at.pointer.split("/")
        depth = _DEPTH.get(parts[1]) if len(parts) > 1 else None
        if depth is not None:
            return At(at.file, "/".join(parts[:depth]))
        for outer in self._outer:
            if outer.file == at.file and (at.pointer + "/").startswith(outer.pointer + "/"):
                return outer
        return at
