"""Notices when going on makes no sense: credentials refused again and again, or nobody answering."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from docrev.calls.challenges import credential_header
from docrev.calls.limits import Limits
from docrev.conventions.error_hints import hints_of
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.statuses import (
    CREDENTIALS,
    NOT_FOUND,
    RATE_LIMITED,
    UNAUTHENTICATED,
    is_client_error,
    is_server_fault,
)
from docrev.errors import CredentialsError, UnreachableError
from docrev.json_values.canonical import canonical
from docrev.records import Call, OperationKey

_SILENT = frozenset({"refused", "timeout", "tls", "network"})
_ALIKE = 20
"""Calls that a tool may refuse in the same words before anything else, none of which says what would help."""
_FURTHER = 3
"""How much more often than a tool that never answered, one that did may be silent in a row."""


@dataclass(frozen=True, slots=True)
class _Signs:
    """What a response says against going on; `shut`: it is a refusal, and the tool never returned anything else."""

    silent: bool
    refusal: bool
    page: bool
    busy: bool
    shut: bool

    @property
    def bad(self) -> bool:
        return self.silent or self.refusal or self.page or self.busy

    @property
    def doubtful(self) -> bool:
        """Whether the call is as good as none."""
        return self.silent or self.busy or self.page or self.shut


@dataclass(slots=True)
class _Row:
    """The responses of a tool since its last good one, counted; `weight` is that of the refusals.

    `waited` is the last request that was sent when a call was last waited for in vain.
    """

    refusals: int = 0
    weight: int = 0
    silent: int = 0
    pages: int = 0
    busy: int = 0
    waited: int = 0
    operations: set[str] = field(default_factory=set)
    refused: set[OperationKey] = field(default_factory=set)
    last: Call = field(init=False)

    def take(self, call: Call, signs: _Signs, weight: int, sent: int, latest: int) -> None:
        """Count a response to request number `sent`, of `latest` by now."""
        if call.error != "timeout":
            self.silent += signs.silent
        elif sent > self.waited:
            # One call that blocks the server blocks all that were sent beside it: they are one silence, and a long one.
            self.silent, self.waited = self.silent + _FURTHER, latest
        self.pages += signs.page
        self.busy += signs.busy
        self.refusals += signs.refusal
        self.weight += weight
        self.operations.add(call.key.operation)
        if signs.refusal:
            self.refused.add(call.key)
        self.last = call

    @property
    def only_refusals(self) -> bool:
        return not (self.silent or self.pages or self.busy)


@dataclass(slots=True)
class _Uniform:
    """The calls of a tool so far, as long as all were refused in the same words: a wrong host is as wrong for all.

    "Bad Request (400)" to whatever is sent is no answer of an operation. A refusal that says what it wants is one.
    """

    words: tuple[int | None, str] = (None, "")
    calls: int = 0
    operations: set[str] = field(default_factory=set)
    ended: bool = False

    def take(self, call: Call) -> bool:
        """Whether a call, too, was refused as all before it were. That nothing has an ID tells nothing either way."""
        if call.status in NOT_FOUND and any(location.startswith("path:") for location in call.arguments):
            return False
        self.ended = self.ended or not _says_nothing(call) or self.words not in ((None, ""), _refusal_words(call))
        if not self.ended:
            self.words, self.calls = _refusal_words(call), self.calls + 1
            self.operations.add(call.key.operation)
        return not self.ended

    @property
    def enough(self) -> bool:
        return not self.ended and self.calls >= _ALIKE and len(self.operations) >= _ALIKE // 2


def _says_nothing(call: Call) -> bool:
    """Whether a call was refused without a word of what is wanted."""
    if call.status in CREDENTIALS or call.status == RATE_LIMITED or not is_client_error(call.status):
        return False
    return not any(hint.name or hint.values for hint in hints_of(call))


def _refusal_words(call: Call) -> tuple[int | None, str]:
    page = call.media_type == "text/html"
    return call.status, "" if page else canonical(call.body)


class Storms:
    """One row per tool. A tool whose first answers are all 401 or 403 is not explored at all.

    Later 403 counts only with credentials, and less: many services return it for what does not exist. What was always
    refused while others were answered, such as all that is an administrator's, says nothing when it is refused again.
    `schemes` names a security scheme of each tool that has one, `json_tools` are those that promise JSON alone.
    `patient`: a tool that never answers raises nothing before `conclude`, for callers that ask which tools do.
    """

    def __init__(
        self,
        limits: Limits,
        operations: Mapping[str, int],
        urls: Mapping[str, str],
        *,
        credentials: bool,
        schemes: Mapping[str, str],
        json_tools: Collection[str] = (),
    ) -> None:
        self._limits, self._operations, self._urls = limits, operations, urls
        self._schemes, self._json_tools = schemes, json_tools
        self._credentials = credentials
        self._rows: dict[str, _Row] = {}
        self._answered: set[str] = set()
        self._accepted: set[OperationKey] = set()
        self._closed: set[OperationKey] = set()
        self._uniform: dict[str, _Uniform] = {}
        self.patient = False

    def recall(self, call: Call) -> None:
        """Take in a call that an earlier process of the run made: whether the tool was of use."""
        of_use = call.status is not None and call.error != "not-json" and call.status != RATE_LIMITED
        if of_use and call.status not in CREDENTIALS:
            self._answered.add(call.key.tool)
            self._accepted.add(call.key)
            self._uniform.setdefault(call.key.tool, _Uniform()).take(call)

    def note(self, call: Call, sent: int, latest: int) -> bool:
        """Whether a call is as good as none, so that it should be made again when the run goes on.

        It was request number `sent`, of `latest` by now. Raises CredentialsError or UnreachableError at the end of
        patience.
        """
        removal = call.purpose == "clean-up" and call.status != UNAUTHENTICATED
        if (call.anonymous or removal) and call.status in CREDENTIALS:
            # What may not be removed says nothing about the rest, and is told item by item.
            return False
        if call.status in CREDENTIALS and call.key in self._closed and call.key not in self._accepted:
            return call.status == UNAUTHENTICATED
        row, new = self._rows.setdefault(call.key.tool, _Row()), call.key.tool not in self._answered
        signs = self._signs(call, new=new)
        if not signs.bad:
            self._closed |= row.refused
            self._rows[call.key.tool] = _Row()
            self._answered.add(call.key.tool)
            self._accepted.add(call.key)
            return self._is_refused_alike(call)
        row.take(call, signs, self._refusal(call), sent, latest)
        self._judge(call.key.tool, row)
        return signs.doubtful or call.status == UNAUTHENTICATED

    def _is_refused_alike(self, call: Call) -> bool:
        """Whether a tool refused a call in the words in which it refused all others so far.

        Raises UnreachableError if that is enough of them.
        """
        uniform = self._uniform.setdefault(call.key.tool, _Uniform())
        alike = uniform.take(call)
        if uniform.enough and not self.patient:
            said = summarise_error(call.body)
            words = f"returned nothing but errors: {call.status} to every call{': ' if said else ''}{said}"
            where = self._urls.get(call.key.tool, call.key.tool)
            raise UnreachableError(
                words, where=where, fix="check --base-url: another host name or prefix may be wanted"
            )
        return alike

    def _signs(self, call: Call, *, new: bool) -> _Signs:
        refusal = self._refusal(call) > 0 or (new and call.status in CREDENTIALS)
        return _Signs(
            silent=call.status is None and call.error in _SILENT,
            refusal=refusal,
            page=new and (call.error == "not-json" or self._is_page(call)),
            busy=call.status == RATE_LIMITED,
            shut=refusal and new,
        )

    def _is_page(self, call: Call) -> bool:
        """Whether a page came from a tool that documents none: a login page, or a site that shows one everywhere."""
        return call.media_type == "text/html" and isinstance(call.body, str) and call.key.tool in self._json_tools

    def _refusal(self, call: Call) -> int:
        """How much a response says that the credentials are wrong: 401 three times as much as 403."""
        if call.status == UNAUTHENTICATED:
            return 3
        return int(self._credentials and call.status in CREDENTIALS)

    def conclude(self) -> None:
        """At the end of a run, or of what it had to ask: raises if no tool returned anything of use."""
        if not self._answered:
            for tool, row in sorted(self._rows.items()):
                raise self._error(tool, row)

    def _judge(self, tool: str, row: _Row) -> None:
        limits, count = self._limits, max(1, self._operations.get(tool, 1))
        new = tool not in self._answered
        # Of a tool with few operations there are fewer calls to wait for.
        silent = row.silent >= (min(limits.failures, count) if new else _FURTHER * limits.failures)
        wide = len(row.operations) >= min(3, count)
        refused = row.weight >= 3 * limits.refusals * self._patience(wide and self._are_refused_by_now(tool, row))
        shut = new and row.only_refusals and row.refusals >= limits.refusals
        pages = wide and row.pages >= min(2 * limits.refusals, count)
        # It may have a limit of its own, too.
        busy = row.busy >= limits.refusals * self._patience(wide)
        if not self.patient and (silent or refused or shut or pages or busy):
            raise self._error(tool, row)

    def _are_refused_by_now(self, tool: str, row: _Row) -> bool:
        """Whether any of the operations that are refused was answered before, or fewer of the tool's than are refused.

        One operation alone may be behind a key that was not given, and several that were never answered may be, too.
        """
        accepted = {key for key in self._accepted if key.tool == tool}
        return not accepted.isdisjoint(row.refused) or len(accepted) < len(row.refused)

    def _patience(self, wide: bool) -> int:
        """How many times as much it takes of one operation alone as of several."""
        return 1 if wide else 3

    def _error(self, tool: str, row: _Row) -> UnreachableError:
        """The error for a row, by what most of its responses were."""
        where, call = self._urls.get(tool, tool), row.last
        goes_on = "; what was found is kept, the same command goes on"
        most = max(row.silent, row.refusals, row.pages, row.busy)
        if row.silent == most:
            fix = "check --base-url and that it runs" + goes_on
            return UnreachableError(f"no answer ({call.error}: {call.detail})", where=where, fix=fix)
        if row.busy == most:
            fix = "wait, then give the same command with a lower --rate"
            return UnreachableError("429 to call after call", where=where, fix=fix)
        if row.pages == most:
            fix = "check that the service behind it runs" if is_server_fault(call.status) else "check --base-url"
            return UnreachableError(f"answers pages, not JSON, with {call.status}", where=where, fix=fix)
        often = "every call" if tool not in self._answered else "call after call"
        lead = "the credentials are refused" if self._credentials else "it wants credentials"
        scheme = f" or --auth {self._schemes[tool]}=env:VARIABLE" if tool in self._schemes else ""
        header = credential_header(call.headers)
        asked = f' "{header} env:VARIABLE"' if header else ""
        fix = ("check -H or --auth" if self._credentials else f"give them with -H{asked}{scheme}") + goes_on
        return CredentialsError(f"{lead}, {call.status} to {often}", where=where, fix=fix)
