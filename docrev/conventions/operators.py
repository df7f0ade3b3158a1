"""How lists are filtered by operators, by the conventions of APIs: in a parameter's name (`price__gt=5`, as in Django;
`price[gt]=5`; `min_price=5`), in its value (`price=gt:5`), or in a parameter that takes whole conditions
(`filter=price gt 5`, OData; `q=price:>5`; RSQL's `price=gt=5`).

A form is a text with `{field}`, `{value}` and, before it is written out, `{word}`: what stands for the relation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

EQUAL, MORE_THAN, AT_LEAST, LESS_THAN, AT_MOST = "equal", "more-than", "at-least", "less-than", "at-most"
NOT_EQUAL, ANY_OF, NONE_OF, CONTAINS = "not-equal", "any-of", "none-of", "contains"


class Form(NamedTuple):
    """A text such as `min_{field}={value}`, and how the field's value relates to what is sent then."""

    text: str
    relation: str

    def write(self, field: str, value: str) -> str:
        return self.text.replace("{field}", field).replace("{value}", value)

    def read(self, text: str, field: str) -> str | None:
        """The value in a text of this form on a field; None if it is of another form."""
        before, _, after = self.text.replace("{field}", field).partition("{value}")
        is_so = text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after)
        return text[len(before) : len(text) - len(after)] if is_so else None


_WORDS = {
    MORE_THAN: ("gt",),
    AT_LEAST: ("gte", "min"),
    LESS_THAN: ("lt",),
    AT_MOST: ("lte", "max"),
    NOT_EQUAL: ("ne", "not", "neq"),
    ANY_OF: ("in",),
    NONE_OF: ("exclude", "nin", "not_in"),
    CONTAINS: ("contains", "like", "icontains"),
}
_STYLES = (
    "{field}__{word}={value}",
    "{word}_{field}={value}",
    "{field}[{word}]={value}",
    "{field}_{word}={value}",
    "{field}[${word}]={value}",
    "{field}[_{word}]={value}",
    "{field}.{word}={value}",
    "{field}={word}:{value}",
    "{field}={word}.{value}",
)
_IN_VALUES = (Form("{field}=>{value}", MORE_THAN),)
_CONDITIONS = {
    "{field}:{value}": ("{field}__{word}:{value}", "{field}:{word}:{value}"),
    "{field}={value}": ("{field}__{word}={value}",),
    "{field}=={value}": ("{field}={word}={value}",),
    "{field} eq '{value}'": ("{field} {word} {value}",),
    "{field} = '{value}'": (),
    '{"{field}":"{value}"}': ('{"{field}":{"{word}":{value}}}', '{"{field}":{"${word}":{value}}}'),
    "{field}:eq:{value}": ("{field}:{word}:{value}",),
    "{field},eq,{value}": ("{field},{word},{value}",),
}
"""Ways to write that a field has a value, each with those in which operators are written beside it."""
_SIGNS = ((">", MORE_THAN), (">=", AT_LEAST), ("<", LESS_THAN), ("<=", AT_MOST), ("!=", NOT_EQUAL))
_SIGNED = ("{field}:%s{value}", "{field}%s{value}")

EQUALITIES = tuple(Form(text, EQUAL) for text in _CONDITIONS)
"""The ways to write a condition that a field has a value, in a parameter that takes whole conditions."""


def _worded(style: str) -> list[Form]:
    return [Form(style.replace("{word}", word), relation) for relation, words in _WORDS.items() for word in words]


def _signed(style: str) -> list[Form]:
    return [Form(style % sign, relation) for sign, relation in _SIGNS]


FAMILIES: tuple[tuple[Form, ...], ...] = (*(tuple(_worded(style)) for style in _STYLES), _IN_VALUES)
"""The forms of one style each, in which a field's name is a parameter's."""


def families_beside(equality: Form) -> Iterator[tuple[Form, ...]]:
    """The forms that are written like a condition of this form."""
    yield from (tuple(_worded(style)) for style in _CONDITIONS[equality.text])
    if not {"'", '"'} & {*equality.text}:
        yield from (tuple(_signed(style)) for style in _SIGNED if ":" not in style or ":" in equality.text)


OF_NAMES = tuple(form for family in FAMILIES for form in family)
OF_CONDITIONS = tuple(
    dict.fromkeys([*EQUALITIES, *(form for one in EQUALITIES for family in families_beside(one) for form in family)])
)
