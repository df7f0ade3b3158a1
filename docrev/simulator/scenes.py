"""One request to a simulated service, and what its path and its arguments ask for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from docrev.language.words import words
from docrev.records import Json
from docrev.simulator.entities import Entity
from docrev.simulator.kinds import EntityKinds, path_noun
from docrev.spec import Operation

_RANKED = (
    (frozenset({"popular", "trending", "top"}), ("popularity", "vote_count", "followers")),
    (frozenset({"rated", "best"}), ("vote_average", "rating", "score")),
    (
        frozenset({"latest", "new", "newest", "recent", "upcoming"}),
        ("release_date", "first_air_date", "created_at", "date"),
    ),
)


@dataclass(eq=False)
class RequestScene:
    """One request: its operation, its arguments, the entities that its path addresses, what it shows (`target`)."""

    operation: Operation
    arguments: Mapping[str, Json]
    chain: list[Entity]
    url: str
    target: Entity | None = None
    state: Mapping[str, Json] = field(default_factory=dict)

    @property
    def noun(self) -> str:
        return path_noun(self.operation.path)

    @property
    def chooses_by_path(self) -> bool:
        """Whether a parameter of the path addresses no entity, so that it may choose what is shown."""
        return self.operation.path.count("{") > len(self.chain)

    def ranking(self, fields: Collection[str]) -> str | None:
        """The field that a list is in the order of, as the path names it: `popular`, `top_rated`, `latest`."""
        parts = set(words(self.operation.path.split("{")[0]))
        for known, wanted in reversed(_RANKED):
            name = next((one for one in wanted if one in fields), None)
            if parts & known and name is not None:
                return name
        return None

    def kinds_asked_for(self, kinds: EntityKinds) -> list[str | None]:
        """The kinds that arguments of the path, and those called `type` and the like, name."""
        steering = ("type", "media_type", "kind")
        in_path = [value for name, value in self.arguments.items() if name.startswith("path:")]
        by_name = [value for name, value in self.arguments.items() if name.rpartition(":")[2] in steering]
        return [kinds.named(words(str(value))) for value in (*in_path, *by_name)]
