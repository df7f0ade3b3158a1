"""The suites of the bundled services: fixed tasks whose answers are in their records, on fresh services for each task.

`bundled` is for developing what does tasks, `bundled-heldout` for measuring it: nothing was developed on that part.
In `bundled-hard` the published texts mislead, on a third service too; `bundled-hard-2` is for measuring that.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import ClassVar

from docrev.sandbox.atlas import KEY
from docrev.settings.choices import ALL_METHODS
from docrev.spec import Document

from .suite import Kind, Loaded, Serving, checked
from .tasks import TaskFile

SPECS = {
    "airfield": ("docrev.specs", "airfield.json"),
    "atlas": ("docrev.specs", "atlas.yaml"),
    "depot": ("docrev.sandbox.depot", "depot.yaml"),
}
"""The package and the file of each service's published spec."""
CATEGORIES = {"airfield": "Travel", "atlas": "Geography", "depot": "Business"}


@dataclass(frozen=True, slots=True)
class BundledSuite:
    """Tasks on bundled services out of a file in `bundled/`; `data` is not needed."""

    name: str = "bundled"
    title: str = "Tasks on the bundled services, with answers that their records tell"
    file: str = "tasks.yaml"
    services: tuple[str, ...] = ("airfield", "atlas")
    kind: ClassVar[Kind] = "agents"
    source: ClassVar[str] = "docrev (Apache-2.0); records: see docrev/sandbox/README.md"

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """The tasks in the order of the file, with the specs as the services publish them."""
        text = files("docrev.eval.suites").joinpath(f"bundled/{self.file}").read_text("utf-8")
        places = [SPECS[service] for service in self.services]
        specs = {name: files(package).joinpath(name).read_text("utf-8") for package, name in places}
        serving = Serving("bundled", headers=(f"X-Api-Key: {KEY}",), allow=ALL_METHODS)
        tasks = TaskFile(Document.parse(text, f"bundled/{self.file}"), self.services).tasks()
        categories = {service: CATEGORIES[service] for service in self.services}
        return checked(Loaded(self.name, tasks, specs, serving, categories))
