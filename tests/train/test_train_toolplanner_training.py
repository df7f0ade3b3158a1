"""Stage 2 on a tiny LLaMA: the loss by true length, what is learned, resuming, and where it stops."""

from __future__ import annotations

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
from docrev.models.tooluser.conversation_model import form_of
from docrev.prompts.conversation import Utterance
from docrev.train.fitting import Recipe
from docrev.train.toolllama.base_model import load_base
from docrev.train.toolplanner.encoding import Encoder, PreferenceExample
from docrev.train.toolplanner.ranking import IGNORED, collate, mean_log_probabilities, ranked_loss
from docrev.train.toolplanner.stages import PreferenceRow, read_preferences, write_preferences
from docrev.train.toolplanner.train_command import STAGE_1, STAGE_2, ranked, split

RIGHT, WRONG = "\nThought: a\nAction: cities\nAction Input: {}", "\nThought: b\nAction: Finish\nAction Input: {}"


def row(number: int, chosen: str = RIGHT, rejected: str = WRONG) -> PreferenceRow:
    prompt = (Utterance("system", "The functions: cities"), Utterance("user", f"Find city {number}."))
    return PreferenceRow(str(number), prompt, chosen, rejected)


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


def margin(folder: Path, rows: list[PreferenceRow]) -> float:
    """How much likelier the better answers are than the worse ones, by the mean of their tokens."""
    tokenizer, model = load_base(folder)
    found = list(Encoder(tokenizer, 4096).preferences(rows))
    with torch.no_grad():
        batch = collate(found, 0)
        logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
        chosen, rejected = mean_log_probabilities(logits, batch["labels"]).chunk(2)
    return float((chosen - rejected).mean())


# The loss


def test_labels_are_the_answers_tokens_and_nothing_else() -> None:
    """ToolPlanner §4.2: stage 1 is sequence to sequence."""
    batch = collate([PreferenceExample((5, 6, 7), (8, 9), (1,)), PreferenceExample((5,), (6,), (7, 8, 9))], pad=0)
    n = IGNORED
    assert batch["input_ids"].tolist() == [[5, 6, 7, 8, 9], [5, 6, 0, 0, 0], [5, 6, 7, 1, 0], [5, 7, 8, 9, 0]]
    assert batch["labels"].tolist() == [[n, n, n, 8, 9], [n, 6, n, n, n], [n, n, n, 1, n], [n, 7, 8, 9, n]]
    assert batch["attention_mask"].sum(1).tolist() == [5, 2, 4, 4]


def test_answers_are_scored_by_their_true_length_not_by_the_padded_one() -> None:
    """Dividing by the padded length, as the public code does, turns the order of these two answers round."""
    batch = collate([PreferenceExample((1,), (2,), (3, 3, 3, 3))], pad=0)
    chances = torch.tensor([0.05, 0.05, 0.3, 0.6])
    logits = chances.log().expand(2, 5, 4)
    scores = mean_log_probabilities(logits, batch["labels"])
    assert scores.tolist() == pytest.approx([math.log(0.3), math.log(0.6)])
    assert scores[1] > scores[0]
    padded = scores * torch.tensor([1, 4]) / (batch["labels"].shape[1] - 1)
    assert padded.tolist() != pytest.approx(scores.tolist())
    assert padded[0] > padded[1]


def test_padding_changes_no_score(base: Path) -> None:
    tokenizer, model = load_base(base)
    alone, *others = Encoder(tokenizer, 4096).preferences([row(1), row(2, RIGHT * 5)])

    def score(rows: list[PreferenceExample]) -> float:
        batch = collate(rows, 0)
        with torch.no_grad():
            logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
        return float(mean_log_probabilities(logits, batch["labels"])[0])

    assert score([alone]) == pytest.approx(score([alone, *others]), abs=1e-5)


def test_the_ranking_loss_pushes_only_where_the_order_is_wrong() -> None:
    """ToolPlanner §4.4: the ranking loss, after RRHF."""
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
    tokenizer, _ = load_base(base)
    start = (Utterance("system", "S"), Utterance("user", "U"))
    turns = [
        turn for at in range(9) for turn in (Utterance("assistant", f"call {at}"), Utterance("function", f"seen {at}"))
    ]
    whole = Encoder(tokenizer, 4096)
    [all_] = whole.preferences([PreferenceRow("p", (*start, *turns), "y", "n")])
    encoder = Encoder(tokenizer, len(all_.prompt) - 10)
    [cut] = encoder.preferences([PreferenceRow("p", (*start, *turns), "y", "n")])
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
    turns = (
        Utterance("system", "S"),
        Utterance("user", "U"),
        Utterance("assistant", "A"),
        Utterance("function", "F"),
        Utterance("user", "X"),
    )
    for name, template, head in (
        ("plain", CHAT_TEMPLATE, "<|system|>\nS</s>\n<|user|>\nU"),
        ("strict", strict, "<|user|>\nS\n\nU"),
    ):
        tokenizer, _ = load_base(make(tmp_path / name, template=template))
        assert (
            Encoder(tokenizer, 99).text(turns)
            == f"{head}</s>\n<|assistant|>\nA</s>\n<|user|>\nF\n\nX</s>\n<|assistant|>\n"
        )


