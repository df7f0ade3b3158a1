"""Instruction files: ToolBench's in every version, granularities, and what cannot be used."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from docrev.errors import InputError
from docrev.spec import load
from docrev.spec.formats import read
from docrev.train.data.granularity import grades, statement_of
from docrev.train.data.instructions import read_instructions, to_json, write_instructions
from docrev.train.data.tool_listing import ToolListing

SPECS = Path(__file__).resolve().parents[2] / "specs"
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "toolbench"
PLACES = [{"category_name": "Airfield", "tool_name": "Airfield", "api_name": name} for name in ("status", "distance")]
ENTRY = {"query": "How far is it?", "query_id": 7, "api_list": PLACES, "relevant APIs": [["Airfield", "distance"]]}


@pytest.fixture(scope="module")
def listing() -> ToolListing:
    return ToolListing(load([SPECS]))


def written(folder: Path, value: Any, name: str = "in.json") -> Path:
    file = folder / name
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    return file


def test_instructions_come_back_whole(listing: ToolListing, tmp_path: Path) -> None:
    [one] = read_instructions([written(tmp_path, [{**ENTRY, "wanted": ["distance"]}])], listing).instructions
    assert [key.operation for key in one.offered] == ["GET /status", "GET /distance"]
    assert (one.id, one.wanted, [str(key) for key in one.relevant]) == ("7", ("distance",), ["airfield GET /distance"])
    write_instructions(tmp_path / "out.json", [one], listing)
    assert read_instructions([tmp_path / "out.json"], listing).instructions == [one]


@pytest.mark.parametrize(
    "value",
    [
        {"7": {name: value for name, value in ENTRY.items() if name != "query_id"}},
        ENTRY,
        f"{json.dumps(ENTRY)}\n{json.dumps({**ENTRY, 'query_id': 8})}\n",
        [{"query_id": 7, "query": ENTRY["query"], "api_list": PLACES, "gt_api_list": PLACES[1:]}],
        [
            {
                "query_id": 7,
                "new_instruction": ENTRY["query"],
                "query": "x",
                "path": [["Airfield", "Airfield", "distance"]],
            }
        ],
    ],
)
def test_other_versions_are_read(listing: ToolListing, tmp_path: Path, value: Any) -> None:
    one = read_instructions([written(tmp_path, value)], listing).instructions[0]
    assert (one.id, one.text) == ("7", ENTRY["query"])
    assert [key.operation for key in one.relevant] == ["GET /distance"]


def test_what_is_wrong_is_dropped_and_counted(listing: ToolListing, tmp_path: Path) -> None:
    entries = [
        ENTRY,
        ENTRY,
        {**ENTRY, "query_id": 8, "relevant APIs": [["Airfield", "teleport"]]},
        {**ENTRY, "query_id": 9, "relevant APIs": [["Airfield", "distance"], ["Airfield", "teleport"]]},
        {**ENTRY, "query_id": 10, "query": " "},
        {**ENTRY, "query_id": 11, "api_list": PLACES[:1]},
    ]
    found = read_instructions([written(tmp_path, entries)], listing)
    assert [one.id for one in found.instructions] == ["7", "9", "11"]
    assert set(found.warnings()) == {
        "1 entry is about no operation of the specs",
        "1 entry has an id that was there before",
        "1 entry has no text",
        "2 operations are not in the specs",
        "1 relevant operation was not offered",
    }
    assert len(found.instructions[-1].offered) == 2


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "an empty list"),
        ("", "an empty list"),
        ([1], "entry 1: is no instruction"),
        ({"queries": []}, "is no instruction"),
        ('{"a": ', "is not JSON"),
        ([{**ENTRY, "api_list": "all"}], "its api_list is no list"),
        ([{**ENTRY, "api_list": [], "relevant APIs": [["Airfield", "teleport"]]}], "no instruction can be used"),
    ],
)
def test_what_is_no_file_of_instructions_is_one_line(
    listing: ToolListing, tmp_path: Path, value: Any, said: str
) -> None:
    with pytest.raises(InputError) as raised:
        read_instructions([written(tmp_path, value)], listing)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_five_granularities_name_their_tags(listing: ToolListing, tmp_path: Path) -> None:
    text = 'I am planning a trip. How far is it from "ABV" to "ABJ"? Also, show me the status of Airfield.'
    entry = {**ENTRY, "query": text, "relevant APIs": [["Airfield", "distance"], ["Airfield", "status"]]}
    [one] = read_instructions([written(tmp_path, [entry])], listing).instructions
    found = {grade.level: grade for grade in asyncio.run(grades(one, listing))}
    assert list(found) == ["statement", "category", "tool", "operation", "hybrid"]
    assert found["hybrid"].text == text
    assert "Airfield" not in found["statement"].text
    assert '"' not in found["statement"].text
    assert "Airfield" in found["tool"].text
    assert "distance and status" in found["operation"].text
    assert all(grade.text.startswith(found["statement"].text) for grade in found.values() if grade.level != "hybrid")
    row = found["operation"].to_json(listing)
    assert row["tags"] == {"Category": ["Airfield"], "Tool": ["Airfield"], "API": ["distance", "status"]}
    assert row["type"] == "api"
    [again] = read_instructions([written(tmp_path, f"{json.dumps(row)}\n", "rows.jsonl")], listing).instructions
    assert (again.text, again.level, again.relevant) == (found["operation"].text, "operation", one.relevant)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        (
            'I am tidying up. Tell me the city of the airport "Cedarburg". Also, delete the note with the id "7".',
            "I am tidying up. Tell me the city of an airport. Delete the note.",
        ),
        ('Show me the airports near "ABJ" with a radius of 100 kilometres. Thank you!', "Show me the airports."),
    ],
)
def test_a_statement_tells_the_wish_without_its_values(text: str, statement: str) -> None:
    assert statement_of(text) == statement


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared data of ToolBench")
def test_toolbenchs_instructions_come_back_whole() -> None:
    files = sorted((SHARED / "instruction").glob("G?_query.json"))
    assert files
    for file in files:
        listing = ToolListing(read("toolbench", [file]).catalog())
        found = read_instructions([file], listing)
        assert [to_json(one, listing) for one in found.instructions] == json.loads(file.read_text())
        assert found.warnings() == []
