"""Solutions of scenarios as the workflows of an Arazzo 1.0.1 document: inputs, steps, outputs, success criteria.

A value that a scenario gives becomes an input, with what was given as its default. A value that an earlier step
returned becomes an output of that step, by a runtime expression. All others stay as they were sent.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count as count_from

from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.json_values.scalars import same_scalar
from docrev.language.characters import one_line, visible
from docrev.records import Call, Json, OperationKey, Scenario, Solution
from docrev.spec.catalog import Catalog
from docrev.spec.formats.arazzo.cleaning import Cleaning
from docrev.spec.formats.names import shortened, slug

VERSION = "1.0.1"
_BODY = "body:"
_MOST_LEAVES = 2000
_LONGEST_NAME = 40
_MASKED = "[redacted]"
_IN_LIST = re.compile(r"/\d+(?:/|$)")
_OF_REQUESTS = {"path", "query", "header", "cookie"}


def workflows(
    catalog: Catalog,
    sources: Mapping[str, str],
    scenarios: Iterable[Scenario],
    solutions: Iterable[Solution],
    cleaning: Cleaning | None = None,
) -> dict[str, Json]:
    """The Arazzo document of the solutions; `sources` are the URLs of the tools' specs. Workflows of the same steps are
    one. A solution is left out if its calls hold what was masked, or are of no operation of the catalog.

    With `cleaning`, the last steps of a workflow delete what it created; a solution is left out if that is not known
    to work.
    """
    texts = {scenario.id: scenario for scenario in scenarios}
    usable = ((texts[one.scenario], one) for one in solutions if one.scenario in texts and _is_usable(one, catalog))
    found = list(_distinct(catalog, usable, cleaning))
    used = [tool for tool in catalog.tools if any(_uses(workflow, tool) for workflow in found)]
    head = ", ".join(visible(tool) for tool in used)
    return {
        "arazzo": VERSION,
        "info": {"title": f"What can be done with {head}", "version": "1"},
        "sourceDescriptions": [{"name": source(tool), "url": sources[tool], "type": "openapi"} for tool in used],
        "workflows": found,
    }


def _distinct(
    catalog: Catalog, usable: Iterable[tuple[Scenario, Solution]], cleaning: Cleaning | None
) -> Iterator[dict[str, Json]]:
    """The workflows of solutions, each with an ID of its own; of those of the same steps the first."""
    steps, seen, ids = set[str](), set[str](), set[str]()
    for scenario, solution in usable:
        draft = _Workflow(catalog, scenario, solution, set(), cleaning).written()
        if draft is not None and (form := _form(draft)) not in seen:
            seen.add(form)
            workflow = _Workflow(catalog, scenario, solution, steps, cleaning).written() or draft
            name = _numbered(_id(scenario.text) or "workflow", ids)
            ids.add(name)
            yield {"workflowId": name, **workflow}


def source(tool: str) -> str:
    """The name of a tool's source description: letters, digits, underscores and hyphens."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", tool) or "api"


def _form(workflow: Mapping[str, Json]) -> str:
    """What a workflow does, whatever its inputs are by default."""
    inputs = sorted(workflow.get("inputs", {}).get("properties", {}))
    return canonical([workflow["steps"], workflow.get("outputs", {}), inputs])


def _numbered(name: str, taken: Container[str]) -> str:
    """`name`, or the first of `name_2`, `name_3`, … that is not taken."""
    counted = (f"{name}_{count}" for count in count_from(2))
    return name if name not in taken else next(free for free in counted if free not in taken)


def _uses(workflow: Mapping[str, Json], tool: str) -> bool:
    mark = f"$sourceDescriptions.{source(tool)}."
    return any(mark in step.get("operationId", step.get("operationPath", "")) for step in workflow["steps"])


def _is_usable(solution: Solution, catalog: Catalog) -> bool:
    calls = solution.calls
    whole = all(call.status is not None and call.key in catalog and not call.anonymous for call in calls)
    return bool(calls) and whole and _MASKED not in canonical([call.arguments for call in calls])


