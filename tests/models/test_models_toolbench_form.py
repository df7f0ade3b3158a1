"""ToolBench's own words, which weights released elsewhere were trained with."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from tiny_model import make

from docrev.errors import ModelError
from docrev.eval.agents.models import acting
from docrev.eval.settings import BenchSettings
from docrev.events import Event, ModelAsked
from docrev.prompts.agents import Argument, NextAction, Past, Sheet
from docrev.prompts.toolbench_form import toolbench_turns
from docrev.records import OperationKey
from docrev.train.data.conversations import conversation

ANSWERS = Path(__file__).resolve().parents[3] / "shared/data/toolbench/answer"
CITY = Sheet(
    name="findCity_for_atlas",
    key=OperationKey("atlas", "GET /cities"),
    description="Finds cities.",
    parameters=(Argument(name="q", location="query:q", required=True, example="Ghent"),),
    api="atlas: Cities of the world.",
)
PAST = Past(thought="Look.", action="findCity_for_atlas", arguments={"q": "Ghent"}, observation='[{"id": 7}]')
PROMPT = NextAction(task="Where is Ghent?", operations=(CITY,), history=(PAST,))


def test_the_turns_are_those_of_released_weights() -> None:
    """ToolLLM §3.1, and ToolBench's preprocessing: the functions stand in the system turn, as Python writes them."""
    system, user, assistant, function = toolbench_turns(PROMPT)
    assert system.text.startswith("You are AutoGPT, you can use many tools(functions)")
    assert (
        "1.atlas: Cities of the world.\n\nSpecifically, you have access to the following APIs: [{'name': "
        in system.text
    )
    assert 'This is the subfunction for tool "atlas", you can use this tool.' in system.text
    assert user.text == "\nWhere is Ghent?\nBegin!\n"
    assert assistant.text == '\nThought: Look.\nAction: findCity_for_atlas\nAction Input: {"q": "Ghent"}'
    assert json.loads(function.text) == {"error": "", "response": '[{"id": 7}]'}


@pytest.mark.shared
@pytest.mark.skipif(not ANSWERS.is_dir(), reason="../shared/data is not there")
def test_the_words_are_those_of_the_published_answers() -> None:
    file = sorted(ANSWERS.rglob("*.json"))[0]
    told = json.loads(file.read_text())["answer_generation"]
    published = told["train_messages"][0][0]["content"]
    before = published.partition("You have access of the following tools:\n")[0]
    step = "with a function call to actually excute your step."
    shown = toolbench_turns(PROMPT)[0].text
    assert (
        before.replace(step, f"{step} Your output should follow this format:\nThought:\nAction\nAction Input:\n")
        in shown
    )
    assert str(told["function"][-1]) in shown


def test_records_are_written_in_the_same_words() -> None:
    record = conversation("1", PROMPT.task, [CITY], [PAST], form="toolbench")
    assert record.turns == toolbench_turns(PROMPT)


def test_released_weights_without_a_word_about_themselves_are_asked_so(tmp_path: Path) -> None:
    make(tmp_path / "weights", template=None)
    settings = BenchSettings(model=f"local:{tmp_path / 'weights'}", form="toolbench", answer_tokens=16)

    events: list[Event] = []

    async def asked() -> None:
        async with acting(settings, tmp_path, 0, events.append) as model:
            with pytest.raises(ModelError):
                await model.ask(PROMPT)

    asyncio.run(asked())
    # What cannot be read is not sent back, as it would be to a model that answers in JSON.
    assert [(one.prompt, one.attempts) for one in events if isinstance(one, ModelAsked)] == [("NextAction", 1)]
