"""What docrev itself keeps in a spec, under `x-docrev`: told item by item, each experience by its scenario."""

from __future__ import annotations

from docrev.json_values.canonical import canonical
from docrev.records import Json
from docrev.spec.diff.entries import MISSING, same
from docrev.spec.diff.walk import Spot, Walk, index

_EXPERIENCE = ("experience", "experiences")


def docrev(walk: Walk, spot: Spot, key: str, old: Json, new: Json) -> None:
    """The handler of `x-docrev`: one difference for each item of a list, and for each other value under it."""
    before, after = ({} if value is MISSING else value for value in (old, new))
    if not isinstance(before, dict) or not isinstance(after, dict) or not (before or after):
        walk.leaf(spot, key, old, new)
        return
    inner = spot.child(key)
    for name in (*after, *(name for name in before if name not in after)):
        one, other = before.get(name, MISSING), after.get(name, MISSING)
        if same(one, other):
            continue
        if all(value is MISSING or isinstance(value, list) for value in (one, other)):
            _items(walk, inner, name, one, other)
        else:
            walk.emit(inner.child(name), "docrev", one, other, field=f"{key}/{name}")


def _items(walk: Walk, spot: Spot, name: str, old: Json, new: Json) -> None:
    old, new = ([] if value is MISSING else value for value in (old, new))
    aspect = "experience" if name in _EXPERIENCE else "docrev"
    both = {canonical(item) for item in old} & {canonical(item) for item in new}
    before, after = (index(_name(item, both) for item in items) for items in (old, new))
    for key in (*after, *(key for key in before if key not in after)):
        i, j = before.get(key), after.get(key)
        one, other = MISSING if i is None else old[i], MISSING if j is None else new[j]
        if not same(one, other):
            first, second = (i if i is not None else j), (j if j is not None else i)
            spots = spot.child(name).child(str(first), str(second))
            walk.emit(spots, aspect, one, other, field=f"x-docrev/{name}")


def _name(item: Json, both: set[str]) -> str:
    """Equal items belong together, whatever became of the others; then those of the same scenario."""
    text = canonical(item)
    if text in both or not isinstance(item, dict):
        return text
    return str(item.get("scenario") or text)
