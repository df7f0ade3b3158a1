"""Draws services from seeds: the same seed gives the same service.

Every trap that is drawn can be foreseen by a client: the path, the operationId, the summary, the method, a look before
or a look after says what it does. The exceptions are operations with `foreseeable=False`, whose first change the
referee counts apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from stateful import habits, rpc_drawing, trap_drawing
from stateful.description import LIES, NAMELESS, Answer, Field, Kind, Operation, Service, Writing
from stateful.vocabulary import CHOICES, FLAGS, LABELS, NOUNS, NUMBERS, TEXTS

ANSWERS: tuple[Answer, ...] = (
    "object", "object", "object", "id", "wrapped", "list", "parent", "location", "empty-201", "empty-204", "ok",
    "accepted", "see-other", "existing-object", "existing-location", "get-or-create", "error-in-200", "failed",
)  # fmt: skip


def draw(seed: int) -> Service:
    """The service of a seed: from `rpc_drawing.FIRST` on, one of RPC style."""
    rng = Random(seed)
    if seed >= rpc_drawing.FIRST:
        return rpc_drawing.draw(seed, _drawn_kinds(rng, 3))
    kinds = _drawn_kinds(rng, 4)
    draft = trap_drawing.Draft(rng, kinds, _writing(rng))
    for kind in kinds:
        draft.put(plain_operations(kind, draft))
    names = rng.sample(sorted(trap_drawing.TRAPS), rng.randint(2, 6))
    for name in names:
        trap_drawing.TRAPS[name](draft)
    # What was thought of later is drawn apart, so that a seed remains the service that it was.
    later = draft.rng = Random(f"later {seed}")
    draft.kinds = [_suffixed(later, kind) for kind in draft.kinds]
    if later.random() < 0.15:
        trap_drawing.add_membership(draft)
    latest = Random(f"latest {seed}")
    draft.kinds = [_ranked(latest, _moving(latest, kind)) for kind in draft.kinds]
    habits.add_habits(draft, Random(f"habits {seed}"))
    draft.rng = Random(f"copies {seed}")
    if draft.rng.random() < 0.15:
        trap_drawing.add_copying(draft)
    return Service(
        seed, tuple(draft.kinds), tuple(draft.operations.values()), tuple(draft.singletons), draft.writing,
        prefix=later.choice(("", "", "/api/v1")),
        absolute=later.random() < 0.3,
        slashes=later.choice(("", "", "", "collections", "all")),
    )  # fmt: skip


def _drawn_kinds(rng: Random, most: int) -> list[Kind]:
    kinds: list[Kind] = []
    nouns = rng.sample(NOUNS, most)
    for plural, singular in nouns[: rng.randint(1, most)]:
        kinds.append(_kind(rng, plural, singular, kinds))
    return [_consistent(kind, kinds) for kind in kinds]


def _suffixed(rng: Random, kind: Kind) -> Kind:
    return replace(kind, suffix=rng.choice(("", "", ".", "@1"))) if kind.ids == "slug" else kind


def _moving(rng: Random, kind: Kind) -> Kind:
    named = kind.ids == "name" and "PATCH" in kind.methods
    return replace(kind, moving=rng.choice(("", "moves", "says", "copies"))) if named else kind


def _ranked(rng: Random, kind: Kind) -> Kind:
    """A kind whose items stand in an order, now and then."""
    name = rng.choice(("position", "rank", "sort_order", "priority", "is_default", "primary"))
    if rng.random() > 0.15 or name in {field.name for field in kind.fields}:
        return kind
    flag = name in ("is_default", "primary")
    return replace(kind, fields=(*kind.fields, Field(name, "boolean" if flag else "integer")), ranked=name)


def services() -> st.SearchStrategy[Service]:
    """Services for hypothesis; a failing one is shown by its seed."""
    return st.integers(0, 10**6).map(draw)


def traps_of(service: Service) -> frozenset[str]:
    """The kinds of traps in a service: those of its operations, and those of its kinds."""
    found = {operation.trap for operation in service.operations if operation.trap}
    if any(operation.options.get("override") for operation in service.operations):
        found.add("_method")
    return frozenset(found.union(*(_traps_of_kind(service, kind) for kind in service.kinds if kind.creation)))


def _traps_of_kind(service: Service, kind: Kind) -> set[str]:
    guarded = any(field.refers and service.makeable(service.kind(field.refers)) for field in kind.fields)
    named = {
        "unremovable": not service.removable(kind),
        "inside somebody's thing": service.protects_parent(kind),
        "container": bool(kind.parent) and not service.protects_parent(kind),
        "reference": guarded,
        f"{kind.removal} deletion": "DELETE" in kind.methods and kind.removal in ("soft", "lying"),
        f"id {kind.reuse}": "DELETE" in kind.methods and kind.reuse != "never",
        "loose parents": kind.loose,
        "moving": kind.moving != "",
        "rank": kind.ranked != "",
        "overwriting": kind.overwriting and bool(kind.methods & {"PUT", "PATCH"}),
    }
    posted = {
        kind.answer: kind.answer in (*LIES, "failed"),
        "upsert": kind.collision.startswith("upsert"),
        "company": kind.company,
        "id in the body": any(field.name == "id" for field in kind.fields),
    }
    named |= posted if kind.creation == "post" else {}
    return {trap for trap, there in named.items() if there} | kind.habits


# Kinds


def _kind(rng: Random, plural: str, singular: str, others: Sequence[Kind]) -> Kind:
    parents = [kind for kind in others if _depth(kind, others) < 3]
    parent = rng.choice(parents).plural if parents and rng.random() < 0.6 else ""
    ids = rng.choice(("int", "int", "uuid", "slug", "name"))
    creation = rng.choices(("post", "put", ""), (8, 2, 1))[0]
    if creation == "put":
        ids = "name"
    methods = {
        method
        for method, chance in (("GET", 0.9), ("PUT", 0.5), ("PATCH", 0.6), ("DELETE", 0.8))
        if rng.random() < chance
    }
    if creation == "put":
        methods |= {"PUT"}
    return Kind(
        plural, singular, parent,
        ids=ids,
        fields=_fields(rng, ids, others),
        there=rng.randint(2, 4 if parent else 6),
        listed=rng.random() < 0.8 or "GET" not in methods,
        envelope=rng.choice(("bare", "data", "items", "results", "map")),
        paging=rng.choice(("", "", "page", "offset", "cursor")),
        page_size=rng.randint(2, 5),
        creation=creation,
        answer=rng.choice(ANSWERS),
        collision=rng.choice(("conflict", "upsert-200", "upsert-201", "twice")),
        methods=frozenset(methods),
        removal=rng.choices(("gone", "soft", "lying", "occupied"), (6, 2, 1, 2))[0],
        reuse=rng.choice(("never", "reused", "taken")),
        company=not parent and rng.random() < 0.12,
        loose=bool(parent) and rng.random() < 0.25,
        overwriting=rng.random() < 0.1,
    )  # fmt: skip


def _depth(kind: Kind, kinds: Sequence[Kind]) -> int:
    parent = next((other for other in kinds if other.plural == kind.parent), None)
    return 1 if parent is None else 1 + _depth(parent, kinds)


def _fields(rng: Random, ids: str, others: Sequence[Kind]) -> tuple[Field, ...]:
    label = "name" if ids in ("name", "slug") else rng.choice(LABELS)
    fields = [Field(label, required=ids == "name" or rng.random() < 0.7)]
    fields += [Field(name, required=rng.random() < 0.2) for name in rng.sample(TEXTS, rng.randint(0, 2))]
    fields += [Field(name, "integer", rng.random() < 0.2) for name in rng.sample(NUMBERS, rng.randint(0, 1))]
    fields += [Field(name, "boolean") for name in rng.sample(FLAGS, rng.randint(0, 1))]
    for name in rng.sample(sorted(CHOICES), rng.randint(0, 1)):
        fields.append(Field(name, "enum", rng.random() < 0.2, CHOICES[name]))
    if rng.random() < 0.2:
        fields.append(Field("labels", "list"))
    if others and rng.random() < 0.3:
        other = rng.choice(others)
        fields.append(Field(f"{other.singular}_id", "reference", rng.random() < 0.6, refers=other.plural))
    if ids in ("int", "uuid") and rng.random() < 0.12:
        fields.append(Field("id", "integer" if ids == "int" else "string"))
    return tuple(fields)


def _consistent(kind: Kind, kinds: Sequence[Kind]) -> Kind:
    """A kind without what no client could deal with, or what contradicts itself."""
    for mend in (_mend_answer, _mend_reuse, _mend_names):
        kind = mend(_mend_removal(kind, kinds))
    return kind


def _mend_answer(kind: Kind) -> Kind:
    """Only a look at the list before and after shows what was created, if no answer does."""
    if kind.answer == "parent" and not kind.parent:
        kind = replace(kind, answer="object")
    nameless = kind.answer in NAMELESS and kind.ids != "name"
    return replace(kind, listed=kind.listed or nameless or kind.company)


def _mend_removal(kind: Kind, kinds: Sequence[Kind]) -> Kind:
    """What is made to hold something must be known to be removable; that a removal is a lie is seen by looking."""
    holds = any(other.parent == kind.plural for other in kinds)
    named = any(field.refers == kind.plural for other in kinds for field in other.fields)
    lie_shows = not holds and not named and _is_seen(kind)
    if (kind.removal == "occupied" and not holds) or (kind.removal == "lying" and not lie_shows):
        return replace(kind, removal="gone")
    return kind


def _mend_reuse(kind: Kind) -> Kind:
    """Whose an id is that was given again, only a look shows."""
    fits = kind.removal == "gone" and kind.ids == "int" and _is_seen(kind)
    return kind if fits else replace(kind, reuse="never")


def _mend_names(kind: Kind) -> Kind:
    if kind.ids != "name":
        return kind
    plain = kind.envelope == "bare" and not kind.paging
    return replace(kind, overwriting=False, envelope="names" if plain else kind.envelope)


def _is_seen(kind: Kind) -> bool:
    return kind.listed or "GET" in kind.methods


# The operations that a kind has without any trap


def plain_operations(kind: Kind, draft: trap_drawing.Draft) -> list[Operation]:
    """What a kind has without any trap."""
    collection, item = draft.collection(kind), draft.item(kind)
    operations = [Operation("GET", collection, "list", kind.plural)] if kind.listed else []
    if kind.creation == "post":
        status = draft.rng.choice((200, 201))
        operations.append(Operation("POST", collection, "create", kind.plural, options={"status": status}))
    effects = {"GET": "read", "PUT": "put", "PATCH": "patch", "DELETE": "delete"}
    operations += [Operation(m, item, effects[m], kind.plural) for m in effects if m in kind.methods]
    return operations


def _writing(rng: Random) -> Writing:
    return Writing(
        schemas=rng.choice(("full", "full", "partial", "none")),
        operation_ids=rng.random() < 0.6,
        summaries=rng.choice(("true", "true", "none", "misleading")),
        responses=rng.choice(("full", "missing")),
        parameter_names=rng.choice(("id", "kind_id")),
    )
