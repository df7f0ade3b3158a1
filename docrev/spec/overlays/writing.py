"""A revision as an overlay: in the part of the format that the tools of others understand alike.

Targets are objects, never strings or lists, with every key in brackets and no filter; what is appended to a list is
merged through the mapping that it is in; a list or a value of another type is removed first, and then set. Beside
the target stands, under `x-docrev`, what finds the place in the next version of the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docrev.json_values import pointer as pointers
from docrev.records import Change, Json
from docrev.spec.change_classes import TITLES, by_worth
from docrev.spec.document import Document
from docrev.spec.meaning import MISSING
from docrev.spec.overlays.overlay import Overlay, OverlayAction
from docrev.spec.place_names import operation_of, place_name
from docrev.spec.tree_differences import TreeDifference, differences

_QUOTED = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def overlay_of(before: Document, after: Document, changes: Sequence[Change], *, extends: str = "") -> Overlay | None:
    """The overlay that makes the second document of the first, as data; None if they do not differ.

    Each action names the facts of those `changes` (of this document) that it comes from.
    """
    found = list(differences(before.tree, after.tree))
    if not found:
        return None
    actions = [action for difference in found for action in _actions(before.tree, difference, changes)]
    info = before.get("/info", {})
    title, version = (str(info.get(name, "")) if isinstance(info, dict) else "" for name in ("title", "version"))
    return Overlay(f"Documentation of {title or before.name}", version or "1", tuple(actions), extends)


def _actions(tree: Json, difference: TreeDifference, changes: Sequence[Change]) -> Iterator[OverlayAction]:
    holder, name = pointers.parent(difference.pointer), pointers.last(difference.pointer)
    behind = _behind(difference, changes)
    target, description = _target(tree, holder), _description(tree, difference, behind)
    extension = _extension(tree, difference, behind)
    if difference.after is MISSING:
        yield OverlayAction(
            _target(tree, difference.pointer), remove=True, description=description, extension=extension
        )
        return
    value = difference.after[len(difference.before) :] if difference.appended else difference.after
    if _is_in_the_way(difference):
        removed = _target(tree, difference.pointer)
        yield OverlayAction(removed, remove=True, description=description, extension=extension)
        extension = extension | {"continues": True}
    yield OverlayAction(target, update={name: value}, description=description, extension=extension)


def _is_in_the_way(difference: TreeDifference) -> bool:
    """Whether merging would keep something of the old value: all that is there but scalars, unless it is added to."""
    before, after = difference.before, difference.after
    if before is MISSING or difference.appended:
        return False
    return before is None or isinstance(before, dict | list) or isinstance(after, dict | list)


def _target(tree: Json, pointer: str) -> str:
    """The normalized path to what a pointer names (RFC 9535 §2.7)."""
    path, node = "$", tree
    for part in pointers.split(pointer):
        path += f"[{part}]" if isinstance(node, list) else f"['{part.translate(_QUOTED)}']"
        node = node[int(part)] if isinstance(node, list) else node.get(part)
    return path


def _extension(tree: Json, difference: TreeDifference, changes: Sequence[Change]) -> dict[str, Json]:
    extension: dict[str, Json] = {"place": place_name(tree, difference.pointer)}
    if (operation := operation_of(tree, difference.pointer)) is not None:
        extension["operation"], operation_id = operation
        extension |= {"operationId": operation_id} if operation_id else {}
    if difference.before is not MISSING and not difference.appended:
        extension["before"] = difference.before
    return extension | _grounds(changes)


def _grounds(changes: Sequence[Change]) -> dict[str, Json]:
    """Why it is written: the classes of changes, how sure they are, and their facts."""
    classes = by_worth(name for change in changes for name in change.classes)
    sure = all(change.confidence == "high" for change in changes)
    facts = {
        (fact.kind, fact.location, repr(fact.value)): {
            "kind": fact.kind,
            "location": fact.location,
            "value": fact.value,
        }
        for change in changes
        for fact in change.facts
    }
    grounds: dict[str, Json] = {"facts": list(facts.values())} if facts else {}
    return {"classes": list(classes), "confidence": "high" if sure else "medium"} | grounds if classes else grounds


def _description(tree: Json, difference: TreeDifference, changes: Sequence[Change]) -> str:
    classes = by_worth(name for change in changes for name in change.classes)
    operation = operation_of(tree, difference.pointer)
    name = pointers.split(place_name(tree, difference.pointer))
    where = " ".join(name[3:]) if operation else " ".join(name)
    return ": ".join(filter(None, [TITLES[classes[0]] if classes else "", operation[0] if operation else "", where]))


def _behind(difference: TreeDifference, changes: Sequence[Change]) -> list[Change]:
    """The changes that a difference comes from: those at its place, around it, or inside it."""
    at = f"{difference.pointer}/"
    return [change for change in changes if at.startswith(f"{change.pointer}/") or change.pointer.startswith(at)]
