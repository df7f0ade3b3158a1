"""The toolbox: the documents that an agent is given, and what becomes of what it writes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from copy import copy
from functools import cached_property, lru_cache, partial
from typing import Any, TypeAlias

from docrev.models.rendering import functions
from docrev.prompts.agents import Sheet
from docrev.records import Call, Json, OperationKey
from docrev.spec import Catalog

from .binding import Invalid, bind
from .compression import OBSERVED, CompressionRule, compress, keep_what_matters, observe, tokens
from .lessons import Lessons, lessons
from .relevance import ResourceRanking
from .sheets import heads, sheets

Toolboxes: TypeAlias = "Callable[[tuple[OperationKey, ...]], Toolbox]"
"""The toolbox for each task's candidates; tasks with the same candidates share one."""


MOST_LEFT = 0.8
"""What folding leaves of a prompt's documents at most: who chooses what was folded is asked once more."""


class Toolbox:
    """The operations of a catalog as functions, with the documentation that stands in it now.

    `operations` chooses some of them (a task's candidates), () takes all. The experiences of an operation stand in its
    sheet unless they are of what follows its call: those of the catalog's `x-docrev`, or `known` in their place
    (original documents with the experience of others are the "w/o doc" of ToolBFS+ §5.2). `observed` bounds an
    observation, in tokens.
    Immutable: tasks with the same candidates may share one.
    """

    def __init__(
        self,
        catalog: Catalog,
        operations: Collection[OperationKey] = (),
        *,
        known: Lessons | None = None,
        observed: int = OBSERVED,
        rule: CompressionRule = keep_what_matters,
    ) -> None:
        wanted = set(operations)
        chosen = [one for one in catalog.operations if not wanted or one.key in wanted]
        self.catalog = catalog
        # A task may have a few candidates of a catalog of thousands.
        learned = lessons(catalog, chosen) if known is None else known
        self.sheets: tuple[Sheet, ...] = sheets(chosen, learned, heads(catalog, {one.tool for one in chosen}))
        self.by_name: Mapping[str, Sheet] = {sheet.name: sheet for sheet in self.sheets}
        self._after = {key: tuple(one.text for one in found if one.after) for key, found in learned.items()}
        self._observed, self._rule = observed, rule
        self._sizes: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {}

    def sheet(self, name: str) -> Sheet | None:
        """The sheet of this name; `METHOD /path` is understood if one tool alone has it."""
        exact = self.by_name.get(name)
        if exact is None:
            alike = [sheet for sheet in self.sheets if name in (str(sheet.key), sheet.key.operation)]
            exact = alike[0] if len(alike) == 1 else None
        return exact

    def narrowed(self, names: Collection[str]) -> Toolbox:
        """The same toolbox with these functions only, under the names that they have here."""
        return self._with(tuple(sheet for sheet in self.sheets if sheet.name in names))

    def taught(self, lessons: Lessons) -> Toolbox:
        """The same toolbox with more lessons; the sheets without any are the same objects."""
        chosen, plain = [self.catalog[sheet.key] for sheet in self.sheets], {sheet.key: sheet for sheet in self.sheets}
        taken = self._with(sheets(chosen, lessons, heads(self.catalog, {one.tool for one in chosen}), plain))
        taken._sizes = {}
        return taken

    def bind(self, sheet: Sheet, arguments: Mapping[str, object]) -> dict[str, Json] | Invalid:
        """See `binding.bind`."""
        return bind(sheet, arguments)

    def experiences(self, sheet: Sheet) -> tuple[str, ...]:
        """The experience set of an operation, from which an agent that called it chooses (ToolBFS+ §3.4)."""
        return self._after.get(sheet.key, ())

    def observe(self, sheet: Sheet, call: Call) -> str:
        """What the agent is shown of a call."""
        return observe(sheet, call, most=self._observed, rule=self._rule)

    def response(self, sheet: Sheet, call: Call, times: int = 4) -> str:
        """The response for a parser that keeps only an extract: it may be several times as long."""
        return compress(sheet, call.body, most=times * self._observed, rule=self._rule)

    def size(self, sheets: Collection[Sheet], folded: tuple[str, ...] = ()) -> int:
        """The tokens of some sheets as prompts show them, about; a line of the `folded`."""
        key = (tuple(sheet.name for sheet in sheets), folded)
        if key not in self._sizes:
            self._sizes[key] = tokens(functions(tuple(sheets), folded)) if sheets else 0
        return self._sizes[key]

    def folded(self, task: str, shown: Collection[str] = ()) -> tuple[str, ...]:
        """The functions of which a prompt for a task shows a line: what it hardly needs, but for those `shown`; none if
        that saves little."""
        likely = self._relevance.likely(task).union(shown)
        has_more = (sheet for sheet in self.sheets if sheet.parameters or sheet.fields)
        folded = tuple(sheet.name for sheet in has_more if sheet.name not in likely)
        is_worth_it = self.size(self.sheets, folded) <= MOST_LEFT * self.size(self.sheets)
        return folded if is_worth_it else ()

    @cached_property
    def _relevance(self) -> ResourceRanking:
        return ResourceRanking(self.sheets)

    def _with(self, sheets: tuple[Sheet, ...]) -> Toolbox:
        kept = copy(self)
        kept.__dict__.pop("_relevance", None)
        kept.sheets, kept.by_name = sheets, {sheet.name: sheet for sheet in sheets}
        return kept


def toolboxes(catalog: Catalog, **options: Any) -> Toolboxes:
    """The toolboxes of a catalog, made when they are asked for; `options` are those of `Toolbox`."""
    return lru_cache(64)(partial(Toolbox, catalog, **options))
