"""The published schemas' verdict: openapi-spec-validator's errors as findings, each with its place.

Lazily imported and never run by `load`. Nothing is fetched: the validator sees one copied tree in which every `$ref`
is local, broken ones are cut out (they have findings of their own), and its own retrieval is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from docrev.grouping import grouped
from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.records import Json
from docrev.spec.dialects import dialect_errors, follows, in_order, is_valid
from docrev.spec.document import Document
from docrev.spec.findings import Finding, Place
from docrev.spec.grammar import version
from docrev.spec.refs import References, target
from docrev.spec.second_pass import nothing_to_say

_BUNDLE = "x-docrev-documents"
_ELSEWHERE = frozenset({"$dynamicRef", "$recursiveRef"})
"""Keywords that the validator must not see: it would look for what they name."""
_MOST_NODES = 250_000
_MOST_STEPS = 20_000
"""Steps of the validator, some ten seconds of its time: it looks at what is shared wherever it is used, and two dozen
schemas that are made of each other take it minutes. Steps and not seconds, so that each run ends alike."""
_LONGEST_MESSAGE = 240


def validate(
    document: Document, refs: References | None = None, *, max_nodes: int = _MOST_NODES, max_steps: int = _MOST_STEPS
) -> list[Finding]:
    """The validator's errors on `document`, as findings `invalid` in the order it reports them.

    `refs` gives the other documents of the catalog; without it a `$ref` into another file counts as satisfied.
    Where the validator itself fails or takes more than `max_steps`, or the document has more than `max_nodes` mappings
    and lists, that is a finding.
    """
    refs = refs or References({document.name: document})
    told = version(document.tree) or "3.0"
    copy = _Copy(refs, max_nodes)
    try:
        if _is_its_own_copy(document, refs, max_nodes) and _is_sound(document.tree, told):
            return []
        tree = copy.whole(document)
        errors = list(_errors(tree, told, copy, _PathSteps(max_steps)))
    except _TooLarge:
        message = f"more than {max_nodes:,} mappings and lists: not validated"
        return [Finding("not-validated", "info", document.name, 1, "", message, "split the document")]
    return errors


class _TooLarge(Exception):
    """The tree has more nodes than are validated in reasonable time."""


def _is_its_own_copy(document: Document, refs: References, max_nodes: int) -> bool:
    """Whether the copy of a document that the validator would see certainly equals it. Raises _TooLarge."""
    here, count = Place(document.name, ""), 0
    stack: list[Json] = [document.tree]
    while stack:
        node = stack.pop()
        count += 1
        if count > max_nodes:
            raise _TooLarge
        if isinstance(node, dict):
            ref = node.get("$ref", "#")
            if not node.keys().isdisjoint(_ELSEWHERE) or not isinstance(ref, str) or ref[:1] != "#" or "%" in ref:
                return False
            if ref != "#" and refs.broken(here, ref):
                return False
            node = node.values()
        stack += [item for item in node if isinstance(item, dict | list)]
    return True


class _TooLong(Exception):
    """The validator has made as many steps as it may."""


class _PathSteps:
    """The steps that the validator has left."""

    def __init__(self, most: int) -> None:
        self.most = self._left = most

    def counted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function each of whose calls is a step. It raises _TooLong once there is none left."""

        def call(*args: Any, **options: Any) -> Any:
            self._left -= 1
            if self._left < 0:
                raise _TooLong
            return function(*args, **options)

        return call


