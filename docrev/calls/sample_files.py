"""Small valid files of the types that services take, each with a text of the run in it; the same text, same bytes."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from html import escape

from docrev.conventions.run_names import PLACEHOLDER
from docrev.language.media_types import essence

_PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=")
_GIF = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
"""Pictures of one pixel."""
_PNG_END = 12
"""Bytes of the chunk that ends a PNG."""


def _sealed(text: str) -> str:
    """A text for a file that is compressed or has checksums, without the part of a run's name that another one takes
    the place of in the bytes on the wire."""
    return text.replace(f"-{PLACEHOLDER}", "")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _zip(text: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        # Without a time of its own, a member has that of the first day there is.
        archive.writestr(zipfile.ZipInfo("content.txt"), _plain(_sealed(text)))
    return content.getvalue()


def _tar(text: str) -> bytes:
    content, member = io.BytesIO(), tarfile.TarInfo("content.txt")
    inside = _plain(text)
    member.size = len(inside)
    with tarfile.open(fileobj=content, mode="w") as archive:
        archive.addfile(member, io.BytesIO(inside))
    return content.getvalue()


def _gzip(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _plain(text: str) -> bytes:
    return f"{text}\n".encode(errors="replace")


def _png(text: str) -> bytes:
    comment = b"tEXtComment\0" + _sealed(text).encode("latin-1", errors="replace")
    chunk = (len(comment) - 4).to_bytes(4, "big") + comment + zlib.crc32(comment).to_bytes(4, "big")
    return _PNG[:-_PNG_END] + chunk + _PNG[-_PNG_END:]


def _gif(text: str) -> bytes:
    comment = text.encode(errors="replace")[:255]
    return _GIF[:-1] + (b"\x21\xfe%c%s\0" % (len(comment), comment) if comment else b"") + _GIF[-1:]


def _pdf(text: str) -> bytes:
    """One empty page; the text is its title (ISO 32000-1, 7.5)."""
    title = _sealed(text).encode("ascii", errors="replace").hex().upper().encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>",
        b"<</Title<%s>>>" % title,
    ]
    content, places = b"%PDF-1.4\n", []
    for number, entry in enumerate(objects, 1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, entry)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    end = b"trailer\n<</Size %d/Root 1 0 R/Info 4 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, len(content))
    return content + b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table) + end


_BUILT: dict[str, tuple[str, Callable[[str], bytes]]] = {
    "png": ("image/png", _png),
    "gif": ("image/gif", _gif),
    "json": ("application/json", lambda text: json.dumps({"name": text}, separators=(",", ":")).encode()),
    "csv": ("text/csv", lambda text: _plain(f"name,value\n{text},1")),
    "zip": ("application/zip", _zip),
    "txt": ("text/plain", _plain),
    "yaml": ("application/yaml", lambda text: _plain(f"name: {_quoted(text)}")),
    "xml": ("application/xml", lambda text: _plain(f'<?xml version="1.0"?><name>{escape(text)}</name>')),
    "pdf": ("application/pdf", _pdf),
    "gz": ("application/gzip", lambda text: _gzip(_plain(_sealed(text)))),
    "tar.gz": ("application/gzip", lambda text: _gzip(_tar(_sealed(text)))),
    "tar": ("application/x-tar", _tar),
    "bz2": ("application/x-bzip2", lambda text: bz2.compress(_plain(_sealed(text)))),
    "tar.bz2": ("application/x-bzip2", lambda text: bz2.compress(_tar(_sealed(text)))),
    "toml": ("application/toml", lambda text: _plain(f"name = {_quoted(text)}")),
    "html": ("text/html", lambda text: _plain(f"<!DOCTYPE html><title>{escape(text)}</title>")),
    "md": ("text/markdown", lambda text: _plain(f"# {text}")),
    "jsonl": ("application/x-ndjson", lambda text: _plain(f'{{"name":{_quoted(text)}}}')),
}
"""Media type and content by ending, those that are taken most often first."""
_ALSO = {
    "bzip2": "bz2",
    "gzip": "gz",
    "tarball": "tar.gz",
    "tgz": "tar.gz",
    "tbz2": "tar.bz2",
    "yml": "yaml",
    "htm": "html",
    "markdown": "md",
    "ndjson": "jsonl",
    "text": "txt",
    "comma": "csv",
    "archive": "zip",
    "image": "png",
    "picture": "png",
    "photo": "png",
    "avatar": "png",
    "logo": "png",
    "icon": "png",
    "thumbnail": "png",
}
"""What the types are called beside their endings."""
_VAGUE = frozenset({"text", "archive", "image", "picture", "photo", "avatar", "logo", "icon", "thumbnail"})
"""What leaves a type open: another word says more."""
_NAMED = re.compile(
    rf"(?<![a-z0-9])(?:{'|'.join(sorted(map(re.escape, {*_BUILT, *_ALSO}), key=len, reverse=True))})s?(?![a-z0-9])"
)


def endings() -> list[str]:
    """The endings of the files that can be built, those that are taken most often first."""
    return [*_BUILT]


def ending_of(name: str) -> str:
    """The ending of a file's name if files of that type can be built; "" if not."""
    lower = name.lower()
    found = [ending for ending in (*_BUILT, *_ALSO) if lower.endswith(f".{ending}")]
    longest = max(found, key=len, default="")
    return _ALSO.get(longest, longest)


def named_endings(text: str) -> list[str]:
    """The endings of the types that a text names: `zip` for "must be a ZIP archive". Vague words come last."""
    named = [word if word in {*_BUILT, *_ALSO} else word[:-1] for word in _NAMED.findall(text.lower())]
    exact_first = sorted(named, key=lambda word: word in _VAGUE)
    return list(dict.fromkeys(_ALSO.get(word, word) for word in exact_first))


def media_type_of(ending: str) -> str:
    """The media type of the files with an ending."""
    return _BUILT[ending][0]


def ending_for(media_type: str) -> str:
    """The ending of the files of a media type; "" if none can be built."""
    kind = essence(media_type).replace("/x-yaml", "/yaml").replace("zip-compressed", "zip")
    return next(
        (ending for ending, (name, _) in _BUILT.items() if name.replace("/x-", "/") == kind.replace("/x-", "/")), ""
    )


def content_of(ending: str, text: str) -> bytes:
    """A file with an ending, in which a text stands."""
    return _BUILT[ending][1](text)
