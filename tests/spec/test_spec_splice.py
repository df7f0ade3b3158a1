"""Edits as a reviewer sees them: the text before, the edits, the text after."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docrev.errors import UsageError
from docrev.spec.document import Document
from docrev.spec.edits import Edit, Put, Remove, RenameKey

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
LONG = "Returns every page of the catalogue that matches the query, newest first, with the total in the envelope."


def yaml(text: str, *edits: Edit) -> str:
    return Document.parse(text, "x.yaml").edited(edits).text


def json_(text: str, *edits: Edit) -> str:
    return Document.parse(text, "x.json").edited(edits).text


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("a: old # c\nb: 1\n", "new", "a: new # c\nb: 1\n"),
        ("a: 'old' # c\n", "it's", "a: 'it''s' # c\n"),
        ('a: "old"\n', 'say "x"\n', 'a: "say \\"x\\"\\n"\n'),
        ("a: old\n", "no", "a: 'no'\n"),
        ("a: old\n", "010", "a: '010'\n"),
        ("a: old\n", "1_000", "a: '1_000'\n"),
        ("a: old\n", "2020-01-01", "a: '2020-01-01'\n"),
        ("a: old\n", "12:30", "a: '12:30'\n"),
        ("a: old\n", "a, b {c}", "a: a, b {c}\n"),
        ("a: old\n", "key: value", "a: 'key: value'\n"),
        ("a: old\n", "x\u2028y", 'a: "x\\u2028y"\n'),
        ("a: old\n", "x\x85y", 'a: "x\\Ny"\n'),
        ("a: old\n", 5, "a: 5\n"),
        ("a: old\n", 1e16, "a: 1.0e+16\n"),
        ("a: old\n", None, "a: null\n"),
        ("a: old\n", True, "a: true\n"),
        ("a: old # c\nb: 1\n", "one\ntwo", "a: |- # c\n  one\n  two\nb: 1\n"),
        ("a: old\nb: 1\n", "one\ntwo\n", "a: |\n  one\n  two\nb: 1\n"),
        ("a: | # c\n  one\n\n\n# d\nb: 1\n", "one\ntwo\n", "a: | # c\n  one\n  two\n\n\n# d\nb: 1\n"),
        ("a: |\n  one\n  two\n\nb: 1\n", "short\n", "a: |\n  short\n\nb: 1\n"),
        # Blanks on empty lines are the writer's, within the text and behind it.
        ("a: |\n  one\n  \n  two\n  \nb: 1\n", "one\n\ntwo\n\nnew\n", "a: |\n  one\n  \n  two\n\n  new\n  \nb: 1\n"),
        ("a: >-\n  one\n  two\n\nb: 1\n", "one two three", "a: >-\n  one two three\n\nb: 1\n"),
        ("a: |+\n  one\n\nb: 1\n", 7, "a: 7\nb: 1\n"),
        ("a: plain\n  over lines # c\nb: 1\n", "new", "a: new # c\nb: 1\n"),
        ("a:\n  old\nb: 1\n", "new", "a:\n  new\nb: 1\n"),
        ("a: # c\nb: 1\n", "new", "a: new # c\nb: 1\n"),
        ("a: # c\nb: 1\n", {"x": [1]}, "a: # c\n  x:\n    - 1\nb: 1\n"),
        ("a: {x: 1} # c\n", {"x": 1, "k": "b, c"}, "a: {x: 1, k: 'b, c'} # c\n"),
        ("a: [1, 2] # c\n", [1, 3, 4], "a: [1, 3, 4] # c\n"),
        ("a:\n  x: 1 # c\n  z: 2\n", {"x": 1, "k": 3}, "a:\n  x: 1 # c\n  k: 3\n"),
        ("a:\n  x: 1\n# d\nb: 1\n", "s", "a: s\n# d\nb: 1\n"),
        ("a:\n- 1 # one\n- 2\n", [1], "a:\n- 1 # one\n"),
        ("a: &x !!str old\n", 5, "a: &x 5\n"),
        ("{a: old, b: 1}\n", "x, y", "{a: 'x, y', b: 1}\n"),
        ("{a, b: 1}\n", 2, "{a: 2, b: 1}\n"),
        ("{a: , b: 1}\n", 2, "{a: 2 , b: 1}\n"),
        ("? a\n: old\n", "new", "? a\n: new\n"),
    ],
)  # fmt: skip
def test_a_value_is_replaced(before: str, value: object, after: str) -> None:
    assert yaml(before, Put("/a", value)) == after


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        ("a:\n    b: 1 # c\n# d\ne: 2\n", Put("/a/x", 1), "a:\n    b: 1 # c\n    x: 1\n# d\ne: 2\n"),
        ("a:\n    b: 1\n", Put("/a/x", {"k": 1}), "a:\n    b: 1\n    x:\n        k: 1\n"),
        ("a: 1", Put("/x", [1]), "a: 1\nx:\n  - 1"),
        ("a: 1\r\nb: |\r\n  t\r\n", Put("/x", "p\nq"), "a: 1\r\nb: |\r\n  t\r\nx: |-\r\n  p\r\n  q\r\n"),
        ("a: |\n  t", Put("/x", 1), "x: 1\na: |\n  t"),
        ("- |\n  t", Put("/-", 1), "- |-\n  t\n- 1"),
        ("a: |+\n  t\n\n", Put("/x", 1), "a: |+\n  t\n\nx: 1\n"),
        ("a: # c\nb: 1\n", Put("/a/x", 1), "a: # c\n  x: 1\nb: 1\n"),
        ("a: ~ # c\nb: 1\n", Put("/a/-", 1), "a: # c\n  - 1\nb: 1\n"),
        ("a: &x\nb: *x\n", Put("/b/k", 1), "a: &x\n  k: 1\nb: *x\n"),
        ("{a: , b}\n", Put("/b/k", 1), "{a: , b: {k: 1}}\n"),
        ("a: {}\nb: 1\n", Put("/a/x", 1), "a:\n  x: 1\nb: 1\n"),
        ("a: []\nb: 1\n", Put("/a/-", 1), "a:\n  - 1\nb: 1\n"),
        ("{} # c\n", Put("/a", 1), "a: 1 # c\n"),
        ("--- {}\n", Put("/a", 1), "--- \na: 1\n"),
        ("a: 1\n...\n", Put("/b", 1), "a: 1\nb: 1\n...\n"),
        ("a: 1\nb: 2\n", Put("/x", 3, after="a"), "a: 1\nx: 3\nb: 2\n"),
        ('"a": 1\n', Put("/x", 3), '"a": 1\n"x": 3\n'),
        ("200: a\n", Put("/404", "b"), "200: a\n404: b\n"),
        ('"200": a\nx: 1\n', Put("/404", "b"), '"200": a\nx: 1\n"404": b\n'),
        ("a: 1\n", Put("/404", "b"), "a: 1\n'404': b\n"),
        ("a: {200: x}\nb: {}\n", Put("/b/404", "p"), "a: {200: x}\nb:\n  404: p\n"),
        ("a: 1\n", Put("/no", "b"), "a: 1\n'no': b\n"),
        ("a: 1\n", Put("/~1pets~1{id}", "b"), "a: 1\n/pets/{id}: b\n"),
        ("{a: 1}\n", Put("/{x}", "b"), "{a: 1, '{x}': b}\n"),
        ("a: {\n  b: 1, # c\n  d: 2\n}\n", Put("/a/x", 1), "a: {\n  b: 1, # c\n  d: 2,\n  x: 1\n}\n"),
        ("a: [1, 2,]\n", Put("/a/-", 3), "a: [1, 2, 3,]\n"),
        ("- a: 1\n  b: 2\n", Put("/0/x", 1), "- a: 1\n  b: 2\n  x: 1\n"),
        ("- a: 1\n", Put("/-", {"x": 1, "k": 2}), "- a: 1\n- x: 1\n  k: 2\n"),
        ("a:\n-   x: 1\n", Put("/a/0", {"k": [{"z": 1}]}), "a:\n-   k:\n    - z: 1\n"),
        ("a: 1 # c\nb: 2\n", Remove("/a"), "b: 2\n"),
        ("a: 1\n# c\nb: 2\nc: 3", Remove("/c"), "a: 1\n# c\nb: 2"),
        ("a:\n  x: 1\nb: 2\n", Remove("/a/x"), "a: {}\nb: 2\n"),
        ("a:\n  - 1\n# c\nb: 2\n", Remove("/a/0"), "a: []\n# c\nb: 2\n"),
        ("- a: 1\n  b: 2\n", Remove("/0/a"), "- b: 2\n"),
        ("- a: 1\n  # c\n  b: 2\n", Remove("/0/a"), "- \n  # c\n  b: 2\n"),
        ("a: [1, 2, 3]\n", Remove("/a/0"), "a: [2, 3]\n"),
        ("a: [1, 2, 3]\n", Remove("/a/2"), "a: [1, 2]\n"),
        ("a: 1\nb: 2\na: 3\n", Remove("/a"), "b: 2\n"),
        ("a: |+\n  t\n\nb: 2\n\nc: 1\n", Remove("/b"), "a: |+\n  t\n\nc: 1\n"),
        ("old: # c\n  x: 1\n", RenameKey("/old", "no"), "'no': # c\n  x: 1\n"),
        ('"old": 1\nb: 2\n', RenameKey("/old", "new"), '"new": 1\nb: 2\n'),
        ("a: 1\nb: 2\na: 3\n", RenameKey("/a", "x"), "x: 1\nb: 2\nx: 3\n"),
        ("\ufeffa: é\nb: 1\n", Put("/b", 2), "a: é\nb: 2\n"),
        ("a: 'p\u2028q' # \x85\nb: 1\n", Put("/b", 2), "a: 'p\u2028q' # \x85\nb: 2\n"),
        ("a:\n- 1\n", Put("/x", [1]), "a:\n- 1\nx:\n- 1\n"),
        ("a: [x, y]\nb: [x]\n", Put("/c", ["p", "q"]), "a: [x, y]\nb: [x]\nc: [p, q]\n"),
        ("a: \"p\"\nb: \"q\"\n", Put("/c", "no"), 'a: "p"\nb: "q"\nc: "no"\n'),
    ],
)  # fmt: skip
def test_keys_and_items_come_and_go(before: str, edit: Edit, after: str) -> None:
    assert yaml(before, edit) == after


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        ('{"a":1}', Put("/b", [1, {"c": "x"}]), '{"a":1,"b":[1,{"c":"x"}]}'),
        ('{"a": 1}', Put("/b", [1, {"c": "x"}]), '{"a": 1, "b": [1, {"c": "x"}]}'),
        ('{"a" : 1 , "b" : 2}', Put("/c", {}), '{"a" : 1 , "b" : 2, "c" : {}}'),
        ('{\n\t"a": 1\n}\n', Put("/b", {"c": [1]}), '{\n\t"a": 1,\n\t"b": {\n\t\t"c": [\n\t\t\t1\n\t\t]\n\t}\n}\n'),
        ('{\n    "a": null\n}', Put("/a/b", 1), '{\n    "a": {\n        "b": 1\n    }\n}'),
        ('{\n    "a": {}\n}', Put("/a/b", 1), '{\n    "a": {\n        "b": 1\n    }\n}'),
        ('{\r\n  "a": 1\r\n}', Put("/b", 2), '{\r\n  "a": 1,\r\n  "b": 2\r\n}'),
        ('{"a": "\\u00e9"}', Put("/b", "ü"), '{"a": "\\u00e9", "b": "\\u00fc"}'),
        ('{"a": "é"}', Put("/b", "ü"), '{"a": "é", "b": "ü"}'),
        ('{"a": "x\\/y"}', Put("/b", "p/q"), '{"a": "x\\/y", "b": "p\\/q"}'),
        ('{"a": ["x", "y"],\n "b": 1}', Put("/a/-", "z"), '{"a": ["x", "y", "z"],\n "b": 1}'),
        ('{\n  "a": ["x"],\n  "b": 1\n}', Put("/c", ["z", "w"]), '{\n  "a": ["x"],\n  "b": 1,\n  "c": ["z", "w"]\n}'),
        ('{\n  "a": 1,\n  "b": 2\n}', Remove("/b"), '{\n  "a": 1\n}'),
        ('{\n  "a": 1,\n  "b": 2\n}', Remove("/a"), '{\n  "b": 2\n}'),
        ('{"a": 1}', Remove("/a"), "{}"),
        ('{"a": 1, "a": 2, "b": 3}', Remove("/a"), '{"b": 3}'),
        ('{"a": 1, "a": 2}', Put("/a", 3), '{"a": 1, "a": 3}'),
        ('{"a": {"b": [1]}}', RenameKey("/a", 'x"y'), '{"x\\"y": {"b": [1]}}'),
        ('{"a": "x\u2028\x85y", "b": 1}', Put("/b", 2), '{"a": "x\u2028\x85y", "b": 2}'),
        ("{}", Put("/a", 1), '{"a": 1}'),
        ('{"a": 1}', Put("/a", "\ud800"), '{"a": "\\ud800"}'),
    ],
)  # fmt: skip
def test_json_keeps_its_own_ways(before: str, edit: Edit, after: str) -> None:
    assert json_(before, edit) == after


def test_edits_compose() -> None:
    text = "a:\n  b: 1\n"
    edits = [
        Put("/x", {}),
        Put("/x/list", []),
        Put("/x/list/-", {"k": 1}),
        Put("/x/list/0/l", "two"),
        RenameKey("/x/list", "items"),
        Put("/a/c", 2),
        Put("/a/d", 3, after="b"),
        Remove("/a/b"),
        Put("/a/d", 4),
    ]
    assert yaml(text, *edits) == "a:\n  d: 4\n  c: 2\nx:\n  items:\n    - k: 1\n      l: two\n"
    assert json.loads(json_('{"a": {"b": 1}}', *edits)) == {
        "a": {"d": 4, "c": 2},
        "x": {"items": [{"k": 1, "l": "two"}]},
    }


def test_an_experience_reads_like_hand_written_yaml() -> None:
    text = "paths:\n  /a:\n    get:\n      summary: List\n      responses: {}\n"
    experience = {"scenario": "Which film?", "right": {"operation": "GET /a"}, "calls": ["0a", "1e3"]}
    edits = [
        Put("/paths/~1a/get/description", LONG + " " + LONG, after="summary"),
        Put("/paths/~1a/get/x-docrev", {"experience": [experience]}),
    ]
    assert yaml(text, *edits) == (
        "paths:\n  /a:\n    get:\n      summary: List\n      description: >-\n"
        "        Returns every page of the catalogue that matches the query, newest first, with the total in\n"
        "        the envelope. Returns every page of the catalogue that matches the query, newest first, with\n"
        "        the total in the envelope.\n      responses: {}\n      x-docrev:\n        experience:\n"
        "          - scenario: Which film?\n            right:\n              operation: GET /a\n"
        "            calls:\n              - 0a\n              - '1e3'\n"
    )


def test_a_line_never_ends_within_a_span_of_code() -> None:
    start = "For the author of a book, and for all that is known about the publisher of it, use"
    text = f"{start} `GET /authors/{{author_id}}` and more."
    lines = yaml("a: x\n", Put("/a", text)).splitlines()
    assert lines == ["a: >-", f"  {start}", "  `GET /authors/{author_id}` and more."]
    alone = f"{start} `GET /authors and no end of it."
    assert Document.parse(yaml("a: x\n", Put("/a", alone)), "x.yaml").get("/a") == alone


def test_nothing_changes_where_nothing_differs() -> None:
    text = "a: 0x1F\nb: {x: [1, 2], y: 'z'}\nc: >\n  folded\n  text\n"
    document = Document.parse(text, "x.yaml")
    edits = [Put(f"/{name}", value) for name, value in document.tree.items()]
    assert document.edited([*edits, Put("", document.tree)]).text == text
    assert document.edited([]).text == text


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (Put("/x/y", 1), "there is nothing at this place"),
        (Put("/a/y", 1), "there is nothing at this place"),
        (Remove("/n/y"), "there is nothing at this place"),
        (Put("/l/5", 1), "there is nothing at this place"),
        (Remove("/x"), "there is nothing at this place"),
        (Remove(""), "stays a mapping or a list"),
        (Put("", "s"), "stays a mapping or a list"),
        (RenameKey("/a", "l"), "there is already a key l"),
        (RenameKey("/l/0", "x"), "there is nothing at this place"),
        (Put("/a", {1: 2}), "a key must be a string"),
        (Put("/a", {"x": object()}), "cannot hold a object"),
        (Put("a", 1), "not a JSON pointer"),
    ],
)  # fmt: skip
def test_wrong_edits_are_refused(edit: Edit, words: str) -> None:
    for text, name in (("a: 1\nl: [1]\nn:\n", "x.yaml"), ('{"a": 1, "l": [1], "n": null}', "x.json")):
        with pytest.raises(UsageError, match=words):
            Document.parse(text, name).edited([edit])


def test_what_a_format_cannot_hold_is_refused() -> None:
    with pytest.raises(UsageError, match="JSON cannot hold inf"):
        json_('{"a": 1}', Put("/a", float("inf")))
    with pytest.raises(UsageError, match="half a character"):
        yaml("a: 1\n", Put("/a", "\ud800"))
    assert yaml("a: 1\n", Put("/a", float("-inf")), Put("/b", float("nan"))) == "a: -.inf\nb: .nan\n"


@pytest.mark.shared
def test_one_edit_of_a_real_document_is_one_changed_line() -> None:
    files = sorted(SHARED.glob("data/openapi/*.json")) + sorted(SHARED.glob("data/restbench/*_oas.json"))
    if not files:
        pytest.skip("no reference data beside the project")
    for path in files:
        document = Document.read(path)
        title = document.get("/info/title")
        changed = document.edited([Put("/info/title", title + " revised")])
        old, new = document.text.split("\n"), changed.text.split("\n")
        assert sum(a != b for a, b in zip(old, new, strict=True)) == 1
        assert changed.edited([Put("/info/title", title)]).to_bytes() == path.read_bytes()
