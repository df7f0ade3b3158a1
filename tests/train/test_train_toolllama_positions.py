"""Positional interpolation: positions are scaled exactly, and texts beyond the trained length are read better."""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from tiny_model import make
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

from docrev.errors import InputError
from docrev.train.toolllama.base_model import default_ratio, load_base, stretch

TRAINED, CLASSES, EACH = 32, 8, 6


def perplexity(model: Any, ids: Sequence[int], window: int) -> float:
    """The perplexity of a long text, by windows of `window` tokens."""
    total = count = 0.0
    model.eval()
    for at in range(0, len(ids) - window + 1, window):
        told = torch.tensor([ids[at : at + window]], device=model.device)
        with torch.inference_mode():
            total += float(model(input_ids=told, labels=told).loss) * (window - 1)
        count += window - 1
    return math.exp(total / count)


def text(length: int, draw: torch.Generator) -> Any:
    """A text whose words say how far through it they are: eight chapters of six words each, drawn by lot."""
    chapter = torch.arange(length) * CLASSES // length
    words = CLASSES + chapter * EACH + torch.randint(0, EACH, (length,), generator=draw)
    words[0] = 1
    return words


@pytest.fixture(scope="module")
def trained() -> Any:
    """A tiny model that was trained on texts of `TRAINED` words."""
    torch.manual_seed(0)
    shape = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    config: Any = LlamaConfig
    model: Any = LlamaForCausalLM(config(vocab_size=64, max_position_embeddings=TRAINED, **shape))
    draw = torch.Generator().manual_seed(0)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(150):
        batch = torch.stack([text(TRAINED, draw) for _ in range(16)])
        optimizer.zero_grad()
        model(input_ids=batch, labels=batch).loss.backward()
        optimizer.step()
    return model.eval()


def long_text(window: int) -> list[int]:
    draw = torch.Generator().manual_seed(9)
    return [int(word) for _ in range(24) for word in text(window, draw)]


@pytest.mark.long
@pytest.mark.parametrize("ratio", [2, 4])
def test_beyond_the_trained_length_perplexity_is_better_than_without(trained: Any, ratio: int) -> None:
    stretched = copy.deepcopy(trained)
    stretch(stretched, ratio)
    at_home = perplexity(trained, long_text(TRAINED), TRAINED)
    ids, window = long_text(TRAINED * ratio), TRAINED * ratio
    without, with_ = perplexity(trained, ids, window), perplexity(stretched, ids, window)
    assert at_home < 7
    assert without > 3 * at_home
    assert with_ < 0.6 * without


def test_perplexity_is_that_of_whole_windows(trained: Any) -> None:
    ids = long_text(TRAINED)
    assert perplexity(trained, ids[: TRAINED + 5], TRAINED) == perplexity(trained, ids[:TRAINED], TRAINED)
    flat = copy.deepcopy(trained)
    torch.nn.init.zeros_(flat.lm_head.weight)
    assert perplexity(flat, ids, TRAINED) == pytest.approx(64)


@pytest.mark.parametrize("ratio", [2, 4])
def test_positions_are_divided_by_the_ratio(tmp_path: Path, ratio: int) -> None:
    base = make(tmp_path / "base")
    _, plain = load_base(base)
    _, stretched = load_base(base, ratio)
    ids = torch.tensor([[5, 9, 70, 33, 12, 80]])
    at = torch.arange(6)[None]
    with torch.inference_mode():
        expected = plain(ids, position_ids=at).logits
        found = stretched(ids, position_ids=at * ratio).logits
        other = stretched(ids, position_ids=at).logits
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)
    assert float((other - expected).abs().max()) > 1e-3
    assert stretched.config.max_position_embeddings == 4096 * ratio


def test_positions_are_stretched_twice_where_the_context_is_too_short(tmp_path: Path) -> None:
    """ToolLLM v2 §3.1 (ratio 2, from 4,096 to 8,192 tokens): the default where positions are stretched at all."""
    base = make(tmp_path / "base")
    assert default_ratio(base, 8192) == 2
    assert default_ratio(base, 4096) == 1
    _, model = load_base(base, 2)
    model.save_pretrained(tmp_path / "out")
    assert default_ratio(tmp_path / "out", 100_000) == 1
    GPT2Config().save_pretrained(tmp_path / "gpt2")
    assert default_ratio(tmp_path / "gpt2", 8192) == 1
    assert default_ratio(tmp_path / "nowhere", 8192) == 1


def test_the_ratio_is_kept_with_the_weights(tmp_path: Path) -> None:
    _, model = load_base(make(tmp_path / "base"), 2)
    model.save_pretrained(tmp_path / "out")
    again: Any = AutoModelForCausalLM.from_pretrained(tmp_path / "out")
    ids = torch.tensor([[5, 9, 70, 33]])
    with torch.inference_mode():
        torch.testing.assert_close(again(ids).logits, model.eval()(ids).logits)
    assert again.config.max_position_embeddings == 8192
    with pytest.raises(InputError, match=r"stretched already \(linear\)"):
        stretch(again, 2)


def test_what_has_no_rotary_positions_cannot_be_stretched() -> None:
    model = GPT2LMHeadModel(GPT2Config(vocab_size=50, n_positions=32, n_embd=8, n_layer=1, n_head=1))
    stretch(model, 1)
    with pytest.raises(InputError, match="gpt2 has no rotary positions"):
        stretch(model, 2)
