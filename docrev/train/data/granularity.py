"""One instruction at five granularities, with its tags (ToolPlanner §3): MGToolBench made of any instructions.

statement   the user's situation or wish alone          tool        … and the tools to use
category    … and the categories of tools to use        operation   … and the operations to use
hybrid      the instruction as it was
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from docrev.errors import ModelError
from docrev.language.phrases import joined
from docrev.language.words import article, has_word
from docrev.models import Model
from docrev.prompts.training import LEVELS, GradeInstruction, Level
from docrev.records import Json, OperationKey
from docrev.train.data.instructions import Instruction
from docrev.train.data.tool_listing import ToolListing

FILE_LEVELS: dict[Level, str] = {
    "statement": "desc",
    "category": "cate",
    "tool": "tool",
    "operation": "api",
    "hybrid": "hybrid",
}
"""What MGToolBench's files call them."""
WORDS = 15
"""From how many words on a situation with a wish in it is believed to tell what is wanted."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'“¿])")
_ASKING = re.compile(
    r"(?:please|can|could|would|will|may|might|what|which|where|when|who|how|give|show|tell|find|fetch|get|list|search|"
    r"provide|retrieve|help|check|create|make|delete|remove|change|update|save|send|generate|convert|calculate|compare|"
    r"additionally|also|then|after|moreover|furthermore|besides|finally|lastly|thank|thanks|now|kindly|suggest|look)\b",
    re.I,
)
_WISH = re.compile(r"\b(?:need|want|would like|looking for|interested|curious|wish|hope|like to)\b", re.I)
_THANKS = re.compile(r"(?:thank|thanks|i appreciate|that would)\b", re.I)
_JOINT = re.compile(r"^(?:additionally|also|then|after that|moreover|furthermore|besides that|finally),?\s+", re.I)
_BETWEEN = r"(?:(?!\b(?:of|for|with|by|from|to|near|and)\b)[^\"“‘,.])*?"
_VALUE = re.compile(
    rf"\s*(?:\b(?:of|for|with|by|from|to|near|and)\b{_BETWEEN})?[\"“‘][^\"”’]{{1,120}}[\"”’]|(?<!\w)'[^']{{1,120}}'(?!\w)"
)
_OF_THING = re.compile(r"\b(of|near|in|from) the ((?!with\b)[a-z]+(?: [a-z]+)?) [\"“][^\"”]{1,120}[\"”]")
_MEASURED = re.compile(r"\s+with an? [a-z ]+ of -?\d[\d.]* [a-z]+")
_NUMBERED = re.compile(rf"\s+\b(?:of|for|with|by|from|to|near|and)\b{_BETWEEN}(?<![\w.])-?\d[\d.]*")
_ASKS: dict[Level, tuple[str, ...]] = {
    "category": (
        "Please help me with tools of the {} {kind}.",
        "I would like to use tools from the {} {kind}.",
        "Use {} tools for this.",
    ),
    "tool": ("Please use {} for this.", "Using {}, help me with it.", "I would like to get it from {}."),
    "operation": (
        "Please call {} for this.",
        "Using {}, help me with it.",
        "It should be done with {}.",
    ),
}


@dataclass(frozen=True, slots=True)
class GranularityTags:
    """What an instruction needs, by name: each once, in the order of the path."""

    categories: tuple[str, ...]
    tools: tuple[str, ...]
    operations: tuple[str, ...]

    def of(self, level: Level) -> tuple[str, ...]:
        """The tags that an instruction of a level names: none for a statement, all operations for a hybrid one."""
        if level == "statement":
            return ()
        return {"category": self.categories, "tool": self.tools}.get(level, self.operations)


@dataclass(frozen=True, slots=True)
class Grade:
    """An instruction at one granularity; `path` are the operations in the order in which they are needed."""

    instruction: Instruction
    level: Level
    text: str
    statement: str
    tags: GranularityTags
    path: tuple[OperationKey, ...]

    def to_json(self, listing: ToolListing) -> dict[str, Json]:
        """A row as MGToolBench has them, with the tag lists and what else is needed to read it back."""
        one, tags = self.instruction, self.tags
        return {
            "query": f"{self.statement}\n{_tagged(self.level, tags)}".strip(),
            "new_instruction": self.text,
            "original_query": one.text,
            "type": FILE_LEVELS[self.level],
            "path": [[listing[key].category, listing[key].tool, listing[key].api] for key in self.path],
            "query_id": int(one.id) if one.id.isdecimal() else one.id,
            "tags": {"Category": list(tags.categories), "Tool": list(tags.tools), "API": list(tags.operations)},
            "api_list": [dict(listing[key].record) for key in one.offered],
        }


def tags_of(path: Sequence[OperationKey], listing: ToolListing) -> GranularityTags:
    """The tag lists of a path."""
    listed = [listing[key] for key in path]
    return GranularityTags(
        tuple(dict.fromkeys(one.category for one in listed)),
        tuple(dict.fromkeys(one.tool for one in listed)),
        tuple(dict.fromkeys(one.api for one in listed)),
    )


async def grades(
    instruction: Instruction,
    listing: ToolListing,
    *,
    path: Sequence[OperationKey] = (),
    seed: int = 0,
    model: Model | None = None,
) -> list[Grade]:
    """An instruction at all five granularities, the coarsest first; `path` is its solution's, else what is relevant.

    What a model writes is taken if it names every tag, or, for a statement, no tool and no operation; else rules do.
    """
    way = tuple(dict.fromkeys(path or instruction.relevant))
    tags, random = tags_of(way, listing), Random(f"{seed} {instruction.id}")
    written = await _asked(model, instruction.text, "statement", tags)
    statement = written or statement_of(instruction.text, (*tags.tools, *tags.operations))
    graded = []
    for level in LEVELS:
        text = {"statement": statement, "hybrid": instruction.text}.get(level)
        if text is None:
            ruled = f"{statement} {request(level, tags.of(level), random)}"
            text = await _asked(model, statement, level, tags) or ruled
        graded.append(Grade(instruction, level, text, statement, tags, way))
    return graded


def _requests(sentences: Sequence[str], names: Sequence[str]) -> list[str]:
    """What sentences ask for, without its values, where that names no tool and no operation."""
    return [request for request in map(_bare, sentences) if _is_wish_alone(request, names)]


def statement_of(text: str, names: Sequence[str] = ()) -> str:
    """The sentences that tell a situation or a wish, and name neither a value nor one of these tools and operations.

    What is asked for is added without its values, two sentences at most, if a short situation does not tell it.
    """
    sentences = list(filter(None, _SENTENCE.split(text.strip())))
    useful = [part for part in sentences if not _THANKS.match(part)]
    situation = [part for part in useful if not _is_detailed(part, names)]
    if any(map(_WISH.search, situation)) and len(" ".join(situation).split()) >= WORDS:
        return " ".join(situation)
    usable = _requests([part for part in useful if part not in situation], names)
    return " ".join([*situation, *usable[:2]]) or _bare(sentences[0] if sentences else text)


def _is_wish_alone(request: str, names: Sequence[str]) -> bool:
    """Whether a request says something, and names no tool and no operation."""
    return len(request.split()) > 2 and not _names(request, names)


def _bare(sentence: str) -> str:
    """A sentence without its values, and without what joins it to the one before."""
    kept = _OF_THING.sub(lambda found: f"{found[1]} {article(found[2])} {found[2]}", _JOINT.sub("", sentence))
    wish = _NUMBERED.sub("", _VALUE.sub("", _MEASURED.sub("", kept)))
    return f"{wish[:1].upper()}{wish[1:]}"


def request(level: Level, tags: Sequence[str], random: Random) -> str:
    """The sentence that names the tags."""
    kind = "category" if len(tags) == 1 else "categories"
    return random.choice(_ASKS[level]).replace("{kind}", kind).format(joined(list(tags)))


async def _asked(model: Model | None, text: str, level: Level, tags: GranularityTags) -> str:
    """What a model says; "" without one, or if its answer cannot be used."""
    if model is None:
        return ""
    wanted = tags.of(level)
    try:
        answer = " ".join((await model.ask(GradeInstruction(said=text, level=level, tags=wanted))).text.split())
    except ModelError:
        return ""
    names = [name.casefold() for name in wanted]
    if level == "statement":
        return "" if any(name.casefold() in answer.casefold() for name in (*tags.tools, *tags.operations)) else answer
    return answer if all(name in answer.casefold() for name in names) else ""


def _is_detailed(sentence: str, names: Sequence[str]) -> bool:
    """Whether a sentence asks for something, or names a value, a tool or an operation."""
    asks = sentence.endswith("?") or _ASKING.match(sentence) is not None
    return asks or _names(sentence, names) or bool(_VALUE.search(sentence))


def _names(sentence: str, names: Sequence[str]) -> bool:
    lower = sentence.casefold()
    return any(len(name) > 3 and has_word(lower, name.casefold()) for name in names)


def _tagged(level: Level, tags: GranularityTags) -> str:
    name = {"category": "Category", "tool": "Tool", "operation": "API", "hybrid": "API"}.get(level)
    return f"{name}: {', '.join(tags.of(level))}" if name else ""
