"""Scenarios by algorithm (ToolBFS+ §3.2): around the least-used operation, on paths shown to work by the evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from docrev.conventions.ids import is_id_name
from docrev.language.path_templates import parameters_of
from docrev.planner.filled_paths import FilledPath, PathFiller
from docrev.planner.knowledge import LIKELY, Knowledge, Memo
from docrev.planner.operation_paths import OperationPath, OperationPaths, PathStart
from docrev.planner.operation_views import OperationView
from docrev.planner.scenario_texts import scenario_text
from docrev.planner.write_scenario_texts import write_scenario_text
from docrev.planner.write_scenarios import WriteScenarios
from docrev.prompts.questions import DesignScenario, ScenarioDraft
from docrev.records import Goal, OperationKey

MAX_PATHS = 80
"""Paths that are tried for a scenario."""
MAX_WRITING = 2
"""Scenarios that write, around each operation: they cost more calls than others, and leave more to clean up."""
_LENGTH_COST = {1: 3, 2: 0, 3: 0.7, 4: 2}
"""Paths through two operations are preferred."""
_ID_COST = 20


class ScenarioDesigner:
    """Answers `DesignScenario`. It counts what it has designed, so that the next scenario is another one."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self._knowledge = knowledge
        self._seed = seed
        self._paths = OperationPaths(knowledge)
        self._usable: Memo[list[OperationPath]] = knowledge.memo()
        self._filler = PathFiller(knowledge, seed)
        self._write_scenarios = WriteScenarios(knowledge, seed)
        self._path_uses: Counter[OperationPath] = Counter()
        self._operation_uses: Counter[OperationKey] = Counter()
        self._designed = 0
        self._exhausted: dict[OperationKey, int] = {}
        """Operations without a further scenario, with the number of successful calls known when that was found."""

    def design(self, prompt: DesignScenario) -> ScenarioDraft:
        """A scenario with `first` in it, or the reason why there is none."""
        view = self._knowledge.views.get(prompt.first)
        if view is None or not view.successes:
            return ScenarioDraft(text="", reason="no call returned 2xx")
        if self._exhausted.get(view.key) == view.successes:
            return ScenarioDraft(text="", reason=_reason(view))
        reading = self._design_reading(prompt, view) if view.is_safe else None
        return reading or self._design_writing(prompt, view)

    def _design_reading(self, prompt: DesignScenario, view: OperationView) -> ScenarioDraft | None:
        """A scenario along a path; at every other turn the answer must be known."""
        fallback: tuple[FilledPath, str] | None = None
        for path in self._ranked(view, prompt.single_tool):
            for filled in self._filler.fill(path, self._designed + self._path_uses[path]):
                text = scenario_text(self._knowledge, filled, self._seed)
                if text in prompt.avoid:
                    continue
                # Who asks for a bare ID has a use for it that another scenario names.
                if (filled.is_known or self._designed % 2) and not is_id_name(filled.goal.want):
                    return self._keep(prompt.first, filled, text)
                fallback = fallback or (filled, text)
        return self._keep(prompt.first, *fallback) if fallback is not None else None

    def _design_writing(self, prompt: DesignScenario, view: OperationView) -> ScenarioDraft:
        """A scenario that writes, if there is something to create, read, change or delete here."""
        uses = self._operation_uses[view.key]
        if uses >= MAX_WRITING:
            return ScenarioDraft(text="", reason="enough scenarios write to it")
        for scenario in self._write_scenarios.around(view, uses) if not prompt.single_tool else ():
            text = write_scenario_text(scenario)
            if text not in prompt.avoid:
                self._count(scenario.operations)
                return _draft(prompt.first, scenario.operations, text, scenario.goal)
        self._exhausted[view.key] = view.successes
        return ScenarioDraft(text="", reason=_reason(view))

    def _ranked(self, view: OperationView, single: bool) -> list[OperationPath]:
        """Paths through the operation: of several operations first (ToolBFS+ §3.2), then unused, then used less."""
        paths = self._usable.get((view.key, single), lambda: self._find_usable(view, single))
        return sorted(paths, key=lambda path: (len(path.keys) < 2, self._cost(path)))[:MAX_PATHS]

    def _find_usable(self, view: OperationView, single: bool) -> list[OperationPath]:
        paths = self._paths.through(view.key)
        if single:
            paths = [path for path in paths if path.keys == (view.key,)]
        if not paths and view.key.method == "GET":
            paths = [OperationPath(PathStart(view.key, "arguments"))]
        return [path for path in paths if not self._names_known_id(path.start)]

    def _names_known_id(self, start: PathStart) -> bool:
        """Whether the text would name a bare ID that other operations return: a person would name the thing."""
        locations = [f"path:{name}" for name in parameters_of(start.key.path)]
        edges = (self._knowledge.best_edges(start.key, at)[:1] for at in locations if is_id_name(at.partition(":")[2]))
        return _names_id(start) and any(found[0].score >= LIKELY for found in edges if found)

    def _cost(self, path: OperationPath) -> float:
        keys = path.keys
        uses = sum(self._operation_uses[key] for key in keys) / len(keys)
        id_cost = _ID_COST if _names_id(path.start) else 0
        return 2 * self._path_uses[path] + _LENGTH_COST.get(len(keys), 2) + 0.2 * uses + id_cost

    def _keep(self, first: OperationKey, filled: FilledPath, text: str) -> ScenarioDraft:
        self._filler.count(filled)
        self._path_uses[filled.path] += 1
        self._count(filled.path.keys)
        return _draft(first, filled.path.keys, text, filled.goal)

    def _count(self, keys: Iterable[OperationKey]) -> None:
        self._designed += 1
        self._operation_uses.update(keys)


def _names_id(start: PathStart) -> bool:
    """Whether the text would have to name an item by a bare ID."""
    return (start.kind == "code" and is_id_name(start.label)) or (start.kind == "arguments" and "{" in start.key.path)


def _reason(view: OperationView) -> str:
    if not view.fields:
        return "its responses contain nothing to ask for"
    return "no value that a text can name leads to its responses, or all of them were asked for"


def _draft(first: OperationKey, keys: Iterable[OperationKey], text: str, goal: Goal) -> ScenarioDraft:
    others = tuple(key for key in keys if key != first)
    return ScenarioDraft.model_construct(text=text, operations=(first, *others), goal=goal, reason="")
