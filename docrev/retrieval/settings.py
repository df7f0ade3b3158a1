"""The settings of `docrev retrieve`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from docrev.settings.base import setting
from docrev.settings.groups import SpecSettings


class RetrieveSettings(SpecSettings):
    """How to find operations."""

    method: Literal["bm25", "embedding", "hybrid"] | None = setting(
        None, "How to find operations; by default hybrid with --model, and bm25 without."
    )
    model: str | None = setting(
        None,
        "Embedding model: a sentence-transformers folder, or openai:NAME; by default none.",
        metavar="PATH",
        min_length=1,
    )
    model_url: str | None = setting(
        None, "URL of the server of an openai: model; by default OpenAI's own.", metavar="URL"
    )
    count: int = setting(5, "Number of operations to print.", ge=1, short="k")
    cache: Path = setting(Path(".docrev/retriever"), "Folder to keep vectors in.", metavar="DIR")
    no_cache: bool = setting(False, "Keep no vectors on disk.")
