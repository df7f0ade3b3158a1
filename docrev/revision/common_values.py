"""What holds for the values of many operations: where they come from, what totals are called, what parameters do.

It stands once for the whole API where each operation declares its parameter for itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from docrev.grouping import grouped
from docrev.language.path_subjects import subject
from docrev.language.phrases import joined, joined_names
from docrev.revision.common_notes import OF_LISTS, SOURCE
from docrev.revision.majority import MIN_OPERATIONS
from docrev.revision.notes import Statement, categories, facts_behind
from docrev.revision.places import Spot
from docrev.revision.worth import worth

MANY = 6
"""Parameters of one name from which on it stands once for all of them where their values come from."""
_MANY_ALIKE = 4
"""Parameters from which on it stands once for all of them what they do to what each operation lists."""
_FEW = 3
"""Kinds of things up to which they are named where a parameter does the same in most of the lists that have it."""
_ALONE = frozenset({SOURCE, "ignored", "no-effect", "observed-values", "unrecognised"})
"""Kinds of what may be so at one operation and not at another."""
_VERB = re.compile(r"(?:Also )?(?:Must|Returns|Defaults|Takes|Accepts|Finds|Has|Is)\b", re.IGNORECASE)
Stated = Sequence[tuple[Spot, Sequence[Statement]]]


def common_to_values(stated: Stated) -> dict[str, list[Statement]]:
    """The statements on whole documents, by file, given those on each parameter and property."""
    by_file = grouped(
        (spot.place.file, (spot, [one for one in statements if one.text and worth(one, spot, spot.text)]))
        for spot, statements in stated
        if spot.kind in ("parameter", "property")
    )
    found = {}
    for file, worthies in by_file.items():
        parameters, properties = (
            [(spot, worthy) for spot, worthy in worthies if spot.kind == kind] for kind in ("parameter", "property")
        )
        sources = common_sources((spot.name, worthy) for spot, worthy in parameters)
        beside = common_properties(worthy for _, worthy in properties)
        found[file] = [*sources, *beside, *common_parameters(parameters)]
    return found


def common_parameters(stated: Stated) -> Iterator[Statement]:
    """What query parameters do at each operation that has them, those together that do the same."""
    having = Counter(spot.name for spot, _ in stated if spot.first.observed.key.method == "GET")
    for text, by_name in _same_effects(stated).items():
        every = [one for found in by_name.values() for one in found]
        least = _MANY_ALIKE if len({one.text for one in every}) > 1 else MANY
        if len(every) >= least and max(map(len, by_name.values())) >= MIN_OPERATIONS:
            whole = _of_all(text, sorted(by_name))
            if any(len(found) < having[name] for name, found in by_name.items()):
                whole = f"{_where(every)}, {whole[0].lower()}{whole[1:]}"
            yield Statement(whole, every[0].kind, categories(every)[0], facts_behind(every), about=text)


def _where(statements: Iterable[Statement]) -> str:
    """Where statements hold, which do not hold of all operations alike: in lists of what, if these are few."""
    listed = {subject(fact.key.path).many for one in statements for fact in one.facts}
    if "" in listed or len(listed) > _FEW:
        return "In most operations"
    return f"In {'the list' if len(listed) == 1 else 'lists'} of {joined(sorted(listed))}"


def _same_effects(stated: Stated) -> dict[str, dict[str, list[Statement]]]:
    """The statements on query parameters by text and name; what differs by operation stands at each of them."""
    told: dict[tuple[str, str], dict[str, list[Statement]]] = {}
    for spot, statements in stated:
        for one in statements if spot.first.location.startswith("query:") else ():
            if one.facts and one.kind not in _ALONE:
                told.setdefault((spot.name, one.kind), {}).setdefault(of_items(spot, one), []).append(one)
    by_text: dict[str, dict[str, list[Statement]]] = {}
    for (name, _), texts in told.items():
        for text, found in texts.items() if len(texts) == 1 else ():
            by_text.setdefault(text, {})[name] = found
    return by_text


def _of_all(text: str, names: Sequence[str]) -> str:
    """A statement with the parameters that it is about: as its subject, if it begins with its verb."""
    text = re.sub("^Required", "Is required", text)
    named, rest = joined_names(names), f"{text[0].lower()}{text[1:]}"
    if not _VERB.match(text):
        return f"{named}: {rest}"
    return f"{named} {rest}" if len(names) == 1 else f"Each of {named} {rest}"


def of_items(spot: Spot, statement: Statement) -> str:
    """A statement without what the operation lists."""
    things = subject(spot.first.observed.key.path).many
    return re.sub(rf"\b{re.escape(things)}\b", "items", statement.text) if things else statement.text


def common_sources(notes: Iterable[tuple[str, Sequence[Statement]]]) -> Iterator[Statement]:
    """Where the values of parameters come from that many operations declare each for itself, given the statements on
    each parameter by its name. What is added to a text says it in other words than what stands alone."""
    found: dict[str, dict[str, list[Statement]]] = {}
    for name, statements in notes:
        for statement in statements:
            if statement.kind == SOURCE and statement.facts:
                found.setdefault(name, {}).setdefault(statement.about, []).append(statement)
    for name, by_source in found.items():
        most = max(by_source.values(), key=len)
        text = Counter(statement.text for statement in most).most_common(1)[0][0]
        if len(most) >= MANY:
            returned = re.sub(r"^(?:One is r|R)eturned", f"A `{name}` is returned", text)
            whole = returned if returned != text else f"`{name}` is {text[0].lower()}{text[1:]}"
            yield Statement(whole, SOURCE, "source", facts_behind(most))


def common_properties(stated: Iterable[Sequence[Statement]]) -> Iterator[Statement]:
    """What properties beside lists are, given the statements on each property: totals, and what leads to the next
    page."""
    found: dict[str, list[Statement]] = {}
    for statement in chain.from_iterable(stated):
        if statement.kind == OF_LISTS:
            found.setdefault(statement.about, []).append(statement)
    common = {about: same for about, same in found.items() if len(same) >= MIN_OPERATIONS}
    for about, same in common.items():
        # What only some lists showed, that it is null at the end, holds for the others.
        if not any(other.startswith(about) for other in common if other != about):
            calls = tuple(statement.calls[0] for statement in same if statement.calls)
            yield Statement(f"In lists, {about}.", OF_LISTS, facts=facts_behind(same), calls=calls, about=about)