def test_what_is_held_is_never_learned() -> None:
    rows = [PreferenceExample((number % 30,), (number,), (0,)) for number in range(90)]
    learned, held = split(rows, 0)
    assert held
    assert not {row.prompt for row in learned} & {row.prompt for row in held}
    assert len(learned) + len(held) == 90
    assert split(rows, 0) == (learned, held)
    assert [len(part) for part in split(rows[:5], 0)] == [4, 1]
    assert split([PreferenceExample((1,), (2,), (3,))] * 20, 0)[0] == []


# Training


def test_stage_2_learns_the_order_and_writes_a_model(base: Path, data: Path, tmp_path: Path) -> None:
    rows = [row(number) for number in range(24)]
    assert margin(base, rows) < 0
    done = ranked(base, data, tmp_path, Recipe(rate=3e-3, batch=4, each=4, epochs=5, saves=3), beta=2.0)
    assert margin(tmp_path, rows) > 0.1
    assert (done.rows + done.held, done.cut, done.dropped) == (24, 0, 0)
    assert done.held >= 1
    assert done.after < done.before
    assert form_of(tmp_path) == "conversation"


def test_resumed_equals_uninterrupted(base: Path, data: Path, tmp_path: Path) -> None:
    recipe = Recipe(rate=1e-3, batch=4, each=2, epochs=1, saves=2)
    ranked(base, data, tmp_path / "whole", recipe)
    first = min((tmp_path / "whole").glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]))
    shutil.copytree(first, tmp_path / "half" / first.name)
    ranked(base, data, tmp_path / "half", recipe, resume=tmp_path / "half")
    whole, half = weights(tmp_path / "whole"), weights(tmp_path / "half")
    assert all(torch.equal(whole[name], half[name]) for name in whole)
    assert not all(torch.equal(one, whole[name]) for name, one in weights(base).items())


def test_a_loss_that_is_no_number_stops_and_keeps_the_last_good(base: Path, data: Path, tmp_path: Path) -> None:
    recipe = Recipe(rate=1e30, warm_up=1.0, batch=4, each=4, epochs=3, saves=18)
    with pytest.raises(UsageError, match=r"no number after \d steps; checkpoint-1 is kept; lower --rate"):
        ranked(base, data, tmp_path / "out", recipe)
    assert all(bool(torch.isfinite(one).all()) for one in weights(tmp_path / "out").values())


# Bad input


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "holds no preference"),
        ("{}\n", r"\.jsonl:1: is no preference"),
        ('{"conversations": [], "chosen": "a", "rejected": "b"}', "is no conversation"),
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
    rows = [row(1), PreferenceRow("x", (Utterance("user", "ü\ud800"),), "a", "b", (1, -2), "stray")]
    write_preferences(tmp_path / "rows.jsonl", rows)
    assert read_preferences(tmp_path / "rows.jsonl") == rows


def test_what_cannot_be_trained_is_one_line(base: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(InputError, match="no such model folder"):
        ranked(tmp_path / "nowhere", data, out)
    with pytest.raises(InputError, match="too few pairs"):
        ranked(base, data, out, Recipe(limit=4))
    with pytest.raises(InputError, match="no whole checkpoint"):
        ranked(base, data, out, resume=tmp_path)
    write_preferences(tmp_path / "one.jsonl", [row(1)])
    with pytest.raises(InputError, match="too few pairs"):
        ranked(base, tmp_path / "one.jsonl", out)
    (tmp_path / "old" / "checkpoint-7").mkdir(parents=True)
    with pytest.raises(UsageError, match=r"holds checkpoints.*--resume"):
        ranked(base, data, tmp_path / "old")
    assert not out.exists()


def test_pairs_that_are_too_long_are_said(base: Path, tmp_path: Path) -> None:
    way = (
        *row(1).prompt,
        *(turn for at in range(9) for turn in (Utterance("assistant", "x"), Utterance("function", "y" * 60))),
    )
    write_preferences(tmp_path / "p.jsonl", [*map(row, range(6)), PreferenceRow("long", way, RIGHT, WRONG)])
    told: list[str] = []
    done = ranked(base, tmp_path / "p.jsonl", tmp_path / "out", Recipe(limit=400, epochs=1, saves=1), tell=told.append)
    assert (done.cut, done.dropped) == (1, 0)
    assert told[0] == "longer than 400 tokens: 1 without their earliest rounds, 0 left out"


def test_the_papers_settings_are_the_defaults() -> None:
    """ToolPlanner appendix A, table 7; the rate is warmed up and then linearly decayed to 0."""
    assert STAGE_1.fall == STAGE_2.fall == "linear"
    assert (STAGE_1.rate, STAGE_1.warm_up, STAGE_1.batch, STAGE_1.epochs, STAGE_1.limit) == (5e-5, 0.04, 2, 2, 8192)
    assert (STAGE_2.rate, STAGE_2.warm_up, STAGE_2.batch, STAGE_2.epochs, STAGE_2.limit) == (2e-5, 0.03, 1, 3, 8192)
