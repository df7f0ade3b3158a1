"""EasyTool's instruction and DRAFT's rewriting, by algorithm: as a careful reader would write."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    """The first sentence of what is documented, and an example call if the documentation itself gives the values."""
    first = _SENTENCE.split(" ".join(prompt.original.split()))[0]
    parameters: dict[str, Json] = {}
    for line in prompt.operation.parameters:
        parts = _LINE.fullmatch(line)
        example = _VALUE.search(parts["text"] or "") if parts else None
        if parts and example and parts["need"] == "required":
            parameters[parts["location"]] = example[1]
    return Instruction(description=" ".join(first.split()[:MOST_WORDS]), parameters=parameters)


def rewrite(prompt: RewriteAfterTrial) -> Text:
    """The description so far with what one trial adds: what was sent, what was returned, or how it was refused."""
    present = list(filter(None, _SENTENCE.split(" ".join(prompt.current.split()))))
    added = [sentence for sentence in _sentences(prompt.call) if sentence not in present]
    return Text(text=" ".join([*present, *added]))


def _sentences(call: Call) -> Iterator[str]:
    if not call.ok:
        if call.status:
            yield f"Returns {call.status} if the request is refused."
        return
    sent = ", ".join(f"`{at.partition(':')[2]}`" for at in call.arguments if not at.startswith("body:"))
    if sent:
        yield f"Accepts {sent}."
    fields = ", ".join(f"`{name}`" for name in response_samples.fields([call])[:MOST_FIELDS])
    if fields:
        yield f"Returns {'a list whose items have' if response_samples.lists([call]) else 'an object with'} {fields}."
