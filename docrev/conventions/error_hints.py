"""Hints: what an error response says must change in the next call, read from its status, headers and body.

`error_messages` finds the messages and their places, `error_wordings` puts them plainly,
`error_sentences` and `error_subjects` take them apart, `error_demands` and `error_constraints` read what they require,
`error_codes` the codes beside them; `error_claim_locations` puts that where it belongs, `error_sent` on the names that
were sent. A hint is no fact until calls show it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice

from docrev.conventions.error_choices import choices
from docrev.conventions.error_claim_locations import hint_at, hint_in
from docrev.conventions.error_claims import JSON_VALUE, VALUE_KINDS, Claim, Hint
from docrev.conventions.error_codes import (
    choices_beside,
    claims_of_code,
    format_of_rule,
    rules_beside,
    type_of_code,
    words_of_code,
)
from docrev.conventions.error_constraints import constraints
from docrev.conventions.error_demands import demands, is_bare_refusal, is_refusal
from docrev.conventions.error_guesses import guesses
from docrev.conventions.error_locations import ErrorLocation
from docrev.conventions.error_media import MALFORMED_BODY, malformed_body, media_types, methods
from docrev.conventions.error_merging import merged
from docrev.conventions.error_messages import Message, messages, says_failure, summarise_error
from docrev.conventions.error_refusals import is_faulty, saying_something, telling
from docrev.conventions.error_relations import relations
from docrev.conventions.error_sent import placed, settled
from docrev.conventions.error_sentences import sentences
from docrev.conventions.error_shapes import in_known_shape
from docrev.conventions.error_subjects import Sentence
from docrev.conventions.error_wordings import plainly
from docrev.conventions.sent_values import Sent
from docrev.conventions.statuses import (
    BUSY,
    FEATURE_MISSING,
    FORBIDDEN,
    NOT_FOUND,
    ON_ARGUMENTS,
    UNAUTHENTICATED,
    is_success,
)
from docrev.json_values.leaves import parts
from docrev.records import Arguments, Call, Json

MAX_HINTS = 40
_MALFORMED = ("format", "body", "")
_REFUSED = ON_ARGUMENTS | {None}
_METHOD_STATUS, _MEDIA_STATUS = 405, 415
_CONFLICT = 409
_OF_STATES = (_CONFLICT, 412, 423)
_AS_IT_IS = re.compile(
    r"\b(?:is|are) (?:not|already|still|currently)\b|^(?:cannot|can't|unable)\b|\b(?:cannot|can't) be \w+ed\b"
    r"|^(?:\w+ ){1,3}is \w+$",
    re.I,
)
_PROXY = 407
_WANTED = re.compile(r"(?:not an?|not|wrong|invalid|bad) (?=\w)(.+)")
_SNAKE = re.compile(r"[a-z]+(?:_[a-z]+)+", re.I)
_BLAMED = re.compile(r"(?:invalid|incorrect|bad|wrong|illegal|unsupported) [\w.\-]+: ", re.I)
_ON_ACCESS = re.compile(
    r"allow|permi|forbid|access|auth|privileg|credential|token|api.?key|scope|role|admin"
    r"|log(?:ged)? ?in|sign|account|owner|csrf|user",
    re.I,
)
"""What a sentence beside a 403 speaks of where other credentials would help."""
_ASKING_NOTHING = BUSY | {413}
"""Later, or less of it: no other value helps."""
_TOO_OFTEN = re.compile(
    r"\blimit exceeded|\brate limit|\btoo many requests|\bquota\b|\bthrottl|\btry again later", re.I
)


def read_hints(
    status: int | None, headers: Mapping[str, str], body: object, sent: Arguments | None = None
) -> list[Hint]:
    """What an error response says must change in the next call, at most 40 hints, in the order in which they stand.

    `headers` may be in any case; `status` may be None if only the body is known. `sent` are the arguments of the call:
    they settle what a message leaves open.
    """
    if status in _ASKING_NOTHING or (is_success(status) and not says_failure(body)):
        return []
    fields = {name.lower(): value for name, value in headers.items()}
    given = Sent(sent or {})
    found = [*saying_something(_of_body(status, body, given), status)] if status != UNAUTHENTICATED else []
    of_status = list(_of_status(status, fields, body, found))
    kinds = {hint.kind for hint in of_status}
    rest = [hint for hint in found if hint.kind not in kinds]
    return telling(merged(settled(merged([*of_status, *rest]), given)))[:MAX_HINTS]


def hints_of(call: Call) -> list[Hint]:
    """The hints of a call that was refused, read once.

    That its body is no JSON is left out: bodies are written here, so it may be its media type, and no form of a value.
    """
    return [hint for hint in call.read(_hints_in_response) if (hint.kind, hint.place, hint.pointer) != _MALFORMED]


def _hints_in_response(call: Call) -> list[Hint]:
    return read_hints(call.status, call.headers, call.body, call.arguments)


def hints_about(call: Call, name: str, place: str = "") -> list[Hint]:
    """What an error response says on one name, or without a name if it says nothing on another one.

    For a call that differs in this one argument from a call that worked, a message without a name is on it.
    """
    found = hints_of(call)
    unnamed = [hint for hint in found if not hint.name]
    on_others = {hint.text for hint in found if hint.name} - {hint.text for hint in unnamed}
    return [hint for hint in found if hint.is_on(name, place)] or ([] if on_others else unnamed)


def _wants_credentials(status: int | None, kinds: Collection[str], body: object) -> bool:
    """Whether a status asks for credentials; a 403 does not if the body names another reason, or blames a value."""
    if status == FORBIDDEN:
        text = summarise_error(body)
        return {*kinds} <= {"credentials"} and not (
            _TOO_OFTEN.search(text) or (len(text.split()) > 5 and not _ON_ACCESS.search(text))
        )
    return status in (UNAUTHENTICATED, _PROXY)


def _of_status(status: int | None, headers: Mapping[str, str], body: object, found: list[Hint]) -> Iterator[Hint]:
    """What the status and the headers say, with the words of the body where these say more."""
    told = {hint.kind: hint for hint in reversed(found)}
    if status == _METHOD_STATUS and "allow" not in headers and "state" in told:
        return
    if status == _METHOD_STATUS:
        allowed = methods(headers.get("allow", "")) or _values_of(told.get("method"))
        yield Hint("method", "", "", allowed, f"Allow: {headers.get('allow', '')}")
    elif status == _MEDIA_STATUS:
        accepted = " ".join(headers.get(name, "") for name in ("accept", "accept-post", "accept-patch"))
        yield Hint("media-type", "", "", media_types(accepted) or _values_of(told.get("media-type")), accepted.strip())
    else:
        yield from (Hint(kind, "", "", (), summarise_error(body)) for kind in _kinds_of_status(status, told, body))


def _kinds_of_status(status: int | None, told: Collection[str], body: object) -> Iterator[str]:
    """What a status says by itself; that nothing was found only where nothing else is said."""
    if _wants_credentials(status, told, body):
        yield "credentials"
    if status == FEATURE_MISSING:
        yield "unsupported"
    if status in _OF_STATES and not told and (status != _CONFLICT or _AS_IT_IS.search(summarise_error(body))):
        yield "state"
    if status in NOT_FOUND and not told:
        yield "not-found"


def _values_of(hint: Hint | None) -> tuple[str, ...]:
    return hint.values if hint is not None else ()


def _of_body(status: int | None, body: object, sent: Sent) -> Iterator[Hint]:
    # A success that says that it is none is read by its body alone.
    told_by = None if is_success(status) else status
    read = [(message, [*_of_message(message, told_by)]) for message in messages(in_known_shape(body, sent))]
    told = {hint.text for _, hints in read for hint in hints}
    around = _around(body, told)
    missing = _missing(chain(*(hints for _, hints in read)))
    found = [
        placed(hints, sent, told=message.located or _are_on(missing, hints), around=around) for message, hints in read
    ]
    unread = [message for (message, _), hints in zip(read, found, strict=True) if not hints]
    yield from chain(*found)
    if told_by in _REFUSED:
        yield from guesses(unread, sent, alone=not any(found))


def _missing(hints: Iterable[Hint]) -> set[str]:
    """What messages call missing: a name in others, too, as in "Serial must have 6 digits"."""
    return {hint.name for hint in hints if hint.kind == "required" and hint.name}


def _are_on(names: set[str], hints: Sequence[Hint]) -> bool:
    return any(hint.name in names and hint.kind in VALUE_KINDS for hint in hints)


def _around(body: object, told: set[str]) -> str:
    """The texts of a body that have no hints: of a chain of causes, the outer one names what the inner one blames."""
    beside = (text for _, text in islice(parts(body), MAX_HINTS) if isinstance(text, str) and text not in told)
    # What has the lines of a program in it says nothing of a value.
    return "\n".join(text for text in beside if "\n  File " not in text and "\n    at " not in text)


def _of_message(message: Message, status: int | None) -> Iterator[Hint]:
    hints = _of_code(message) or _of_texts(message, status)
    if all(hint.kind == "invalid" for hint in hints):
        hints = _of_bare_code(message) or hints or _of_code_words(message, status) or _of_refusal(message, status)
    yield from (hint for hint in hints if hint.kind == "type" or not message.alternative)


def _of_refusal(message: Message, status: int | None) -> list[Hint]:
    """The hint of a message on one value that says nothing that can be read: the value is refused.

    A response that stands its text under a name says so, whatever its words are.
    """
    at = message.location
    text = _text(message)
    told = message.located and status in ON_ARGUMENTS
    if at.name and status in _REFUSED and (told or is_bare_refusal(text)):
        return [Hint("invalid", at.place, at.pointer, (), text)]
    return []


def _of_code(message: Message) -> list[Hint]:
    """The hints of a code that say all: with the values or the names that belong to them."""
    claims = claims_of_code(message.code, message.params) or choices_beside(message.params)
    whole = [claim for claim in claims if claim.values or claim.inside != ErrorLocation()]
    return [hint_at(message.location, ErrorLocation(), claim, _text(message)) for claim in whole]


def _of_bare_code(message: Message) -> list[Hint]:
    """The hints of a code on its own, where no text says more."""
    claims = claims_of_code(message.code, message.params) or type_of_code(message.code)
    read = (_of_rule(text, message.params) for text in message.texts)
    claims = claims or next(filter(None, read), ())
    if message.located and message.location.name:
        claims = claims or format_of_rule(message.code) or rules_beside(message.params)
    return [hint_at(message.location, ErrorLocation(), claim, _text(message)) for claim in claims]


def _of_rule(text: str, params: dict[str, Json]) -> tuple[Claim, ...]:
    """What a text that is a code says, alone or with its parameter: `minLength 3`."""
    rule = re.fullmatch(r"(\S+?)(?:[ (:=]+(-?\d[\d.]*)\)?)?", text)
    if rule is None:
        return ()
    code, limit = rule.groups()
    return claims_of_code(code, {**params, "limit": limit} if limit else params) or (
        () if limit else type_of_code(code)
    )


def _text(message: Message) -> str:
    return message.texts[0] if message.texts else message.code


def _of_code_words(message: Message, status: int | None) -> list[Hint]:
    snake = next((text for text in message.texts if _SNAKE.fullmatch(text)), "")
    said = words_of_code(message.code or snake)
    claims = demands(Sentence(ErrorLocation(), said, "", said), status) if len(said.split()) > 1 else ()
    # `NOT_POSITIVE_INTEGER`, `WRONG_EMAIL`: what it has to be.
    claims = claims or (constraints(f"must be a {wanted[1]}") if (wanted := _WANTED.match(said)) else ())
    told = (claim for claim in claims if message.location.keys or claim.kind not in ("required", "unknown"))
    return [hint_at(message.location, ErrorLocation(), claim, _text(message)) for claim in told]


def _of_texts(message: Message, status: int | None) -> list[Hint]:
    """The hints of the first text that has any; a bare refusal only if no text says more."""
    read = [_of_one_text(message, text, status) for text in message.texts]
    telling = [hints for hints in read if any(hint.kind != "invalid" for hint in hints)]
    if not telling:
        return next(filter(None, read), [])
    kinds = {hint.kind for hint in telling[0]}
    # A later text may say the same by name: PostgreSQL's details name the column.
    named = (hints for hints in telling if {hint.kind for hint in hints} == kinds and all(hint.name for hint in hints))
    return next(named, telling[0])


def _of_one_text(message: Message, text: str, status: int | None) -> list[Hint]:
    read = (hint_in(message, subject, claim, text, status) for subject, claim in _claims(text, status))
    return [hint for hint in read if hint is not None]


@lru_cache(maxsize=4096)
def _claims(text: str, status: int | None) -> tuple[tuple[ErrorLocation, Claim], ...]:
    """(subject, claim) for all that the sentences of a text say."""
    found: list[tuple[ErrorLocation, Claim]] = []
    for sentence in sentences(plainly(text)):
        claims = _claims_of(sentence, status)
        named = bool(sentence.subject.keys) and not _BLAMED.match(sentence.whole)
        if not claims and (is_refusal(sentence.text) if named else is_faulty(sentence.whole)):
            claims = (Claim("invalid"),)
        found += [(sentence.subject, claim) for claim in claims]
    weaker = _said_better(found)
    return tuple(pair for pair in found if pair not in weaker)


def _said_better(found: list[tuple[ErrorLocation, Claim]]) -> set[tuple[ErrorLocation, Claim]]:
    """The claims of a text that another sentence of it says better."""
    # "The value is invalid. It must be an integer." says one thing, "Invalid JSON received. Unknown name" as well.
    weaker = {(subject, Claim("invalid")) for subject, claim in found if claim.kind != "invalid"}
    # A database says what is wrong in one sentence, and of which column in the next.
    weaker |= {(ErrorLocation(), Claim(claim.kind)) for at, claim in found if at.keys or claim.inside.keys}
    weaker |= {(ErrorLocation(), claim) for at, claim in found if at.keys}
    weaker |= {(at, Claim(claim.kind)) for at, claim in found if claim.values}
    weaker |= {(at, Claim("unknown")) for at, claim in found if claim.kind == "allowed-values"}
    if len(set(found)) > 1:
        weaker |= {(ErrorLocation(), MALFORMED_BODY), (ErrorLocation(), JSON_VALUE)}
    return weaker | _of_access_alone(found)


def _of_access_alone(found: list[tuple[ErrorLocation, Claim]]) -> set[tuple[ErrorLocation, Claim]]:
    """That credentials are missing, where a text names a thing that is not there: "… or you may not see it"."""
    is_absent = any(claim.kind == "not-found" and claim.values for _, claim in found)
    return {(at, claim) for at, claim in found if is_absent and claim.kind == "credentials"}


def _claims_of_tag(tag: str) -> tuple[Claim, ...]:
    """What a rule of a validator says that a sentence names."""
    by_tag = claims_of_code(tag, {}) or type_of_code(tag)
    return tuple(claim for claim in by_tag if claim.values or claim.kind in ("required", "exists")) or (
        Claim("invalid"),
    )


def _claims_of(sentence: Sentence, status: int | None) -> tuple[Claim, ...]:
    if sentence.tag:
        return _claims_of_tag(sentence.tag)
    if found := relations(sentence):
        return found
    if found := demands(sentence, status):
        listed = found == (Claim("unknown"),) and choices(sentence.text)
        return listed or found
    found = constraints(sentence.text) or constraints(sentence.whole)
    return found if found not in ((), (JSON_VALUE,)) else malformed_body(sentence) or found
