"""The designer: another scenario each time, around the operation that is asked for, and a reason if there is none."""

from __future__ import annotations

from plannerkit import AUTHOR, AUTHORS, BOOKS, EVIDENCE, STATUS, WORKS, knowledge_of, respond

from docrev.planner.scenario_designer import ScenarioDesigner
from docrev.prompts.questions import DesignScenario, ScenarioDraft
from docrev.records import OperationKey


def design(designer: ScenarioDesigner, key: OperationKey, *avoid: str, single: bool = False) -> ScenarioDraft:
    return designer.design(
        DesignScenario(first=key, operations=(), calls=(), single_tool=single, avoid=frozenset(avoid))
    )


def test_a_scenario_of_two_operations_comes_first() -> None:
    draft = design(ScenarioDesigner(knowledge_of(), seed=0), AUTHORS)
    assert draft.text == 'I need to know the birth year of the author "Ada Lark".'
    assert draft.operations == (AUTHORS, AUTHOR)


def test_no_text_is_designed_twice() -> None:
    designer = ScenarioDesigner(knowledge_of(), seed=0)
    texts: list[str] = []
    while (draft := design(designer, WORKS, *texts)).text:
        assert draft.operations[0] == WORKS
        texts.append(draft.text)
    assert len(set(texts)) == len(texts) >= 4


def test_single_tool_scenarios_have_one_operation() -> None:
    draft = design(ScenarioDesigner(knowledge_of(), seed=0), BOOKS, single=True)
    assert draft.operations == (BOOKS,)


def test_the_reason_says_why_there_is_no_scenario() -> None:
    designer = ScenarioDesigner(knowledge_of([*EVIDENCE, respond(STATUS)]), seed=0)
    assert design(ScenarioDesigner(knowledge_of([]), 0), AUTHORS).reason == "no call returned 2xx"
    first = design(designer, STATUS)
    assert first.text == "What healthy does the status of Library tell?"
    again = design(designer, STATUS, first.text)
    assert again.text == ""
    assert again.reason == "no value that a text can name leads to its responses, or all of them were asked for"
    assert design(designer, STATUS).reason == again.reason


def test_seeds_start_with_other_items() -> None:
    texts = {design(ScenarioDesigner(knowledge_of(), seed), AUTHORS).text for seed in range(3)}
    assert len(texts) == 3
