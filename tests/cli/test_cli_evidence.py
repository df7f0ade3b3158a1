"""`docrev evidence` and `docrev facts`, as a program or a person runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clikit import docrev

from docrev.cli.summaries import changed_and_left
from docrev.evidence import Evidence
from docrev.evidence.queries import left_items
from docrev.records import Call, Fact, JournalItem, OperationKey

LIST, ITEM = OperationKey("shop", "GET /items"), OperationKey("shop", "GET /items/{id}")


KEPT = {"type": "array", "field": True}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Evidence.open(tmp_path / ".docrev", write=True) as evidence:
        evidence.begin({})
        body = {"items": ["naïve \u2028 text"]}
        evidence.calls.put(
            Call("b", LIST, {"query:q": 1}, "http://h/items?q=1", 200, {"x": "y"}, body, "m", "survey", size=9)
        )
        evidence.calls.put(Call("a", LIST, {}, "http://h/items", 500, {}, None, "", "survey"))
        evidence.calls.put(Call("c", ITEM, {}, "", None, {}, None, "", "scenario", "s1", "timeout", "after 10 s"))
        evidence.put_missed(ITEM, "no id was found")
        kept = [Fact(LIST, kind, "200:/items", value, ("b",), ("r",)) for kind, value in KEPT.items()]
        evidence.put_facts(kept, [Fact(LIST, "type", "200:/now", "string", ("b",))])
    return tmp_path


def test_evidence_json_is_one_line_a_call(folder: Path) -> None:
    result = docrev("evidence", ".docrev", "--json", cwd=folder)
    lines = [json.loads(line) for line in result.out.splitlines()]
    assert (result.code, result.err) == (0, "")
    assert [line["id"] for line in lines] == ["a", "b", "c"]
    assert lines[1] == {
        "id": "b",
        "tool": "shop",
        "operation": "GET /items",
        "purpose": "survey",
        "scenario": None,
        "arguments": {"query:q": 1},
        "url": "http://h/items?q=1",
        "status": 200,
        "error": None,
        "detail": "",
        "media_type": "m",
        "size": 9,
        "sampled": False,
        "redirected": "",
        "headers": {"x": "y"},
        "body": {"items": ["naïve \u2028 text"]},
    }
    assert (lines[2]["status"], lines[2]["error"], lines[2]["scenario"]) == (None, "timeout", "s1")


def test_evidence_for_people_says_what_was_reached_and_what_not(folder: Path) -> None:
    result = docrev("evidence", cwd=folder)
    assert result.out.splitlines() == [
        "3 calls, 1 answered 2xx; the run is not finished: the same explore command goes on with it.",
        "OPERATION             CALLS  2XX  ANSWERS",
        "shop GET /items       2      1    200 × 1, 500 × 1",
        "shop GET /items/{id}  1      0    timeout × 1",
        "",
        "Never answered 2xx (1):",
        "  shop GET /items/{id}  no id was found",
    ]


def test_facts_json_follows_the_grammar(folder: Path) -> None:
    result = docrev("facts", "--json", cwd=folder)
    lines = [json.loads(line) for line in result.out.splitlines()]
    common = {"tool": "shop", "operation": "GET /items", "location": "200:/items", "calls": ["b"], "replays": ["r"]}
    assert lines == [{**common, "kind": "field", "value": True}, {**common, "kind": "type", "value": "array"}]


def test_facts_for_people_count_what_could_not_be_shown_again(folder: Path) -> None:
    result = docrev("facts", cwd=folder)
    assert result.out.splitlines() == [
        "shop GET /items",
        "  fields of responses (1): 200:/items array",
        "2 facts; 1 could not be shown again (1 type).",
    ]


@pytest.mark.parametrize("name", ["evidence", "facts"])
def test_bad_folders_end_in_one_line_and_an_exit_code(folder: Path, name: str) -> None:
    (folder / "empty").mkdir()
    (folder / "damaged").mkdir()
    (folder / "damaged" / "evidence.db").write_text("no database at all " * 500)
    for place, code in (("missing", 2), ("empty", 2), ("damaged", 4)):
        result = docrev(name, place, cwd=folder)
        assert (result.code, result.out, result.err.count("\n")) == (code, "", 1)
        assert place in result.err
        assert "Traceback" not in result.err
    assert not (folder / "missing").exists()


def test_pruning_leaves_an_unfinished_run_whole(folder: Path) -> None:
    result = docrev("evidence", ".docrev", "--prune", cwd=folder)
    assert (result.code, result.out) == (0, "run 1 is not finished: nothing removed\n")
    with Evidence.open(folder / ".docrev", write=True) as evidence:
        evidence.begin({})
        evidence.finish({})
    result = docrev("evidence", ".docrev", "--prune", cwd=folder)
    # What was never answered shows nothing.
    assert (result.code, result.out) == (0, "run 1: 1 calls removed\n")
    assert docrev("evidence", ".docrev", cwd=folder).out.startswith("3 calls, 1 answered 2xx")


def test_a_summary_tells_together_what_is_alike() -> None:
    rows = [{"tool": "shop", "path": f"/log/{n}", "reason": "it came", "removal": None} for n in range(6)]
    rows += [{"tool": "shop", "path": "/log/9", "reason": "it is there", "removal": "DELETE http://x/log/9"}]
    assert changed_and_left([], rows, "docrev evidence") == [
        "", "Created and still there (docrev evidence lists each):",
        "  shop /log/0 and 5 more there (1, 2, 3, …): it came",
        "  shop /log/9: it is there", "    DELETE http://x/log/9",
    ]  # fmt: skip
    assert len(changed_and_left([], rows)) == 2 + len(rows) + 1


def test_what_a_response_named_and_a_list_shows_is_told_once(folder: Path) -> None:
    unknown = "it is not certain what this run made; the response named "
    with Evidence.open(folder / ".docrev", write=True) as evidence:
        evidence.select(next(iter(evidence.runs())))
        for path, reason in (
            ("/items/?", f"{unknown}/items/7"),
            ("/items/7", "it came"),
            ("/zones/?", f"{unknown}/zones/7"),
        ):
            evidence.journal.put(JournalItem(f"shop {path}", "shop", path, {}, "", reason=reason))
        assert [item.path for item in left_items(evidence)] == ["/items/7", "/zones/?"]
