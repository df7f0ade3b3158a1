"""Instructions by rule: what operations do, said as a user would who has a reason to ask; no model needed.

Form (question, request, statement), tone (polite, plain, warm), length (no situation, or one or two sentences of it;
with or without thanks) and whom it is for (oneself, friends, family, company) vary; every value is told as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from docrev.language.path_subjects import subject
from docrev.prompts.training import InstructionDraft
from docrev.records import OperationKey
from docrev.retrieval.documents import OperationText, texts_of
from docrev.spec import Catalog
from docrev.train.data.arguments import ArgumentValues
from docrev.train.data.instruction_texts import say
from docrev.train.data.request_forms import BESIDE, DO, JOINTS, SHOW
from docrev.train.data.situations import situation
from docrev.train.operation_phrases import OperationPhrase

NEEDED = ((2, 60), (3, 28), (4, 8), (5, 4))
"""How many operations an instruction needs, with weights: as in ToolBench's own requests; one if there is one."""
JOINED = 0.25
"""How likely two things to be shown are asked for in one sentence."""
LINKED = 0.8
"""How often a sentence is joined to the one before."""
TONES = ("polite", "plain", "warm")
_THANKS = {
    "polite": ("Thank you!", "Thanks a lot for your help.", "I appreciate your help.", "Thank you in advance."),
    "plain": ("Thanks.",),
    "warm": ("Thank you so much!", "That would help us a lot!", "You're the best!", "Thanks a million!"),
}
_THANKFUL = {"polite": 0.35, "plain": 0.05, "warm": 0.4}
_NO_TOPICS = frozenset({"items", "results", "records", "entries", "details", "statistics"})
_KEPT = frozenset({"I", "I'm", "I'd"})


class Author:
    """Writes instructions for samples of one catalog."""

    def __init__(self, catalog: Catalog, values: ArgumentValues) -> None:
        self._catalog, self._values = catalog, values
        self._texts: Mapping[OperationKey, OperationText] = {text.key: text for text in texts_of(catalog)}

    def write(self, operations: Sequence[OperationKey], random: Random) -> InstructionDraft:
        """One instruction that needs some of these operations; of several tools, those of at least two."""
        needed = chosen(operations, random)
        tone = random.choice(TONES)
        phrases = [self._phrase(key, random) for key in needed]
        sentences = _sentences(_together(phrases, random), tone, random)
        return InstructionDraft(
            text=framed(_linked(sentences, random), tone, self._topics(needed), random), operations=needed
        )

    def around(self, texts: Sequence[str], needed: Sequence[OperationKey], random: Random) -> str:
        """Texts that ask already, side by side, as somebody with a reason would put them."""
        return framed(_linked(texts, random, BESIDE, 1.0), random.choice(TONES), self._topics(needed), random)

    def _phrase(self, key: OperationKey, random: Random) -> OperationPhrase:
        operation = self._catalog[key]
        return say(operation, self._texts[key], self._values.of(operation, random), random)

    def _topics(self, needed: Sequence[OperationKey]) -> list[str]:
        """What the operations are about, two nouns at most: those that paths have in the plural."""
        subjects = (subject(self._catalog[key].path) for key in needed)
        nouns = dict.fromkeys(one.as_written for one in subjects if one.as_written == one.many != one.noun)
        return [noun for noun in nouns if noun not in _NO_TOPICS][:2]


def chosen(operations: Sequence[OperationKey], random: Random) -> tuple[OperationKey, ...]:
    """Some operations of a sample: two to five if there are so many, of two tools if there are two."""
    count = min(len(operations), random.choices([one for one, _ in NEEDED], [weight for _, weight in NEEDED])[0])
    first = random.choice(operations)
    others = [key for key in operations if key.tool != first.tool]
    picked = [first, *(random.sample(others, 1) if others and count > 1 else [])]
    rest = [key for key in operations if key not in picked]
    picked += random.sample(rest, min(len(rest), count - len(picked)))
    return tuple(key for key in operations if key in picked)


def framed(sentences: Sequence[str], tone: str, topics: Sequence[str], random: Random) -> str:
    """Sentences with a situation before and thanks behind them, or without."""
    opener = situation(topics, random)
    thanks = [random.choice(_THANKS[tone])] if random.random() < _THANKFUL[tone] else []
    return " ".join([*opener, *sentences, *thanks])


def _together(said: Sequence[OperationPhrase], random: Random) -> list[OperationPhrase]:
    """The phrases, now and then two things to be shown as one."""
    joined_phrases: list[OperationPhrase] = []
    for phrase in said:
        before = joined_phrases[-1] if joined_phrases else None
        if before is not None and not (before.doing or phrase.doing) and random.random() < JOINED:
            joined_phrases[-1] = OperationPhrase(f"{before.text} and {phrase.text}", False)
        else:
            joined_phrases.append(phrase)
    return joined_phrases


def _sentences(said: Sequence[OperationPhrase], tone: str, random: Random) -> list[str]:
    """Each phrase in a form of its own, as far as there are so many."""
    shows, deeds = (random.sample(forms[tone], len(forms[tone])) for forms in (SHOW, DO))
    texts = [(deeds if one.doing else shows)[at % 4].format(one.text) for at, one in enumerate(said)]
    return [f"{text[:1].upper()}{text[1:]}" for text in texts]


def _linked(
    sentences: Sequence[str], random: Random, joints: Sequence[str] = JOINTS, often: float = LINKED
) -> list[str]:
    """The sentences, all but the first with what joins it to the one before, or without."""
    chosen = random.sample(joints, min(len(joints), len(sentences)))
    rest = [
        _joined(one, chosen[at % len(chosen)]) if random.random() < often else one
        for at, one in enumerate(sentences[1:])
    ]
    return [*sentences[:1], *rest]


def _joined(sentence: str, joint: str) -> str:
    first, _, rest = sentence.partition(" ")
    return joint.format(sentence if first in _KEPT else f"{first[:1].lower()}{first[1:]} {rest}")
