"""Instructions by rule: what operations do, said as a user would who has a reason to ask; no model needed.

Form (question, request, statement), tone (polite, plain), length (with or without a situation, with or without thanks)
and whom it is for (oneself, friends, family, company) vary; every value is told as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from docrev.prompts.training import InstructionDraft
from docrev.records import OperationKey
from docrev.spec import Catalog
from docrev.train.data.saying import say
from docrev.train.data.values import Values
from docrev.train.retriever.documents import OperationText, texts_of
from docrev.train.retriever.wordlists import OPENERS

NEEDED = ((2, 60), (3, 28), (4, 8), (5, 4))
"""How many operations an instruction needs, with weights: as in ToolBench's own requests; one where there is one."""
_SHOW = {
    "polite": (
        "Could you please give me {}?",
        "Can you provide me with {}?",
        "I would be grateful for {}.",
        "Would you show me {}, please?",
        "Please fetch {}.",
        "I would like to see {}.",
    ),
    "plain": ("Give me {}.", "I need {}.", "Show me {}.", "Find {}.", "I'm looking for {}.", "Get {}."),
}
_DO = {
    "polite": (
        "Could you please {}?",
        "Can you {} for me?",
        "Please {}.",
        "I would like you to {}.",
        "Help me {}, please.",
    ),
    "plain": ("{}.", "I want to {}.", "I need to {}.", "Now {}.", "Help me {}."),
}
_JOINTS = ("Also, {}", "Additionally, {}", "After that, {}", "Then, {}", "Besides that, {}", "Moreover, {}")
_THANKS = ("Thank you!", "Thanks a lot for your help.", "I appreciate your help.", "That would help us a lot.")
_KEPT = frozenset({"I", "I'm", "I'd"})


class Author:
    """Writes instructions for samples of one catalog."""

    def __init__(self, catalog: Catalog, values: Values) -> None:
        self._catalog, self._values = catalog, values
        self._texts: Mapping[OperationKey, OperationText] = {text.key: text for text in texts_of(catalog)}

    def write(self, operations: Sequence[OperationKey], random: Random) -> InstructionDraft:
        """One instruction that needs some of these operations; of several tools, those of at least two."""
        needed = chosen(operations, random)
        tone = random.choice(("polite", "plain"))
        sentences = [self._ask(key, tone, random) for key in needed]
        joined = [sentences[0], *(_joined(one, random) for one in sentences[1:])]
        return InstructionDraft(text=told(joined, tone, random), operations=needed)

    def around(self, text: str, random: Random) -> str:
        """A text that asks already, as somebody with a reason would put it."""
        return told([text], random.choice(("polite", "plain")), random)

    def _ask(self, key: OperationKey, tone: str, random: Random) -> str:
        operation = self._catalog[key]
        phrase = say(operation, self._texts[key], self._values.of(operation, random), random)
        sentence = random.choice((_DO if phrase.doing else _SHOW)[tone]).format(phrase.text)
        return f"{sentence[:1].upper()}{sentence[1:]}"


def chosen(operations: Sequence[OperationKey], random: Random) -> tuple[OperationKey, ...]:
    """Some operations of a sample: two to five where there are so many, of two tools where there are two."""
    count = min(len(operations), random.choices([one for one, _ in NEEDED], [weight for _, weight in NEEDED])[0])
    first = random.choice(operations)
    others = [key for key in operations if key.tool != first.tool]
    picked = [first, *(random.sample(others, 1) if others and count > 1 else [])]
    rest = [key for key in operations if key not in picked]
    picked += random.sample(rest, min(len(rest), count - len(picked)))
    return tuple(key for key in operations if key in picked)


def told(sentences: Sequence[str], tone: str, random: Random) -> str:
    """Sentences with a situation before and thanks behind them, or without."""
    opener = [random.choice(OPENERS)] if random.random() < 0.75 else []
    thanks = [random.choice(_THANKS)] if random.random() < (0.35 if tone == "polite" else 0.05) else []
    return " ".join([*opener, *sentences, *thanks])


def _joined(sentence: str, random: Random) -> str:
    first, _, rest = sentence.partition(" ")
    lower = sentence if first in _KEPT else f"{first[:1].lower()}{first[1:]} {rest}"
    return random.choice(_JOINTS).format(lower)
