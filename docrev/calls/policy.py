"""What docrev may do to an API. Everything that is not plainly allowed is denied, with the reason."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from docrev.calls.account import about_self, below_self
from docrev.calls.bases import Base
from docrev.calls.batch import carried
from docrev.calls.journal import Journal
from docrev.calls.routes import plain
from docrev.conventions.methods import SAFE_METHODS, UNSAFE_METHODS
from docrev.conventions.statuses import NOT_FOUND
from docrev.errors import UsageError
from docrev.language.words import singular, words
from docrev.prompts.steps import Invoke
from docrev.records import Arguments, Call, Json, OperationKey

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

DENIED_WORDS = frozenset(
    ["reset", "revoke", "rotate", "logout", "shutdown", "flush", "purge", "terminate", "password", "token"]
)
_OUR_HEADERS = frozenset(
    [
        "authorization",
        "proxy-authorization",
        "cookie",
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "upgrade",
        "expect",
        "forwarded",
        "x-original-url",
        "x-rewrite-url",
        "x-http-method",
        "x-http-method-override",
        "x-method-override",
    ]
)
_NOT_OURS = "this run did not create it"
_METHOD_OVERRIDES = frozenset({"_method", "x-http-method-override", "x-http-method"})


ProofKind = Literal["absent", "gone", "own"]


@dataclass(frozen=True, slots=True)
class Proof:
    """A GET whose answer must show that an unsafe call touches nothing but what this run created.

    `absent`: nothing is there yet, so a PUT to a chosen id replaces nothing. `gone`: what this run deleted is still
    gone, and nobody else got its id. `own`: the collection that is to be deleted lists items of this run and nothing
    else.
    """

    invoke: Invoke
    kind: ProofKind


@dataclass(frozen=True)
class Policy:
    """Which operations may be called: GET, HEAD and OPTIONS, and what `allow` adds.

    `allow` are methods, `allow_operations` are `METHOD /path` (or with the tool before it), `deny` are globs over
    operation, path and operationId, which win over everything. `read_only` are tools whose base URL the user did not
    give: GET only.
    """

    allow: frozenset[str] = frozenset()
    allow_operations: frozenset[str] = frozenset()
    deny: tuple[str, ...] = ()
    read_only: frozenset[str] = frozenset()
    _static: dict[OperationKey, str | None] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def parse(cls, allow: Iterable[str] = (), deny: Iterable[str] = (), read_only: Collection[str] = ()) -> Policy:
        """Read `--allow POST,PUT`, `--allow 'POST /tokens'` and `--deny GLOB`. Raises UsageError."""
        methods: set[str] = set()
        operations: set[str] = set()
        for text in allow:
            if "/" in text:
                operations.add(" ".join(text.split()))
                continue
            methods |= {method.strip().upper() for method in text.split(",") if method.strip()}
        if unknown := sorted(methods - UNSAFE_METHODS - SAFE_METHODS):
            raise UsageError(f"{unknown[0]} is no method", where="--allow", fix="give methods, or 'METHOD /path'")
        return cls(frozenset(methods), frozenset(operations), tuple(deny), frozenset(read_only))

    def pointless(self, operations: Sequence[Operation]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The operations of `allow` and the globs of `deny` that name none of `operations`: mistyped, most likely."""
        known = {name for operation in operations for name in (operation.key.operation, str(operation.key))}
        globs = (glob for glob in self.deny if not any(_like(operation, glob) for operation in operations))
        return tuple(sorted(self.allow_operations - known)), tuple(globs)

    def settings(self) -> dict[str, Json]:
        """What identifies it, for the hash of a run's settings."""
        named = {"allow": self.allow, "operations": self.allow_operations, "read_only": self.read_only}
        return {name: sorted(value) for name, value in named.items()} | {"deny": list(self.deny)}

    def permits(self, operation: Operation) -> str | None:
        """Why an operation may never be called, whatever its arguments; None if it may."""
        if operation.key not in self._static:
            self._static[operation.key] = self._judge(operation)
        return self._static[operation.key]

    def verdict(
        self,
        operation: Operation,
        arguments: Arguments,
        journal: Journal,
        *,
        base: Base | None = None,
        proven: bool = False,
    ) -> str | None:
        """Why a call is denied; None if it may be sent. `proven`: its `proofs` were called and hold."""
        reason = self.permits(operation) or _path_trouble(operation, arguments) or _disguise(operation, arguments)
        if reason or operation.method in SAFE_METHODS:
            return reason
        reason = _slashes(operation, arguments, journal) or self._ownership(operation, arguments, journal, proven)
        if reason or "body:" not in arguments:
            return reason
        return self._carried(operation, arguments, journal, base)

    def proofs(self, operation: Operation, arguments: Arguments, journal: Journal) -> list[Proof]:
        """The GETs whose responses must show what they are to prove before an unsafe call may be sent."""
        changes = operation.method in ("PUT", "PATCH", "DELETE")
        if not changes or self.permits(operation) or missing(operation, arguments):
            return []
        twin = journal.routes.twin(operation.key, "GET")
        if twin is None or journal.owns(operation, arguments):
            return []
        kind = _proof_kind(operation, arguments, journal)
        if kind is None:
            return []
        return [Proof(Invoke(twin.key, _twin_arguments(operation, twin, arguments, query=kind == "own")), kind)]

    def holds(self, proof: Proof, call: Call, operation: Operation, journal: Journal) -> str | None:
        """Why the answer to a proof does not show what it must; None if it does."""
        if proof.kind == "own":
            return journal.only_own(operation, call)
        if call.error is None and (call.status in NOT_FOUND or (call.status == 403 and proof.kind == "absent")):
            return None
        return "there may already be something at the id that was chosen"

    # The parts

    def _judge(self, operation: Operation) -> str | None:
        key = operation.key
        if any(_like(operation, glob) for glob in self.deny):
            return "--deny names it"
        named = key.operation in self.allow_operations or str(key) in self.allow_operations
        if (reason := self._judge_method(operation, named)) is not None:
            return reason
        if not named and (word := denied_word(operation)):
            return f"'{word}' is on the deny list; name it: --allow '{key.operation}'"
        if any(segment in (".", "..") for segment in unquote(operation.path).split("/")):
            return "its path has dot segments"
        if operation.method not in SAFE_METHODS and about_self(operation):
            return "it would change the caller's own account"
        return None

    def _judge_method(self, operation: Operation, named: bool) -> str | None:
        """Why the method of an operation may not be sent; None if it may."""
        method = operation.method
        if method not in SAFE_METHODS | UNSAFE_METHODS:
            return f"{method} is never sent"
        if operation.key.tool in self.read_only and method != "GET":
            return "only GET goes to a server that the spec names; give --base-url"
        allowed = named or method in SAFE_METHODS or method in self.allow
        return None if allowed else f"{method} is not allowed; see --allow"

    def _ownership(self, operation: Operation, arguments: Arguments, journal: Journal, proven: bool) -> str | None:
        if journal.owns(operation, arguments):
            return None
        if journal.accounts.holds(arguments):
            return "an id comes from the caller's own account"
        if operation.method == "POST":
            # Under `/me`, only what makes something that can be told apart and removed again.
            creates = not below_self(operation) or journal.routes.item_under(operation.key)
            return None if creates else "it would change the caller's own account"
        if journal.routes.path(operation.key).ends_in_parameter:
            return self._item_ownership(operation, arguments, journal, proven)
        if operation.method == "DELETE":
            return None if proven else "the collection may hold what this run did not create"
        return _NOT_OURS

    def _item_ownership(self, operation: Operation, arguments: Arguments, journal: Journal, proven: bool) -> str | None:
        """Why an item that this run does not own, by now, may not be put or changed; None if it may."""
        if operation.method == "PUT" and journal.chosen(operation, arguments):
            twin = journal.routes.twin(operation.key, "GET")
            return None if proven or twin is None else "nothing shows that the chosen id is free"
        if journal.had(operation, arguments):
            # An id may be given again: somebody else's may be there by now, unless it lies in what is ours.
            safe = proven or journal.below_own(operation, arguments)
            return None if safe else "nothing shows that what this run deleted is still gone"
        return _NOT_OURS

    def _carried(self, operation: Operation, arguments: Arguments, journal: Journal, base: Base | None) -> str | None:
        origin, prefix = (base.origin, base.prefix) if base else ("", "")
        requests = carried(operation, arguments["body:"], journal.routes, origin=origin, prefix=prefix)
        if requests is None:
            return "it carries requests that cannot be read"
        for request in requests:
            name = f"carried {request.method} {request.target[:80]}"
            if request.operation is None:
                return f"{name}: not in the catalog"
            if request.operation.key == operation.key:
                return f"{name}: a batch in a batch"
            if reason := self.verdict(request.operation, request.arguments, journal, base=base):
                return f"{name}: {reason}"
        return None


