"""What is wrong with the path of a call: a denied word in it, an argument that is missing, or leads elsewhere."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import unquote

from docrev.calls.journal import Journal
from docrev.calls.path_texts import plain
from docrev.calls.route_arguments import argument, key_of
from docrev.calls.routes import addresses_of, template
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.parameters import takes_paths
from docrev.language.words import plural, singular, words
from docrev.records import Arguments
from docrev.spec.bare_paths import fixed_arguments
from docrev.spec.route_places import called

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

DENIED_WORDS = frozenset(
    ["reset", "revoke", "rotate", "logout", "shutdown", "flush", "purge", "terminate", "password", "token"]
)
_LISTED = frozenset(["token"])
"""Words of it that also name things which APIs list: `GET /tokens/{id}` reads one, while `GET /token` may issue one."""
_TOLD = frozenset(["holder", "info", "owner", "usage"])
"""Words after one of these, in an operationId, for what is told of it: `getTokenOwner`."""


def denied_word(operation: Operation) -> str | None:
    """The first whole word of the deny list in the path's own segments or the operationId; parameters are left out.

    What reads a collection of tokens, or one of them, may do so.
    """
    segments = [outside for segment in operation.path.split("/") for outside in _outside(segment)]
    lists = any(words(segment)[-1:] == (plural(word),) for segment in segments for word in _LISTED)
    denied = DENIED_WORDS - _LISTED if lists and operation.route.method in SAFE_METHODS else DENIED_WORDS
    for name in (*segments, _doing(operation)):
        found = [singular(word) for word in words(name)]
        joined = [first + second for first, second in pairwise(found)]
        for word in (*found, *joined):
            if word in denied:
                return word
    return None


def _doing(operation: Operation) -> str:
    """The operationId of an operation; of one that reads, without the words whose holder alone is told."""
    if operation.route.method not in SAFE_METHODS:
        return operation.operation_id
    named = words(operation.operation_id)
    told = {at for at, (word, after) in enumerate(pairwise(named)) if word in _LISTED and after in _TOLD}
    return " ".join(word for at, word in enumerate(named) if at not in told)


def _outside(segment: str) -> list[str]:
    pieces = segment.split("{")
    return [pieces[0], *(piece.partition("}")[2] for piece in pieces[1:])]


def missing(operation: Operation, arguments: Arguments) -> str | None:
    """The first parameter that has no value: of the path, or of what names the thing that an unsafe call goes to.

    What should be the address of a thing, and is another path, is none.
    """
    for parameter in operation.parameters:
        if parameter.location == "path" and plain(arguments.get(parameter.key)) == "":
            return parameter.name
    judged = operation.route.method not in SAFE_METHODS or operation.address_route is not None
    named = template(operation.route.path).names if judged else ()
    elsewhere = (name for name in named if key_of(name) == name)
    return next((called(name) for name in elsewhere if plain(argument(arguments, name)) == ""), None)


def path_trouble(operation: Operation, arguments: Arguments) -> str | None:
    """An empty or dotted path argument would reach another operation than the one that was judged, and so would another
    value than the only one that is documented.
    """
    if (name := missing(operation, arguments)) is not None and not _is_root(operation, arguments, name):
        return (
            f"no value for path parameter {name}" if f"{{{name}}}" in operation.path else f"no single value for {name}"
        )
    for key, value in fixed_arguments(operation).items() if operation.route.method not in SAFE_METHODS else ():
        if arguments.get(key) != value:
            return f"the only documented value of path parameter {key.removeprefix('path:')} is {value}"
    for location, value in arguments.items():
        if location.startswith("path:"):
            text = unquote(plain(value)).replace("\\", "/")
            if "." in text and any(step.strip() in (".", "..") for step in text.split("/")):
                return "a path argument with dot segments leaves the operation's path"
    return None


def _is_root(operation: Operation, arguments: Arguments, name: str) -> bool:
    """Whether a call reads what the empty path stands for: the top of a tree whose paths the last parameter takes."""
    ends_so = operation.path.rstrip("/").endswith(f"/{{{name}}}") and operation.method in SAFE_METHODS
    return ends_so and takes_paths(name) and arguments.get(f"path:{name}") == ""


def slash_trouble(operation: Operation, arguments: Arguments, journal: Journal) -> str | None:
    """Many servers decode %2F before they route: an id with a slash may be the path of another operation."""
    if journal.owns(operation, arguments):
        return None
    whole = addresses_of(operation)
    for location, value in arguments.items():
        in_segment = location.startswith("path:") and location.removeprefix("path:") not in whole
        text = unquote(plain(value)) if in_segment else ""
        if "/" in text or "\\" in text:
            return "an id with a slash may reach another operation"
    return None
