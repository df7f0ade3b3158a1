"""The offline answers to the three revision prompts: purposes, written by template from names and calls.

What a parameter does is said as facts show it; where there are none, its name is written out, and no more. An order
that no parameter asks for is said where every long list kept it. Values and examples are docrev's own to add, not
the model's; so are traps.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from docrev.errors import ModelError
from docrev.facts.registry import BY_FIELD
from docrev.json_values.pointer import unescape
from docrev.language.phrases import Subject, humanise, indefinite, joined, listed, sentence, subject
from docrev.language.words import plural, singular, words
from docrev.prompts.questions import (
    AnswerT,
    DescribeOperation,
    DescribeParameter,
    DescribeResponse,
    Prompt,
    Text,
)
from docrev.records import Call, Fact, Json, OperationKey
from docrev.render import render
from docrev.revision import response_samples

MAX_WORDS, MAX_CHARACTERS = 50, 300
PURPOSE_WORDS = 10
_TIMES = frozenset(
    ("created", "updated", "modified", "deleted", "published", "started", "finished", "completed", "opened", "closed")
)
_VERBS = frozenset({"expires", "starts", "ends", "contains", "includes", "allows", "requires", "supports", "deleted"})
_LINKING = frozenset({"from", "to", "by", "for", "of", "in", "at", "on", "with", "and", "or", "as"})
_PAGES = frozenset({"page", "page_number", "pageNumber", "page_no"})
_OFFSETS = frozenset({"offset", "skip", "start", "from_index"})
_TEXTS = frozenset({"q", "query", "search", "text", "term", "keyword", "keywords"})
_SORTS = frozenset({"sort", "_sort", "sort_by", "sortBy", "order_by", "orderBy", "ordering"})
_DIRECTIONS = frozenset({"asc", "desc", "ascending", "descending"})


def describe_operation(prompt: DescribeOperation) -> Text:
    """The first paragraph: purpose, what to send, what comes back; empty where no call was answered with 2xx."""
    calls = response_samples.good(prompt.calls)
    if not calls:
        return Text(text="")
    if all(call.body == {} for call in calls):
        return Text(text="Returns an empty object.")
    key = prompt.operation.key
    about = subject(key.path)
    kind = _kind(key.method, calls, prompt.facts)
    context: dict[str, Any] = {
        "s": about,
        "kind": kind,
        "order": _order(_sorted_by(prompt.facts) or response_samples.order(calls)) if kind == "list" else "",
        "page": _page_size(prompt.facts) if kind == "list" else None,
        "pages": any(fact.kind == "pages" for fact in prompt.facts),
        "created": _replaces(calls, prompt.facts),
        "parent": indefinite(about.parent) if about.parent else "",
        "sent": _sent(calls, prompt.facts),
        "query": _query(calls),
        "itself": _itself(key.path, calls),
        **_returned(about, calls),
    }
    if kind == "item" and not context["returned"] and not about.by:
        return Text(text="")
    for without in ({}, {"order": ""}, {"order": "", "returned": ""}):
        text = sentence(render("revise/operation.j2", **{**context, **without}))
        if fits(text):
            return Text(text=text)
    return Text(text="")


def fits(text: str, *, most_words: int = MAX_WORDS, most_characters: int = MAX_CHARACTERS) -> bool:
    """Whether a text keeps to the paper's bound in words (ToolBFS+ tables 10 and 11) and to one in characters."""
    return len(text.split()) <= most_words and len(text) <= most_characters


def _kind(method: str, calls: Sequence[Call], facts: Sequence[Fact]) -> str:
    if method == "POST":
        if any("body:" in call.arguments and response_samples.carries(call.arguments["body:"]) for call in calls):
            return "batch"
        created = any(call.status == 201 for call in calls) or any(fact.kind == "creates" for fact in facts)
        return "create" if created else "post"
    named = {"PUT": "put", "PATCH": "patch", "DELETE": "delete"}.get(method)
    return named or ("list" if response_samples.lists(calls) else "item")


def _replaces(calls: Sequence[Call], facts: Sequence[Fact]) -> bool:
    """Whether a PUT also creates: by a fact, or because it was answered 201."""
    told = any(fact.kind == "creates" and fact.value.get("replaces") for fact in facts)
    return told or any(call.status == 201 for call in calls)


