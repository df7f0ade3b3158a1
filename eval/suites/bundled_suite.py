"""The suite of the bundled services: fixed tasks whose answers their records tell, on fresh services for each task."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from docrev.sandbox.atlas import KEY
from docrev.spec import Document

from .suite import Kind, Loaded, Serving, checked
from .tasks import TaskFile

SPECS = ("airfield.json", "atlas.yaml")
CATEGORIES = {"airfield": "Travel", "atlas": "Geography"}


class BundledSuite:
    """Tasks on Atlas and Airfield at three granularities; `data` is not needed."""

    name = "bundled"
    title = "Tasks on the bundled services, with answers that their records tell"
    kind: Kind = "agents"
    source = "docrev (Apache-2.0); records: see docrev/sandbox/README.md"

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """The tasks in the order of the file, with the specs as the services publish them."""
        text = files("docrev.eval.suites").joinpath("bundled/tasks.yaml").read_text("utf-8")
        specs = {name: files("docrev.specs").joinpath(name).read_text("utf-8") for name in SPECS}
        serving = Serving("bundled", headers=(f"X-Api-Key: {KEY}",), allow=("POST,PUT,PATCH,DELETE",))
        tasks = TaskFile(Document.parse(text, "bundled/tasks.yaml"), ("airfield", "atlas")).tasks()
        return checked(Loaded(self.name, tasks, specs, serving, CATEGORIES))
