"""The program of an exploration: survey, scenarios in rounds, probes, facts and their replay, clean-up.

It is one generator of steps, so a run that was cut off goes on by running it again: the driver finds the calls that
were finished in the evidence. Rounds are built from what was known at their start, and taken in in the order of their
scenarios, so the result does not depend on the order in which answers arrive.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import replace

from docrev.calls.routes import Routes
from docrev.conventions.methods import SAFE_METHODS
from docrev.driver.cleaning import CleanUp
from docrev.events import (
    ExperienceGained,
    FactShown,
    Notice,
    OperationMissed,
    PhaseStarted,
    ScenarioFinished,
    ScenarioStarted,
)
from docrev.evidence.queries import reached
from docrev.evidence.usefulness import useless_tools
from docrev.exploration.compare import compare
from docrev.exploration.doubt_rounds import DoubtRounds
from docrev.exploration.doubts import Distrust
from docrev.exploration.experience import learn, value_sources
from docrev.exploration.experiments import perform
from docrev.exploration.given_values import GivenValues
from docrev.exploration.held_requests import HeldRequests
from docrev.exploration.probe import Prober
from docrev.exploration.probe_conditions import ConditionProber
from docrev.exploration.probe_lists import ListProber
from docrev.exploration.probe_places import Places
from docrev.exploration.probe_reads import ReadProber
from docrev.exploration.probe_states import StateProber
from docrev.exploration.probed_facts import Probed, says_more
from docrev.exploration.reaching import reach
from docrev.exploration.scenarios import Board, design_round, no_calls
from docrev.exploration.second_looks import SecondLooks
from docrev.exploration.shares import Shares
from docrev.exploration.state_bench import StateBench
from docrev.exploration.survey import Survey, Surveyor
from docrev.exploration.tasks import design_tasks
from docrev.exploration.traces import solve_tasks
from docrev.exploration.unreached import HELPED_BY_VALUES, Unreached
from docrev.exploration.wanted_values import wanted_places, wanted_values
from docrev.exploration.workspace import ExplorationOutcome, Method, Workspace
from docrev.facts import infer, refuted, replay
from docrev.facts.observations import observe
from docrev.prompts.briefs import briefs
from docrev.prompts.steps import Steps
from docrev.records import Call, Experience, Fact, JournalItem, OperationKey, Purpose, Scenario
from docrev.search import SearchResult, search
from docrev.settings.choices import Strategy

ROUND = 16
"""Scenarios of a round: they are designed from the same evidence and searched side by side."""
SPARE = 20
"""Requests that the stages must leave over for the survey to go on."""
TURNS = 2
"""Scenarios that each working operation is in, at least, before the exploration ends."""
_CALLED: tuple[Purpose, ...] = ("survey", "scenario")
"""What calls before the probes were made for."""


def explore(workspace: Workspace, method: Method) -> Steps[ExplorationOutcome]:
    """Explore a catalog. Yields steps; everything learned is in the workspace's evidence when it returns."""
    return (yield from _Exploration(workspace, method).run())