def _page_size(facts: Sequence[Fact]) -> Json:
    """How many items a page holds where none is asked for: the default of the parameter that limits."""
    limits = {fact.location for fact in facts if fact.kind == "limits"}
    return next((fact.value for fact in facts if fact.kind == "default" and fact.location in limits), None)


def _sorted_by(facts: Sequence[Fact]) -> tuple[str, bool] | None:
    """(field, descending) of the order where none is asked for: the default of the parameter that sorts."""
    defaults = {(fact.location, str(fact.value)) for fact in facts if fact.kind == "default"}
    for fact in facts:
        if fact.kind == "sorts" and (fact.location, str(fact.value["value"])) in defaults:
            return _field(fact.value["field"]), fact.value["order"] == "descending"
    return None


def _itself(path: str, calls: Sequence[Call]) -> str:
    """What an answer is that is about the service and not about a thing in it; "" where it is about one."""
    if path.strip("/") == "":
        return "what the service tells of itself"
    bodies = [call.body for call in calls]
    if all(isinstance(body, dict) and ("swagger" in body or "openapi" in body) for body in bodies):
        return "the service's own OpenAPI description"
    name = path.rpartition("/")[2]
    return f"`{name}`" if not subject(path).noun and "{" not in path else ""


def _order(found: tuple[str, bool] | None) -> str:
    if found is None:
        return ""
    return f"sorted by `{found[0]}`" + (", highest first" if found[1] else "")


def _sent(calls: Sequence[Call], facts: Sequence[Fact]) -> str:
    """What a body must have: as facts show it; where they do not, the keys that every accepted one of a POST had."""
    if any(fact.kind == "wrapped-in" for fact in facts):
        return ""
    needed = [
        _field(f"body:{fact.location[5:]}") for fact in facts if fact.kind == "required" and "body:/" in fact.location
    ]
    if needed:
        return listed(list(dict.fromkeys(needed)))
    bodies = [call.arguments["body:"] for call in calls if "body:" in call.arguments and call.key.method == "POST"]
    return _told(bodies) if bodies and all(isinstance(body, dict) for body in bodies) else ""


def _told(objects: Sequence[Json]) -> str:
    """The names that all objects have; where there are few, with what is in them: "`data` (with `id`)"."""
    names = response_samples.shared(objects)
    if len(names) > 3:
        return listed(names)
    pieces: list[str] = []
    # What an envelope is about comes before what lies beside it.
    for name in sorted(names, key=lambda name: name not in response_samples.LISTS):
        within, many = response_samples.inner(objects, name)
        about = f" ({'each ' if many else ''}with {listed(within, most=3)})" if within else ""
        pieces.append(f"`{name}`{about}")
    return joined(pieces)


def _query(calls: Sequence[Call]) -> str:
    """The parameter that held the text of every search."""
    names = [{at.partition(":")[2] for at in call.arguments if at.startswith("query:")} for call in calls]
    shared = sorted(name for name in set.intersection(*names) if name.strip("_").lower() in _TEXTS)
    return shared[0] if shared else ""


def _returned(about: Subject, calls: Sequence[Call]) -> dict[str, str]:
    """The fields that every answer, or every item, has, and the words that lead to them."""
    method = calls[0].key.method
    noun = "entry" if about.single else about.noun or "item"
    if method != "POST" and response_samples.lists(calls):
        lead = f"Each {noun}{' returned' if method == 'DELETE' else ''} has"
        return {"returned": listed(response_samples.fields(calls)), "lead": lead}
    return {"returned": _told([call.body for call in calls]), "lead": "Returns"}


