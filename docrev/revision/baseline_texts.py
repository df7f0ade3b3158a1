"""EasyTool's instruction and DRAFT's rewriting, by algorithm: as a careful reader would write."""

from __future__ import annotations

import re

from docrev.prompts.baselines import Instruction, RewriteAfterTrial, ShortenDocumentation
from docrev.prompts.questions import Text
from docrev.records import Call, Json
from docrev.revision import response_samples

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LINE = re.compile(r"(?P<location>\S+) \((?P<type>[^,]+), (?P<need>required|optional)\)(?:: (?P<text>.*))?")
_VALUE = re.compile(r"(?:e\.g\.|for example|such as|default(?:s)?(?: is| to|:)?|one of:?) [`'\"]?([\w.-]*\w)", re.I)
MOST_WORDS = 30
MOST_FIELDS = 8


def shorten(prompt: ShortenDocumentation) -> Instruction:
    """The first sentence of what is documented, and an example call where the documentation itself gives the values."""
    said = _SENTENCE.split(" ".join(prompt.original.split()))[0]
    parameters: dict[str, Json] = {}
    for line in prompt.operation.parameters:
        found = _LINE.fullmatch(line)
        example = _VALUE.search(found["text"] or "") if found else None
        if found and example and found["need"] == "required":
            parameters[found["location"]] = example[1]
    return Instruction(description=" ".join(said.split()[:MOST_WORDS]), parameters=parameters)


def rewrite(prompt: RewriteAfterTrial) -> Text:
    """The description so far with what one trial adds: what was sent, what came back, or how it was refused."""
    sentences = [one for one in _SENTENCE.split(" ".join(prompt.current.split())) if one]
    for told in _told(prompt.call):
        if told not in sentences:
            sentences.append(told)
    return Text(text=" ".join(sentences))


def _told(call: Call) -> list[str]:
    if not call.ok:
        return [f"Answers {call.status} where the request is refused."] if call.status else []
    told = []
    sent = ", ".join(f"`{at.partition(':')[2]}`" for at in call.arguments if not at.startswith("body:"))
    if sent:
        told.append(f"Accepts {sent}.")
    fields = ", ".join(f"`{name}`" for name in response_samples.fields([call])[:MOST_FIELDS])
    if fields:
        many = "a list whose items have" if response_samples.lists([call]) else "an object with"
        told.append(f"Returns {many} {fields}.")
    return told
