"""One prompt of each kind, with contexts out of a real exploration of the bundled services.

`prompts()` reads them from `tests/prompts/contexts.json`. `python tests/promptkit.py` writes the golden renderings
anew, and with `--explore` the contexts before.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from docrev.eval.tooleval.rating import rating_prompt
from docrev.evidence import Evidence
from docrev.models import answer_forms
from docrev.models.rendering import messages, template_name
from docrev.prompts import agents, baselines, documenting, exploring, judging, planning, questions, training
from docrev.prompts.agents import Past
from docrev.prompts.briefs import brief, contract
from docrev.prompts.questions import Prompt
from docrev.records import Call, Experience, Node, OperationKey, Scenario, Solution
from docrev.revision import toolbfs
from docrev.revision.toolbfs import solved_uses
from docrev.runners.sheets import function_names, sheets
from docrev.spec import Catalog, load
from docrev.train.data.compressing import seen_fields
from docrev.train.data.seed_examples import SEVERAL

SPECS = Path(__file__).resolve().parents[1] / "specs"
CONTEXTS = Path(__file__).parent / "prompts" / "contexts.json"
GOLDEN = Path(__file__).parent / "prompts" / "golden"
MAX_CALLS = 3
MODULES = (questions, baselines, documenting, exploring, judging, agents, planning, training)


def prompts() -> dict[str, Prompt[Any]]:
    """The prompts by the name of their class."""
    kept = json.loads(CONTEXTS.read_text(encoding="utf-8"))
    kinds = {kind.__name__: kind for kind in kinds_of_prompts()}
    return {name: answer_forms.read(kinds[name], data) for name, data in kept.items()}


def kinds_of_prompts() -> list[type[Prompt[Any]]]:
    """The classes that are asked, of all modules here."""
    found = [kind for module in MODULES for _, kind in inspect.getmembers(module, inspect.isclass)]
    asked = [kind for kind in found if issubclass(kind, Prompt) and not re.match(r"_|\w*Prompt\b", kind.__name__)]
    return sorted(set(asked), key=lambda kind: kind.__name__)


def rendered(prompt: Prompt[Any]) -> str:
    """The messages of a prompt as one text that can be read."""
    return "".join(f"──── {one['role']} ────\n{one['content']}\n\n" for one in messages(prompt))


def golden(prompt: Prompt[Any]) -> Path:
    return GOLDEN / f"{Path(template_name(prompt)).stem}.txt"


def explored(folder: Path, **options: Any) -> Path:
    """The evidence of an exploration of both bundled services."""
    from services import running

    from docrev import api

    with running() as urls:
        bases = [f"{name}={url}" for name, url in urls.items()]
        api.explore(SPECS, base_urls=bases, out=str(folder), allow=["POST,PUT,PATCH,DELETE"], **options)
    return folder


def built(catalog: Catalog, evidence: Evidence) -> list[Prompt[Any]]:
    """One prompt of each kind: those of a search around its first experience, and those of what revision asks."""
    scenarios = {scenario.text: scenario for scenario in evidence.scenarios()}
    experiences = [_plain(one) for one in evidence.experiences() if not one.location]
    first = next(one for one in experiences if _has_way(one, scenarios, evidence))
    scenario = scenarios[first.scenario]
    solution = next(one for one in evidence.solutions() if one.scenario == scenario.id)
    return [
        *_searching(catalog, evidence, scenario, solution, experiences),
        *_guiding(catalog, evidence, scenario, solution, experiences),
        *_revising(catalog, evidence),
        *_judging(catalog, scenario, solution),
        *_acting(catalog, scenario, solution, first),
        *_making_data(catalog, evidence),
    ]


def _has_way(one: Experience, scenarios: dict[str, Scenario], evidence: Evidence) -> bool:
    """Whether the choice is made after a call, on a way of several calls."""
    scenario = scenarios.get(one.scenario)
    solved = [found for found in evidence.solutions() if scenario is not None and found.scenario == scenario.id]
    return bool(solved) and len(solved[0].calls) > 1 and one.key != one.wrong


def _searching(
    catalog: Catalog, evidence: Evidence, scenario: Scenario, solution: Solution, experiences: list[Experience]
) -> Iterable[Prompt[Any]]:
    nodes = [_bare(node) for node in evidence.nodes() if node.scenario == scenario.id]
    way = tuple(_bare(node) for node in solution.nodes)
    tools = {key.tool for key in scenario.operations}
    briefs = tuple(brief(operation) for operation in catalog.operations if operation.tool in tools)
    learned = next(one for one in experiences if one.scenario == scenario.text and one.key != one.wrong)
    at = next(index for index, node in enumerate(way) if node.plan is not None and node.plan.key == learned.right)
    wrong = next(n for n in nodes if n.parent == way[at].parent and n.plan is not None and n.plan.key == learned.wrong)
    second = way[1]
    assert way[0].plan is not None
    assert second.plan is not None
    assert second.plan.key is not None
    assert way[0].call is not None
    assert wrong.plan is not None
    known = [call for key in scenario.operations for call in list(evidence.calls.select(key=key, ok=True))[:2]]
    yield questions.DesignScenario(
        first=scenario.operations[0],
        operations=briefs,
        calls=tuple(_bare_call(call) for call in known),
        avoid=frozenset(one.text for one in evidence.scenarios()[:3]),
    )
    yield questions.NextPlan(
        scenario=scenario,
        operations=briefs,
        history=way[:at],
        siblings=(wrong.plan,),
        experiences=tuple(experiences[:2]),
    )
    operation = next(one for one in briefs if one.key == second.plan.key)
    yield questions.ConstructCall(scenario=scenario, operation=operation, plan=second.plan, history=way[:1])
    refused = next(_bare_call(call) for call in evidence.calls.select(ok=False) if call.key.path.count("{") == 1)
    yield questions.SuggestCall(
        operation=contract(catalog[refused.key]),
        calls=(refused,),
        paths=tuple(
            {at: value for at, value in call.arguments.items() if at.startswith("path:")} for call in known[:2]
        ),
        values={at: (value,) for at, value in refused.arguments.items()},
        name="docrev-00000000-7",
    )
    yield questions.ParseResponse(scenario=scenario, plan=way[0].plan, call=way[0].call)
    yield questions.JudgeAnswer(scenario=scenario, operations=briefs, history=way, answer=solution.answer)
    yield questions.SummariseExperience(scenario=scenario, history=way[:at], right=way[at], wrong=wrong)
    others = tuple(one for one in experiences if one != learned)[:2]
    yield questions.SameExperience(new=learned, known=others)
    yield baselines.SimilarExperience(new=learned, known=others)


def _guiding(
    catalog: Catalog, evidence: Evidence, scenario: Scenario, solution: Solution, experiences: list[Experience]
) -> Iterable[Prompt[Any]]:
    """What a model is asked in docrev's own way: of one operation each, and on the solution's way."""
    key = OperationKey("atlas", "GET /countries/{code}/cities")
    told = [brief(catalog[one]) for one in (*scenario.operations, key)]
    calls = [_bare_call(call) for call in evidence.calls.select(key=key)]
    facts = tuple(fact for fact in evidence.facts(key=key) if fact.location.startswith("query:"))[:3]
    wanted = exploring.ModelCall(operation=key, arguments=calls[0].arguments)
    doubt = exploring.Doubt(
        operation=key, place="query:page", claim="From 0 or 1?", hypotheses=("from 0", "from 1"), calls=(wanted,)
    )
    tested = exploring.TestedDoubt(doubt=doubt, results=tuple(calls[:2]))
    yield exploring.FindDoubts(
        tool="atlas", operations=(contract(catalog[key]),), samples=tuple(calls[:1]), facts=facts, tested=(tested,)
    )
    yield exploring.DesignTasks(
        operations=tuple(told),
        calls=tuple(calls[:1]),
        cover=scenario.operations,
        doubts=(f"{key}: From 0 or 1?",),
        links=("GET /countries 200:/data/0/code -> atlas GET /countries/{code} path:code",),
        count=2,
        avoid=frozenset([scenario.text]),
    )
    way = tuple(_bare(node) for node in solution.nodes)
    plans = tuple(node.plan for node in way[1:2] if node.plan is not None)
    yield exploring.NextTurn(
        scenario=scenario,
        operations=tuple(told),
        history=way[:1],
        siblings=plans,
        wrong="It is another one.",
        experiences=tuple(experiences[:1]),
    )
    trace = exploring.Trace(scenario=scenario, history=way, answer=solution.answer)
    yield exploring.JudgeTraces(operations=tuple(told), traces=(trace,))
    place = documenting.PlaceShown(location="query:page", about="(integer)", text="Page.", added=("Defaults to `1`.",))
    yield documenting.DocumentOperation(
        operation=key,
        places=(documenting.PlaceShown(location="", text="Get cities."), place),
        calls=(documenting.LabelledCall(label="c1", call=calls[0]),),
        tried=(
            documenting.TriedValues(
                label="t1", location="query:page", lines=("left out -> 200, 20 items", "`0` -> 422 page: too small")
            ),
        ),
        sources=("path:code comes from `code` of GET /countries",),
        differences=("returned, not declared: 200:/meta/total",),
        misuses=("Use GET /cities/{id}. The right operation was GET /cities, because: it lists all.",),
        complaints=('query:page: "Any page." was refused: "Any" needs several values',),
    )
    documents = (documenting.DocumentedOperation(key=key, lines=("the operation: Get cities.", "query:page: Page.")),)
    yield documenting.ReviewDocuments(tool="atlas", operations=documents)


def _revising(catalog: Catalog, evidence: Evidence) -> Iterable[Prompt[Any]]:
    country = OperationKey("atlas", "GET /countries/{code}")
    airports = OperationKey("airfield", "GET /airports")
    yield rating_prompt(catalog[country])
    told = brief(catalog[airports])
    call = next(
        _bare_call(call)
        for call in list(evidence.calls.select(key=airports, ok=True))
        if "query:country" in call.arguments
    )
    yield baselines.ShortenDocumentation(operation=told, original=told.summary)
    yield baselines.RewriteAfterTrial(operation=told, current=told.summary, call=call)
    used = tuple(use.model_copy(update={"call": _bare_call(use.call)}) for use in solved_uses(evidence)[country])
    yield from toolbfs.questions(catalog[country], used[:MAX_CALLS])


def _judging(catalog: Catalog, scenario: Scenario, solution: Solution) -> Iterable[Prompt[Any]]:
    """What judges are asked of two agents: one went the solution's way, the other gave up after its first call."""
    history = _past(catalog, solution)
    briefs = tuple(brief(catalog[key]) for key in scenario.operations)
    yield judging.JudgeStatus(task=scenario.text, answer=solution.answer, history=history)
    yield judging.JudgeSolvable(task=scenario.text, operations=briefs)
    yield judging.CompareAnswers(
        task=scenario.text,
        first=judging.Candidate(answer=solution.answer, finish="answer", history=history),
        second=judging.Candidate(answer=None, finish="give-up", history=history[:1]),
    )


