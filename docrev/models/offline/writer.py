"""The offline answers to the three revision prompts: purposes, written by template from names and calls.

Nothing is said that no call shows: a page size only where a full page was one of several, an order only where every
long list kept it, a filter only where every item matched. Values and examples are docrev's own to add, not the
model's; so are traps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from docrev.errors import ModelError
from docrev.models.offline import samples
from docrev.models.offline.phrases import Subject, humanise, indefinite, listed, sentence, subject
from docrev.prompts.questions import (
    AnswerT,
    DescribeOperation,
    DescribeParameter,
    DescribeResponse,
    Prompt,
    Text,
)
from docrev.records import Call, Json, OperationKey
from docrev.render import render
from docrev.wording import plural, singular, words

MAX_WORDS, MAX_CHARACTERS = 50, 300
PURPOSE_WORDS = 10
_TIMES = frozenset(
    ("created", "updated", "modified", "deleted", "published", "started", "finished", "completed", "opened", "closed")
)
_PAGES = frozenset({"page", "page_number", "pageNumber", "page_no"})
_OFFSETS = frozenset({"offset", "skip", "start", "from_index"})
_TEXTS = frozenset({"q", "query", "search", "text", "term", "keyword", "keywords"})
_SORTS = frozenset({"sort", "_sort", "sort_by", "sortBy", "order_by", "orderBy", "ordering"})
_DIRECTIONS = frozenset({"asc", "desc", "ascending", "descending"})


def describe_operation(prompt: DescribeOperation) -> Text:
    """The first paragraph: purpose, what to send, what comes back; empty where no call was answered with 2xx."""
    calls = samples.good(prompt.calls)
    if not calls:
        return Text(text="")
    key = prompt.operation.key
    about = subject(key.path)
    kind = _kind(key.method, calls)
    context: dict[str, Any] = {
        "s": about,
        "kind": kind,
        "order": _order(samples.order(calls)) if kind == "list" else "",
        "page": samples.page_size(calls) if kind == "list" else None,
        "created": any(call.status == 201 for call in calls),
        "parent": indefinite(about.parent) if about.parent else "",
        "sent": _sent(calls),
        "returned": _returned(about, calls),
    }
    full = sentence(render("revise/operation.j2", **context))
    if fits(full):
        return Text(text=full)
    return Text(text=sentence(render("revise/operation.j2", **{**context, "returned": "", "order": ""})))


def fits(text: str, *, most_words: int = MAX_WORDS, most_characters: int = MAX_CHARACTERS) -> bool:
    """Whether a text keeps to the paper's bound in words (ToolBFS+ tables 10 and 11) and to one in characters."""
    return len(text.split()) <= most_words and len(text) <= most_characters


def _kind(method: str, calls: Sequence[Call]) -> str:
    if method == "POST":
        return "create" if any(call.status == 201 for call in calls) else "post"
    named = {"PUT": "put", "PATCH": "patch", "DELETE": "delete"}.get(method)
    return named or ("list" if samples.lists(calls) else "item")


def _order(found: tuple[str, bool] | None) -> str:
    if found is None:
        return ""
    return f"sorted by `{found[0]}`" + (", highest first" if found[1] else "")


def _sent(calls: Sequence[Call]) -> str:
    """The keys that every accepted body had."""
    bodies = [call.arguments["body:"] for call in calls if "body:" in call.arguments]
    if not bodies or not all(isinstance(body, dict) and body for body in bodies):
        return ""
    shared = set.intersection(*(set(body) for body in bodies))
    return listed([name for name in bodies[0] if name in shared])


def _returned(about: Subject, calls: Sequence[Call]) -> str:
    names = samples.fields(calls)
    rows = samples.lists(calls)
    if not names:
        return ""
    if rows:
        return f"Each {about.noun or 'item'} has {listed(names)}"
    if calls[0].key.method in ("GET", "HEAD") and about.by:
        return f"It has {listed(names)}"
    return f"Returns {listed(names)}"


def describe_parameter(prompt: DescribeParameter) -> Text:
    """A parameter's purpose in ten words; empty where nothing is known but its name."""
    place, _, name = prompt.location.partition(":")
    if place == "body":
        return _property(prompt.location, prompt.noun, prompt.calls)
    used = [call for call in samples.good(prompt.calls) if prompt.location in call.arguments]
    values = [call.arguments[prompt.location] for call in used]
    context: dict[str, Any] = {
        "source": _source(prompt),
        "filters": samples.filtered_by(prompt.calls, name, prompt.location) if place == "query" else None,
        "least": _bound(prompt, name, least=True) if place == "query" else None,
        "most": _bound(prompt, name, least=False) if place == "query" else None,
        "role": _role(name, values, prompt) if place == "query" else "",
        "things": _many(prompt.noun),
        "label": _label(name, place, prompt.noun),
    }
    text = render("revise/parameter.j2", **context)
    if not fits(text, most_words=PURPOSE_WORDS):
        text = render("revise/parameter.j2", **{**context, "source": "", "filters": ""})
    return Text(text=sentence(text) if fits(text, most_words=PURPOSE_WORDS) else "")


def _source(prompt: DescribeParameter) -> str:
    """The operation that the value comes from, by the first such fact; with its tool where that is another."""
    for fact in prompt.facts:
        if fact.kind == "comes-from" and isinstance(fact.value, dict):
            tool, _, operation = str(fact.value.get("operation", "")).partition(" ")
            if operation and OperationKey(tool, operation) != prompt.operation.key:
                return f"`{operation}`" + (f" of {tool}" if tool != prompt.operation.key.tool else "")
    return ""