def describe_parameter(prompt: DescribeParameter) -> Text:
    """A parameter's purpose in ten words; empty where nothing is known but its name."""
    place, _, name = prompt.location.partition(":")
    if place == "body":
        return _property(prompt)
    facts = {fact.kind: fact for fact in prompt.facts if fact.location == prompt.location}
    if "ignored" in facts:
        return Text(text="")
    used = [call for call in response_samples.good(prompt.calls) if prompt.location in call.arguments]
    values = [call.arguments[prompt.location] for call in used]
    effect = _effect(facts)
    context: dict[str, Any] = {
        "onward": _onward(prompt) if place == "query" else "",
        "source": _source(prompt) if place != "query" or _finds(used) else "",
        "dated": _told_format(facts) == "date" or (bool(values) and all(_is_date(value) for value in values)),
        "effect": effect or (_role(name, values, prompt) if place == "query" else ""),
        "field": _effect_field(facts.get("filters" if effect == "holds" else effect)),
        "things": _many(prompt.noun),
        "label": _label(name, place, prompt.noun),
    }
    text = render("revise/parameter.j2", **context)
    for source in (_source(prompt, short=True) if context["source"] else "", ""):
        if not fits(text, most_words=PURPOSE_WORDS):
            text = render("revise/parameter.j2", **{**context, "source": source})
    if not fits(text, most_words=PURPOSE_WORDS):
        text = render("revise/parameter.j2", **{**context, "source": "", "field": ""})
    return Text(text=sentence(text) if fits(text, most_words=PURPOSE_WORDS) else "")


_EFFECTS = ("searches", *BY_FIELD, "sorts", "limits", "pages", "selects")


def _effect(facts: Mapping[str, Fact]) -> str:
    """What a parameter does, as a fact shows it; paging by its way: page, offset."""
    found = next((kind for kind in _EFFECTS if kind in facts), "")
    if found == "filters" and str(facts[found].value).endswith("/0"):
        return "holds"
    return str(facts["pages"].value.get("by", "")) if found == "pages" else found


def _effect_field(fact: Fact | None) -> str:
    """The field or fields that an effect is on, quoted."""
    if fact is None:
        return ""
    if fact.kind == "searches":
        return joined([f"`{_field(place)}`" for place in fact.value]) if len(fact.value) <= 3 else ""
    if fact.kind == "sorts":
        return f"`{_field(fact.value['field'])}`" if str(fact.value["value"]).lower() in _DIRECTIONS else ""
    return f"`{_field(fact.value)}`" if fact.kind in BY_FIELD else ""


def _told_format(facts: Mapping[str, Fact]) -> str:
    return str(facts["format"].value) if "format" in facts else ""


def source_of(key: OperationKey, location: str, facts: Sequence[Fact], *, short: bool = False) -> str:
    """The field and operation that a value comes from; the tool where that is another, no field where `short`.

    Of several, one that needs no id itself is the most useful. An operation's own answer tells nothing.
    """
    found: list[tuple[bool, str]] = []
    for fact in facts:
        if fact.kind != "comes-from" or fact.location != location or not isinstance(fact.value, dict):
            continue
        tool, _, operation = str(fact.value.get("operation", "")).partition(" ")
        if not operation or OperationKey(tool, operation) == key or _circular(key, location, operation):
            continue
        name = _field(str(fact.value.get("field", "")))
        where = f"`{operation}`" + (f" of {tool}" if tool != key.tool else "")
        found.append(("{" in operation, where if short or not name else f"`{name}` of {where}"))
    return min(found, key=lambda one: one[0])[1] if found else ""


def _source(prompt: DescribeParameter, *, short: bool = False) -> str:
    return source_of(prompt.operation.key, prompt.location, prompt.facts, short=short)


def _finds(calls: Sequence[Call]) -> bool:
    """Whether a call found something: a filter that accepts any text says nothing of where its values come from."""
    found = [response_samples.items(call.body) for call in calls]
    return any(part is None or part[1] for part in found)


def _circular(key: OperationKey, location: str, operation: str) -> bool:
    """Whether an operation only gives back the very id that its own path takes."""
    name = location.partition(":")[2]
    return operation.endswith(f"{{{name}}}") and key.path.startswith(operation.partition(" ")[2])


def _field(location: str) -> str:
    """`200:/data/0/currency/code` → `currency.code`: as people write it, without the list around it."""
    steps = [_unescape(step) for step in location.partition(":")[2].split("/")[1:] if step != "0"]
    if len(steps) > 1 and steps[0] in response_samples.LISTS:
        steps = steps[1:]
    return ".".join(steps)


