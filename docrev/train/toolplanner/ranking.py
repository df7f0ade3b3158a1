"""The loss of stage 2, and its trainer: the only module here that loads torch and transformers.

Cross-entropy of the better of two answers, and β times the ranking loss of RRHF (Yuan et al., 2023): how much likelier
the worse one is than the better one, each by the mean of its tokens' log-probabilities. Equation 3 of ToolPlanner has
min(0, …), which would push where the order is right already; the paper's own code and RRHF have max(0, …).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, relu
from transformers import Trainer

from docrev.train.fitting import IGNORED, padded
from docrev.train.toolplanner.encoding import PreferenceExample


def mean_log_probabilities(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean log-probability of each row's labelled tokens, by how many these are; padding counts nowhere.

    `logits` [rows, tokens, vocabulary], `labels` [rows, tokens] with IGNORED where nothing is learned; [rows].
    """
    after = labels[:, 1:]
    each = -cross_entropy(logits[:, :-1].transpose(1, 2).float(), after, ignore_index=IGNORED, reduction="none")
    return each.sum(1) / (after != IGNORED).sum(1)


def ranked_loss(chosen: Tensor, rejected: Tensor, beta: float) -> Tensor:
    """Cross-entropy of the better answers and β times the ranking loss, over [pairs] mean log-probabilities each."""
    return -chosen.mean() + beta * relu(rejected - chosen).mean()


def collate(examples: Sequence[PreferenceExample], pad: int) -> dict[str, Tensor]:
    """Rows padded on the right: the better answers after their prompts, then the worse ones in the same order."""
    pairs = [(one.prompt, one.chosen) for one in examples] + [(one.prompt, one.rejected) for one in examples]
    rows = [
        {"input_ids": (*prompt, *answer), "labels": (*[IGNORED] * len(prompt), *answer)} for prompt, answer in pairs
    ]
    return padded(rows, pad)


def ranking(beta: float) -> Callable[..., Trainer]:
    """What makes a trainer with this β."""
    return partial(RankingTrainer, beta=beta)


class RankingTrainer(Trainer):
    """Trains on batches that hold better answers, and as many worse ones after them."""

    def __init__(self, *, beta: float, **options: Any) -> None:
        super().__init__(**options)
        self._beta = beta
        # A loss that is already a mean is divided by the steps that are accumulated.
        self.model_accepts_loss_kwargs = False

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """The loss of a batch."""
        out = model(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"])
        chosen, rejected = mean_log_probabilities(out.logits, inputs["labels"]).chunk(2)
        loss = ranked_loss(chosen, rejected, self._beta)
        return (loss, out) if return_outputs else loss

    def prediction_step(
        self, model: Any, inputs: dict[str, object], prediction_loss_only: bool, ignore_keys: list[str] | None = None
    ) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        """The loss of a batch that is not learned from."""
        with torch.no_grad():
            loss = self.compute_loss(model, self._prepare_inputs(inputs))
        return loss.detach(), None, None
