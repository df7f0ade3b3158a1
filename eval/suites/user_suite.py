"""The user's own tasks, from a YAML file."""

from __future__ import annotations

from pathlib import Path

from docrev.errors import InputError
from docrev.records import Json
from docrev.spec import Document, load

from .suite import Kind, Loaded, Serving, checked
from .tasks import TaskFile


class UserSuite:
    """The tasks of a file; its format is described in `docrev.eval.suites.tasks`."""

    kind: Kind = "agents"
    source = "your own"

    def __init__(self, file: Path) -> None:
        self.name, self.title, self._file = file.stem, str(file), file

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """The tasks with their specs; `data` is where the specs are, if not beside the file."""
        document = Document.read(self._file)
        folder = data or self._file.parent
        head = TaskFile(document, ()).head()
        specs = self._specs(head.get("specs"), folder, document)
        tools = tuple(sorted(Path(name).stem for name in specs))
        urls = head.get("base_urls") or {}
        if not isinstance(urls, dict) or not set(urls) <= set(tools):
            TaskFile(document, tools).fail(
                "/base_urls", "is not a URL for each tool", f"write {{{tools[0]}: http://…}}"
            )
        serving = Serving(
            "live" if urls else "simulated",
            urls={tool: str(url) for tool, url in sorted(urls.items())},
            headers=self._texts(head, "headers", document),
            allow=self._texts(head, "allow", document),
        )
        return checked(Loaded(self.name, TaskFile(document, tools).tasks(), specs, serving))

    def _specs(self, value: object, folder: Path, document: Document) -> dict[str, str]:
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
            TaskFile(document, ()).fail(
                "/specs" if value is not None else "", "names no specs", "write specs: [api.yaml]"
            )
        catalog = load([folder / name for name in names])
        texts: dict[str, str] = {}
        for tool, name in catalog.files.items():
            path = Path(name)
            if path.name in texts or path.stem != tool:
                raise InputError("two specs have the same name", where=name, fix="give each its own")
            texts[path.name] = path.read_text("utf-8")
        return texts

    def _texts(self, head: dict[str, Json] | Json, name: str, document: Document) -> tuple[str, ...]:
        value = head.get(name) or []
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            TaskFile(document, ()).fail(f"/{name}", "is not a list of texts")
        return tuple(value)