def _past(catalog: Catalog, solution: Solution) -> tuple[Past, ...]:
    """A solution as an agent's history."""
    names = function_names(catalog.operations)
    return tuple(
        Past(
            thought=node.plan.thought,
            action=names[node.call.key],
            arguments={at.partition(":")[2]: value for at, value in node.call.arguments.items()},
            observation=json.dumps(node.call.body, ensure_ascii=False)[:400],
        )
        for node in solution.nodes
        if node.call is not None and node.plan is not None
    )


def _acting(catalog: Catalog, scenario: Scenario, solution: Solution, learned: Experience) -> Iterable[Prompt[Any]]:
    """What runners ask on the solution's way, before its second call."""
    past, names = _past(catalog, solution), function_names(catalog.operations)
    told = {sheet.key: sheet for sheet in sheets(catalog.operations)}
    tools = {"operations": tuple(told[key] for key in scenario.operations)}
    done: dict[str, Any] = {"task": scenario.text, "history": past[:1]}
    taken = past[1].model_copy(update={"thought": "Look at it.", "action": names[learned.wrong]})
    second = {"operation": told[learned.right]}
    yield agents.NextAction(**done, **tools, siblings=(taken,), advice="Read it whole.", attempt=1)
    yield agents.MakePlan(task=scenario.text, **tools)
    yield planning.ExtractTags(task=scenario.text, **tools, categories={scenario.operations[0].tool: "Travel"})
    tagged = tuple(told[key].name for key in scenario.operations)
    tags = planning.Tags(tools=tuple(dict.fromkeys(key.tool for key in scenario.operations)), operations=tagged)
    yield planning.PlanPath(task=scenario.text, **tools, tags=tags)
    yield agents.FillArguments(**done, **second, purpose=past[1].thought)
    yield agents.NextSubGoal(**done, goals=(past[0].thought,))
    yield agents.SelectOperation(**done, **tools, goal=past[1].thought)
    yield agents.ConstructRequest(**done, **second, goal=past[1].thought)
    read = {**done, **second, "goal": past[1].thought, "arguments": past[1].arguments}
    yield agents.SelectValues(**read, output="The ICAO code.", response=past[1].observation)
    yield agents.ReadResponse(**read, response=past[1].observation)
    yield agents.FitExperience(**done, experiences=(_experience(learned),))
    yield agents.CritiqueAction(task=scenario.text, history=past, **tools)


