"""Predictions as ToolEval stores them, and the votes that were given on them (ToolBench's and StableToolBench's files).

FOLDER/MODEL/SET.json        {id: {query, available_tools, answer: {method, total_steps, final_answer, answer_details}}}
pass_rate_results/MODEL/SET_MODEL.json            {id: {…, is_solved: {"0": "AnswerStatus.Solved", …}}}
preference_results/SET_REFERENCE_MODEL.json       {id: {REFERENCE: votes, MODEL: votes, …}}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from docrev.errors import InputError
from docrev.json_values.containers import mapping
from docrev.prompts.agents import FINISH, GIVE_ANSWER
from docrev.prompts.judging import Status
from docrev.prompts.questions import Brief
from docrev.records import Call, Finish, Json, Node, OperationKey, Plan, Task, Trajectory

from ..suites.reading import read_json

TOOL = "toolbench"
PASSES, PREFERENCES = "pass_rate_results", "preference_results"
_STATUS: dict[str, Status] = {"Solved": "solved", "Unsolved": "unsolved", "Unsure": "unsure"}


@dataclass(frozen=True)
class Prediction:
    """What a model did for one request, with the functions that it was given."""

    task: Task
    trajectory: Trajectory
    tools: tuple[Brief, ...]


@dataclass(frozen=True)
class Predictions:
    """The predictions of one model on one set of requests, by the requests' ids."""

    model: str
    name: str
    of_request: Mapping[str, Prediction]
    file: Path

    def statuses(self) -> dict[str, tuple[Status, ...]]:
        """The votes on whether requests were solved that lie beside the predictions, by request."""
        file = self._root / PASSES / self.model / f"{self.name}_{self.model}.json"
        if not file.is_file():
            return {}
        return {
            request: tuple(_STATUS[str(vote).rpartition(".")[2]] for _, vote in sorted(row["is_solved"].items()))
            for request, row in read_json(file).items()
        }

    def preferences(self, reference: Predictions) -> dict[str, tuple[int, int]]:
        """The votes for the reference and for this model that lie beside the predictions, by request."""
        file = self._root / PREFERENCES / f"{self.name}_{reference.model}_{self.model}.json"
        if not file.is_file():
            return {}
        rows = read_json(file).items()
        return {request: (int(row.get(reference.model, 0)), int(row.get(self.model, 0))) for request, row in rows}

    @property
    def _root(self) -> Path:
        return self.file.resolve().parent.parent.parent


def read_predictions(place: Path) -> list[Predictions]:
    """The sets of one model: a folder of `SET.json`, or one of these files. Raises InputError (file) for others."""
    files = sorted(place.glob("*.json")) if place.is_dir() else [place]
    sets = [_read(file) for file in files]
    if not sets:
        raise InputError("no predictions", where=str(place), fix="give model_predictions_converted/MODEL")
    return sets


def _read(file: Path) -> Predictions:
    data = read_json(file)
    try:
        rows = {str(request): _prediction(str(request), row) for request, row in data.items()}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        fix = "convert answers with ToolEval's convert_to_answer_format"
        raise InputError("not predictions in ToolEval's form", where=str(file), fix=fix) from error
    return Predictions(file.resolve().parent.name, file.stem, rows, file)


def _prediction(request: str, row: Mapping[str, Json]) -> Prediction:
    answer = row["answer"]
    nodes = tuple(_nodes(request, answer["answer_details"]))
    final = next((node.plan for node in reversed(nodes) if node.plan is not None and node.plan.key is None), None)
    answered = final.answer if final is not None else None
    end: Finish = "steps" if final is None else "give-up" if answered is None else "answer"
    trajectory = Trajectory(request, str(answer["method"]), nodes, tuple(node.id for node in nodes), answered, end)
    tools = tuple(_brief(tool) for tool in row.get("available_tools") or () if tool.get("name") != FINISH)
    return Prediction(Task(request, str(row["query"])), trajectory, tools)


def _brief(tool: Mapping[str, object]) -> Brief:
    return Brief(key=OperationKey(TOOL, str(tool["name"])), summary=str(tool.get("description") or ""))


def _nodes(request: str, details: object) -> Iterator[Node]:
    """The functions that were called, in order, and the end, if there is one."""
    thought = ""
    for at, (role, message) in enumerate(_messages(details)):
        if role == "assistant":
            thought = str(message)
        if role != "tool":
            continue
        arguments = _loaded(message["arguments"])
        name, id = str(message["name"]), f"{request}/{at}"
        if name == FINISH:
            gives = isinstance(arguments, dict) and arguments.get("return_type") == GIVE_ANSWER
            yield Node(
                id, None, request, "", at, Plan(thought, answer=arguments.get("final_answer") if gives else None)
            )
            return
        key = OperationKey(TOOL, name)
        sent = mapping(arguments)
        observation = str(message["response"])
        yield Node(id, None, request, "", at, Plan(thought, key, sent), _call(id, key, sent, observation), observation)
        thought = ""


def _messages(details: Json) -> Iterator[tuple[str, Json]]:
    for message in details:
        yield message["role"], message["message"]
        yield from _messages(message.get("next") or ())


def _call(id: str, key: OperationKey, arguments: dict[str, object], observation: str) -> Call:
    """The call as it is stored: `{"error": "", "response": …}`; what has an error failed."""
    body = _loaded(observation)
    failed = isinstance(body, dict) and bool(body.get("error"))
    answer = body.get("response") if isinstance(body, dict) and "response" in body else body
    return Call(id, key, arguments, "", 500 if failed else 200, {}, answer, "application/json", "scenario")


def _loaded(text: object) -> Json:
    """JSON where a text is some; the text otherwise."""
    if isinstance(text, str):
        with suppress(ValueError, RecursionError):
            return json.loads(text, strict=False)
    return text


def read_golden(folder: Path) -> dict[str, Trajectory]:
    """The final answers of ToolBench's answer files (`10_ChatGPT_DFS_woFilter_w2.json`), by the requests' ids.

    They are what ToolPlanner's win rate is over (§5.1). Raises InputError for a folder without one.
    """
    golden: dict[str, Trajectory] = {}
    for file in sorted(folder.rglob("*_*.json")):
        data = read_json(file)
        generation = data.get("answer_generation") if isinstance(data, dict) else None
        answer = _loaded(generation.get("final_answer")) if isinstance(generation, dict) else None
        if isinstance(answer, dict) and answer.get("final_answer"):
            request = file.name.partition("_")[0]
            end = Node(f"{request}/golden", None, request, "", 1, Plan("", answer=answer["final_answer"]))
            golden[request] = Trajectory(request, "golden", (end,), (end.id,), answer["final_answer"], "answer")
    if not golden:
        raise InputError("no answer files", where=str(folder), fix="give a folder of ToolBench's ID_METHOD.json")
    return golden
