"""What an anchor names is one thing: an edit through an alias changes it where it is written, for all its users."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docrev.errors import DocrevError
from docrev.json_values import pointer as pointers
from docrev.spec.document import Document
from docrev.spec.edits import Edit, Put, Remove, RenameKey


class Shared:
    """A value with an anchor, and every alias of it."""

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value = name, value


def expanded(value: Any) -> Any:
    if isinstance(value, Shared):
        return expanded(value.value)
    if isinstance(value, dict):
        return {name: expanded(item) for name, item in value.items()}
    return [expanded(item) for item in value] if isinstance(value, list) else value


def written(value: Any, column: int, seen: set[str], random: Random) -> str:
    """What follows a colon or a dash, with the line end."""
    anchor = ""
    if isinstance(value, Shared):
        if value.name in seen:
            return f" *{value.name}\n"
        seen.add(value.name)
        anchor, value = f" &{value.name}", value.value
    if isinstance(value, (dict, list)) and value and random.random() < 0.7:
        pad, note = " " * (column + 2), random.choice(["", " # note"])
        items = value.items() if isinstance(value, dict) else [(None, item) for item in value]
        lines = [
            pad + ("-" if name is None else f"{name}:") + written(item, column + 2, seen, random)
            for name, item in items
        ]
        return f"{anchor}{note}\n" + "".join(lines)
    if isinstance(value, str) and value and random.random() < 0.5:
        return f"{anchor} |-\n{' ' * (column + 2)}{value}\n"
    return f"{anchor} {flowed(value, seen)}\n"


def flowed(value: Any, seen: set[str]) -> str:
    if isinstance(value, Shared):
        if value.name in seen:
            return f"*{value.name} "
        seen.add(value.name)
        return f"&{value.name} {flowed(value.value, seen)}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {flowed(item, seen)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flowed(item, seen) for item in value) + "]"
    return json.dumps(value)


def some_model(random: Random, shared: list[Shared], depth: int = 3) -> Any:
    kind = random.randrange(8)
    if kind == 0 and shared:
        return random.choice(shared)
    if kind < 3 or not depth:
        value: Any = random.choice([1, "word", "two words", True])
    elif kind < 6:
        names = random.sample("abcde", random.randrange(1, 4))
        value = {name: some_model(random, shared, depth - 1) for name in names}
    else:
        value = [some_model(random, shared, depth - 1) for _ in range(random.randrange(1, 4))]
    if random.randrange(4) == 0 and depth < 3:
        shared.append(Shared(f"n{len(shared)}", value))
        return shared[-1]
    return value


def places(value: Any, pointer: str = "") -> list[str]:
    value = value.value if isinstance(value, Shared) else value
    found = [pointer]
    if isinstance(value, (dict, list)):
        for name, item in value.items() if isinstance(value, dict) else enumerate(value):
            found += places(item, pointer + pointers.join(name))
    return found


def holds_shared(value: Any) -> bool:
    if isinstance(value, Shared):
        return True
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(holds_shared, items))


def step(model: Any, random: Random) -> Edit | None:
    """One edit, done to the model; None where it would take an anchor away from its aliases."""
    pointer = random.choice([place for place in places(model) if place])
    parts = pointers.split(pointer)
    holder = model
    for part in parts[:-1]:
        holder = holder.value if isinstance(holder, Shared) else holder
        holder = holder[int(part) if isinstance(holder, list) else part]
    holder = holder.value if isinstance(holder, Shared) else holder
    name: Any = int(parts[-1]) if isinstance(holder, list) else parts[-1]
    here = holder[name]
    value = random.choice([7, "new", "yes", [1, "b"], {"k": "v", "l": [2]}])
    kind = random.randrange(4)
    if kind == 0 and isinstance(here, dict):
        here["new"] = deepcopy(value)
        return Put(pointer + "/new", value)
    if kind == 1 and not holds_shared(here) and len(holder) > 1:
        del holder[name]
        return Remove(pointer)
    if kind == 2 and isinstance(holder, dict) and "renamed" not in holder:
        items = [("renamed" if key == name else key, item) for key, item in holder.items()]
        holder.clear()
        holder.update(items)
        return RenameKey(pointer, "renamed")
    target = here.value if isinstance(here, Shared) else here
    if holds_shared(target):
        return None
    if isinstance(here, Shared):
        here.value = deepcopy(value)
    else:
        holder[name] = deepcopy(value)
    return Put(pointer, value)


@given(st.integers(0, 2**32))
@settings(max_examples=300, deadline=None)
def test_edits_through_aliases(seed: int) -> None:
    check(Random(seed))


def check(random: Random) -> None:
    shared: list[Shared] = []
    model = {name: some_model(random, shared) for name in ("p", "q", "r", "s", "t")}
    seen: set[str] = set()
    text = "".join(f"{name}:{written(value, 0, seen, random)}" for name, value in model.items())
    document = Document.parse(text, "x.yaml")
    assert document.tree == expanded(model)
    edits = [edit for edit in (step(model, random) for _ in range(3)) if edit is not None]
    changed = document.edited(edits)
    assert changed.tree == expanded(model), (text, edits, changed.text)
    for name in seen:
        assert changed.text.count(f"*{name}\n") <= text.count(f"*{name}\n")


def test_an_alias_is_edited_where_it_is_defined() -> None:
    document = Document.parse("a: &x {b: 1} # one\nc: *x\n", "x.yaml")
    assert document.edited([Put("/c/b", 2)]).text == "a: &x {b: 2} # one\nc: *x\n"
    assert document.edited([Put("/c", "s")]).text == "a: &x s # one\nc: *x\n"
    assert document.definition("/c/b") == "/a/b"
    assert document.line("/c/b") == 1
    assert document.line("/c") == 2


def test_an_alias_is_removed_where_it_stands() -> None:
    document = Document.parse("a: &x {b: 1}\nc: *x\nd: *x\n", "x.yaml")
    assert document.edited([Remove("/c")]).text == "a: &x {b: 1}\nd: *x\n"


def test_removing_what_an_alias_still_needs_is_refused() -> None:
    document = Document.parse("a: &x {b: 1}\nc: *x\n", "x.yaml")
    with pytest.raises(DocrevError, match="break the file"):
        document.edited([Remove("/a")])


def test_a_merged_key_is_edited_where_it_is_written() -> None:
    text = "base: &b\n  x: 1\n  y: 2\none:\n  <<: *b\n  y: 3\ntwo:\n  <<: [*b, {z: 4}]\n"
    document = Document.parse(text, "x.yaml")
    assert document.tree["one"] == {"x": 1, "y": 3}
    assert document.tree["two"] == {"x": 1, "y": 2, "z": 4}
    assert document.definition("/one/x") == "/base/x"
    assert document.definition("/one/y") == "/one/y"
    changed = document.edited([Put("/one/x", 9), Put("/one/new", 5), Put("/two/z", 6)])
    assert changed.text == text.replace("x: 1", "x: 9").replace("  y: 3\n", "  y: 3\n  new: 5\n").replace(
        "z: 4", "z: 6"
    )


def test_an_anchor_stays_with_a_new_value() -> None:
    document = Document.parse("a: &x # c\n  b: 1\nc: *x\n", "x.yaml")
    assert document.edited([Put("/a", [1])]).text == "a: &x # c\n  - 1\nc: *x\n"
    assert document.edited([Put("/a", "s")]).tree == {"a": "s", "c": "s"}


def test_an_anchor_that_comes_twice() -> None:
    document = Document.parse("a: &x 1\nb: *x\nc: &x 2\nd: *x\n", "x.yaml")
    assert document.tree == {"a": 1, "b": 1, "c": 2, "d": 2}
    assert document.edited([Put("/d", 3)]).text == "a: &x 1\nb: *x\nc: &x 3\nd: *x\n"