def _experience(one: Experience) -> str:
    return f"Known: {one.known} Right: {one.right_plan} Wrong: {one.wrong_plan} (Task: {one.scenario})"


def _making_data(catalog: Catalog, evidence: Evidence) -> Iterable[Prompt[Any]]:
    """What is asked when data is made: of an airport, and of both services together."""
    airport, country = OperationKey("airfield", "GET /airports/{iata}"), OperationKey("atlas", "GET /countries/{code}")
    calls = {key: [_bare_call(call) for call in evidence.calls.select(key=key, ok=True)] for key in (airport, country)}
    told = brief(catalog[airport])
    yield training.CompressResponse(
        operation=told, fields=seen_fields(call.body for call in calls[airport]), calls=tuple(calls[airport][:1])
    )
    offers = tuple(
        training.Offer(
            operation=brief(catalog[key]), tool=key.tool.title(), category="Places", arguments=calls[key][0].arguments
        )
        for key in (airport, country)
    )
    yield training.WriteInstructions(kind="I2", offers=offers, seeds=SEVERAL[:3], turn=1, avoid=("Where is ABJ?",))
    yield training.GradeInstruction(said="I fly to Abidjan next week.", level="tool", tags=("Airfield", "Atlas"))


def _bare(node: Node) -> Node:
    return replace(node, call=_bare_call(node.call)) if node.call is not None else node


def _bare_call(call: Call) -> Call:
    """Without what differs from run to run, and what no template shows; of a list the first items."""
    return replace(call, url="", headers={}, body=_short(call.body))


def _short(body: Any) -> Any:
    if isinstance(body, list):
        return [_short(part) for part in body[:8]]
    return {name: _short(part) for name, part in body.items()} if isinstance(body, dict) else body


def _plain(one: Experience) -> Experience:
    return replace(one, calls=())


def main() -> None:
    """Write contexts (where asked for) and golden renderings."""
    if "--explore" in sys.argv or "--explore-missing" in sys.argv:
        catalog = load([SPECS])
        with tempfile.TemporaryDirectory() as name, Evidence.open(explored(Path(name)), write=False) as evidence:
            made = {type(prompt).__name__: answer_forms.written(prompt) for prompt in built(catalog, evidence)}
        if "--explore-missing" in sys.argv:
            made |= json.loads(CONTEXTS.read_text(encoding="utf-8"))
        CONTEXTS.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for prompt in prompts().values():
        golden(prompt).write_text(rendered(prompt), encoding="utf-8")


if __name__ == "__main__":
    main()
