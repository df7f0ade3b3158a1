"""ToolBench (Qin et al. 2023, arXiv:2307.16789): requests on RapidAPI's tools with the APIs that are relevant.

Any data in its format: instruction files (`G1_query.json`, StableToolBench's `G1_category.json` …) are lists of
requests with their `api_list`, `relevant APIs` and `query_id`; the tools are made of all `api_list`s together, and
served as simulated worlds. The relevant APIs are the gold path, in the order in which they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from docrev.errors import InputError
from docrev.records import Json, OperationKey, Task
from docrev.settings.choices import ALL_METHODS
from docrev.spec import Catalog
from docrev.spec.formats import read
from docrev.spec.formats.toolbench.api_names import Apis, api_names, apis, relevant

from ..tooleval.labels import is_refusal
from .reading import folder_of, query_of, read_json
from .suite import Kind, Loaded, Serving, checked

Request = dict[str, Json]
Keep = Callable[["Requests", Request], bool]


@dataclass(frozen=True)
class Requests:
    """One instruction file; `group` is its stem (`G1_instruction`)."""

    file: Path
    group: str
    rows: tuple[Request, ...]

    def task_id(self, row: Request) -> str:
        """`G1_instruction-588`."""
        return f"{self.group}-{row['query_id']}"


class ToolBench:
    """The requests of all instruction files in a folder, each with the APIs that it offers."""

    name = "toolbench"
    title = "ToolBench-format requests (G1 to G3), also StableToolBench's, on simulated worlds"
    kind: Kind = "agents"
    source = "https://github.com/OpenBMB/ToolBench, https://github.com/THUNLP-MT/StableToolBench (Apache-2.0)"

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """All requests by file and in the files' order; the agent is given the APIs of a request's own list."""
        return load_requests(self.name, instruction_files(folder_of(data, self.name)))


def instruction_files(place: Path) -> list[Requests]:
    """The instruction files at a path: the file, or all below a folder, by name. InputError if there are none."""
    files = [place] if place.is_file() else sorted(place.rglob("G[123]*.json"))
    files_by_group: dict[str, Requests] = {}
    for file in files:
        tree = read_json(file)
        if not isinstance(tree, list) or not tree or not all(map(is_request, tree)):
            continue
        group = file.stem
        if group in files_by_group:
            raise InputError(f"a second file is called {file.name}", where=str(file), fix="give one folder of requests")
        files_by_group[group] = Requests(file, group, tuple(tree))
    if not files_by_group:
        fix = "give a folder of instruction files (G1_query.json …), or one of them"
        raise InputError("no requests in ToolBench's format", where=str(place), fix=fix)
    return list(files_by_group.values())


def is_request(row: object) -> bool:
    """Whether an entry is one of an instruction file: a query with its id."""
    return isinstance(row, dict) and "query" in row and "query_id" in row


def load_requests(
    suite: str, files: Sequence[Requests], keep: Keep = lambda file, row: True, *, whole: bool = False
) -> Loaded:
    """The suite of the requests that `keep` takes; with `whole` each is given the tools of all that are taken.

    A request without an `api_list` is on the whole catalog too. What is missing in the data is a finding.
    """
    taken = [(file, row) for file in files for row in file.rows if keep(file, row)]
    if not taken:
        raise InputError("no request is taken", where=suite, fix="give data that has some")
    imported = read("toolbench", sorted({file.file for file, _ in taken}))
    catalog = imported.catalog()
    names = apis(catalog)
    tasks = [_task(file, row, names, whole=whole) for file, row in taken]
    specs = imported.texts()
    if whole:
        used = _tools(tasks, names)
        specs = {name: text for name, text in specs.items() if Path(name).stem in used}
    loaded = Loaded(
        suite,
        tuple(tasks),
        specs,
        Serving("simulated", allow=ALL_METHODS),
        categories={tool: category(catalog, tool) for tool in catalog.tools if f"{tool}.yaml" in specs},
        findings=tuple(imported.warnings),
    )
    return checked(loaded, catalog)


def _task(file: Requests, row: Request, names: Apis, *, whole: bool) -> Task:
    offered = _keys(api_names(row), names)
    gold = tuple(_keys(relevant(row), names))
    return Task(
        id=file.task_id(row),
        text=query_of(row, f"{file.file} query {row['query_id']}"),
        operations=() if whole else tuple(dict.fromkeys(offered)),
        gold=(gold,) if gold else (),
        group=file.group,
    )


def _keys(triples: Iterable[tuple[str, str, str]], names: Apis) -> list[OperationKey]:
    """The operations of some APIs; one that no list has keeps its own name, so that it is found missing."""
    return [names.operation_key(*name) or OperationKey(name[1], name[2]) for name in triples]


def _tools(tasks: Iterable[Task], names: Apis) -> set[str]:
    listed = set(names.names.values())
    return {key.tool for task in tasks for path in task.gold for key in path if key in listed}


def category(catalog: Catalog, tool: str) -> str:
    """The category in a tool's imported document."""
    return str(catalog.documents[catalog.files[tool]].get("/x-category", ""))


ANSWER = re.compile(r"(\d+)_.*DFS.*\.json")


class ToolBenchFood:
    """The requests on one category that DFSDT solved."""

    name = "toolbench-food"
    title = "ToolBench-Food: I2 requests on food that DFSDT answered, one set of tools"
    kind: Kind = "agents"
    source = "built from ToolBench-format data as in ToolBFS+, appendix C"

    def __init__(self, category: str = "Food") -> None:
        self._category = category

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """The requests that are taken; without any DFSDT answers in the data all of the category, with a finding."""
        place = folder_of(data, self.name)
        answers = dfsdt_answers(place)

        def keep(file: Requests, row: Request) -> bool:
            return self._is_of_category(file, row) and (
                not answers or is_solved(answers.get((file.group[:2], str(row["query_id"])), {}))
            )

        loaded = load_requests(self.name, instruction_files(place), keep, whole=True)
        if answers:
            return loaded
        finding = f"{place}: no DFSDT answers (G2_answer/ID_…DFS….json): the requests are not filtered by them"
        return loaded.with_findings(finding)

    def _is_of_category(self, file: Requests, row: Request) -> bool:
        names = api_names(row)
        return file.group.startswith("G2") and bool(names) and all(name.category == self._category for name in names)


def dfsdt_answers(place: Path) -> dict[tuple[str, str], Json]:
    """DFSDT answer files below a folder, by the group of their folder ("G2") and the request's id."""
    folder = place if place.is_dir() else place.parent
    answers: dict[tuple[str, str], Json] = {}
    for file in sorted(folder.rglob("*.json")):
        match = ANSWER.fullmatch(file.name)
        if match and file.parent.name[:2] in ("G1", "G2", "G3"):
            answers.setdefault((file.parent.name[:2], match[1]), read_json(file))
    return answers


def is_solved(answer: object) -> bool:
    """Whether an answer file ends in an answer that is no refusal (the words are ToolPlanner's)."""
    entry = answer.get("answer_generation") if isinstance(answer, dict) else None
    if not isinstance(entry, dict) or not entry.get("valid_data"):
        return False
    final = str(entry.get("final_answer", ""))
    return "give_answer" in final and not is_refusal(final)
