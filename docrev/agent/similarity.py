"""How near a task and documents are by sentence embeddings (extra `retriever`); loaded when it is first asked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from docrev.errors import UsageError
from docrev.prompts.agents import Sheet

WEIGHT = 2.0


class Embeddings:
    """Cosine similarities times `WEIGHT`. UsageError where the folder holds no model or the extra is missing."""

    def __init__(self, folder: str | Path) -> None:
        if not Path(folder).is_dir():
            raise UsageError("no such folder of a sentence-transformers model", where=str(folder))
        self._folder = str(folder)
        self._model: Any = None
        self._seen: dict[str, Any] = {}

    def near(self, task: str, sheets: Sequence[Sheet]) -> dict[str, float]:
        """By function name, how near each sheet's text is to the task, from about 0 to `WEIGHT`."""
        texts = [f"{sheet.key.operation} {sheet.description}"[:512] for sheet in sheets]
        self._embed([task, *texts])
        asked = self._seen[task]
        return {sheet.name: WEIGHT * float(asked @ self._seen[text]) for sheet, text in zip(sheets, texts, strict=True)}

    def _embed(self, texts: list[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._seen]
        if new:
            vectors = self._loaded().encode(new, normalize_embeddings=True, show_progress_bar=False)
            self._seen.update(zip(new, vectors, strict=True))

    def _loaded(self) -> Any:
        if self._model is None:
            os.environ.setdefault("OMP_NUM_THREADS", "1")
            try:
                from sentence_transformers import SentenceTransformer
            except ImportError:
                raise UsageError("embeddings need more", fix="run: pip install 'docrev[retriever]'") from None
            self._model = SentenceTransformer(self._folder, device="cpu", local_files_only=True)
        return self._model
