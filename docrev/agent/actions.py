"""What the offline agent does next: the most promising way that the history has not shown to fail, one call further."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from docrev.agent.documents import Doc, Docs
from docrev.agent.observations import (
    Found,
    answer,
    choose,
    empty,
    following,
    holds,
    listed,
    main,
    of_noun,
    ordered,
    value_of,
)
from docrev.agent.paths import Search, Source, Step, Way
from docrev.agent.tasks import METHODS, Clause
from docrev.agent.vocabulary import alike
from docrev.language.stems import stem
from docrev.models.observations import body
from docrev.prompts.agents import Action, Lesson, Past, finish, give_up
from docrev.records import Json

LEAST = 0.0
"""A way that promises less is not tried."""
UNANSWERED = 3
"""Ways that may end without the field that was asked for, before the agent answers as well as it can."""
BROKEN = 12
"""Ways that may lead nowhere before the agent gives a clause up."""
LOOSE = 3
PAGES = 10
LARGEST = 40
"""Items of a page that an observation has room for."""
_SUPERLATIVES = tuple(
    (stem(word),) for word in ("largest", "nearest", "highest", "most", "least", "smallest", "closest")
)
RIGHT, WRONG = 1.5, -1.0
"""What a fitting experience does to the operations that it names."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The next action, and what it is for in plain words."""

    action: Action
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class _Done:
    """A way was gone to its end; `answer` is None where that does not say what was asked for."""

    answer: Json = None


class _Broken(Exception):
    """The history shows that a way does not lead on."""


