"""Whether a text that a model wrote is backed: every name, number and quotation in it must occur in the evidence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from docrev.prompts.questions import Brief
from docrev.records import Call, Fact

_QUOTED = re.compile(r"`([^`]+)`|\"([^\"]+)\"|“([^”]+)”")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b|/[\w{}/.-]+")
_LINK = re.compile(r"https?://|<[a-z/]|\]\(")


def unbacked(text: str, brief: Brief, facts: Iterable[Fact], calls: Iterable[Call]) -> list[str]:
    """What `text` mentions that neither the documentation, nor a fact, nor a call holds; [] where all is backed."""
    corpus = _corpus(brief, facts, calls)
    quoted = [next(filter(None, groups)) for groups in _QUOTED.findall(text)]
    said = quoted + _NUMBER.findall(text) + _NAME.findall(text) + [link.group() for link in _LINK.finditer(text)]
    return [piece for piece in dict.fromkeys(said) if piece.strip().casefold() not in corpus]


def _corpus(brief: Brief, facts: Iterable[Fact], calls: Iterable[Call]) -> str:
    parts = [str(brief.key), brief.summary, *brief.parameters, *brief.responses]
    parts += [json.dumps(fact.value, ensure_ascii=False) for fact in facts]
    for call in calls:
        parts.append(json.dumps(dict(call.arguments), ensure_ascii=False))
        parts.append(json.dumps(call.body, ensure_ascii=False)[:20_000])
        parts.append(str(call.status))
    return "\n".join(parts).casefold()
