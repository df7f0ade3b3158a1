"""The frozen records that the parts of docrev hand to each other. No logic: see the packages that own them.

Words and the grammar of locations: `path:NAME`, `query:NAME`, `header:NAME`, `body:/ptr` ("body:" is the whole
request body), `STATUS:/ptr` in a response (`/0` stands for the items of an array), `STATUS:header:NAME`, and "" for
the operation itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Concatenate, Literal, NamedTuple, ParamSpec, TypeVar

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict with string keys."""

Arguments = Mapping[str, Json]
"""The arguments of a call: location → value; the whole request body is under `body:`."""

Purpose = Literal["observed", "survey", "scenario", "probe", "replay", "clean-up"]

Read = TypeVar("Read")
Details = ParamSpec("Details")


class OperationKey(NamedTuple):
    """Names one operation of a catalog: its tool and `METHOD /path`."""

    tool: str
    operation: str

    @property
    def method(self) -> str:
        return self.operation.partition(" ")[0]

    @property
    def path(self) -> str:
        return self.operation.partition(" ")[2]

    def __str__(self) -> str:
        return f"{self.tool} {self.operation}"


@dataclass(frozen=True, slots=True)
class Call:
    """One request with its response, redacted. A call that got no response has `status` None and an `error`.

    `error` is a kebab-case reason: `denied` (by the policy), `budget`, `refused`, `timeout`, `tls`, `redirect`,
    `too-large`, `too-slow`, `too-deep`, `bad-encoding`, `not-json`, `network`. `detail` says more in a few words.
    `sampled`: the response was so large that only the first items of its arrays are in `body`: what counts items, or
    looks for what is absent, must not rest on it. `redirected`: the URL that redirects led to, which is what was
    returned is of; "" if none was followed, or to the same path with a slash more or less.
    """

    id: str
    key: OperationKey
    arguments: dict[str, Json]
    url: str
    status: int | None
    headers: dict[str, str]
    body: Json
    media_type: str
    purpose: Purpose
    scenario: str | None = None
    error: str | None = None
    detail: str = ""
    size: int = 0
    sampled: bool = False
    redirected: str = ""
    _readings: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def read(
        self, reader: Callable[Concatenate[Call, Details], Read], *details: Details.args, **named: Details.kwargs
    ) -> Read:
        """What `reader(call, *details)` returns, worked out once: many ask the same of a call, and it never changes.

        It must hold for any call with this request and this answer, so for none by its ID, purpose or scenario.
        """
        asked = (reader, details, *named.items()) if details or named else reader
        if asked not in self._readings:
            self._readings[asked] = reader(self, *details, **named)
        found: Read = self._readings[asked]
        return found

    def share_readings(self, other: Call) -> None:
        """Work out once for both what is read of either: an equal request was answered alike."""
        object.__setattr__(self, "_readings", other._readings)

    @property
    def is_cut(self) -> bool:
        """Whether the response did not end: `body` is the first of its messages."""
        return self.detail.startswith("cut ")

    @property
    def ok(self) -> bool:
        """Answered with 2xx, whole."""
        return self.error is None and self.status is not None and 200 <= self.status < 300

    @property
    def anonymous(self) -> bool:
        """Made without a header that says who calls: a null stands in its place."""
        return any(value is None and place.startswith("header:") for place, value in self.arguments.items())


@dataclass(frozen=True, slots=True)
class Given:
    """A concrete value that a scenario's text names: `label` is its field or parameter name, `noun` what it is of.

    `location` is set if the value is an argument as it stands (`query:continent`), and empty if it only
    identifies something that must be looked up (the name of an airport).
    """

    label: str
    value: Json
    noun: str = ""
    location: str = ""


@dataclass(frozen=True, slots=True)
class Deed:
    """An action that a scenario's text asks for before its question, in the order of the text.

    `noun` is what it is done to: the one made last, or, for `clear`, all that there are (in what was made last, or as
    the givens choose). `givens` are the indexes of the goal's givens that belong to it.
    """

    verb: Literal["create", "change", "delete", "clear"]
    noun: str
    givens: tuple[int, ...] = ()


THERE = "there"
"""The `want` of a goal that asks whether something exists: the answer is true or false."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The structured reading of a scenario's text: what is given, what is to be done, and what is asked.

    It names no operation, and no id that the text does not give. `want` is a field name, `noun` what it
    belongs to; `many` asks for the field of every item of the answer, otherwise of the first or only one. With
    `THERE`, `many` asks whether what was made last is among them, otherwise whether it is there itself.
    """

    givens: tuple[Given, ...]
    want: str
    noun: str = ""
    many: bool = False
    deeds: tuple[Deed, ...] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """A task text with the operations it was made for, the least-used one first (ToolBFS+ §3.2)."""

    id: str
    text: str
    operations: tuple[OperationKey, ...]
    goal: Goal | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do next: call `key` with `arguments` (as far as they are decided), or, if `key` is None, answer."""

    thought: str
    key: OperationKey | None = None
    arguments: dict[str, Json] = field(default_factory=dict)
    answer: Json = None

    @property
    def final(self) -> bool:
        return self.key is None


Label = Literal["right", "wrong", "irrelevant"]


@dataclass(frozen=True, slots=True)
class Node:
    """One step in the search tree. `id` is `SCENARIO/STRATEGY/0.2.1`, the position in the tree; the root is `…/0`."""

    id: str
    parent: str | None
    scenario: str
    strategy: str
    depth: int
    plan: Plan | None
    call: Call | None = None
    observation: str = ""
    correct: bool | None = None
    reason: str = ""
    label: Label | None = None

    def child(self, index: int, plan: Plan) -> Node:
        """A node below this one, number `index` (from 1), which no tree has yet."""
        return Node(f"{self.id}.{index}", self.id, self.scenario, self.strategy, self.depth + 1, plan)


@dataclass(frozen=True, slots=True)
class Solution:
    """The way from the root to the correct node: its nodes in order, without the root, the final answer last."""

    scenario: str
    strategy: str
    nodes: tuple[Node, ...]
    answer: Json

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(node.call for node in self.nodes if node.call is not None)


Finish = Literal["answer", "give-up", "steps", "calls", "tokens", "failed"]
"""How an agent's work on a task ended: with an answer, by giving up, at a limit, or with an error (`failed`)."""