@dataclass(slots=True)
class Actor:
    """One task with the documents for it; asked again and again with a longer history."""

    docs: Docs
    clauses: Sequence[Clause]
    near: Mapping[str, float]
    _ways: dict[tuple[object, ...], list[Way]] = field(default_factory=dict)
    _loose: bool = False

    def decide(
        self,
        history: Sequence[Past],
        siblings: Sequence[Action] = (),
        lessons: Sequence[Lesson] = (),
        attempt: int = 0,
    ) -> Decision:
        """The next action after `history`, other than `siblings`; `attempt` skips that many of the best ways."""
        start = 0
        told: list[Json] = []
        for number, clause in enumerate(self.clauses):
            final = number == len(self.clauses) - 1
            found = self._clause(number, history, start, siblings, lessons, attempt)
            if isinstance(found, Decision):
                return found
            if found is not None:
                told = _answers(told, clause, found.answer)
            if found is not None and final:
                return Decision(finish(told[0] if len(told) == 1 else told or "Done.", "That is what was asked for."))
            if clause.deed != "read":
                start = max(start, self._end(clause, history, start))
        said = self.conclude(history)
        if said is not None and not any(one.action == "Finish" for one in siblings):
            return Decision(finish(said, "This is the nearest that was answered."))
        return Decision(give_up("Nothing in the documents leads further."))

    def _end(self, clause: Clause, history: Sequence[Past], start: int) -> int:
        """Behind the call that did what a clause asks for."""
        for at in range(start, len(history)):
            doc = self.docs.by_name.get(history[at].action)
            if doc is not None and history[at].outcome == "answered" and doc.method in METHODS[clause.deed]:
                return at + 1
        return start

    def _clause(
        self,
        number: int,
        history: Sequence[Past],
        start: int,
        siblings: Sequence[Action],
        lessons: Sequence[Lesson],
        attempt: int,
    ) -> Decision | _Done | None:
        """The next action for a clause; what came of it where it is done; None where nothing leads further."""
        clause = self.clauses[number]
        if clause.deed != "read" and self._end(clause, history, start) > start:
            return _Done()
        ways = self.ranked(number, self._made(history), lessons)[attempt:]
        found = self._first(ways, clause, history, start, siblings)
        if found is None and clause.deed not in ("read", "delete"):
            # What was named is not there: the first that is there is taken; nothing is deleted that was not meant.
            self._loose = True
            found = self._first(ways[:LOOSE], clause, history, start, siblings)
            self._loose = False
        return found

    def _first(
        self, ways: Sequence[Way], clause: Clause, history: Sequence[Past], start: int, siblings: Sequence[Action]
    ) -> Decision | _Done | None:
        """The first way that leads on."""
        unanswered = broken = 0
        for way in ways:
            if way.score < LEAST or unanswered >= UNANSWERED or broken >= BROKEN:
                break
            try:
                moved = self._move(way, clause, history, start)
            except _Broken:
                broken += 1
                continue
            if isinstance(moved, _Done):
                if clause.deed != "read" or moved.answer is not None:
                    return moved
                unanswered += 1
            elif not any((moved.action, moved.arguments) == (one.action, one.arguments) for one in siblings):
                return Decision(moved, self.purpose(moved.action, clause))
        return None

    def ranked(self, number: int, made: frozenset[str], lessons: Sequence[Lesson] = ()) -> list[Way]:
        """The ways to serve a clause, the best first."""
        bias = dict(self.near)
        for lesson in lessons:
            bias[lesson.right] = bias.get(lesson.right, 0.0) + RIGHT
            bias[lesson.wrong] = bias.get(lesson.wrong, 0.0) + WRONG
        key = (number, made, tuple(sorted(bias.items())))
        if key not in self._ways:
            self._ways[key] = Search(self.docs, self.clauses[number], bias, made).best()
        return self._ways[key]

    def _made(self, history: Sequence[Past]) -> frozenset[str]:
        docs = (self.docs.by_name.get(past.action) for past in history if past.outcome == "answered")
        return frozenset(doc.name for doc in docs if doc is not None and not doc.reads)

    def purpose(self, name: str, clause: Clause) -> str:
        """What a call is for, in plain words."""
        doc = self.docs.by_name[name]
        what = doc.sheet.description.partition(". ")[0].rstrip(".") or doc.sheet.key.operation
        return f"{what} ({clause.text.rstrip('.?!')})"

    # One step along a way

    def _move(self, way: Way, clause: Clause, history: Sequence[Past], start: int) -> Action | _Done:
        for step in way.steps[:-1]:
            found = self._between(step, clause, history)
            if found is not None:
                return found
        step = way.steps[-1]
        doc = self.docs.by_name[step.name]
        arguments = self._sized(doc, clause, self.arguments(step, clause, history))
        made = self._call(doc, arguments, clause, history, 0 if doc.reads else start)
        return made if isinstance(made, Action) else self._end_of(doc, step, clause, made, history)

    def _between(self, step: Step, clause: Clause, history: Sequence[Past]) -> Action | None:
        """The action for a step before the last one; None where it was taken, _Broken where it brought nothing."""
        doc = self.docs.by_name[step.name]
        found = self._call(doc, self.arguments(step, clause, history), clause, history, 0)
        if isinstance(found, Action):
            return found
        if found.outcome != "answered" or (doc.reads and empty(body(found.observation))):
            raise _Broken
        pages = self._pages(doc, step, clause, found, history)
        return pages if isinstance(pages, Action) else None

    def _call(
        self, doc: Doc, arguments: dict[str, Json], clause: Clause, history: Sequence[Past], start: int
    ) -> Action | Past:
        """The call as it was made before, or the action that makes it. A call that failed is not made again."""
        for past in reversed(history[start:]):
            if past.action == doc.name and past.arguments == arguments:
                if past.outcome != "answered" and not (clause.whether and past.outcome == "failed"):
                    raise _Broken
                return past
        return Action(thought=self.purpose(doc.name, clause), action=doc.name, arguments=arguments)

    def _end_of(self, doc: Doc, step: Step, clause: Clause, past: Past, history: Sequence[Past]) -> Action | _Done:
        """What the last call of a way says towards the clause."""
        if clause.deed != "read":
            return _Done()
        if clause.whether:
            return _Done(self._whether(doc, past, history))
        if past.outcome != "answered":
            raise _Broken
        arguments = past.arguments
        whole = listed(body(past.observation)) and self._whole(doc, clause, arguments)
        pages = self._pages(doc, step, clause, past, history, whole=whole)
        if isinstance(pages, Action):
            return pages
        value = body(pages[0].observation)
        found = [one for page in pages for one in main(body(page.observation))]
        sent = [str(part) for part in arguments.values()]
        sorts = any(str(slot_value) in sent for slot in doc.slots if slot.role == "sort" for slot_value in slot.values)
        if not sorts:
            found = ordered(clause, found)
        # What the text quotes and no parameter took tells items apart, whatever it was said to be.
        quoted = (one.value for one in clause.values if one.quoted and str(one.value) not in sent)
        preferred = (*step.chosen, *step.liked, *quoted) if not clause.many else ()
        chosen = choose(found, preferred, self._ordinal(clause, doc))
        if clause.top:
            chosen = chosen[: clause.top]
        countable = any(alike(clause.counted, noun) for noun in doc.nouns)
        return _Done(answer(clause, chosen, value, doc.nouns, countable=countable))

    def _whole(self, doc: Doc, clause: Clause, arguments: Mapping[str, Json]) -> bool:
        """Whether all pages of a list are needed: all items, their number, one far down, or the most of something."""
        ordinal = self._ordinal(clause, doc)
        sorted_by = any(slot.role == "sort" and slot.name in arguments for slot in doc.slots)
        if ordinal is not None and (ordinal < 0 or ordinal > 5):
            return True
        if clause.top or (clause.order and not clause.many and not clause.counts):
            return not sorted_by and bool(clause.order)
        return clause.many or clause.counts

    def _sized(self, doc: Doc, clause: Clause, arguments: dict[str, Json]) -> dict[str, Json]:
        """The arguments with a larger page, where the documentation says how large it may be."""
        slot = next((slot for slot in doc.slots if slot.role == "size"), None)
        if slot is None or slot.name in arguments or clause.deed != "read" or not self._whole(doc, clause, arguments):
            return arguments
        return {**arguments, slot.name: min(slot.most, LARGEST)} if slot.most else arguments

    def _whether(self, doc: Doc, past: Past, history: Sequence[Past]) -> bool:
        """Yes or no: whether what was made last is still there, or is among what is listed."""
        if past.outcome != "answered":
            return False
        value = body(past.observation)
        if doc.single:
            return True
        created = [
            body(one.observation)
            for one in history
            if one.outcome == "answered" and (made := self.docs.by_name.get(one.action)) and made.method == "POST"
        ]
        ids = [main(one)[0].fields.get("id") or value_of(main(one), doc.noun, "id", "") for one in created if main(one)]
        return any(holds(one, ids[-1]) for one in main(value)) if ids and ids[-1] is not None else not empty(value)

    def _missed(self, step: Step, pages: Sequence[Past]) -> bool:
        """Whether a value that was to choose an item, and was not sent, is in none of the items."""
        if self._loose:
            return False
        sent = list(pages[0].arguments.values())
        wanted = [value for value in step.chosen if value not in sent]
        found = [one for page in pages for one in main(body(page.observation))]
        return any(not any(holds(one, value) for one in found) for value in wanted)

    def _pages(
        self, doc: Doc, step: Step, clause: Clause, first: Past, history: Sequence[Past], *, whole: bool = False
    ) -> Action | list[Past]:
        """The pages of a list until it holds what was chosen, or the `whole` of it; the action that reads the next.

        Raises _Broken where what was chosen is on none of them.
        """
        slot = next((slot for slot in doc.slots if slot.role == "page"), None)
        pages = [first]
        while slot is not None and len(pages) < PAGES and (whole or self._missed(step, pages)):
            page = following(body(pages[-1].observation))
            if page is None:
                break
            found = self._call(doc, {**first.arguments, slot.name: page}, clause, history, 0)
            if isinstance(found, Action):
                return found
            pages.append(found)
        if self._missed(step, pages):
            raise _Broken
        return pages

    # Arguments

    def arguments(
        self, step: Step, clause: Clause, history: Sequence[Past], *, partly: bool = False
    ) -> dict[str, Json]:
        """The arguments of a step from the text, the documents and the history. Raises _Broken where one is missing."""
        found: dict[str, Json] = {}
        for name, source in step.sources:
            value = self._seen(source, clause, history) if source.provider else source.value
            if value is None:
                if partly:
                    continue
                raise _Broken
            found[name] = value
        return found

    def _seen(self, source: Source, clause: Clause, history: Sequence[Past]) -> Json:
        """The value that a provider's answer holds for a parameter."""
        doc = self.docs.by_name[source.provider]
        answers = [past for past in history if past.action == doc.name and past.outcome == "answered"]
        if not answers:
            # The provider is called first; where it comes later in the history, nothing is known yet.
            raise _Broken
        ordinal = self._ordinal(clause, doc)
        if not doc.reads:
            told = [one for one in answers for value in clause.values if value.quoted and value.value in _flat(one)]
            past = answers[ordinal] if ordinal is not None and ordinal < len(answers) else (told or answers)[-1]
            return value_of(main(body(past.observation)), source.noun, source.attr, source.name)
        values = [one.value for one in clause.values if one.kind == "text"]
        found: list[Found] = []
        for past in answers:
            found += of_noun(body(past.observation), source.noun, source.noun == doc.noun)
        found = [one for one in found if value_of([one], source.noun, source.attr, source.name) is not None]
        chosen = [value for value in values if any(holds(one, value) for one in found)]
        if not chosen and ordinal is None:
            found = ordered(clause, found)
        return value_of(choose(found, chosen, ordinal), source.noun, source.attr, source.name)

    # What runners that plan first need

    def plan(self, attempt: int = 0) -> list[tuple[str, str]]:
        """Purposes and names of all calls, made without calling anything."""
        return [(self.purpose(step.name, clause), step.name) for clause, step in self._planned(attempt)]

    def _planned(self, attempt: int = 0) -> Iterator[tuple[Clause, Step]]:
        made: set[str] = set()
        read: set[tuple[str, object]] = set()
        for number, clause in enumerate(self.clauses):
            ways = self.ranked(number, frozenset(made))[attempt:]
            for step in ways[0].steps if ways and ways[0].score >= LEAST else ():
                reads = self.docs.by_name[step.name].reads
                if (step.name, step.sources) not in read and not (
                    not reads and step.name in made and step is not ways[0].steps[-1]
                ):
                    yield clause, step
                if reads:
                    read.add((step.name, step.sources))
                else:
                    made.add(step.name)

    def fill(self, name: str, history: Sequence[Past]) -> dict[str, Json]:
        """The arguments of an operation that was chosen already."""
        decided = self.decide(history).action
        if decided.action == name:
            return dict(decided.arguments)
        before = sum(past.action == name for past in history)
        planned = [(clause, step) for clause, step in self._planned() if step.name == name]
        for clause, step in planned[before : before + 1] or planned[-1:]:
            return self._partly(clause, step, history)
        doc = self.docs.by_name.get(name)
        for clause in self.clauses if doc is not None else ():
            for way in Search(self.docs, clause, {}, self._made(history)).ways(doc, 3)[:1]:  # type: ignore[arg-type]
                return self._partly(clause, way.steps[-1], history)
        return {}

    def _partly(self, clause: Clause, step: Step, history: Sequence[Past]) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for part in step.sources:
            try:
                found.update(self.arguments(Step(step.name, (part,)), clause, history, partly=True))
            except _Broken:
                continue
        return found

    def conclude(self, history: Sequence[Past]) -> Json:
        """An answer from what was seen, the latest first; None where nothing was."""
        clause = self.clauses[-1]
        answered = [past for past in reversed(history) if past.outcome == "answered"]
        if clause.deed != "read":
            return "Done." if answered else None
        values = [one.value for one in clause.values if one.kind == "text"]
        for past, least in [(past, least) for least in (0.4, 0.15) for past in answered]:
            value = body(past.observation)
            found = main(value)
            there = [one for one in values if any(holds(item, one) for item in found)]
            said = answer(
                clause, choose(found, there if not clause.many else (), None), value, countable=False, least=least
            )
            if said is not None:
                return said
        for past in answered:
            for one in main(body(past.observation))[:1]:
                said = one.fields.get("name") or one.fields.get("title")
                if isinstance(said, str):
                    return said
        return None

    def _ordinal(self, clause: Clause, doc: Doc) -> int | None:
        """The place that a text gives to what an operation answers with: "the second track", "number 150"."""
        nouns = {stem(noun) for noun in self.docs.nouns}
        for value in clause.values:
            if value.kind != "ordinal" or value.before[:1] in _SUPERLATIVES:
                continue
            if not set(value.after) & nouns or set(value.after) & doc.nouns:
                return int(str(value.value))
        return None


def _answers(before: list[Json], clause: Clause, said: Json) -> list[Json]:
    """What there is to answer after a clause: its own answer, and those before it that it stands beside."""
    if clause.deed != "read":
        return before if clause.beside else []
    return [*before, said] if clause.beside else [said]


def _flat(past: Past) -> list[Json]:
    """What was sent with a call."""
    return [
        part for value in past.arguments.values() for part in (value.values() if isinstance(value, dict) else [value])
    ]
