"""Vectors on disk, by the model's fingerprint and the text's hash: only what is new is ever encoded.

One SQLite file a model. It holds nothing that cannot be made again, so one that is damaged is made anew, and said so.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from docrev.errors import LockedError
from docrev.retrieval.embedding import Embedder
from docrev.storage.sqlite import connect

if TYPE_CHECKING:
    import numpy as np

Notice = Callable[[str], None]
_CHUNK = 512


def silent(line: str) -> None:
    """A notice that nobody reads."""


class CachedEmbedder:
    """An embedder that remembers, in `folder`; with None only as long as it lives."""

    def __init__(self, inner: Embedder, folder: Path | None, notice: Notice = silent) -> None:
        self.inner, self.notice = inner, notice
        self.fingerprint = inner.fingerprint
        self.file = folder / f"{inner.fingerprint[:32]}{inner.fingerprint[64:]}.sqlite" if folder is not None else None
        self.encoded = 0
        self._known: dict[bytes, np.ndarray] = {}

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """As the inner one does; each distinct text is encoded once, in the order of their first occurrence."""
        import numpy as np

        keys = [_key(text) for text in texts]
        self._read([key for key in dict.fromkeys(keys) if key not in self._known])
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        todo = list(new.items())
        for start in range(0, len(todo), _CHUNK):
            part = todo[start : start + _CHUNK]
            vectors = self.inner.encode([text for _, text in part])
            rows = {key: row for (key, _), row in zip(part, vectors, strict=True)}
            self.encoded += len(rows)
            self._known.update(rows)
            self._write(rows)
        return np.stack([self._known[key] for key in keys]) if keys else np.zeros((0, 1), dtype=np.float32)

    def _read(self, keys: Sequence[bytes]) -> None:
        import numpy as np

        if self.file is None or not keys or not self.file.is_file():
            return
        try:
            with closing(connect(self.file)) as base:
                for start in range(0, len(keys), _CHUNK):
                    part = keys[start : start + _CHUNK]
                    marks = ",".join("?" * len(part))
                    for key, blob, check in base.execute(
                        f"SELECT text, vector, sum FROM vectors WHERE text IN ({marks})", part
                    ):
                        if hashlib.sha256(blob).digest()[:8] != check:
                            raise sqlite3.DatabaseError("a vector is not what was written")
                        self._known[bytes(key)] = np.frombuffer(blob, dtype="<f4").astype(np.float32)
        except sqlite3.OperationalError:
            return  # another writes just now, or nothing was written yet: what is missing is encoded
        except (sqlite3.DatabaseError, TypeError) as error:
            self.notice(f"{self.file}: damaged ({error}); it is made anew")
            self._remove()

    def _write(self, rows: dict[bytes, np.ndarray]) -> None:
        if self.file is None:
            return
        blobs = [(key, row.astype("<f4").tobytes()) for key, row in rows.items()]
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with closing(connect(self.file)) as base, base:
                base.execute("CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB, sum BLOB)")
                base.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                    [(key, blob, hashlib.sha256(blob).digest()[:8]) for key, blob in blobs],
                )
        except (OSError, sqlite3.OperationalError) as error:
            # Retrieval goes on without: the file only saves time.
            self.notice(f"{self.file}: cannot be written ({error}); vectors are not kept")
            self.file = None
        except sqlite3.DatabaseError as error:
            self.notice(f"{self.file}: damaged ({error}); it is made anew")
            self._remove()

    def _remove(self) -> None:
        assert self.file is not None
        for suffix in ("", "-wal", "-shm", "-journal"):
            try:
                Path(f"{self.file}{suffix}").unlink(missing_ok=True)
            except OSError as error:
                fix = "remove it, or choose another --cache"
                raise LockedError(f"damaged, and cannot be removed: {error}", where=str(self.file), fix=fix) from error


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:20]