@dataclass
class _Copy:
    """One tree of the document and all it refers to; `places` says where each of its containers comes from.

    Containers are copied one by one, so that each has one place: YAML aliases share theirs.
    """

    refs: References
    max_nodes: int
    places: dict[int, Place] = field(default_factory=dict)
    cut: set[int] = field(default_factory=set)
    keep: list[Json] = field(default_factory=list)
    _queue: list[str] = field(default_factory=list)

    def whole(self, document: Document) -> dict[str, Json]:
        """The tree of `document`, the documents it refers to beside it."""
        self._queue = [document.name]
        tree: dict[str, Json] = {}
        others: dict[str, Json] = {}
        for index, name in enumerate(self._queue):  # grows as references are met
            copied = self._node(self.refs.documents[name].tree, Place(name, ""), document.name)
            if index == 0:
                tree = copied
            else:
                others[str(index)] = copied
        if others:
            tree[_BUNDLE] = others
        return tree

    def _node(self, value: object, place: Place, root: str) -> Json:
        """A copy of `value`; iterative, as documents may be deeper than Python's stack."""
        holder: list[Json] = [value]
        stack: list[tuple[Any, Any, Json, Place]] = [(holder, 0, value, place)]
        while stack:
            owner, key, node, at = stack.pop()
            if isinstance(node, dict):
                made: Json = self._mapping(node, at, root)
                inner = [(made, name, item, pointers.escape(name)) for name, item in made.items()]
            elif isinstance(node, list):
                kept = [(str(index), item) for index, item in enumerate(node) if not self._lost(at, item)]
                made = [item for _, item in kept]
                inner = [(made, index, item, part) for index, (part, item) in enumerate(kept)]
            else:
                continue
            owner[key] = made
            self.places[id(made)] = at
            self.keep.append(made)
            if len(self.places) > self.max_nodes:
                raise _TooLarge
            stack.extend(
                (made, name, item, Place(at.file, f"{at.pointer}/{part}"))
                for made, name, item, part in inner
                if isinstance(item, dict | list)
            )
        return holder[0]

    def _lost(self, at: Place, item: object) -> bool:
        """Whether this is a parameter that a broken `$ref` should give: the validator stops at one without a name."""
        ref = item.get("$ref") if isinstance(item, dict) and at.pointer.endswith("/parameters") else None
        return isinstance(ref, str) and self.refs.broken(at, ref) is not None

    def _mapping(self, node: dict[str, object], at: Place, root: str) -> dict[str, Json]:
        made = {key: item for key, item in node.items() if key not in _ELSEWHERE}
        ref = node.get("$ref")
        if not isinstance(ref, str):
            return made
        goal = target(at.file, ref)
        if goal is None or self.refs.broken(at, ref):
            made = {}
            self.cut.add(id(made))
            self.keep.append(made)
        elif goal[0] != root:
            if goal[0] not in self._queue:
                self._queue.append(goal[0])
            made["$ref"] = f"#/{_BUNDLE}/{self._queue.index(goal[0])}{goal[1]}"
        else:
            made["$ref"] = f"#{goal[1]}"
        return made

    def near(self, pointer: str, tree: object) -> tuple[Place, Json] | None:
        """The place of the innermost container on the way to `pointer` of the copied tree; None within a cut."""
        node, place, rest = tree, self.places[id(tree)], pointers.split(pointer)
        for index, part in enumerate(rest):
            if id(node) in self.cut:
                return None
            below = node.get(part) if isinstance(node, dict) else node[int(part)] if isinstance(node, list) else None
            if id(below) not in self.places:
                return Place(place.file, place.pointer + pointers.join(*rest[index:])), node
            node, place = below, self.places[id(below)]
        return None if id(node) in self.cut else (place, node)


def _errors(tree: dict[str, object], told: str, copy: _Copy, steps: _PathSteps) -> Iterator[Finding]:
    kind = _kind(told)
    if _is_sound(tree, told):
        return
    if not is_valid(_compiled, kind, tree):
        yield from _first_pass(dict(kind.schema_validator.schema), tree, copy, steps)
    validator = _validator(kind, tree, steps)
    for error in _guarded(lambda: validator.root_validator(validator.schema_path), copy, tree, steps):
        found = error if isinstance(error, Finding) else _semantic(error, tree, copy)
        if found is not None:
            yield found


def _is_sound(tree: dict[str, object], told: str) -> bool:
    """Whether neither pass of the validator has certainly anything to say, found out without it."""
    kind = _kind(told)
    return is_valid(_compiled, kind, tree) and nothing_to_say(tree, partial(follows, _dialect_of(kind)))


def _first_pass(schema: dict[str, Any], tree: dict[str, object], copy: _Copy, steps: _PathSteps) -> Iterator[Finding]:
    """The errors by the published schema, each once."""
    seen: set[tuple[str, str]] = set()
    errors = [*_guarded(lambda: _schema_errors(schema, tree, steps), copy, tree, steps)]
    for error in in_order(error for error in errors if not isinstance(error, Finding)):
        for candidate in (_deepest(error), error):
            finding = _finding(candidate, _path(candidate.absolute_path), tree, copy)
            if finding is None or (finding.pointer, finding.message) not in seen:
                break
        if finding is not None:
            seen.add((finding.pointer, finding.message))
            yield finding
    yield from (error for error in errors if isinstance(error, Finding))


@cache
def _compiled(kind: Any) -> Any:
    """A published schema in the form that is fast: making it takes as long as ten validations.

    It tells what is valid 2,000 times as fast as the errors are found.
    """
    import jsonschema_rs

    return jsonschema_rs.validator_for(canonical(dict(kind.schema_validator.schema)))


def _schema_errors(schema: dict[str, Any], tree: dict[str, object], steps: _PathSteps) -> Iterator[Any]:
    """The errors by the published schema."""
    from jsonschema.validators import extend, validator_for  # type: ignore[import-untyped]

    kind = validator_for(schema)
    words = {word: steps.counted(check) for word, check in kind.VALIDATORS.items() if word in ("$ref", "$dynamicRef")}
    yield from extend(kind, words)(schema).iter_errors(tree)


def _guarded(
    run: Callable[[], Iterator[Any]], copy: _Copy, tree: dict[str, object], steps: _PathSteps
) -> Iterator[Any]:
    """The errors of one pass; what makes the validator itself fail ends the pass with a finding."""
    try:
        yield from run()
    except _TooLong:
        name = copy.places[id(tree)].file
        words = f"openapi-spec-validator was left out after {steps.most:,} steps: more may be wrong"
        yield Finding("not-validated", "info", name, 1, "", words, "split the document")
    except Exception as trouble:
        name = copy.places[id(tree)].file
        words = f"the validator stopped here: {type(trouble).__name__}: {str(trouble)[:120]}"
        yield Finding("validator-stopped", "info", name, 1, "", words, "mend the errors above and run it again")


