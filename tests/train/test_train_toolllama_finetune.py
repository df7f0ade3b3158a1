"""Fine-tuning a tiny LLaMA into a tool user: what is learned, LoRA, resuming, and where it stops."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from safetensors import SafetensorError
from tiny_model import CHAT_TEMPLATE, make
from transformers import AutoModelForCausalLM, BertConfig, BertForMaskedLM

from docrev.errors import InputError, StoreError, UsageError
from docrev.models.asking import Asker
from docrev.models.local import LocalBackend
from docrev.models.tooluser.conversation_model import ConversationModel, form_of, is_own
from docrev.prompts.agents import Action, NextAction, Sheet
from docrev.prompts.conversation import Utterance, action_text, turns
from docrev.records import OperationKey
from docrev.train.data.conversations import Conversation, conversation, write_conversations
from docrev.train.fitting import ADAPTER, Recipe
from docrev.train.toolllama.base_model import load_base
from docrev.train.toolllama.checkpoints import checkpoint, is_full, whole
from docrev.train.toolllama.finetune import tune

SHEET = Sheet(name="cities", key=OperationKey("atlas", "GET /cities"), description="Lists cities.")
RIGHT = Action(thought="Look.", action="cities", arguments={})
QUICK = Recipe(rate=3e-3, batch=4, each=4, epochs=2, saves=3)


def record(number: int) -> Conversation:
    told = (Utterance("system", "The functions: cities"), Utterance("user", f"Find city {number}."))
    return Conversation(str(number), (*told, Utterance("assistant", action_text(RIGHT))))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("base"), template=None)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("data") / "conversations.json"
    write_conversations(file, map(record, range(24)))
    return file


@pytest.fixture(scope="module")
def full(base: Path, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over all weights, with its checkpoints."""
    folder = tmp_path_factory.mktemp("full")
    done = tune(base, [data], folder, QUICK)
    assert (done.rows, done.cut, done.dropped) == (23, 0, 0)
    assert done.after < done.before - 0.5
    return folder


def weights(folder: Path) -> dict[str, Any]:
    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    return dict(model.state_dict())


def log(folder: Path, step: int) -> list[dict[str, float]]:
    found: list[dict[str, float]] = json.loads((folder / f"checkpoint-{step}" / "trainer_state.json").read_text())[
        "log_history"
    ]
    return found


# What is learned


def test_the_loss_falls_and_the_best_by_the_held_out_loss_is_kept(full: Path) -> None:
    held = {line["step"]: line["eval_loss"] for line in log(full, 12) if "eval_loss" in line}
    assert sorted(held) == [4, 8, 12]
    assert held[12] < held[8] < held[4]
    kept, best = weights(full), weights(full / "checkpoint-12")
    assert all(torch.equal(kept[name], best[name]) for name in kept)


def test_the_learning_rate_warms_up_and_falls(base: Path, data: Path, tmp_path: Path) -> None:
    tune(base, [data], tmp_path, Recipe(rate=1e-3, batch=4, each=4, epochs=3, warm_up=0.2, saves=1))
    rates = [line["learning_rate"] for line in log(tmp_path, 18) if "learning_rate" in line]
    assert rates[:4] == sorted(rates[:4])
    assert max(rates) == pytest.approx(1e-3)
    assert rates[5:] == sorted(rates[5:], reverse=True)
    assert rates[-1] < 2e-5


@pytest.mark.long
def test_it_is_asked_as_it_was_trained(base: Path, tmp_path: Path) -> None:
    """After enough of one answer it says just that, by a runner's prompt, in ToolLLaMA's form."""
    rows = [conversation(str(at), f"Find city {at}.", [SHEET], [], RIGHT) for at in range(14)]
    write_conversations(tmp_path / "c.json", rows)
    tune(base, [tmp_path / "c.json"], tmp_path, Recipe(rate=5e-3, batch=2, each=2, epochs=10, saves=1))
    assert form_of(tmp_path) == "conversation"
    prompt = NextAction(task="Find city 99.", operations=(SHEET,))

    async def ask() -> Action:
        backend = LocalBackend(str(tmp_path))
        try:
            return await ConversationModel(backend, Asker(backend), own=is_own(tmp_path)).ask(prompt)
        finally:
            await backend.close()

    found = asyncio.run(ask())
    assert (found.action, found.arguments) == (RIGHT.action, RIGHT.arguments)
    assert action_text(RIGHT) == "\nThought: Look.\nAction: cities\nAction Input: {}"
    assert turns(prompt)[-1].speaker == "user"


