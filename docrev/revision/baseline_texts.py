"""EasyTool's instruction, DRAFT's rewriting and ToolBFS+'s texts, by algorithm: as a careful reader would write."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.language.phrases import humanise
from docrev.prompts.baselines import (
    LocatedText,
    PlaceTexts,
    ReviseDescription,
    ReviseParameters,
    ReviseResponses,
    RewriteAfterTrial,
    ShortenDocumentation,
    ToolInstruction,
)
from docrev.prompts.questions import Text
from docrev.records import Call, Json
from docrev.revision import response_samples

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LINE = re.compile(r"(?P<location>\S+) \((?P<type>[^,]+), (?P<need>required|optional)\)(?:: (?P<text>.*))?")
_VALUE = re.compile(r"(?:e\.g\.|for example|such as|default(?:s)?(?: is| to|:)?|one of:?) [`'\"]?([\w.-]*\w)", re.I)
MOST_WORDS = 30
MOST_FIELDS = 8


def shorten(prompt: ShortenDocumentation) -> ToolInstruction:
    """The first sentence of what is documented, and an example call if the documentation itself gives the values."""
    first = _SENTENCE.split(" ".join(prompt.original.split()))[0]
    parameters: dict[str, Json] = {}
    for line in prompt.operation.parameters:
        parts = _LINE.fullmatch(line)
        example = _VALUE.search(parts["text"] or "") if parts else None
        if parts and example and parts["need"] == "required":
            parameters[parts["location"]] = example[1]
    return ToolInstruction(description=" ".join(first.split()[:MOST_WORDS]), parameters=parameters)


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


def describe_use(prompt: ReviseDescription) -> Text:
    """The present description, with what the solved calls required and returned if that is not in it."""
    present = " ".join(prompt.original.split()).rstrip(".")
    sentences = [f"{present}."] if present else []
    required = sorted({at for use in prompt.examples for at in use.call.arguments if not at.startswith("body:")})
    names = ", ".join(f"`{at.partition(':')[2]}`" for at in required if at.partition(":")[2] not in present)
    if names:
        sentences.append(f"Accepts {names}.")
    fields = response_samples.fields([use.call for use in prompt.examples])
    unsaid = ", ".join(f"`{name}`" for name in fields[:MOST_FIELDS] if f"`{name}`" not in present)
    if unsaid:
        sentences.append(f"The response contains {unsaid}.")
    return Text(text=" ".join(sentences))


def describe_parameters(prompt: ReviseParameters) -> PlaceTexts:
    """The present texts; where there is none, a value that was used."""
    used = {at: value for use in prompt.examples for at, value in use.call.arguments.items()}
    made = (
        LocatedText(
            location=at, text=text or (f"For example `{used[at]}`." if isinstance(used.get(at), str | int) else "")
        )
        for at, text in prompt.original.items()
    )
    return PlaceTexts(texts=tuple(one for one in made if one.text))


def describe_responses(prompt: ReviseResponses) -> PlaceTexts:
    """The present texts; where there is none, the value's name in words."""
    made = (
        LocatedText(location=at, text=text or f"{humanise(at.rpartition('/')[2]).capitalize()}.")
        for at, text in prompt.original.items()
    )
    return PlaceTexts(texts=tuple(made))
