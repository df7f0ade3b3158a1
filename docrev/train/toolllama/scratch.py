"""`--from-scratch`: a tokenizer and a LLaMA from nothing, trained on invented services by a curriculum over time.

All that makes it learn in minutes can be left out, to see what it is worth: `Size.primed`, `Size.staged`.
"""

from __future__ import annotations

import copy
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from docrev.errors import InputError, UsageError
from docrev.models.tooluser.slots import Vocabulary
from docrev.models.tooluser.vocabulary import BEGIN, PAD, STOP
from docrev.storage.atomic import write_json
from docrev.train.toolllama.annotated import AnnotatedEpisodes
from docrev.train.toolllama.checkpoints import full_disk_explained
from docrev.train.toolllama.composing import Composer, TrainingStage, stage
from docrev.train.toolllama.episodes import Episode, episodes
from docrev.train.toolllama.priming import prime

UNSEEN = 1_000_000
"""Worlds from this number on are never trained on."""
LONGEST = 512
FEWEST = 8
"""Worlds that are made however short the time is."""


@dataclass(frozen=True, slots=True)
class Size:
    """A model's shape and its recipe; `minutes` is how long it trains, making the worlds included.

    `primed`: its weights begin nearly able to copy; `staged`: it begins with one document and few.
    """

    hidden: int
    layers: int
    heads: int
    slots: int
    batch: int
    rate: float
    worlds: int
    minutes: float
    context: int = 1024
    primed: bool = True
    staged: bool = True


SIZES = {
    "test": Size(hidden=64, layers=2, heads=4, slots=256, batch=8, rate=3e-3, worlds=6, minutes=0.1, context=2048),
    "nano": Size(hidden=128, layers=4, heads=4, slots=256, batch=8, rate=2e-3, worlds=1200, minutes=19),
    "small": Size(
        hidden=384, layers=8, heads=6, slots=768, batch=128, rate=1e-3, worlds=20000, minutes=10, context=2048
    ),
}


def size(name: str) -> Size:
    """The size of this name. Raises UsageError if there is none."""
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
    if shape.primed:
        prime(model)
    return model


def begun(start: Path, rank: int) -> tuple[Any, Vocabulary]:
    """A model that was made here, to go on with: all of it, or adapters of a rank. Raises InputError."""
    from transformers import LlamaForCausalLM

    from docrev.language.characters import one_line
    from docrev.train.toolllama.base_model import with_lora

    vocabulary = Vocabulary.read(start)
    try:
        model: Any = LlamaForCausalLM.from_pretrained(start, local_files_only=True)
    except Exception as error:  # whatever loaders of weights raise
        raise InputError(f"not a tool user: {one_line(error)}", where=str(start), fix="train it again") from None
    return (with_lora(model, rank) if rank else model), vocabulary


