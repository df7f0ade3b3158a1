"""Texts read from files that a user names."""

from __future__ import annotations

from pathlib import Path

from docrev.errors import InputError


def read_text(path: Path, *, most: int | None = None, fix: str = "convert the file") -> str:
    """The text of a UTF-8 file, without a mark at its beginning.

    Raises InputError if the file is missing, unreadable, over `most` bytes, or no UTF-8: `fix` is what to do then.
    """
    try:
        if most is not None and path.stat().st_size > most:
            raise InputError(f"larger than {most // 2**20:,} MB", where=str(path), fix="split the file")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("this is not UTF-8 text", where=str(path), fix=fix) from None
    except FileNotFoundError:
        raise InputError("no such file or folder", where=str(path), fix="name another") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), fix="check path and rights") from error
