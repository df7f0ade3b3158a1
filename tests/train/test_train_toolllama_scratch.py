"""Tool users made from nothing, tiny ones: they learn, are the same again, go on, are asked by runners, and stop."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from clikit import docrev
from transformers import LlamaForCausalLM

from docrev.agent.agent import OfflineAgent
from docrev.errors import InputError, UsageError
from docrev.models.opening import open_model
from docrev.models.tooluser.model import ToolUser
from docrev.models.tooluser.slots import Vocabulary
from docrev.prompts.agents import Action, NextAction
from docrev.settings.models import ModelSettings
from docrev.train.settings import ToolUserTraining
from docrev.train.toolllama.scratch import SIZES, build, size, train, worlds
from docrev.train.toolllama.train_command import train as command
from docrev.train.toolllama.trial import Setting, TrialRate, by_step, by_task, cases, difference, right_way, whole_trial

TEST = SIZES["test"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    log = train(TEST, folder, steps=48)
    assert [one.steps for one in log] == sorted(one.steps for one in log)
    assert log[-1].steps == 48
    assert log[-1].loss < log[0].loss - 0.5
    assert json.loads((folder / "training.json").read_text())[-1]["steps"] == 48
    return folder


def weights(folder: Path) -> dict[str, Any]:
    model: Any = LlamaForCausalLM.from_pretrained(folder)
    return dict(model.state_dict())


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


def test_the_same_seed_and_steps_make_the_same_weights(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        train(replace(TEST, worlds=3), tmp_path / name, seed=seed, steps=8)
    assert same(weights(tmp_path / "a"), weights(tmp_path / "b"))
    assert not same(weights(tmp_path / "a"), weights(tmp_path / "c"))


@pytest.mark.long
def test_however_short_the_time_there_is_something_to_learn_from(tmp_path: Path) -> None:
    log = train(replace(TEST, worlds=50), tmp_path, minutes=1e-6)
    assert log[-1].steps == 0
    assert len(list(worlds(50, until=0))) > len(list(worlds(1)))
    assert len(list(worlds(50, until=0))) < len(list(worlds(50)))


def test_primed_heads_look_back_and_for_what_followed() -> None:
    """Before any training: in the first layer to the tokens just before, later to what followed the same token."""
    vocabulary = Vocabulary.create(128)
    told = torch.randperm(100, generator=torch.Generator().manual_seed(0)) + len(vocabulary.known)
    ids, at = torch.cat([told, told[:50]])[None], torch.arange(100, 149)

    def looks(*, primed: bool) -> tuple[list[float], float]:
        model = build(replace(SIZES["nano"], primed=primed), vocabulary, 0).eval()
        model.set_attn_implementation("eager")
        with torch.inference_mode():
            first, second, *_ = model(ids, output_attentions=True).attentions
        back = [float(first[0, head, at, at - head - 1].mean()) for head in range(4)]
        return back, max(float(second[0, head, at, at - 99].mean()) for head in range(4))

    back, followed = looks(primed=True)
    assert min(back) > 0.7
    assert followed > 5 / len(ids[0])
    back, followed = looks(primed=False)
    assert max(back) < 0.02
    assert followed < 2 / len(ids[0])


def test_every_action_is_well_formed_however_little_was_learned(made: Path) -> None:
    rates = {rate.what: rate for rate in by_step(ToolUser(made), cases(2), "poor")}
    assert rates["well-formed"].rate == 1
    assert rates["chance: right function"].hits < rates["right function"].total


def test_by_a_runner_it_is_named_as_local(made: Path) -> None:
    case = cases(1)[0]
    prompt, _ = next(right_way(case))

    async def ask() -> Action:
        opened = open_model(ModelSettings(model=f"local:{made}"), offline=OfflineAgent(0), fall_back=False)
        try:
            return await opened.ask(prompt)
        finally:
            await opened.close()

    action = asyncio.run(ask())
    assert action.action in {"Finish", *(sheet.name for sheet in prompt.operations)}
    assert action == ToolUser(made).actions([prompt])[0]


def test_it_says_what_it_cannot(made: Path) -> None:
    case = cases(1)[0]
    prompt, _ = next(right_way(case))
    long = prompt.model_copy(update={"task": "Find " + "word " * 3000})
    [refused] = ToolUser(made).actions([long])
    assert "too many for a model of" in str(refused)
    (made / "model.safetensors").rename(made / "away")
    with pytest.raises(InputError, match=r"not a tool user: .*train it again"):
        ToolUser(made)
    (made / "away").rename(made / "model.safetensors")


def test_runners_do_tasks_with_it(made: Path) -> None:
    found = cases(1)
    for method in ("react", "dfsdt"):
        assert len(by_task(ToolUser(made), found, Setting(method))) == len(found)


def test_a_model_that_knows_the_way_solves_every_task() -> None:
    """The trial itself: with the right actions all is right; BM25 and chance are no better."""
    found = cases(2)
    ways = {(prompt.task, len(prompt.history)): action for case in found for prompt, action in right_way(case)}

    class Knowing:
        name = "knowing"

        async def ask(self, prompt: NextAction) -> Action:
            return ways[prompt.task, len(prompt.history)]

        def actions(self, prompts: Any) -> list[Action | Exception]:
            return [ways[prompt.task, len(prompt.history)] for prompt in prompts]

    told: list[dict[str, Any]] = []
    report = whole_trial(Knowing(), 2, told.append)
    steps: Any = {(row["docs"], row["choice"], row["what"]): row["rate"] for row in report["steps"]}
    assert all(
        steps["good", "all", what] == 1 for what in ("well-formed", "right function", "right call", "right answer")
    )
    assert steps["good", "crowded", "chance: right function"] < steps["good", "all", "chance: right function"] < 0.5
    assert steps["good", "all", "chance: right function"] < steps["good", "all", "BM25: right function"] < 0.9
    tasks: Any = {(row["docs"], row["choice"], row["method"]): row["rate"] for row in report["tasks"]}
    assert tasks["good", "all", "react"] == tasks["good", "crowded", "react"] == 1
    assert tasks["good", "retrieved", "react"] <= 1
    assert told == [*report["steps"], *report["tasks"], *report["differences"]]
    assert report["differences"][0]["rate"] == report["differences"][0]["low"] == 0
    assert difference([True, False] * 20, [True] * 40, "x")["low"] > 0.3
    assert TrialRate("x", 8, 10).to_json()["low"] == pytest.approx(0.4902, abs=1e-3)


def test_it_goes_on_from_a_model_whole_or_by_lora(made: Path, tmp_path: Path) -> None:
    before = weights(made)
    for name, rank in (("full", 0), ("lora", 4)):
        log = train(TEST, tmp_path / name, steps=8, start=made, rank=rank)
        assert log[-1].stage == "6+"
    full, lora = weights(tmp_path / "full"), weights(tmp_path / "lora")
    assert not torch.equal(full["model.embed_tokens.weight"], before["model.embed_tokens.weight"])
    changed = {name for name in before if not torch.equal(lora[name], before[name])}
    assert changed == {name for name in before if name.endswith("_proj.weight")}
    assert len(ToolUser(tmp_path / "lora").actions([next(right_way(cases(1)[0]))[0]])) == 1


def test_a_loss_that_is_no_number_stops(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no number after \d+ steps; nothing was kept"):
        train(replace(TEST, rate=1e30, worlds=3), tmp_path, steps=400)


def test_sizes_and_options_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no size huge; one of test, nano, small"):
        size("huge")
    with pytest.raises(InputError, match="no vocabulary"):
        train(TEST, tmp_path, steps=1, start=tmp_path)
    for settings, told in (
        (ToolUserTraining(out=tmp_path, from_scratch="nano", base=tmp_path), "give either --base or --from-scratch"),
        (ToolUserTraining(out=tmp_path), "give either --base or --from-scratch"),
        (ToolUserTraining(out=tmp_path, base=tmp_path), "no conversations to learn from"),
    ):
        with pytest.raises(UsageError, match=told):
            command((), settings, print)
    (tmp_path / "none.json").write_text("[]")
    with pytest.raises(InputError, match="holds no conversation"):
        command((tmp_path / "none.json",), ToolUserTraining(out=tmp_path, from_scratch="nano"), print)


def test_a_model_is_tried_by_itself(made: Path) -> None:
    told: list[str] = []
    found, line = command((), ToolUserTraining(out=made, trial=1), told.append)
    assert json.loads((made / "trial.json").read_text()) == found["trial"]
    assert line == f"written to {made / 'trial.json'}"
    assert len(told) == sum(map(len, found["trial"].values()))  # type: ignore[union-attr]


def test_nano_and_small_are_as_large_as_they_say() -> None:
    for name, least, most in (("nano", 0.8e6, 1.0e6), ("small", 12e6, 18e6)):
        with torch.device("meta"):
            shape = replace(SIZES[name], primed=False)
            model = build(shape, Vocabulary.create(shape.slots), 0)
        assert least < sum(part.numel() for part in model.parameters()) < most


@pytest.mark.long
def test_the_command_trains_and_tells(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = docrev("train", "toolllama", "--from-scratch", "test", "--steps", "8", "--out", out, "--json")
    assert done.code == 0, done.err
    assert done.json["log"] == json.loads((out / "training.json").read_text())
    assert done.json["log"][-1]["steps"] == 8
    assert "unseen: right function" in done.err
    docrev("train", "toolllama", "--out", out).failed(2, "give either --base or --from-scratch")


def test_a_missing_extra_is_said_with_its_line() -> None:
    code = "import sys; sys.modules['peft'] = None\nfrom docrev.train.fitting import require\nrequire()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "run: pip install 'docrev[train]'" in done.stderr
