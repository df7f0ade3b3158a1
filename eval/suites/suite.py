"""What a suite is: tasks, the specs that they are about, and how these are served."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, Protocol

from docrev.errors import InputError
from docrev.records import OperationKey, Task
from docrev.spec import Catalog, Document

from .patches import Patch

Service = Literal["bundled", "simulated", "live", "none"]
Kind = Literal["agents", "answers", "recovery"]
"""What is measured: agents that do tasks; answers of models, in files; docrev's own recovery of hidden facts."""
Urls = Callable[[str], Mapping[str, str]]
"""The base URL of each tool for a task, by the task's id."""


@dataclass(frozen=True, slots=True)
class Serving:
    """How a suite's specs are served: the bundled services or simulated worlds, fresh for each task; base URLs; or not.

    `urls` are the base URLs of live tools; `headers` what every request carries; `allow` what the tasks need beyond
    GET, as `--allow` takes it.
    """

    service: Service
    urls: Mapping[str, str] = field(default_factory=dict)
    headers: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loaded:
    """A suite that was read. `specs` are the published documents, by file name; the file's stem names the tool.

    `categories` are the categories of tools, if the suite has them; `patches` what was mended in the data;
    `findings` what is wrong with it still, one line each.
    """

    suite: str
    tasks: tuple[Task, ...]
    specs: Mapping[str, str] = field(default_factory=dict, repr=False)
    serving: Serving = Serving("none")
    categories: Mapping[str, str] = field(default_factory=dict, repr=False)
    patches: tuple[Patch, ...] = ()
    findings: tuple[str, ...] = ()

    def catalog(self) -> Catalog:
        """The operations of the published specs. Raises InputError if there are none."""
        if not self.specs:
            raise InputError("the suite has no specs", where=self.suite, fix="name specs in it")
        return Catalog.of(Document.parse(text, name) for name, text in sorted(self.specs.items()))

    def served_at(self, urls: Mapping[str, str], headers: tuple[str, ...], allow: tuple[str, ...]) -> Loaded:
        """The same suite on an API that runs already; what the tasks need beyond GET must be allowed by the user."""
        return replace(self, serving=Serving("live", urls, (*self.serving.headers, *headers), allow))

    def with_findings(self, *findings: str) -> Loaded:
        """The same suite with more findings."""
        return replace(self, findings=(*self.findings, *findings))

    def write(self, folder: Path) -> list[Path]:
        """The published specs as files in `folder`, sorted by name."""
        folder.mkdir(parents=True, exist_ok=True)
        files = [folder / name for name in sorted(self.specs)]
        for file in files:
            file.write_text(self.specs[file.name], "utf-8")
        return files


class Suite(Protocol):
    """A benchmark. `source` says where its data is from, and under which licence."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def source(self) -> str: ...

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """The suite, from `data` if it is not part of docrev; `mended` applies the patches for known faults.

        Raises InputError (file:line) if the data is not what it should be, UsageError if it is missing.
        """
        ...


def checked(loaded: Loaded, gold: Mapping[OperationKey, object] | Catalog | None = None) -> Loaded:
    """The same suite with findings for tasks whose gold path is not in the specs; raises InputError for double ids."""
    seen: set[str] = set()
    for task in loaded.tasks:
        if task.id in seen:
            raise InputError(f"two tasks have the id {task.id!r}", where=loaded.suite, fix="give each its own")
        seen.add(task.id)
    documented = gold if gold is not None else loaded.catalog()
    missing = [
        f"{loaded.suite} {task.id}: the gold path names {key.operation!r}, which is not in {key.tool}"
        for task in loaded.tasks
        for key in dict.fromkeys(key for path in task.gold for key in path)
        if key not in documented
    ]
    return loaded.with_findings(*missing)


@contextmanager
def serving(loaded: Loaded, folder: Path, seed: int = 0) -> Iterator[Urls]:
    """Serve a suite for as long as the block lasts; yields the base URLs of a task's own, fresh services.

    `folder` is for the specs that worlds are made of. Raises UsageError without the extra `sandbox`.
    """
    service = loaded.serving.service
    if service in ("live", "none"):
        yield lambda room: loaded.serving.urls
        return
    from docrev.eval.rooms import serve_bundled_rooms, serve_simulated_rooms

    tools = {file.stem: file for file in loaded.write(folder)}
    context = serve_bundled_rooms(tuple(tools)) if service == "bundled" else serve_simulated_rooms(tools, seed)
    with context as base:
        yield lambda room: {tool: f"{base}/{room}/{tool}" for tool in tools}
