"""What an operation says that it does: the verbs in its path, its operationId and its summary (English)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from docrev.language.words import plural, word_set, words

ACTING = word_set(
    """
    abort accept acknowledge activate add append apply approve assign attach cancel clear confirm consume create
    deactivate decline delete deny deprovision dequeue deregister destroy detach disable disassociate disconnect dismiss
    dissociate enable enqueue erase evict execute finalize halt interrupt invalidate invoke kill logout modify mute
    notify pause persist prune publish purge reactivate reboot recalculate recheck recompute reconnect recreate
    redeliver redeploy refetch regenerate reindex reinstall reject reload remove rename reopen reprocess requeue
    rerun rescan reschedule resend reset restart restore resubmit resync revert revoke save send shutdown snooze
    submit subscribe suspend terminate unarchive
    unassign unban unblock undelete undeploy undo unenroll unfollow unfreeze unhide uninstall unlink unlock unmute
    unpause unpin unpublish unregister unschedule unset unshare unstar unsubscribe unsuspend untag unwatch vacuum
    wipe write
    """
)
"""Verbs of operations that change something, and hardly ever nouns: they say what is done wherever a verb may stand."""
AMBIGUOUS = word_set(
    """
    ack archive associate award backup ban block book build buy call charge claim clone close commit complete
    connect copy deploy dispatch drain drop edit enroll exchange expire flush follow force fork freeze grant hide
    import ingest insert install invite join kick launch leave like link load lock mark merge migrate move open
    order pay pin play pop post process promote provision pull push queue rate rebase rebuild record redeem refresh
    refund register release replay reserve resume retry rollback rotate run schedule set share ship skip star start stop
    store swap sync synchronise synchronize tag toggle transfer trigger update upgrade upload vote withdraw
    """
)
"""Verbs that are as often nouns or adjectives (`/runs`, "Merge requests", "Open issues"). They count where only a verb
can stand: alone after an item in the path, before an article, and before other words of an operationId."""
COMMANDING = AMBIGUOUS & word_set(
    """
    ack archive charge claim close drain drop expire flush force freeze hide import install join kick leave lock
    mark merge migrate move pay pop promote pull push rebuild refresh refund retry rollback rotate run schedule set
    start stop sync synchronise synchronize toggle transfer trigger update upgrade
    """
)
"""Those of them that are rather verbs where nothing but one word stands: `sync=true`, but not `order=asc`."""
READING = word_set(
    """
    aggregate autocomplete browse compare count describe diff estimate evaluate exists explain fetch filter find
    get graphql list lookup mget msearch paginate preview query retrieve scroll search select suggest
    """
)
"""Verbs of operations that only read, though their method may be POST."""
_READING_NO_ITEM = word_set("counts history read statistics stats validate")
"""First words by which a POST without a path parameter only reads: one with a path may add to the history of an item,
and what is validated there (an invoice) may change by that, while what is sent to be validated is not stored."""
FURTHER = word_set("or then next pop")
"""Words of names that do not only read, whatever they begin with: `get_or_create`, `get_next`."""
_SAYS_READING = READING | word_set("can check download export has head is read return show test validate view")
"""First words with which a GET says that it reads, whatever its path ends in."""
_MANNERS = word_set("adv advanced async auto batch bulk force hard mass multi quick safe soft")
"""Words before a verb that say how it is done: `bulk_delete`."""
_PARTICLES = word_set("down in off on ons out to top up")
"""Second words of nouns that begin like a verb: add-on, send-to, set-up."""
_BEFORE_OBJECTS = word_set(
    """
    a all an and another any as each every existing given his it its multiple my new one or our several some
    specific specified that the their them these this to your
    """
)
"""Words that may follow a verb, and hardly ever a noun that begins a title."""
_STATES = word_set(
    """
    by config configuration count data date detail details history id info information list log logs metadata name
    output overview preview report result results settings state statistics stats status summary time type
    """
)
"""Last words of names that speak of a thing: `runStatus`."""
_NO_OBJECTS = _STATES | _SAYS_READING
_OF_NOUNS = word_set("and are as at between by can for from has in is of on or per that to was were which with")
"""Words that follow a noun that begins a title: "Schedule of a day"."""
_BESIDE = word_set("except from into onto with without")
"""Words of an operationId before what is not its object: `copyPadWithoutHistory`."""
_FORMATS = word_set("aspx cgi csv do html json php xml yaml yml")
_CARRYING_OUT = word_set("execute executes invoke invokes perform performs run runs")
"""Verbs that say that something is done, and not what."""
_LABEL = re.compile(r"^\s*(?:[\[(][^\])]*[\])]|[A-Z][\w ]{0,20}:(?=\s))\s*")
_SENTENCE_WORD = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")


class Described(Protocol):
    """What an operation says of itself."""

    @property
    def path(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def operation_id(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def description(self) -> str: ...


def acting_verb(operation: Described) -> str | None:
    """The verb by which an operation says that it changes something; None if it says nothing of the kind.

    It stands at the end of the path, in the operationId, or first in the summary (in the description, if there is no
    summary). Nouns and plurals (`/runs`, `dagRuns`, "Run details") are none.
    """
    name, text = _name_words(operation), _said_words(operation)
    segment, after_item = _last_literal(operation.path)
    reads = bool(_SAYS_READING & {*name[:1], *base_forms(*text[:1])})
    verb = _segment_verb(segment, after_item)
    # Nothing else is called `/items/{id}/delete`; `/restore-jobs` and `/items/{id}/lock` may be read.
    if verb is not None and (not reads or (verb in ACTING and len(segment) == 1)):
        return verb
    if (verb := _name_verb(name, operation.path)) is not None:
        return verb
    if _says_segment(segment, text):
        return segment[0]
    if segment[:1] and segment[0] in READING and _CARRYING_OUT.intersection(text[:1]):
        # "Run a structured query": what is run only reads.
        return None
    # A description says what is done on the way ("Creates and returns a URL"); a summary, what it is for.
    return _text_verb(text) if operation.summary or not _SAYS_READING.intersection(name[:1]) else None


def reading_verb(operation: Described) -> str | None:
    """The verb by which an operation says that it only reads; None if it says no such thing, or also that it changes
    something (`getOrCreate`).
    """
    name, segment = _name_words(operation), _without_manner(_last_literal(operation.path)[0])
    if acting_verb(operation) is not None or not ACTING.isdisjoint(name) or not FURTHER.isdisjoint((*name, *segment)):
        return None
    # `/notifications/read` marks them as read.
    further = _READING_NO_ITEM.difference({"read"}.intersection(segment))
    reading = READING if "{" in operation.path else READING | further
    # Of "GetUser returns a user" the verb is the second word: no title or noun begins so.
    told = base_forms(*_said_words(operation)[:1]) if _begins_with_name(operation) else ()
    return next((first for first in (*segment[:1], *name[:1], *told) if first in reading), None)


def reads_by_name(name: str) -> bool:
    """Whether a name begins with a word for reading: `getUser`, `list`, `view`."""
    return not _SAYS_READING.isdisjoint(words(name)[:1])


def begins_with_verb(text: str) -> bool:
    """Whether a text begins with one of these verbs, in the imperative or the third person."""
    return any(map(_is_verb, base_forms(*_text_words(text)[:1])))


def _is_verb(word: str) -> bool:
    return word in ACTING or word in AMBIGUOUS or word in _SAYS_READING


def _segment_verb(segment: tuple[str, ...], after_item: bool) -> str | None:
    """The verb that begins the last segment of a path: any verb alone after an item, a plain one elsewhere."""
    found = _without_manner(segment)
    if not found or _is_compound(found):
        return None
    alone = after_item and (len(found) == 1 or found[1] in _BEFORE_OBJECTS)
    return found[0] if found[0] in ACTING or (found[0] in AMBIGUOUS and alone) else None


def _says_segment(segment: tuple[str, ...], text: Sequence[str]) -> bool:
    """Whether a text begins with the verb that a path ends in, and an object: "Stop IRC connections" of `/irc/stop`."""
    first, second = (*text[:2], "", "")[:2]
    is_title = second in _NO_OBJECTS or second in _OF_NOUNS or not second
    return len(segment) == 1 and segment[0] in COMMANDING and segment[0] in base_forms(first) and not is_title


def _last_literal(path: str) -> tuple[tuple[str, ...], bool]:
    """The words of the last segment that is no parameter; whether it is the last one and stands after an item."""
    segments = [segment for segment in path.partition("?")[0].split("/") if segment]
    for index in range(len(segments) - 1, -1, -1):
        outside = re.split(r"[.:]", re.sub(r"\{[^{}]*\}", "", segments[index]))
        pieces = [found for piece in outside if (found := words(piece)) and found[-1] not in _FORMATS]
        if pieces:
            after_item = "{" in segments[index] or (index > 0 and "{" in segments[index - 1])
            return pieces[-1], after_item and index == len(segments) - 1
    return (), False


def _name_words(operation: Described) -> tuple[str, ...]:
    """The words of an operationId from its verb on: without groups before it (`Users_Delete`, `api.items.delete`) and
    without what generators append (`delete_item_items__id__get`, `deleteUsingGET_1`).
    """
    name = re.split(r"[./:#]", operation.operation_id.strip("./:#"))[-1]
    group, _, rest = name.rpartition("_")
    found = words(rest if group[:1].isupper() and not rest.isdigit() else name)
    method = operation.method.lower()
    generated = (*words(operation.path), method)
    if len(found) > len(generated) and found[-len(generated) :] == generated:
        found = found[: -len(generated)]
    elif ("using", method) in pairwise(found):
        found = found[: found.index("using")]
    else:
        found = _without_method(found, operation)
    return _without_manner(found)


_OF_METHODS = {
    "get": ("list", "retrieve"),
    "post": ("create",),
    "put": ("update",),
    "patch": ("partial_update",),
    "delete": ("destroy",),
}
"""What a generator appends to the words of a path for its method, whatever the operation does (drf-spectacular)."""


def _without_method(found: tuple[str, ...], operation: Described) -> tuple[str, ...]:
    """The words of an operationId without what stands for the method alone behind those of the path, unless these
    name things: `storages_validate_create`, which creates nothing."""
    said = words(re.sub(r"\{[^}]*\}", "", operation.path))
    appended = (words(each) for each in _OF_METHODS.get(operation.method.lower(), ()))
    is_generated = len(said) > 1 and any(found == (*said, *each) for each in appended)
    # A POST to a `history` may well create an entry of it.
    return said if is_generated and said[-1] in READING | {"validate"} | ACTING else found


def _name_verb(name: tuple[str, ...], path: str) -> str | None:
    """The verb of an operationId: its first word, or a plain verb at its end (`items_delete`)."""
    if not name or name[0] in _SAYS_READING:
        return None
    first, last = name[0], name[-1]
    if first in ACTING:
        return None if _is_compound(name) else first
    aside = next((at for at, word in enumerate(name) if word in _BESIDE), len(name))
    if first in AMBIGUOUS and aside > 1 and name[aside - 1] not in _NO_OBJECTS and not _names_things(name, path):
        return first
    return last if last in ACTING else None


def _is_compound(found: tuple[str, ...]) -> bool:
    """Whether words begin with a noun that begins like a verb: `add-ons`."""
    return len(found) > 1 and found[1] in _PARTICLES


def _names_things(name: tuple[str, ...], path: str) -> bool:
    """Whether a path has an operationId, or its first word, as the name of its things: `/runs`, `/orders/{id}/lines`,
    `/pushNotificationConfigs`.
    """
    *before, last = [words(segment) for segment in path.split("/") if segment] or [()]
    plurals = name == last and plural(name[-1]) == name[-1]
    return plurals or plural(name[0]) in last or any(name[0] in segment for segment in before)


def _said_words(operation: Described) -> tuple[str, ...]:
    """The first words of the summary, or of the description, without the operation's name before them: documents made
    from the comments of Go or of protobuf say "UserAdd adds a new user."
    """
    text = operation.summary or operation.description
    return _text_words(text.partition(" ")[2] if _begins_with_name(operation) else text)


def _begins_with_name(operation: Described) -> bool:
    """Whether what an operation says begins with its own name, written as one word, and a verb in the third person."""
    first, second, *_ = [*(operation.summary or operation.description)[:200].split(None, 2), "", ""]
    said = words(first) if first.isalnum() else ()
    full, method = (
        tuple(word for word in words(name) if not word.isdigit())
        for name in (operation.operation_id, operation.operation_id.rpartition("_")[2])
    )
    # One word of several may be the verb itself: "Query saves with filters" of `QuerySaves`.
    is_name = bool(said) and (said in (full, method) or (len(said) > 1 and full[: len(said)] == said))
    return is_name and any(map(_is_verb, base_forms(second)[1:]))


def _text_words(text: str) -> tuple[str, ...]:
    """The first words of a text, without a label and without how it is done: "[Beta] Permanently delete a user"."""
    found = [word.lower() for word in _SENTENCE_WORD.findall(_LABEL.sub("", text[:200]))]
    while len(found) > 1 and (found[0] in _MANNERS or (found[0].endswith("ly") and found[0] not in ACTING)):
        del found[0]
    return tuple(found)


def _text_verb(text: Sequence[str]) -> str | None:
    """The verb that begins a text, in the imperative or the third person."""
    if not text:
        return None
    manner, _, rest = text[0].rpartition("-")
    first = rest if manner in _MANNERS else text[0].replace("-", "") if manner in ("re", "un") else text[0]
    verb = next((verb for verb in base_forms(first) if verb in ACTING or verb in AMBIGUOUS), None)
    # "Enables you to view …" says what the caller may do.
    if (verb == "enable" and "to" in text[1:3]) or (verb in AMBIGUOUS and not _BEFORE_OBJECTS.intersection(text[1:2])):
        return None
    return verb


def base_forms(word: str = "") -> tuple[str, ...]:
    """What a verb may be whose form this is: itself, or without the ending of the third person."""
    if word.endswith("ies"):
        return word, word[:-3] + "y"
    return (word, word[:-1], word[:-2]) if word.endswith("s") else (word,)


def _without_manner(found: tuple[str, ...]) -> tuple[str, ...]:
    return found[1:] if len(found) > 1 and found[0] in _MANNERS else found
