"""Requests in a user's voice, made of operations' texts alone: to train on if nobody has asked yet.

Like ToolLLM's instructions (§2.2), a request is about one operation or several, of one tool (I1), of tools of one
category (I2) or of any (I3), with concrete values for parameters. Written by template and rule, not by a model: words
are left out and exchanged, so that what is learned is not to count words, which BM25 does already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from docrev.grouping import grouped
from docrev.language.phrases import joined
from docrev.records import OperationKey
from docrev.retrieval.documents import OperationText
from docrev.train.data.request_forms import DO, JOINTS, SHOW
from docrev.train.data.situations import situation
from docrev.train.data.vocabulary import value_for
from docrev.train.operation_phrases import OperationPhrase, determined, phrases

_SAME = """
movie film|picture image photo|soccer football|price cost|stock share|weather forecast|song track music|person people
user account profile|news articles headlines|company business firm|car vehicle|video clip|list collection overview
details information data info|get fetch|create make generate|delete remove
update change|check verify validate|translate convert|quote saying|recipe dish|game match|team club
player athlete|score result|country nation|city town|address location|website site page|url link|email mail
phone mobile|currency money|crypto cryptocurrency coin|exchange trade|history past records|latest newest most recent
current present|random arbitrary|popular trending|similar related|available offered|status state|language tongue
text message|word term|tag label|comment remark|review rating|rank ranking|top best|id identifier|number count
hotel accommodation|flight plane|airport airfield|ticket pass|event happening|job position vacancy|book novel
author writer|category type kind|product item|order purchase|package parcel|track follow|calculate compute|tv television
show series|episode part|actor cast member|statistics stats figures|standings table|season year|fixture schedule
nearby close|distance|temperature heat|medicine drug|disease illness|shorten abbreviate
endpoint service|retrieve obtain|returns shows|specific particular|all every|given certain
"""


def _others() -> dict[str, tuple[str, ...]]:
    """Each first word with what may stand for it, and the reverse if that is one word too."""
    synonyms: dict[str, tuple[str, ...]] = {}
    for group in _SAME.replace("\n", "|").split("|"):
        words = group.split()
        for word in words[:1] if len(words) > 3 else words:
            synonyms[word] = tuple(other for other in words if other != word)
    return synonyms


_OTHER_WORDS = _others()
_ASKS, _DOES = (tuple(chain.from_iterable(forms.values())) for forms in (SHOW, DO))
_SIZES = ((1, 15), (2, 60), (3, 20), (4, 5))


@dataclass(frozen=True, slots=True)
class RetrievalRequest:
    """A text and the operations that are relevant to it. `group` is I1, I2, I3 or the file it was read from."""

    text: str
    operations: tuple[OperationKey, ...]
    group: str = ""


def make_requests(texts: Sequence[OperationText], count: int, *, seed: int = 0) -> list[RetrievalRequest]:
    """`count` requests over `texts`, each operation in about as many as any other; the same for the same seed."""
    return _RequestWriter(texts, Random(seed)).make(count)


class _RequestWriter:
    def __init__(self, texts: Sequence[OperationText], random: Random) -> None:
        self.random = random
        self.texts = list(texts)
        self.phrases = {text.key: phrases(text) for text in texts}
        self.of_tool = _grouped(self.texts, {text.key: text.key.tool for text in texts})
        self.of_category = _grouped(self.texts, {text.key: text.category for text in texts})

    def make(self, count: int) -> list[RetrievalRequest]:
        requests: list[RetrievalRequest] = []
        queue: list[OperationText] = []
        while len(requests) < count:
            if not queue:
                queue = self.random.sample(self.texts, len(self.texts))
            requests.append(self._request(queue.pop()))
        return requests

    def _request(self, first: OperationText) -> RetrievalRequest:
        random = self.random
        size = random.choices([size for size, _ in _SIZES], [weight for _, weight in _SIZES])[0]
        group = random.choices(("I1", "I2", "I3"), (55, 30, 15))[0]
        chosen = [first, *self._others(first, size - 1, group)]
        random.shuffle(chosen)
        sentences = situation([self._topic(chosen[0])], random, none=0.15, about=0.6)
        for place, text in enumerate(chosen):
            ask = self._ask(text)
            is_linked = place > 0 and random.random() < 0.8
            sentences.append(random.choice(JOINTS).format(f"{ask[0].lower()}{ask[1:]}") if is_linked else ask)
        return RetrievalRequest(
            " ".join(sentences), tuple(text.key for text in chosen), group if len(chosen) > 1 else "I1"
        )

    def _others(self, first: OperationText, count: int, group: str) -> list[OperationText]:
        """More operations: of the same tool, or of one or two others."""
        of_this_tool = [text for text in self.of_tool[first.key.tool] if text is not first]
        if group == "I1" and of_this_tool:
            return self.random.sample(of_this_tool, min(count, len(of_this_tool)))
        wide = self.of_category[first.category] if group == "I2" else self.texts
        other = self.random.choice(wide)
        pool = [text for text in (*self.of_tool[other.key.tool], *of_this_tool) if text is not first]
        return self.random.sample(pool, min(count, len(pool)))

    def _topic(self, text: OperationText) -> str:
        topic = self.random.choice([text.tool, text.tool, text.category or text.tool, text.name])
        return self._reworded(topic).lower()

    def _ask(self, text: OperationText) -> str:
        """One sentence that asks for one operation."""
        random = self.random
        phrase = random.choice(self.phrases[text.key])
        wish = self._reworded(determined(phrase, random))
        template = random.choice(_DOES if phrase.doing else _ASKS)
        wish += self._details(text, phrase)
        if random.random() < 0.15:
            wish += random.choice((" using {}", " with the {} API", " from {}", " on {}")).format(text.tool)
        return template.format(wish)

    def _details(self, text: OperationText, phrase: OperationPhrase) -> str:
        """Values of parameters, and fields that are wanted of the answer."""
        random, details = self.random, ""
        examples: Mapping[str, str] = dict(text.examples)
        for name in text.parameters[:2]:
            if random.random() < 0.6:
                value = examples.get(name) if random.random() < 0.5 else None
                value = value or value_for(name, random)
                details += (
                    random.choice((" with the {} {!r}", " for {} {!r}", " for {!r1}", " ({}: {})", " for {1!r}"))
                    .replace("{!r1}", "{1!r}")
                    .format(name.lower(), value)
                )
        wanted = [field.lower() for field in text.fields if len(field) > 2]
        if wanted and random.random() < 0.3:
            some = random.sample(wanted, min(len(wanted), random.randint(1, 4)))
            details += random.choice((", including the {}", " with its {}", ", along with {}")).format(joined(some))
        return details

    def _reworded(self, text: str) -> str:
        """Some words exchanged for others of their meaning, and some of a long text left out."""
        words = text.split()
        kept: list[str] = []
        for word in words:
            others = _OTHER_WORDS.get(word.lower().rstrip(",."))
            if others and self.random.random() < 0.4:
                kept.append(self.random.choice(others))
            elif len(words) < 4 or self.random.random() > 0.12:
                kept.append(word)
        return " ".join(kept) or text


def _grouped(texts: Sequence[OperationText], of: Mapping[OperationKey, str]) -> dict[str, list[OperationText]]:
    return grouped((of[text.key], text) for text in texts)
