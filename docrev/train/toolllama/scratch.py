"""`--from-scratch`: a tokenizer and a LLaMA from nothing, trained on invented services by a curriculum over time."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docrev.errors import UsageError
from docrev.models.tooluser.slots import Vocabulary
from docrev.models.tooluser.vocabulary import BEGIN, PAD, STOP
from docrev.train.toolllama.composing import Composer, Stage, stage
from docrev.train.toolllama.episodes import Episode, episodes
from docrev.train.toolllama.priming import prime

UNSEEN = 1_000_000
"""Worlds from this number on are never trained on."""
LONGEST = 512


@dataclass(frozen=True, slots=True)
class Size:
    """A model's shape and its recipe; `minutes` is how long it trains, making the worlds included."""

    hidden: int
    layers: int
    heads: int
    slots: int
    batch: int
    rate: float
    worlds: int
    minutes: float
    context: int = 1024


SIZES = {
    "test": Size(hidden=64, layers=2, heads=4, slots=256, batch=8, rate=3e-3, worlds=6, minutes=0.1, context=2048),
    "nano": Size(hidden=128, layers=4, heads=4, slots=256, batch=8, rate=2e-3, worlds=1200, minutes=19),
    "small": Size(
        hidden=384, layers=8, heads=6, slots=768, batch=128, rate=1e-3, worlds=20000, minutes=10, context=2048
    ),
}


def size(name: str) -> Size:
    """The size of this name. Raises UsageError where there is none."""
    if name not in SIZES:
        raise UsageError(f"no size {name}", where="--from-scratch", fix=f"one of {', '.join(SIZES)}")
    return SIZES[name]


def build(shape: Size, vocabulary: Vocabulary, seed: int) -> Any:
    """An untrained LLaMA for this vocabulary."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    ids = {sign: vocabulary.known.index(sign) for sign in (PAD, BEGIN, STOP)}
    config = LlamaConfig(
        vocab_size=vocabulary.size, hidden_size=shape.hidden, intermediate_size=shape.hidden * 3,
        num_hidden_layers=shape.layers, num_attention_heads=shape.heads, max_position_embeddings=shape.context,
        tie_word_embeddings=True, pad_token_id=ids[PAD], bos_token_id=ids[BEGIN], eos_token_id=ids[STOP],
        initializer_range=0.5 / math.sqrt(shape.hidden),
        attention_bias=True,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    prime(model)
    return model


def save(model: Any, vocabulary: Vocabulary, shape: Size, folder: Path) -> None:
    """Weights, tokenizer and vocabulary, as transformers and `--model local:` load them."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast
    from transformers.utils import logging

    folder.mkdir(parents=True, exist_ok=True)
    inner = Tokenizer(models.WordLevel({token: at for at, token in enumerate(vocabulary.tokens())}, unk_token=PAD))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast: Any = PreTrainedTokenizerFast
    tokenizer = fast(
        tokenizer_object=inner, pad_token=PAD, bos_token=BEGIN, eos_token=STOP, unk_token=PAD,
        model_max_length=shape.context,
    )  # fmt: skip
    tokenizer.save_pretrained(folder)
    quiet: Any = logging.disable_progress_bar
    quiet()
    model.save_pretrained(folder)
    vocabulary.write(folder)


def worlds(count: int, first: int = 0, *, until: float = math.inf) -> Iterator[Episode]:
    """The episodes of `count` worlds from number `first` on; no more once the clock says `until`."""
    for seed in range(first, first + count):
        if time.monotonic() > until:
            return
        yield from episodes(seed)


@dataclass(slots=True)
class Progress:
    """One line of the log."""

    minutes: float
    steps: int
    tokens: int
    loss: float
    stage: str
    right: float
    exact: float


