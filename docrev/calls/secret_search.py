"""Finds secrets in texts, in whatever form an API may return them.

A text is looked at as it would be read in the end: without characters that draw nothing, in compatibility forms and
small letters, and with percent codes, escapes and entities decoded, up to five deep. What encodes several characters
as one (base64, hexadecimal) is looked for as it would look. All forms of all secrets are found in one pass
(Aho and Corasick, 1975), with the places that they have in the text as it is.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import string
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from html.entities import html5
from typing import NamedTuple
from urllib.parse import quote, quote_plus, unquote

import ahocorasick_rs

_SHORT = 4
"""A secret of fewer characters would be found in half of every text: it counts only as a word of its own."""
_LEAST = 6
"""Characters of a form that begins or ends within those of something else."""
_ROUNDS = 6
_WIDEST = 40
"""Characters that one of a secret takes at most: encoded, and split by characters that draw nothing."""
_NOT_DRAWN = (
    "\\x00-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f"
    "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb\\U000e0000-\\U000e0fff"
)
_HIDDEN = re.compile(f"[{_NOT_DRAWN}]")
_ENTITIES = {
    name.lower()[:-1]: char for name, char in html5.items() if name.endswith(";") and char in string.punctuation
}
_CODED = re.compile(
    r"%([0-7][0-9a-f])|%u([0-9a-f]{4})|\\u0000([0-9a-f]{4})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{2,4})\}"
    r"|\\x([0-9a-f]{2})|(?:(?<=0x[0-9a-f]{2})[,\s]{1,2})?0x([0-9a-f]{2})(?![0-9a-f])|&#x0*([0-9a-f]{2,4});?"
    r"|\\([0-3]?[0-7]{2})|&#0*([1-9][0-9]{1,4});?|((?:%[89a-f][0-9a-f]){2,4})|\\([\"'/\\])"
    rf"|&({'|'.join(sorted(_ENTITIES, key=len, reverse=True))});",
    re.IGNORECASE,
)
"""Codes of a character: hexadecimal ones first, then octal, decimal, UTF-8 in percent codes, what is escaped, names."""
_SIGNS = ("%", "\\", "&", "0x", "0X")
"""What codes have in them, one of these each, and most texts have not: looked for in a tenth of the time."""
_PAIR = re.compile(r"=\s*\"?([^\s\";,=]{6,})")


class _View(NamedTuple):
    """A text as it would be read, and where each of its characters begins and ends in the text as it is."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