def _bound(prompt: DescribeParameter, name: str, *, least: bool) -> str | None:
    """The field that a parameter named like a minimum (or maximum) was seen to bound."""
    low, high = {"min", "minimum", "from", "gte", "gt", "since"}, {"max", "maximum", "to", "lte", "lt", "until"}
    if not (low if least else high) & set(words(name)):
        return None
    return samples.bounded_by(prompt.calls, name, prompt.location, least=least)


def _role(name: str, values: list[Json], prompt: DescribeParameter) -> str:
    """What a query parameter does by its name, where the calls that used it do not speak against it."""
    bare = name.strip("_").lower()
    if bare in _TEXTS:
        return "search"
    if name in _PAGES or bare == "page":
        return "page"
    if bare in _OFFSETS and all(str(value).isdigit() for value in values):
        return "offset"
    if samples.is_size(bare):
        return "size" if _bounded(prompt) else ""
    if values and all(str(value).lower() in _DIRECTIONS for value in values):
        return "direction"
    known = set(samples.fields(prompt.calls))
    if name in _SORTS and values and all(str(value).lstrip("-+") in known for value in values):
        return "sort"
    return "fields" if bare in ("fields", "select") else ""


def _bounded(prompt: DescribeParameter) -> bool:
    """Whether no list was longer than what was asked for."""
    asked = [(call.arguments.get(prompt.location), part) for call, part in samples.lists(prompt.calls)]
    asked = [(value, part) for value, part in asked if str(value).isdigit()]
    return bool(asked) and all(len(part) <= int(str(value)) for value, part in asked)


def _label(name: str, place: str, noun: str) -> str:
    """ "Id of the city" for a path parameter; for others the name written out, where that says more than the name."""
    label = humanise(name)
    if noun and label.startswith(f"{noun} "):
        label = label[len(noun) + 1 :]
    if place == "path" and noun and label != noun:
        return sentence(f"{label} of the {noun}").rstrip(".")
    plain = " ".join(words(name)) or name
    return sentence(label).rstrip(".") if label != plain or len(words(name)) > 1 else ""


def _many(noun: str) -> str:
    head, _, tail = noun.rpartition(" ")
    return f"{head} {plural(tail)}".strip() if noun else "items"


def describe_response(prompt: DescribeResponse) -> Text:
    """What a response property holds, in ten words; empty where nothing is known but its name."""
    return _property(prompt.location, prompt.noun, prompt.calls)


def _property(location: str, noun: str, calls: Sequence[Call]) -> Text:
    steps = [_unescape(step) for step in location.partition(":")[2].split("/")[1:]]
    name = steps[-1] if steps else ""
    if not name or name == "0":
        return Text(text="")
    # An item's own fields are the noun's; those of an object within it are that object's.
    above = next((step for step in reversed(steps[:-1]) if step != "0"), "")
    if above and above not in samples.LISTS and humanise(singular(above)) != noun:
        noun = humanise(singular(above)) if above != "meta" else ""
    kind, label = _property_kind(name, noun, len(steps) == 1, calls)
    context: dict[str, Any] = {"kind": kind, "label": label, "noun": noun, "things": _many(noun), "paged": _paged(calls)}
    text = sentence(render("revise/property.j2", **context))
    return Text(text=text if fits(text, most_words=PURPOSE_WORDS) else "")


def _unescape(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def _property_kind(name: str, noun: str, top: bool, calls: Sequence[Call]) -> tuple[str, str]:
    """Which sentence of `property.j2` tells of a property, and its label."""
    parts = words(name)
    bodies = [call.body for call in samples.good(calls)]
    envelope = top and any(found and found[0] for found in map(samples.items, bodies))
    if envelope and any(found and found[0] == name for found in map(samples.items, bodies)):
        return "list", _many(noun)
    if envelope and name in samples._TOTALS and _exceeds(name, bodies):
        return "total", ""
    if envelope and samples.is_size(name):
        return "size", ""
    if envelope and name in _PAGES:
        return "page", ""
    if len(parts) > 1 and (parts[0] in _TIMES) and parts[-1] in ("at", "on", "date", "time"):
        return "when", parts[0]
    if len(parts) > 1 and parts[0] == "last" and parts[-1] in _TIMES:
        return "when", f"last {parts[-1]}"
    if len(parts) > 1 and parts[0] == "is":
        return "flag", " ".join(parts[1:])
    if len(parts) > 1 and parts[0] == "has" and noun:
        return "whether", " ".join(parts)
    label = humanise(name)
    if noun and label.startswith(f"{noun} "):
        label = label[len(noun) + 1 :]
    return "", "" if label == noun or not noun else label


def _paged(calls: Sequence[Call]) -> bool:
    return samples.page_size(calls) is not None


def _exceeds(name: str, bodies: Sequence[Json]) -> bool:
    """Whether a total counts more than the page it stands on, and never less."""
    pairs = [
        (body[name], len(found[1]))
        for body in bodies
        if isinstance(body, dict) and isinstance(body.get(name), int) and (found := samples.items(body))
    ]
    return any(total > here for total, here in pairs) and all(total >= here for total, here in pairs)


class Writer:
    """The offline model as far as revising needs it: no catalog, no graph, no state."""

    name = "offline"

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The text for one of the three revision prompts. Raises ModelError for any other."""
        text = write(prompt)
        if text is None:
            raise ModelError(f"the offline writer does not answer {type(prompt).__name__}")
        return cast("AnswerT", text)


def write(prompt: Prompt[AnswerT]) -> Text | None:
    """The text that a revision prompt asks for; None where it is another prompt."""
    match prompt:
        case DescribeOperation():
            return describe_operation(prompt)
        case DescribeParameter():
            return describe_parameter(prompt)
        case DescribeResponse():
            return describe_response(prompt)
    return None
