"""Overlays: a change of a document as actions, and the actions on this document, on its next version, and on others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from docrev.errors import InputError
from docrev.records import Change, Fact, OperationKey
from docrev.spec import Document
from docrev.spec.overlays import (
    Application,
    Overlay,
    OverlayAction,
    apply_overlay,
    overlaid_spec,
    overlay_of,
    read_overlay,
)
from docrev.spec.plain_data import same

SPEC = """\
openapi: 3.0.3
info: {title: Shop, version: '7'}
paths:
  /items:
    get:
      operationId: listItems
      parameters:  # by name
        - {name: size, in: query, schema: &text {type: string}}
        - {name: sort, in: query, description: Sort., schema: *text}
      responses: {'200': {description: OK}}
  /items/{id}:
    get:
      operationId: getItem
      responses: {'200': {description: OK}}
"""
REVISED = SPEC.replace("Sort.", "Field to sort by.").replace("listItems\n", "listItems\n      description: Lists.\n")
SORT = "/paths/~1items/get/parameters/1/description"
SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab'\\é~/\n", max_size=4)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab'\\~/ ", max_size=3), inner, max_size=3),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text("ab'", max_size=2), TREES, max_size=4)


def doc(text: str, name: str = "shop.yaml") -> Document:
    return Document.parse(text, name)


def made(before: str = SPEC, after: str = REVISED, changes: tuple[Change, ...] = ()) -> Overlay:
    overlay = overlay_of(doc(before), doc(after), changes)
    assert overlay is not None
    return overlay


def applied(spec: str, overlay: Overlay) -> Application:
    return apply_overlay(doc(spec), overlay)


def read(folder: Path, text: str) -> Overlay:
    (folder / "a.overlay.yaml").write_text(text)
    return read_overlay(folder / "a.overlay.yaml")


def foreign(folder: Path, *actions: dict[str, Any]) -> Overlay:
    tree = {"overlay": "1.0.0", "info": {"title": "x", "version": "1"}, "actions": list(actions)}
    return read(folder, yaml.safe_dump(tree))


def fates(application: Application) -> list[str]:
    return [outcome.fate for outcome in application.outcomes]


def test_a_revision_becomes_actions_with_the_facts_behind_them() -> None:
    key = OperationKey("shop", "GET /items")
    fact = Fact(key, "allowed", "query:sort", ["name"], ("1",))
    change = Change("shop.yaml", SORT, "Sort.", "Field to sort by.", key, facts=(fact,), classes=("bound",))
    overlay = made(changes=(change,))
    assert [action.target for action in overlay.actions] == [
        "$['paths']['/items']['get']",
        "$['paths']['/items']['get']['parameters'][1]",
    ]
    assert [action.update for action in overlay.actions] == [
        {"description": "Lists."},
        {"description": "Field to sort by."},
    ]
    assert overlay.actions[1].description == "Bounds and allowed values: GET /items: parameters query:sort description"
    assert overlay.actions[1].extension == {
        "place": "/paths/~1items/get/parameters/query:sort/description",
        "operation": "GET /items",
        "operationId": "listItems",
        "before": "Sort.",
        "classes": ["bound"],
        "confidence": "medium",
        "facts": [{"kind": "allowed", "location": "query:sort", "value": ["name"]}],
    }
    assert overlay_of(doc(SPEC), doc(SPEC), ()) is None


def test_it_gives_the_revised_text_back_with_comments_and_aliases(tmp_path: Path) -> None:
    overlay = read(tmp_path, made().to_text())
    application = applied(SPEC, overlay)
    assert application.document.text == REVISED
    assert fates(application) == ["applied", "applied"]
    assert fates(apply_overlay(application.document, overlay)) == ["present", "present"]


def test_it_is_written_as_json_too(tmp_path: Path) -> None:
    one, other = (read(tmp_path, made().to_text(as_json=as_json)) for as_json in (True, False))
    assert len(one.actions) == 2
    assert [action.to_json() for action in one.actions] == [action.to_json() for action in other.actions]


@given(OBJECTS, OBJECTS)
def test_the_difference_of_any_two_trees_is_made_by_docrevs_actions(before: Any, after: Any) -> None:
    old, new = (Document.parse(yaml.safe_dump(tree, allow_unicode=True), "a.yaml") for tree in (before, after))
    overlay = overlay_of(old, new, ())
    if overlay is None:
        assert same(old.tree, new.tree)
        return
    assert same(apply_overlay(old, overlay).document.tree, new.tree)
    # As another tool would: without x-docrev, action by action.
    plain = [OverlayAction(action.target, action.update, remove=action.remove) for action in overlay.actions]
    assert same(apply_overlay(old, Overlay("", "", tuple(plain))).document.tree, new.tree)


def test_the_next_version_may_have_other_parameters_before() -> None:
    later = SPEC.replace(
        "        - {name: size", "        - {name: page, in: query, schema: {}}\n        - {name: size"
    )
    application = applied(later, made())
    assert application.unfit == ()
    assert "{name: sort, in: query, description: Field to sort by." in application.document.text


@pytest.mark.parametrize(
    ("old", "new"),
    [("/items:", "/v2/items:"), ("  /items:", "  /shops/{shop}/items:")],
    ids=["prefixed", "below another"],
)
def test_an_operation_that_moved_is_found_by_its_id(old: str, new: str) -> None:
    application = applied(SPEC.replace(old, new), made())
    assert application.document.text == REVISED.replace(old, new)


def test_an_operation_is_found_by_its_path_with_other_names_in_it() -> None:
    before = SPEC.replace("operationId: getItem", "summary: Get.")
    after = before.replace("Get.\n", "Get.\n      description: One.\n")
    application = applied(before.replace("{id}", "{item_id}"), made(before, after))
    assert application.document.text == after.replace("{id}", "{item_id}")


def test_what_is_gone_changed_or_said_by_now_is_told_and_left() -> None:
    gone = applied(SPEC.replace("listItems", "all").replace("/items:", "/things:"), made())
    assert fates(gone) == ["gone", "gone"]
    changed = applied(SPEC.replace("Sort.", "How to sort."), made())
    assert fates(changed) == ["applied", "changed"]
    assert changed.unfit[0].found == "How to sort."
    assert "How to sort." in changed.document.text
    said = applied(SPEC.replace("Sort.", "Field to sort by."), made())
    assert fates(said) == ["applied", "present"]
    removed = applied(SPEC.replace(" description: Sort.,", ""), made())
    assert fates(removed) == ["applied", "changed"]


def test_a_parameter_that_the_next_version_declares_by_itself_is_not_added_again() -> None:
    lang = "        - {name: lang, in: query, schema: {type: string}}\n"
    overlay = made(
        SPEC,
        SPEC.replace(
            "      responses: {'200': {description: OK}}\n  /items/",
            lang + "      responses: {'200': {description: OK}}\n  /items/",
        ),
    )
    assert [action.update for action in overlay.actions] == [
        {"parameters": [{"name": "lang", "in": "query", "schema": {"type": "string"}}]}
    ]
    later = SPEC.replace("      responses", "        - {name: lang, in: query, required: true}\n      responses", 1)
    assert fates(applied(later, overlay)) == ["present"]
    assert applied(later, overlay).document.text == later
    assert fates(applied(SPEC, overlay)) == ["applied"]


def test_a_list_that_changes_is_removed_and_set_and_counts_once() -> None:
    before = SPEC.replace("&text {type: string}", "{type: string, enum: [a, b]}").replace("*text", "{}")
    after = before.replace("[a, b]", "[b, c]")
    overlay = made(before, after)
    assert overlay.actions[0].remove
    assert overlay.actions[1].update == {"enum": ["b", "c"]}
    assert applied(before, overlay).document.text == after
    assert fates(applied(before, overlay)) == ["applied"]
    assert fates(applied(after, overlay)) == ["present"]
    assert fates(applied(before.replace("[a, b]", "[a]"), overlay)) == ["changed"]


def test_an_alias_is_written_out_where_only_one_of_its_uses_changes(tmp_path: Path) -> None:
    action = {"target": "$.paths['/items'].get.parameters[?@.name=='sort'].schema", "update": {"maxLength": 9}}
    tree = applied(SPEC, foreign(tmp_path, action)).document.tree
    size, sort = tree["paths"]["/items"]["get"]["parameters"]
    assert (size["schema"], sort["schema"]) == ({"type": "string"}, {"type": "string", "maxLength": 9})


def test_what_a_merge_key_brings_in_is_written_out_too(tmp_path: Path) -> None:
    spec = "openapi: 3.0.3\nx: &x {a: 1, b: 2}\ny: {<<: *x, c: 3}\nz: [*x, 1]\n"
    actions = [{"target": "$.y", "update": {"b": 5}}, {"target": "$.z[0]", "update": {"a": 6}}]
    tree = applied(spec, foreign(tmp_path, *actions)).document.tree
    x = {"a": 1, "b": 2}
    assert (tree["x"], tree["y"], tree["z"]) == (x, {"a": 1, "b": 5, "c": 3}, [{"a": 6, "b": 2}, 1])


def test_actions_of_others_follow_the_standard(tmp_path: Path) -> None:
    overlay = foreign(
        tmp_path,
        {"target": "$.paths.*.get.responses['200']", "update": {"description": "Fine"}},
        {"target": "$.paths['/items'].get.parameters", "update": {"name": "a", "in": "query"}},
        {"target": "$.paths['/items'].get.parameters", "update": [{"name": "b", "in": "query"}]},
        {"target": "$.paths['/items'].get.parameters[?@.name != 'b']", "remove": True},
        {"target": "$.paths['/items/{id}'].get", "copy": "$.paths['/items'].get"},
        {"target": "$.info.title", "update": "Store"},
        {"target": "$.tags", "remove": True},
    )
    application = applied(SPEC, overlay)
    tree = application.document.tree
    assert tree["info"]["title"] == "Store"
    assert tree["paths"]["/items"]["get"]["parameters"] == [{"name": "b", "in": "query"}]
    assert tree["paths"]["/items/{id}"]["get"]["operationId"] == "listItems"
    assert [path["get"]["responses"]["200"]["description"] for path in tree["paths"].values()] == ["Fine", "Fine"]
    assert fates(application) == ["applied"] * 6 + ["gone"]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"target": "paths", "remove": True}, "not a JSONPath"),
        ({"target": "$", "remove": True}, "whole document"),
        ({"target": "$.paths", "update": ["x"]}, "does not go with an object"),
        ({"target": "$.info.title", "update": {"x": 1}}, "does not go with a value that is no object"),
        ({"target": "$.info", "copy": "$.paths.*"}, "copy selects 2 values"),
        ({"target": "$.info", "update": {}, "x-docrev": {"place": "info"}}, "x-docrev"),
    ],
)
def test_an_action_that_cannot_be_done_is_told_with_its_line(tmp_path: Path, action: Any, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        applied(SPEC, foreign(tmp_path, action))
    assert "a.overlay.yaml:2" in caught.value.where


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("openapi: 3.0.0", "not an overlay"),
        ("overlay: 2.0.0\nactions: []", "version 2.0.0"),
        ("overlay: 1.0.0\nactions: []", "list of actions"),
        ("overlay: 1.0.0\nactions: [{update: {}}]", "has a target"),
        ("overlay: 1.0.0\nactions: [{target: $.info}]", "an update"),
        ("overlay: 1.0.0\nactions: [{target: $.info, remove: please}]", "true or false"),
    ],
)
def test_a_file_that_is_no_overlay_is_told(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read(tmp_path, text)


def test_the_spec_that_it_extends_lies_beside_it(tmp_path: Path) -> None:
    made_of = made()
    path = tmp_path / "b.overlay.yaml"
    path.write_text(Overlay(made_of.title, "1", made_of.actions, "specs/shop.yaml").to_text())
    assert overlaid_spec(path) == tmp_path / "specs" / "shop.yaml"
    path.write_text(Overlay(made_of.title, "1", made_of.actions, "https://shop.example/openapi.json").to_text())
    with pytest.raises(InputError, match="no spec on this machine"):
        overlaid_spec(path)
