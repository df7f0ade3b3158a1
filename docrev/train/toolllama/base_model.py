"""A base model to fine-tune: its weights, its positions stretched, adapters on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docrev.errors import InputError, UsageError
from docrev.language.characters import one_line
from docrev.models.precision import cuda_has_bfloat16

RATIOS = (1, 2, 4)
_CAUSAL = ("ForCausalLM", "LMHeadModel")


def load_base(base: Path, ratio: int = 1) -> tuple[Any, Any]:
    """Tokenizer and weights of a folder; a padding token is found if none is named. Raises InputError."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    for quiet in (logging.disable_progress_bar, logging.set_verbosity_error):
        quiet()  # type: ignore[no-untyped-call]
    if not (base / "config.json").is_file():
        raise InputError("no such model folder", where=str(base), fix="name the folder that holds config.json")
    # Weights kept in bfloat16 would learn next to nothing on a processor, and slowly on a GPU that emulates it.
    kind: Any = "auto" if cuda_has_bfloat16() else torch.float32
    try:
        architectures = AutoConfig.from_pretrained(base, local_files_only=True).architectures or []
        # An encoder can be loaded as if it were causal, and learns nothing of use.
        if architectures and not any(name.endswith(_CAUSAL) for name in architectures):
            raise ValueError(f"it is a {architectures[0]}")
        tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(base, local_files_only=True, dtype=kind)
    except Exception as error:  # whatever the loaders of tokenizers and weights raise
        raise InputError(f"no causal language model: {one_line(error)}", where=str(base), fix="try another") from None
    if tokenizer.eos_token is None:
        raise InputError("the tokenizer has no end-of-text token", where=str(base), fix="set eos_token in it")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.unk_token or tokenizer.eos_token
    stretch(model, ratio)
    return tokenizer, model


def default_ratio(base: Path, limit: int) -> int:
    """2 for a base whose context is shorter than `limit` and whose positions can be stretched (Llama 2's 4,096 tokens
    to 8,192: ToolLLM v2 §3.1), otherwise 1."""
    try:
        config = json.loads((base / "config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return 1
    if not isinstance(config, dict):
        return 1
    kept = config.get("rope_parameters") or config.get("rope_scaling") or {}
    is_plain = kept.get("rope_type", kept.get("type", "default")) == "default"
    is_rotary = "rope_parameters" in config or "rope_theta" in config
    return 2 if is_rotary and is_plain and int(config.get("max_position_embeddings") or limit) < limit else 1


def stretch(model: Any, ratio: int) -> None:
    """Positional interpolation (Chen et al., 2023): positions divided by `ratio`, a context `ratio` times as long.

    Raises UsageError for another ratio, InputError for an architecture without rotary positions.
    """
    if ratio not in RATIOS:
        raise UsageError(f"no ratio {ratio}", where="--ratio", fix="use 1, 2 or 4")
    if ratio == 1:
        return
    config, inner = model.config, getattr(model, "model", None)
    rotary = getattr(config, "rope_parameters", None)
    if not isinstance(rotary, dict) or not hasattr(inner, "rotary_emb") or "rope_type" not in rotary:
        raise InputError(f"{config.model_type} has no rotary positions to stretch", where="--ratio", fix="use 1")
    if rotary["rope_type"] != "default":
        raise InputError(f"positions are stretched already ({rotary['rope_type']})", where="--ratio", fix="use 1")
    config.rope_parameters = {**rotary, "rope_type": "linear", "factor": float(ratio)}
    config.max_position_embeddings *= ratio
    positions: Any = inner
    positions.rotary_emb = type(positions.rotary_emb)(config=config).to(model.device)


def with_lora(model: Any, rank: int) -> Any:
    """The model with adapters of this rank on every linear layer but the last (Hu et al., 2021)."""
    from peft import LoraConfig, get_peft_model

    settings = LoraConfig(
        r=rank, lora_alpha=2 * rank, lora_dropout=0.05, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    return get_peft_model(model, settings)
