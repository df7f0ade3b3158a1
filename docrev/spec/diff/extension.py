"""What docrev itself keeps in a spec, under `x-docrev`: told item by item, each experience by the operation to use."""

from __future__ import annotations

from docrev.json_values.canonical import canonical
from docrev.records import Json
from docrev.spec.diff.walk import DiffSpot, Walk, differing, filled, paired

_EXPERIENCE = ("experience", "experiences")


def docrev(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    """The handler of `x-docrev`: one difference for each item of a list, and for each other value under it."""
    values = filled(dict, old, new)
    if values is None or not any(values):
        walk.leaf(spot, key, old, new)
        return
    inner = spot.child(key)
    for name, one, other in differing(*values):
        if (items := filled(list, one, other)) is not None:
            _items(walk, inner, name, *items)
        else:
            walk.emit(inner.child(name), "docrev", one, other, field=f"{key}/{name}")


def _items(walk: Walk, spot: DiffSpot, name: str, old: list[Json], new: list[Json]) -> None:
    aspect = "experience" if name in _EXPERIENCE else "docrev"
    both = {canonical(item) for item in old} & {canonical(item) for item in new}
    keys = [_name(item, both) for item in old], [_name(item, both) for item in new]
    for _, places, one, other in paired(old, new, keys):
        walk.emit(spot.child(name).child(*places), aspect, one, other, field=f"x-docrev/{name}")


def _name(item: object, both: set[str]) -> str:
    """Equal items belong together, whatever became of the others; then those that name the same operation to use."""
    text = canonical(item)
    if text in both or not isinstance(item, dict):
        return text
    return f"{item.get('parameter', '')} {item['use']}" if "use" in item else str(item.get("scenario") or text)
