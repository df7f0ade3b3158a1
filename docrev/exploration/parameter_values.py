"""Values for a parameter: stated, returned by an operation that feeds it, seen under its name, or guessed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from posixpath import commonpath

from docrev.conventions import examples
from docrev.conventions.described_values import described_values
from docrev.conventions.examples import fitting_values
from docrev.conventions.fields import NAMES, is_name_field
from docrev.conventions.guessed_values import BY_WORD
from docrev.conventions.ids import is_id_name, names_no_kind
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.parameters import ORDERING, Role, role_of
from docrev.exploration.contexts import Contexts
from docrev.exploration.member_names import member_names, quoted_beside
from docrev.exploration.near_values import near_values
from docrev.exploration.seen_objects import SeenObjects
from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.canonical import unique
from docrev.json_values.pointer import last
from docrev.language.words import words
from docrev.records import Json, OperationKey
from docrev.spec import MISSING, Operation, Parameter, Schema

MAX_VALUES = 6
MAX_ID = 64
"""Characters of a text that may be an id."""


class ParameterValues:
    """Proposes values for single parameters."""

    def __init__(self, graph: ToolGraph, contexts: Contexts, seen: SeenObjects) -> None:
        self._graph, self._contexts, self._seen = graph, contexts, seen

    def of(self, operation: Operation, parameter: Parameter, *, invent: bool = True) -> list[Json]:
        """Values for a parameter: stated, returned by an operation that feeds it, seen under its name, invented."""
        schema, location = parameter.schema, parameter.key
        found: list[Json] = [] if parameter.example in (None, MISSING) else [parameter.example]
        if parameter.style == "json":
            whole = (examples.example_body(schema, self._named_in(operation), full=full) for full in (False, True))
            return unique([*found, *whole])
        found += [*examples.documented_values(schema), *described_values(parameter.description)]
        found += self._near(operation, parameter.name) if parameter.location == "path" else ()
        found += self._returned_for(operation, location)
        found += self.by_name(operation, parameter.name)
        if parameter.location == "query" and operation.route.method in SAFE_METHODS:
            found += self._contexts.by_kind.known_ids(operation, parameter.name)[:3]
        found += examples.guess_values(_full_name(operation, parameter), schema) if invent else ()
        fitting = {repr(value): value for value in fitting_values(found, schema)}.values()
        # In a path, nothing and zero are most often the lack of a value.
        return sorted(fitting, key=lambda value: parameter.location == "path" and not value)[:MAX_VALUES]

    def _near(self, operation: Operation, name: str) -> list[Json]:
        """What is quoted beside the name of a path parameter, and what is near to the path by its name."""
        near = near_values(operation, name, self._graph.values)
        members = member_names(operation, name, self._graph.values)
        found = [value for pair in zip_longest(near, members) for value in pair if value is not None]
        return [*quoted_beside(operation, name), *found]

    def _returned_for(self, operation: Operation, location: str) -> list[Json]:
        """Values that were returned by the operations that feed a parameter, some of each in turn."""
        edges = self._graph.producers(operation.key, location)[:3]
        seen = [self._graph.values.samples(edge.source, edge.pointer)[:3] for edge in edges]
        return [value for values in zip_longest(*seen) for value in values if value is not None]

    def by_name(self, operation: Operation, name: str) -> list[Json]:
        """What answers suggest for a filter, a sort or a search: the operation's own first, then its tool's."""
        parts, seen, role = words(name), self._graph.values, role_of(name)
        own = {pointer.rpartition("/")[2]: pointer for pointer in reversed(seen.fields(operation.key))}
        if role in ORDERING:
            fields = [field for field in own if field and not field.isdigit()]
            return sorted(fields, key=lambda field: field not in NAMES)[:2]
        if role is Role.SEARCH:
            return [word for sample in self._samples(operation, own, NAMES) if (word := _longest(sample))]
        found = self._samples(operation, own, (name, "".join(parts), "_".join(parts)))
        found = found or self._samples(operation, own, (f"{name}_code", f"{name}_id", f"{name}Id", f"{name}Code"))
        return found or self._listed(operation, name)

    def _listed(self, operation: Operation, name: str) -> list[Json]:
        """What lists of plain values (`petIDs`) say of a name; of one called by a single word (`tags`) fields tell."""
        places = [place for called in _called_as(name) for place in self._graph.values.listed(operation.tool, called)]
        return self._values_at(places[:3])

    def _named_in(self, operation: Operation) -> examples.Lookup:
        """What responses suggest for the parts of a compound parameter, by their names."""
        return lambda pointer, part: fitting_values(self.by_name(operation, last(pointer)), part)

    def _samples(self, operation: Operation, own: dict[str, str], names: Sequence[str]) -> list[Json]:
        seen = self._graph.values
        places = [(operation.key, own[name]) for name in names if name in own]
        if not places:
            found = [place for name in names for place in seen.named(operation.tool, name)]
            # What is called an ID and no more, is most often that of what the nearest path shows.
            is_bare = names_no_kind(names[0])
            places = sorted(found, key=lambda place: -_in_common(place[0], operation) if is_bare else 0)[:3]
        return self._values_at(places)

    def _values_at(self, places: Iterable[tuple[OperationKey, str]]) -> list[Json]:
        """Two values that were returned at each of these places."""
        return [value for key, pointer in places for value in self._graph.values.samples(key, pointer)[:2]]

    def identifiers(self, operation: Operation) -> list[Json]:
        """Ids that the tool's paths take, two of each kind."""
        shapes = self._contexts.shapes(operation.tool)
        return [values[-1] for shape in shapes for values in self._contexts.tuples(operation.tool, shape)[:2]]

    def anything(self, operation: Operation, name: str, schema: Schema) -> list[Json]:
        """What a parameter may be of which nothing is known: names of members if it is called so, ids and short texts
        that were seen, and commonplaces."""
        rows = self._seen.objects(operation.tool)
        short = {name: value for _, row in rows for name, value in row.items() if _is_short(value)}
        ids = sorted(short, key=lambda name: (not is_id_name(name), not is_name_field(name)))
        seen = [*self.identifiers(operation)[:MAX_VALUES], *(short[name] for name in ids[:MAX_VALUES])]
        members = member_names(operation, name, self._graph.values)
        return fitting_values([*members, *unique(seen), *examples.COMMONPLACE], schema)


