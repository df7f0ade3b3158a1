"""What is new in a list in the run's own thing, and may be somebody else's that is only referred to there.

A creation below a thing may have no list at its path: what `POST /products/{id}/options` makes is in the `options` of
the product. What this shows after the creation, and did not show before, was made by it; or was put there by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from docrev.calls.created_items import CreatedItems, new_things
from docrev.calls.creation_texts import carries, sent_names
from docrev.calls.creations import Creation
from docrev.calls.looks import LookPair
from docrev.calls.path_texts import last_segment, noun_of, plain
from docrev.calls.seen_things import SeenThings, is_unique_id
from docrev.conventions.run_names import is_made_up
from docrev.json_values.leaves import leaves
from docrev.records import Json

if TYPE_CHECKING:
    from docrev.calls.journal_items import JournalItems


def without_references(
    creation: Creation, looks: Sequence[LookPair], found: CreatedItems, items: JournalItems, things: SeenThings
) -> CreatedItems:
    """What came of a creation without what the list in its parent may only refer to, and which is somebody's."""
    inner = [(before, after) for look, before, after in looks if look.part]
    new = {creation.place(id): (id, thing) for pair in inner for id, thing in new_things(creation, *pair)}
    referring = {at for at, one in new.items() if _may_refer(creation, *one, items, things)}
    own, doubtful = (tuple(path for path in paths if path not in referring) for paths in (found.own, found.doubtful))
    return replace(found, own=own, doubtful=doubtful)


def _may_refer(creation: Creation, id: Json, thing: Json, items: JournalItems, things: SeenThings) -> bool:
    """Whether what is new in a list of the run's own thing may be a reference to what was there before.

    It was sent by its ID, or something of others was shown to have that; or such things are addressed elsewhere, and
    this one carries no name that was made up for it.
    """
    tool, text = creation.operation.tool, plain(id)
    if is_made_up(text):
        return False
    if text in {plain(value) for _, value in leaves(creation.sent)}:
        return not any(
            last_segment(item.path) == text
            and noun_of(item.path.rpartition("/")[0]) == creation.noun
            and items.made(tool, item.path)
            for item in items.items
        )
    if things.saw(tool, creation.place(id)) or (is_unique_id(text) and things.others_have(tool, text)):
        return True
    is_elsewhere = items.routes.elsewhere(tool, last_segment(creation.collection)) is not None
    return is_elsewhere and not carries(sent_names(creation.sent), thing)
