"""Which calls only read: none with a query parameter that changes something, nor of an operation that was seen to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docrev.calls.routes import Routes
from docrev.conventions.changing_parameters import commands, only_asks, sets_state
from docrev.conventions.graphql import EMPTY, only_queries
from docrev.conventions.parameters import ORDERING, PAGING, Shape, Typed, role_of
from docrev.conventions.run_names import carries_made_up, is_invented_id
from docrev.conventions.sql import changes_by_sql
from docrev.json_values.containers import mapping
from docrev.json_values.leaves import leaves
from docrev.language.verbs import reading_verb
from docrev.language.words import plural, word_set, words
from docrev.records import Arguments, Json, OperationKey
from docrev.spec.schema import properties_of

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

MIN_ALIKE = 2
"""Operations that were shown to read, after which others that are called alike are taken to read, too."""
_PLAIN_READS = word_set("browse count counts describe exists get list lookup retrieve statistics stats")
"""Verbs of a POST that reads what is there, and neither works anything out nor asks anybody else."""
WHOLE = ""
"""In place of a parameter's name: the operation changes something whatever it is called with."""
CHANGED = "it changed something when it was called"


@dataclass(slots=True)
class Readings:
    """What calls showed. `reads`: whether a POST that says that it reads was tried and changed nothing, or did.

    `changing`: the query parameters, by the operation, after which a GET had changed what it read. `own_names`: names
    that docrev gave to things that the run created.
    """

    reads: dict[OperationKey, bool] = field(default_factory=dict)
    changing: dict[OperationKey, set[str]] = field(default_factory=dict)
    own_names: set[str] = field(default_factory=set)

    def note_change(self, key: OperationKey, parameter: str = WHOLE) -> None:
        """A call had changed something of others: from now on its operation counts as unsafe with this parameter."""
        self.changing.setdefault(key, set()).add(parameter)

    def changed(self, key: OperationKey) -> bool:
        """Whether a call of an operation had changed something of others, whatever it sent."""
        return WHOLE in self.changing.get(key, ())

    def trouble(self, operation: Operation, arguments: Arguments, routes: Routes) -> str | None:
        """Why a GET of what is not the run's own might change it; None if nothing says so."""
        shown = self.changing.get(operation.key, ())
        if self.changed(operation.key):
            return CHANGED
        item = is_of_item(operation, routes)
        for name, value, shape, text in _sent(operation, arguments):
            if name in shown:
                return f"{name} changed something when it was sent"
            if (commands(name, shape, text) and not only_asks(value)) or (item and sets_state(name, shape, text)):
                return f"{name} may change what it reads; to allow it: --allow '{operation.key.operation}'"
        return None

    def query_trouble(self, operation: Operation, arguments: Arguments, names: bool) -> str | None:
        """Why a POST that says that it reads may not go to what is not the run's own; None if it may.

        Until it was tried, only a body that selects nothing of others is sent, where no path `names` a target.
        """
        body = arguments.get("body:")
        document = body.get("query") if isinstance(body, dict) else None
        if reading_verb(operation) == "graphql" and not only_queries(document):
            return "its document is no query"
        if changes_by_sql(body):
            return "its statement changes something"
        tried = self.reads.get(operation.key)
        if tried is not None:
            return None if tried else "it changed something when it was tried"
        if names:
            return "nothing shows that it only reads: it was not tried on anything of the run's own"
        free = document == EMPTY or self.selects_nothing_of_others(operation, body)
        return None if free else "nothing shows that it only reads"

    def selects_nothing_of_others(self, operation: Operation, body: Json) -> bool:
        """Whether the body of a POST that says that it reads has a name of the run's own, or one that was made up; or
        it can only say which page is wanted, as of a list, and trials have shown that what is called alike reads; or
        the POST takes nothing that could say anything else.
        """
        if carries_made_up(body) or any(self._is_nobodys(value) for _, value in leaves(body)):
            return True
        if not body and _takes_nothing(operation) and reading_verb(operation) in _PLAIN_READS:
            return True
        return body == {} and _only_pages(operation) and self._reads_alike(operation)

    def _is_nobodys(self, value: Json) -> bool:
        """Whether a value of a body is a name of the run's own, or a number that docrev made up for an ID."""
        return (isinstance(value, str) and value in self.own_names) or is_invented_id(value)

    def _reads_alike(self, operation: Operation) -> bool:
        """Whether several other operations of a tool that end in the same word were tried, and all of them read."""
        word = _last_word(operation.path)
        alike = [
            reads
            for key, reads in self.reads.items()
            if key.tool == operation.tool and key != operation.key and _last_word(key.path) == word
        ]
        return len(alike) >= MIN_ALIKE and all(alike)


def _last_word(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _only_pages(operation: Operation) -> bool:
    """Whether all that a body may say is which page is wanted, and in which order."""
    schema = operation.body_schema
    parts = properties_of(schema)
    return bool(parts) and all(role_of(name, part) in PAGING | ORDERING for name, part in parts.items())


def _takes_nothing(operation: Operation) -> bool:
    """Whether nothing is documented that an operation could be sent: no parameter, and no member of a body."""
    return not operation.parameters and not properties_of(operation.body_schema)


def _sent(operation: Operation, arguments: Arguments) -> Iterator[tuple[str, Json, Shape, str]]:
    """(name, value, schema, description) of each query parameter, and of the body's members in RPC style."""
    for location, value in arguments.items():
        place, _, name = location.partition(":")
        if place == "query" and value is not None:
            parameter = operation.parameter(location)
            yield (name, value, *((parameter.schema, parameter.description) if parameter else (Typed(), "")))
    body = arguments.get("body:") if operation.rpc_route is not None else None
    schema = operation.body_schema
    parts = properties_of(schema)
    for name, value in mapping(body).items():
        yield (name, value, *((parts[name], parts[name].description) if name in parts else (Typed(), "")))


def is_of_item(operation: Operation, routes: Routes) -> bool:
    """Whether a GET is of one item, or of a part of it, and not of a list that lies in it."""
    path = routes.path(operation.key)
    if not path.names or path.ends_in_parameter:
        return path.ends_in_parameter
    last = words(path.literals[-1].rpartition("/")[2])[-1:]
    return routes.item_under(operation.key) is None and not any(plural(word) == word for word in last)
