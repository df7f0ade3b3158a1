"""Which parameter takes which value of a clause, and how well it fits."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.agent.clauses import Clause
from docrev.agent.documents import AgentDocuments, Doc
from docrev.agent.links import has_code_shape
from docrev.agent.parameters import CODE, ID_WORDS, Slot
from docrev.agent.text_values import Value
from docrev.agent.vocabulary import alike, topic_stems
from docrev.language.phrases import humanise
from docrev.language.stems import stem
from docrev.language.stems import stems as name_stems
from docrev.records import Json

CHOSEN = 3.0
"""One of the documented choices."""
CERTAIN = 2.5
"""A date for a date, a number or a code for what is named beside it."""
NAMED_CODE, NAMED = 2.4, 2.2
"""A text for a parameter that is named beside it; as a code, or otherwise."""
SEARCHED, SEARCHED_KIND, SEARCHED_OTHER, SEARCHED_CODE = 2.0, 0.8, -1.0, 0.4
"""A text to search for; more if the operation searches such things, less if others; a code is none."""
SHAPED, WRITTEN, UNNAMED = 1.6, 1.6, 1.5
"""A text with the shape of the documented codes; a quoted text to write; a code that nothing names."""
NAME_FOR_ID, PLACE = 1.0, 0.9
"""A name for a parameter that takes ids, if its documentation mentions names; a place that the text is about."""
THOUSANDS = 1000
_QUOTING = frozenset(stem(word) for word in ("says", "saying", "called", "named", "titled"))
_TEXTS = frozenset(stem(word) for word in ("name", "title", "text", "content", "body", "message", "description"))
_PLACES = frozenset(stem(word) for word in ("country", "city", "region", "state", "place", "location", "continent"))
_GENERIC = frozenset(stem(word) for word in ("code", "id", "name", "number", "text", "slug", "key", "title", "called"))
_LABELS = frozenset(stem(word) for word in ("code", "id", "iata", "slug", "key"))
_IDENTIFYING = frozenset({"id", "code", "iata", "slug", "uuid", "key", "uri"})
_OF_PLACES = ("in", "of", "from", "at")
_AT_PLACES = ("in", "of", "from", "on")
_MAKERS = ("person", "artist", "author")

Fit = tuple[Json, float]
"""A value as a parameter takes it, and how well."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A value that is a text: whether it is a code, or labelled as one ("the code X"), and the noun that it is of."""

    text: str
    is_code: bool
    is_labelled: bool
    hint: str
    is_named: bool


def is_quoting(value: Value) -> bool:
    """Whether a value is what something says or is called, rather than a thing that is there: `a list named "A"`."""
    return bool(_QUOTING.intersection(value.before[:1]))


