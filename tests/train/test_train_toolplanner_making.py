"""From instructions at five granularities and their trees to rows, to both stages, and to the tables of the bench."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")

from click.testing import CliRunner
from tiny_model import make

from docrev.cli import cli
from docrev.errors import InputError, UsageError
from docrev.spec import load
from docrev.train.data.instructions import Instruction, read_instructions
from docrev.train.data.tool_listing import ToolListing
from docrev.train.toolllama.invented_services import invent
from docrev.train.toolplanner.build import Parts, RowBuilder, Trees, seed_of
from docrev.train.toolplanner.stages import read_preferences
from docrev.train.toolplanner.train_command import parts_of


@dataclass(frozen=True)
class Data:
    """Specs, the granularities of instructions about them, and the folder of the seeds' trees."""

    specs: Path
    grades: Path
    seeds: Path

    @property
    def train(self) -> list[str]:
        return ["train", "toolplanner", str(self.grades), str(self.specs), "--trees", str(self.seeds)]


def docrev(*words: str | Path, code: int = 0) -> Any:
    done = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == code, done.output + done.stderr
    return json.loads(done.stdout) if "--json" in words else done.output


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    folder = tmp_path_factory.mktemp("data")
    (folder / "specs").mkdir()
    for number, category in ((11, "Media"), (12, "Media")):
        document = {**invent(number).good, "x-category": category}
        (folder / "specs" / f"s{number}.json").write_text(json.dumps(document))
    found = Data(folder / "specs", folder / "grades.jsonl", folder / "seeds")
    docrev("generate", "instructions", found.specs, "-n", "24", "--kind", "I1", "-o", folder / "i.json")
    docrev("generate", "granularities", folder / "i.json", found.specs, "-o", found.grades)
    docrev("generate", "annotations", folder / "i.json", found.specs, "--simulate", "-o", found.seeds)
    return found


def maker(data: Data, parts: Parts | None = None) -> tuple[RowBuilder, list[Instruction]]:
    catalog = load([data.specs])
    made = RowBuilder(catalog, Trees([data.seeds]), parts or Parts())
    return made, read_instructions([data.grades], ToolListing(catalog)).instructions


# Rows


def test_the_instructions_of_a_seed_share_its_trees(data: Data) -> None:
    made, instructions = maker(data)
    assert {seed_of(one) for one in instructions} == {one.id.partition("-")[0] for one in instructions}
    rows = made.conversations(instructions)
    tags = [row for row in rows if row.id.startswith("Tags: ")]
    assert {row.id[:4] for row in rows} == {"Tags", "Path", "Tree"}
    assert len(rows) - len(tags) == 2 * made.counts["solved"] > 0
    # Tags are learned of what nobody solved as well.
    assert made.counts["solved"] < len(tags) == made.counts["instructions"] < len(instructions)
    by_id = {one.id: one for one in instructions}
    assert len({by_id[row.id.removeprefix("Tags: ")].level for row in tags}) == 5
    # What is learned is what the instruction needs.
    for row in tags:
        one = by_id[row.id.removeprefix("Tags: ")]
        said = json.loads(row.turns[-1].text)
        assert len(said["operations"]) == len(one.relevant)
        assert said["categories"] == ["Media"]
        assert set(said["tools"]) == {key.tool for key in one.relevant}


def test_pairs_are_mined_for_every_level(data: Data) -> None:
    made, instructions = maker(data)
    rows = made.preferences(instructions)
    assert {row.rewards for row in rows} <= {(1, -1), (1, -2), (1, -3)}
    assert {row.id.rpartition("-")[2] for row in rows} == {"statement", "category", "tool", "operation", "hybrid"}
    assert sum(count for what, count in made.counts.items() if what.startswith("pairs")) == len(rows)
    assert all("The plan: " in row.prompt[1].text for row in rows)
    # A statement names nothing: none of its rounds is worse for not matching.
    assert {row.rewards[1] for row in rows if row.id.endswith("-statement")} <= {-1}


def test_a_feedback_that_is_left_out_makes_other_pairs(data: Data) -> None:
    both, only_pass, only_match = (
        maker(data, Parts(feedback=frozenset(parts))) for parts in (("pass", "match"), ("pass",), ("match",))
    )
    rows = {
        name: made.preferences(found) for name, (made, found) in zip("bpm", (both, only_pass, only_match), strict=True)
    }
    assert {row.rewards[1] for row in rows["p"]} == {-1}
    assert {row.rewards[1] for row in rows["m"]} == {-2}
    assert both[0].counts["solved"] <= min(only_pass[0].counts["solved"], only_match[0].counts["solved"])


