"""What the runner asks is what the model was trained on: the three tasks, token by token."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")

from driving import called, drive
from tiny_model import CHAT_TEMPLATE, make

from docrev.models.asking import Asker
from docrev.models.backend import Completion, CompletionRequest, CompletionSettings
from docrev.models.system_messages import with_schema
from docrev.models.tooluser.conversation_model import OWN_TEMPLATE, ConversationModel, is_own, write_form
from docrev.prompts.agents import Action, NextAction, finish
from docrev.prompts.planning import ExtractTags, SolutionPath, Tags
from docrev.prompts.questions import Prompt
from docrev.prompts.steps import Invoke
from docrev.records import Call, Task
from docrev.runners import Toolbox, TrackLimits, runner
from docrev.spec import load
from docrev.train.toolllama.base_model import load_base
from docrev.train.toolllama.finetune import Masker
from docrev.train.toolplanner.encoding import Encoder
from docrev.train.toolplanner.pairs import RankedPair
from docrev.train.toolplanner.stages import conversations, preference

LIBRARY = Path(__file__).resolve().parents[1] / "library.yaml"
TASK = Task("t1", "Which books are there?")
READ = Action(thought="Look.", action="get_books", arguments={"limit": 2})


class Keeping:
    """A backend that keeps what it is asked and says one thing after another."""

    name, settings = "keeping", CompletionSettings()

    def __init__(self, *said: str) -> None:
        self.said, self.asked = list(said), list[list[dict[str, str]]]()

    async def complete(self, request: CompletionRequest) -> Completion:
        self.asked.append([dict(one) for one in with_schema(request.messages, request.schema)])
        return Completion(self.said.pop(0), 1, 1)

    async def close(self) -> None:
        pass


def answer(prompt: Prompt[Any]) -> Any:
    if isinstance(prompt, ExtractTags):
        return Tags(tools=(str(prompt.operations[0].key.tool),), operations=("get_books",))
    if isinstance(prompt, NextAction):
        return finish("Emma", "Read.") if prompt.history else READ
    return SolutionPath(operations=("get_books",))


def ok(invoke: Invoke) -> Call:
    return called(invoke, {"items": [{"id": 1, "title": "Emma"}]})


@pytest.mark.parametrize("template", [None, CHAT_TEMPLATE])
@pytest.mark.parametrize("name", ["toolplanner", "toolplanner-tags", "toolplanner-path", "toolplanner-tags-path"])
def test_the_runner_asks_what_stage_1_learned(name: str, template: str | None, tmp_path: Path) -> None:
    tools = Toolbox(load(LIBRARY))
    prompts: list[Prompt[Any]] = []

    def noted(prompt: Prompt[Any]) -> Any:
        prompts.append(prompt)
        return answer(prompt)

    found = drive(runner(name)(TASK, tools, TrackLimits()), noted, ok)
    tags, path = "-tags" not in name, "-path" not in name
    records = conversations(TASK, tools.sheets, found.steps, {}, tags=tags, path=path)
    tokenizer, _ = load_base(make(tmp_path, template=template))
    masker = Masker(tokenizer, 8192)
    wanted = []
    for record in records:
        text = ""
        for part, learned in masker.parts(record.turns):
            wanted += [(text, part)] if learned else []
            text += part
    own = template is None
    write_form(tmp_path, own=own)
    backend = Keeping(*(part.removesuffix("</s>").removesuffix("</s>\n") for _, part in wanted))
    model = ConversationModel(backend, Asker(backend), own=is_own(tmp_path))

    async def ask() -> list[Any]:
        return [await model.ask(prompt) for prompt in prompts]

    assert asyncio.run(ask()) == [answer(prompt) for prompt in prompts]
    tokenizer.chat_template = template or OWN_TEMPLATE
    shown = [tokenizer.apply_chat_template(one, tokenize=False, add_generation_prompt=True) for one in backend.asked]
    assert shown == [text for text, _ in wanted]
    assert len(shown) == 2 + tags + path


@pytest.mark.parametrize("template", [None, CHAT_TEMPLATE])
def test_stage_2_ranks_what_stage_1_would_be_asked(template: str | None, tmp_path: Path) -> None:
    tools = Toolbox(load(LIBRARY))
    found = drive(runner("toolplanner")(TASK, tools, TrackLimits()), answer, ok)
    first, last = found.steps
    pair = RankedPair(TASK.id, (first,), last, first, (1, -3))
    row = preference(TASK, tools.sheets, pair, found.steps, {})
    tree = conversations(TASK, tools.sheets, found.steps, {})[-1]
    assert row.chosen == tree.turns[-1].text
    assert row.rejected == tree.turns[2].text
    tokenizer, _ = load_base(make(tmp_path, template=template))
    parts = Masker(tokenizer, 8192).parts(tree.turns)
    *before, (chosen, _) = parts if template else parts[:-1]
    encoder = Encoder(tokenizer, 8192)
    [example] = encoder.preferences([row])
    assert tokenizer.decode(example.prompt) == "".join(text for text, _ in before)
    assert tokenizer.decode(example.chosen) == chosen.removesuffix("\n")
    assert encoder.is_toolllama == (template is None)


def test_a_part_that_is_left_out_is_in_no_row() -> None:
    tools = Toolbox(load(LIBRARY))
    found = drive(runner("toolplanner")(TASK, tools, TrackLimits()), answer, ok)
    first, last = found.steps
    pair = RankedPair(TASK.id, (first,), last, first, (1, -3))
    shown = {}
    for tags in (True, False):
        for path in (True, False):
            row = preference(TASK, tools.sheets, pair, found.steps, {}, tags=tags, path=path)
            text = row.prompt[0].text + row.prompt[1].text
            shown[tags, path] = ("get_me" in text, "The plan: get_books, Finish" in text, "Tools: library" in text)
    assert shown == {
        (True, True): (False, True, True),
        (True, False): (False, False, True),
        (False, True): (True, True, False),
        (False, False): (True, False, False),
    }
