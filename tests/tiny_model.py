"""A tiny LLaMA with random weights, its tokenizer and chat template: a real model, whose answers mean nothing.

`tiny_model()` is the folder, made once a process; `make(folder, …)` makes another.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

CHAT_TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>\n{{ message['content'] }}</s>\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)
TEXTS = [
    "Lists the cities of a country by its code.",
    '{"text": "Returns an airport", "operation": "atlas GET /cities", "arguments": [], "answer": null}',
    "The task: what is the capital of the country that Antwerp lies in? <|system|> <|user|> <|assistant|>",
    "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 {}[]\"':,./_-+*()<>|?!",
]


@lru_cache(maxsize=1)
def tiny_model() -> Path:
    """The folder of a tiny chat model; it is removed when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="docrev-tiny-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return make(folder)


def make(folder: Path, *, template: str | None = CHAT_TEMPLATE, pad: bool = False, context: int = 4096) -> Path:
    """Write a model of about 100,000 random weights into `folder`, the same each time."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    plain = Tokenizer(models.BPE(unk_token="<unk>"))
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    plain.decoder = decoders.ByteLevel()
    special = ["<unk>", "<s>", "</s>"] + (["<pad>"] if pad else [])
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    plain.train_from_iterator(
        TEXTS, trainers.BpeTrainer(vocab_size=400, special_tokens=special, initial_alphabet=alphabet)
    )
    names = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=plain, **names, **({"pad_token": "<pad>"} if pad else {}))
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=context,
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=3 if pad else None,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder
