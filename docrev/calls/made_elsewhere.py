"""What the answer to a POST that is no creation says that it made, beside what it acted on."""

from __future__ import annotations

from docrev.calls.creation_answers import CreationAnswer, shown_by
from docrev.calls.creation_texts import sent_names
from docrev.calls.creations import Creation
from docrev.calls.effects import Effects
from docrev.calls.journal_items import JournalItems
from docrev.calls.path_texts import item_path, last_segment, noun_of
from docrev.conventions.ids import created_object, is_drawn, own_id
from docrev.conventions.links import own_links
from docrev.conventions.run_names import is_invented
from docrev.json_values.leaves import leaves
from docrev.language.urls import split_url
from docrev.spec.route_places import called


def made_elsewhere(answer: CreationAnswer, items: JournalItems, effects: Effects) -> list[str]:
    """The path of what a POST that is no creation says that it made elsewhere; nothing if it says none."""
    operation = answer.operation
    creates = effects.of(operation).kind == "creation" or effects.copied(operation) is not None
    if operation.route.method != "POST" or not answer.ok or creates:
        return []
    acts = effects.of(operation).kind == "action"
    paths = [items.located(answer), _linked(answer, items) if acts else None, _copied(answer, items)]
    return [path for path in paths if path is not None][:1]


def is_added(creation: Creation, answer: CreationAnswer, path: str) -> bool:
    """Whether an answer shows what a POST to something of the run's own added to that: what was sent, and an ID that is
    never given again. What was there before would be the run's own as well.
    """
    is_shown = bool(sent_names(creation.sent)) and shown_by(creation, answer) is not None
    return is_shown and is_drawn(last_segment(path))


def invited(answer: CreationAnswer, effects: Effects) -> str:
    """The invented e-mail address that an accepted action was sent; "" without one.

    An account may have been made for it, or an invitation sent: neither lies in the thing that the action goes to.
    """
    if not answer.ok or answer.operation.route.method != "POST" or effects.of(answer.operation).kind != "action":
        return ""
    sent = (value for _, value in leaves(answer.arguments.get("body:")) if isinstance(value, str))
    return next((value for value in sent if "@" in value and is_invented(value)), "")


def _linked(answer: CreationAnswer, items: JournalItems) -> str | None:
    """The path of what the link at the top of an answer to an action leads to: what it made lies elsewhere than its
    target, `{"path": "/instances/7"}` of `POST /tools/create-instance`.
    """
    target = items.path(answer.operation, answer.arguments) or "?"
    links = own_links(created_object(answer.body))
    paths = (items.addressed(answer.operation.tool, split_url(link).path) for link in links)
    return next((path for path in paths if path and not f"{path}/".startswith(f"{target}/")), None)


def _copied(answer: CreationAnswer, items: JournalItems) -> str | None:
    """The path of another thing of its target's kind that an action says it created: `POST /projects/7/clone`.

    What has a list at its own path adds to that: `POST /prompts/7/versions`.
    """
    target, path = items.path(answer.operation, answer.arguments), items.routes.path(answer.operation.key)
    is_listed = items.routes.on_path(answer.operation.tool, path, "GET") is not None
    if target is None or answer.status != 201 or is_listed:
        return None
    collection, name = target.rpartition("/")[0], called(path.names[-1])
    value = own_id(created_object(answer.body), name, noun_of(collection))
    made = None if value is None else item_path(collection, value)
    return made if made is not None and items.routes.address(answer.operation.tool, made) is not None else None
