"""Parameters as the built-in agent reads them: what each identifies or does, and the values that it takes.

Names, types and enums count first, then what descriptions state, by the table of phrases that documentation uses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from docrev.conventions.parameters import PAGING, Role, Typed, role_of
from docrev.language import documentation_phrases as phrases
from docrev.language.documentation_phrases import sentences
from docrev.language.path_subjects import owner, subject
from docrev.language.stems import stem
from docrev.language.words import singular, singular_words, words
from docrev.prompts.agents import Argument, Sheet
from docrev.records import Json

ID_WORDS = frozenset({"id", "ids", "uri", "uris", "code", "key", "slug", "uuid", "iata", "isbn", "number", "name"})
NEAR_ID = 6
"""Words before "id" or "URI" among which the thing is named: "a track or an episode URI"."""
CODE = re.compile(r"[A-Z]{2,4}|[A-Z0-9]{3,}\d[A-Z0-9]*|[0-9a-f]{8,}|\d+")
_MARKUP = re.compile(r"<[^<>\n]{1,40}>|(?<=\])\([^()\s]*\)")
_PLURAL_IDS = re.compile(r"\bIDs\b")
_NO_TEXT = frozenset({"sort", "page", "size", "date"})
_ROLES = {
    Role.SEARCH: "search",
    Role.SORT: "sort",
    Role.DIRECTION: "sort",
    Role.PAGE_SIZE: "size",
    Role.PAGE: "page",
    Role.OFFSET: "page",
    Role.CURSOR: "page",
    Role.DATE: "date",
    Role.DATE_FROM: "date",
    Role.DATE_TO: "date",
    Role.ID: "id",
}
"""What the agent does with a parameter, by its role; any other is a number or a text."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter as read: it identifies a `noun` (a stem) by `attr`, or has another `role`.

    `values` are those that are named, and `is_closed` says whether there are no others. `source` is the field and the
    operation from which its values are documented to come. `alternatives` are the same parameter, taken as one of
    another noun that its description names.
    """

    argument: Argument
    noun: str
    attr: str
    role: str
    is_required: bool
    values: tuple[Json, ...] = ()
    is_closed: bool = False
    source: tuple[str, str] | None = None
    maximum: int | None = None
    example: Json = None
    date_format: str = ""
    alternatives: tuple[Slot, ...] = ()
    takes_codes: bool = field(init=False)
    """Whether the documentation shows or says that codes are sent here, not names."""

    def __post_init__(self) -> None:
        shown = [str(value) for value in (*self.values, self.example) if value is not None]
        codes = all(map(CODE.fullmatch, shown)) if shown else {"code", "codes"} & set(words(self.argument.description))
        object.__setattr__(self, "takes_codes", bool(codes))

    @property
    def name(self) -> str:
        return self.argument.name

    @property
    def in_body(self) -> bool:
        """Whether it is a property of the request's body."""
        return self.argument.location.startswith("body:/")

    @property
    def is_numeric(self) -> bool:
        return self.argument.type in ("integer", "number")

    @property
    def takes_text(self) -> bool:
        return self.argument.type not in ("integer", "number", "boolean") and self.role not in _NO_TEXT


def plain_text(text: str) -> str:
    """A text without HTML tags and the addresses of links."""
    return _MARKUP.sub(" ", text)


def read_slot(sheet: Sheet, argument: Argument, nouns: frozenset[str]) -> Slot:
    """A parameter of an operation; `nouns` are the things that all documents are about."""
    text = plain_text(argument.description)
    source = phrases.SOURCE.read(text) or phrases.PROVIDER.read(text)
    values, is_closed = _values(argument, text)
    noun, attr = _identified(sheet, argument, nouns)
    slot = Slot(
        argument=argument,
        noun=noun,
        attr=attr,
        role=_role(argument, text),
        is_required=_is_required(argument),
        values=values,
        is_closed=is_closed and (source is None or phrases.CHOICE.read(text) is not None),
        source=None if source is None else (source.get("field", ""), source["operation"]),
        maximum=_maximum(sheet, argument, text),
        example=_example(argument, text),
        date_format=_date_format(argument, text),
    )
    named = _named_things(argument, nouns) if _may_be_another(attr, noun, nouns) else ()
    return replace(slot, alternatives=tuple(replace(slot, noun=other) for other in named if other != noun))


