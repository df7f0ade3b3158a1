"""Operations of RPC style whose names alone say which things they are about: `/createPad`, `/deletePad`, `/getText`.

No path puts them into a collection, so one is named after the things: `/pads`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docrev.grouping import only
from docrev.language.words import singular_words, word_set, words
from docrev.records import OperationKey
from docrev.spec.deeds import ADDING, CHANGING, VERBS, Kind, collection_name, kind_named
from docrev.spec.operation import Operation
from docrev.spec.schema import properties_of

_IDS = word_set("id ids uuid guid")


def collections_of(operations: Sequence[Operation]) -> dict[OperationKey, str]:
    """The collections of the operations of one tool that lie in none, by their names and IDs; "" for what
    lies beside these and is about nothing known.

    Only what is made and removed by such names is a kind of things. What has the ID of one other thing is about that:
    `/listPads` with `groupID` reads a group, and `/getText` with `padID` a pad.
    """
    base = _base(operations)
    flat = [op for op in operations if op.path.rpartition("/")[0] == base and not {".", "{"} & {*op.path[len(base) :]}]
    kinds = _kinds(flat)
    found = {operation.key: _of(operation, kinds) for operation in flat} if kinds else {}
    return {key: f"{base}/{collection_name(kind)}" if kind else "" for key, kind in found.items()}


def _base(operations: Iterable[Operation]) -> str:
    """What all paths begin with before their last segment; "" if that is not the same in all."""
    return only({operation.path.rpartition("/")[0] for operation in operations}) or ""


def _kinds(operations: Iterable[Operation]) -> set[Kind]:
    """The kinds of things that some operations make, and others remove, by their names."""
    named = [(VERBS[_verb(op)], kind) for op in operations if (kind := _named(op))]
    made, removed = ({kind for deed, kind in named if deed == wanted} for wanted in ("make", "remove"))
    return made & removed


def _verb(operation: Operation) -> str:
    return next(iter(words(operation.path.rpartition("/")[2])), "")


def _named(operation: Operation) -> Kind:
    """The kind of things that the words after a verb name; () if they say more than that."""
    rest = words(operation.path.rpartition("/")[2])[1:]
    return kind_named(rest) if _verb(operation) in VERBS else ()


def _of(operation: Operation, kinds: set[Kind]) -> Kind | None:
    """The kind of the things that an operation is about; None if nothing says so, or several things are named."""
    named, verb = _named(operation), _verb(operation)
    others = {kind for name in _arguments(operation) if (kind := _identified(name)) in kinds} - {named}
    reads = VERBS.get(verb) not in CHANGING
    if named in kinds and not (others and (reads or verb in ADDING)):
        return named
    # A name that says that something else is made may put it anywhere.
    return only(others) if VERBS.get(verb) != "make" else None


def _arguments(operation: Operation) -> Iterable[str]:
    """The names of what an operation is sent."""
    schema = operation.body_schema
    yield from (parameter.name for parameter in operation.parameters if parameter.location == "query")
    yield from properties_of(schema)


def _identified(name: str) -> Kind:
    """The kind of things whose ID an argument is called: `padID`, `pad_id`; () if it is none."""
    *kind, last = words(name) or ("",)
    return singular_words("_".join(kind)) if last in _IDS else ()