def test_a_base_with_a_template_keeps_it(data: Path, tmp_path: Path) -> None:
    own = make(tmp_path / "base", template=CHAT_TEMPLATE, pad=True)
    tune(own, [data], tmp_path / "out", Recipe(rate=1e-3, batch=8, each=8, epochs=1, saves=1))
    assert json.loads((tmp_path / "out" / "docrev-tooluser.json").read_text())["own"] is False
    assert load_base(tmp_path / "out")[0].chat_template == CHAT_TEMPLATE


# LoRA


def test_lora_trains_adapters_alone_and_merges_to_the_same_logits(base: Path, data: Path, tmp_path: Path) -> None:
    from peft import PeftModel

    done = tune(base, [data], tmp_path / "out", Recipe(rate=2e-2, batch=4, each=4, epochs=2, rank=4, saves=2))
    assert done.after < done.before - 0.2
    before, after = weights(base), weights(tmp_path / "out")
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    assert changed == {name for name in before if name.endswith("_proj.weight")}
    ids = torch.tensor([[5, 9, 70, 33, 12, 80]])
    bare: Any = AutoModelForCausalLM.from_pretrained(base)
    merged: Any = AutoModelForCausalLM.from_pretrained(tmp_path / "out")
    with torch.inference_mode():
        plain = bare(ids).logits
        apart = PeftModel.from_pretrained(bare, tmp_path / "out" / ADAPTER).eval()(ids).logits
        together = merged(ids).logits
    torch.testing.assert_close(apart, together, atol=2e-5, rtol=1e-4)
    assert float((together - plain).abs().max()) > 0.1


# Resuming


@pytest.mark.parametrize("rank", [0, 4])
def test_resumed_equals_uninterrupted(rank: int, base: Path, data: Path, tmp_path: Path) -> None:
    recipe = Recipe(rate=1e-3, batch=8, each=4, epochs=2, rank=rank, saves=2)
    tune(base, [data], tmp_path / "whole", recipe)
    shutil.copytree(tmp_path / "whole" / "checkpoint-3", tmp_path / "half" / "checkpoint-3")
    tune(base, [data], tmp_path / "half", recipe, resume=tmp_path / "half")
    whole_, half = weights(tmp_path / "whole"), weights(tmp_path / "half")
    assert all(torch.equal(whole_[name], half[name]) for name in whole_)
    untrained = weights(base)
    assert not all(torch.equal(whole_[name], untrained[name]) for name in untrained)


def test_a_checkpoint_that_was_cut_short_is_left_out_for_the_one_before(full: Path, tmp_path: Path) -> None:
    told: list[str] = []
    for name in ("model.safetensors", "optimizer.pt", "trainer_state.json"):
        copy = tmp_path / name
        for step in (4, 8):
            shutil.copytree(full / f"checkpoint-{step}", copy / f"checkpoint-{step}")
        assert checkpoint(copy, told.append).name == "checkpoint-8"
        broken = copy / "checkpoint-8" / name
        broken.write_bytes(broken.read_bytes()[:-200])
        assert checkpoint(copy, told.append).name == "checkpoint-4"
        assert told.pop() == f"{copy / 'checkpoint-8'}: not a whole checkpoint; left out"
        with pytest.raises(InputError, match=r"no whole checkpoint; name a folder checkpoint-N"):
            checkpoint(copy / "checkpoint-8", told.append)
    assert not whole(tmp_path)