def test_flags_leave_out_what_they_name() -> None:
    assert parts_of(["tags", "pass"], 2) == Parts(tags=False, feedback=frozenset({"match"}))
    with pytest.raises(UsageError, match="stage 1 learns from no feedback"):
        parts_of(["match"], 1)
    with pytest.raises(UsageError, match="without both feedbacks"):
        parts_of(["match", "pass"], 2)


def test_a_folder_without_trees_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere"):
        Trees([tmp_path / "nowhere"])


# The commands


@pytest.mark.long
def test_both_stages_train_and_the_bench_measures_what_came_of_them(data: Data, tmp_path: Path) -> None:
    made, instructions = maker(data)
    rows = [row for row in made.conversations(instructions) if row.id.startswith("Tree: ")]
    shortest = min(rows, key=lambda row: sum(len(turn.text) for turn in row.turns))
    seed = shortest.id.removeprefix("Tree: ").partition("-")[0]
    few = Data(data.specs, tmp_path / "few.jsonl", data.seeds)
    lines = data.grades.read_text().splitlines(keepends=True)
    few.grades.write_text("".join(line for line in lines if json.loads(line)["query_id"] == int(seed)))
    base = make(tmp_path / "base", template=None, context=8192)
    how = ("--rate", "1e-3", "--epochs", "0.1", "--batch", "1", "--json")
    first = docrev(*few.train, "--stage", "1", "--base", base, "-o", tmp_path / "one", *how)
    assert first["data"]["rows"] >= 3 * first["data"]["solved"] > 0
    second = docrev(*few.train, "--stage", "2", "--base", tmp_path / "one", "-o", tmp_path / "two", *how)
    assert second["rows"] + second["held"] == len(read_preferences(tmp_path / "two" / "preferences.jsonl"))
    assert (second["stage"], second["without"], second["dropped"]) == (2, [], 0)
    asked = ("bench", "granularities", few.grades, few.specs, "--simulate", "--out", tmp_path / "bench")
    model = ("--model", f"local:{tmp_path / 'two'}", "--answer-tokens", "16", "--limit", "1", "--json")
    told = docrev(*asked, "--runner", "toolplanner", *model)
    assert (told["model"], told["tasks"]) == (f"local:{tmp_path / 'two'}", 1)


@pytest.mark.long
def test_the_bench_shows_rates_by_level_and_tags_beside_a_retriever(data: Data, tmp_path: Path) -> None:
    asked = ("bench", "granularities", data.grades, data.specs, "--simulate", "--out", tmp_path, "--tags")
    told = docrev(*asked, "--limit", "40", "--json")
    assert [row["name"] for row in told["runners"]] == ["dfsdt", "toolplanner"]
    matched = told["runners"][0]["match"]
    assert set(matched) == {
        *(f"{level} at category" for level in ("category", "tool", "operation", "hybrid")),
        *(f"{level} at tool" for level in ("tool", "operation", "hybrid")),
        *(f"{level} at operation" for level in ("operation", "hybrid")),
    }
    assert matched["tool at tool"]["tasks"] == 8
    assert set(told["runners"][0]["pass"]) == {"statement", "category", "tool", "operation", "hybrid"}
    assert told["runners"][0]["win"] == {}
    assert set(told["runners"][1]["win"]) == {"statement", "category", "tool", "operation", "hybrid"}
    assert [row["name"] for row in told["tags"]] == ["bm25@1", "bm25@3", "bm25@5", "tags by offline"]
    recall = [row["operation"]["recall"] for row in told["tags"][:3]]
    assert recall == sorted(recall)
    text = docrev(*asked, "--limit", "40")
    assert "match rate (instruction, matched at)  dfsdt" in text
    assert "tags by offline" in text


@pytest.mark.parametrize(
    ("words", "code", "wrong"),
    [
        (["--stage", "1", "--base", "nowhere"], 2, "no such model folder"),
        (["--stage", "1", "--without", "pass", "--base", "nowhere"], 2, "--without: stage 1 learns from no feedback"),
        (["--stage", "2", "--trees", "nowhere", "--base", "nowhere"], 2, "nowhere"),
    ],
)
def test_bad_input_is_one_line(words: list[str], code: int, wrong: str, data: Data, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, [*data.train, *words, "-o", str(tmp_path / "out")])
    error = done.exception
    assert isinstance(error, UsageError | InputError), error
    assert wrong in str(error)
    assert "\n" not in str(error)