@dataclass(frozen=True, slots=True)
class Task:
    """One query of a suite. `operations` are the candidates that the agent is given; () stands for the whole catalog.

    `gold` are the right paths, each in order; `arguments` what the gold calls are made with, beside the first gold
    path; `answer` the true answer if it can be computed; `level` is the granularity of the text (statement,
    category, tool, operation, hybrid, or ""), `group` the part of the suite it belongs to ("G1-instruction").
    """

    id: str
    text: str
    operations: tuple[OperationKey, ...] = ()
    gold: tuple[tuple[OperationKey, ...], ...] = ()
    arguments: tuple[dict[str, Json], ...] = ()
    answer: Json = None
    goal: Goal | None = None
    level: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """What a runner did for a task: all nodes of its tree without the root, and the way to where it ended.

    `path` are node ids from the root on; the last node's plan is final if `finish` is "answer" or "give-up". An
    operation that does not exist is a node whose plan's key has the tool "" and the name as it was given, without a
    call. `asks`, `tokens_in` and `tokens_out` count what the model was asked, if that is known; `state` are looks at
    what is there afterwards, for tasks that are judged by it.
    """

    task: str
    runner: str
    nodes: tuple[Node, ...]
    path: tuple[str, ...]
    answer: Json
    finish: Finish
    reason: str = ""
    asks: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    state: tuple[Call, ...] = ()

    @property
    def steps(self) -> tuple[Node, ...]:
        """The nodes of the path, in order."""
        by_id = {node.id: node for node in self.nodes}
        return tuple(by_id[at] for at in self.path)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls of the path, in order."""
        return tuple(node.call for node in self.steps if node.call is not None)


@dataclass(frozen=True, slots=True)
class Experience:
    """Which operation to choose when (ToolBFS+ §3.3): kept on `key`, the operation after which the choice is made.

    `right` and `wrong` are operations, the plans their thoughts; `why` says what the wrong branch lacked. `helped` are
    the calls of a fresh task that was done better with it than without; () if none was. With a `location` it is of an
    argument there: `wrong` takes the `field` of what `right` returns.
    """

    key: OperationKey
    scenario: str
    known: str
    right: OperationKey
    right_plan: str
    wrong: OperationKey
    wrong_plan: str
    why: str
    calls: tuple[str, ...] = ()
    helped: tuple[str, ...] = ()
    location: str = ""
    field: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A typed, replayed statement on a location of an operation; `calls` show it, `replays` showed it again."""

    key: OperationKey
    kind: str
    location: str
    value: Json
    calls: tuple[str, ...]
    replays: tuple[str, ...] = ()


Confidence = Literal["high", "medium"]

ChangeClass = Literal["correction", "trap", "experience", "bound", "source", "undeclared", "example", "wording"]
"""What a change is worth to a reader, most valuable first: corrections of what is false, traps, which operation to use
when, bounds and allowed values, sources of IDs, undeclared fields and statuses, examples, wording."""


@dataclass(frozen=True, slots=True)
class Change:
    """One edit of a document: at `pointer` of `file`, `before` (None: absent) becomes `after`, or is removed if that is
    None; backed by calls.

    `classes` are those of the statements that it contains, the most valuable first. `confidence` is "high" if each of
    them rests on facts that fresh calls showed again.
    """

    file: str
    pointer: str
    before: Json
    after: Json
    key: OperationKey | None
    edit: Literal["docs", "contract"] = "docs"
    facts: tuple[Fact, ...] = ()
    calls: tuple[str, ...] = ()
    classes: tuple[ChangeClass, ...] = ()
    confidence: Confidence = "medium"


@dataclass(frozen=True, slots=True)
class JournalItem:
    """Something that this run created, or may have created: `confirmed` is False until the response arrives.

    `arguments` are the path arguments that address it, `parent` the id of the journal item it lies under. Once
    clean-up could not remove it, `reason` says why, and `removal` is the request that would (`DELETE URL`), if any.
    `scope` is what else a request must send to find it, as it was made with: `query:user_id`.
    """

    id: str
    tool: str
    path: str
    arguments: dict[str, Json]
    call: str
    confirmed: bool = True
    deleted: bool = False
    parent: str | None = None
    reason: str = ""
    removal: str | None = None
    scope: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LeftItem:
    """Something that a run created, or may have created, and did not remove.

    `path` is that behind the tool's base URL, `reason` says why it is still there, and `removal` is the request that
    would remove it, as `DELETE URL`; None if the API has none.
    """

    tool: str
    path: str
    reason: str
    removal: str | None = None


@dataclass(frozen=True, slots=True)
class ConsentedChange:
    """What a run changed that it had not created, since the user consented: by how many `calls` of an operation.

    `operation` is `METHOD /path` as in the spec, `path` the path that was called. `unforeseen`: nobody consented, for
    the operation says that it only reads.
    """

    tool: str
    operation: str
    path: str
    calls: int
    unforeseen: bool = False