def _onward(prompt: DescribeParameter) -> str:
    """Where a cursor's value stands in the page before: a field of the answer, or the URL in a header."""
    for fact in prompt.facts:
        if fact.kind == "pages" and fact.value.get("by") == "cursor":
            place = str(fact.value.get("next", ""))
            _, _, header = place.partition(":header:")
            return f"from the `{header_name(header)}` header" if header else f"`{_field(place)}` of the page before"
        if fact.kind == "comes-from" and isinstance(fact.value, dict):
            name = _field(str(fact.value.get("field", "")))
            if fact.value.get("operation") == str(prompt.operation.key) and "next" in words(name):
                return f"`{name}` of the page before"
    return ""


def header_name(name: str) -> str:
    """A header as people write it: `next-page` → `Next-Page`."""
    return "-".join(part.capitalize() for part in name.split("-"))


def _is_date(value: Json) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value) is not None


def _role(name: str, values: list[Json], prompt: DescribeParameter) -> str:
    """What a query parameter does by its name alone, where no fact tells and its values do not speak against it."""
    bare = name.strip("_").lower()
    if bare in _TEXTS:
        return "searches"
    if name in _PAGES or bare == "page":
        return "page"
    if bare in _OFFSETS and all(str(value).isdigit() for value in values):
        return "offset"
    if response_samples.is_size(bare) and values and all(str(value).isdigit() for value in values):
        return "limits"
    if values and all(str(value).lower() in _DIRECTIONS for value in values):
        return "direction"
    known = set(response_samples.fields(prompt.calls, always=False))
    if name in _SORTS and values and all(str(value).lstrip("-+") in known for value in values):
        return "sorts"
    return "selects" if bare in ("fields", "select") else ""


def _label(name: str, place: str, noun: str) -> str:
    """ "Id of the city" for a path parameter; for others the name written out, where that says more than the name."""
    label = _stripped(humanise(name), noun)
    if place == "path" and noun and label != noun:
        return sentence(f"{label} of the {noun}").rstrip(".")
    plain = " ".join(words(name)) or name
    return sentence(label).rstrip(".") if label != plain or len(words(name)) > 1 else ""


def _many(noun: str) -> str:
    head, _, tail = noun.rpartition(" ")
    return f"{head} {plural(tail)}".strip() if noun else "items"


def describe_response(prompt: DescribeResponse) -> Text:
    """What a response property holds, in ten words; empty where nothing is known but its name."""
    return _property(prompt)


_AROUND = frozenset({"meta", "pagination", "paging", "page_info", "pageInfo"})


def _property(prompt: DescribeParameter | DescribeResponse) -> Text:
    location, noun, calls = prompt.location, prompt.noun, prompt.calls
    steps = [_unescape(step) for step in location.partition(":")[2].split("/")[1:]]
    name = steps[-1] if steps else ""
    if not name or name == "0":
        return Text(text="")
    # An item's own fields are the noun's; those of an object within it are that object's. An object with the name of
    # many (`permissions`) is no thing, and its fields are no fields of one.
    above = next((step for step in reversed(steps[:-1]) if step != "0"), "")
    if above not in response_samples.LISTS and steps[-2:-1] == [above] and singular(above) != above:
        return Text(text="")
    if above and above not in response_samples.LISTS and humanise(singular(above)) != noun:
        noun = humanise(singular(above)) if above not in _AROUND else noun
    beside = len(steps) == 1 or (len(steps) == 2 and above in _AROUND)
    kind, label = _property_kind(prompt, name, noun, beside)
    context: dict[str, Any] = {
        "kind": kind,
        "label": label,
        "noun": noun,
        "things": _many(noun),
        "paged": any(fact.kind in ("pages", "limits") for fact in prompt.facts),
        "ends": any(value is None for value in _around(name, calls)),
    }
    text = sentence(render("revise/property.j2", **context))
    return Text(text=text if fits(text, most_words=PURPOSE_WORDS) else "")


def _unescape(step: str) -> str:
    return unescape(step)