def denied_word(operation: Operation) -> str | None:
    """The first whole word of the deny list in the path's own segments or the operationId; parameters are left out."""
    segments = [outside for segment in operation.path.split("/") for outside in _outside(segment)]
    for name in (*segments, operation.operation_id):
        found = [singular(word) for word in words(name)]
        joined = [first + second for first, second in pairwise(found)]
        for word in (*found, *joined):
            if word in DENIED_WORDS:
                return word
    return None


def missing(operation: Operation, arguments: Arguments) -> str | None:
    """The first path parameter that has no value."""
    for parameter in operation.parameters:
        if parameter.location == "path" and plain(arguments.get(parameter.key)) == "":
            return parameter.name
    return None


def _outside(segment: str) -> list[str]:
    pieces = segment.split("{")
    return [pieces[0], *(piece.partition("}")[2] for piece in pieces[1:])]


def _proof_kind(operation: Operation, arguments: Arguments, journal: Journal) -> ProofKind | None:
    """What a GET must show before an unsafe call on something that is not ours; None if nothing would do."""
    if not journal.routes.path(operation.key).ends_in_parameter:
        return "own" if operation.method == "DELETE" else None
    if operation.method == "PUT" and journal.chosen(operation, arguments):
        return "absent"
    return "gone" if journal.had(operation, arguments) and not journal.below_own(operation, arguments) else None


