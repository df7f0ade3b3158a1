"""ToolLLaMA's records: written and read again, other versions, and what is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docrev.errors import InputError
from docrev.prompts.agents import Action, Argument, NextAction, Past, Sheet, finish, give_up
from docrev.prompts.conversation import action_text, observation_text, read_action, turns
from docrev.records import OperationKey
from docrev.train.data.conversations import conversation, read_conversations, write_conversations

SHEET = Sheet(
    name="findCity",
    key=OperationKey("atlas", "GET /cities"),
    description="Finds cities.",
    parameters=(
        Argument(name="q", location="query:q", required=True, example="Ghent"),
        Argument(name="page", location="query:page", type="integer", default=1, allowed=(1, 2)),
    ),
)
PAST = Past(thought="Look.", action="findCity", arguments={"q": 'A "b"\n{c}'}, observation='[{"id": 7}]')


def test_a_way_is_one_record_that_comes_back_whole(tmp_path: Path) -> None:
    record = conversation("Step 2: Which?", "Which?", [SHEET], [PAST], finish("7", "It is 7."))
    assert [turn.speaker for turn in record.turns] == ["system", "user", "assistant", "function", "assistant"]
    write_conversations(tmp_path / "a.json", [record])
    assert read_conversations(tmp_path / "a.json") == [record]
    (tmp_path / "a.jsonl").write_text(json.dumps({**record.to_json(), "split": "dev"}) + "\n\n")
    [line] = read_conversations(tmp_path / "a.jsonl")
    assert (line.turns, line.rest) == (record.turns, {"split": "dev"})


def test_the_prompt_of_an_agent_is_the_beginning_of_its_record() -> None:
    record = conversation("x", "Which?", [SHEET], [PAST], finish("7"))
    prompt = NextAction(task="Which?", operations=(SHEET,), history=(PAST,))
    assert turns(prompt) == record.turns[:-1]
    functions = json.loads(record.turns[0].text[record.turns[0].text.index("[") :])
    assert [one["name"] for one in functions] == ["findCity", "Finish"]
    assert functions[0]["parameters"]["required"] == ["q"]
    assert functions[0]["parameters"]["optional"] == ["page"]
    assert functions[0]["parameters"]["properties"]["page"]["example_value"] == 1
    tried = prompt.model_copy(update={"siblings": (PAST,)})
    assert turns(tried)[:-1] == turns(prompt)
    assert f"findCity {json.dumps(PAST.arguments)}\n{observation_text(PAST)}" in turns(tried)[-1].text


@pytest.mark.parametrize(
    "action",
    [finish(["a", 1], "Known: Action: is a word\nof two lines"), give_up("No."), Action(action="a_b", arguments={})],
)
def test_what_is_said_is_heard(action: Action) -> None:
    assert read_action(action_text(action)) == action


def test_older_files_call_the_speakers_human_and_gpt(tmp_path: Path) -> None:
    rows = [{"id": "1", "conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]}]
    (tmp_path / "old.json").write_text(json.dumps(rows))
    assert [turn.speaker for turn in read_conversations(tmp_path / "old.json")[0].turns] == ["user", "assistant"]


@pytest.mark.parametrize(
    "text", ["Action: x", "Thought: x", "Action: x\nAction Input: [1]", "Action:\nAction Input: {}"]
)
def test_what_says_no_action_is_not_heard(text: str) -> None:
    with pytest.raises(ValueError, match="Action"):
        read_action(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "no conversation"),
        ("[{]", "is not JSON"),
        ('[{"id": "1"}]', "a.json#/0: is no conversation"),
        ('{"id": "1", "conversations": [{"from": "tool", "value": ""}]}', "a.json:1: a turn has no speaker"),
    ],
)
def test_what_is_no_record_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match=said.replace("[", r"\[")) as caught:
        read_conversations(tmp_path / "a.json")
    assert "\n" not in str(caught.value)
