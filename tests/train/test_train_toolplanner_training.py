"""Stage 1 and stage 2 on a tiny LLaMA: the loss by true length, what is learned, resuming, and where it stops."""

from __future__ import annotations

import json
import math
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from tiny_model import CHAT_TEMPLATE, make
from transformers import AutoModelForCausalLM

from docrev.errors import InputError, UsageError
from docrev.prompts.conversation import Turn
from docrev.train.data.conversations import Conversation, write_conversations
from docrev.train.toolplanner.encoding import Encoder, Example
from docrev.train.toolplanner.ranking import IGNORED, collate, mean_log_probabilities, ranked_loss
from docrev.train.toolplanner.stages import Preference, read_preferences, write_preferences
from docrev.train.toolplanner.training import REPORT, Settings, load, split, train

RIGHT, WRONG = "\nThought: a\nAction: cities\nAction Input: {}", "\nThought: b\nAction: Finish\nAction Input: {}"


def row(number: int, chosen: str = RIGHT, rejected: str = WRONG) -> Preference:
    prompt = (Turn("system", "The functions: cities"), Turn("user", f"Find city {number}."))
    return Preference(str(number), prompt, chosen, rejected)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("base"), template=None)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_preferences(tmp_path / "pairs.jsonl", [row(number) for number in range(24)])
    return tmp_path / "pairs.jsonl"


def weights(folder: Path) -> dict[str, Any]:
    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    return dict(model.state_dict())


def margin(folder: Path, rows: list[Preference]) -> float:
    """How much likelier the better answers are than the worse ones, by the mean of their tokens."""
    tokenizer, model = load(folder)
    found = list(Encoder(tokenizer, 4096).preferences(rows))
    with torch.no_grad():
        batch = collate(found, 0)
        logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
        chosen, rejected = mean_log_probabilities(logits, batch["labels"]).chunk(2)
    return float((chosen - rejected).mean())


# The loss


def test_labels_are_the_answers_tokens_and_nothing_else() -> None:
    batch = collate([Example((5, 6, 7), (8, 9), (1,)), Example((5,), (6,), (7, 8, 9))], pad=0)
    n = IGNORED
    assert batch["input_ids"].tolist() == [[5, 6, 7, 8, 9], [5, 6, 0, 0, 0], [5, 6, 7, 1, 0], [5, 7, 8, 9, 0]]
    assert batch["labels"].tolist() == [[n, n, n, 8, 9], [n, 6, n, n, n], [n, n, n, 1, n], [n, 7, 8, 9, n]]
    assert batch["attention_mask"].sum(1).tolist() == [5, 2, 4, 4]


def test_answers_are_scored_by_their_true_length_not_by_the_padded_one() -> None:
    """Dividing by the padded length, as the public code does, turns the order of these two answers round."""
    short, long = Example((1,), (2,)), Example((1,), (3, 3, 3, 3))
    batch = collate([short, long], pad=0)
    chances = torch.tensor([0.05, 0.05, 0.3, 0.6])
    logits = chances.log().expand(2, 5, 4)
    scores = mean_log_probabilities(logits, batch["labels"])
    assert scores.tolist() == pytest.approx([math.log(0.3), math.log(0.6)])
    assert scores[1] > scores[0]
    padded = scores * torch.tensor([1, 4]) / (batch["labels"].shape[1] - 1)
    assert padded.tolist() != pytest.approx(scores.tolist())
    assert padded[0] > padded[1]


def test_padding_changes_no_score(base: Path) -> None:
    tokenizer, model = load(base)
    alone, *others = Encoder(tokenizer, 4096).preferences([row(1), row(2, RIGHT * 5)])

    def score(rows: list[Example]) -> float:
        batch = collate(rows, 0)
        with torch.no_grad():
            logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
        return float(mean_log_probabilities(logits, batch["labels"])[0])

    assert score([alone]) == pytest.approx(score([alone, *others]), abs=1e-5)


def test_the_ranking_loss_pushes_only_where_the_order_is_wrong() -> None:
    better, worse = torch.tensor([-1.0, -3.0], requires_grad=True), torch.tensor([-2.0, -1.0], requires_grad=True)
    loss = ranked_loss(better, worse, beta=1.0)
    assert loss.item() == pytest.approx(2.0 + (0.0 + 2.0) / 2)
    loss.backward()
    assert worse.grad is not None
    assert worse.grad.tolist() == [0.0, 0.5]
    assert ranked_loss(better, worse, beta=0.0).item() == pytest.approx(2.0)
    assert ranked_loss(better, worse, beta=3.0).item() == pytest.approx(5.0)


# Encoding


