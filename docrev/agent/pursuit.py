"""Following a plan through the history of a task: its next call, or how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docrev.agent.clauses import Clause
from docrev.agent.documents import AgentDocuments, Doc
from docrev.agent.field_answers import answer, sort_items
from docrev.agent.responses import SeenObject, SeenResponse, field_value, has_value, read_response, select_items
from docrev.agent.vocabulary import alike
from docrev.agent.ways import ArgumentSource, Way, WayStep
from docrev.language.stems import stem
from docrev.prompts.agents import Action, Past
from docrev.records import Json

MAX_PAGES = 10
LARGEST_PAGE = 40
"""Items of a page that an observation has room for."""
FAR = 5
"""An item further down a list than this may be on another page."""
_SUPERLATIVES = frozenset(
    stem(word) for word in ("largest", "nearest", "highest", "most", "least", "smallest", "closest")
)


@dataclass(frozen=True, slots=True)
class PursuitOutcome:
    """A way was followed to its end; `answer` is None if that does not give what was asked for."""

    answer: Json = None


class DeadEnd(Exception):
    """The history shows that a way does not lead on."""


@dataclass(frozen=True, slots=True)
class Pursuit:
    """One clause with what was done so far. `start` is where in the history its own writes begin.

    `is_loose`: what was named is not there, and the first that is there may be taken in its place.
    """

    docs: AgentDocuments
    clause: Clause
    history: Sequence[Past]
    start: int = 0
    is_loose: bool = False

    def follow(self, way: Way) -> Action | PursuitOutcome:
        """The next call of a way, or what came of it. Raises DeadEnd if it does not lead on."""
        for step in way.steps[:-1]:
            action = self._pass(step)
            if action is not None:
                return action
        step = way.steps[-1]
        doc = self.docs.by_name[step.name]
        past = self._call(doc, self._with_page_size(doc, self.arguments(step)), 0 if doc.is_read else self.start)
        return past if isinstance(past, Action) else self._end(doc, step, past)

    def arguments(self, step: WayStep) -> dict[str, Json]:
        """The arguments of a step from the text, the documents and the history. Raises DeadEnd if one is missing."""
        found = {name: self._value(source) for name, source in step.sources}
        if None in found.values():
            raise DeadEnd
        return found

    def known_arguments(self, step: WayStep) -> dict[str, Json]:
        """The arguments of a step that are known already."""
        found: dict[str, Json] = {}
        for part in step.sources:
            try:
                found.update(self.arguments(WayStep(step.name, (part,))))
            except DeadEnd:
                continue
        return found

    # One call after another

    def _pass(self, step: WayStep) -> Action | None:
        """The action for a step before the last one; None if it was taken. Raises DeadEnd if it brought nothing."""
        doc = self.docs.by_name[step.name]
        past = self._call(doc, self.arguments(step))
        if isinstance(past, Action):
            return past
        if past.outcome != "answered" or (doc.is_read and read_response(past, doc.path).is_empty):
            raise DeadEnd
        pages = self._pages(doc, step, past, all_of_it=False)
        return pages if isinstance(pages, Action) else None

    def _call(self, doc: Doc, arguments: dict[str, object], start: int = 0) -> Action | Past:
        """The call as it was made before, or the action that makes it. A call that failed is not made again."""
        for past in reversed(self.history[start:]):
            if past.action == doc.name and past.arguments == arguments:
                if past.outcome == "answered" or (self.clause.whether and past.outcome == "failed"):
                    return past
                raise DeadEnd
        return Action(thought=purpose(doc, self.clause), action=doc.name, arguments=arguments)

    def _end(self, doc: Doc, step: WayStep, past: Past) -> Action | PursuitOutcome:
        """What the last call of a way gives for the clause."""
        clause = self.clause
        if clause.deed != "read":
            return PursuitOutcome()
        if clause.whether:
            return PursuitOutcome(self._is_there(doc, past))
        if past.outcome != "answered":
            raise DeadEnd
        response = read_response(past, doc.path)
        pages = self._pages(doc, step, past, all_of_it=response.is_list and self._needs_all(doc, past.arguments))
        if isinstance(pages, Action):
            return pages
        items = self._chosen_items(doc, step, pages)
        countable = any(alike(clause.counted, noun) for noun in doc.nouns)
        return PursuitOutcome(answer(clause, items, read_response(pages[0], doc.path), doc.nouns, countable=countable))

    def _chosen_items(self, doc: Doc, step: WayStep, pages: Sequence[Past]) -> list[SeenObject]:
        """The items of some pages that the clause is about."""
        clause, sent = self.clause, [str(value) for value in pages[0].arguments.values()]
        items = _items(doc, pages)
        if not any(str(value) in sent for slot in doc.slots if slot.role == "sort" for value in slot.values):
            items = sort_items(clause, items)
        # What the text quotes and no parameter took distinguishes items, whatever it is a value of.
        quoted = (one.value for one in clause.values if one.quoted and str(one.value) not in sent)
        values = (*step.required, *step.preferred, *quoted) if not clause.many else ()
        chosen = select_items(items, values, self._ordinal(doc))
        return chosen[: clause.top] if clause.top else chosen

    def _is_there(self, doc: Doc, past: Past) -> bool:
        """Yes or no: whether what was created last is still there, or is among what is listed."""
        if past.outcome != "answered":
            return False
        if doc.is_single:
            return True
        response = read_response(past, doc.path)
        created = self._created_ids()
        if created and created[-1] is not None:
            return any(has_value(one, created[-1]) for one in response.items)
        return not response.is_empty

    def _created_ids(self) -> list[Json]:
        """The ids that were returned by what created something, in order."""
        ids: list[Json] = []
        for past in self.history:
            doc = self.docs.by_name.get(past.action)
            if doc is not None and doc.method == "POST" and past.outcome == "answered":
                items = read_response(past, doc.path).items
                ids += [items[0].fields.get("id") or field_value(items, doc.noun, "id", "")] if items else []
        return ids

    # Pages

    def _needs_all(self, doc: Doc, arguments: Mapping[str, object]) -> bool:
        """Whether all pages of a list are needed: all items, their number, one far down, or the most of something."""
        clause, ordinal = self.clause, self._ordinal(doc)
        if ordinal is not None and not 0 <= ordinal <= FAR:
            return True
        wants_all = clause.many or clause.counts
        if clause.top or (clause.order and not wants_all):
            return bool(clause.order) and not any(slot.role == "sort" and slot.name in arguments for slot in doc.slots)
        return wants_all

    def _with_page_size(self, doc: Doc, arguments: dict[str, object]) -> dict[str, Json]:
        """The arguments with a larger page, if the documentation says how large it may be."""
        slot = doc.slot("size")
        if slot is None or not slot.maximum or slot.name in arguments:
            return arguments
        if self.clause.deed != "read" or not self._needs_all(doc, arguments):
            return arguments
        return {**arguments, slot.name: min(slot.maximum, LARGEST_PAGE)}

    def _pages(self, doc: Doc, step: WayStep, first: Past, *, all_of_it: bool) -> Action | list[Past]:
        """The pages of a list until it has what was chosen, or all of them; the action that reads the next one.

        Raises DeadEnd if what was chosen is on none of them.
        """
        slot, pages = doc.slot("page"), [first]
        while slot is not None and len(pages) < MAX_PAGES and (all_of_it or self._lacks(doc, step, pages)):
            page = read_response(pages[-1], doc.path).next_page
            if page is None:
                break
            past = self._call(doc, {**first.arguments, slot.name: page})
            if isinstance(past, Action):
                return past
            pages.append(past)
        if self._lacks(doc, step, pages):
            raise DeadEnd
        return pages

    def _lacks(self, doc: Doc, step: WayStep, pages: Sequence[Past]) -> bool:
        """Whether a value that was to choose an item, and was not sent, is in none of the items."""
        sent = list(pages[0].arguments.values())
        wanted = [value for value in step.required if value not in sent] if not self.is_loose else []
        items = _items(doc, pages) if wanted else []
        return any(not any(has_value(one, value) for one in items) for value in wanted)

    # Values that earlier calls returned

    def _value(self, source: ArgumentSource) -> Json:
        """The value of an argument: the source's own, or what its provider returned. Raises DeadEnd before that."""
        if not source.provider:
            return source.value
        doc = self.docs.by_name[source.provider]
        returned = [past for past in self.history if past.action == doc.name and past.outcome == "answered"]
        if not returned:
            # The provider is called first; if it comes later in the history, nothing is known yet.
            raise DeadEnd
        return self._read_value(doc, source, returned) if doc.is_read else self._created_value(doc, source, returned)

    def _created_value(self, doc: Doc, source: ArgumentSource, returned: Sequence[Past]) -> Json:
        """The value of what a call created: of the one that the text counts or quotes, or else of the last one."""
        ordinal = self._ordinal(doc)
        if ordinal is not None and ordinal < len(returned):
            past = returned[ordinal]
        else:
            quoted = {str(value.value) for value in self.clause.values if value.quoted}
            past = ([one for one in returned if quoted & _sent_texts(one)] or returned)[-1]
        return field_value(read_response(past, doc.path).items, source.noun, source.attr, source.field)

    def _read_value(self, doc: Doc, source: ArgumentSource, returned: Sequence[Past]) -> Json:
        """The value of the item that the text means, among all that a provider returned."""
        items = [item for past in returned for item in self._items_of(doc, source, read_response(past, doc.path))]
        texts = (one.value for one in self.clause.values if one.kind == "text")
        chosen = [value for value in texts if any(has_value(one, value) for one in items)]
        ordinal = self._ordinal(doc)
        if not chosen and ordinal is None:
            items = sort_items(self.clause, items)
        return field_value(select_items(items, chosen, ordinal), source.noun, source.attr, source.field)

    def _items_of(self, doc: Doc, source: ArgumentSource, response: SeenResponse) -> list[SeenObject]:
        """The items of a response that have what a source names."""
        items = response.items_of(source.noun, is_topic=source.noun == doc.noun)
        return [one for one in items if field_value([one], source.noun, source.attr, source.field) is not None]

    def _ordinal(self, doc: Doc) -> int | None:
        """The place that the text gives to what an operation returns: "the second track", "number 150"."""
        for value in self.clause.values:
            if value.kind != "ordinal" or _SUPERLATIVES.intersection(value.before[:1]):
                continue
            if not set(value.after) & self.docs.noun_stems or set(value.after) & doc.nouns:
                return int(str(value.value))
        return None


def purpose(doc: Doc, clause: Clause) -> str:
    """What a call is for, in plain words."""
    what = doc.sheet.description.partition(". ")[0].rstrip(".") or doc.sheet.key.operation
    return f"{what} ({clause.text.rstrip('.?!')})"


def _items(doc: Doc, pages: Sequence[Past]) -> list[SeenObject]:
    return [item for page in pages for item in read_response(page, doc.path).items]


def _sent_texts(past: Past) -> set[str]:
    """What was sent with a call, as texts."""
    parts = (value.values() if isinstance(value, dict) else [value] for value in past.arguments.values())
    return {str(part) for group in parts for part in group}