def _in_common(source: OperationKey, operation: Operation) -> int:
    """How many segments the paths of two operations have in common from the start."""
    return len(commonpath([source.path, operation.path]).split("/"))


def _full_name(operation: Operation, parameter: Parameter) -> str:
    """The name of a parameter; in a path, after what stands before it: `status codes` for `/status/{codes}`."""
    before = operation.path.partition(f"/{{{parameter.name}}}")[0].rpartition("/")[2]
    in_path = parameter.location == "path" and "{" not in before
    return f"{before} {parameter.name}" if in_path else parameter.name


def _called_as(name: str) -> list[str]:
    """What a list of its values may be called after, for a parameter of several words: `schema` for `schema_name`."""
    parts = words(name)
    kind = ["_".join(parts[:-1])] if parts[-1:] and (parts[-1] in NAMES or is_id_name(name)) else []
    return [name, *kind] if len(parts) > 1 else []


def _is_short(value: Json) -> bool:
    """Whether a value may be an id: a whole number, or a text without spaces."""
    return type(value) is int or (isinstance(value, str) and 0 < len(value) <= MAX_ID and not set(value) & {" ", "\n"})


def _longest(text: Json) -> str:
    """The longest word of a name: what a search for it would be given."""
    return max(str(text).split(), key=len, default="")


def guessed_by_name(name: str) -> list[Json]:
    """Values that the words of a name suggest, the last word first; then any text."""
    return [BY_WORD[word] for word in reversed(words(name)) if word in BY_WORD] + ["docrev", "a"]
