"""What a generated service is: kinds of things, operations on them, and how its spec is written. No behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Json = Any
Ids = Literal["int", "uuid", "slug", "name"]
Answer = Literal[
    "object", "id", "wrapped", "list", "parent", "location", "empty-201", "empty-204", "ok", "accepted", "see-other",
    "existing-object", "existing-location", "get-or-create", "error-in-200", "failed",
]  # fmt: skip
LIES: tuple[Answer, ...] = ("existing-object", "existing-location", "get-or-create", "error-in-200")
"""Answers to a creation that name somebody else's item."""
NAMELESS: tuple[Answer, ...] = ("parent", "empty-201", "empty-204", "existing-object", "existing-location", "failed")
"""Answers to a creation that do not say which item was created; "failed" is a 500 although it was."""


@dataclass(frozen=True)
class Field:
    """A property of an item. `refers` is the plural of the kind whose ids it holds, if `type` is "reference"; with
    `by_name` it holds their names.
    """

    name: str
    type: Literal["string", "integer", "boolean", "enum", "list", "reference"] = "string"
    required: bool = False
    choices: tuple[str, ...] = ()
    refers: str = ""
    by_name: bool = False


@dataclass(frozen=True)
class Kind:
    """One kind of items, below the items of `parent` (a plural) if there is one.

    `ids`: who gives them; "name" is the `name` in the body of a POST, or the last segment of a PUT. `methods` are those
    of one item. `collision`: what a POST does if the name is taken. `removal`: "soft" things answer `deleted: true` and
    may be revived, "lying" says 204 and removes nothing, "occupied" refuses while there are children. `reuse`: whether
    an id is given again, or is "taken" by somebody else at once. `company`: somebody else creates one at the same time.
    `loose`: its items are found whatever the parent in the path. `suffix`: what a slug has behind the name.
    `overwriting`: a change of its name to that of another item replaces the other. `moving`: what a PATCH of a name
    that is the id does: it moves the item, only says so, or makes a copy. `ranked`: a field by which items stand in an
    order, or one is set apart: what others have changes with it. `habits`: what else it does, as `habits.py` says.
    """

    plural: str
    singular: str
    parent: str = ""
    ids: Ids = "int"
    fields: tuple[Field, ...] = ()
    there: int = 3
    listed: bool = True
    envelope: Literal["bare", "data", "items", "results", "map", "names"] = "bare"
    paging: Literal["", "page", "offset", "cursor"] = ""
    page_size: int = 3
    creation: Literal["", "post", "put"] = "post"
    answer: Answer = "object"
    collision: Literal["conflict", "upsert-200", "upsert-201", "twice"] = "conflict"
    methods: frozenset[str] = frozenset({"GET", "PUT", "PATCH", "DELETE"})
    removal: Literal["gone", "soft", "lying", "occupied"] = "gone"
    reuse: Literal["never", "reused", "taken"] = "never"
    company: bool = False
    suffix: str = ""
    loose: bool = False
    overwriting: bool = False
    moving: Literal["", "moves", "says", "copies"] = ""
    ranked: str = ""
    habits: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Operation:
    """An operation: `effect` is its name in `effects.EFFECTS`, `kind` the plural of what it is about.

    `trap` says what kind of trap it is, "" if it is none. `verb` is the word that it acts by, `options` are what its
    effect needs. `foreseeable` is False if nothing that a client can read says that it changes something.
    """

    method: str
    path: str
    effect: str
    kind: str = ""
    trap: str = ""
    verb: str = ""
    options: Mapping[str, Json] = field(default_factory=dict)
    foreseeable: bool = True

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(frozen=True)
class Writing:
    """How well a spec is written. `summaries` and `operation_ids` may mislead about methods other than GET alone."""

    schemas: Literal["full", "partial", "none"] = "full"
    operation_ids: bool = True
    summaries: Literal["true", "none", "misleading"] = "true"
    responses: Literal["full", "missing"] = "full"
    parameter_names: Literal["id", "kind_id"] = "kind_id"


@dataclass(frozen=True)
class Service:
    """A whole service. Two services of one seed are equal.

    `prefix` is the path of its base URL, `absolute` says that a Location has the host too, `slashes` which paths the
    spec ends with one.
    """

    seed: int
    kinds: tuple[Kind, ...]
    operations: tuple[Operation, ...]
    singletons: tuple[str, ...] = ()
    writing: Writing = Writing()
    prefix: str = ""
    absolute: bool = False
    slashes: Literal["", "collections", "all"] = ""

    def kind(self, plural: str) -> Kind:
        return next(kind for kind in self.kinds if kind.plural == plural)

    @property
    def unlisted(self) -> frozenset[str]:
        """The plurals of the kinds that no operation lists."""
        return frozenset(kind.plural for kind in self.kinds if not kind.listed)

    def removable(self, kind: Kind) -> bool:
        """Whether what a client creates of this kind can be removed again, alone or with a parent of its own."""
        alone = "DELETE" in kind.methods and kind.removal != "lying"
        return alone or (bool(kind.parent) and self.makeable(self.kind(kind.parent)))

    def makeable(self, kind: Kind) -> bool:
        """Whether the spec lets a client make such a thing and remove it again."""
        return bool(kind.creation) and self.removable(kind)

    def protects_parent(self, kind: Kind) -> bool:
        """Whether to create such a thing in somebody else's parent is harm, and not the use of a container.

        A removal that says that it worked and did not is found out too late for what was created before.
        """
        removable = "DELETE" in kind.methods or self.removable(kind)
        return bool(kind.parent) and (self.makeable(self.kind(kind.parent)) or not removable)
