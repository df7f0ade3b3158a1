"""Each agent prompt as messages, and the answers that models write to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docrev.models.asking import parse
from docrev.models.rendering import answer_schema, messages
from docrev.prompts import agents
from docrev.prompts.agents import AgentPrompt, NextAction, Past, ReadResponse, finish
from docrev.prompts.questions import Prompt
from docrev.runners import Toolbox
from docrev.spec import load

LIBRARY = Path(__file__).resolve().parents[1] / "library.yaml"
SHEETS = Toolbox(load(LIBRARY)).sheets
PAST = Past(thought="Look.", action="get_books", arguments={"limit": 2}, observation='{"items":[{"id":"OBSERVED"}]}')
FIELDS: dict[str, Any] = {
    "task": "Which books are there?",
    "history": (PAST,),
    "operations": SHEETS,
    "operation": SHEETS[0],
    "siblings": (PAST.model_copy(update={"action": "get_me", "arguments": {}}),),
    "advice": "Read one.",
    "purpose": "list them",
    "goal": "list the books",
    "goals": ("list the books",),
    "experiences": ("Known: an author.",),
    "output": "their ids",
    "arguments": {"limit": 2},
    "response": '{"items":[{"id":"OBSERVED"}]}',
}
KINDS = [kind for kind in vars(agents).values() if isinstance(kind, type) and issubclass(kind, AgentPrompt)]
PROMPTS = [kind for kind in KINDS if kind is not AgentPrompt and "[" not in kind.__name__]


def made(kind: type[Prompt[Any]]) -> Prompt[Any]:
    return kind(**{name: FIELDS[name] for name in kind.model_fields if name in FIELDS})


@pytest.mark.parametrize("kind", PROMPTS, ids=lambda kind: kind.__name__)
def test_every_prompt_has_its_template_and_tells_the_task(kind: type[Prompt[Any]]) -> None:
    system, user = messages(made(kind))
    assert (system["role"], user["role"]) == ("system", "user")
    assert "Which books are there?" in user["content"]
    assert "Which books are there?" not in system["content"]
    if kind is not agents.MakePlan:
        # What an API answered stands behind a fence, here and nowhere else.
        before, _, rest = user["content"].partition("<data-")
        assert "OBSERVED" not in before
        assert "OBSERVED" in rest or "history" not in kind.model_fields


def test_all_ten_prompts_are_tested() -> None:
    assert len(PROMPTS) == 10


@pytest.mark.parametrize("kind", PROMPTS, ids=lambda kind: kind.__name__)
def test_the_examples_in_a_template_are_answers(kind: type[Prompt[Any]]) -> None:
    prompt = made(kind)
    system = messages(prompt)[0]["content"]
    examples = [line[line.index("{") :] for line in system.splitlines() if line.startswith(("{", "Example: {"))]
    assert examples
    for example in examples:
        parse(example, prompt)
    assert answer_schema(prompt)["additionalProperties"] is False


def test_a_next_action_shows_documents_siblings_and_advice() -> None:
    content = messages(made(NextAction))[1]["content"]
    parts = ("parameter genre (string): Only books of this genre.", "Read one.", "- get_me {}")
    for part in parts:
        assert part in content
    assert "No function is left but Finish." in messages(NextAction(task="x", operations=()))[1]["content"]


def test_observations_are_shown_as_far_as_the_template_says() -> None:
    seen = ReadResponse(**{**FIELDS, "response": "x" * 15_000 + " END"})
    assert "x" * 15_000 + " END" in messages(seen)[1]["content"]
    for size, is_whole in ((4000, True), (9000, False)):
        past = PAST.model_copy(update={"observation": "x" * size + " END"})
        content = messages(NextAction(task="x", operations=SHEETS, history=(past,)))[1]["content"]
        assert ("x END" in content) == is_whole
        assert "x" * 4000 in content


def test_an_action_is_read_as_it_is_written() -> None:
    text = '{"thought": "t", "action": "Finish", "arguments": {"return_type": "give_answer", "final_answer": ["a"]}}'
    assert parse(text, made(NextAction)) == finish(["a"], "t")
