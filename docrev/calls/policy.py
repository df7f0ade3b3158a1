"""What docrev may do to an API. Everything that is not plainly allowed is denied, with the reason."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import unquote

from docrev.calls.account import about_self, below_self
from docrev.calls.bases import Base
from docrev.calls.batch import carried
from docrev.calls.consent import Within, check_within, consented_depth, parse_within
from docrev.calls.content import content, said_beside, unaddressed
from docrev.calls.creations import Creation
from docrev.calls.disguises import disguise
from docrev.calls.effect_trouble import OWN_ACCOUNT, effect_trouble
from docrev.calls.effects import Effect, Effects
from docrev.calls.journal import Journal
from docrev.calls.looks import is_absent
from docrev.calls.names_sent import (
    carried_out,
    keeps_reference,
    name_trouble,
    names_in_own,
    rank_trouble,
    scope_trouble,
)
from docrev.calls.paths import denied_word, missing, path_trouble, slash_trouble
from docrev.calls.proofs import Proof, absence_of_target, proof_kind, twin_arguments
from docrev.calls.readings import CHANGED
from docrev.calls.routes import template
from docrev.calls.seen_things import Reference
from docrev.calls.selections import selects_more
from docrev.conventions.methods import SAFE_METHODS, UNSAFE_METHODS
from docrev.errors import UsageError
from docrev.language.words import article
from docrev.prompts.steps import Invoke
from docrev.records import Arguments, Call, Json, OperationKey

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_NOT_OURS = "this run did not create it"
_ONCE = "it has made something that this run cannot remove: once is enough"
_KEPT = "what the run deleted of such things is still there: that is enough of them"


@dataclass(frozen=True)
class Policy:
    """Which operations may be called: GET, HEAD and OPTIONS, and what `allow` adds.

    `allow` are methods, `allow_operations` are `METHOD /path` (or with the tool before it), `deny` are globs over
    operation, path and operationId, which win over everything. `read_only` are tools whose base URL the user did not
    give: GET only. `within` are things that exist, below which the run may act as on its own, but for removing.
    """

    allow: frozenset[str] = frozenset()
    allow_operations: frozenset[str] = frozenset()
    deny: tuple[str, ...] = ()
    read_only: frozenset[str] = frozenset()
    within: Within = frozenset()
    effects: Effects | None = field(default=None, repr=False, compare=False)
    _static: dict[OperationKey, str | None] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def parse(
        cls,
        allow: Iterable[str] = (),
        deny: Iterable[str] = (),
        read_only: Collection[str] = (),
        *,
        within: Iterable[str] = (),
    ) -> Policy:
        """Read `--allow POST,PUT`, `--allow 'POST /tokens'`, `--deny GLOB` and `--within NAME=VALUE`.

        Raises UsageError.
        """
        methods: set[str] = set()
        operations: set[str] = set()
        for text in allow:
            if "/" in text:
                operations.add(_bare(" ".join(text.split())))
                continue
            methods |= {method.strip().upper() for method in text.split(",") if method.strip()}
        if unknown := sorted(methods - UNSAFE_METHODS - SAFE_METHODS):
            raise UsageError(f"{unknown[0]} is no method", where="--allow", fix="give methods, or 'METHOD /path'")
        named = parse_within(within)
        return cls(frozenset(methods), frozenset(operations), tuple(deny), frozenset(read_only), named)

    def judging(self, effects: Effects) -> Policy:
        """The same policy, with what the operations that it judges would do."""
        return replace(self, effects=effects, _static={})

    def check(self, operations: Sequence[Operation]) -> None:
        """Raise UsageError for what `--allow` or `--within` names and `operations` do not have, as if mistyped."""
        known = {_bare(name) for op in operations for name in (op.key.operation, str(op.key))}
        if unknown := sorted(self.allow_operations - known):
            fix = "docrev explore --dry-run lists the operations"
            raise UsageError(f"the specs have no operation {unknown[0]}", where="--allow", fix=fix)
        check_within(self.within, (template(operation.path) for operation in operations))

    def pointless(self, operations: Sequence[Operation]) -> tuple[str, ...]:
        """The globs of `deny` that match none of `operations`."""
        return tuple(glob for glob in self.deny if not any(is_like(operation, glob) for operation in operations))

    def settings(self) -> dict[str, Json]:
        """What identifies it, for the hash of a run's settings."""
        named = {"allow": self.allow, "operations": self.allow_operations, "read_only": self.read_only}
        within = {"within": sorted("=".join(thing) for thing in self.within)} if self.within else {}
        return {name: sorted(value) for name, value in named.items()} | {"deny": list(self.deny)} | within

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
        reason = self.permits(operation) or path_trouble(operation, arguments) or disguise(operation, arguments)
        if not reason and operation.route.method in SAFE_METHODS:
            reason = self._reading_trouble(operation, arguments, journal)
        if reason or journal.effects.of(operation).kind == "read":
            return reason
        reason = slash_trouble(operation, arguments, journal) or self._ownership(operation, arguments, journal, proven)
        says_nothing = content(operation, arguments) is None and not said_beside(operation, arguments)
        if reason or (says_nothing and not rank_trouble(operation, arguments, journal)):
            return reason
        return self._body_trouble(operation, arguments, journal, base)

    def _body_trouble(
        self, operation: Operation, arguments: Arguments, journal: Journal, base: Base | None
    ) -> str | None:
        """Why a call is denied for what its body names or carries."""
        if (name := selects_more(operation, arguments)) is not None:
            return f"its {name} may select more than this run created"
        free = self.consents(operation, arguments) or journal.readings.reads.get(operation.key, False)
        reason = None
        if not free:
            troubles = (self._named_things, name_trouble, rank_trouble, scope_trouble)
            reason = next((why for trouble in troubles if (why := trouble(operation, arguments, journal))), None)
        if reason or "body:" not in arguments:
            return reason
        return self._carried(operation, arguments, journal, base)

    def proofs(self, operation: Operation, arguments: Arguments, journal: Journal) -> list[Proof]:
        """The GETs whose responses must show what they are to prove before an unsafe call may be sent."""
        method = operation.route.method
        if method in SAFE_METHODS or self.permits(operation) or missing(operation, arguments):
            return []
        if method in ("POST", "PUT"):
            return absence_of_target(operation, arguments, journal)
        twin = journal.routes.twin(operation.key, "GET")
        if twin is None or journal.owns(operation, arguments):
            return []
        kind = proof_kind(operation, arguments, journal)
        if kind is None:
            return []
        return [Proof(Invoke(twin.key, twin_arguments(operation, twin, arguments, query=kind == "own")), kind)]

    def holds(self, proof: Proof, call: Call, operation: Operation, journal: Journal) -> str | None:
        """Why the answer to a proof does not show what it must; None if it does."""
        if proof.kind == "own":
            return journal.only_own(operation, call)
        absent = is_absent(journal.routes.path(call.key).fill(call.arguments), call)
        return None if absent else "there may be something by now where this run deleted something"

    def creation(self, operation: Operation, arguments: Arguments, journal: Journal) -> Creation | None:
        """The creation that a call may be, which is to be looked at before and after; None if it is none."""
        return journal.creation(operation, arguments)

    def consents(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether the user consented in words to what a call would do: named the operation, or the thing it is in.

        What exists in that thing may be changed, and not removed; nor is the thing itself changed.
        """
        if self.names(operation):
            return True
        path = template(operation.route.path)
        depth = consented_depth(self.within, path, arguments) if operation.route.method != "DELETE" else 0
        return bool(depth) and (depth < len(path.names) or not path.ends_in_parameter)

    def needs_consent(self, operation: Operation, arguments: Arguments, journal: Journal) -> bool:
        """Whether a call is only sent because the user consented to it in words."""
        if journal.effects.of(operation).kind == "read" or not self.consents(operation, arguments):
            return False
        if journal.owns(operation, arguments):
            return False
        alien = self._alien(operation, arguments, journal, False)
        return (alien or self._named_things(operation, arguments, journal)) is not None

    def names(self, operation: Operation) -> bool:
        """Whether `--allow 'METHOD /path'` names an operation."""
        names = (operation.key.operation, str(operation.key))
        return any(_bare(name) in self.allow_operations for name in names)

    def lacks_a_name(self, operation: Operation) -> bool:
        """Whether an operation that may not be called could be, were it named by `--allow 'METHOD /path'`."""
        named = replace(self, allow_operations=self.allow_operations | {_bare(str(operation.key))}, _static={})
        method = self._judge_method(operation, self.names(operation))
        return method is None and named.permits(operation) is None

    # The parts

    def _reading_trouble(self, operation: Operation, arguments: Arguments, journal: Journal) -> str | None:
        """Why a GET might change what it reads, if that is not the run's own; None if it may be sent."""
        reason = journal.readings.trouble(operation, arguments, journal.routes)
        free = reason is None or self.consents(operation, arguments) or journal.owns(operation, arguments)
        return None if free else reason

    def _judge(self, operation: Operation) -> str | None:
        key = operation.key
        if any(is_like(operation, glob) for glob in self.deny):
            return "--deny names it"
        named = self.names(operation)
        if (reason := self._judge_method(operation, named)) is not None:
            return reason
        if not named and (word := denied_word(operation)):
            return f"'{word}' is on the deny list; name it: --allow '{key.operation}'"
        if any(segment in (".", "..") for segment in unquote(operation.path).split("/")):
            return "its path has dot segments"
        if operation.route.method not in SAFE_METHODS and about_self(operation):
            return OWN_ACCOUNT
        return None if named else effect_trouble(operation, self.effects)

    def _judge_method(self, operation: Operation, named: bool) -> str | None:
        """Why the method of an operation may not be sent; None if it may."""
        method = operation.method
        if method not in SAFE_METHODS | UNSAFE_METHODS:
            return f"{method} is never sent"
        if operation.key.tool in self.read_only and method != "GET":
            return "only GET goes to a server that the spec names; give --base-url"
        allowed = named or method in SAFE_METHODS or method in self.allow
        return None if allowed else f"{method} is not allowed; give --allow {method}"

    def _ownership(self, operation: Operation, arguments: Arguments, journal: Journal, proven: bool) -> str | None:
        if reason := self._repetition_trouble(operation, arguments, journal):
            return reason
        if journal.readings.changed(operation.key):
            return None if self.names(operation) else CHANGED
        if journal.owns(operation, arguments):
            return None if self.consents(operation, arguments) else carried_out(journal, operation, arguments)
        if journal.accounts.holds(arguments):
            return "an id comes from the caller's own account"
        return None if self.consents(operation, arguments) else self._alien(operation, arguments, journal, proven)

    def _repetition_trouble(self, operation: Operation, arguments: Arguments, journal: Journal) -> str | None:
        """Why no more of what an operation makes is to be made, if nobody named it: what was made stays."""
        if self.names(operation):
            return None
        if operation.route.method == "POST" and journal.accepted(operation):
            acts = journal.effects.of(operation).kind == "action" and self.consents(operation, arguments)
            return None if acts else _ONCE
        puts = journal.effects.puts(operation) and not journal.owns(operation, arguments)
        creates = puts or journal.effects.of(operation).kind == "creation"
        return _KEPT if creates and journal.kept.keeps(operation) else None

    def _alien(self, operation: Operation, arguments: Arguments, journal: Journal, proven: bool) -> str | None:
        """Why a call to what is not the run's own is denied, if nobody consented; None if it may be sent."""
        effect = journal.effects.of(operation)
        if effect.kind == "creation":
            return self._creation_trouble(operation, arguments, journal, effect, proven)
        if effect.kind == "item":
            return self._item_ownership(operation, arguments, journal, proven, effect)
        if effect.kind == "batch":
            return None if "body:" in arguments else "it carries nothing by which it could be judged"
        if effect.kind == "query":
            return journal.readings.query_trouble(operation, arguments, bool(effect.parents))
        if effect.kind == "collection":
            return None if proven else "the collection may hold what this run did not create"
        # What it goes to was shown to be absent, or to contain the run's own alone.
        return None if proven and effect.kind in ("part", "action", "query") else _NOT_OURS

    def _creation_trouble(
        self, operation: Operation, arguments: Arguments, journal: Journal, effect: Effect, proven: bool
    ) -> str | None:
        """Why an item may not be added where a call would add it; None if it may."""
        if effect.parents:
            own = proven or journal.owns(operation, arguments, effect.parents)
            return None if own else "what it would add to was not created by this run, which can make one of its own"
        if below_self(operation) and not (effect.removable and journal.routes.item_under(operation.key)):
            # Under `/me`, only what makes something that can be told apart and removed again.
            return OWN_ACCOUNT
        if effect.removable:
            return None
        path = journal.routes.path(operation.key)
        if len(path.names) > path.ends_in_parameter and not journal.below_own(operation, arguments):
            return "what it would add to something that exists could not be removed again"
        return _ONCE if journal.accepted(operation) else None

    def _item_ownership(
        self, operation: Operation, arguments: Arguments, journal: Journal, proven: bool, effect: Effect
    ) -> str | None:
        """Why an item that this run does not own, by now, may not be put or changed; None if it may."""
        free = journal.chosen(operation, arguments) or journal.had(operation, arguments)
        if free and journal.effects.puts(operation):
            return self._creation_trouble(operation, arguments, journal, effect, proven)
        if journal.had(operation, arguments):
            # An id may be given again: somebody else's may be there by now, unless it lies in what is ours.
            safe = proven or journal.below_own(operation, arguments)
            return None if safe else "nothing shows that what this run deleted is still gone"
        return _NOT_OURS

    def _named_things(self, operation: Operation, arguments: Arguments, journal: Journal) -> str | None:
        """Why a call may not refer, beside its path, to what exists; None if it does not, or may.

        A creation may name one thing that no operation makes, if what it creates can be removed; and a change of that
        may name it again.
        """
        effect = journal.effects.of(operation)
        references = [
            reference
            for reference in _references(operation, arguments, journal)
            if not (effect.parents and names_in_own(journal, operation, arguments, effect.parents, reference))
            and not keeps_reference(journal, operation, arguments, reference)
        ]
        if not references:
            return None
        first = references[0]
        creates = effect.kind == "creation" or journal.effects.puts(operation)
        if creates and effect.removable and len(references) == 1 and _may_be_named(first, operation, journal):
            return None
        noun = first.noun or "thing"
        return f"it names {article(noun)} {noun} that this run did not create, in {first.name}"

    def _carried(self, operation: Operation, arguments: Arguments, journal: Journal, base: Base | None) -> str | None:
        origin, prefix = (base.origin, base.prefix) if base else ("", "")
        requests = carried(operation, arguments["body:"], journal.routes, origin=origin, prefix=prefix)
        if requests is None:
            return "it carries requests that cannot be read"
        if not requests and journal.effects.of(operation).kind == "batch":
            return "it carries nothing by which it could be judged"
        for request in requests:
            name = f"carried {request.method} {request.target[:80]}"
            if request.operation is None:
                return f"{name}: not in the catalog"
            if request.operation.key == operation.key:
                return f"{name}: a batch in a batch"
            if reason := self.verdict(request.operation, request.arguments, journal, base=base):
                return f"{name}: {reason}"
        return None


def _references(operation: Operation, arguments: Arguments, journal: Journal) -> list[Reference]:
    """What a call refers to, beside its path, that this run did not create."""
    said = (unaddressed(operation, arguments), said_beside(operation, arguments))
    return [*chain.from_iterable(journal.foreign(operation, each) for each in said)]


def _may_be_named(reference: Reference, operation: Operation, journal: Journal) -> bool:
    """Whether a creation may name something that exists: no operation makes such things, its path says of no other one
    that it is meant, and it did not change.
    """
    kinds, noun = journal.effects.addressed_kinds(operation), reference.noun
    is_made = reference.listed or journal.effects.makes(operation.tool, noun)
    return not (is_made or reference.is_code or noun in kinds or journal.spoiled(reference))


def _bare(name: str) -> str:
    """The name of an operation without a slash at the end of its path: a person may leave it out."""
    return name.rstrip("/")


def is_like(operation: Operation, glob: str) -> bool:
    """Whether a pattern names an operation: by `METHOD /path`, with its tool before it, by its path or operationId."""
    names = (operation.key.operation, str(operation.key), operation.path, operation.operation_id)
    return any(fnmatchcase(name, glob) for name in names if name)
