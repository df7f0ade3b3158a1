"""ToolBench-Food (ToolBFS+ appendix C): requests on food that ToolBench's own DFSDT answered, and the tools they use.

Of the I2 requests (several tools of one category) those are taken whose APIs are all of the category Food, and whose
DFSDT answer gave an answer that is no refusal; the tools of what is taken are the catalog, given as a whole, as in
RestBench. The paper's own selection (54 requests, 41 tools) is not published: this is its rule, put to any data.
"""

from __future__ import annotations

import re
from pathlib import Path

from docrev.records import Json
from docrev.spec.formats.toolbench.api_names import api_names

from ..tooleval.labels import is_refusal
from .reading import folder_of, read_json
from .suite import Kind, Loaded
from .toolbench import Request, Requests, instruction_files, load_requests

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
    found: dict[tuple[str, str], Json] = {}
    for file in sorted(folder.rglob("*.json")):
        match = ANSWER.fullmatch(file.name)
        if match and file.parent.name[:2] in ("G1", "G2", "G3"):
            found.setdefault((file.parent.name[:2], match[1]), read_json(file))
    return found


def is_solved(answer: Json) -> bool:
    """Whether an answer file ends in an answer that is no refusal (the words are ToolPlanner's)."""
    entry = answer.get("answer_generation") if isinstance(answer, dict) else None
    if not isinstance(entry, dict) or not entry.get("valid_data"):
        return False
    final = str(entry.get("final_answer", ""))
    return "give_answer" in final and not is_refusal(final)
