"""What a member is sent that is called after a kind of thing and one of its fields: `project_slug`, `project_id`."""

from __future__ import annotations

from docrev.calls.path_texts import noun_of
from docrev.conventions.ids import identifies, refers_to
from docrev.exploration.contexts import Contexts
from docrev.exploration.seen_objects import SeenObjects
from docrev.json_values.canonical import unique
from docrev.language.path_templates import PARAMETER
from docrev.language.words import words
from docrev.records import Json


def own_members(contexts: Contexts, seen: SeenObjects, tool: str, name: str) -> list[Json]:
    """The field that a member is called after, of the things of its kind that the run created: their `id` for
    `project_id`, though their paths have a `slug`.
    """
    *kind, field = words(name) or ("",)
    reference = "_".join((*kind, "id"))
    own = {*map(str, contexts.by_kind.own_ids(tool, reference))} if kind else set()
    rows = (row for key, row in seen.objects(tool) if own and refers_to(reference, _shown_at(key.path)))
    known = ((row, {str(value) for member, value in row.items() if identifies(member)}) for row in rows)
    return unique([row[field] for row, called in known if field in row and own & called])


def _shown_at(path: str) -> str:
    """What the things are called that an operation on a path shows."""
    *above, last = path.rstrip("/").split("/")
    return noun_of("/".join(above) if PARAMETER.fullmatch(last) else path.rstrip("/"))
