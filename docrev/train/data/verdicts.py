"""Whether a collection keeps an operation: what its calls returned, and why that is of no use (ToolLLM §2.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from docrev.conventions.error_messages import summarise_error
from docrev.language.characters import visible
from docrev.records import Call, Json, OperationKey

Reason = Literal["", "fails", "slow", "html", "error-page", "empty", "not-tested"]
"""Why an operation is dropped; "" if it is kept."""
SLOW = ("timeout", "too-slow")
_NOTHING: tuple[Json, ...] = (None, "", [], {})
_HTML = re.compile(r"\s*(?:<!doctype html|<html|<head|<body)", re.I)
_ERRORS = ("error", "errors", "fault", "exception", "err", "error_message", "errormessage")
_FAILED = (False, "error", "fail", "failed", "failure")
_MESSAGES = ("message", "msg", "detail", "details", "info", "reason", "description", "title")
_SIGNS = ("status", "code", "statuscode", "status_code", "success", "ok", "result", "timestamp", "path", "type")
_BAD = re.compile(
    r"\b(?:not found|no longer|unauthori[sz]ed|forbidden|denied|invalid|missing|required|unavailable|does(?:n't| not)"
    r" exist|deprecated|not subscribed|quota|rate limit|too many requests|internal server error|bad (?:request|gateway)"
    r"|failed|failure|expired|disabled|error)\b",
    re.I,
)
_SHORT = 300


@dataclass(frozen=True, slots=True)
class OperationVerdict:
    """What a collection says of an operation: `detail` is the reason in words, `calls` count those answered 2xx."""

    key: OperationKey
    reason: Reason
    detail: str = ""
    calls: int = 0

    @property
    def kept(self) -> bool:
        return not self.reason

    def to_json(self) -> dict[str, Json]:
        """A row of the collection's file."""
        row: dict[str, Json] = {"tool": self.key.tool, "operation": self.key.operation, "kept": self.kept}
        return row | {"reason": self.reason, "detail": self.detail, "calls": self.calls}


def verdict(key: OperationKey, calls: Sequence[Call], missed: str = "", *, forbidden: bool = False) -> OperationVerdict:
    """What the calls of an operation come to; `missed` is the survey's word on why it never answered."""
    answered = [call for call in calls if call.ok]
    if answered:
        faults = [fault(call) for call in answered]
        reason = "" if "" in faults else faults[-1]
        return OperationVerdict(key, reason, _answer_shown(answered[-1]) if reason else "", len(answered))
    sent = [call for call in calls if call.error not in ("denied", "budget")]
    if forbidden or not sent:
        return OperationVerdict(key, "not-tested", missed or "it was not called")
    return _unanswered(key, sent, missed)


def _unanswered(key: OperationKey, sent: Sequence[Call], missed: str) -> OperationVerdict:
    """What calls come to of which none was answered 2xx."""
    if all(call.error in SLOW for call in sent):
        return OperationVerdict(key, "slow", sent[-1].detail)
    if all(call.error == "not-json" or _is_page(call) for call in sent):
        return OperationVerdict(key, "html", sent[-1].detail or _answer_shown(sent[-1]))
    return OperationVerdict(key, "fails", missed or _answer_shown(sent[-1]))


def good(calls: Iterable[Call]) -> list[Call]:
    """The calls whose responses are of use."""
    return [call for call in calls if call.ok and not fault(call)]


def fault(call: Call) -> Reason:
    """What is wrong with a response of status 2xx; "" if nothing is. No content is right for what only writes."""
    if _is_page(call):
        return "html"
    if is_empty(call.body):
        return "empty" if call.key.method == "GET" else ""
    return "error-page" if is_error(call.body) else ""


def is_empty(body: object) -> bool:
    """Whether a response holds nothing at all, at any depth: `{"data": [], "next": null}`."""
    if isinstance(body, dict):
        return all(map(is_empty, body.values()))
    if isinstance(body, list):
        return all(map(is_empty, body))
    return body in _NOTHING if not isinstance(body, bool | int | float) else False


def is_error(body: object) -> bool:
    """Whether a response that came with status 2xx only says that something went wrong."""
    if isinstance(body, str):
        return _reads_like_an_error(body)
    if not isinstance(body, dict):
        return False
    fields = {name.lower(): value for name, value in body.items() if not is_empty(value)}
    if fields.keys() - {*_ERRORS, *_MESSAGES, *_SIGNS}:
        return False
    if any(fields.get(name, False) is not False for name in _ERRORS):
        return True
    message = " ".join(value for name in _MESSAGES if isinstance(value := fields.get(name), str))
    return bool(message) and (_says_failed(fields) or _reads_like_an_error(message))


def _says_failed(fields: Mapping[str, object]) -> bool:
    return any(name in fields and fields[name] in _FAILED for name in ("success", "ok", "status"))


def _reads_like_an_error(text: str) -> bool:
    return len(text) <= _SHORT and bool(_BAD.search(text))


def _is_page(call: Call) -> bool:
    return call.media_type == "text/html" or (isinstance(call.body, str) and bool(_HTML.match(call.body)))


def _answer_shown(call: Call) -> str:
    if call.status is None:
        return call.detail or call.error or "no answer"
    message = visible(call.body)[:80] if isinstance(call.body, str) else summarise_error(call.body)
    return f"answered {call.status}{f': {message}' if message else ''}"
