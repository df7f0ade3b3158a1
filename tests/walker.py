"""Walks a path of operations over HTTP as an agent would: names from the task, ids from the answers before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2

from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.leaves import leaves
from docrev.language.words import singular, words
from docrev.records import Call, Json, OperationKey
from docrev.spec import MISSING, Catalog, Operation, Parameter

NAME = re.compile(r"[A-Z0-9][\w'.:&-]*(?: (?:of|the|and|on|in|as|[A-Z0-9][\w'.:&-]*))*")
QUOTED = re.compile(r"[\"“']([A-Za-z][^\"”']+)[\"”']")
TRIES = 40
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
STARTS = (
    "Who What When Where Which Give Tell Show Is Are In I I'm TV TMDB Please List Make Add Skip Put Append Follow Play "
    "Save Rename Remove Pause Recommend Delete Unfollow Clear Create Turn Set My How Top-10 Season"
)


@dataclass
class Walk:
    """What became of one path: each step's call, which ids came from where, and the look-ups put in between."""

    calls: list[Call] = field(default_factory=list)
    bound: list[tuple[str, Json, str]] = field(default_factory=list)
    lookups: list[Call] = field(default_factory=list)
    name: str = ""
    tries: int = 0


class Walker:
    """Walks over one service; `client` has its base URL."""

    def __init__(self, catalog: Catalog, client: httpx2.Client) -> None:
        self.catalog, self.client = catalog, client
        self.graph = ToolGraph(catalog)
        self._count = 0

    def walk(self, task: str, path: list[OperationKey]) -> Walk:
        walk = Walk(name=named_in(task))
        later = " ".join(key.path for key in path)
        for key in path:
            call = self._call(walk, self.catalog[key], task, later)
            walk.calls.append(call)
        return walk

    def _call(self, walk: Walk, operation: Operation, task: str, later: str) -> Call:
        """Call an operation; of several ids that may be meant, the first one that it knows."""
        fixed: dict[str, Json] = {}
        open_: list[tuple[str, Iterator[tuple[Json, str]]]] = []
        for parameter in operation.parameters:
            if parameter.required and parameter.location in ("path", "query"):
                if refers(parameter):
                    open_.append((parameter.key, self._candidates(walk, operation, parameter, task, later)))
                else:
                    fixed[parameter.key] = self._argument(walk, parameter, task, later)
        call: Call | None = None
        for place, values in enumerate(zip(*(found for _, found in open_), strict=False) if open_ else [()]):
            arguments = {**fixed, **{key: value for (key, _), (value, _) in zip(open_, values, strict=True)}}
            call = self._send(operation, arguments, self._body(walk, operation, arguments))
            walk.tries += place > 0
            if call.ok:
                walk.bound += [(key, value, source) for (key, _), (value, source) in zip(open_, values, strict=True)]
                return call
        assert call is not None, f"nothing leads to {operation.key}"
        return call

    def _argument(self, walk: Walk, parameter: Parameter, task: str, later: str) -> Json:
        items = parameter.schema.items()
        enum = parameter.schema.enum or (items.enum if items is not None else None)
        if enum and parameter.schema.type == "array":
            return ",".join(enum)
        if enum:
            return chosen(enum, task, later)
        if number := re.fullmatch(r"(\w+)_number", parameter.name):
            return ordinal(task, number[1])
        if parameter.schema.type in ("string", None) and parameter.name in ("q", "query"):
            return walk.name or "Avatar"
        example = parameter.example if parameter.example is not MISSING else parameter.schema.example
        return 50 if example is MISSING else example

    def _candidates(
        self, walk: Walk, operation: Operation, parameter: Parameter, task: str, later: str
    ) -> Iterator[tuple[Json, str]]:
        """What the answers before hold that may be meant, the likeliest first; then what a look-up finds."""
        noun = noun_of(operation, parameter)
        before = reversed(walk.calls)
        found = [(one, call.id) for call in before for one in self._listed_ids(call, operation, parameter, noun)]
        yield from found[:TRIES]
        sources = [other.key for other in self.catalog.operations if "search" in other.path.lower()]
        sources = sorted(sources, key=lambda key: noun not in words(key.path))
        sources += [edge.source for edge in self.graph.producers(operation.key, parameter.key)]
        for source in dict.fromkeys(sources):
            if source.method == "GET" and "{" not in source.path:
                call = self._call(walk, self.catalog[source], task, later)
                walk.lookups.append(call)
                for value in self._listed_ids(call, operation, parameter, noun)[:TRIES]:
                    yield value, call.id

    def _listed_ids(self, call: Call, operation: Operation, parameter: Parameter, noun: str) -> list[Json]:
        """Values in a call's response that a parameter may take: by the tool graph, by what holds them, by its path."""
        last = "uri" if words(parameter.name)[-1] in ("uri", "uris") else "id"
        found: list[Json] = []
        if last == "id":
            known = {f"{call.status}:{pointer}": value for pointer, value in reversed(list(leaves(call.body)))}
            edges = [edge for edge in self.graph.producers(operation.key, parameter.key) if edge.source == call.key]
            found += [known[edge.pointer] for edge in edges if edge.score > 0.6 and known.get(edge.pointer) is not None]
        found += held(call.body, noun, last)
        about = [singular(word) for word in words(call.key.path)]
        if not found and (noun in about or (parameter.location == "path" and "{" in call.key.path)):
            found += held(call.body, "", last)
        return list(dict.fromkeys(found))

    def _body(self, walk: Walk, operation: Operation, arguments: dict[str, Json]) -> Json:
        if operation.body is None or operation.body.schema is None:
            return None
        body: dict[str, Json] = {}
        uris = [uri for call in reversed(walk.calls) for uri in held(call.body, "track", "uri")]
        for name in sorted({*operation.body.schema.properties(), *operation.body.schema.required}):
            if name == "name":
                body[name] = walk.name or "New"
            if name == "ids" and "query:ids" in arguments:
                body[name] = [arguments["query:ids"]]
            if name == "uris" and uris and operation.path.endswith("/tracks"):
                body[name] = uris[:3]
            if name == "tracks":
                body[name] = [{"uri": uri} for uri in uris[:1]]
        return body or None

    def _send(self, operation: Operation, arguments: dict[str, Json], body: Json) -> Call:
        path = operation.path
        for location, value in arguments.items():
            path = path.replace(f"{{{location.partition(':')[2]}}}", str(value))
        query = {name[6:]: str(value) for name, value in arguments.items() if name.startswith("query:")}
        answer = self.client.request(
            operation.method, path, params=query, **({"json": body} if body is not None else {})
        )
        content: Any = answer.json() if answer.content else None
        self._count += 1
        call = Call(
            str(self._count), operation.key, arguments, str(answer.url), answer.status_code, {}, content, "", "scenario"
        )
        self.graph.observe(call)
        return call


