"""Draws services of RPC style: what is done to which thing stands in the last segment of a path, and in the body.

Their seeds begin at `FIRST`. An effect "call" does what `options["deed"]` says to the things that the arguments name,
as `rpc_effects` has it: `above` is the argument for the parent, `named` are those for the thing that the service reads,
`documented` those that the spec has, `empty` says what is done if the service finds none of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from stateful.description import Json, Kind, Operation, Service, Writing
from stateful.seeding import first_label

FIRST = 10_000_000

MAKING = ("create", "create", "create", "add", "new", "insert", "upsert", "set", "save", "get_or_create", "register")
LISTING = ("list", "list", "list", "query", "search", "find", "list_all", "get_all", "browse", "filter")
READING = ("get", "get", "info", "show", "retrieve", "get_details", "describe", "get_by_id", "load")
CHANGING = ("update", "update", "edit", "modify", "patch", "set", "save", "rename", "upsert", "set_values")
REMOVING = ("delete", "delete", "delete", "remove", "destroy", "drop", "delete_many", "remove_all", "delete_by_id")
ACTING = ("archive", "publish", "close", "lock", "run", "restart", "enable", "set_default", "touch", "send", "reindex")
TAKING = ("get_next", "pop", "claim", "receive", "poll", "fetch_and_lock", "read_next", "get_and_clear", "next", "pull")
CLEARING = (
    "delete_all",
    "clear",
    "prune",
    "delete_many",
    "bulk_delete",
    "cleanup",
    "remove_expired",
    "delete_by_filter",
)
MOVING = ("merge", "move", "transfer", "swap", "replace", "add_to", "copy_to", "assign")
SEEMING = ("check", "preview", "count", "stats", "get_status", "view", "inspect", "export", "list_unread", "find_new")
SINGLE = ("settings", "config", "account", "profile", "status")


@dataclass
class _Draft:
    rng: Random
    kinds: list[Kind]
    writing: Writing
    shape: str
    camel: bool
    posts: bool
    """Whether reads are POST, too."""
    strict: bool
    """Whether what names a thing is required."""
    prefix: str
    parents: str
    operations: dict[str, Operation]

    def put(self, operation: Operation) -> None:
        self.operations.setdefault(operation.name, operation)

    def path(self, kind: Kind, verb: str) -> str:
        """The path of a verb about a kind: `/teams/delete`, `/teams.delete`, `/teams/delete_team`, `/team/delete`."""
        verb = _camel(verb) if self.camel else verb
        above = self.above(kind)
        shape = self.shape
        if shape == "dot":
            return f"{above}/{kind.plural}.{verb}"
        if shape == "noun":
            noun = kind.singular.capitalize() if self.camel else f"_{kind.singular}"
            return f"{above}/{kind.plural}/{verb}{noun}"
        return f"{above}/{kind.singular if shape == 'one' else kind.plural}/{verb}"

    def above(self, kind: Kind) -> str:
        if not kind.parent or self.parents == "body":
            return ""
        parent = self.parent(kind)
        return f"/{parent.plural}/{{{parent.singular}_id}}"

    def parent(self, kind: Kind) -> Kind:
        return next(other for other in self.kinds if other.plural == kind.parent)


def draw(seed: int, kinds: Sequence[Kind]) -> Service:
    """A service of RPC style about kinds that were drawn for it."""
    rng = Random(f"rpc {seed}")
    kinds = [_fitting(kind) for kind in kinds]
    draft = _Draft(
        rng, kinds, _writing(rng),
        shape=rng.choice(("plain", "plain", "plain", "dot", "noun", "one")),
        camel=rng.random() < 0.2,
        posts=rng.random() < 0.7,
        strict=rng.random() < 0.6,
        prefix=rng.choice(("", "", "/api", "/v1")),
        parents=rng.choice(("path", "body")),
        operations={},
    )  # fmt: skip
    for kind in kinds:
        _plain(draft, kind)
    for trap in rng.sample(_TRAPS, rng.randint(2, 5)):
        trap(draft)
    singletons = ("settings",) if "/settings" in str(list(draft.operations)) else ()
    return Service(
        seed, tuple(draft.kinds), tuple(draft.operations.values()), singletons, draft.writing, prefix=draft.prefix
    )


def is_rpc(service: Service) -> bool:
    """Whether a service was drawn here: its things have no paths of their own."""
    return service.seed >= FIRST


def _fitting(kind: Kind) -> Kind:
    creation = "post" if kind.creation == "put" else kind.creation
    return replace(kind, creation=creation, listed=True, methods=kind.methods - {"PUT"})


def _writing(rng: Random) -> Writing:
    return Writing(
        schemas=rng.choice(("full", "full", "full", "partial", "none")),
        operation_ids=rng.random() < 0.6,
        summaries=rng.choice(("true", "true", "none", "misleading")),
        responses=rng.choice(("full", "missing")),
    )


def _camel(text: str) -> str:
    first, *rest = text.split("_")
    return first + "".join(word.capitalize() for word in rest)


# What a kind has without any trap


def _plain(draft: _Draft, kind: Kind) -> None:
    rng = draft.rng
    member = _member(draft, kind)
    read = "POST" if draft.posts else "GET"
    if kind.listed:
        _call(draft, kind, read, rng.choice(LISTING), "list")
    if kind.creation:
        _call(draft, kind, "POST", rng.choice(MAKING), "make")
    for method, verbs, deed in (
        ("GET", READING, "read"),
        ("PATCH", CHANGING, "change"),
        ("DELETE", REMOVING, "remove"),
    ):
        if method in kind.methods:
            # Now and then one of the operations calls what names the thing otherwise.
            named = member if rng.random() < 0.7 else _member(draft, kind)
            _call(draft, kind, read if deed == "read" else "POST", rng.choice(verbs), deed, named=named)


def _member(draft: _Draft, kind: Kind) -> tuple[str, ...]:
    """The arguments that name a thing, as the path of each in the body."""
    one, label = kind.singular, kind.fields[0].name
    plain = ("id",) if not draft.camel else (f"{one}Id",)
    return draft.rng.choice(
        (plain, plain, (f"{one}_id",), (one,), (f"={label}",), ("ids",), (f"{one}_ids",), (f"{one}.id",),
         ("filter.id",), ("id", "filter"), ("ids", "filter"), ("id", f"={label}"), ("key",), ("target",))
    )  # fmt: skip


def _call(
    draft: _Draft,
    kind: Kind,
    method: str,
    verb: str,
    deed: str,
    *,
    named: tuple[str, ...] = (),
    trap: str = "",
    foreseeable: bool = True,
    **options: Json,
) -> None:
    """Add an operation; what the spec says of its arguments may be wrong."""
    rng = draft.rng
    extra = tuple(rng.sample(("force", "cascade", "dry_run", "all", "notify"), rng.choice((0, 0, 1))))
    misnamed = bool(named) and deed in ("remove", "change") and rng.random() < 0.06
    # Nothing that can be read tells of a service that reads another argument than its spec has.
    told = {"named": ("key",) if misnamed and named != ("key",) else named, "documented": named}
    creates = verb in ("upsert", "save", "set")
    empty = rng.choice(("refuse", "first") if deed == "read" else ("refuse", "refuse", "all", "first"))
    empty = "refuse" if creates and deed == "change" else empty
    above = f"{draft.parent(kind).singular}_id" if kind.parent and draft.parents == "body" else ""
    draft.put(
        Operation(
            method, draft.path(kind, verb), "call", kind.plural, trap, verb,
            {"deed": deed, "empty": empty, "above": above, "extra": extra, "required": draft.strict and bool(named),
             "new_name": deed == "change" and rng.random() < 0.3, "example": rng.random() < 0.2,
             "status": rng.choice((200, 201)), **told, **options},
            foreseeable and not misnamed,
        )
    )  # fmt: skip


# Traps


def _act(draft: _Draft) -> None:
    """A word that changes one thing, or all of them where none is named."""
    kind = draft.rng.choice(draft.kinds)
    for verb in draft.rng.sample(ACTING, 2):
        named = _member(draft, kind) if draft.rng.random() < 0.8 else ()
        _call(draft, kind, "POST", verb, "act", named=named, trap="action")


def _take(draft: _Draft) -> None:
    """What reads the next thing takes it."""
    kind, method = draft.rng.choice(draft.kinds), "POST" if draft.posts else draft.rng.choice(("GET", "POST"))
    _call(draft, kind, method, draft.rng.choice(TAKING), "take", trap="taking read")


def _clear(draft: _Draft) -> None:
    """Removes or changes many."""
    kind = draft.rng.choice(draft.kinds)
    named = draft.rng.choice(((), ("ids",), ("ids", "filter"), ("filter",)))
    _call(draft, kind, "POST", draft.rng.choice(CLEARING), "remove", named=named, trap="bulk", empty="all")
    if draft.rng.random() < 0.5:
        verb = draft.rng.choice(("update_many", "bulk_update", "update_all", "set_many"))
        _call(draft, kind, "POST", verb, "change", named=named, trap="bulk", empty="all")


def _mark(draft: _Draft) -> None:
    """A read that leaves a mark: its summary says so, or nothing does."""
    kind, told = draft.rng.choice(draft.kinds), draft.rng.random() < 0.5
    method, verb = "POST" if draft.posts else "GET", draft.rng.choice(SEEMING)
    summary = f"{draft.rng.choice(('Mark', 'Delete', 'Archive', 'Update', 'Reset'))} {kind.plural}" if told else ""
    named = _member(draft, kind) if draft.rng.random() < 0.5 else ()
    _call(
        draft, kind, method, verb, "mark", named=named, trap="marking read", foreseeable=told, empty="all",
        summary=summary or f"Show {kind.plural}",
    )  # fmt: skip


def _lie(draft: _Draft) -> None:
    """A verb that reads in the path of what acts, as its summary says."""
    kind = draft.rng.choice(draft.kinds)
    word, deed = draft.rng.choice(
        (("Delete", "remove"), ("Create", "make"), ("Update", "change"), ("Remove", "remove"))
    )
    verb = draft.rng.choice(("info", "details", "view", "fetch", "lookup", "count"))
    named = _member(draft, kind) if deed != "make" else ()
    _call(
        draft, kind, "POST", verb, deed, named=named, trap="lying verb", summary=f"{word} a {kind.singular}",
    )  # fmt: skip


def _flag(draft: _Draft) -> None:
    """An argument of a list that changes what it finds."""
    kind = draft.rng.choice(draft.kinds)
    flag = draft.rng.choice(("mark_read", "ack", "delete", "archive", "clear", "lock", "remove", "consume"))
    verb = draft.rng.choice(("list_recent", "search_all", "query_all", "list_page"))
    _call(draft, kind, "POST" if draft.posts else "GET", verb, "list", trap="flag", flag=flag)


def _join(draft: _Draft) -> None:
    """What two things come to: both are named in the body."""
    kind = draft.rng.choice(draft.kinds)
    source, target = draft.rng.choice((("source_id", "target_id"), ("id", "into"), ("from", "to"), ("id", "other")))
    verb = draft.rng.choice(MOVING)
    _call(draft, kind, "POST", verb, "merge", trap="merge", named=(source,), other=target, empty="refuse")


def _settle(draft: _Draft) -> None:
    """What there is one of."""
    for verb in draft.rng.sample(("update", "set", "get", "save", "delete", "modify"), 3):
        method = "POST" if verb != "get" or draft.posts else "GET"
        effect = "read-singleton" if verb == "get" else "write-singleton"
        path = f"/settings/{verb}"
        draft.put(Operation(method, path, "single", "", "singleton", verb, {"deed": effect, "documented": ()}))


def _member_of(draft: _Draft) -> None:
    """Adds a thing of one kind to one of another."""
    if len(draft.kinds) < 2:
        return
    kind, other = draft.rng.sample(draft.kinds, 2)
    if not kind.creation or "DELETE" not in kind.methods:
        # A member that can be taken out again is the use of a container.
        return
    for verb in (f"add_{other.singular}", f"remove_{other.singular}"):
        _call(
            draft, kind, "POST", verb, "member", trap="membership", named=(f"{kind.singular}_id",),
            other=f"{other.singular}_id", of=other.plural, empty="refuse",
        )  # fmt: skip


_TRAPS = (_act, _take, _clear, _mark, _lie, _flag, _join, _settle, _member_of)


def example_of(service: Service, kind: Kind) -> Json:
    """An ID that a document gives as an example: that of what is there."""
    return 1 if kind.ids == "int" else first_label(kind)
