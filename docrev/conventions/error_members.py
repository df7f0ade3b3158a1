"""What the members of an error object are: containers of errors, names with their messages, codes, parameters."""

from __future__ import annotations

import re

from docrev.conventions.error_codes import choices_beside, claims_of_code, rules_beside
from docrev.conventions.error_locations import WHOLE, place_of
from docrev.conventions.error_locators import are_located, leads
from docrev.conventions.error_texts import TEXT_KEY, TEXTS, are_texts, is_sentence, parsed, texts_of
from docrev.language.words import words
from docrev.records import Json

MAX_MESSAGES = 40
CODES = (
    *("code", "type", "keyword", "rule", "tag", "errorCode", "error_code", "validator", "kind", "constraint", "Code"),
    *("key", "validation", "issue"),
)
_MAX_BESIDE = 8
"""More members than the parameters of an error have."""
_CONTAINERS = frozenset(
    "errors error details detail issues violations fieldviolations invalidparams validationerrors message "
    "messages fields fielderrors globalerrors formerrors validation rootcause causedby causes "
    "constraintviolations failures invalidfields errordetails data exception errormessages "
    "parameterviolations propertyviolations innererror response fault status embedded modelstate body "
    "parametererrors issue unionerrors diagnostics extra problems msg properties errorcauses responsestatus "
    "children results".split()
)
_ENDS = frozenset({"error", "errors", "violations", "issues", "problems", "failures", "faults", "fault", "exceptions"})
MAPS = frozenset(
    "errors fields fielderrors validationerrors details messages invalidparams message detail error "
    "failures invalidfields validation modelstate data invalid issues properties".split()
)
"""Containers in which names may stand for their messages."""
BY_NAME = frozenset({"errors", "fielderrors", "validationerrors", "fields"})
_WRONG = re.compile(r"missing|required|unknown|unexpected|unrecogni[sz]ed|extra|unpermitted|disallowed")
_CAPITALS = re.compile(r"[A-Z][A-Z\d]+(?:_[A-Z\d]+)*")
_NAME = re.compile(r"[A-Za-z_$][\w.$\-]{0,60}")


def names_listed(key: str, value: Json) -> str:
    """A list of names under what is wrong with them, as a sentence: `{"missing_params": ["a", "b"]}`; or ""."""
    wrong, *what = words(key) or [""]
    if not (_WRONG.fullmatch(wrong) and isinstance(value, list) and value):
        return ""
    names = [name for name in value[:MAX_MESSAGES] if isinstance(name, str) and _NAME.fullmatch(name)]
    return (
        f"{wrong} {' '.join(what) or 'fields'}: {', '.join(names)}" if len(names) == len(value[:MAX_MESSAGES]) else ""
    )


def are_sentences_by_name(value: dict[str, Json]) -> bool:
    """Whether an object of errors has one sentence for each name, as a `summary` or a `title` may be one."""
    texts = all(isinstance(text, str) and is_sentence(text) for text in value.values())
    return texts and not set(value) & {*TEXTS[:2], *CODES, "detail", "error"} and any(map(TEXT_KEY.search, value))


def are_codes_by_name(value: Json) -> bool:
    """Whether names have codes in capitals, or objects or lists of such: `{"age": "TOO_HIGH", "tags": [null]}`."""
    if isinstance(value, dict | list) and value:
        return all(map(are_codes_by_name, value.values() if isinstance(value, dict) else value))
    return value is None or (isinstance(value, str) and bool(_CAPITALS.fullmatch(value)))


def tells_by_code(body: dict[str, Json], depth: int) -> bool:
    """Whether an object is an error by its code alone, or by the rule that stands beside the name of a value."""
    params = params_of(body)
    if depth > 0 and claims_of_code(code_of(body), params):
        return True
    told = choices_beside(params) or rules_beside(params) or code_of(body)
    return bool(told) and any(leads(*member) for member in body.items())


def is_place(key: str, value: object, named: bool) -> bool:
    """Whether a member has the messages on one place of the request: `{"query": {"limit": "…"}}`."""
    if not place_of(key) or not isinstance(value, dict):
        return False
    return not is_container(key, value, named) or (named and any(texts_of(value)))


def is_container(key: str, value: object, named: bool) -> bool:
    """Whether a member has errors in it, by its name; as JSON in a text, too."""
    plain = "".join(words(key))
    if isinstance(value, str):
        return plain in _CONTAINERS | set(TEXTS) and parsed(value) is not None
    if are_located(value):
        return True
    return isinstance(value, dict | list) and _is_called_container(key) and not is_by_name(key, value, named)


def _is_called_container(key: str) -> bool:
    """Whether a member is called as such that have errors: `errors`, `odata.error`, `inputViolations`."""
    return "".join(words(key)) in _CONTAINERS or (words(key) or ("",))[-1] in _ENDS


def has_sentences(value: object, depth: int) -> bool:
    """Whether a member beside the text of a whole response is a list of messages, and no parameter of the error."""
    return depth == 0 and isinstance(value, list) and are_texts(value) and all(" " in part for part in value)


def is_by_name(key: str, value: object, named: bool) -> bool:
    """Whether a member called like a container is a field with its messages (DRF's `{"message": ["…"]}` is none)."""
    if key == "status" and isinstance(value, list):
        # Errors stand in a status as an object alone.
        return are_texts(value)
    if not named or key not in ("data", "body", "validation", "fields"):
        return False
    return are_texts(value) if isinstance(value, list) else isinstance(value, dict) and any(texts_of(value))


def holds_messages(key: str, value: object, named: bool) -> bool:
    """Whether a member of an object has the messages on its name; a word under a name for codes is a code."""
    if isinstance(value, str):
        return named and is_sentence(value) and (" " in value or key not in CODES)
    if isinstance(value, list):
        return _are_messages(value, named)
    return named and isinstance(value, dict) and bool(value)


def _are_messages(values: list[Json], named: bool) -> bool:
    """Whether the items of a list under a name are messages: texts, or objects that have some."""
    parts = [part for part in values if not isinstance(part, dict)]
    return are_texts(parts) if parts and (named or parts == values) else named and bool(values)


def is_error(body: dict[str, Json]) -> bool:
    """Whether an object is an error or has some, so that its members are no names of fields."""
    return any(True for _ in texts_of(body)) or any(
        key not in WHOLE and isinstance(value, dict | list) and (_is_called_container(key) or are_located(value))
        for key, value in body.items()
    )


def is_union(body: dict[str, Json]) -> bool:
    """Whether an error has those of each member of a union in it, as its code or zod's `unionErrors` says."""
    return "unionErrors" in body or any(word in code_of(body) for word in ("union", "alternative"))


def code_of(body: dict[str, Json]) -> str:
    """The codes of an error object, in one: `string_too_short`, `minLength`; numbers and URLs are none."""
    codes = (body[key] for key in CODES if isinstance(body.get(key), str))
    return next((code for code in codes if code and "/" not in code and " " not in code and code != "field"), "")


def params_of(body: dict[str, Json]) -> dict[str, Json]:
    """The members of an error object, and those of the small objects in it, whatever they are called."""
    inner = (value for value in body.values() if isinstance(value, dict) and len(value) <= _MAX_BESIDE)
    return {**body, **{key: value for beside in inner for key, value in beside.items()}}
