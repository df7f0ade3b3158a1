"""Which texts docrev wrote: taking texts apart, and the marks that a spec carries itself."""

from __future__ import annotations

import pytest

from docrev.spec import Document
from docrev.spec.marks import Mark, Marks, WrittenText, places, written

PLACE = "/paths/~1a/get/description"


def test_a_text_is_taken_apart_where_docrev_began() -> None:
    marks = Marks.of({}, {})
    marks.put(PLACE, written("Lists authors.", ["trap"]))
    assert marks.split(PLACE, "Old. Lists authors.") == WrittenText("Old.", "Lists authors.")
    assert marks.split(PLACE, "Lists authors.") == WrittenText("", "Lists authors.")
    assert marks.split(PLACE, "Old.") == WrittenText("Old.", edited=True)
    assert marks.split("/paths/~1b/get/description", "Old.") == WrittenText("Old.")
    assert marks.at(PLACE).classes == ("trap",)
    marks.put(PLACE, Mark())
    assert marks.entries == {}


def test_either_of_two_marks_of_one_place_counts() -> None:
    both = written("Lists authors.", ["trap"], "high") | written("Lists writers.", ["bound", "trap"], "medium")
    assert both.confidence == "medium"
    assert (Mark() | written("Lists authors.", confidence="high")).confidence == "high"
    assert both.classes == ("trap", "bound")
    assert [both.split(text).added for text in ("Old. Lists authors.", "Lists writers.")] == [
        "Lists authors.",
        "Lists writers.",
    ]


def test_a_parameter_is_known_by_its_name_wherever_it_stands() -> None:
    one, other = {"in": "query", "name": "a"}, {"in": "query", "name": "b"}
    before, after = ({"paths": {"/x": {"parameters": order}}} for order in ([one, other], [other, one]))
    marks = Marks.of(before, {})
    marks.put("/paths/~1x/parameters/0/description", written("The first."))
    assert list(marks.entries) == ["/paths/~1x/parameters/query:a/description"]
    assert Marks.of(after, marks.entries).at("/paths/~1x/parameters/1/description") == written("The first.")


def test_marks_in_a_spec_are_read_by_place_and_junk_is_passed_over() -> None:
    tree = {
        "paths": {"/a": {"get": {"parameters": [{"in": "query", "name": "q"}]}}},
        "components": {"schemas": {"A": {"properties": {"id": {"description": "An ID."}}}}},
    }
    marks = Marks.of(tree, {})
    kept = (PLACE, "/paths/~1a/get/parameters/0/description", "/components/schemas/A/properties/id/description")
    for pointer in kept:
        marks.put(pointer, written(f"At {pointer}."))
    lines = marks.inline()
    assert list(lines) == ["/a", "A"]
    junk = {"/b": 7, "": "12345", "A": f"{lines['A']} zz nonsense 12345-1234567"}
    again = Marks.of({**tree, "x-docrev": {"texts": {**lines, **junk}}}, {})
    assert again.entries == marks.entries
    assert len(again.entries) == 3
    assert Marks.of({"x-docrev": {"texts": ["no mapping"]}}, {}).entries == {}


def test_the_mark_of_a_text_that_a_person_removed_is_read_too() -> None:
    marks = Marks.of({"paths": {"/a": {"get": {"description": "Lists authors."}}}}, {})
    marks.put(PLACE, written("Lists authors."))
    gone = Marks.of({"paths": {"/a": {"get": {}}}, "x-docrev": {"texts": marks.inline()}}, {})
    assert gone.split(PLACE, "").edited


def test_what_an_alias_shows_again_is_one_place() -> None:
    tree = Document.parse("a: &x {description: One.}\nb: *x\n", "a.yaml").tree
    assert [name for name, text in places(tree) if text] == ["/a/description"]


@pytest.mark.parametrize("key", ["lone \ud800", "del \x7f", "tab\there"])
def test_any_key_makes_a_name_that_is_plain_text(key: str) -> None:
    marks = Marks.of({key: {}}, {})
    marks.put(f"/{key}/description", Mark(("1234567",)))
    [name] = marks.entries
    assert name.encode().decode() == name
    assert marks.at(f"/{key}/description").texts == ("1234567",)