def save(model: Any, vocabulary: Vocabulary, shape: Size, folder: Path) -> None:
    """Weights, tokenizer and vocabulary, as transformers and `--model local:` load them. Raises StoreError."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.WordLevel({token: at for at, token in enumerate(vocabulary.tokens())}, unk_token=PAD))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast: Any = PreTrainedTokenizerFast
    tokenizer = fast(
        tokenizer_object=inner, pad_token=PAD, bos_token=BEGIN, eos_token=STOP, unk_token=PAD,
        model_max_length=shape.context,
    )  # fmt: skip
    plain = copy.deepcopy(model).merge_and_unload() if hasattr(model, "merge_and_unload") else model
    with full_disk_explained(folder, "make room, and train again"):
        folder.mkdir(parents=True, exist_ok=True)
        tokenizer.save_pretrained(folder)
        plain.save_pretrained(folder)
        vocabulary.write(folder)


def worlds(count: int, first: int = 0, *, until: float = math.inf) -> Iterator[Episode]:
    """The episodes of `count` worlds from number `first` on; after a few, no more once the clock says `until`."""
    for seed in range(first, first + count):
        if seed >= first + FEWEST and time.monotonic() > until:
            return
        yield from episodes(seed)


@dataclass(slots=True)
class TrainingProgress:
    """One line of the log: `minutes` by the clock, `cpu` of processors; `right` and `exact` on worlds never seen.

    `own_right` and `own_exact` are the same on annotated ways that are not learned; None without any.
    """

    minutes: float
    cpu: float
    steps: int
    tokens: int
    loss: float
    stage: str
    right: float
    exact: float
    own_right: float | None = None
    own_exact: float | None = None


def train(
    shape: Size,
    folder: Path,
    *,
    seed: int = 0,
    minutes: float | None = None,
    steps: int | None = None,
    start: Path | None = None,
    rank: int = 0,
    own: AnnotatedEpisodes | None = None,
    tell: Callable[[TrainingProgress], None] = lambda _: None,
) -> list[TrainingProgress]:
    """Train a model of this size into `folder`; the last `TrainingProgress` is of the finished weights.

    It stops by the clock, or after `steps` if they are given (then the same steps give the same weights). With
    `start` it goes on from a model that was made so, with examples as hard as they get, and with LoRA if there is a
    `rank`. `own` are annotated ways to learn from beside the invented services. Raises StoreError; UsageError where
    the loss is no number any more, what was saved last being kept.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import torch
    from transformers.utils import logging

    quiet: Any = logging.disable_progress_bar
    quiet()
    began = _clocks()
    limit = 60 * (shape.minutes if minutes is None else minutes)
    torch.manual_seed(seed)
    if start is not None:
        (model, vocabulary), shape = begun(start, rank), replace(shape, staged=False)
    else:
        vocabulary = Vocabulary.create(shape.slots, own.words if own else ())
        model = build(shape, vocabulary, seed)
    where = "cuda" if torch.cuda.is_available() else "cpu"
    until = math.inf if steps is not None else began[0] + limit * 0.2
    own = own or AnnotatedEpisodes()
    composer = Composer(vocabulary, worlds(shape.worlds, until=until), seed, own.learned)
    checks = Composer(vocabulary, worlds(max(2, min(12, shape.worlds // 3)), UNSEEN), seed + 1, own.held)
    held, held_own = (
        [checks.example(one, TrainingStage(6), LONGEST) for one in part] for part in (checks.episodes, checks.own)
    )
    run = _Run(
        model.to(where).train(), composer, checks, held, held_own, shape, limit, steps, began, tell, vocabulary, folder
    )
    return run.go()


@dataclass
class _Run:
    model: Any
    composer: Composer
    checks: Composer
    held: list[tuple[Any, Any]]
    held_own: list[tuple[Any, Any]]
    shape: Size
    limit: float
    steps: int | None
    began: tuple[float, float]
    tell: Callable[[TrainingProgress], None]
    vocabulary: Vocabulary
    folder: Path
    ready: float = field(default_factory=time.monotonic)
    step: int = 0
    tokens: int = 0
    loss: float = 0.0
    log: list[TrainingProgress] = field(default_factory=list)

    def go(self) -> list[TrainingProgress]:
        optimizer = self._optimizer()
        noted = 0.0
        # The log has some two dozen lines.
        between = max(1 / 24, 5 / self.limit if self.steps is None else 0)
        while (share := self._share(self.step)) < 1:
            how = stage(share if self.shape.staged else 1.0)
            self._train_on(optimizer, how)
            if self._share(self.step) - noted > between:
                noted = self._share(self.step)
                self._note(how)
        self._note(stage(1.0))
        write_json(self.folder / "training.json", [asdict(entry) for entry in self.log])
        return self.log

    def _optimizer(self) -> Any:
        """AdamW that lets matrices decay, and neither biases nor norms."""
        import torch

        trained = [part for part in self.model.parameters() if part.requires_grad]
        groups = [
            {"params": [part for part in trained if part.dim() >= 2], "weight_decay": 0.05},
            {"params": [part for part in trained if part.dim() < 2], "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(groups, lr=self.shape.rate, betas=(0.9, 0.98))

    def _train_on(self, optimizer: Any, how: TrainingStage) -> None:
        """Train on a drawing of batches as a stage has them. Raises UsageError if the loss is no number."""
        for ids, labels in self.composer.batches(self.shape.batch, how, LONGEST):
            rate = self.shape.rate * min(1, (self.step + 1) / 100) * _fall(self._share(self.step))
            for group in optimizer.param_groups:
                group["lr"] = rate
            value = self._step(optimizer, ids, labels)
            if not math.isfinite(value):
                kept = f"{self.log[-1].steps} steps are kept" if self.log else "nothing was kept"
                what = f"the loss is no number after {self.step} steps"
                raise UsageError(what, where=str(self.folder), fix=f"{kept}; try another --seed")
            self.loss = value if not self.step else 0.98 * self.loss + 0.02 * value
            self.step, self.tokens = self.step + 1, self.tokens + ids.size
            if self.steps is not None and self.step >= self.steps:
                return

    def _share(self, step: int) -> float:
        if self.steps is not None:
            return step / self.steps
        # Of the time that making the services left: the first stages are short, and everything rests on them.
        return (time.monotonic() - self.ready) / max(1e-9, self.limit - (self.ready - self.began[0]))

    def _step(self, optimizer: Any, ids: Any, labels: Any) -> float:
        import torch

        where = self.model.device
        inputs, wanted = (torch.from_numpy(one).to(where) for one in (ids, labels))
        # Not in bfloat16: the one time that it was tried, nothing was learned (docs/experiments/tool-user.md).
        loss = _loss(self.model, inputs, wanted)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        optimizer.step()
        return float(loss.detach())

    def _note(self, how: TrainingStage) -> None:
        """Measure, log and save the model as it is now."""
        right, exact = self.measured(self.held)
        on_own = self.measured(self.held_own) if self.held_own else (None, None)
        minutes, cpu = ((now - then) / 60 for now, then in zip(_clocks(), self.began, strict=True))
        entry = TrainingProgress(
            minutes, cpu, self.step, self.tokens, self.loss, f"{how.beside}+", right, exact, *on_own
        )
        self.tell(entry)
        self.log.append(entry)
        save(self.model, self.vocabulary, self.shape, self.folder)

    def measured(self, held: Sequence[tuple[Any, Any]]) -> tuple[float, float]:
        """Given the right way so far: the share of right functions, and of actions that are exact."""
        import numpy as np
        import torch

        action = self.vocabulary.known.index("<action>")
        right = exact = total = 0
        self.model.eval()
        for at in range(0, len(held), 16):
            ids, labels = self.checks.padded(held[at : at + 16])
            with torch.inference_mode():
                logits = self.model(input_ids=torch.from_numpy(ids).to(self.model.device)).logits
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


def _clocks() -> tuple[float, float]:
    return time.monotonic(), time.process_time()


def _loss(model: Any, inputs: Any, wanted: Any) -> Any:
    """Cross-entropy on what is learned; the vocabulary's scores are computed there alone."""
    import torch

    if hasattr(model, "get_base_model"):
        model = model.get_base_model()
    hidden = model.model(input_ids=inputs).last_hidden_state[:, :-1]
    after = wanted[:, 1:]
    kept = after >= 0
    return torch.nn.functional.cross_entropy(model.lm_head(hidden[kept]).float(), after[kept])


def _fall(share: float) -> float:
    """The learning rate's factor: whole until 60 % of the time, then down to a twentieth along a cosine."""
    if share < 0.6:
        return 1.0
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * min(1.0, (share - 0.6) / 0.4)))
