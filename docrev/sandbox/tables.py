"""The services' records: small tables of public facts, read from the JSON files beside each service's code."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files

from docrev.language import characters
from docrev.records import Json

Row = dict[str, Json]
Rows = tuple[Row, ...]


@cache
def load(service: str, table: str) -> Rows:
    """The rows of a table as dicts, in the file's order; they are shared, so nobody may change them."""
    text = files(f"docrev.sandbox.{service}").joinpath(f"{table}.json").read_text("utf-8")
    data = json.loads(text)
    return tuple(dict(zip(data["columns"], row, strict=True)) for row in data["rows"])


fold = cache(characters.fold)
"""The text as a search compares it: lower case, without accents ("Bogotá" → "bogota")."""


def ordered(rows: Iterable[Row], sort: str) -> Rows:
    """Rows by the field `sort`, descending if it starts with `-`; nulls last, equals in the order given."""
    name, reverse = sort.removeprefix("-"), sort.startswith("-")
    rows = tuple(rows)
    known = [row for row in rows if row[name] is not None]
    key: Callable[[Row], Json] = lambda row: fold(row[name]) if isinstance(row[name], str) else row[name]  # noqa: E731
    known.sort(key=key, reverse=reverse)
    return (*known, *(row for row in rows if row[name] is None))