def named_in(task: str) -> str:
    """The name that a task is about, as far as capitals and quotes tell it."""
    quoted = QUOTED.findall(task)
    if quoted:
        return str(quoted[0])
    common = frozenset(STARTS.split())
    found = [" ".join(word for word in one.split() if word not in common) for one in NAME.findall(task)]
    kept = [one.removesuffix("'s").strip(" .?,") for one in found if one.strip()]
    return max(kept, key=len, default="")


def chosen(enum: list[Json], task: str, later: str) -> Json:
    """The value of an enum that the task or the rest of the path speaks of."""
    text = f"{task} {later}".lower()
    spoken = [one for one in enum if re.search(rf"\b{re.escape(str(one))}", text)]
    return (spoken or [one for one in enum if one not in ("all", "")])[0]


def ordinal(task: str, noun: str) -> int:
    """Which season or episode a task speaks of; the first where it says none."""
    for word, number in ORDINALS.items():
        if re.search(rf"{word} {noun[:6]}", task.lower()):
            return number
    found = re.search(rf"{noun} (\d+)", task.lower())
    return int(found[1]) if found else 1


def refers(parameter: Parameter) -> bool:
    """Whether a parameter takes an id that an answer before may hold."""
    if parameter.schema.enum is not None or parameter.name.endswith("_number"):
        return False
    return parameter.location == "path" or words(parameter.name)[-1] in ("id", "ids", "uri", "uris")


def noun_of(operation: Operation, parameter: Parameter) -> str:
    """What a parameter names one of."""
    own = words(parameter.name)
    if len(own) > 1:
        return singular(own[-2])
    before = operation.path.partition("{" + parameter.name)[0] if parameter.location == "path" else operation.path
    last = [part for part in before.split("/") if part and "{" not in part][-1]
    return {"following": "artist", "queue": "track"}.get(last, singular(words(last)[-1]))


def held(body: Json, noun: str, field_name: str) -> Iterator[Json]:
    """The ids of objects in a body that say that they are a `noun`, or that lie under that name; "" is any."""
    stack: list[tuple[str, Json]] = [("", body)]
    while stack:
        name, value = stack.pop(0)
        if isinstance(value, list):
            stack.extend((name, one) for one in value)
        elif isinstance(value, dict):
            if value.get(field_name) is not None and (not noun or noun in (value.get("type"), singular(name))):
                yield value[field_name]
            stack.extend(value.items())
