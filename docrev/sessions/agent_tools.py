"""The operations of a catalog as tools for agents: what they are called and take, and calls in the policy's bounds."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property

from docrev.calls.executor import Executor
from docrev.conventions.methods import SAFE_METHODS
from docrev.driver import Budget, Driver
from docrev.errors import DocrevError
from docrev.events import Handler, Notice, ignore
from docrev.evidence import Evidence
from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.canonical import compact
from docrev.json_values.containers import mapping
from docrev.json_values.excerpts import beginning, select_fields
from docrev.json_values.leaves import members
from docrev.language.characters import visible
from docrev.offline import OfflineModel
from docrev.prompts.steps import Invoke, Repeat
from docrev.records import Call, Json, OperationKey
from docrev.retrieval import Retriever, open_retriever
from docrev.revision.profiles import budget
from docrev.sessions.opening import Specs, load_operations, open_executor
from docrev.sessions.watched_traffic import ObservedRun
from docrev.settings.serving import McpSettings
from docrev.spec import Operation
from docrev.spec.formats.descriptions import bounded
from docrev.spec.formats.mcp.writer import tool_records
from docrev.spec.formats.standalone_schemas import Standalone, expanded

MOST_FLAT = 40
"""Operations up to which each is a tool of its own unless the user says otherwise: what is listed is paid for in each
conversation, whether it is used or not."""
_NO_LIMIT = 10**12
_FIELDS = "response_fields"
_FIELDS_SCHEMA: dict[str, Json] = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Fields of the response to return, as items.name; all by default.",
}
_MOST_SCHEMA = 6000
"""Characters of a response's schema that `describe` returns with its texts; of a longer one, names and types."""
_MOST_FOUND, _MOST_DESCRIBED = 20, 10


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool returns: a text, mostly JSON, and notes on it (what was cut). `failed`: the call did not succeed."""

    text: str
    notes: tuple[str, ...] = ()
    failed: bool = False


class AgentTools:
    """Lists and calls the operations that the policy permits. Made by `open_tools`."""

    def __init__(
        self, executor: Executor, store: Evidence, settings: McpSettings, keep: Callable[[Call], bool], emit: Handler
    ) -> None:
        self.catalog, self._executor, self._settings, self._keep = executor.catalog, executor, settings, keep
        model = OfflineModel(self.catalog, ToolGraph(self.catalog), 0)
        limit = Budget(settings.max_calls or _NO_LIMIT)
        self._caller = Driver(executor, model, store, budget=limit, concurrency=settings.concurrency, emit=emit).caller
        self._sent = 0
        records, table = tool_records(self.catalog)
        permitted = [executor.policy.permits(operation) is None for operation in self.catalog.operations]
        pairs = [pair for pair, allowed in zip(records, permitted, strict=True) if allowed]
        self._records = {record["name"]: _within_limits(record) for record in pairs}
        self._table = {name: mapping(table[name]) for name in self._records}
        self.left_out = len(records) - len(self._records)

    @property
    def lazy(self) -> bool:
        """Whether agents see three tools (search, describe, call) in place of one for each operation."""
        listing = self._settings.listing
        return listing == "lazy" or (listing == "auto" and len(self._records) > MOST_FLAT)

    @property
    def instructions(self) -> str:
        """What an agent is told of the tools before it uses any."""
        apis = ", ".join(visible(self._title(tool)) for tool in self.catalog.tools[:_MOST_FOUND])
        if self.lazy:
            return f"{len(self._records)} operations of {apis}: search for one, describe it, then call it."
        return f"The operations of {apis}. {_FIELDS} keeps responses short."

    def _title(self, tool: str) -> str:
        title = self.catalog.documents[self.catalog.files[tool]].get("/info/title", None)
        return title if isinstance(title, str) and title else tool

    def listed(self) -> list[dict[str, Json]]:
        """The tools, as an MCP server lists them."""
        return self._three() if self.lazy else [self._with_fields(record) for record in self._records.values()]

    async def call(self, name: str, arguments: Mapping[str, object]) -> ToolAnswer:
        """Call a tool. Whatever goes wrong is an answer that says what, and what to do."""
        if self.lazy:
            answers = {"search": self._search, "describe": self._describe, "call": self._call}
            if name not in answers:
                return _failure(f"no tool {name}: use search, describe or call")
            try:
                return await answers[name](arguments)
            except _WrongArguments as wrong:
                return _failure(str(wrong))
        if name not in self._records:
            return _failure(f"no tool {name}")
        given = dict(arguments)
        fields = given.pop(self._fields_name(name), [])
        return await self._invoke(name, given, fields)

    def name_of(self, key: OperationKey) -> str | None:
        """What agents call an operation; None if it is not offered."""
        return next((name for name in self._records if self._key(name) == key), None)

    # One tool for each operation

    def _fields_name(self, name: str) -> str:
        taken = mapping(self._table[name]["arguments"])
        return _FIELDS if _FIELDS not in taken else f"_{_FIELDS}"

    def _with_fields(self, record: dict[str, Json]) -> dict[str, Json]:
        schema = record["inputSchema"]
        properties = mapping(schema.get("properties")) | {self._fields_name(record["name"]): _FIELDS_SCHEMA}
        return record | {"inputSchema": schema | {"properties": properties}}

    # Three tools

    def _three(self) -> list[dict[str, Json]]:
        reads = all(self._key(name).method in SAFE_METHODS for name in self._records)
        text, texts = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
        found = {"type": "integer", "minimum": 1, "maximum": _MOST_FOUND, "default": 5}
        called = {"operation": text, "arguments": {"type": "object"}, "fields": _FIELDS_SCHEMA}
        return [
            _tool(
                "search", "Find operations by what you want to know or do.", {"text": text, "count": found}, ["text"]
            ),
            _tool(
                "describe",
                "The documents of operations that search found: what they do, take and return.",
                {"operations": texts},
                ["operations"],
            ),
            _tool("call", "Call an operation with the arguments that describe names.", called, ["operation"], reads),
        ]

    @cached_property
    def _retriever(self) -> Retriever:
        return open_retriever(self.catalog)

    async def _search(self, arguments: Mapping[str, object]) -> ToolAnswer:
        text, count = _text(arguments, "text"), arguments.get("count", 5)
        if type(count) is not int or not 1 <= count <= _MOST_FOUND:
            raise _WrongArguments(f"count must be an integer from 1 to {_MOST_FOUND}")
        names = {self._key(name): name for name in self._records}
        hits = self._retriever.search(text, count, names) if names else []
        rows = [{"operation": names[hit.key], "does": visible(hit.sentence)} for hit in hits if hit.score > 0]
        return ToolAnswer(compact(rows), () if rows else ("nothing found: try other words",))

    async def _describe(self, arguments: Mapping[str, object]) -> ToolAnswer:
        names = arguments.get("operations")
        if not isinstance(names, list) or not 1 <= len(names) <= _MOST_DESCRIBED:
            raise _WrongArguments(f"operations must be a list of 1 to {_MOST_DESCRIBED} names that search found")
        return ToolAnswer(compact([self._document(self._offered(name)) for name in names]))

    async def _call(self, arguments: Mapping[str, object]) -> ToolAnswer:
        name, given = self._offered(_text(arguments, "operation")), arguments.get("arguments", {})
        if not isinstance(given, dict):
            raise _WrongArguments("arguments must be an object")
        return await self._invoke(name, given, arguments.get("fields", []))

    def _offered(self, name: object) -> str:
        """The name of an operation that an agent named so, or by its method and path."""
        named: list[str] = [each for each in self._records if name in (each, self._key(each).operation)]
        if len(named) != 1:
            raise _WrongArguments(f"no operation {visible(str(name))[:100]}: use the names that search returns")
        return named[0]

    def _document(self, name: str) -> dict[str, Json]:
        """The revised document of an operation: as a tool, with what it returns."""
        operation = self.catalog[self._key(name)]
        record = {key: part for key, part in self._records[name].items() if key != "annotations"}
        return record | {"responses": self._responses(operation)}

    def _responses(self, operation: Operation) -> dict[str, Json]:
        told: dict[str, Json] = {}
        for status, response in operation.responses.items():
            told[status] = {"description": visible(response.description)} if response.description else {}
            if response.schema is not None and response is operation.success:
                copies = Standalone(self.catalog.refs)
                schema = mapping(copies.copy(response.schema))
                schema |= {"$defs": copies.definitions} if copies.definitions else {}
                is_short = len(compact(schema)) <= _MOST_SCHEMA
                told[status]["schema"] = _cleaned(schema, _MOST_SCHEMA) if is_short else expanded(response.schema, 3)
        return told

    # Calls

    def _key(self, name: str) -> OperationKey:
        row = self._table[name]
        return OperationKey(row["tool"], row["operation"])

    async def _invoke(self, name: str, given: Mapping[str, object], fields: object) -> ToolAnswer:
        if not isinstance(fields, list) or not all(isinstance(field, str) for field in fields):
            return _failure("the fields must be a list of texts")
        try:
            sent = self._arguments(name, given)
        except _WrongArguments as wrong:
            return _failure(str(wrong))
        self._sent += 1
        invoke = Invoke(self._key(name), sent, "observed", repeat=Repeat.CHECK + self._sent)
        try:
            call = await self._caller.call(invoke)
        except DocrevError as error:
            return _failure(str(error))
        if call.status is not None:
            self._keep(call)
        return self._answer(call, fields)

    def _arguments(self, name: str, given: Mapping[str, object]) -> dict[str, Json]:
        """The arguments by their locations, the members of a body put together."""
        places = mapping(self._table[name]["arguments"])
        needed = self._records[name]["inputSchema"].get("required", [])
        if unknown := sorted(given.keys() - places.keys()):
            raise _WrongArguments(f"no argument {visible(unknown[0])[:100]}: it takes {', '.join(places) or 'none'}")
        if missing := [place for place in needed if place not in given]:
            raise _WrongArguments(f"missing: {', '.join(missing)}")
        sent: dict[str, Json] = {}
        for argument, value in given.items():
            location, _, member = str(places[argument]).partition(":/")
            if location == "body":
                sent.setdefault("body:", {})[member] = value
            else:
                sent[places[argument]] = value
        return sent

    def _answer(self, call: Call, fields: list[str]) -> ToolAnswer:
        if call.status is None or call.error is not None:
            return _failed_call(call)
        is_chosen = bool(fields) and call.ok and isinstance(call.body, dict | list)
        body = select_fields(call.body, fields) if is_chosen else call.body
        if is_chosen and body is None:
            return _no_such_field(call.body)
        part, cuts = beginning(body, self._settings.answer)
        text = part if isinstance(part, str) else compact(part)
        whole = text if call.ok else f"HTTP {call.status}: {text}"
        return ToolAnswer(whole, tuple(self._notes(call, cuts)), failed=not call.ok)

    def _notes(self, call: Call, cuts: Iterable[str]) -> Iterator[str]:
        """What a response does not show."""
        for cut in cuts:
            yield f"cut: {cut}; {'fields' if self.lazy else _FIELDS} chooses what is returned"
        if call.sampled:
            yield "the response was sampled: its lists are longer"


class _WrongArguments(Exception):
    """What an agent sent does not fit the tool; the text says what to send."""


def _failed_call(call: Call) -> ToolAnswer:
    status = f"HTTP {call.status}: " if call.status is not None else ""
    return _failure(f"{status}{call.error}: {call.detail}".rstrip(": "))


def _no_such_field(body: Json) -> ToolAnswer:
    there = dict.fromkeys(place.strip("/").replace("/", ".") for place, _ in members(body))
    return _failure(f"no such field in the response; it has {', '.join(there)[:500]}")


def _failure(text: str) -> ToolAnswer:
    return ToolAnswer(text, failed=True)


def _text(arguments: Mapping[str, object], name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _WrongArguments(f"{name} must be given, as a string")
    return value


def _tool(
    name: str, text: str, properties: dict[str, Json], required: list[str], reads: bool = True
) -> dict[str, Json]:
    schema = {"type": "object", "properties": properties, "required": required}
    return {
        "name": name,
        "description": text,
        "inputSchema": schema,
        **({"annotations": {"readOnlyHint": True}} if reads else {}),
    }


def _within_limits(record: dict[str, Json]) -> dict[str, Json]:
    """A tool within the limits of `--profile mcp`, without characters that draw nothing."""
    limits = budget("mcp")
    schema = _cleaned(mapping(record.get("inputSchema")) or {"type": "object"}, limits.parameter)
    texts = {key: visible(record[key]) for key in ("title",) if key in record}
    if "description" in record:
        texts["description"] = bounded(_lines(record["description"]), limits.operation)
    return record | texts | {"inputSchema": schema}


def _lines(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n")).strip()


def _cleaned(schema: object, most: int) -> Json:
    """A schema whose descriptions have at most `most` characters, all of which can be seen."""
    if isinstance(schema, list):
        return [_cleaned(part, most) for part in schema]
    if not isinstance(schema, dict):
        return schema
    told = {key: _cleaned(part, most) for key, part in schema.items()}
    text = told.get("description")
    return told | {"description": bounded(_lines(text), most)} if isinstance(text, str) else told


@asynccontextmanager
async def open_tools(specs: Specs, settings: McpSettings, *, on_event: Handler = ignore) -> AsyncIterator[AgentTools]:
    """The operations of specs as tools, for as long as the block lasts. Raises DocrevError and its kinds.

    With `settings.out`, the calls are kept there as those of traffic are.
    """
    catalog = load_operations(specs, settings)
    executor, _ = open_executor(catalog, settings, timeout=settings.timeout)
    if executor.foreign_hosts:
        on_event(Notice(f"calls go to {', '.join(executor.foreign_hosts)}"))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(executor.close)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="docrev-mcp-"))
        store = stack.enter_context(Evidence.open(folder, write=True))
        store.begin({"mcp": True})
        keep = _forget
        if settings.out is not None:
            observed = ObservedRun(stack.enter_context(Evidence.open(settings.out, write=True)), catalog)
            stack.callback(observed.conclude)
            keep = observed.take
        yield AgentTools(executor, store, settings, keep, on_event)


def _forget(call: Call) -> bool:
    return False