@dataclass(frozen=True, slots=True)
class ValueFits:
    """The values of a clause beside the documents."""

    docs: AgentDocuments
    clause: Clause

    def mention(self, noun: str) -> float:
        """How much the text mentions a thing: 1 by its word, less by a word that is much like it."""
        return max((alike(noun, word) for word in self.clause.stems), default=0.0) if noun else 0.0

    def names_tool(self, value: Value) -> bool:
        """Whether a value is the name of a tool."""
        return str(value.value).casefold() in self.docs.tools

    def hint(self, value: Value) -> str:
        """The noun that a text says a value is of: `the country "Fiji"`, `Star Wars collection`."""
        nouns = self.docs.noun_stems
        for word in (*(() if value.apart else value.before[:2]), *value.after):
            noun = word if word in nouns else next((noun for noun in sorted(nouns) if alike(word, noun)), "")
            if noun:
                return noun
        return next((noun for noun in _MAKERS if noun in nouns), "") if value.of else ""

    def has_open_place(self, slot: Slot) -> bool:
        """Whether a parameter takes a place, and the text has one of which it does not say what it is."""
        return slot.noun in _PLACES and any(
            value.kind == "text" and value.by in _AT_PLACES and not self.hint(value) for value in self.clause.values
        )

    def selects(self, doc: Doc, value: Value) -> bool:
        """Whether a value selects an item of a list: the text gives it the items' noun, or none."""
        if value.kind == "ordinal":
            return bool(set(value.after) & doc.nouns)
        if value.kind != "text" or self.names_tool(value) or is_quoting(value):
            return False
        hint = self.hint(value)
        return hint in doc.nouns or not (hint or value.quoted)

    def fit(self, doc: Doc, slot: Slot, value: Value) -> Fit | None:
        """The value as this parameter takes it, and how well; None if it does not."""
        if value.kind == "ordinal":
            counts = slot.role == "id" and slot.attr == "number" and slot.noun in value.after
            return (int(str(value.value)) + 1, CERTAIN) if counts else None
        if slot.is_closed and slot.values:
            return _fit_choice(slot, value)
        if value.kind == "date":
            return (format_date(str(value.value), slot.date_format), CERTAIN) if slot.role == "date" else None
        if value.kind == "number":
            return self._fit_number(slot, value)
        return self._fit_text(doc, slot, value)

    def _is_named(self, slot: Slot, value: Value) -> bool:
        """Whether the words at a value name the parameter."""
        labels = {*name_stems(slot.name), *topic_stems(humanise(slot.name)), slot.noun} - {""}
        least = 1.0 if value.kind == "text" else 0.6
        return slot.name.lower() in (value.lead, value.by) or any(
            alike(word, label) >= least for word in self._naming(value) for label in labels
        )

    def _naming(self, value: Value) -> tuple[str, ...]:
        """The words that say what a value is of: the nearest, and those before a mere "code" or "name"."""
        if value.before and value.before[0] in _GENERIC:
            return (*value.before[:3], *value.after)
        hint = self.hint(value) if value.kind == "text" else ""
        return (*value.before[:1], *value.after, *((hint,) if hint else ()))

    def _fit_number(self, slot: Slot, value: Value) -> Fit | None:
        takes_numbers = slot.role == "number" or slot.is_numeric or slot.attr in ("id", "number")
        if not takes_numbers or slot.role in ("page", "sort") or not self._is_named(slot, value):
            return None
        number = value.value
        if isinstance(number, int) and number >= THOUSANDS and "thousands" in slot.argument.description:
            number //= THOUSANDS
        return number, CERTAIN

    def _fit_text(self, doc: Doc, slot: Slot, value: Value) -> Fit | None:
        if self.names_tool(value) or not slot.takes_text or (is_quoting(value) and not slot.in_body):
            return None
        read = self._read_text(slot, value)
        if slot.role == "search":
            return read.text, _search_score(doc, read)
        if slot.in_body:
            return _fit_body_text(slot, value, read)
        if slot.takes_codes and not read.is_code:
            return None
        if slot.attr in _IDENTIFYING:
            return self._fit_code(slot, value, read) if read.is_code else _fit_name_for_id(slot, read)
        return _fit_plain_text(slot, value, read)

    def _read_text(self, slot: Slot, value: Value) -> _Text:
        text, is_labelled = str(value.value), bool(_LABELS.intersection(value.before[:1]))
        is_code = bool(CODE.fullmatch(text)) or (is_labelled and " " not in text)
        if value.code and slot.role != "search" and (slot.takes_codes or slot.attr in ID_WORDS):
            text, is_code = value.code, True
        return _Text(text, is_code, is_labelled, self.hint(value), self._is_named(slot, value))

    def _fit_code(self, slot: Slot, value: Value, read: _Text) -> Fit | None:
        """A code for a parameter that takes ids or codes."""
        has_shape = has_code_shape(slot, read.text)
        if slot.example is not None and not (has_shape or read.is_labelled):
            return None
        is_near = slot.attr in value.near
        is_about = is_near or read.hint == slot.noun or slot.noun in self.clause.stems
        if is_about or (value.code and has_shape):
            return read.text, CERTAIN if is_near else UNNAMED
        return _fit_name_for_id(slot, read)


def _fit_choice(slot: Slot, value: Value) -> Fit | None:
    """The documented choice that a value is, or is the adjective of."""
    text = str(value.value)
    if value.kind == "text":
        kin = (one for one in slot.values if is_adjective_of(text, str(one)))
    else:
        kin = (one for one in slot.values if str(one).casefold() == text.casefold())
    found = next(kin, None)
    return None if found is None else (found, CHOSEN)


def _fit_name_for_id(slot: Slot, read: _Text) -> Fit | None:
    """A name for a parameter that takes ids, if the documentation mentions names."""
    takes_names = "name" in topic_stems(slot.argument.description)
    return (read.text, NAME_FOR_ID) if takes_names and read.hint == slot.noun else None


def _search_score(doc: Doc, read: _Text) -> float:
    if read.is_labelled:
        return SEARCHED_CODE
    if read.hint and read.hint in doc.nouns:
        return SEARCHED + SEARCHED_KIND
    return SEARCHED + (SEARCHED_OTHER if read.hint and doc.noun not in ("", "search") else 0.0)


def _fit_body_text(slot: Slot, value: Value, read: _Text) -> Fit | None:
    if slot.attr or has_code_shape(slot, read.text):
        return (read.text, CERTAIN if read.is_named else UNNAMED) if read.is_code else None
    is_own = (value.quoted or is_quoting(value)) and name_stems(slot.name)[-1] in _TEXTS and not value.code
    return (read.text, CERTAIN if read.is_named else WRITTEN) if read.is_named or is_own else None


def _fit_plain_text(slot: Slot, value: Value, read: _Text) -> Fit | None:
    if slot.source is not None and slot.role == "id" and not read.is_code:
        return None
    is_coded = slot.takes_codes
    if read.is_named:
        return read.text, NAMED_CODE if is_coded else NAMED
    if is_coded:
        return (read.text, SHAPED) if has_code_shape(slot, read.text) else None
    is_place = slot.noun in _PLACES and value.by in _OF_PLACES and slot.source is None
    return (read.text, PLACE) if is_place and not read.hint else None


def is_adjective_of(text: str, value: str) -> bool:
    """Whether a word is a value or its adjective: African of Africa, European of Europe."""
    one, other = text.casefold(), value.casefold()
    return one == other or (len(other) > 3 and one.startswith(other[:-1]) and 0 < len(one) - len(other) <= 2)


def format_date(date: str, form: str) -> str:
    """An ISO date in a documented format: 2024-06-01 as `DD.MM.YYYY` is 01.06.2024."""
    year, month, day = date.split("-")
    return (form or "YYYY-MM-DD").replace("YYYY", year).replace("MM", month).replace("DD", day)
