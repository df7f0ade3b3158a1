"""The IDs that are known, by the kind of thing that a parameter or a member is called after."""

from __future__ import annotations

from collections.abc import Container, Mapping

from docrev.conventions.ids import names_no_kind, referred_to, refers_to
from docrev.exploration.path_ranks import PathRanks
from docrev.language.path_templates import shape_of
from docrev.language.words import singular_words, words
from docrev.records import Json
from docrev.spec import Operation

Tuples = dict[tuple[str, str], dict[tuple[Json, ...], None]]
"""Path arguments by the tool and the shape of the path, in the order in which they became known."""


class IdsByKind:
    """Looks through the path arguments that are `known`, and through those of what the run created, `owned`.

    `called` are the words of the names that operations have for the last parameter of a shape; `names` are the
    arguments that are names of things, and not their IDs; `ranks` know which of a thing's are the less likely ones.
    """

    def __init__(
        self,
        known: Tuples,
        owned: Tuples,
        called: Mapping[tuple[str, str], set[tuple[str, ...]]],
        names: Container[tuple[str, str, tuple[Json, ...]]],
        ranks: PathRanks,
    ) -> None:
        self._known, self._owned, self._called, self._names = known, owned, called, names
        self._ranks = ranks

    def own_ids(self, tool: str, name: str) -> list[Json]:
        """The ids of what the run created of the kind that a parameter or a member is called after, newest first.

        A member that is called as the parameter of a path is: `path` for `/files/{path}`, but not `id` or `name`.
        Names come after ids, but for a member that is called a name.
        """
        named = words(name)[-1:] == ("name",)
        places = [(tool, shape, values) for shape, values in self._of_kind(self._owned, tool, name)]
        ids = [place[2][-1] for place in sorted(places, key=lambda place: (place in self._names) != named)]
        return ids or ([] if names_no_kind(name) else self.own_of_kind(tool, name))

    def names_itself(self, creation: Operation, name: str) -> bool:
        """Whether a member of a creation's body is called as the path of what it makes calls that.

        `connection_id` of `POST /connections`, for `/connections/{connection_id}`. Where the run has things elsewhere
        that are called so, it is one of those: `label_id` of `POST /agents/{id}/labels`, if there are `/labels`.
        """
        made, called = (creation.tool, f"{shape_of(creation.route.path)}/{{}}"), words(name)
        if len(called) < 2 or called not in self._called.get(made, ()):
            return False
        return all(shape == made[1] for shape, _ in self._of_kind(self._owned, creation.tool, name))

    def known_ids(self, operation: Operation, name: str) -> list[Json]:
        """The ids that are known of the kind that a parameter or a member refers to, newest first; none of the kind
        that the operation makes, if it is a creation. What else a thing may be known by, as its title, comes last."""
        made = f"{shape_of(operation.route.path)}/{{}}" if operation.route.method == "POST" else ""
        found = [place for place in self._of_kind(self._known, operation.tool, name) if place[0] != made]
        found.sort(key=lambda place: self._ranks.is_further((operation.tool, place[0]), place[1]))
        return [values[-1] for _, values in found]

    def _of_kind(self, kept: Tuples, tool: str, name: str) -> list[tuple[str, tuple[Json, ...]]]:
        """The shapes and tuples of what a parameter or a member is called after."""
        called = words(name)
        return [
            (shape, values)
            for (owner, shape), tuples in kept.items()
            if owner == tool
            and not names_no_kind(name)
            and (
                refers_to(name, shape.rpartition("/")[0].rpartition("/")[2])
                or called in self._called.get((owner, shape), ())
            )
            for values in reversed(tuples)
        ]

    def own_of_kind(self, tool: str, name: str) -> list[Json]:
        """The ids of the run's own things of the kinds that end like a parameter: `/dataset_labels` for `label_id`."""
        kind = next(iter(referred_to(name)), ())
        return [
            values[-1]
            for (owner, shape), tuples in self._owned.items()
            if owner == tool
            and kind
            and singular_words(shape.rpartition("/")[0].rpartition("/")[2])[-len(kind) :] == kind
            for values in reversed(tuples)
            if (tool, shape, values) not in self._names
        ]