def train(
    shape: Size,
    folder: Path,
    *,
    seed: int = 0,
    minutes: float | None = None,
    steps: int | None = None,
    device: str = "",
    tell: Callable[[Progress], None] = lambda _: None,
) -> list[Progress]:
    """Train a model of this size from nothing into `folder`; the last `Progress` is of the finished weights.

    It stops by the clock, or after `steps` where they are given (then the same steps give the same weights).
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import torch

    started = time.monotonic()
    limit = 60 * (shape.minutes if minutes is None else minutes)
    where = device or ("cuda" if torch.cuda.is_available() else "cpu")
    vocabulary = Vocabulary.made(shape.slots)
    model = build(shape, vocabulary, seed).to(where).train()
    share = math.inf if steps is not None else started + limit * 0.2
    composer = Composer(vocabulary, worlds(shape.worlds, until=share), seed)
    checks = Composer(vocabulary, worlds(max(2, min(12, shape.worlds // 3)), UNSEEN), seed + 1)
    held = [checks.example(one, Stage(6)) for one in checks.episodes]
    return _Run(model, composer, checks, held, shape, where, limit, steps, started, tell, vocabulary, folder).go()


@dataclass
class _Run:
    model: Any
    composer: Composer
    checks: Composer
    held: list[tuple[Any, Any]]
    shape: Size
    where: str
    limit: float
    steps: int | None
    started: float
    tell: Callable[[Progress], None]
    vocabulary: Vocabulary
    folder: Path

    def go(self) -> list[Progress]:
        import torch

        groups = [
            {"params": [p for p in self.model.parameters() if p.dim() >= 2], "weight_decay": 0.05},
            {"params": [p for p in self.model.parameters() if p.dim() < 2], "weight_decay": 0.0},
        ]
        optimizer = torch.optim.AdamW(groups, lr=self.shape.rate, betas=(0.9, 0.98))
        log: list[Progress] = []
        step = tokens = 0
        loss, told = 0.0, time.monotonic()
        while (share := self._share(step)) < 1:
            how = stage(share)
            for ids, labels in self.composer.batches(self.shape.batch, how, LONGEST):
                rate = self.shape.rate * min(1, (step + 1) / 100) * _fall(self._share(step))
                for group in optimizer.param_groups:
                    group["lr"] = rate
                value = self._step(optimizer, ids, labels)
                if not math.isfinite(value):
                    # The last good weights are those that were saved.
                    return log
                loss = value if not step else 0.98 * loss + 0.02 * value
                step, tokens = step + 1, tokens + ids.size
                if self.steps is not None and step >= self.steps:
                    break
            if self.steps is None and time.monotonic() - told > max(5.0, self.limit / 24):
                told = time.monotonic()
                log.append(self._note(step, tokens, loss, how))
                save(self.model, self.vocabulary, self.shape, self.folder)
        log.append(self._note(step, tokens, loss, stage(1.0)))
        save(self.model, self.vocabulary, self.shape, self.folder)
        (self.folder / "training.json").write_text(
            json.dumps([{name: getattr(one, name) for name in Progress.__slots__} for one in log], indent=1) + "\n"
        )
        return log

    def _share(self, step: int) -> float:
        if self.steps is not None:
            return step / self.steps
        return (time.monotonic() - self.started) / self.limit

    def _step(self, optimizer: Any, ids: Any, labels: Any) -> float:
        import torch

        inputs, wanted = (torch.from_numpy(one).to(self.where) for one in (ids, labels))
        with torch.autocast(self.where.partition(":")[0], torch.bfloat16, enabled=self.where.startswith("cuda")):
            loss = _loss(self.model, inputs, wanted)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        optimizer.step()
        return float(loss.detach())

    def _note(self, step: int, tokens: int, loss: float, how: Stage) -> Progress:
        right, exact = self.measured()
        made = Progress((time.monotonic() - self.started) / 60, step, tokens, loss, f"{how.beside}+", right, exact)
        self.tell(made)
        return made

    def measured(self) -> tuple[float, float]:
        """On unseen worlds, given the right way so far: the share of right functions, and of actions that are exact."""
        import numpy as np
        import torch

        action = self.vocabulary.known.index("<action>")
        right = exact = total = 0
        self.model.eval()
        for at in range(0, len(self.held), 16):
            ids, labels = self.checks.padded([(a[:LONGEST], b[:LONGEST]) for a, b in self.held[at : at + 16]])
            with torch.inference_mode():
                logits = self.model(input_ids=torch.from_numpy(ids).to(self.where)).logits
            best = logits.argmax(-1).cpu().numpy()
            for row in range(len(ids)):
                learned = labels[row] >= 0
                for place in np.flatnonzero(learned & (ids[row] == action)):
                    end = place + 1
                    while end < len(learned) and learned[end] and ids[row, end] != self.vocabulary.known.index("<end>"):
                        end += 1
                    same = best[row, place : end - 1] == ids[row, place + 1 : end]
                    total, right, exact = total + 1, right + int(same[0]), exact + int(same.all())
        self.model.train()
        return right / max(1, total), exact / max(1, total)


def _loss(model: Any, inputs: Any, wanted: Any) -> Any:
    """Cross-entropy on what is learned; the vocabulary's scores are computed there alone."""
    import torch

    hidden = model.model(input_ids=inputs).last_hidden_state[:, :-1]
    after = wanted[:, 1:]
    kept = after >= 0
    return torch.nn.functional.cross_entropy(model.lm_head(hidden[kept]).float(), after[kept])


def _fall(share: float) -> float:
    """The learning rate's factor: whole until 60 % of the time, then down to a twentieth along a cosine."""
    if share < 0.6:
        return 1.0
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * min(1.0, (share - 0.6) / 0.4)))
