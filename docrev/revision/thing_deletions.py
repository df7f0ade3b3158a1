"""What deleting a thing comes to: for the thing itself, for what lies in it, and for what names it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docrev.calls.path_texts import plain
from docrev.facts.deletions import referring_name
from docrev.facts.kinds.deletes import KEPT
from docrev.facts.kinds.referred import CLEARED, DELETED
from docrev.grouping import grouped, only
from docrev.language.path_subjects import subject
from docrev.language.phrases import joined
from docrev.language.words import singular, words
from docrev.records import Fact
from docrev.revision import labels
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.revision.quotations import is_quotable, quote_message
from docrev.revision.value_sources import operation_key

_OF_DELETING = re.compile(r"\b(?:delet|remov|destroy|eras|purg|unlink|drop)", re.IGNORECASE)
"""How texts say that something is gone afterwards."""


def own_noun(observed: ObservedOperation) -> str:
    """What an operation is on: its last noun, or, where a creation's path goes on beyond the list, what it makes."""
    own = subject(observed.key.path)
    read = (operation_key(str(fact.value["operation"])).path for fact in observed.all("creates"))
    around = {path.rpartition("/{")[0] if path.endswith("}") else path for path in read}
    made = {subject(path).noun for path in around if observed.key.path.startswith(f"{path.rstrip('/')}/")}
    if only(made) is None and own.single and " of " in own.noun and observed.key.method == "POST":
        # What is made in `/storages/s3` is one of the storages.
        kind, _, things = own.noun.partition(" of ")
        return f"{kind} {singular(things)}"
    return only(made) or own.noun or "resource"


def deleted(observed: ObservedOperation) -> Iterator[Statement]:
    """That a deleted thing is kept, or is gone where the text speaks of something else, as "Cancel order"."""
    noun, text = own_noun(observed), observed.operation.text
    for fact in observed.all("deletes"):
        if fact.value["thing"] == KEPT:
            field, value = fact.value.get("field"), plain(fact.value.get("value"))
            mark = f", with `{labels.field_name(f'200:{field}')}` `{value}`" if field else ""
            yield Statement(f"The {noun} can still be read afterwards{mark}.", facts=(fact,))
        elif text and not _OF_DELETING.search(text):
            yield Statement(f"Deletes the {noun}: it can no longer be read.", facts=(fact,))


_ALSO_DELETED = re.compile(r"Also deletes its [^.]*\.")
"""The sentence itself: what it names is no news on its own account."""


def deleted_too(observed: ObservedOperation) -> Iterator[Statement]:
    """What a deletion takes besides the thing itself."""
    said = {*map(singular, words(_ALSO_DELETED.sub("", observed.operation.text).lower()))}
    by_path = {operation_key(str(fact.value)).path: fact for fact in observed.all("also-deletes")}
    facts = {path: fact for path, fact in by_path.items() if not _written(path) <= said}
    if facts:
        text = f"Also deletes its {joined([*map(_lost, facts)])}."
        yield Statement(text, facts=tuple(facts.values()))


def _written(path: str) -> set[str]:
    """The words that a path has for what is in it."""
    return {*map(singular, words(subject(path).as_written))} - {"entry"}


def _lost(path: str) -> str:
    """What a deletion takes: all that lies in the thing, or the one that the thing names."""
    found = subject(path)
    return found.many if path.count("{") > 1 else found.noun


def taken_afterwards(observed: ObservedOperation) -> Iterator[Statement]:
    """That what was deleted cannot be created again under its name."""
    for fact in observed.all("stays-taken"):
        maker, status = operation_key(fact.value["operation"]).operation, fact.value["status"]
        text = f"The same {own_noun(observed)} cannot be created again afterwards: `{maker}` returns {status}."
        yield Statement(text, facts=(fact,))


def refused_if_full(observed: ObservedOperation) -> Iterator[Statement]:
    """That something must be emptied before it can be deleted."""
    for fact in observed.all("not-empty"):
        held, noun = fact.value.get("operation"), own_noun(observed)
        contents = subject(operation_key(held).path).many if held else "things"
        text = fact.value.get("message", "")
        quoted = f": {quote_message(text)}" if is_quotable(text) else ""
        yield Statement(
            f"Returns {fact.value['status']} while there are {contents} in the {noun}{quoted}.", facts=(fact,)
        )


def referred_to(observed: ObservedOperation) -> Iterator[Statement]:
    """What becomes of a deletion, or of the things that name what is deleted, as long as there are any."""
    for found in grouped((_alike(fact), fact) for fact in observed.all("referred")).values():
        yield Statement(_of_referrers(found), facts=tuple(found))


def _alike(fact: Fact) -> tuple[str, str, str | None]:
    """What facts have in common that one sentence tells."""
    value = fact.value
    is_refused = value["effect"] not in (DELETED, CLEARED)
    return value["effect"], value["pointer"], value["operation"] if is_refused else None


def _of_referrers(facts: Sequence[Fact]) -> str:
    value = facts[0].value
    named = [subject(operation_key(fact.value["operation"]).path) for fact in facts]
    name, many = f"`{referring_name(value['pointer'])}`", joined([one.many for one in named])
    has_it = f"it in {name}" if value["pointer"].endswith("/0") else f"it as {name}"
    if value["effect"] == DELETED:
        return f"Also deletes the {many} that have {has_it}."
    if value["effect"] == CLEARED:
        return f"Removes it from the {name} of {many}."
    text = value.get("message") or ""
    quoted = f": {quote_message(text)}" if is_quotable(text) else ""
    return f"Returns {value['status']} while {named[0].indefinite} has {has_it}{quoted}."
