"""Tasks that evidence shows to be solvable: the offline engine's scenarios, for the kinds of instructions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from docrev.graph.tool_graph import ToolGraph
from docrev.offline import OfflineModel
from docrev.prompts.questions import DesignScenario
from docrev.prompts.training import Kind
from docrev.records import Call, OperationKey
from docrev.spec import Catalog

ROUNDS = 40
"""How often each operation is asked for a new scenario, at most."""
_RANK = {"POST": 0, "PUT": 1, "PATCH": 1, "DELETE": 2}


@dataclass(frozen=True, slots=True)
class SolvableTask:
    """What is asked for, the operations that it needs in their order, and the fields that an answer tells."""

    texts: tuple[str, ...]
    needed: tuple[OperationKey, ...]
    wanted: tuple[str, ...]

    @property
    def tools(self) -> set[str]:
        return {key.tool for key in self.needed}


class EvidenceTasks:
    """Scenarios from calls; the same for the same calls and seed."""

    def __init__(self, catalog: Catalog, calls: Sequence[Call], seed: int) -> None:
        self._graph, self._seed = ToolGraph(catalog), seed
        self._model = OfflineModel(catalog, self._graph, seed=seed)
        self._texts: set[str] = set()
        for call in calls:
            self._graph.observe(call)
        self._answered = sorted({call.key for call in calls})

    def of(
        self, kind: Kind, usable: Sequence[OperationKey], groups: Mapping[str, Sequence[str]], count: int
    ) -> list[SolvableTask]:
        """Up to `count` tasks with the operations they need: of one tool, or of several tools of one group."""
        allowed = set(usable)
        chosen = [key for key in self._answered if key in allowed]
        if kind == "I1":
            return list(islice((one for one in self._tasks_in_turns(chosen, allowed) if len(one.tools) == 1), count))
        tasks = list(islice(self._tasks_in_turns(chosen, allowed), 2 * count + len(chosen)))
        across = [one for one in tasks if len(one.tools) > 1 and any(one.tools <= set(g) for g in groups.values())]
        Random(self._seed).shuffle(tasks)
        return [*across, *_paired(tasks, groups)][:count]

    def _tasks_in_turns(self, chosen: Sequence[OperationKey], known: set[OperationKey]) -> Iterator[SolvableTask]:
        """Tasks in turns around each operation, until nothing new comes."""
        for _ in range(ROUNDS):
            tasks = [task for key in chosen if (task := self._next(key)) is not None]
            if not tasks:
                return
            yield from (task for task in tasks if set(task.needed) <= known)

    def _next(self, key: OperationKey) -> SolvableTask | None:
        draft = self._model.answer(
            DesignScenario.model_construct(
                first=key, operations=(), calls=(), single_tool=False, avoid=frozenset(self._texts)
            )
        )
        if not draft.text or draft.text in self._texts:
            return None
        self._texts.add(draft.text)
        wanted = (draft.goal.want,) if draft.goal is not None else ()
        return SolvableTask((draft.text,), in_order(dict.fromkeys(draft.operations), self._graph), wanted)


def in_order(keys: Iterable[OperationKey], graph: ToolGraph) -> tuple[OperationKey, ...]:
    """Operations in the order of a path: each after those whose responses feed it, and what looks after what writes."""
    rest = list(keys)
    feeds = _feeding(rest, graph)
    ordered: list[OperationKey] = []
    while rest:
        free = [key for key in rest if not feeds[key] & set(rest)] or rest
        # The order given breaks ties, as `min` keeps the first.
        ordered.append(min(free, key=lambda key: _RANK.get(key.method, 3)))
        rest.remove(ordered[-1])
    return tuple(ordered)


def _feeding(keys: Sequence[OperationKey], graph: ToolGraph) -> dict[OperationKey, set[OperationKey]]:
    """What feeds each of these operations, more than it is fed by it."""
    best: defaultdict[tuple[OperationKey, OperationKey], float] = defaultdict(float)
    for edge in (edge for key in keys for edge in graph.consumers(key)):
        pair = (edge.source, edge.target)
        best[pair] = max(best[pair], edge.score)
    return {
        key: _sources(key, {other for other in keys if other != key and best[other, key] > best[key, other]})
        for key in keys
    }


def _sources(key: OperationKey, feeding: set[OperationKey]) -> set[OperationKey]:
    """What an operation waits for: what the same path created is changed or deleted, not what was listed."""
    if key.method == "POST":
        # What lies below a list is there once the list was made.
        feeding = {other for other in feeding if not other.path.startswith(f"{key.path}/")}
    return {source for source in feeding if source.method == "POST"} or feeding


def _paired(tasks: Sequence[SolvableTask], groups: Mapping[str, Sequence[str]]) -> Iterator[SolvableTask]:
    """Two tasks that only read, of different tools of one group, as one."""
    reading = [task for task in tasks if all(key.method == "GET" for key in task.needed) and len(task.tools) == 1]
    for group in groups.values():
        waiting: list[SolvableTask] = []
        for task in (one for one in reading if one.tools <= set(group)):
            other = next((one for one in waiting if one.tools != task.tools), None)
            if other is None:
                waiting.append(task)
                continue
            waiting.remove(other)
            texts, needed = (*other.texts, *task.texts), (*other.needed, *task.needed)
            yield SolvableTask(texts, needed, (*other.wanted, *task.wanted))
