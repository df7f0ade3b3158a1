"""The survey: the first phase of an exploration, which makes every operation answer once, if it can.

There is one order over all operations: by how many an attempt is expected to reach, per request that it takes. Each
refused call is a question, whose answer is the next call (`mending`). Concrete values for the scenarios come from here:
nothing in a scenario is invented (ToolBFS+ §3.2 asks for concrete values, and leaves open where they come from).
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from docrev.calls.consent import names_of
from docrev.calls.route_arguments import addressed
from docrev.calls.routes import template, without_path
from docrev.conventions.methods import SAFE_METHODS, UNSAFE_METHODS
from docrev.exploration.candidates import MAX_VALUES
from docrev.exploration.experiments import Spent
from docrev.exploration.mending import mended
from docrev.exploration.subjects import UNMET, Subject
from docrev.exploration.suggestions import Suggestions, usable
from docrev.exploration.survey_calls import SurveyCalls
from docrev.exploration.unreached import Obstacles, Unreached, denied_unsent, unreached
from docrev.language.path_templates import heads_of, parameters_of
from docrev.prompts.questions import SuggestedCall
from docrev.prompts.steps import Ask, Steps
from docrev.records import Call, Json, OperationKey
from docrev.spec import Operation

MAX_OPTIONS = 12
"""Optional parameters of an operation that are tried, one call each."""
KNOWN_WELL = 100
"""Operations up to which every answer makes it worth to look for new ideas for all that were given up."""
BATCH = 16
"""Reading calls that are made side by side."""
MAX_FULL = 2
"""Attempts at a creation with everything that is documented, each of them mended."""
MAX_PATIENCE = 8
"""How often what is tried before an operation is given up may be doubled, as a factor, while requests are left."""
WORTH_OF_READINGS = 0.12
"""Below it, a turn reaches less per request than the trial of a POST that reads, with a look before and after."""
WORTH_OF_FORMS = 0.03
"""Below it, a turn reaches less per request than other forms of a thing for what would open several operations."""
OPENING = 2
"""The operations that one must help to be reached for forms to be made for it before all else was tried."""
SAMPLES = 3
"""Different path arguments with which a reading operation is called."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What the survey found: arguments with which each operation returned 2xx, and why the others did not."""

    reached: dict[OperationKey, dict[str, Json]]
    missed: dict[OperationKey, Unreached]


