"""What came of a creation after the looks around it: a list may show it late, whatever the creation was answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from docrev.calls.absences import shows_absence
from docrev.calls.creation_answers import CreationAnswer
from docrev.calls.creation_texts import sent_names
from docrev.calls.creations import Creation
from docrev.calls.journal_items import JournalItems
from docrev.calls.listings import asks_for_all
from docrev.calls.looks import Look
from docrev.calls.path_texts import item_path, last_segment, plain
from docrev.calls.seen_things import SeenThings
from docrev.conventions.ids import identifying_members
from docrev.json_values.leaves import leaves
from docrev.records import Call, JournalItem, Json

_FAILED = "its creation failed, but it is there"


@dataclass(frozen=True)
class _Awaited:
    """A creation of which nothing showed what it made, its answer, the looks that showed that nothing was there, and
    what the run's own things were called before it."""

    creation: Creation
    answer: CreationAnswer
    absences: tuple[Look, ...]
    referred: frozenset[str]

    @cached_property
    def made_up(self) -> set[str]:
        """The names that the run made up for what this creation makes: those of other things of its own are none."""
        return sent_names(self.creation.sent) - self.referred

    @cached_property
    def called(self) -> set[str]:
        """What this creation called what it makes, if that was not refused."""
        return set() if self.answer.refused else {plain(value) for _, value in self.creation.names}

    def was_absent(self, answer: CreationAnswer) -> bool:
        """Whether a look that asked for the same as a later call did not show what that shows."""
        return any(
            look.listing is not None
            and look.invoke.key == answer.operation.key
            and asks_for_all(look.listing, look.invoke, answer.arguments)
            for look in self.absences
        )


class LateItems:
    """Creations of which nothing showed what they made, by collection, until a list shows it.

    What was refused may have been performed in part before the error: it is the run's own, too.
    """

    def __init__(self, items: JournalItems, things: SeenThings) -> None:
        self._items, self._things = items, things
        self._awaited: dict[tuple[str, str], list[_Awaited]] = {}

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """(tool, path) of the collections in which something may still show that was not refused."""
        return tuple(at for at, awaited in self._awaited.items() if any(not one.answer.refused for one in awaited))

    def expect(self, creation: Creation, before: Sequence[tuple[Look, Call]], answer: CreationAnswer) -> None:
        """Note a creation of which the looks around it show nothing, with the looks `before` it."""
        absences = tuple(look for look, call in before if look.path is None and shows_absence(look, call))
        place = (creation.operation.tool, creation.collection)
        # What the run made before may be what this one lies in: everything else there refers to it as well.
        referred = frozenset(last_segment(item.path) for item in self._items.items if item.call != answer.call)
        self._awaited.setdefault(place, []).append(_Awaited(creation, answer, absences, referred))

    def shown(self, answer: CreationAnswer, collection: str, id: Json, thing: Json) -> list[JournalItem]:
        """Take in that a list shows a thing: the items that this adds to the journal, or takes out of it.

        It is the run's own if it carries a name that the run made up and the same list did not have it before; if it is
        only called as the run called something, it may be somebody else's.
        """
        tool = answer.operation.tool
        awaited = self._awaited.get((tool, collection), [])
        if not awaited or id is None:
            return []
        path = item_path(collection, id)
        if self._things.saw(tool, path) or self._items.was_created(tool, path):
            return []
        texts, called = _texts(id, thing), _called(id, thing)
        for one in awaited:
            carried = not one.made_up.isdisjoint(texts)
            if carried or not one.called.isdisjoint(called):
                certain = carried and one.was_absent(answer)
                reason = _FAILED if carried and not certain and not one.answer.ok else ""
                item = self._items.record(tool, path, one.answer.call, confirmed=certain, reason=reason)
                return [item, *self._found(one, certain)]
        return []

    def _found(self, one: _Awaited, certain: bool) -> list[JournalItem]:
        """What was noted as unknown for a creation is known now."""
        unknown = self._items.unknown(one.creation.operation.tool, one.creation.collection)
        if not certain or unknown is None or unknown.call != one.answer.call:
            return []
        return [self._items.mark_deleted((unknown.tool, unknown.path))]


def _texts(id: Json, thing: Json) -> set[str]:
    """The texts in a thing, with its ID."""
    return {value for _, value in (("", id), *leaves(thing)) if isinstance(value, str)}


def _called(id: Json, thing: Json) -> set[str]:
    """What a thing is called: its ID, and all by which it is known."""
    return {plain(id), *(plain(value) for _, value in identifying_members(thing))}
