"""What responses of a whole API have in common: the header with the total, and the unit of times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from revisekit import call, explored, fact
from test_revision_texts import revised

from docrev.records import Call, Fact

TOTAL = "The number of all items of a list is in the `X-Total-Count` response header."
SPEC = """\
openapi: "3.0.3"
info: {title: Shelf, version: "1"}
paths:
  /boxes: {get: {parameters: [{name: limit, in: query, schema: {type: integer}}], responses: {200: {description: OK}}}}
  /pens: {get: {responses: {200: {description: OK}}}}
"""


def head(folder: Path, *calls: Call, spec: str = SPEC, facts: Sequence[Fact] = ()) -> str:
    [document] = revised(*explored(folder, spec, calls=calls, facts=facts)).documents.values()
    return str(document.tree["info"].get("description", ""))


def listed(path: str, count: int, total: int) -> Call:
    return replace(
        call(f"GET {path}", [{"id": number} for number in range(count)]), headers={"x-total-count": str(total)}
    )


def test_the_header_with_the_number_of_all_items_is_told_once(tmp_path: Path) -> None:
    assert TOTAL in head(tmp_path, listed("/boxes", 2, 7), listed("/pens", 3, 3))


@pytest.mark.parametrize(
    ("counts", "declared"),
    [
        # Of whole lists it may be what is on the page; one that is less is something else.
        ([(2, 2), (3, 3)], ""),
        ([(2, 7), (3, 1)], ""),
        # It may be how many were read, to know whether there are more.
        ([(2, 3), (3, 4)], ""),
        ([(2, 7), (3, 3)], ", headers: {X-Total-Count: {schema: {type: integer}}}"),
    ],
)
def test_what_need_not_be_a_total_or_is_declared_is_not_told(
    tmp_path: Path, counts: list[tuple[int, int]], declared: str
) -> None:
    calls = [listed(path, *pair) for path, pair in zip(("/boxes", "/pens"), counts, strict=True)]
    assert TOTAL not in head(tmp_path, *calls, spec=SPEC.replace("description: OK", f"description: OK{declared}"))


def test_a_name_that_says_its_unit_says_nothing_of_other_times(tmp_path: Path) -> None:
    calls = [call(f"GET /{path}", [{"start_time_ms": 1_795_454_976_786}]) for path in ("boxes", "pens")]
    assert "Times such as" not in head(tmp_path, *calls)


@pytest.mark.parametrize(
    ("times", "unit"),
    [
        ([1_795_454_976, 1_600_000_000], "seconds"),
        ([1_795_454_976_786, 1_600_000_000_000], "milliseconds"),
        ([1_795_454_976_786, 1_600_000_000], ""),
        ([4_000_000_000, 4_000_000_001], ""),
    ],
)
def test_the_unit_of_times_that_are_numbers_is_told_once(tmp_path: Path, times: list[int], unit: str) -> None:
    calls = [call(f"GET /{path}", [{"created_at": at}]) for path, at in zip(("boxes", "pens"), times, strict=True)]
    said = f"Times such as `created_at` are in {unit} since 1970-01-01 UTC."
    assert (said in head(tmp_path, *calls)) is bool(unit)
    assert "since 1970" not in head(tmp_path, *calls) or unit


def test_the_same_many_fields_stand_once_and_are_found_again(tmp_path: Path) -> None:
    names = ("maker", "colour", "weight", "shelf", "origin")
    item, other = "GET /boxes/{id}", "GET /pens"
    spec = SPEC + "  /boxes/{id}: {get: {parameters: [{name: id, in: path, required: true, schema: {}}]}}\n"
    spec = spec.replace("schema: {}}]}}", "schema: {}}], responses: {200: {description: OK}}}}")
    places = {item: "200:/", "GET /boxes": "200:/0/", other: "200:/0/"}
    named = {key: [f"ink_{name}" for name in names] if key == other else names for key in places}
    facts = [fact(key, "field", f"{start}{name}", True) for key, start in places.items() for name in named[key]]
    body, pen = ({name: f"{name} {at}" for at, name in enumerate(named[key])} for key in (item, other))
    calls = [call(item, body, path_id="7"), call("GET /boxes", [body]), call(other, [pen])]
    path, evidence = explored(tmp_path, spec, calls=calls, facts=facts)
    revision = revised(path, evidence)
    [document] = revision.documents.values()

    def text(operation: str) -> str:
        return str(document.tree["paths"][operation.removeprefix("GET ")]["get"].get("description", ""))

    assert text("GET /boxes") == "Each box has the fields that `GET /boxes/{id}` returns."
    assert all(name in text(item) and name in text(other) for name in names)
    path.write_bytes(document.to_bytes())
    assert revised(path, evidence).changes == ()


PAGED = """\
openapi: "3.0.3"
info: {title: Shelf, version: "1"}
paths:
""" + "".join(
    f"  /{name}: {{get: {{parameters: [{{name: limit, in: query, schema: {{type: integer}}}}],"
    " responses: {200: {description: OK}}}}\n"
    for name in ("boxes", "pens", "inks")
)


@pytest.mark.parametrize(("pens", "is_said"), [(3, True), (2, False), (5, False)])
def test_how_many_items_lists_have_is_told_once_where_two_agree(tmp_path: Path, pens: int, is_said: bool) -> None:
    facts = [fact("GET /boxes", "default", "query:limit", 3)]
    calls = [
        call(f"GET /{name}", {"items": [{"id": number} for number in range(count)], "total": 9})
        for name, count in (("boxes", 3), ("pens", pens))
    ]
    [document] = revised(*explored(tmp_path, PAGED, calls=calls, facts=facts)).documents.values()
    text = str(document.tree["info"].get("description", ""))
    assert ("Lists return at most 3 items unless `limit` is sent." in text) is is_said
    parameters = document.get("/paths/~1boxes/get/parameters")
    assert ("Defaults to `3`." in str(parameters)) is not is_said


def test_how_many_items_lists_have_is_not_told_where_each_declares_it(tmp_path: Path) -> None:
    facts = [fact("GET /boxes", "default", "query:limit", 3)]
    page = {"items": [{"id": number} for number in range(3)], "total": 9}
    calls = [call(f"GET /{name}", page) for name in ("boxes", "pens")]
    declared = PAGED.replace("type: integer", "type: integer, default: 3")
    assert "Lists return" not in head(tmp_path, *calls, spec=declared, facts=facts)
    assert "Lists return" in head(tmp_path / "one", *calls, spec=declared.replace(", default: 3", "", 1), facts=facts)