def test_a_long_way_loses_its_earliest_rounds(base: Path) -> None:
    tokenizer, _ = load(base)
    start = (Turn("system", "S"), Turn("user", "U"))
    turns = [turn for at in range(9) for turn in (Turn("assistant", f"call {at}"), Turn("function", f"seen {at}"))]
    whole = Encoder(tokenizer, 4096)
    [all_] = whole.preferences([Preference("p", (*start, *turns), "y", "n")])
    encoder = Encoder(tokenizer, len(all_.prompt) - 10)
    [cut] = encoder.preferences([Preference("p", (*start, *turns), "y", "n")])
    text = tokenizer.decode(cut.prompt)
    assert text.startswith("<s>System: S\nUser: U\nAssistant:call ")
    assert "call 0" not in text
    assert "seen 0" not in text
    assert text.endswith("Assistant:call 8</s>\nFunction: seen 8\nAssistant:")
    assert (encoder.shortened, encoder.dropped, whole.shortened) == (1, 0, 0)
    tiny = Encoder(tokenizer, 5)
    assert list(tiny.preferences([row(1)])) == []
    assert tiny.dropped == 1


def test_a_chat_template_is_used_where_there_is_one(tmp_path: Path) -> None:
    strict = CHAT_TEMPLATE.replace("<|{{", "{{ raise_exception('no') if message['role'] == 'system' }}<|{{")
    turns = (Turn("system", "S"), Turn("user", "U"), Turn("assistant", "A"), Turn("function", "F"), Turn("user", "X"))
    for name, template, head in (
        ("plain", CHAT_TEMPLATE, "<|system|>\nS</s>\n<|user|>\nU"),
        ("strict", strict, "<|user|>\nS\n\nU"),
    ):
        tokenizer, _ = load(make(tmp_path / name, template=template))
        assert (
            Encoder(tokenizer, 99).text(turns)
            == f"{head}</s>\n<|assistant|>\nA</s>\n<|user|>\nF\n\nX</s>\n<|assistant|>\n"
        )


def test_every_assistants_turn_is_a_round_of_stage_1(base: Path) -> None:
    tokenizer, _ = load(base)
    way = (Turn("user", "U"), Turn("assistant", "A"), Turn("function", "F"), Turn("assistant", "B"))
    first, second = Encoder(tokenizer, 4096).rounds([Conversation("c", way)])
    assert tokenizer.decode(first.chosen) == "A</s>"
    assert tokenizer.decode(second.prompt) == "<s>User: U\nAssistant:A</s>\nFunction: F\nAssistant:"
    assert tokenizer.decode(second.chosen) == "B</s>"
    assert first.rejected == ()


def test_what_is_held_is_never_learned() -> None:
    rows = [Example((number % 30,), (number,)) for number in range(90)]
    learned, held = split(rows, 0)
    assert held
    assert not {row.prompt for row in learned} & {row.prompt for row in held}
    assert len(learned) + len(held) == 90
    assert split(rows, 0) == (learned, held)
    assert split(rows[:5], 0) == (rows[:5], [])
    assert split([Example((1,), (2,))] * 20, 0)[1] == []


# Training


def test_stage_2_learns_the_order_and_writes_a_model(base: Path, data: Path, tmp_path: Path) -> None:
    rows = [row(number) for number in range(24)]
    assert margin(base, rows) < 0
    settings = Settings.of(2, rate=3e-3, batch=4, steps=30, beta=2.0, save_every=10)
    made = train(base, data, tmp_path / "out", settings)
    assert margin(tmp_path / "out", rows) > 0.1
    report = json.loads((tmp_path / "out" / REPORT).read_text())
    assert (report["stage"], report["beta"], report["steps"]) == (2, 2.0, 30)
    assert made.held >= 1
    assert made.rows + made.held == 24
    assert made.loss is not None
    losses = [entry["eval_loss"] for entry in report["log"] if "eval_loss" in entry]
    assert made.loss == pytest.approx(min(losses))


def test_stage_1_learns_what_assistants_say(base: Path, tmp_path: Path) -> None:
    rows = [Conversation(str(at), (Turn("user", f"City {at}?"), Turn("assistant", RIGHT))) for at in range(12)]
    write_conversations(tmp_path / "c.json", rows)
    made = train(
        base, tmp_path / "c.json", tmp_path / "out", Settings.of(1, rate=3e-3, batch=4, steps=15, save_every=5)
    )
    losses = [
        entry["eval_loss"]
        for entry in json.loads((tmp_path / "out" / REPORT).read_text())["log"]
        if "eval_loss" in entry
    ]
    assert losses[-1] < losses[0]
    assert made.loss == pytest.approx(min(losses))


