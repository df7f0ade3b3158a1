"""Nulls in properties that are newly declared: at any operation that returns the object, though another declares it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from docrev.json_values import pointer as pointers
from docrev.json_values.leaves import values_at
from docrev.records import Change, Json
from docrev.revision.keywords import Dialect, dialect, null
from docrev.revision.response_uses import Use
from docrev.spec import Catalog, Place

_ALWAYS_NULL = "May be null."
"""What is said of a property that nothing else was seen of: an empty schema says nothing."""


class NullsSeen:
    """Where responses have null for what is not declared yet, whichever operation returned it."""

    def __init__(self, catalog: Catalog, uses: Mapping[Place, Sequence[Use]]) -> None:
        self._catalog, self._uses = catalog, uses

    def stated(self, change: Change) -> Change:
        """A change, with null among the types of each new property of a response that is null somewhere."""
        around, _, name = change.pointer.rpartition("/")
        if change.before is not None or not isinstance(change.after, dict):
            return change
        form = dialect(self._catalog.documents[change.file].tree)
        if name == "properties":
            owner = Place(change.file, around)
            parts = {key: self._part(owner, pointers.join(key), part, form) for key, part in change.after.items()}
            return replace(change, after=parts)
        if around.endswith("/properties"):
            owner = Place(change.file, around.removesuffix("/properties"))
            return replace(change, after=self._part(owner, f"/{name}", change.after, form))
        return change

    def _part(self, owner: Place, below: str, part: Json, form: Dialect) -> Json:
        if part == {} and self._is_null(owner, below):
            return {"description": _ALWAYS_NULL}
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(part, dict) or not isinstance(kind, str) or not self._is_null(owner, below):
            return part
        return part | null(kind, form)

    def _is_null(self, owner: Place, below: str) -> bool:
        return any(
            value is None
            for observed, status, pointer in self._uses.get(owner, ())
            for call in observed.good
            if str(call.status) == status
            for value in values_at(call.body, f"{pointer}{below}")
        )
