"""The documentation settings: the same operations, documented in the ways that are compared (ToolBFS+ §5.1, §5.2).

original         the specs as the suite publishes them
revised          explored and revised, as `docrev explore` and `docrev revise --edit contract` do it
no-experience    revised without what was learned from wrong choices ("w/o exp")
experience-only  the original documents with nothing but experience ("w/o doc"), as `revise --only experience` writes
                 it, or with that of =SPECS
single-tool      explored with scenarios of one operation each, and revised ("w/o multi-scenario")
toolbfs          explored and revised as ToolBFS+ does it, and no more
easytool, draft  revised by those methods instead
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from docrev.errors import UsageError
from docrev.events import Handler, ignore
from docrev.records import Json, OperationKey, Task
from docrev.retrieval import open_retriever
from docrev.runners import CompressionRule, Toolbox
from docrev.runners.compression import keep_what_matters
from docrev.runners.lessons import lessons
from docrev.runners.toolbox import Toolboxes, toolboxes
from docrev.sessions.exploration import explore
from docrev.sessions.revision import revise, write_revision
from docrev.settings.choices import ALL_METHODS, Method
from docrev.settings.groups import ExploreSettings, ReviseSettings
from docrev.settings.models import ModelSettings
from docrev.spec import Catalog, Operation, load
from docrev.storage.atomic import write_json

from ..suites.suite import Loaded
from .stages import Stage

SETTINGS = ("original", "revised", "no-experience", "experience-only", "single-tool", "toolbfs", "easytool", "draft")
Explored = Literal["explored", "explored-single-tool", "explored-toolbfs"]
_EXPLORED: dict[str, Explored] = {
    "single-tool": "explored-single-tool",
    "draft": "explored-single-tool",
    "toolbfs": "explored-toolbfs",
}
"""The exploration that documents are made of, if it is not the usual one."""
Experience = Literal["too", "without", "only"]
_EXPERIENCE: dict[str, Experience] = {"no-experience": "without", "experience-only": "only"}
"""Whether documents are written with experience, if not beside the rest."""
_METHODS: dict[str, Method] = {"draft": "draft", "toolbfs": "toolbfs"}
CALLS_PER_OPERATION = 50
"""Requests of the exploration, at most."""
MADE = "made-for.json"
"""Beside an exploration: what it was made for."""


Retrieve = Callable[[Task], tuple[OperationKey, ...]]


@dataclass
class Docs:
    """Documents that agents are given, by the name of their setting. What `permits` refuses stands in none."""

    name: str
    catalog: Catalog
    permits: Callable[[Operation], str | None]
    experiences: Catalog | None = None
    retrieve: Retrieve | None = None
    rule: CompressionRule = keep_what_matters

    def tools(self, task: Task) -> Toolbox:
        """The toolbox for a task; tasks with the same candidates share one. What is retrieved stands for them."""
        return self._toolbox(self.given(task))

    @cached_property
    def _toolbox(self) -> Toolboxes:
        experience = lessons(self.experiences) if self.experiences is not None else None
        return toolboxes(self.catalog, known=experience, rule=self.rule)

    def given(self, task: Task) -> tuple[OperationKey, ...]:
        """The operations that an agent is given for a task: what is retrieved, or its candidates, as far as they may be
        called; none is all.
        """
        chosen = self.retrieve(task) if self.retrieve is not None else task.operations
        if len(self._callable) == len(self.catalog.operations):
            return chosen
        return tuple(key for key in chosen or self._callable if key in self._callable) or chosen

    @cached_property
    def _callable(self) -> dict[OperationKey, None]:
        return dict.fromkeys(one.key for one in self.catalog.operations if self.permits(one) is None)

    def identity(self) -> dict[str, Json]:
        """What makes results those of the same documents."""
        other = self.experiences.digest if self.experiences is not None else ""
        return {"digest": self.catalog.digest, "experiences": other}

    def retrieved(self, count: int, model: str | None, cache: Path) -> Docs:
        """The same documents, of which an agent is given the `count` operations that a retriever finds for its task.

        By BM25, or, with the folder of an embedding `model`, by both; among all operations, whatever the candidates.
        Raises UsageError if the extra `retriever` is missing.
        """
        retriever = open_retriever(self.catalog, model=model, cache=cache)
        return replace(self, retrieve=lambda task: tuple(retriever.top(task.text, count)))


@dataclass(frozen=True)
class Preparation:
    """How settings are made from a suite: where its services are, where files go, and in whose words.

    What was made before is used again.
    """

    loaded: Loaded
    stage: Stage
    folder: Path
    models: ModelSettings
    seed: int = 0
    on_event: Handler = ignore


def named(text: str, loaded: Loaded) -> tuple[str, Path | None]:
    """`--docs NAME` or `--docs NAME=SPECS`. Raises UsageError for a name that is no setting and has no specs."""
    name, equals, path = text.partition("=")
    if not equals:
        if name not in SETTINGS:
            fix = f"one of {', '.join(SETTINGS)}, or NAME=SPECS"
            raise UsageError(f"no documentation setting {name}", where="--docs", fix=fix)
        return name, None
    if not Path(path).exists():
        raise UsageError("no such file or folder", where=f"--docs {text}", fix="write NAME=SPECS")
    return name, Path(path)


async def prepare(name: str, specs: Path | None, how: Preparation) -> Docs:
    """The documents of a setting, explored and revised if that is what it is; raises as those do."""
    originals = how.loaded.write(how.folder / "docs" / "original")
    original, permits = load(originals), how.stage.policy.permits
    if specs is not None:
        others = _same_tools(load([specs]), how.loaded, name)
        return (
            Docs(name, original, permits, experiences=others)
            if name == "experience-only"
            else Docs(name, others, permits)
        )
    if name == "original":
        return Docs(name, original, permits)
    if name == "easytool":
        return Docs(name, await _written(originals, None, how, "easytool"), permits)
    evidence = await _explored(originals, how, _EXPLORED.get(name, "explored"))
    method = _METHODS.get(name, "docrev")
    written = await _written(originals, evidence, how, method, _EXPERIENCE.get(name, "too"))
    return Docs(name, written, permits)


async def _explored(originals: Sequence[Path], how: Preparation, kind: Explored) -> Path:
    """The folder of the exploration; made once, though thrown-away services have other ports the next time."""
    folder = how.folder / "docs" / kind
    catalog = load(originals)
    settings = {
        "specs": catalog.digest,
        "stage": how.stage.name,
        "models": json.loads(json.dumps(how.models.of_models())),
        "seed": how.seed,
        "calls": CALLS_PER_OPERATION,
        "kind": kind,
    }
    if not _is_made(folder / MADE, settings):
        await _explore(originals, how, folder, len(catalog.operations))
        write_json(folder / MADE, settings)
    return folder


def _is_made(file: Path, settings: dict[str, object]) -> bool:
    try:
        return bool(json.loads(file.read_text("utf-8")) == settings)
    except (OSError, ValueError):
        return False


async def _explore(originals: Sequence[Path], how: Preparation, folder: Path, operations: int) -> None:
    served = how.loaded.serving
    thrown_away = served.service in ("bundled", "simulated")
    bases = how.stage.bases(folder.name)
    settings = ExploreSettings(
        **how.models.of_models(),
        base_urls=tuple(f"{tool}={url}" for tool, url in sorted(bases.items())),
        headers=how.stage.given,
        allow=ALL_METHODS if thrown_away else served.allow,
        out=str(folder),
        max_calls=CALLS_PER_OPERATION * operations,
        seed=how.seed,
        single_tool=folder.name == "explored-single-tool",
        method="toolbfs" if folder.name == "explored-toolbfs" else "docrev",
    )
    await explore(originals, settings, on_event=how.on_event)


async def _written(
    originals: Sequence[Path], evidence: Path | None, how: Preparation, method: Method, experience: Experience = "too"
) -> Catalog:
    part = evidence.name if evidence is not None else "documents"
    part += "" if experience == "too" else f"-{experience}-experience"
    folder = how.folder / "docs" / f"{method}-from-{part}"
    catalog = load(originals)
    settings = ReviseSettings(
        **how.models.of_models(),
        method=method,
        evidence=None if evidence is None else str(evidence),
        # An agent can send only what is declared.
        edit="contract",
        only=("experience",) if experience == "only" else (),
    )
    revision = await revise(catalog, settings, on_event=how.on_event, experience=experience != "without")
    write_revision(catalog, revision, originals, folder)
    return load([folder])


def _same_tools(catalog: Catalog, loaded: Loaded, name: str) -> Catalog:
    wanted = set(loaded.catalog().tools)
    if missing := sorted(wanted - set(catalog.tools)):
        fix = f"name the file {missing[0]}.yaml or {missing[0]}.json"
        raise UsageError(f"these documents have no tool {missing[0]}", where=f"--docs {name}", fix=fix)
    return catalog