def _like(operation: Operation, glob: str) -> bool:
    names = (operation.key.operation, str(operation.key), operation.path, operation.operation_id)
    return any(fnmatchcase(name, glob) for name in names if name)


def _path_trouble(operation: Operation, arguments: Arguments) -> str | None:
    """An empty or dotted path argument would reach another operation than the one that was judged."""
    if (name := missing(operation, arguments)) is not None:
        return f"no value for path parameter {name}"
    for location, value in arguments.items():
        if location.startswith("path:"):
            text = unquote(plain(value)).replace("\\", "/")
            if "." in text and any(step.strip() in (".", "..") for step in text.split("/")):
                return "a path argument with dot segments leaves the operation's path"
    return None


def _disguise(operation: Operation, arguments: Arguments) -> str | None:
    """Headers that are docrev's own to set, and parameters that turn one method into another."""
    for location, value in arguments.items():
        where, _, name = location.partition(":")
        if where == "header" and (reason := _header_trouble(operation, name, value)) is not None:
            return reason
        if where == "query" and name.lower() in _METHOD_OVERRIDES and plain(value).upper() != operation.method:
            return f"{name} would turn it into another method"
    return None


def _header_trouble(operation: Operation, name: str, value: Json) -> str | None:
    if value is None:
        # Without a header a request has fewer rights; but only the user named may change anything.
        return None if operation.method in SAFE_METHODS else f"the header {name} is only left out of what reads"
    ours = name.lower() in _OUR_HEADERS or name.lower().startswith("x-forwarded")
    return f"the header {name} is not an argument" if ours else None


def _slashes(operation: Operation, arguments: Arguments, journal: Journal) -> str | None:
    # Many servers decode %2F before they route: an id with a slash may be the path of another operation.
    if journal.owns(operation, arguments):
        return None
    for location, value in arguments.items():
        text = unquote(plain(value)) if location.startswith("path:") else ""
        if "/" in text or "\\" in text:
            return "an id with a slash may reach another operation"
    return None


def _twin_arguments(operation: Operation, twin: Operation, arguments: Arguments, *, query: bool) -> Mapping[str, Json]:
    """The arguments of the GET on the same path; parameters may be called differently there."""
    ours = operation.path.split("{")[1:]
    theirs = twin.path.split("{")[1:]
    found: dict[str, Json] = {
        f"path:{new.partition('}')[0]}": arguments[f"path:{old.partition('}')[0]}"]
        for old, new in zip(ours, theirs, strict=True)
    }
    if query:
        found.update({location: value for location, value in arguments.items() if location.startswith("query:")})
    return found
