"""What the built-in agent does next: the next call of the most promising way that the history does not rule out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from docrev.agent.clauses import METHODS, Clause
from docrev.agent.documents import AgentDocuments
from docrev.agent.field_answers import MIN_FIT, answer
from docrev.agent.pursuit import DeadEnd, Pursuit, PursuitOutcome, purpose
from docrev.agent.responses import SeenResponse, has_value, read_response, select_items
from docrev.agent.way_search import WaySearch
from docrev.agent.ways import Way, WayStep
from docrev.prompts.agents import Action, Past, finish, give_up
from docrev.records import Json

LEAST_SCORE = 0.0
"""A way that scores less is not tried."""
MAX_UNANSWERED = 3
"""Ways that may end without the field that was asked for, before the agent answers as well as it can."""
MAX_DEAD_ENDS = 12
"""Ways that may lead nowhere before the agent gives a clause up."""
LOOSE_WAYS = 3
"""Ways that are tried again with the first thing that is there, if what was named is not."""
LOOSE_FIT = 0.15
"""How well a field must fit that answers at the very end."""
PLANNED = 1.5
"""What a plan does for the operations that it names."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The next action, and what it is for in plain words."""

    action: Action
    purpose: str = ""


@dataclass(slots=True)
class Actor:
    """One task with the documents for it; asked again and again with a longer history."""

    docs: AgentDocuments
    clauses: Sequence[Clause]
    _ways: dict[tuple[object, ...], list[Way]] = field(default_factory=dict)

    def decide(
        self,
        history: Sequence[Past],
        siblings: Sequence[Past] = (),
        planned: Sequence[str] = (),
        attempt: int = 0,
    ) -> Decision:
        """The next action after `history`, other than `siblings`; `attempt` skips that many of the best ways."""
        start = 0
        answers: list[Json] = []
        outcome: Decision | PursuitOutcome | None = None
        for number, clause in enumerate(self.clauses):
            outcome = self._serve(number, history, start, siblings, planned, attempt)
            if isinstance(outcome, Decision):
                return outcome
            if outcome is not None:
                answers = _with_answer(answers, clause, outcome.answer)
            if clause.deed != "read":
                start = max(start, self._end(clause, history, start))
        if outcome is not None:
            whole = answers[0] if len(answers) == 1 else answers or "Done."
            return Decision(finish(whole, "That is what was asked for."))
        nearest = self.conclude(history)
        if nearest is not None and not any(one.action == "Finish" for one in siblings):
            return Decision(finish(nearest, "This is the nearest that was returned."))
        return Decision(give_up("Nothing in the documents leads further."))

    def _end(self, clause: Clause, history: Sequence[Past], start: int) -> int:
        """The place behind the call that did what a clause asks for; `start` if there is none."""
        for at in range(start, len(history)):
            doc = self.docs.by_name.get(history[at].action)
            if doc is not None and history[at].outcome == "answered" and doc.method in METHODS[clause.deed]:
                return at + 1
        return start

    def _serve(
        self,
        number: int,
        history: Sequence[Past],
        start: int,
        siblings: Sequence[Past],
        planned: Sequence[str],
        attempt: int,
    ) -> Decision | PursuitOutcome | None:
        """The next action for a clause; its outcome if it is done; None if nothing leads further."""
        clause = self.clauses[number]
        if clause.deed != "read" and self._end(clause, history, start) > start:
            return PursuitOutcome()
        ways = self.ranked(number, self._done(history), planned)[attempt:]
        outcome = self._first(ways, Pursuit(self.docs, clause, history, start), siblings)
        if outcome is None and clause.deed not in ("read", "delete"):
            # What was named is not there: the first that is there is taken; nothing is deleted that was not meant.
            outcome = self._first(
                ways[:LOOSE_WAYS], Pursuit(self.docs, clause, history, start, is_loose=True), siblings
            )
        return outcome

    def _first(
        self, ways: Sequence[Way], pursuit: Pursuit, siblings: Sequence[Past]
    ) -> Decision | PursuitOutcome | None:
        """What the first way comes to that leads on."""
        clause, taken = pursuit.clause, [(one.action, one.arguments) for one in siblings]
        unanswered = dead_ends = 0
        for way in ways:
            if way.score < LEAST_SCORE or unanswered >= MAX_UNANSWERED or dead_ends >= MAX_DEAD_ENDS:
                break
            try:
                outcome = pursuit.follow(way)
            except DeadEnd:
                dead_ends += 1
                continue
            if isinstance(outcome, PursuitOutcome):
                if clause.deed != "read" or outcome.answer is not None:
                    return outcome
                unanswered += 1
            elif (outcome.action, outcome.arguments) not in taken:
                return Decision(outcome, purpose(self.docs.by_name[outcome.action], clause))
        return None

    def ranked(self, number: int, done: frozenset[str], planned: Sequence[str] = ()) -> list[Way]:
        """The ways to serve a clause, the best first; `done` are the unsafe operations that were called already."""
        bias = dict.fromkeys(planned, PLANNED)
        key = (number, done, tuple(sorted(bias.items())))
        if key not in self._ways:
            self._ways[key] = WaySearch(self.docs, self.clauses[number], bias, done).best()
        return self._ways[key]

    def _done(self, history: Sequence[Past]) -> frozenset[str]:
        docs = (self.docs.by_name.get(past.action) for past in history if past.outcome == "answered")
        return frozenset(doc.name for doc in docs if doc is not None and not doc.is_read)

    # What runners that plan first need

    def plan(self, attempt: int = 0) -> list[tuple[str, str]]:
        """Purposes and names of all calls, planned without calling anything."""
        return [(purpose(self.docs.by_name[step.name], clause), step.name) for clause, step in self._planned(attempt)]

    def _planned(self, attempt: int = 0) -> Iterator[tuple[Clause, WayStep]]:
        """The steps of the best way for each clause; nothing is read twice, or created again to be used."""
        created: set[str] = set()
        read: set[tuple[str, object]] = set()
        for number, clause in enumerate(self.clauses):
            ways = self.ranked(number, frozenset(created))[attempt:]
            for step in ways[0].steps if ways and ways[0].score >= LEAST_SCORE else ():
                if self.docs.by_name[step.name].is_read:
                    if (step.name, step.sources) not in read:
                        yield clause, step
                    read.add((step.name, step.sources))
                else:
                    if step.name not in created or step is ways[0].steps[-1]:
                        yield clause, step
                    created.add(step.name)

    def fill(self, name: str, history: Sequence[Past]) -> dict[str, Json]:
        """The arguments of an operation that was chosen already."""
        decided = self.decide(history).action
        if decided.action == name:
            return dict(decided.arguments)
        before = sum(past.action == name for past in history)
        planned = [(clause, step) for clause, step in self._planned() if step.name == name]
        for clause, step in planned[before : before + 1] or planned[-1:]:
            return Pursuit(self.docs, clause, history).known_arguments(step)
        doc = self.docs.by_name.get(name)
        for clause in self.clauses if doc is not None else ():
            for way in WaySearch(self.docs, clause, {}, self._done(history)).ways(doc, 3)[:1]:  # type: ignore[arg-type]
                return Pursuit(self.docs, clause, history).known_arguments(way.steps[-1])
        return {}

    def conclude(self, history: Sequence[Past]) -> Json:
        """An answer from what was returned, the latest first; None if nothing was."""
        clause = self.clauses[-1]
        answered = [past for past in reversed(history) if past.outcome == "answered"]
        if clause.deed != "read":
            return "Done." if answered else None
        paths = {name: doc.path for name, doc in self.docs.by_name.items()}
        responses = [read_response(past, paths.get(past.action, "")) for past in answered]
        answers = (_answer_from(one, clause, least) for least in (MIN_FIT, LOOSE_FIT) for one in responses)
        best = next((one for one in answers if one is not None), None)
        return _name_of_first(responses) if best is None else best


def _answer_from(response: SeenResponse, clause: Clause, least: float) -> Json:
    """What a response answers to a clause, if a field fits at `least` so well."""
    texts = (one.value for one in clause.values if one.kind == "text") if not clause.many else ()
    meant = [one for one in texts if any(has_value(item, one) for item in response.items)]
    return answer(clause, select_items(response.items, meant, None), response, countable=False, least=least)


def _name_of_first(responses: Sequence[SeenResponse]) -> str | None:
    """The name of the first thing that has one, if nothing better is there to be answered."""
    firsts = (response.items[0].fields for response in responses if response.items)
    names = (fields.get("name") or fields.get("title") for fields in firsts)
    return next((name for name in names if isinstance(name, str)), None)


def _with_answer(before: list[Json], clause: Clause, value: object) -> list[Json]:
    """What there is to answer after a clause: its own answer, and those before it that it stands beside."""
    if clause.deed != "read":
        return before if clause.beside else []
    return [*before, value] if clause.beside else [value]
