"""One agent at work on a task: the nodes of its tree, its limits, and the steps by which it grows.

Whatever a model answers becomes a node: an operation that does not exist, arguments that cannot be sent, a call made
before. The observation tells the model, the node's `reason` the tables; only limits end a loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

from docrev.conventions.methods import SAFE_METHODS
from docrev.errors import AnswerError, ModelError
from docrev.prompts.agents import (
    FINISH,
    GIVE_UP,
    Action,
    AgentPrompt,
    FitExperience,
    Fitting,
    NextAction,
    Past,
    Sheet,
    Tags,
)
from docrev.prompts.steps import Ask, Invoke, Steps
from docrev.records import Call, Finish, Json, Node, OperationKey, Plan, Task, Trajectory

from .binding import Invalid
from .compression import tokens
from .toolbox import Toolbox

NO_ACTION = "no-action"


@dataclass(frozen=True, slots=True)
class TrackLimits:
    """How far an agent may go. `steps` bounds one way from the root, Finish included (12 in ToolLLM).

    `calls` (requests of the API), `asks` (prompts) and `tokens` (in and out; estimated, since an agent does not see
    what its model used) bound the whole tree: room for `steps` of the dearest runner, which reads the documents of some
    fifty operations twice a step. Runners that start over use what is left.
    """

    steps: int = 12
    calls: int = 40
    asks: int = 200
    tokens: int = 600_000


class LimitReached(Exception):
    """A limit of the whole tree is reached, or the model has no answer. Never leaves a runner."""

    def __init__(self, finish: Finish, reason: str) -> None:
        super().__init__(reason)
        self.finish, self.reason = finish, reason


class Unusable(LimitReached):
    """What the model said cannot be used; another time it may be."""


class Situation(TypedDict):
    """The task, what was done so far, and how often the agent has started over."""

    task: str
    history: tuple[Past, ...]
    attempt: int


@dataclass(slots=True)
class Track:
    """The nodes of one agent by id, what it was shown at each, and what it has used; `tags` and `path` are its plan.

    `opened` are the functions that it chose: their documents are shown whole from then on.
    """

    task: Task
    tools: Toolbox
    limits: TrackLimits
    runner: str
    nodes: dict[str, Node] = field(default_factory=dict)
    seen: dict[str, Past] = field(default_factory=dict)
    calls: int = 0
    asks: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    attempt: int = 0
    tags: Tags = field(default_factory=Tags)
    path: tuple[str, ...] = ()
    opened: set[str] = field(default_factory=set)
    root: Node = field(init=False)
    last: Node = field(init=False)

    def __post_init__(self) -> None:
        self.root = self.last = Node(f"{self.task.id}/{self.runner}/0", None, self.task.id, self.runner, 0, None)

    def way(self, node: Node) -> tuple[Node, ...]:
        """The nodes from below the root down to `node`."""
        nodes: list[Node] = []
        while node.parent is not None:
            nodes.append(node)
            node = self.nodes.get(node.parent, self.root)
        return tuple(reversed(nodes))

    def history(self, node: Node) -> tuple[Past, ...]:
        """What an agent at `node` has done."""
        return tuple(self.seen[one.id] for one in self.way(node))

    def situation(self, node: Node) -> Situation:
        """What every prompt of an agent at `node` begins with."""
        return {"task": self.task.text, "history": self.history(node), "attempt": self.attempt}

    def ask(self, prompt: AgentPrompt[Any]) -> Steps[Any]:
        """The model's answer, counted. Raises LimitReached if a limit is reached, Unusable if it cannot be read."""
        size = tokens(prompt.model_dump_json(exclude={"operations", "operation", "folded"}))
        size += self.tools.size(getattr(prompt, "operations", ()), getattr(prompt, "folded", ()))
        size += self.tools.size(_operation_of(prompt))
        if self.asks >= self.limits.asks:
            raise LimitReached("steps", "asks-spent")
        if self.tokens_in + self.tokens_out + size > self.limits.tokens:
            raise LimitReached("tokens", "tokens-spent")
        self.asks += 1
        self.tokens_in += size
        try:
            answer = yield Ask(prompt)
        except AnswerError as error:
            raise Unusable("failed", f"no-answer: {error.what}") from None
        except ModelError as error:
            raise LimitReached("failed", f"no-answer: {error.what}") from None
        self.tokens_out += tokens(answer.model_dump_json(exclude_defaults=True))
        return answer

    def keep(self, node: Node, past: Past) -> Node:
        """Keep a finished node, and what the agent is shown of it."""
        self.nodes[node.id], self.seen[node.id] = node, past
        self.last = node
        return node

    def trajectory(self, end: Node, finish: Finish, reason: str = "") -> Trajectory:
        """What came of it: the way to `end`."""
        answer = end.plan.answer if finish == "answer" and end.plan is not None else None
        return Trajectory(
            self.task.id, self.runner, tuple(self.nodes.values()), tuple(node.id for node in self.way(end)), answer,
            finish, reason, self.asks, self.tokens_in, self.tokens_out,
        )  # fmt: skip


def run(track: Track, steps: Steps[Node]) -> Steps[Trajectory]:
    """A runner's `steps` to the node if they end, and the trajectory of that."""
    try:
        end = yield from steps
    except LimitReached as spent:
        return track.trajectory(track.last, spent.finish, spent.reason)
    if end.plan is not None and end.plan.final:
        return track.trajectory(end, "answer" if end.plan.answer is not None else "give-up")
    return track.trajectory(end, "steps", end.reason or "steps-spent")


