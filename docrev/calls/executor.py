"""Performs calls: judged by the policy, sent within bounds, redacted before anybody sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from docrev.calls.authentication import ClientCredentials
from docrev.calls.bases import Base, parse_base
from docrev.calls.batch import Carried, answers, carried
from docrev.calls.broken_lists import BrokenLists, breaks, fails
from docrev.calls.challenges import Answer, answer_to
from docrev.calls.content import content
from docrev.calls.creation_answers import CreationAnswer, answer_in
from docrev.calls.creation_looks import look_at
from docrev.calls.creations import Creation
from docrev.calls.credentials import Header
from docrev.calls.http import Reply, Wire
from docrev.calls.journal import Journal
from docrev.calls.limits import Limits
from docrev.calls.moves import Move
from docrev.calls.names_sent import keeps_reference
from docrev.calls.policy import Policy
from docrev.calls.proofs import Proof
from docrev.calls.rate import Rate, retry_after
from docrev.calls.recording import Recorder
from docrev.calls.redirects import followed
from docrev.calls.request import Builder, Request
from docrev.calls.routes import Routes, template
from docrev.calls.signing import Signer
from docrev.calls.storms import Storms
from docrev.calls.tokens import Tokens
from docrev.calls.watched import Watched
from docrev.conventions.lists import list_of
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.run_names import RunNames
from docrev.conventions.statuses import BUSY, RATE_LIMITED, UNAUTHENTICATED, is_client_error
from docrev.errors import UsageError
from docrev.prompts.steps import Invoke
from docrev.records import Arguments, Call, JournalItem, OperationKey
from docrev.spec.security import security_schemes

if TYPE_CHECKING:
    from docrev.spec.catalog import Catalog
    from docrev.spec.operation import Operation

Spend = Callable[[], bool]


class Executor:
    """Sends the calls of one run to the base URLs of its tools, and nowhere else.

    `bases` are prefixes by tool; `headers` go to their tools, as `assign_headers` says, and so do the access tokens of
    `clients`. `names` is what the run's own names are on the wire; requests and calls have them with the placeholder.
    Raises UsageError for a tool without a base URL, and for a secret that would go to several hosts.
    """

    def __init__(
        self,
        catalog: Catalog,
        bases: Mapping[str, str],
        *,
        headers: Sequence[Header] = (),
        clients: Sequence[ClientCredentials] = (),
        policy: Policy | None = None,
        limits: Limits | None = None,
        rate: float | None = None,
        concurrency: int = 16,
        names: RunNames | None = None,
    ) -> None:
        self.catalog = catalog
        self.names = names or RunNames()
        self.bases = {tool: _base(tool, bases) for tool in catalog.tools}
        self.limits = limits or Limits()
        self.routes = Routes(catalog.operations)
        self._lists = BrokenLists()
        self.journal = self.new_journal()
        self.policy = (policy or Policy()).judging(self.journal.effects)
        self.rate = Rate(rate)
        self._signer = Signer(self.bases, headers, clients, self.policy.read_only)
        self.redactor, self.secrets = self._signer.redactor, self._signer.secrets
        self._recorder = Recorder(catalog, self.limits, self.redactor)
        self.credential_forms = self._signer.forms
        self.storms = self._storms()
        # Where nothing may be changed, nobody asks the journal.
        self._changes = any(
            op.route.method not in SAFE_METHODS and not self.policy.permits(op) for op in catalog.operations
        )
        self._builders: dict[OperationKey, Builder] = {}
        self._promises: dict[OperationKey, bool] = {}
        urls = (*(base.origin for base in self.bases.values()), *(client.token_url for client in clients))
        self._wire = Wire(self.limits, concurrency=concurrency, tls=any(url.startswith("https:") for url in urls))
        self._tokens = Tokens(clients, self._wire, self.redactor.learn)

    @property
    def foreign_hosts(self) -> tuple[str, ...]:
        """The hosts that are not this machine, sorted: to be named before the first call."""
        return tuple(sorted({base.host for base in self.bases.values() if base.foreign}))

    def prepare(self, invoke: Invoke) -> Request | Call:
        """The request of a call; or, if it is denied, the call with the reason as its `detail`."""
        return self.refusal(invoke) or self.build(invoke)

    def refusal(self, invoke: Invoke, *, proven: bool = False) -> Call | None:
        """A call that is denied, with the reason as its `detail`; None if it may be sent."""
        operation = self.catalog.get(invoke.key)
        if operation is None:
            return self.denied(invoke, "the catalog has no such operation")
        base = self.bases[invoke.key.tool]
        reason = self.policy.verdict(operation, invoke.arguments, self.journal, base=base, proven=proven)
        return self.denied(invoke, reason) if reason is not None else None

    def reads(self, key: OperationKey) -> bool:
        """Whether an operation only reads, by its method or by what it is called."""
        operation = self.catalog.get(key)
        return (key if operation is None else operation.route).method in SAFE_METHODS

    def build(self, invoke: Invoke) -> Request:
        """The request of a call, whether it may be sent or not. KeyError for no such operation, or without a path
        argument."""
        builder = self._builders.get(invoke.key)
        if builder is None:
            operation = self.catalog[invoke.key]
            builder = Builder(operation, template(operation.path), self.bases[invoke.key.tool])
            self._builders[invoke.key] = builder
        return builder.build(invoke)

    def denied(self, invoke: Invoke, reason: str, *, error: str = "denied") -> Call:
        """A call that is not made, for `reason`."""
        return self._recorder.denied(invoke, reason, error=error)

    def proofs(self, invoke: Invoke) -> list[Proof]:
        """What must be shown by a GET before this call may be sent; nothing for most."""
        operation = self.catalog.get(invoke.key)
        return self.policy.proofs(operation, invoke.arguments, self.journal) if operation else []

    def holds(self, proof: Proof, call: Call, invoke: Invoke) -> str | None:
        """Why the answer to a proof does not show what it must; None if it does."""
        return self.policy.holds(proof, call, self.catalog[invoke.key], self.journal)

    def watch(self, invoke: Invoke) -> Watched:
        """What is to be looked at before and after a call: what it may create, by itself or by what it carries."""
        operation = self.catalog[invoke.key]
        body = content(operation, invoke.arguments)
        requests = [(operation, invoke.arguments)]
        for request in self._carried(operation, invoke.arguments) or ():
            if request.operation is not None:
                requests.append((request.operation, request.arguments))
        creations = [self.policy.creation(*request, self.journal) for request in requests]
        made = [creation for creation in creations if creation is not None]
        named = [
            reference
            for reference in (self.journal.foreign(operation, body) if body is not None else ())
            if made or keeps_reference(self.journal, operation, invoke.arguments, reference)
        ]
        beside = self.journal.beside(operation, invoke.arguments)
        targets = self.journal.targets.of(operation, invoke.arguments)
        return Watched(
            made,
            named if beside is None else [*named, beside],
            self.routes,
            self.journal.made,
            self.journal.things.is_word,
            targets,
            self.journal.others.of(operation),
        )

    def unsettled(
        self, watched: Watched, after: Sequence[Call | None], invoke: Invoke, call: Call
    ) -> list[tuple[Creation | Move, str, Invoke]]:
        """What is still to be looked at after a call: (creation or move, path, look).

        Each path under which a new item may be addressed, until that is known; what the call names as created where no
        list shows anything new; and both paths of an item that the call may have moved.
        """
        looks: list[tuple[Creation | Move, str, Invoke]] = []
        for move in self._moves(invoke, call):
            steps = [(path, self.routes.get(move.tool, path)) for path in (move.old, move.new)]
            looks += [(move, path, step) for path, step in steps if step is not None]
        for creation in watched.creations if call.ok else ():
            answer = self._answer(creation, invoke, call)
            paths = self.journal.creations.open_paths(creation, watched.pairs(creation, after), answer)
            looks += [(creation, at, look) for at in paths if (look := look_at(creation, at, self.routes)) is not None]
        return looks

    def settle(
        self,
        watched: Watched,
        after: Sequence[Call | None],
        invoke: Invoke,
        call: Call,
        named: Sequence[tuple[Creation | Move, str, Call]] = (),
    ) -> list[JournalItem]:
        """Take what was looked at before and after a call into the journal; the items that are new come back."""
        items: list[JournalItem] = []
        for move in self._moves(invoke, call):
            items += self.journal.settle_move(move, {path: look for about, path, look in named if about == move})
        for creation in watched.creations:
            shown = [(path, look) for about, path, look in named if about is creation]
            looks, before = watched.pairs(creation, after), watched.before(creation)
            items += self.journal.creations.settle(creation, looks, self._answer(creation, invoke, call), shown, before)
        items += self._settle_changes(watched, after, invoke, call)
        for look in after:
            if look is not None and look.error is None:
                items += self.observe(look)
        return items

    def undoing(self, watched: Watched, after: Sequence[Call | None], call: Call) -> list[Invoke]:
        """What removes at once what a call made after which a list fails: nobody can read it until that is gone."""
        broken = any(breaks(watched.pairs(creation, after)) for creation in watched.creations)
        made = [item for item in self.journal.left() if item.call == call.id] if broken else []
        return self._removals(made)

    def suspects(self, watched: Watched) -> list[Invoke]:
        """What removes things of the run's own for which a list may fail that answered before they were changed."""
        failed = [
            call for creation in watched.creations for look, call in watched.before(creation) if fails(look, call)
        ]
        places = [at for call in failed for at in self._lists.suspects(call.key.tool, self._listed_at(call))]
        return self._removals(item for at in places if (item := self.journal.at(*at)) is not None and not item.deleted)

    def _removals(self, items: Iterable[JournalItem]) -> list[Invoke]:
        """The calls that remove these items alone."""
        steps = [step for item in items if item.confirmed and (step := self.journal.removal(item)) is not None]
        return [step for step in steps if self.routes.path(step.key).ends_in_parameter]

    def _listed_at(self, call: Call) -> str:
        return self.routes.path(call.key).fill(call.arguments)

    def _note_lists(self, operation: Operation, call: Call, arguments: Arguments) -> None:
        """Note that a list answered, or that a thing of the run's own was changed."""
        if not call.ok:
            return
        path = self.journal.path(operation, arguments)
        if operation.method == "GET":
            if list_of(call) is not None:
                self._lists.answered(operation.tool, self._listed_at(call))
        elif operation.method != "DELETE" and path is not None and self.journal.made(operation.tool, path):
            self._lists.changed(operation.tool, path)

    def _settle_changes(
        self, watched: Watched, after: Sequence[Call | None], invoke: Invoke, call: Call
    ) -> list[JournalItem]:
        """Take what a call did to what was there before into the journal."""
        if not is_client_error(call.status):
            for reference in watched.named:
                self.journal.note_unchanged(reference, self.catalog[invoke.key], watched.pairs(reference, after))
        for other in watched.others:
            self.journal.others.settle(other, watched.pairs(other, after), call)
        pairs = [(target, watched.pairs(target, after)) for target in watched.targets]
        return [item for target, looks in pairs for item in self.journal.settle_target(target, looks, call)]

    def _answer(self, creation: Creation, invoke: Invoke, call: Call) -> CreationAnswer:
        """The answer to a creation: that of the call, or the part of it that answers a carried request."""
        answered = self._answers(invoke, call)
        named = (answer for answer in answered if creation.is_answered_by(answer.operation, answer.arguments))
        return next(named, None) or answer_in(call, creation.operation, creation.arguments)

    def _moves(self, invoke: Invoke, call: Call) -> list[Move]:
        """The moves of items of the run that a call may have made, by itself or by what it carries."""
        if self.reads(invoke.key) or not call.ok:
            return []
        whole = answer_in(call, self.catalog[invoke.key], invoke.arguments)
        moves = (self.journal.move(answer) for answer in (whole, *self._answers(invoke, call)))
        return [move for move in moves if move is not None]

    def _answers(self, invoke: Invoke, call: Call) -> list[CreationAnswer]:
        requests = self._carried(self.catalog[invoke.key], invoke.arguments)
        return answers(requests, call) if requests else []

    async def send(self, request: Request, id: str, spend: Spend = lambda: True) -> Call:
        """Send a request; `spend` is asked before every further one (a retry, a redirect) and may refuse it."""
        url = request.url
        content = self.names.outgoing_bytes(request.content)
        retries = hops = 0
        while True:
            await self.rate.turn()
            reply = await self._exchange(request, url, content, spend)
            wait = self._wait(request, reply, retries) if retries < self.limits.retries else None
            if wait is not None and spend():
                retries += 1
                self.rate.pause(wait)
                continue
            base = self.bases[request.invoke.key.tool]
            further = followed(request, reply, url, base, hops, self.limits.redirects)
            if further is not None and spend():
                url, hops = further, hops + 1
                continue
            return self._recorder.record(request, id, reply, url, self.names.incoming)

    async def _exchange(self, request: Request, url: str, content: bytes, spend: Spend) -> Reply:
        """The reply to a request with its credentials; if its access token had ended, with another one."""
        tool, anonymous = request.invoke.key.tool, self._signer.is_anonymous(request)
        token = None if anonymous else await self._tokens.current(tool)
        reply = await self._exchange_with(request, url, content, token)
        answer = None if anonymous or token is not None else answer_to(reply.status, reply.headers, request)
        if answer is not None and spend():
            reply = await self._exchange_with(request, url, content, token, answer)
        if token is not None and await self._tokens.after(tool, token, reply.status) and spend():
            reply = await self._exchange_with(request, url, content, await self._tokens.current(tool))
            if reply.status == UNAUTHENTICATED:
                self._tokens.note_useless(tool)
        # Each name of the run becomes its placeholder; the content is translated when it is read.
        incoming = self.names.incoming
        reply.headers = {incoming(name): incoming(value) for name, value in reply.headers.items()}
        reply.detail = incoming(reply.detail)
        return reply

    async def _exchange_with(
        self, request: Request, url: str, content: bytes, token: str | None, answer: Answer | None = None
    ) -> Reply:
        outgoing = self.names.outgoing
        headers = {name: outgoing(value) for name, value in request.headers.items()}
        signed = self._signer.headers(request, headers, token)
        if answer is not None:
            signed = [*signed, ("authorization", answer(outgoing))]
        return await self._wire.exchange(request.method, self._signer.url(request, outgoing(url)), signed, content)

    def observe(self, call: Call, sent: Invoke | None = None) -> list[JournalItem]:
        """Take a finished call into the journal; the items that it changed come back."""
        operation = self.catalog.get(call.key)
        if operation is None or call.status is None or not self._changes:
            return []
        arguments = call.arguments if sent is None else sent.arguments
        self._note_lists(operation, call, arguments)
        requests = self._carried(operation, arguments)
        return self.journal.observe(operation, call, answers(requests, call) if requests else ())

    def _carried(self, operation: Operation, arguments: Arguments) -> list[Carried] | None:
        """The requests in the body of a call."""
        if operation.method in ("GET", "HEAD", "DELETE") or "body:" not in arguments:
            return None
        base = self.bases[operation.tool]
        return carried(operation, arguments["body:"], self.routes, origin=base.origin, prefix=base.prefix)

    async def close(self) -> None:
        """Close all connections."""
        await self._wire.close()

    def new_journal(self) -> Journal:
        """Begin an empty journal, for another run."""
        self._lists = BrokenLists()
        self.journal = Journal(self.routes, {tool: base.prefix for tool, base in self.bases.items()})
        return self.journal

    def readable(self, text: str) -> str:
        """A text about what the run created, with the names that a person finds on the server."""
        return self.names.outgoing(text)

    # Judging replies

    def _wait(self, request: Request, reply: Reply, retries: int) -> float | None:
        """The seconds to wait before the same request is sent again; None if it should not be."""
        if reply.status in BUSY and reply.error is None:
            asked = retry_after(reply.headers)
            if asked is None and reply.status == RATE_LIMITED:
                asked = 0.5 * 2**retries
            most = min(self.limits.max_wait, self.limits.max_paused - self.rate.paused)
            return asked if asked is not None and asked <= most else None
        # A kept connection that the server closed meanwhile; what may have been performed is never sent again.
        if reply.status is None and reply.error == "network" and request.safe and reply.sent and not retries:
            return 0.0
        return None

    # Setting up

    def _storms(self) -> Storms:
        counts = dict.fromkeys(self.bases, 0) | Counter(op.tool for op in self.catalog.operations)
        urls = {tool: base.url for tool, base in self.bases.items()}
        schemes = {scheme.tool: scheme.name for scheme in reversed(security_schemes(self.catalog))}
        media: dict[str, set[str]] = {}
        for operation in self.catalog.operations:
            kinds = media.setdefault(operation.tool, set())
            kinds.update(r.media_type for r in operation.responses.values() if r.media_type)
        json = {tool for tool, kinds in media.items() if kinds and all("json" in kind for kind in kinds)}
        return Storms(
            self.limits, counts, urls, credentials=bool(self.secrets), schemes=schemes, json_tools=frozenset(json)
        )


def _base(tool: str, bases: Mapping[str, str]) -> Base:
    if tool not in bases:
        raise UsageError(f"no base URL for {tool}", where="--base-url", fix=f"give --base-url {tool}=URL")
    return parse_base(bases[tool])
