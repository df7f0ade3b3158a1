"""Why an operation returned a status, as far as the calls alone show it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from docrev.conventions.error_claims import Hint
from docrev.conventions.error_hints import hints_of
from docrev.conventions.error_messages import messages
from docrev.conventions.error_texts import are_texts
from docrev.conventions.hint_locations import name_at
from docrev.conventions.run_names import is_made_up
from docrev.conventions.statuses import INVALID, MEANINGS, NOT_FOUND, REJECTED_INPUT
from docrev.evidence.queries import arguments
from docrev.facts.kind import StatusCode
from docrev.json_values.pointer import is_within
from docrev.language.words import words
from docrev.records import Call, Json

MAX_MESSAGE = 120

# Where APIs keep the sentence for people, the likeliest first (RFC 9457 says `detail` and `title`).
_MESSAGES = tuple("message msg detail error_description description error_message reason title error errors".split())
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]+")
_CLASSES = {2: "success", 3: "redirected", 5: "server error"}
_MISSING = re.compile(r"\b(missing|required?|must (be )?(provided|given|supplied|present))\b", re.IGNORECASE)

FAULT = 500
_MAX_NAME = 40
FAILS_FOR = "server error for "
"""How the cause begins of a failure that one value brings about."""


@dataclass(frozen=True)
class Cause(StatusCode):
    """A status with its cause in words, the location of the parameter to blame, and the API's own message."""

    cause: str
    parameter: str | None = None
    message: str | None = None


@dataclass(frozen=True)
class Accepting:
    """What an operation accepts: the `values` (as text) that succeeded, by location, and the locations that every
    successful call had. If its messages are not `honest`, nothing is taken from them."""

    values: Mapping[str, set[str]]
    always: set[str] | None
    honest: bool = True

    def cause_of(self, call: Call) -> Cause:
        """Why a call returned its status, as far as the calls show it."""
        assert call.status is not None
        text = message(call.body) if call.status >= 400 and self.honest else ""
        cause, parameter = self._blame(call, text) if call.status in REJECTED_INPUT | NOT_FOUND else self._fault(call)
        return Cause(call.status, cause or _meaning(call.status), parameter or None, text or None)

    def _blame(self, call: Call, text: str) -> tuple[str, str]:
        """The cause and the location that it is about, or empty texts if the calls do not show them."""
        given = {location: str(value) for location, value in arguments(call)}
        strange = self._strange(given)
        if call.status in NOT_FOUND:
            return self._unknown_id(strange) or ("", "")
        hints = hints_of(call) if self.honest else []
        if (unknown := self._told_absent(hints, given, strange)) is not None:
            return unknown
        names = {hint.name for hint in hints} - {""}
        lacking = self._lacking(given)
        if _lacks_body(call, lacking):
            return "body missing", "body:"
        for at, fault in self._suspects(lacking, strange, names, text):
            return f"{_name(at)} {fault}", at
        return ("a required parameter is missing", "") if _MISSING.search(text) else ("", "")

    def _told_absent(
        self, hints: Iterable[Hint], given: Mapping[str, str], strange: list[str]
    ) -> tuple[str, str] | None:
        """The ID that a message says nothing has; None if it says so of nothing, or of nobody knows what.

        What was deleted before was accepted once: then the message tells which ID it is.
        """
        absent = {value for hint in hints if hint.kind == "not-found" for value in ("", *hint.values)}
        told = [at for at, value in given.items() if at.startswith("path:") and value in absent]
        return (self._unknown_id(strange) or _unknown(told)) if absent else None

    def _fault(self, call: Call) -> tuple[str, str]:
        """The parameter whose value alone was never accepted in a request that failed: it should have been refused."""
        given = {location: str(value) for location, value in arguments(call)}
        strange = self._strange(given)
        if call.status == FAULT and len(strange) == 1 and not self._lacking(given):
            at = strange[0]
            if at.startswith("query:") or (at.startswith("body:") and self._is_unknown(at, given[at])):
                return (f"{FAILS_FOR}{_name(at)}", at) if self.values.get(at) else ("", "")
        return "", ""

    def _is_unknown(self, at: str, value: str) -> bool:
        """Whether a value is a plain name that the run made up, at a location where no such name was accepted: what is
        long, or has signs in it, may fail anywhere."""
        free = any(map(is_made_up, self.values.get(at, ())))
        return is_made_up(value) and not free and len(value) <= _MAX_NAME and value.isascii()

    def _suspects(
        self, lacking: list[str], strange: list[str], names: set[str], text: str
    ) -> Iterator[tuple[str, str]]:
        """The locations that a refusal may be about, the likeliest first, each with what is wrong with it."""
        yield from ((at, "missing") for at in _mentioned(lacking, names, text))
        yield from ((at, "not valid") for at in _mentioned(strange, names, text))
        yield from ((at, "not valid") for at in _objects_around(strange) if _name(at) in names)
        # A message that names something else is about that.
        if not names:
            yield from self._sole_suspects(lacking, strange, text)

    def _lacking(self, given: Iterable[str]) -> list[str]:
        """The locations that every successful call had and this one has not."""
        return sorted(at for at in self.always or () if not _is_given(at, given))

    def _strange(self, given: Mapping[str, str]) -> list[str]:
        """The locations whose values no successful call had."""
        return [location for location, value in given.items() if value not in self.values.get(location, ())]

    def _sole_suspects(self, lacking: list[str], strange: list[str], text: str) -> Iterator[tuple[str, str]]:
        """The location that alone is missing, and the one that alone is not valid, each with what is wrong with it."""
        if len(lacking) == 1:
            yield lacking[0], "missing"
        for at in strange if len(strange) == 1 else ():
            # What a path names may be refused for its state, which a message says without naming it.
            if self.values.get(at) and not (text and at.startswith("path:")):
                yield at, "not valid"

    def _unknown_id(self, strange: list[str]) -> tuple[str, str] | None:
        return _unknown([at for at in strange if at.startswith("path:") and self.values.get(at)])


