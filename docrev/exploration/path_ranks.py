"""How good known path arguments proved, and which paths take the same ones under other names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from docrev.calls.seen_things import is_unique_id
from docrev.conventions.ids import is_kind_of, names_no_kind
from docrev.conventions.run_names import is_made_up
from docrev.records import Json

GOOD, UNTRIED, EMPTY, DEAD = range(4)
"""What became of a tuple: something was answered, nothing is known, only an empty list, nothing is there."""


class PathRanks:
    """What became of tuples of path arguments, by (tool, shape)."""

    def __init__(self) -> None:
        self._ranks: dict[tuple[str, str], dict[tuple[str, ...], int]] = {}
        self._further: dict[tuple[str, str], set[tuple[str, ...]]] = {}

    def learn(self, place: tuple[str, str], values: tuple[Json, ...], *, is_further: bool) -> None:
        """Take in whether the thing of a tuple has another one that is likelier to be taken."""
        further, name = self._further.setdefault(place, set()), tuple(map(str, values))
        (further.add if is_further else further.discard)(name)

    def is_further(self, place: tuple[str, str], values: tuple[Json, ...]) -> bool:
        """Whether a tuple that nothing is known of is less likely than another one of its thing, even if that showed
        nothing: it was accepted."""
        name = tuple(map(str, values))
        return self.of(place, values) == UNTRIED and name in self._further.get(place, ())

    def note(self, place: tuple[str, str], values: tuple[Json, ...], rank: int) -> None:
        """Note how good a tuple proved: once something showed that it is good, it is."""
        ranks, name = self._ranks.setdefault(place, {}), tuple(map(str, values))
        ranks[name] = min(rank, ranks.get(name, rank), key=(GOOD, DEAD, EMPTY, UNTRIED).index)

    def of(self, place: tuple[str, str], values: tuple[Json, ...]) -> int:
        """How good a tuple proved."""
        return self._ranks.get(place, {}).get(tuple(map(str, values)), UNTRIED)


class Namesakes:
    """Shapes of paths that take two or more values and end in a parameter of the same name.

    What `/users/{name}/servers/{server_name}` takes is what `/shares/{owner}/{server_name}` takes.
    """

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], dict[tuple[str, ...], None]] = {}
        self._shapes: dict[tuple[str, tuple[str, ...]], dict[str, None]] = {}

    def learn(self, tool: str, shape: str, name: tuple[str, ...]) -> None:
        """Learn by which words an operation calls the last parameter of a shape."""
        if not names_no_kind("_".join(name)):
            self._names.setdefault((tool, shape), {})[name] = None
            self._shapes.setdefault((tool, name), {})[shape] = None

    def of(self, tool: str, shape: str) -> list[str]:
        """The namesakes of a shape that have no more parameters than it has."""
        found = {other: None for name in self._names.get((tool, shape), ()) for other in self._shapes[tool, name]}
        return [other for other in found if other != shape and 2 <= other.count("{}") <= shape.count("{}")]

    def addresses(
        self, tool: str, known: Iterable[tuple[str, tuple[str, ...]]]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The shapes that take all the IDs of a thing, by the (shape, values) that address it, if nothing else can have
        them."""
        for shape, values in known:
            if all(map(is_unique_id, values)):
                yield from ((other, values) for other in self.of(tool, shape) if other.count("{}") == len(values))


def takes_things(names: Iterable[tuple[str, ...]], things: Collection[str], id: str) -> bool:
    """Whether a parameter of these names takes what `things` of a kind are called: an ID, or a name of the run."""
    called = (name for name in names if any(is_kind_of("_".join(name), thing) for thing in things))
    return any(name[-1] != "name" or is_made_up(id) for name in called)
