"""Which parameters lead to the next page of a list: those that only the URL has that a response gives in a header."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl

from docrev.evidence import Evidence
from docrev.facts.kinds.pages import next_url
from docrev.language.urls import split_url
from docrev.records import Call, Fact, OperationKey

MAX_CALLS = 20

Link = tuple[str, Call]
"""The header of a call that leads to a next page, and the call."""


def noting_links(calls: Iterable[Call], linking: dict[OperationKey, Link]) -> Iterator[Call]:
    """The calls, with the first of each operation whose headers lead to a next page put into `linking`."""
    for call in calls:
        if call.ok and call.key not in linking and (found := next_url(call)) is not None:
            linking[call.key] = (found[0].lower(), call)
        yield call


def next_page_parameters(evidence: Evidence, facts: Iterable[Fact], link: Link | None) -> tuple[str, ...]:
    """The query parameters of an operation that only the URLs of next pages have, by its facts and by `link`."""
    shown = [pair for fact in facts if fact.kind == "pages" for pair in _of_fact(evidence, fact)]
    shown += [link] if link is not None else []
    return tuple(dict.fromkeys(name for header, call in shown for name in _added(header, call)))


def _of_fact(evidence: Evidence, fact: Fact) -> Iterator[Link]:
    """The calls of a fact on a header, with the header."""
    _, in_header, header = fact.location.partition(":header:")
    for call in filter(None, map(evidence.calls.get, fact.calls[:MAX_CALLS])) if in_header else ():
        yield header.lower(), call


def _added(header: str, call: Call) -> Iterator[str]:
    """The query parameters of the next page's URL, which a header gives, that the call did not have."""
    for name, _ in parse_qsl(split_url(call.headers.get(header, "")).query):
        if f"query:{name}" not in call.arguments:
            yield name