def _unknown(locations: list[str]) -> tuple[str, str] | None:
    """That the one of these locations has an ID that nothing has; None if there is none, or more than one."""
    return (f"unknown {_name(locations[0])}", locations[0]) if len(locations) == 1 else None


def _objects_around(locations: Iterable[str]) -> list[str]:
    """The properties of a body that are objects with one of the locations in them."""
    steps = (at.split("/") for at in locations if at.startswith("body:/"))
    return list(dict.fromkeys("/".join(parts[:2]) for parts in steps if len(parts) == 3))


def _lacks_body(call: Call, lacking: list[str]) -> bool:
    """Whether all that a call lacks would be in the body that it does not have."""
    return bool(lacking) and "body:" not in call.arguments and all(at.startswith("body:") for at in lacking)


def _mentioned(locations: Iterable[str], names: set[str], text: str) -> list[str]:
    """The locations that a message names."""
    return [at for at in locations if _name(at) in names or _mentions(text, _name(at))]


def _meaning(status: int) -> str:
    """What a status says on its own."""
    customary = {404: "not found"} | dict.fromkeys(INVALID, "request not valid")
    return MEANINGS.get(status) or customary.get(status) or _CLASSES.get(status // 100, "refused")


def _is_given(location: str, given: Iterable[str]) -> bool:
    """Whether a location was sent, or something in it."""
    return any(is_within(at, location) for at in given)


def _name(location: str) -> str:
    return name_at(location) or "body"


def _mentions(text: str, name: str) -> bool:
    said, wanted = words(text), words(name)
    return any(said[at : at + len(wanted)] == wanted for at in range(len(said))) if wanted else False


def message(body: object, depth: int = 3) -> str:
    """The sentence for people in an error's body, cleaned and at most 120 characters; "" if there is none."""
    if isinstance(body, str):
        return clean(body) if "<" not in body[:50] else ""
    if isinstance(body, list) and body and depth:
        # The name of an error may stand before its sentence.
        said = next((item for item in body if isinstance(item, str) and " " in item), body[0])
        return _first_message(said if isinstance(body[0], str) else body[0], depth - 1)
    return _of_object(body, depth) if isinstance(body, dict) and depth else ""


def _of_object(body: Mapping[str, Json], depth: int) -> str:
    found = (message(body[name], depth - 1) for name in _MESSAGES if isinstance(body.get(name), str | list | dict))
    return next(filter(None, found), "") or _of_member(body)


def _of_member(body: Mapping[str, Json]) -> str:
    """The first message of an error that has a list of them for each argument, under its name."""
    if not any(isinstance(value, list) and are_texts(value) for value in body.values()):
        return ""
    found = next((one for one in messages(body) if one.texts), None)
    return _of_argument(found.texts[0], found.location.name if found.located else "") if found is not None else ""


def _first_message(item: object, depth: int) -> str:
    """The message of the first of several errors, with the name of the parameter that it is about."""
    text = message(item, depth)
    place = item.get("loc", item.get("field")) if isinstance(item, dict) else None
    name = place[-1] if isinstance(place, list) and place else place
    return _of_argument(text, name if text and isinstance(name, str) else "")


def _of_argument(text: str, name: str) -> str:
    return clean(f"{name}: {text}" if name and not _mentions(text, name) else text)


def clean(text: str) -> str:
    """One line without control and invisible characters, cut at 120."""
    line = " ".join(_UNSEEN.sub(" ", text[: 4 * MAX_MESSAGE]).split())
    return line if len(line) <= MAX_MESSAGE else line[: MAX_MESSAGE - 1].rstrip() + "…"
