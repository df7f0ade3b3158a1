"""A tiny sentence-transformers model with random weights, made where a test wants it: real, and knowing nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from docrev.language.words import words

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")


def make_embedder(folder: Path, texts: Iterable[str], *, layers: int = 2, width: int = 32) -> Path:
    """A BERT of two layers that knows the words of `texts`; the folder."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules as parts
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder.mkdir(parents=True)
    own = sorted({word for text in texts for word in words(text)})
    vocabulary = {word: place for place, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *own])}
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=width, num_hidden_layers=layers, num_attention_heads=2,
        intermediate_size=2 * width, max_position_embeddings=128, initializer_range=0.1,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    bare = folder / "bare"
    BertModel(config).save_pretrained(bare)
    BertTokenizerFast(vocab=vocabulary).save_pretrained(bare)
    reader = parts.Transformer(str(bare), max_seq_length=64)
    model = SentenceTransformer(modules=[reader, parts.Pooling(width)], device="cpu")
    model.save(str(folder / "model"))
    return folder / "model"