def _id(text: str) -> str:
    name = slug(visible(text))
    return shortened(name, "", 64).strip("_") if len(name) > 60 else name


@dataclass
class _Workflow:
    catalog: Catalog
    scenario: Scenario
    solution: Solution
    taken: set[str]
    """The ids of the steps of all workflows: some readers tell steps apart by them alone."""
    cleaning: Cleaning | None
    inputs: dict[str, Json] = field(default_factory=dict)
    steps: list[dict[str, Json]] = field(default_factory=list)

    def written(self) -> dict[str, Json] | None:
        """The workflow without its id; None if it would leave something behind."""
        calls = self.solution.calls
        for number, call in enumerate(calls):
            self.steps.append(self._step(call, calls[:number]))
        if not self._is_cleaned_up(calls):
            return None
        workflow: dict[str, Json] = {"summary": one_line(visible(self.scenario.text), 300)}
        if self.inputs:
            workflow["inputs"] = {"type": "object", "properties": self.inputs, "required": [*self.inputs]}
        workflow["steps"] = self.steps
        if (answer := self._answer(calls)) is not None:
            workflow["outputs"] = {"answer": answer}
        return workflow

    def _is_cleaned_up(self, calls: Sequence[Call]) -> bool:
        """Add steps that delete what the others created; False if something would stay."""
        deletions = self.cleaning.calls(calls, self.catalog) if self.cleaning is not None else []
        if deletions is None:
            return False
        for deletion, creation in deletions:
            step = self._step(deletion, calls)
            sent = [canonical(value) for _, value in _scalars(dict(creation.arguments))]
            values = [parameter["value"] for parameter in step.get("parameters", [])]
            # An ID that the service gave in this run would be of something else in the next.
            if not all(str(value).startswith("$") or canonical(value) in sent for value in values):
                return False
            self.steps.append(step)
        return True

    def _step(self, call: Call, before: Sequence[Call]) -> dict[str, Json]:
        step: dict[str, Json] = {"stepId": self._step_id(call.key), **self._operation(call.key)}
        parameters: list[Json] = []
        for location, value in call.arguments.items():
            place, _, name = location.partition(":")
            if place in _OF_REQUESTS and value is not None and location != "header:content-type":
                parameters.append({"name": name, "in": place, "value": self._value(value, location, before)})
        step |= {"parameters": parameters} if parameters else {}
        if _BODY in call.arguments:
            body = self.catalog[call.key].body
            kind = str(call.arguments.get("header:content-type") or (body.media_type if body else "application/json"))
            payload = self._payload(call.arguments[_BODY], _BODY, before)
            step["requestBody"] = {"contentType": kind, "payload": payload}
        return step | {"successCriteria": [{"condition": f"$statusCode == {call.status}"}]}

    def _step_id(self, key: OperationKey) -> str:
        operation = self.catalog[key]
        name = slug(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", operation.name))[:_LONGEST_NAME].strip("_") or "step"
        name = _numbered(name, self.taken)
        self.taken.add(name)
        return name

    def _operation(self, key: OperationKey) -> dict[str, Json]:
        operation = self.catalog[key]
        if operation.operation_id and re.fullmatch(r"[\w-]+", operation.operation_id):
            return {"operationId": f"$sourceDescriptions.{source(key.tool)}.{operation.operation_id}"}
        place = pointers.join("paths", operation.path, operation.method.lower())
        return {"operationPath": f"{{$sourceDescriptions.{source(key.tool)}.url}}#{place}"}

    # Values

    def _payload(self, value: object, location: str, before: Sequence[Call]) -> Json:
        if isinstance(value, dict):
            return {name: self._payload(part, f"{location}/{name}", before) for name, part in value.items()}
        if isinstance(value, list):
            return [self._payload(part, location, before) for part in value]
        return self._value(value, location, before)

    def _value(self, value: object, location: str, before: Sequence[Call]) -> Json:
        """A value as an expression: of an input, else of an earlier step; as it is if it is neither."""
        if value is None or isinstance(value, bool | dict | list) or value == "":
            return value
        if (given := self._input(value, location)) is not None:
            return f"$inputs.{given}"
        if not location.startswith("path:") and not _is_telling(value):
            return value
        if (shown := _latest_place(value, before)) is None:
            return value
        number, at = shown
        return f"$steps.{self.steps[number]['stepId']}.outputs.{self._output(number, at)}"

    def _input(self, value: Json, location: str) -> str | None:
        """The input that a value of the scenario is; it is added if it is new."""
        goal = self.scenario.goal
        fits = [given for given in goal.givens if same_scalar(given.value, value)] if goal is not None else []
        if not fits:
            return None
        best = next((given for given in fits if given.location == location), fits[0])
        plain = slug(best.label)[:_LONGEST_NAME] or "value"
        for name, schema in self.inputs.items():
            if re.sub(r"_?\d+$", "", name) == plain and schema["default"] == value:
                return name
        name = _numbered(plain, self.inputs)
        kinds: dict[type, str] = {int: "integer", float: "number"}
        self.inputs[name] = {"type": kinds.get(type(value), "string"), "default": value}
        return name

    def _output(self, number: int, at: str) -> str:
        """The output of a step for what its response has at a pointer; it is added if it is new."""
        outputs: dict[str, Json] = self.steps[number].setdefault("outputs", {})
        expression = f"$response.body#{at}" if at else "$response.body"
        for name, known in outputs.items():
            if known == expression:
                return name
        names = [part for part in at.split("/") if part and not part.isdecimal()]
        name = _numbered(slug(names[-1])[:_LONGEST_NAME] if names and slug(names[-1]) else "value", outputs)
        outputs[name] = expression
        return name

    def _answer(self, calls: Sequence[Call]) -> str | None:
        """The answer by an expression: a value of the last response that has it, or the list that it is of."""
        answer = self.solution.answer
        for number in range(len(calls) - 1, -1, -1):
            at = _place_of(answer, calls[number], echoes=True) if not isinstance(answer, list | dict) else None
            if at is None and isinstance(answer, list) and answer and (item := _place_of(answer[0], calls[number])):
                at = _IN_LIST.split(item)[0] if _IN_LIST.search(item) else None
            if at is not None:
                return f"$steps.{self.steps[number]['stepId']}.outputs.{self._output(number, at)}"
        return None


def _latest_place(value: object, before: Sequence[Call]) -> tuple[int, str] | None:
    """The latest step whose response has a value, and where; outside of lists if there is a choice."""
    places = ((number, _place_of(value, before[number])) for number in range(len(before) - 1, -1, -1))
    found = [(number, at) for number, at in places if at is not None]
    # Where a thing stands in a list changes with what else there is.
    return next((place for place in found if not _IN_LIST.search(place[1])), found[0] if found else None)


def _place_of(value: Json, call: Call, *, echoes: bool = False) -> str | None:
    """The first place of a response that has a value; None if it was sent with the call, unless `echoes` count."""
    if not echoes and any(same_scalar(value, sent) for _, sent in _scalars(dict(call.arguments))):
        return None
    return next((at for at, part in _scalars(call.body) if same_scalar(part, value)), None)


def _scalars(value: object) -> Iterator[tuple[str, Json]]:
    """(pointer, scalar) of a value, what lies higher first; the pointers have the places of items."""
    level: list[tuple[str, Json]] = [("", value)]
    left = _MOST_LEAVES
    while level and left > 0:
        below: list[tuple[str, Json]] = []
        for at, part in level:
            if isinstance(part, dict):
                below += [(f"{at}/{pointers.escape(name)}", inner) for name, inner in part.items()]
            elif isinstance(part, list):
                below += [(f"{at}/{number}", inner) for number, inner in enumerate(part[:200])]
            elif part is not None and not isinstance(part, bool):
                left -= 1
                yield at, part
        level = below


def _is_telling(value: object) -> bool:
    """Whether an equal value is hardly chance: not 7, which is also somebody's page."""
    text = str(value)
    return len(text) >= 2 and (not text.lstrip("-").isdecimal() or len(text) >= 3)