def test_a_checkpoint_of_another_model_is_refused(base: Path, data: Path, full: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="checkpoint of something else"):
        tune(base, [data], tmp_path / "out", Recipe(batch=8, each=8, rank=4, saves=1), resume=full / "checkpoint-4")


# Where it stops


def test_a_loss_that_is_no_number_stops_and_keeps_the_last_good(base: Path, data: Path, tmp_path: Path) -> None:
    recipe = Recipe(rate=1e30, batch=4, each=4, epochs=3, warm_up=1.0, saves=18)
    with pytest.raises(UsageError, match=r"no number after \d steps; checkpoint-1 is kept; lower --rate"):
        tune(base, [data], tmp_path / "out", recipe)
    assert all(bool(torch.isfinite(one).all()) for one in weights(tmp_path / "out").values())
    assert [path.name for path in (tmp_path / "out").glob("checkpoint-*")] == ["checkpoint-1"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_writers_on_a_full_disk_are_understood() -> None:
    with pytest.raises(OSError, match="No space left") as plain, Path("/dev/full").open("w") as file:
        file.write("x" * 10**6)
    with pytest.raises((RuntimeError, OSError)) as torchs, Path("/dev/full").open("wb") as file:
        torch.save({"a": torch.zeros(100_000)}, file)
    assert is_full(plain.value)
    assert is_full(torchs.value)
    assert is_full(SafetensorError("I/O error: No space left on device (os error 28)"))
    assert not is_full(ValueError("no"))


def test_what_cannot_be_trained_is_one_line(base: Path, data: Path, full: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(InputError, match="no such model folder"):
        tune(tmp_path / "nowhere", [data], out)
    (tmp_path / "t5").mkdir()
    (tmp_path / "t5" / "config.json").write_text('{"model_type": "t5", "architectures": ["T5Model"]}')
    with pytest.raises(InputError, match="no causal language model: it is a T5Model"):
        tune(tmp_path / "t5", [data], out)
    shape = BertConfig(vocab_size=400, hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8)
    BertForMaskedLM(shape).save_pretrained(tmp_path / "bert")
    with pytest.raises(InputError, match="it is a BertForMaskedLM"):
        tune(tmp_path / "bert", [data], out)
    with pytest.raises(InputError, match="too few conversations"):
        tune(base, [data], out, Recipe(limit=64))
    with pytest.raises(UsageError, match=r"holds checkpoints of another run; give --resume"):
        tune(base, [data], full)
    with pytest.raises(UsageError, match="no ratio 3"):
        tune(base, [data], out, Recipe(ratio=3))
    write_conversations(tmp_path / "short.json", [record(1)])
    with pytest.raises(InputError, match="too few conversations"):
        tune(base, [tmp_path / "short.json"], out)
    assert not out.exists()


def test_there_must_be_room_for_two_checkpoints(tmp_path: Path) -> None:
    from docrev.train.toolllama.checkpoints import room

    class Huge:
        def parameters(self) -> list[Any]:
            return [torch.empty(10**15, device="meta", requires_grad=True)]

    with pytest.raises(StoreError, match=r"do not fit; make room, or train by LoRA"):
        room(Huge(), tmp_path)


def test_conversations_that_are_cut_are_said(base: Path, tmp_path: Path) -> None:
    way = (*record(1).turns, Utterance("function", "x " * 150), Utterance("assistant", action_text(RIGHT)))
    write_conversations(tmp_path / "c.json", [*map(record, range(8)), Conversation("long", way)])
    told: list[str] = []
    recipe = Recipe(batch=8, each=8, epochs=1, limit=200, saves=1, dev=0.2, seed=1)
    done = tune(base, [tmp_path / "c.json"], tmp_path / "out", recipe, tell=told.append)
    assert (done.cut, done.dropped) == (1, 0)
    assert told[0] == "longer than 200 tokens: 1 cut at a turn, 0 left out"
    assert told[1].startswith("step 0 of 0: loss held out ")