def step(
    track: Track, node: Node, *, index: int = 1, siblings: Sequence[Past] = (), advice: str = ""
) -> Steps[tuple[Node, Action]]:
    """Ask for the next action after `node` and take it: the new node, and the action.

    What is no action is a round that says so; after a second one in a row the tree ends.
    """
    try:
        action: Action = yield from _choose(track, node, tuple(siblings), advice)
    except Unusable as said:
        if node.reason == NO_ACTION:
            raise
        invalid = Invalid(NO_ACTION, f"That could not be read as a function to call: {said.reason}.")
        action = Action(action="")
        return _invalid(track, node, action, index, OperationKey("", ""), invalid), action
    return (yield from take(track, node, action, index=index)), action


def _choose(track: Track, node: Node, siblings: tuple[Past, ...], advice: str) -> Steps[Action]:
    """The next action; a function with parameters that was shown in short is shown whole before it is called."""
    chosen = ""
    while True:
        folded = track.tools.folded(track.task.text, track.opened.union(track.path))
        action: Action = yield from track.ask(
            NextAction(
                **track.situation(node),
                operations=track.tools.sheets,
                folded=folded,
                chosen=chosen,
                siblings=siblings,
                advice=advice,
                tags=track.tags,
                path=track.path,
            )
        )
        sheet = track.tools.sheet(action.action)
        if sheet is None or not sheet.parameters or sheet.name not in folded:
            return action
        chosen = sheet.name
        track.opened.add(chosen)


def take(track: Track, node: Node, action: Action, *, index: int = 1) -> Steps[Node]:
    """Do what the model said: finish, call, or explain why that cannot be done."""
    if action.action == FINISH:
        return _finish(track, node, action, index)
    sheet = track.tools.sheet(action.action)
    if sheet is None:
        names = ", ".join(list(track.tools.by_name)[:40])
        key = OperationKey("", action.action)
        return _invalid(
            track,
            node,
            action,
            index,
            key,
            Invalid("no-such-operation", f"There is no function {action.action!r}. There are: {names}, {FINISH}."),
        )
    arguments = track.tools.bind(sheet, action.arguments)
    if isinstance(arguments, Invalid):
        return _invalid(track, node, action, index, sheet.key, arguments)
    if _repeats(track, node, sheet.key, arguments):
        invalid = Invalid("same-call", "This call was made before, and it was answered the same. Do something else.")
        return _invalid(track, node, action, index, sheet.key, invalid, arguments)
    return (yield from _call(track, node, action, index, sheet, arguments))


def _finish(track: Track, node: Node, action: Action, index: int) -> Node:
    gives_up = action.arguments.get("return_type") == GIVE_UP
    answer = None if gives_up else action.arguments.get("final_answer")
    if answer is None and not gives_up:
        invalid = Invalid("missing-argument", f"{FINISH} needs final_answer, or the return_type {GIVE_UP}.")
        return _invalid(track, node, action, index, OperationKey("", FINISH), invalid)
    child = node.child(index, Plan(action.thought, answer=answer))
    return track.keep(child, _past(action, ""))


def _invalid(
    track: Track, node: Node, action: Action, index: int, key: OperationKey, invalid: Invalid,
    arguments: dict[str, Json] | None = None,
) -> Node:  # fmt: skip
    sent = dict(action.arguments) if arguments is None else arguments
    child = node.child(index, Plan(action.thought, key, sent))
    return track.keep(
        replace(child, observation=invalid.text, reason=invalid.reason), _past(action, invalid.text, "invalid")
    )


def _call(
    track: Track, node: Node, action: Action, index: int, sheet: Sheet, arguments: dict[str, object]
) -> Steps[Node]:
    if track.calls >= track.limits.calls:
        raise LimitReached("calls", "calls-spent")
    track.calls += 1
    call: Call = yield Invoke(sheet.key, arguments, "scenario", track.task.id)
    if call.error == "budget":
        raise LimitReached("calls", "budget-spent")
    observation = track.tools.observe(sheet, call)
    child = node.child(index, Plan(action.thought, sheet.key, arguments))
    finished = replace(
        child, call=call, observation=observation, reason="" if call.ok else call.error or f"http-{call.status}"
    )
    kept = track.keep(finished, _past(action, observation, "answered" if call.ok else "failed"))
    if call.ok and track.tools.experiences(sheet):
        yield from _fit_experience(track, kept, track.tools.experiences(sheet))
    return kept


def _fit_experience(track: Track, node: Node, experiences: tuple[str, ...]) -> Steps[None]:
    """Show an agent what of an experience set it says fits where it is; none if that cannot be read."""
    try:
        fitting: Fitting = yield from track.ask(FitExperience(**track.situation(node), experiences=experiences))
    except Unusable:
        return
    chosen = tuple(text for number, text in enumerate(experiences, 1) if number in fitting.numbers)
    track.seen[node.id] = track.seen[node.id].model_copy(update={"experience": chosen})


def _past(action: Action, observation: str, outcome: Any = "answered") -> Past:
    return Past(
        thought=action.thought,
        action=action.action,
        arguments=action.arguments,
        observation=observation,
        outcome=outcome,
    )


def _repeats(track: Track, node: Node, key: OperationKey, arguments: dict[str, object]) -> bool:
    """Whether the way here made this very call, which only reads, and nothing that may change something since."""
    if key.method not in SAFE_METHODS:
        return False
    for one in reversed(track.way(node)):
        if one.call is None or one.plan is None:
            continue
        if one.call.key.method not in SAFE_METHODS:
            return False
        if one.plan.key == key and one.plan.arguments == arguments:
            return True
    return False


def _operation_of(prompt: AgentPrompt[Any]) -> tuple[Sheet, ...]:
    sheet = getattr(prompt, "operation", None)
    return (sheet,) if sheet is not None else ()
