"""The purpose of a parameter in ten words: what facts show of its effect, and no more."""

from __future__ import annotations

from docrev.facts.kinds import comes_from, pages
from docrev.language.documentation_phrases import CURSOR
from docrev.language.phrases import sentence
from docrev.language.words import words
from docrev.revision import labels
from docrev.revision.effect_wording import EFFECTS, effect_of
from docrev.revision.profiles import fits_purpose
from docrev.revision.writer_inputs import ParameterInput


def describe_parameter(place: ParameterInput) -> str:
    """What a parameter does to the response, as facts show it; empty if nothing does."""
    facts = {fact.kind: fact for fact in place.facts if fact.location == place.location}
    kind = next((kind for kind in EFFECTS if kind in facts), "")
    if "ignored" in facts or not place.location.startswith("query:"):
        return ""
    candidates = (_cursor(place), effect_of(facts[kind], labels.many(place.noun)) if kind else "")
    return next(filter(fits_purpose, map(sentence, candidates)), "")


def _cursor(place: ParameterInput) -> str:
    """Where the previous page has the value of a pagination cursor: in a field, or in the URL of a header."""
    paging = (pages.KIND.value_of(fact) for fact in place.facts if fact.kind == "pages")
    source = next((value.next or "" for value in paging if value.by == "cursor"), None)
    if source is None:
        return _own_cursor(place)
    _, _, header = source.partition(":header:")
    if header:
        return f"Pagination cursor, from the URL in the previous page's `{labels.header_name(header)}` header"
    return CURSOR.write(field=labels.field_name(source))


def _own_cursor(place: ParameterInput) -> str:
    """A cursor by its source: a field of the operation's own responses that is named after the next page."""
    sources = (comes_from.KIND.value_of(fact) for fact in place.facts if fact.kind == "comes-from")
    fields = (source.field for source in sources if source.operation == str(place.operation.key))
    names = (labels.field_name(field) for field in fields)
    return next((CURSOR.write(field=name) for name in names if "next" in words(name)), "")