class _Exploration:
    def __init__(self, workspace: Workspace, method: Method) -> None:
        self._workspace, self._method = workspace, method
        self._results: dict[str, list[SearchResult]] = {name: [] for name in method.strategies}
        self._experiences: list[Experience] = []
        self._sources: list[Experience] = []
        self._answered: set[OperationKey] = set()
        self._doubts = Distrust(workspace.catalog)
        self._changes: list[str] = []
        self._looks = SecondLooks(workspace.catalog, workspace.journal, self._tell_change, self._keep)
        self._probed = Probed()
        self._doubted = DoubtRounds(workspace.catalog, workspace.evidence, self._observe)
        self._shares = Shares.of(workspace.limit, len(workspace.catalog.operations))
        self._held = HeldRequests(workspace, self._shares)

    def run(self) -> Steps[ExplorationOutcome]:
        workspace = self._workspace
        workspace.emit(PhaseStarted("survey", len(workspace.catalog.operations), workspace.limit))
        surveyor = Surveyor(
            workspace.catalog,
            workspace.graph,
            workspace.journal,
            workspace.policy,
            self._looks,
            workspace.given,
            asks=workspace.asks,
        )
        if self._method.toolbfs:
            return (yield from self._as_in_the_paper(surveyor))
        # What is reached must be asked about too, be it at the cost of what could still be reached.
        shares = self._shares
        yield from reach(surveyor, self._held.hold, shares)
        self._held.hold(shares.replay + shares.probes)
        survey: Survey = yield from surveyor.vary()
        self._answered |= set(survey.reached)
        if self._method.guided:
            yield from self._doubted.first(self._inferred())
        self._held.hold(0)
        self._held.hold(shares.held_from_scenarios(workspace.left()))
        yield from self._scenarios()
        self._held.hold(shares.replay + shares.probes)
        yield from self._try_experiences()
        self._held.hold(shares.replay)
        again: dict[str, Call] = (yield from self._probes(survey)) if survey.reached else {}
        survey = yield from self._go_on(surveyor, survey, again)
        if self._method.guided:
            yield from self._doubted.last([*self._probed.kept, *self._inferred()])
        if survey.reached:
            self._doubts.look(workspace.evidence)
        for text in self._doubts.notes:
            workspace.emit(Notice(text))
        # Nothing is gone that was not looked for.
        self._held.hold_for_clean_up()
        kept, dropped = yield from self._facts(again)
        survey = yield from surveyor.finish()
        self._answered |= set(survey.reached)
        self._held.release()
        cleaned = yield from workspace.clean_up()
        return replace(self._outcome(survey, cleaned), facts=kept, dropped=dropped)

    def _as_in_the_paper(self, surveyor: Surveyor) -> Steps[ExplorationOutcome]:
        """The stages of ToolBFS+ (§3.2, §3.3).

        The built-in designer takes the values of a first call of each operation; a model knows names of its own.
        """
        if not self._method.written:
            yield from surveyor.reach()
        self._held.release()
        survey: Survey = yield from surveyor.finish()
        self._answered |= set(survey.reached)
        yield from self._scenarios(surveyor.permitted if self._method.written else ())
        self._keep_experiences()
        cleaned = yield from self._workspace.clean_up()
        return self._outcome(survey, cleaned)

    def _outcome(self, survey: Survey, cleaned: CleanUp) -> ExplorationOutcome:
        main = self._results[self._method.strategies[0]]
        # What the clean-up called was answered, too.
        self._answered.update(reached(self._workspace.evidence))
        places = self._wanted(survey)
        missed = self._missed(survey, places)
        # Those that came after the budget was spent were only thought of.
        tried = [result for result in main if result.solution is not None or not _lacked_requests(result)]
        return ExplorationOutcome(
            survey=survey,
            scenarios=len(tried),
            solved=sum(result.solution is not None for result in main),
            experiences=len(self._experiences),
            cleaned=cleaned,
            missed=missed,
            wanted=wanted_values(places, self._workspace.catalog),
            findings=(*sorted(self._changes), *self._doubts.notes),
            comparison=compare(self._results) if self._method.compare else None,
        )

    def _go_on(self, surveyor: Surveyor, survey: Survey, again: dict[str, Call]) -> Steps[Survey]:
        """Give what the other stages left over to what was not reached, and to what this reaches.

        The answers to repeated calls are added to `again`.
        """
        while survey.reached and (spare := self._held.left()) >= SPARE and surveyor.persist():
            held = self._held.held
            # What is reached now must be asked about too.
            self._held.hold(held + spare // 2)
            yield from surveyor.reach()
            self._held.hold(held)
            survey = yield from surveyor.vary(besides=self._answered)
            if not survey.reached.keys() <= self._answered:
                again |= yield from self._probes(survey, besides=frozenset(self._answered))
                self._answered |= set(survey.reached)
                self._held.hold(held)
        return survey

    def _keep(self, item: JournalItem) -> None:
        self._workspace.evidence.journal.put(item, again=True)

    def _tell_change(self, text: str, calls: Sequence[Call]) -> None:
        """A call that should only read had changed something."""
        workspace = self._workspace
        if text not in self._changes:
            self._changes.append(text)
            workspace.emit(Notice(text))
        for call in calls:
            if not workspace.journal.owns(workspace.catalog[call.key], call.arguments):
                workspace.evidence.intents.put_unforeseen(call)

    # Scenarios

    def _scenarios(self, untried: Collection[OperationKey] = ()) -> Steps[None]:
        """Rounds until every working operation had its turns, or nothing new can be made; `untried` count as working.

        Of what was tried, a model is shown calls, from which it takes names.
        """
        operations = tuple(briefs(self._workspace.catalog))
        board = Board(operations, self._method.single_tool, no_calls if untried else self._workspace.sample)
        self._workspace.emit(PhaseStarted("scenarios"))
        while True:
            board.working = self._answered.union(untried)
            waiting = [key for key in sorted(board.working) if board.uses.get(key, 0) < TURNS]
            scenarios: list[Scenario] = yield from self._designed(board)
            if not scenarios:
                return
            spent = yield from self._round(scenarios, board)
            if spent or not any(key in waiting for scenario in scenarios for key in scenario.operations):
                return

    def _designed(self, board: Board) -> Steps[list[Scenario]]:
        if not self._method.guided:
            return (yield from design_round(board, ROUND))
        workspace = self._workspace
        scenarios = yield from design_tasks(board, workspace.graph, self._doubted.claims, ROUND)
        return [replace(scenario, goal=workspace.read_goal(scenario)) for scenario in scenarios]

    def _round(self, scenarios: Sequence[Scenario], board: Board) -> Steps[bool]:
        """Solve a round and take in the results in its order; True if the budget is spent."""
        workspace = self._workspace
        for scenario in scenarios:
            workspace.evidence.put_scenario(scenario)
            workspace.emit(ScenarioStarted(scenario))
        solved = self._conversations if self._method.guided else self._searches
        results = yield from solved(scenarios, board)
        order = {scenario.id: index for index, scenario in enumerate(scenarios)}
        spent = False
        for result in sorted(results, key=lambda found: order[found.scenario.id]):
            spent = (yield from self._take_in(result)) or spent
        return spent

    def _conversations(self, scenarios: Sequence[Scenario], board: Board) -> Steps[list[SearchResult]]:
        return solve_tasks(scenarios, board.operations, tuple(self._experiences), self._method.strategies[0])

    def _searches(self, scenarios: Sequence[Scenario], board: Board) -> Steps[list[SearchResult]]:
        """Search: what only reads side by side, what may write alone."""
        tasks = [(scenario, strategy) for scenario in scenarios for strategy in self._method.strategies]
        reading = [task for task in tasks if _reads(task[0])]
        known = tuple(self._experiences)
        results: list[SearchResult] = yield [
            self._search(strategy, scenario, board, known) for scenario, strategy in reading
        ]
        for scenario, strategy in tasks:
            if not _reads(scenario):
                results.append((yield from self._search(strategy, scenario, board, known)))
        return results

    def _search(
        self, strategy: Strategy, scenario: Scenario, board: Board, known: Sequence[Experience]
    ) -> Steps[SearchResult]:
        """One search; in ToolBFS+ experience is for those who use the tools later, and does not guide exploring."""
        experiences = () if self._method.toolbfs else known
        limits = self._method.limits(strategy)
        return search(strategy, scenario, board.operations, limits=limits, experiences=experiences)

    def _take_in(self, result: SearchResult) -> Steps[bool]:
        workspace = self._workspace
        calls = [node.call for node in result.nodes if node.call is not None]
        # Those with an outcome and without a label were kept when they were finished.
        late = (node for node in result.nodes if node.label is not None or (node.call is None and node.correct is None))
        workspace.evidence.put_nodes(late)
        for call in calls:
            self._observe(call)
        self._results[result.strategy].append(result)
        if result.solution is not None:
            workspace.evidence.put_solution(result.solution)
        workspace.emit(ScenarioFinished(result.scenario, result.strategy, result.solution, result.calls))
        if result.strategy == self._method.strategies[0]:
            published = self._method.toolbfs
            self._experiences += yield from learn(result, self._experiences, published=published)
            self._sources += value_sources(result)
        return any(call.error == "budget" for call in calls)

    def _observe(self, call: Call) -> None:
        self._workspace.graph.observe(call)
        if call.ok:
            self._answered.add(call.key)

    def _try_experiences(self) -> Steps[None]:
        """Keep the experiences that help in a fresh task of the same kind."""
        workspace = self._workspace
        self._experiences = yield from workspace.try_experiences([*self._experiences, *self._sources])
        self._keep_experiences()

    def _keep_experiences(self) -> None:
        for experience in self._experiences:
            self._workspace.evidence.put_experience(experience)
            self._workspace.emit(ExperienceGained(experience))

    # Probes and facts

    def _probes(self, survey: Survey, besides: Container[OperationKey] = ()) -> Steps[dict[str, Call]]:
        """What the scenarios leave open, asked on purpose; then everything twice in a row. Returns these calls.

        Operations in `besides` are passed over: they were asked before.
        """
        workspace = self._workspace
        workspace.emit(PhaseStarted("probes"))
        # A run that is resumed finds its own probes in the evidence: they are no reason for others.
        known = (call for purpose in _CALLED for call in workspace.evidence.calls.select(purpose=purpose))
        seen = observe(known, (operation.key for operation in workspace.catalog.operations))
        routes = Routes(workspace.catalog.operations)
        places = Places(workspace.journal, routes, seen)
        prober = Prober(workspace.catalog, workspace.graph, workspace.evidence, survey.reached, places, self._looks)
        bench = StateBench(workspace.catalog, workspace.journal, workspace.policy, routes, places, seen)
        states = StateProber(bench)
        reads = ReadProber(workspace.catalog, workspace.policy, places, seen, workspace.secrets)
        conditions = ConditionProber(bench)
        lists = ListProber(reads.reading, seen)
        found = (
            *prober.experiments(),
            *states.experiments(),
            *conditions.experiments(),
            *reads.experiments(),
            *lists.experiments(),
        )
        experiments = [experiment for experiment in found if experiment.key not in besides]
        yield from perform(experiments, self._method.probe_order, self._held.left, self._held.hold_more)
        probed = prober.probed
        false = refuted(probed.kept, workspace.evidence)
        self._probed.add(Probed([fact for fact in probed.kept if fact not in false], [*probed.dropped, *false]))
        # What is compared now has been shown again.
        held = self._held.held
        self._held.hold(held // 2)
        again: dict[str, Call] = yield from reads.again(self._doubts, besides, self._held.left())
        self._held.hold(held // 2 if again else held)
        return again

    def _inferred(self) -> list[Fact]:
        """The inferred facts that say more than the probes have shown."""
        workspace, probed = self._workspace, self._probed.kept
        shown = {(fact.key, fact.kind, fact.location): fact for fact in probed}
        inferred = infer(workspace.catalog, workspace.evidence, workspace.graph.edges(), probed=probed)
        useless = useless_tools(workspace.evidence)
        return [
            fact
            for fact in inferred
            if says_more(fact, shown.get((fact.key, fact.kind, fact.location))) and fact.key.tool not in useless
        ]

    def _facts(self, again: Mapping[str, Call]) -> Steps[tuple[int, int]]:
        """Infer what the calls show, show it again, keep what could be; `again` are calls that were repeated."""
        workspace, probed = self._workspace, self._probed
        candidates = self._inferred()
        workspace.emit(PhaseStarted("replay", len(candidates)))
        # What answers differently each time is not known by any number of calls.
        doubts = self._doubts
        believed = [fact for fact in candidates if not doubts.about(fact)]
        allow = workspace.policy.allow
        replayed = yield from replay(believed, workspace.evidence, allow=allow, done=again, left=workspace.left)
        more = {(fact.key, fact.kind, fact.location) for fact in replayed.kept}
        probes = (fact for fact in probed.kept if (fact.key, fact.kind, fact.location) not in more)
        kept = [*(fact for fact in probes if not doubts.about(fact)), *replayed.kept]
        dropped = [*probed.dropped, *replayed.dropped, *filter(doubts.about, [*probed.kept, *candidates])]
        workspace.evidence.put_facts(kept, dropped)
        for is_kept, facts in ((False, dropped), (True, kept)):
            for fact in facts:
                workspace.emit(FactShown(fact, is_kept))
        return len(kept), len(dropped)

    # The end

    def _wanted(self, survey: Survey) -> dict[OperationKey, str]:
        workspace = self._workspace
        tried = {key for key, reason in survey.missed.items() if reason.kind != "budget"}
        missed = tried - self._answered
        effects, calls = workspace.journal.effects, workspace.evidence.calls.select()
        given = GivenValues(workspace.given)
        return wanted_places(missed, calls, workspace.catalog, effects, workspace.policy, given)

    def _missed(self, survey: Survey, places: Mapping[OperationKey, str]) -> dict[OperationKey, Unreached]:
        """Why operations were missed; where a value would help, that is why."""
        workspace = self._workspace
        missed = {key: reason for key, reason in survey.missed.items() if key not in self._answered}
        for key, reason in missed.items():
            if key in places and reason.kind in HELPED_BY_VALUES:
                missed[key] = replace(reason, kind="value")
            workspace.evidence.put_missed(key, reason.why)
            workspace.emit(OperationMissed(key, reason.why))
        return missed


def _lacked_requests(result: SearchResult) -> bool:
    return all(node.call is None or node.call.error == "budget" for node in result.nodes)


def _reads(scenario: Scenario) -> bool:
    return all(key.method in SAFE_METHODS for key in scenario.operations)
