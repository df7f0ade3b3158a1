"""What lists show at the end of a run, each read once, on as large a page as the API gives."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from docrev.calls.executor import Executor
from docrev.calls.listings import Listed, first_page, read_list
from docrev.calls.path_texts import item_path
from docrev.driver.spread_names import names_within
from docrev.driver.trash import asking_for_deleted
from docrev.prompts.steps import Repeat, Steps
from docrev.records import Arguments, Call
from docrev.spec.route_places import called

Place = tuple[str, str]
"""A tool, and the path of a list in it."""


class FinalLists:
    """`shown` are the lists that were read, None for what cannot be listed; `within` the names of the run in what these
    return, outside of the things that have IDs.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.shown: dict[Place, Listed | None] = {}
        self.within: dict[Place, list[str]] = {}
        self._with_deleted: dict[Place, Listed | None] = {}

    def at(self, place: Place) -> Steps[Listed | None]:
        """What the list at a path shows; None if it cannot be listed."""
        if place not in self.shown:
            self.shown[place] = yield from self._listed(place)
        return self.shown[place]

    def with_deleted(self, place: Place) -> Steps[Listed | None]:
        """What a list shows that is asked for what was deleted, too; None if nothing says that it can be."""
        if place not in self._with_deleted:
            look = self._executor.journal.collections.listing(*place)
            asked = asking_for_deleted(self._executor.catalog[look.key]) if look is not None else {}
            self._with_deleted[place] = (yield from self._listed(place, asked)) if asked else None
        return self._with_deleted[place]

    def forget(self, place: Place) -> None:
        """Read a list again when it is asked for next: something was removed from it."""
        self.shown.pop(place, None)
        self._with_deleted.pop(place, None)

    def _listed(self, place: Place, asked: Arguments = MappingProxyType({})) -> Steps[Listed | None]:
        """What a list shows, with what else it is `asked` for."""
        tool, collection = place
        look = self._executor.journal.collections.listing(tool, collection)
        if look is None:
            return None
        operation, routes = self._executor.catalog[look.key], self._executor.journal.routes
        address = routes.address(tool, item_path(collection, "1"))
        parameter = called(routes.path(address[0].key).names[-1]) if address is not None else ""
        for step in first_page(operation, look):
            arguments = {**step.arguments, **asked}
            call: Call = yield replace(step, arguments=arguments, purpose="clean-up", repeat=Repeat.CHECK)
            listed = read_list(operation, collection, call, parameter)
            if not asked:
                self.within[place] = names_within(call, listed)
            if listed is not None:
                return listed
        return None
