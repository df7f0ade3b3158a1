"""Draws the operations that a client must not call on what is not its own, one function for each kind of trap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from stateful.description import Field, Kind, Operation, Service, Writing
from stateful.vocabulary import ACTING_PARAMETERS, ADDING, COUNTED, REMOVING, SETTING, SINGLETONS


@dataclass
class Draft:
    """A service that is being drawn."""

    rng: Random
    kinds: list[Kind]
    writing: Writing
    operations: dict[str, Operation] = field(default_factory=dict)
    singletons: list[str] = field(default_factory=list)

    def put(self, operations: Iterable[Operation]) -> None:
        """Add operations; one of the same name takes the place of another."""
        for operation in operations:
            self.operations[operation.name] = operation

    def kind(self) -> Kind:
        """Any of the kinds that were drawn."""
        return self.rng.choice(self.kinds)

    def collection(self, kind: Kind) -> str:
        """The path of a kind's collection: "/servers/{server_id}/zones"."""
        parent = next((other for other in self.kinds if other.plural == kind.parent), None)
        if parent is None:
            return f"/{kind.plural}"
        return f"{self.collection(parent)}/{{{parent.singular}_id}}/{kind.plural}"

    def item(self, kind: Kind) -> str:
        """The path of one item."""
        name = "id" if self.writing.parameter_names == "id" else f"{kind.singular}_id"
        return f"{self.collection(kind)}/{{{name}}}"

    def children(self, kind: Kind) -> list[Kind]:
        return [other for other in self.kinds if other.parent == kind.plural]

    def ensure(self, kind: Kind) -> Kind:
        """A kind beside those that were drawn, with what reads it."""
        there = next((other for other in self.kinds if other.plural == kind.plural), None)
        if there is None:
            self.kinds.append(there := kind)
            self.put([Operation("GET", self.collection(kind), "list", kind.plural)])
            effects = {"GET": "read", "PATCH": "patch", "DELETE": "delete"}
            self.put(Operation(m, self.item(kind), effects[m], kind.plural) for m in effects if m in kind.methods)
        return there


def _action(draft: Draft) -> None:
    """POST, and now and then PUT, PATCH or DELETE, of a word under an item."""
    for _ in range(draft.rng.randint(1, 3)):
        kind = draft.kind()
        choice = draft.rng.choice(("count", "count", "set", "remove", "add", "clear"))
        below = draft.children(kind)
        if choice == "clear" and below:
            verb, options = "clear", {"clear": draft.rng.choice(below).plural}
        elif choice == "remove":
            verb, options = draft.rng.choice(REMOVING), {"remove": True}
        elif choice == "add":
            verb, options = draft.rng.choice(ADDING), {"count": "size", "reply": (201, None)}
        elif choice == "set":
            verb = draft.rng.choice(sorted(SETTING))
            options = {"set": ("state", SETTING[verb])}
        else:
            verb = draft.rng.choice(sorted(COUNTED))
            options = {"count": COUNTED[verb]}
            if draft.rng.random() < 0.3:
                options["reply"] = draft.rng.choice(((202, {"status": "queued"}), (204, None), (200, {"ok": True})))
        method = draft.rng.choice(("PUT", "PATCH", "DELETE")) if draft.rng.random() < 0.2 else "POST"
        draft.put([Operation(method, f"{draft.item(kind)}/{verb}", "act", kind.plural, "action", verb, options)])


def _restore(draft: Draft) -> None:
    """POST to something below an item that changes the item.

    A parent that a client cannot make would be somebody else's: what an action on the client's own thing does to the
    thing that it lies in, nobody can know.
    """
    drawn = Service(0, tuple(draft.kinds), ())
    parents = [kind for kind in draft.kinds if drawn.makeable(kind)]
    pairs = [(parent, kind) for parent in parents for kind in draft.children(parent)]
    if not pairs:
        return _action(draft)
    parent, kind = draft.rng.choice(pairs)
    word = draft.rng.choice(("", "/restore", "/apply"))
    options = {"parent": True, "count": "restores"}
    draft.put([Operation("POST", draft.item(kind) + word, "act", parent.plural, "action", "restore", options)])


def _spawn(draft: Draft) -> None:
    """An action that starts a run, which stays."""
    kind = draft.kind()
    methods = frozenset(draft.rng.choice((("GET",), ("GET", "DELETE"))))
    runs = draft.ensure(Kind("runs", "run", fields=(Field("name"),), there=2, creation="", methods=methods))
    options = {"count": "starts", "spawn": runs.plural}
    verb = draft.rng.choice(("run", "start", "materialize", "export"))
    draft.put([Operation("POST", f"{draft.item(kind)}/{verb}", "act", kind.plural, "action", verb, options)])


def _get_action(draft: Draft) -> None:
    """GET that acts, and says so by its path, its operationId or its summary."""
    kind = draft.kind()
    verb = draft.rng.choice(("delete", "approve", "unsubscribe", "cancel", "remove", "send", "sync", "archive"))
    options = {"remove": True} if verb in ("delete", "remove") else {"count": f"{verb}s"}
    place = draft.rng.choice(("path", "path", "operationId", "summary", "before", "collection"))
    tail = verb if place == "path" else draft.rng.choice(("link", "page", "form"))
    told = {"told": place}
    if place == "before":
        path = f"/{verb}/{{{kind.singular}_id}}"
        draft.put([Operation("GET", path, "act", kind.plural, "action by GET", verb, options | told)])
        return
    if place == "collection":
        verb = draft.rng.choice(("delete", "remove", "clear", "purge"))
        options = {"words": 1, "told": "collection"}
        path = f"{draft.collection(kind)}/{verb}"
        draft.put([Operation("GET", path, "delete-many", kind.plural, "action by GET", verb, options)])
        return
    draft.put(
        [Operation("GET", f"{draft.item(kind)}/{tail}", "act", kind.plural, "action by GET", verb, options | told)]
    )


def _innocent_get(draft: Draft) -> None:
    """GET of an innocent name that changes what it reads: only a second look tells."""
    kind = draft.kind()
    if "GET" not in kind.methods:
        return _get_action(draft)
    tail = draft.rng.choice(("preview", "content", "ticket", "link"))
    operation = Operation(
        "GET", f"{draft.item(kind)}/{tail}", "act", kind.plural, "innocent GET", options={"count": "uses"}
    )
    draft.put([replace(operation, foreseeable=False)])


def _parameter(draft: Draft) -> None:
    """Query parameters of a GET that change what it reads."""
    reads = [op for op in draft.operations.values() if op.effect in ("read", "list")]
    if not reads:
        return
    read = draft.rng.choice(reads)
    names = tuple(draft.rng.sample(ACTING_PARAMETERS, draft.rng.randint(1, 2)))
    draft.put([replace(read, trap="query parameter", options={**read.options, "changing": names})])


def _bulk(draft: Draft) -> None:
    """Calls that name many items, or none and mean all."""
    for _ in range(draft.rng.randint(1, 2)):
        kind = draft.kind()
        path, words = draft.collection(kind), {"words": 1}
        named = {"ids": draft.rng.random() < 0.5}
        forms = [
            Operation("POST", f"{path}/bulk_delete", "delete-many", kind.plural, "bulk", "bulk_delete", words),
            Operation("POST", f"{path}/delete", "delete-many", kind.plural, "bulk", "delete", words),
            Operation("POST", f"{path}/bulk_update", "update-many", kind.plural, "bulk", "bulk_update", words),
            Operation("POST", f"{path}/defaults", "defaults", kind.plural, "bulk", "defaults", words),
            Operation("DELETE", path, "delete-many", kind.plural, "bulk", "delete", named),
            Operation("PATCH", path, "update-many", kind.plural, "bulk"),
            Operation("PUT", path, "replace-all", kind.plural, "bulk"),
        ]
        draft.put([draft.rng.choice(forms)])


def _merge(draft: Draft) -> None:
    """Calls that name two items."""
    kind, verb = draft.kind(), draft.rng.choice(("merge", "transfer"))
    keeps = {"keeps": verb == "transfer"}
    if draft.rng.random() < 0.5:
        names = {"source": f"source_{kind.singular}_id", "target": f"target_{kind.singular}_id", "words": 1}
        path = f"{draft.collection(kind)}/{verb}"
    else:
        names = {"target": draft.rng.choice((f"target_{kind.singular}_id", "into", "target"))}
        path = f"{draft.item(kind)}/{verb}"
    draft.put([Operation("POST", path, "merge", kind.plural, "merge", verb, keeps | names)])


def _singleton(draft: Draft) -> None:
    """What there is one of: for the whole service, or for an item."""
    methods = draft.rng.choice((("PUT",), ("PATCH",), ("POST",), ("PUT", "PATCH")))
    if draft.rng.random() < 0.3:
        kind = draft.kind()
        path = f"{draft.item(kind)}/settings"
        draft.put(Operation(method, path, "write-part", kind.plural, "singleton") for method in methods)
        return
    name = draft.rng.choice(SINGLETONS)
    draft.singletons.append(name)
    draft.put([Operation("GET", f"/{name}", "read-singleton")])
    draft.put(Operation(method, f"/{name}", "write-singleton", trap="singleton") for method in methods)


def _override(draft: Draft) -> None:
    """POST whose `_method` is the method that is meant."""
    kind = draft.kind()
    create = draft.operations.get(f"POST {draft.collection(kind)}")
    told = {"override": draft.rng.choice(("query", "body", "silent"))}
    if create is not None:
        draft.put([replace(create, options={**create.options, **told})])
        draft.put([Operation("DELETE", draft.collection(kind), "delete-many", kind.plural, "bulk", "delete")])
    if "PATCH" in kind.methods or "DELETE" in kind.methods:
        draft.put([Operation("POST", draft.item(kind), "patch", kind.plural, "_method", options=told)])


def _login(draft: Draft) -> None:
    """POST that answers with the path of an account."""
    methods = frozenset({"GET", "PATCH", "DELETE"})
    users = draft.ensure(Kind("users", "user", fields=(Field("name"),), there=4, creation="", methods=methods))
    path = draft.rng.choice(("/login", "/sessions", "/auth", "/signin"))
    options = {"status": draft.rng.choice((200, 201, 303))}
    draft.put([Operation("POST", path, "log-in", users.plural, "login", "login", options)])


def _batch(draft: Draft) -> None:
    """POST that carries requests."""
    draft.put([Operation("POST", "/batch", "batch", trap="batch", verb="batch")])


def _search(draft: Draft) -> None:
    """Reads by POST, and calls of such names that change what they find."""
    kind, counts = draft.kind(), draft.rng.random() < 0.5
    trap, words = "misnamed read" if counts else "", {"words": 1, "counts": counts}
    if draft.rng.random() < 0.5:
        verb = draft.rng.choice(("search", "query", "count", "filter"))
        draft.put([Operation("POST", f"{draft.collection(kind)}/{verb}", "search", kind.plural, trap, verb, words)])
    else:
        verb = draft.rng.choice(("query", "search", "count"))
        draft.put([Operation("POST", f"{draft.item(kind)}/{verb}", "ask", kind.plural, trap, verb, {"counts": counts})])


def add_membership(draft: Draft) -> None:
    """PUT and DELETE of an existing item of one kind as a member of an item of another."""
    drawn = Service(0, tuple(draft.kinds), ())
    # Of a holder that nobody can make, a member that can be taken out again is the use of a container.
    holders = [kind for kind in draft.kinds if drawn.makeable(kind)]
    pairs = [(a, b) for a in holders for b in draft.kinds if a is not b and b.parent != a.plural]
    if not pairs:
        return
    kind, members = draft.rng.choice(pairs)
    path = f"{draft.collection(kind)}/{{{kind.singular}_id}}/{members.plural}/{{{members.singular}_id}}"
    for method, verb in (("PUT", "join"), ("DELETE", "part")):
        draft.put([Operation(method, path, "join", kind.plural, "membership", verb, {"members": members.plural})])


def add_copying(draft: Draft) -> None:
    """POST that makes another item like one, of a kind that can be removed."""
    kinds = [kind for kind in draft.kinds if "DELETE" in kind.methods and kind.creation and kind.listed]
    if kinds:
        kind, verb = draft.rng.choice(kinds), draft.rng.choice(("duplicate", "clone", "copy", "fork"))
        options = {"name": draft.rng.choice(("kept", "own")), "answer": draft.rng.choice(("copy", "source", "queued"))}
        draft.put([Operation("POST", f"{draft.item(kind)}/{verb}", "copy", kind.plural, "copying", verb, options)])


TRAPS: Mapping[str, Callable[[Draft], None]] = {
    "action": _action,
    "action by GET": _get_action,
    "batch": _batch,
    "bulk": _bulk,
    "innocent GET": _innocent_get,
    "login": _login,
    "merge": _merge,
    "override": _override,
    "query parameter": _parameter,
    "restore": _restore,
    "search": _search,
    "singleton": _singleton,
    "spawn": _spawn,
}
"""What adds each kind of trap to a draft."""