class Surveyor(SurveyCalls):
    """Runs one survey, of what the policy permits: which operation is called next, and when it is enough."""

    def reach(self) -> Steps[None]:
        """Call operations until each has returned 2xx or nothing new can be tried; called again, it goes on."""
        self._spent = False
        try:
            yield from self._turns(WORTH_OF_READINGS)
            yield from self._try_readings()
            yield from self._turns(WORTH_OF_FORMS)
            yield from self._try_other_targets(OPENING)
            yield from self._turns()
            yield from self._send_more()
            yield from self._try_readings()
            # What other things of the same kind show may be what is missing.
            yield from self._more_samples()
            yield from self._turns()
            yield from self._send_more()
            yield from self._try_readings()
            yield from self._try_other_targets()
            yield from self._turns()
            if self._suggestions is not None:
                yield from self._ask(self._suggestions)
        except Spent:
            self._spent = True

    @property
    def is_cut_off(self) -> bool:
        """Whether the budget ended it, and not that nothing was left to try."""
        return self._spent

    def count_reached(self) -> int:
        """How many operations have returned 2xx."""
        return sum(subject.reached for subject in self._subjects.values())

    def persist(self) -> bool:
        """Be more patient from now on with what was not reached; False if that is enough."""
        waiting = [s for s in self._subjects.values() if not s.reached and s.operation.key not in self._forbidden]
        for subject in waiting:
            subject.patience *= 2
            self._reopen(subject)
        return any(subject.patience <= MAX_PATIENCE for subject in waiting)

    def _ask(self, suggestions: Suggestions) -> Steps[None]:
        """Ask a model what to send where nothing is left to try, and go on with what comes of it."""
        while questions := suggestions.questions(
            self._permitted(SAFE_METHODS | UNSAFE_METHODS), self._learner.answered
        ):
            answers: list[SuggestedCall] = yield [Ask(question) for _, question in questions]
            for (subject, _), answer in zip(questions, answers, strict=True):
                if (arguments := usable(answer)) is not None and not subject.reached:
                    yield from self._follow(subject, arguments)
            yield from self._turns()

    def _follow(self, subject: Subject, arguments: dict[str, Json]) -> Steps[None]:
        """Make the call that was suggested; one that changes something goes to what is the run's own."""
        if subject.removes:
            subject.consider([arguments])
            yield from self._delete(subject)
        elif subject.safe:
            if (unsent := subject.new(iter([arguments]))) is not None:
                yield from self._call_all([(subject, unsent)])
        else:
            sets = [arguments, *(addressed(arguments, path) for path in self._own_paths(subject))]
            while (unsent := subject.new(iter(sets))) is not None:
                reason = self._policy.verdict(subject.operation, unsent, self._journal)
                if reason is None:
                    yield from self._perform(subject, unsent)
                    return
                subject.why = reason

    def _own_paths(self, subject: Subject) -> list[dict[str, Json]]:
        """Path arguments that an unsafe operation may go to."""
        operation = subject.operation
        if self._journal.effects.puts(operation):
            return self._put_paths(subject)
        parents = self._journal.effects.of(operation).parents
        return list(islice(self._candidates.paths.of(operation, parents=parents), MAX_VALUES))

    def _turns(self, worth: float = 0) -> Steps[None]:
        while (turn := self._next_turn(worth)) is not None:
            yield from self._take(turn)

    def _try_readings(self) -> Steps[None]:
        """Try what says that it reads, though it is a POST, on what was created by now."""
        for subject in filter(self._trials.is_about, self._unsafe("POST")):
            if not subject.reached and self._tried_readings.get(subject.operation.key) != self._knowledge(subject):
                yield from self._try_reading(subject)

    def _try_reading(self, subject: Subject) -> Steps[None]:
        yield from self._trials.run(subject, self._perform)
        self._tried_readings[subject.operation.key] = self._knowledge(subject)
        subject.exhausted = True

    def _try_listings(self, creation: Operation) -> Steps[None]:
        """Try what lists a collection by POST as soon as something was created in it, if no GET does: what is created
        later can be looked for there.
        """
        routes, effects = self._journal.routes, self._journal.effects
        is_listed = routes.twin(creation.key, "GET") is not None
        if is_listed or effects.of(creation).kind != "creation" or self._journal.creations.pending(creation):
            return
        for subject in filter(self._trials.is_about, self._unsafe("POST")):
            listing = effects.posted_listing(subject.operation)
            listed = listing is not None and listing[1].literals == routes.path(creation.key).literals
            if listed and subject.operation.tool == creation.tool and subject.operation.key not in self._tried_readings:
                yield from self._try_reading(subject)

    def _try_other_targets(self, opening: int = 0) -> Steps[None]:
        """Call operations on other forms of what refused them: those whose success would help at least so many."""
        subjects = (s for s in self._subjects.values() if sum(not other.reached for other in s.dependants) >= opening)
        yield from self._other_targets.run(sorted(subjects, key=self._urgency))

    def vary(self, besides: Container[OperationKey] = ()) -> Steps[Survey]:
        """Call what worked, but for `besides`, with other arguments; returns what the whole survey found."""
        for subject in self._subjects.values():
            # Its errors did not end: perhaps they are none.
            subject.arguments = subject.doubtful if subject.arguments is None else subject.arguments
        try:
            yield from self._more_samples(besides)
            yield from self._try_options(besides)
        except Spent:
            pass
        return self._survey()

    def finish(self) -> Steps[Survey]:
        """Delete, by what was not reached, what the run cannot make again: nobody looks at it any more."""
        self._is_last = True
        try:
            for subject in reversed(self._unsafe(*UNSAFE_METHODS)):
                if subject.closes and not subject.reached:
                    yield from self._close(subject)
            for subject in reversed(self._unsafe(*UNSAFE_METHODS)):
                if subject.removes and not subject.reached:
                    yield from self._delete(subject)
            # One may have to be left before it can be forgotten.
            for subject in self._unsafe("POST"):
                if subject.removes and not subject.reached:
                    yield from self._delete(subject)
        except Spent:
            pass
        return self._survey()

    def _survey(self) -> Survey:
        subjects = self._subjects.items()
        reached = {key: subject.arguments for key, subject in subjects if subject.arguments is not None}
        return Survey(reached, {key: self._unreached(subject) for key, subject in subjects if not subject.reached})

    # What is next

    def _next_turn(self, worth: float) -> list[tuple[Subject, dict[str, Json]]] | Subject | None:
        """Reading calls that are made side by side, or an operation that may change something; None if nothing is left
        that is worth so much.
        """
        batch: list[tuple[Subject, dict[str, Json]]] = []
        urgency = {key: self._urgency(s) for key, s in self._subjects.items() if self._is_open(s)}
        for key in sorted((key for key, (_, less) in urgency.items() if -less >= worth), key=urgency.__getitem__):
            subject = self._subjects[key]
            if not subject.safe:
                return batch or subject
            arguments = self._next_reading(subject)
            if arguments is None:
                subject.dry, subject.exhausted = self._knowledge(subject), True
            else:
                batch.append((subject, arguments))
                if len(batch) >= BATCH:
                    return batch
        return batch or None

    def _is_open(self, subject: Subject) -> bool:
        if not subject.open or subject.operation.key in self._forbidden or self._is_for_trials(subject):
            return False
        if subject.dry is not None and subject.dry != self._knowledge(subject):
            if subject.dry[0] != self._knowledge(subject)[0]:
                subject.stale = 0
            self._reopen(subject)
        return subject.dry is None

    def _is_for_trials(self, subject: Subject) -> bool:
        """Whether an operation is only tried on the run's own: what the user named is called freely after that."""
        free = subject.operation.key in self._tried_readings and self._policy.names(subject.operation)
        return self._trials.is_about(subject) and not free

    def _reopen(self, subject: Subject) -> None:
        """Go on with an operation, and with what its latest refusals asked for."""
        subject.reopen()
        for arguments, hints in subject.refusals:
            subject.consider(mended(subject.operation, arguments, hints, self._learner.sources(subject)))

    def _urgency(self, subject: Subject) -> tuple[bool, float]:
        """The less, the earlier: what only reads, was never tried and has something to read, then by worth."""
        operation = subject.operation
        heads = list(heads_of(operation.route.path))
        there = not heads or bool(self._contexts.tuples(operation.tool, heads[-1]))
        # Where nothing is known to be there, a GET is a guess.
        chance = UNMET if subject.safe and not there else 1
        return not (subject.safe and there) or subject.sent > 0, -subject.worth * chance

    def _knowledge(self, subject: Subject) -> tuple[int, ...]:
        """What new ideas for an operation may come of: known paths, and what was answered anywhere."""
        operation = subject.operation
        plain = operation.body is None and not any(p.required for p in operation.parameters)
        answered = 0 if plain else self._learner.answered[operation.tool] // (1 + len(self._subjects) // KNOWN_WELL)
        made = (f"{maker.operation.route.path.rstrip('/')}/{{id}}" for maker in subject.needs)
        paths = [operation.route.path, *made]
        return sum(self._contexts.count(operation.tool, path) for path in paths), answered

    def _take(self, turn: list[tuple[Subject, dict[str, Json]]] | Subject) -> Steps[None]:
        """Make the calls of a turn, on things that were not closed."""
        yield from self._closed.replace()
        if isinstance(turn, list):
            yield from self._call_all(turn)
            return
        before = turn.sent
        if turn.removes:
            yield from self._delete(turn)
        elif turn.closes:
            yield from self._close(turn)
        elif (arguments := self._next_writing(turn)) is not None:
            call: Call = yield from self._perform(turn, arguments)
            if call.ok:
                yield from self._try_listings(turn.operation)
            elif turn.operation.route.method in ("PUT", "PATCH"):
                yield from self._read_target(turn.operation, arguments)
        if turn.sent == before:
            turn.dry, turn.exhausted = self._knowledge(turn), True

    def _next_reading(self, subject: Subject) -> dict[str, Json] | None:
        if subject.reached:
            return self._elsewhere(subject)
        # What was taken back may have no arguments.
        mended = subject.next_mended()
        return subject.new(self._candidates.sets(subject)) if mended is None else mended

    def _elsewhere(self, subject: Subject) -> dict[str, Json] | None:
        """Arguments that worked, in another place that is known."""
        rest = without_path(subject.arguments or {})
        elsewhere = (addressed(rest, path) for path in self._known_paths(subject.operation))
        # A list that was empty may show something for another value that it needs.
        others = self._candidates.sets(subject) if subject.empty_successes and rest else iter(())
        return subject.new(chain(elsewhere, others))

    def _next_writing(self, subject: Subject) -> dict[str, Json] | None:
        """Arguments that were not tried: creations anywhere, the rest on what the run created."""
        while (arguments := self._next_change(subject)) is not None:
            reason = self._policy.verdict(subject.operation, arguments, self._journal)
            if reason is None:
                return arguments
            subject.why = reason
            if len(subject.denied) < MAX_VALUES:
                subject.denied.append(arguments)
        return None

    # Reading

    def _more_samples(self, besides: Container[OperationKey] = ()) -> Steps[None]:
        """Call what takes path arguments with some other ones: one sample is no evidence."""
        for _ in range(SAMPLES - 1):
            batch = []
            for subject in self._safe(besides):
                if subject.arguments is not None and parameters_of(subject.operation.route.path):
                    arguments = self._elsewhere(subject)
                    if arguments is not None:
                        batch.append((subject, arguments))
            yield from self._call_all(batch)

    def _known_paths(self, operation: Operation) -> Iterator[dict[str, Json]]:
        return islice(self._candidates.paths.of(operation), SAMPLES + 2)

    def _try_options(self, besides: Container[OperationKey]) -> Steps[None]:
        """Try each optional parameter by itself, added to a call that worked."""
        for attempt in range(2):
            batch = []
            for subject in self._safe(besides):
                if subject.arguments is None:
                    continue
                optional = [
                    parameter
                    for parameter in subject.operation.parameters
                    if parameter.location == "query" and parameter.key not in subject.arguments
                ]
                for parameter in optional[:MAX_OPTIONS]:
                    values = self._candidates.options(subject, parameter.key)
                    if len(values) > attempt:
                        sets = iter([{**subject.arguments, parameter.key: values[attempt]}])
                        arguments = subject.new(sets)
                        if arguments is not None:
                            batch.append((subject, arguments))
            yield from self._call_all(batch)

    # Writing

    def _send_more(self) -> Steps[None]:
        """Where a creation took a bare body, make one with everything that is documented: it shows what is kept."""
        for subject in self._unsafe("POST"):
            full = self._candidates.bodies.full(subject)
            sent = (subject.arguments or {}).get("body:")
            if not subject.reached or subject.operation.key in self._filled or not _has_more(full, sent):
                continue
            self._filled.add(subject.operation.key)
            arguments, made = subject.new(iter([{**(subject.arguments or {}), "body:": full}])), subject.successes
            for _ in range(MAX_FULL):
                if arguments is None or subject.successes > made:
                    break
                yield from self._perform(subject, arguments)
                arguments = subject.next_mended()

    # The end

    def _unreached(self, subject: Subject) -> Unreached:
        operation, key = subject.operation, subject.operation.key
        parents = self._journal.effects.of(operation).parents if not subject.safe else 0
        spent = key in self._learner.cut_off or (self._spent and not subject.tried and not subject.exhausted)
        denial = self._forbidden.get(key, "") or denied_unsent(subject, self._journal)
        if not parents or any(True for _ in self._candidates.paths.of(operation, parents=parents)):
            found = unreached(subject, Obstacles(denial, spent=spent))
            is_blamed = key in self._closed.blamed and found.kind == "credentials"
            return replace(found, kind="unmet") if is_blamed else found
        path = template(operation.route.path)
        makeable = self._journal.effects.makes(operation.tool, names_of(path, parents)[0])
        parent = operation.route.path.partition("{" + path.names[parents - 1] + "}")
        return unreached(subject, Obstacles(denial, "".join(parent[:2]), makeable, spent))


def _has_more(full: Json, sent: Json) -> bool:
    """Whether a body has members that another one has not."""
    return full is not None and not (isinstance(full, dict) and isinstance(sent, dict) and full.keys() <= sent.keys())
