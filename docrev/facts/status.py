"""Why an operation answered with a status: the causes that can be told from the calls alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from docrev.conventions.error_messages import read_statements
from docrev.evidence.queries import arguments
from docrev.records import Call, Json

MAX_MESSAGE = 120

_PLAIN = {
    200: "success",
    201: "created",
    202: "accepted",
    204: "success, without content",
    304: "not modified",
    401: "credentials missing or wrong",
    402: "payment required",
    403: "forbidden",
    405: "method not allowed",
    406: "representation not available",
    409: "conflict",
    410: "gone",
    412: "precondition failed",
    413: "request too large",
    415: "media type not supported",
    428: "precondition required",
    501: "not implemented",
    503: "unavailable",
}

# Where APIs keep the sentence for people, the likeliest first (RFC 9457 says `detail` and `title`).
_MESSAGES = (
    "message",
    "msg",
    "detail",
    "error_description",
    "description",
    "error_message",
    "reason",
    "title",
    "error",
    "errors",
)
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]+")
_MISSING = re.compile(r"\b(missing|required?|must (be )?(provided|given|supplied|present))\b", re.IGNORECASE)


def status_value(
    call: Call, accepted: Mapping[str, set[str]], always: Iterable[str], *, honest: bool = True
) -> dict[str, Json]:
    """The value of the `status` fact that `call` shows: status, cause, and where known parameter and message.

    `accepted` are the argument values (as text) that succeeded, by location; `always` the locations that every
    successful call had. Where the operation's messages are not `honest`, nothing is taken from them.
    """
    assert call.status is not None
    value: dict[str, Json] = {"status": call.status, "cause": _PLAIN.get(call.status, "")}
    said = message(call.body) if call.status >= 400 and honest else ""
    if call.status in (400, 404, 410, 422):
        cause, location = _blame(
            call, accepted, always, said, {one.name for one in read_statements(call.body)} if honest else set()
        )
        value["cause"] = cause or value["cause"] or ("not found" if call.status == 404 else "request not valid")
        if location:
            value["parameter"] = location
    elif call.status >= 500:
        value["cause"] = value["cause"] or "server error"
    value["cause"] = value["cause"] or ("redirected" if call.status < 400 else "refused")
    if said:
        value["message"] = said
    return value


def _blame(
    call: Call, accepted: Mapping[str, set[str]], always: Iterable[str], said: str, names: set[str]
) -> tuple[str, str]:
    """The cause and the location that it is about, or empty texts where the calls do not tell."""
    given = {location: str(value) for location, value in arguments(call)}
    strange = [location for location, text in given.items() if text not in accepted.get(location, ())]
    if call.status in (404, 410):
        unknown = [location for location in strange if location.startswith("path:") and accepted.get(location)]
        return (f"unknown {_name(unknown[0])}", unknown[0]) if len(unknown) == 1 else ("", "")
    lacking = sorted(location for location in always if location not in given)
    for location in lacking:
        if len(lacking) == 1 or _name(location) in names or _mentions(said, _name(location)):
            return f"{_name(location)} missing", location
    named = [location for location in strange if _name(location) in names or _mentions(said, _name(location))]
    if not named and len(strange) == 1 and accepted.get(strange[0]):
        named = strange
    if named:
        return f"{_name(named[0])} not valid", named[0]
    word = _MISSING.search(said)
    return ("a required parameter is missing", "") if word else ("", "")


def _name(location: str) -> str:
    return location.partition(":")[2].rpartition("/")[2] or "body"


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text, re.IGNORECASE) is not None


def message(body: Json, depth: int = 3) -> str:
    """The sentence for people in an error's body, cleaned and at most 120 characters; "" where there is none."""
    if isinstance(body, str):
        return clean(body) if "<" not in body[:50] else ""
    if isinstance(body, list) and body and depth:
        said = message(body[0], depth - 1)
        place = body[0].get("loc", body[0].get("field")) if isinstance(body[0], dict) else None
        name = place[-1] if isinstance(place, list) and place else place
        return clean(f"{name}: {said}") if said and isinstance(name, str) and not _mentions(said, name) else said
    if isinstance(body, dict) and depth:
        found = (message(body[name], depth - 1) for name in _MESSAGES if isinstance(body.get(name), str | list | dict))
        return next((said for said in found if said), "")
    return ""


def clean(text: str) -> str:
    """One line without control and invisible characters, cut at 120."""
    line = " ".join(_UNSEEN.sub(" ", text[: 4 * MAX_MESSAGE]).split())
    return line if len(line) <= MAX_MESSAGE else line[: MAX_MESSAGE - 1].rstrip() + "…"
