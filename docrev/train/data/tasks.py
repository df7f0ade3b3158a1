"""Tasks that evidence shows to be solvable: the offline engine's scenarios, for the kinds of instructions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from docrev.graph import ToolGraph
from docrev.models.offline import OfflineModel
from docrev.prompts.questions import DesignScenario
from docrev.prompts.training import Kind
from docrev.records import Call, OperationKey
from docrev.spec import Catalog

ROUNDS = 40
"""How often each operation is asked for a new scenario, at most."""
Task = tuple[str, tuple[OperationKey, ...]]


class EvidenceTasks:
    """Scenarios from calls; the same for the same calls and seed."""

    def __init__(self, catalog: Catalog, calls: Sequence[Call], seed: int) -> None:
        graph = ToolGraph(catalog)
        self._model = OfflineModel(catalog, graph, seed=seed)
        self._texts: set[str] = set()
        for call in calls:
            graph.observe(call)
        self._answered = sorted({call.key for call in calls})

    def of(
        self, kind: Kind, usable: Sequence[OperationKey], groups: Mapping[str, Sequence[str]], count: int
    ) -> list[Task]:
        """Up to `count` tasks with the operations they need: of one tool, or of several tools of one group."""
        chosen, known = [key for key in self._answered if key in set(usable)], set(usable)
        if kind == "I1":
            return list(islice((one for one in self._made(chosen, known) if len(_tools(one)) == 1), count))
        made = list(islice(self._made(chosen, known), 2 * count + len(chosen)))
        across = [one for one in made if len(_tools(one)) > 1 and any(_tools(one) <= set(g) for g in groups.values())]
        return [*across, *_paired(made, groups)][:count]

    def _made(self, chosen: Sequence[OperationKey], known: set[OperationKey]) -> Iterator[Task]:
        """Tasks in turns around each operation, until nothing new comes."""
        for _ in range(ROUNDS):
            tasks = [task for key in chosen if (task := self._next(key)) is not None]
            if not tasks:
                return
            yield from (task for task in tasks if set(task[1]) <= known)

    def _next(self, key: OperationKey) -> Task | None:
        draft = self._model.answer(
            DesignScenario.model_construct(
                first=key, operations=(), calls=(), single_tool=False, avoid=frozenset(self._texts)
            )
        )
        if not draft.text or draft.text in self._texts:
            return None
        self._texts.add(draft.text)
        return draft.text, tuple(dict.fromkeys(draft.operations))


def _paired(tasks: Sequence[Task], groups: Mapping[str, Sequence[str]]) -> Iterator[Task]:
    """Two tasks that only read, of different tools of one group, as one."""
    reading = [task for task in tasks if all(key.method == "GET" for key in task[1]) and len(_tools(task)) == 1]
    for group in groups.values():
        waiting: list[Task] = []
        for task in (one for one in reading if _tools(one) <= set(group)):
            other = next((one for one in waiting if _tools(one) != _tools(task)), None)
            if other is None:
                waiting.append(task)
                continue
            waiting.remove(other)
            yield f"{other[0]} {task[0]}", (*other[1], *task[1])


def _tools(task: Task) -> set[str]:
    return {key.tool for key in task[1]}
