"""The user's consent in words: `--within NAME=VALUE` names a thing in which the run may create, change and act."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import unquote

from docrev.calls.path_texts import last_segment, plain
from docrev.calls.route_arguments import argument
from docrev.calls.routes import Path, template
from docrev.conventions.ids import IDENTIFIERS, is_called
from docrev.errors import UsageError
from docrev.language.words import singular_words, words
from docrev.records import Arguments
from docrev.spec.route_places import called

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

Within = frozenset[tuple[str, str]]
"""Names and values of path arguments: `("tenant", "main")`."""

_OPTION = "--within"
_NAMING = IDENTIFIERS | {"name", "number", "path", "uid"}
"""Parameters that are called so do not say what they identify."""


def parse_within(texts: Iterable[str]) -> Within:
    """Read `--within 'tenant=main'`. Raises UsageError for what is not NAME=VALUE."""
    found: set[tuple[str, str]] = set()
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not words(name) or not value:
            fix = "name a path parameter and its value: --within 'tenant=main'"
            raise UsageError(f"{text!r} is not NAME=VALUE", where=_OPTION, fix=fix)
        found.add((name, value))
    return frozenset(found)


def check_within(within: Within, paths: Iterable[Path]) -> None:
    """Raise UsageError for a name that matches no path parameter, or things of several kinds."""
    known = list(paths)
    for name, _ in sorted(within):
        kinds = {names_of(path, n)[0] for path in known for n in range(1, len(path.names) + 1) if fits(name, path, n)}
        if not kinds:
            fix = "docrev explore --dry-run lists the operations"
            raise UsageError(f"no path parameter is called {name}", where=_OPTION, fix=fix)
        if len(kinds) > 1 and is_bare(name):
            choices = " or ".join(f"{kind}=…" for kind in sorted(kinds)[:3])
            raise UsageError(f"{name} may be of things of several kinds", where=_OPTION, fix=f"write {choices}")


def consented_depth(within: Within, path: Path, arguments: Arguments) -> int:
    """The number, from 1, of the first path parameter that addresses a thing named by `--within`; 0 if none does.

    What lies below that parameter is in the thing; a path that ends in it addresses the thing itself.
    """
    for number, parameter in enumerate(path.names, 1):
        value = unquote(plain(argument(arguments, parameter)))
        if any(value == given and fits(name, path, number) for name, given in within):
            return number
    return 0


def consented_things(within: Within, operations: Iterable[Operation]) -> Iterator[tuple[str, str, str]]:
    """The things at the top that `--within` names: (tool, path of the thing, value)."""
    for operation in operations:
        path = template(operation.path)
        for name, value in sorted(within):
            if path.names and fits(name, path, 1):
                yield operation.tool, operation.path.partition("}")[0] + "}", value


def reaches(within: Within, path: Path) -> tuple[str, str] | None:
    """What is named by `--within` and may contain what a path addresses, given the right argument; None if nothing."""
    inside = len(path.names) - path.ends_in_parameter
    numbers = range(1, inside + 1)
    return next((named for named in sorted(within) if any(fits(named[0], path, n) for n in numbers)), None)


def names_of(path: Path, number: int) -> tuple[str, ...]:
    """What the thing at path parameter `number` (from 1) may be called, the best first: `zone` for `/zones/{id}`."""
    parameter = called(path.names[number - 1])
    noun = "_".join(words(parameter)[:-1])
    candidates = (
        noun if is_called(parameter, noun) else "",
        "" if is_bare(parameter) else parameter,
        _collection(path, number),
        parameter,
    )
    return tuple(dict.fromkeys(name for name in candidates if name))


def fits(name: str, path: Path, number: int) -> bool:
    """Whether a name given by the user is that of path parameter `number`: exactly, or by one of its nouns."""
    collection = _collection(path, number)
    return is_called(called(path.names[number - 1]), name) or (
        bool(collection) and words(collection) == singular_words(name)
    )


def _collection(path: Path, number: int) -> str:
    """What the items of the collection before a path parameter are called."""
    return "_".join(singular_words(last_segment(path.literals[number - 1])))


def is_bare(name: str) -> bool:
    """Whether a name says that it identifies something, and not what: `id`, `name`."""
    parts = words(name)
    return len(parts) == 1 and parts[0] in _NAMING