def test_resumed_equals_uninterrupted(base: Path, data: Path, tmp_path: Path) -> None:
    settings = Settings.of(2, rate=1e-3, batch=4, steps=6, save_every=3)
    train(base, data, tmp_path / "whole", settings)
    shutil.copytree(tmp_path / "whole" / "checkpoint-3", tmp_path / "half" / "checkpoint-3")
    train(base, data, tmp_path / "half", settings, resume=tmp_path / "half" / "checkpoint-3")
    whole, half = weights(tmp_path / "whole" / "checkpoint-6"), weights(tmp_path / "half" / "checkpoint-6")
    assert all(torch.equal(whole[name], half[name]) for name in whole)


def test_a_loss_that_is_no_number_stops_and_keeps_the_last_good(base: Path, data: Path, tmp_path: Path) -> None:
    settings = Settings.of(2, rate=1e30, warmup=1.0, batch=4, steps=8, save_every=1)
    with pytest.raises(UsageError, match=r"no number after \d steps; checkpoint-1 is kept; lower --rate"):
        train(base, data, tmp_path / "out", settings)
    assert all(bool(torch.isfinite(one).all()) for one in weights(tmp_path / "out").values())


# Bad input


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "holds no preference"),
        ("{}\n", r"\.jsonl:1: is no preference"),
        ('{"conversations": [], "chosen": "a", "rejected": "b"}', "has no conversation"),
        ('{"conversations": [{"from": "bot", "value": ""}], "chosen": "a", "rejected": "b"}', "no speaker"),
        (
            '\n{"conversations": [{"from": "user", "value": ""}], "chosen": "a", "rejected": " "}',
            r":2: is no preference",
        ),
        (
            '{"conversations": [{"from": "user", "value": ""}], "chosen": "a", "rejected": "b", "rewards": [NaN, -1]}',
            "chosen first",
        ),
        (
            '{"conversations": [{"from": "user", "value": ""}], "chosen": "a", "rejected": "b", "rewards": [-3, -1]}',
            "chosen first",
        ),
        ("{", r"\.jsonl:1"),
    ],
)
def test_rows_that_are_none_are_said_with_their_line(text: str, wrong: str, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text(text)
    with pytest.raises(InputError, match=wrong):
        read_preferences(tmp_path / "rows.jsonl")


def test_preferences_load_back(tmp_path: Path) -> None:
    rows = [row(1), Preference("x", (Turn("user", "ü\ud800"),), "a", "b", (1, -2), "stray")]
    write_preferences(tmp_path / "rows.jsonl", rows)
    assert read_preferences(tmp_path / "rows.jsonl") == rows


def test_what_cannot_be_trained_is_one_line(base: Path, data: Path, tmp_path: Path) -> None:
    settings = Settings.of(2, steps=1)
    with pytest.raises(InputError, match="no such folder"):
        train(tmp_path / "nowhere", data, tmp_path / "out", settings)
    (tmp_path / "t5").mkdir()
    (tmp_path / "t5" / "config.json").write_text('{"model_type": "t5"}')
    with pytest.raises(InputError, match="not a model that can be trained"):
        train(tmp_path / "t5", data, tmp_path / "out", settings)
    with pytest.raises(InputError, match="no row is short enough"):
        train(base, data, tmp_path / "out", Settings.of(2, steps=1, limit=4))
    with pytest.raises(InputError, match="no checkpoint"):
        train(base, data, tmp_path / "out", settings, resume=tmp_path)
    (tmp_path / "old" / "checkpoint-7").mkdir(parents=True)
    with pytest.raises(UsageError, match=r"holds checkpoints.*--resume"):
        train(base, data, tmp_path / "old", settings)


def test_a_checkpoint_that_was_cut_short_is_said_to_be(base: Path, data: Path, tmp_path: Path) -> None:
    train(base, data, tmp_path / "out", Settings.of(2, batch=4, steps=2, save_every=1))
    broken = tmp_path / "out" / "checkpoint-1"
    file = next(broken.glob("*.safetensors"))
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(InputError, match="a checkpoint that cannot be read"):
        train(base, data, tmp_path / "out", Settings.of(2, batch=4, steps=2), resume=broken)


@pytest.mark.parametrize(
    "options", [{"rate": 0.0}, {"rate": math.nan}, {"epochs": -1}, {"beta": -1.0}, {"beta": math.nan}, {"batch": 0}]
)
def test_settings_that_are_none_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="--"):
        Settings.of(2, **options)


def test_the_papers_settings_are_the_defaults() -> None:
    assert Settings.of(1) == Settings(1, 1.0, 2, 5e-5, 0.04, 2)
    assert Settings.of(2) == Settings(2, 1.0, 3, 2e-5, 0.03, 1)
    assert Settings.of(2, rate=None, beta=0.5) == Settings(2, 0.5, 3, 2e-5, 0.03, 1)