def _may_be_another(attr: str, noun: str, nouns: frozenset[str]) -> bool:
    """Whether the name of a parameter leaves open what it identifies: a URI, or an id of something unknown."""
    return attr == "uri" or (attr == "id" and noun not in {stem(known) for known in nouns})


def _is_required(argument: Argument) -> bool:
    return argument.required or phrases.REQUIRED.read(plain_text(argument.description)) is not None


def _values(argument: Argument, text: str) -> tuple[tuple[Json, ...], bool]:
    """The values that the documentation names, and whether they are all."""
    if argument.allowed:
        return argument.allowed, True
    return phrases.choices(text) if argument.type != "boolean" else ((), False)


def _maximum(sheet: Sheet, argument: Argument, text: str) -> int | None:
    """The largest number that a parameter is documented to take, by its own text or by the operation's."""
    here = (read for read in phrases.MOST_HERE.read_all(sheet.description) if read["parameter"] == argument.name)
    read = phrases.MOST.read(text) or next(here, None)
    return int(read["number"].replace(",", "")) if read else None


def _example(argument: Argument, text: str) -> Json:
    read = phrases.EXAMPLE.read(text)
    return argument.example if argument.example is not None else read["value"].strip("`") if read else None


def _date_format(argument: Argument, text: str) -> str:
    read = phrases.DATE.read(text)
    return read["format"] if read else "YYYY-MM-DD" if "date" in argument.limits else ""


def _role(argument: Argument, text: str) -> str:
    """`id`, `search`, `sort`, `size`, `page`, `date`, `number` or `text`."""
    place = argument.location.partition(":")[0]
    if place == "path":
        return "id"
    if place == "query" and phrases.SEARCH.read(text) is not None:
        return "search"
    form = "date" if "date" in argument.limits else None
    role = role_of(argument.name, Typed(argument.type, form, argument.allowed or None), place)
    if role in _ROLES and not _is_doubtful(role, argument):
        return _ROLES[role]
    if phrases.DATE.read(text) is not None:
        return "date"
    return "number" if argument.type in ("integer", "number") else "text"


def _is_doubtful(role: Role, argument: Argument) -> bool:
    """Whether a parameter hardly has the role that its name suggests, given its place and its values."""
    if role == Role.SEARCH:
        return not argument.location.startswith("query:")
    if role in PAGING:
        # The first page needs no such parameter: `from` that is required is no offset.
        return _is_required(argument)
    return role in (Role.DATE, Role.DATE_FROM, Role.DATE_TO) and bool(argument.allowed)


def _identified(sheet: Sheet, argument: Argument, nouns: frozenset[str]) -> tuple[str, str]:
    """What a parameter is a value of: (movie, id), (country, code), (airport, iata)."""
    place, _, at = argument.location.partition(":")
    parts = singular_words(at.strip("/") if place == "body" else argument.name)
    if not parts:
        return "", ""
    if place == "path":
        return _identified_by_path(sheet, argument, parts)
    last = parts[-1]
    if len(parts) > 1 and last in ("id", "code", "uri"):
        named = _named_things(argument, nouns) if last == "uri" and parts[-2] not in nouns else ()
        return (*named, stem(parts[-2]))[0], last
    if last in ("id", "uri"):
        return (*_named_things(argument, nouns), stem(subject(sheet.key.path).noun.rpartition(" ")[2]))[0], last
    takes_ids = _PLURAL_IDS.search(argument.description) is not None and last in nouns
    return stem(last), "id" if takes_ids else ""


def _identified_by_path(sheet: Sheet, argument: Argument, parts: tuple[str, ...]) -> tuple[str, str]:
    if len(parts) > 1:
        return stem(parts[-2]), parts[-1]
    noun = singular(owner(sheet.key.path, argument.name).rpartition(" ")[2])
    return stem(noun), parts[0] if parts[0] in ID_WORDS or parts[0] != noun else ""


def _named_things(argument: Argument, nouns: frozenset[str]) -> tuple[str, ...]:
    """The things that a description names, as stems; those right before "id" or "URI" first."""
    near: list[str] = []
    far: list[str] = []
    for sentence in sentences(plain_text(argument.description)):
        parts = words(sentence)
        ends = [at for at, word in enumerate(parts) if word in ("id", "ids", "uri", "uris")]
        for at, word in enumerate(parts):
            if singular(word) in nouns:
                (near if any(0 < end - at <= NEAR_ID for end in ends) else far).append(stem(word))
    return tuple(dict.fromkeys((*near, *far)))