def _semantic(error: Any, tree: dict[str, object], copy: _Copy) -> Finding | None:
    """A finding of the second pass, whose paths are relative to the object that was being checked."""
    owner, suffix = getattr(error, "docrev_owner", (id(tree), ""))
    base = copy.places.get(owner, copy.places[id(tree)])
    pointer = base.pointer + suffix + _path(error.absolute_path)
    return _at(Place(base.file, pointer), error.message, copy)


def _finding(error: Any, pointer: str, tree: dict[str, object], copy: _Copy) -> Finding | None:
    near = copy.near(pointer, tree)
    if near is None:
        return None
    return _at(near[0], error.message, copy)


def _at(place: Place, message: str, copy: _Copy) -> Finding:
    short = re.sub(r"\s+", " ", message)
    short = short if len(short) <= _LONGEST_MESSAGE else f"{short[:140]} … {short[-80:]}"
    return copy.refs.finding(place, "invalid", short)


def _path(parts: Any) -> str:
    return pointers.join(*(str(part) for part in parts))


def _deepest(error: Any) -> Any:
    """The error that says what is wrong: of an `anyOf` or `oneOf`, what the closest alternative complains of."""
    while error.context:
        branches = grouped((inner.schema_path[0], inner) for inner in in_order(error.context))
        real = [branch for branch in branches.values() if not any("'$ref'" in one.message for one in branch)]
        candidates = real or list(branches.values())
        branch = min(candidates, key=lambda one: (-max(len(inner.path) for inner in one), len(one)))
        error = max(branch, key=lambda inner: len(inner.path))
    return error


class _NoRetrieval(dict[str, Any]):
    """Handlers of every scheme, each of which refuses: a spec must not make anything be fetched."""

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> Any:
        def refuse(uri: str) -> Json:
            raise LookupError(f"{uri} is not fetched")

        return refuse


def _kind(told: str) -> Any:
    """The library's validator of documents of a version."""
    # Where jsonschema-rs is importable the validator would take it, and its messages differ.
    os.environ["OPENAPI_SPEC_VALIDATOR_SCHEMA_VALIDATOR_BACKEND"] = "jsonschema"
    import openapi_spec_validator as library

    return {
        "2": library.OpenAPIV2SpecValidator,
        "3.0": library.OpenAPIV30SpecValidator,
        "3.2": library.OpenAPIV32SpecValidator,
    }.get("2" if told.startswith("2") else told[:3], library.OpenAPIV31SpecValidator)


def _dialect_of(kind: Any) -> Any:
    """The validator of schemas that do not name a dialect of their own."""
    return kind.keyword_validators["default"].value_validator_cls


def _validator(base: Any, tree: dict[str, object], steps: _PathSteps) -> Any:
    located = {name: _located(kind, name, steps) for name, kind in base.keyword_validators.items()}
    made = type("Located", (base,), {"keyword_validators": located, "resolver_handlers": _NoRetrieval()})
    return made(tree)


def _located(base: Any, name: str, steps: _PathSteps) -> Any:
    """`base`, with each error saying which object was being checked when it arose: their paths begin there."""
    suffix = "/default" if name == "default" else ""

    def call(self: Any, *args: Any, **options: Any) -> Iterator[Any]:
        subject = next((arg for arg in reversed(args) if hasattr(arg, "read_value")), None)
        for error in base.__call__(self, *args, **options):
            if not hasattr(error, "docrev_owner") and subject is not None:
                error.docrev_owner = (id(subject.read_value()), suffix)
            yield error

    changed: dict[str, Any] = {"__call__": steps.counted(call)}
    if hasattr(base, "_collect_properties"):
        changed["_collect_properties"] = _once(base._collect_properties)
        changed["_get_schema_checker"] = _quick(base._get_schema_checker)
    return type(f"Located{base.__name__}", (base,), changed)


def _quick(checker_of: Callable[..., Any]) -> Callable[..., Any]:
    """The validator's check of one schema by its dialect, made only if a quick one cannot say that nothing is wrong."""

    def call(self: Any, *args: Any) -> Any:
        from jsonschema.exceptions import SchemaError  # type: ignore[import-untyped]

        checker = checker_of(self, *args)
        kind = getattr(checker, "func", checker).__self__

        def check(schema: Any) -> None:
            for error in [] if follows(kind, schema) else dialect_errors(kind, schema):
                raise SchemaError.create_from(error)

        return check

    return call


def _once(collect: Callable[[Any, Any], set[str]]) -> Callable[[Any, Any], set[str]]:
    """The validator's search for all properties of a schema, made once for each: theirs doubles with each `allOf`."""
    found: dict[int, set[str]] = {}

    def call(self: Any, schema: Any) -> set[str]:
        id_ = id(schema.read_value())
        if id_ not in found:
            # Met again on its own way down, a schema adds nothing.
            found[id_] = set()
            found[id_] = collect(self, schema)
        return found[id_]

    return call