def _property_kind(prompt: DescribeParameter | DescribeResponse, name: str, noun: str, top: bool) -> tuple[str, str]:
    """Which sentence of `property.j2` tells of a property, and its label."""
    parts = words(name)
    calls = prompt.calls
    bodies = [call.body for call in response_samples.good(calls)]
    status = prompt.location.partition(":")[0]
    keys = {found[0] for found in map(response_samples.items, bodies) if found and found[0]}
    keys |= {
        _unescape(place.partition("/")[2]) for place in _lists_told(prompt.facts) if place.startswith(f"{status}:/")
    }
    envelope = top and bool(keys)
    if envelope and name in keys:
        return "list", _many(noun)
    if envelope and name in response_samples.TOTALS and _exceeds(name, bodies):
        return "total", ""
    if envelope and name in response_samples.TOTALS and _counts(name, bodies):
        return "count", ""
    if envelope and response_samples.tells_size(name):
        return "size", ""
    if envelope and name in _PAGES:
        return "page", ""
    if envelope and (name in response_samples.NEXTS or prompt.location in _nexts_told(prompt.facts)):
        links = any("://" in str(value) for value in _around(name, calls))
        return "onward", "URL" if links else "Cursor" if name == "next" else "Value"
    if envelope:
        noun = ""
    if len(parts) > 1 and (parts[0] in _TIMES) and parts[-1] in ("at", "on", "date", "time"):
        return "when", parts[0]
    if len(parts) > 1 and parts[0] == "last" and parts[-1] in _TIMES:
        return "when", f"last {parts[-1]}"
    if len(parts) > 1 and parts[0] == "is":
        return "flag", " ".join(parts[1:])
    if len(parts) > 1 and parts[0] == "has" and noun:
        return "whether", " ".join(parts)
    label = _stripped(humanise(name), noun)
    if not noun or label == noun:
        return "", ""
    # "daylight in hours" of a daylight needs no "of the daylight", and "cache expires" cannot have it.
    if parts[-1] in _VERBS or label.startswith((f"{noun} ", "number of ")):
        return "plain", label
    if parts[-1] in _LINKING:
        return "", ""
    head, unit, tail = label.partition(" in ")
    return ("plain", f"{head} of the {noun}{unit}{tail}") if unit else ("", label)


def _stripped(label: str, noun: str) -> str:
    """`movie id` of a movie is its `id`; what is left must still be a noun."""
    rest = label[len(noun) + 1 :] if noun and label.startswith(f"{noun} ") else label
    return label if rest.startswith("in ") else rest


def _lists_told(facts: Sequence[Fact]) -> list[str]:
    """Where the list of an answer is, by the facts on paging and on what empty looks like."""
    told = [str(fact.value.get("list", "")) for fact in facts if fact.kind == "pages"]
    told += [str(fact.value) for fact in facts if fact.kind == "limits"]
    return told + [fact.location for fact in facts if fact.kind == "empty"]


def _nexts_told(facts: Sequence[Fact]) -> set[str]:
    return {str(fact.value.get("next", "")) for fact in facts if fact.kind == "pages"}


def _around(name: str, calls: Sequence[Call]) -> list[Json]:
    """The values of a field beside a list."""
    return [found[name] for call in response_samples.good(calls) for found in _envelopes(call.body) if name in found]


def _envelopes(body: Json) -> list[dict[str, Json]]:
    """The objects around a list: the answer itself, and what it has for that (`meta`)."""
    if not isinstance(body, dict):
        return []
    return [body, *(value for name, value in body.items() if name in _AROUND and isinstance(value, dict))]


def _lengths(name: str, bodies: Sequence[Json]) -> list[tuple[int, int]]:
    """(what a field says, how long the list beside it is) for every answer."""
    return [
        (around[name], len(found[1]))
        for body in bodies
        for around in _envelopes(body)
        if isinstance(around.get(name), int) and (found := response_samples.items(body))
    ]


def _counts(name: str, bodies: Sequence[Json]) -> bool:
    """Whether a field counts the list beside it, in every answer and of more than one length."""
    pairs = _lengths(name, bodies)
    return len({here for _, here in pairs}) > 1 and all(told == here for told, here in pairs)


def _exceeds(name: str, bodies: Sequence[Json]) -> bool:
    """Whether a total counts more than the page it stands on, and never less."""
    pairs = _lengths(name, bodies)
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