class SecretSearch:
    """All forms of some secrets, to be found together."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        parts = {part for secret in secrets for part in _parts(secret)}
        long = [part for part in parts if len(part) >= _SHORT]
        self._forms = sorted({_view(form).text for part in long for form in _forms(part)} - {""})
        self._margin = _WIDEST * max(map(len, parts), default=0)
        short = sorted({_view(part).text for part in parts if len(part) < _SHORT} - {""})
        self._words = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, short))})(?!\w)") if short else None
        longest = ahocorasick_rs.MatchKind.LeftmostLongest
        self._all = ahocorasick_rs.AhoCorasick(self._forms, matchkind=longest) if self._forms else None

    def __bool__(self) -> bool:
        return self._all is not None or self._words is not None

    def may_be_in(self, text: str) -> bool:
        """Whether a text contains a secret, or is written so that only its parts, decoded, can tell."""
        if not self:
            return False
        if "\\" in text or (any(sign in text for sign in _SIGNS) and _CODED.search(text)) or not _is_plain(text):
            return True
        return any(self._matched_spans(_as_it_stands(text)))

    def masked(self, text: str, mask: str, most: int | None = None) -> str:
        """The first `most` characters of a text, by default all of it, with a mask in place of each secret.

        What is masked need not end there: half a secret is still one.
        """
        end = len(text) if most is None else most
        if not self or (len(text) <= end and self._is_free(text)):
            return text[:end]
        pieces, at = list[str](), 0
        for start, stop in sorted(self._spans(text[: end + self._margin])):
            if start >= end:
                break
            if start >= at:
                pieces += [text[at:start], mask]
            at = max(at, stop)
        return "".join([*pieces, text[at:end]])

    def _is_free(self, text: str) -> bool:
        """Whether a glance shows that a text has no secret: most texts are short and simple."""
        if not _is_simple(text) or any(sign in text for sign in _SIGNS):
            return False
        lower = text.lower()
        if self._all is not None and self._all.find_matches_as_indexes(lower):
            return False
        return self._words is None or self._words.search(lower) is None

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        view: _View | None = _view(text) if self and text else None
        for _ in range(_ROUNDS):
            if view is None:
                return
            yield from self._matched_spans(view)
            view = _decoded(view)

    def _matched_spans(self, view: _View) -> Iterator[tuple[int, int]]:
        matches = [match[1:] for match in self._all.find_matches_as_indexes(view.text)] if self._all else []
        matches += [match.span() for match in self._words.finditer(view.text)] if self._words else []
        return ((view.starts[start], view.ends[end - 1]) for start, end in matches)


# How a text would be read


def _is_plain(text: str) -> bool:
    """Whether the characters of a text are read as they stand, but for capital letters."""
    inside = text.replace("\n", "").replace("\t", "")
    if _is_simple(inside):
        return True
    drawn = not _HIDDEN.search(inside)
    return drawn and (text.isascii() or (unicodedata.is_normalized("NFKC", text) and len(text.lower()) == len(text)))


def _is_simple(text: str) -> bool:
    """Whether a text has nothing but the letters, digits and signs of ASCII, and spaces."""
    return text.isascii() and text.isprintable()


def _as_it_stands(text: str) -> _View:
    """A text that is plain, in small letters."""
    return _View(text.lower(), range(len(text)), range(1, len(text) + 1))


def _view(text: str) -> _View:
    if _is_plain(text) and "\n" not in text and "\t" not in text:
        return _as_it_stands(text)
    pieces = [
        (piece, at)
        for at, char in enumerate(text)
        if not _HIDDEN.match(char)
        for piece in unicodedata.normalize("NFKC", char).lower()
    ]
    return _View("".join(piece for piece, _ in pieces), [at for _, at in pieces], [at + 1 for _, at in pieces])


def _decoded(view: _View) -> _View | None:
    """What is read once the codes in a view are decoded; None if there is none."""
    chars, starts, ends, at = list[str](), list[int](), list[int](), 0
    for match in _CODED.finditer(view.text):
        read = _read(match)
        chars += [view.text[at : match.start()], read]
        starts += [*view.starts[at : match.start()], *[view.starts[match.start()]] * len(read)]
        ends += [*view.ends[at : match.start()], *[view.ends[match.end() - 1]] * len(read)]
        at = match.end()
    if not chars:
        return None
    return _View("".join([*chars, view.text[at:]]), [*starts, *view.starts[at:]], [*ends, *view.ends[at:]])


def _read(match: re.Match[str]) -> str:
    """What a code stands for, as a view has it."""
    *hexadecimal, octal, decimal, several, escaped, entity = match.groups()
    if escaped or entity:
        return escaped or _ENTITIES[entity]
    if several:
        plain = unquote(several)
    elif decimal:
        plain = chr(int(decimal))
    else:
        plain = chr(int(octal, 8) if octal else int(next(filter(None, hexadecimal)), 16))
    return _view(plain).text


# The forms of a secret


def _parts(secret: str) -> Iterator[str]:
    """A credential, and what of it is a secret by itself: without its scheme, its user, the names of its pairs."""
    yield secret
    yield from _PAIR.findall(secret)
    scheme, _, rest = secret.partition(" ")
    if not (rest := rest.strip()):
        return
    yield rest
    if scheme.lower() == "basic":
        try:
            pair = base64.b64decode(rest, validate=True).decode("utf-8")
        except (binascii.Error, ValueError):
            return
        yield pair
        if password := pair.partition(":")[2]:
            yield password


def _forms(part: str) -> Iterator[str]:
    """A secret as it stands, and as encodings show it that work on more than a character."""
    content = part.encode(errors="surrogatepass")
    yield from (part, quote(part, safe="", errors="replace"), quote_plus(part, errors="replace"))
    yield from (json.dumps(part)[1:-1], content.decode("latin-1"))
    for separator in ":- _,":
        yield content.hex(separator)
    once = base64.b64encode(content)
    for inner in (content, content.hex().encode(), once, once.rstrip(b"="), part.encode("utf-16-le", "surrogatepass")):
        yield inner.hex()
        yield from _base64(inner)
    yield base64.b32encode(content).decode()[: len(content) * 8 // 5]


def _base64(content: bytes) -> Iterator[str]:
    """What of the base64 of a text is the same wherever in it these bytes begin (RFC 4648), in both alphabets."""
    for offset in range(3):
        coded = base64.b64encode(bytes(offset) + content).decode()
        form = coded[-(-offset * 8 // 6) : (offset + len(content)) * 8 // 6]
        if not offset or len(form) >= _LEAST:
            yield from (form, form.replace("+", "-").replace("/", "_"))
