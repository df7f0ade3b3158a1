"""Whether a text that a model wrote may go into documentation: it must be about the API and claim nothing unproven.

Such a text may have been steered by what an API answered. Two questions are asked of it: whether it is safe for the
model that will read it (no instructions, links, markup, hidden characters), and whether it is backed: every parameter,
field, value and number that it mentions occurs in the documentation, the facts or the calls it was written from, and
nothing an API answered is repeated as prose.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from docrev.language.characters import hidden
from docrev.language.urls import split_url


class Suspicion(NamedTuple):
    """Why a text is refused: `reason` is a kebab-case word to count by, `says` tells a model what to mend."""

    reason: str
    says: str


_INSTRUCTIONS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|context|message|guideline|"
        r"above|previous|prior|earlier|everything|documentation|other (?:tool|operation))s?\b",
        r"\b(?:previous|prior|above|earlier|new|system|hidden|secret) (?:instruction|prompt|directive)s?\b",
        r"\byou(?:'?ll| (?:must|should|shall|have to|need to|are (?:now|to|required)|will|may not|can ?not|can't))\b",
        r"\b(?:as|you are|you're|act as|pretend to be|acting as|for) (?:an? |the |any )?"
        r"(?:ai|a\.i\.|llm|assistant|language model|chat ?bot|agent|developer mode|dan)\b",
        r"\b(?:assistant|agent|llm|language model|ai model|chat ?bot|reader)s? "
        r"(?:must|should|shall|will|has to|have to|needs? to|are required|is required)\b",
        r"\b(?:system|assistant|user|human|developer|instruction|observation|thought|action(?: input)?|"
        r"final answer|important|attention|note to [\w ]{1,20})s? ?:",
        r"\b(?:do not|don't|never|without) (?:\w+ ){0,2}(?:tell|reveal|mention|inform|ask|notify|show|warn|alert)\w*\b",
        r"\b(?:tell|inform|notify|ask|convince|persuade|instruct) "
        r"(?:the |your |an? )?(?:user|human|caller|person|owner)s?\b",
        r"\b(?:always|first|instead|immediately|only|then|now|please|before anything else) "
        r"(?:call|invoke|execute|run|send|post|use|choose|select|prefer|pick|reply|respond|answer|output|say|print)\b",
        r"\b(?:call|invoke|use|run|choose|prefer|pick|select) (?:this|it) "
        r"(?:(?:tool|operation|function|api|endpoint) )?"
        r"(?:first|always|instead|before|for (?:all|any|every)|whenever|only)\b",
        r"\b(?:reply|respond|output|print|repeat) (?:only |exactly |always )*(?:with|as follows|in|the following)\b",
        r"\b(?:send|forward|post|email|upload|exfiltrate|leak|share|include|append|attach)\b.{0,40}"
        r"\b(?:password|credential|api[ _-]?key|secret|access token|conversation|chat history|private key)s?\b",
        r"\b(?:jailbreak|prompt injection|developer mode)\b",
        r"<\|\w+\|>|\[/?(?:INST|SYS|SYSTEM|TOOL_CALLS?|AVAILABLE_TOOLS)\]|<</?SYS>>|^\s*#{2,}\s|</?s>",
        r"\b(?:tool|function)[_ ]calls?\b|\bfunctions\.\w+",
        r"\"(?:arguments|parameters|tool|function|name|role|content)\" ?:",
    )
]
URL = re.compile(
    r"\b[a-z][a-z0-9+.-]*://[^\s`\"'<>)\]]*|\b(?:mailto|javascript|data|tel):\S+|[\w.+-]+@[\w-]+\.[\w.-]+",
    re.IGNORECASE,
)
_HOST = re.compile(
    r"(?<![\w./@-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|ai|dev|app|co|info|biz|xyz|me|ru|cn|de|uk|eu|us|gov|edu|site|"
    r"online|top|click|link|example|test)\b(?:/\S*)?",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"<[a-z/!?][^>]*>?|\]\s?\(|!\[|\[[^\]]*\]:|&(?:#\w+|[a-z]+);|```|~~~|\{\{|\}\}|\{%|\$\{", re.IGNORECASE
)
_QUOTED = re.compile(r"`[^`]*`")
_MAX_SHOWN = 60


def unsafe(text: str, hosts: Iterable[str] = ()) -> Iterator[Suspicion]:
    """What in `text` could harm its reader; nothing if it is only text. `hosts` are the API's own."""
    if any(hidden(char) and char not in "\n\t\r" for char in text):
        yield Suspicion("hidden-characters", "it holds control or invisible characters; leave them out")
    # Look-alike characters are read as what they look like.
    plain = unicodedata.normalize("NFKC", "".join(char for char in text if not hidden(char) or char in "\n\t\r"))
    for pattern in _INSTRUCTIONS:
        if found := pattern.search(plain):
            yield Suspicion("instruction", f"{show(found.group())} speaks to the reader; only describe the API")
            break
    for doubt in (_link(plain, tuple(hosts)), _markup(plain)):
        if doubt is not None:
            yield doubt


def _link(text: str, hosts: tuple[str, ...]) -> Suspicion | None:
    for found in URL.finditer(text):
        if (split_url(found.group()).netloc.rpartition("@")[2] or "?") not in hosts:
            return Suspicion("link", f"{show(found.group())} is not an address of this API; leave it out")
    for found in _HOST.finditer(URL.sub(" ", text)):
        if found.group().partition("/")[0] not in hosts:
            return Suspicion("link", f"{show(found.group())} is an address; leave it out")
    return None


def _markup(text: str) -> Suspicion | None:
    # Between backticks braces are a path's own.
    found = _MARKUP.search(_QUOTED.sub("`", text)) or _MARKUP.search(text)
    return Suspicion("markup", f"{show(found.group())} is markup; write plain sentences") if found else None


def show(text: str) -> str:
    """A piece of a refused text, quoted and cut: it goes back to the model that wrote it."""
    return f'"{text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"}"'
