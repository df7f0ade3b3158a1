"""Annotated ways of a user's own documents as lessons of a small tool user."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")

from docrev.errors import InputError
from docrev.models.tooluser.encoding import prompt_symbols
from docrev.models.tooluser.model import ToolUser
from docrev.models.tooluser.slots import Vocabulary
from docrev.models.tooluser.vocabulary import HIT, NEXT, THOUGHTS
from docrev.prompts.agents import Action, Argument, NextAction, Past, Sheet, finish, give_up
from docrev.prompts.conversation import Utterance, rounds, system, turns, user
from docrev.records import OperationKey
from docrev.train.data.conversations import Conversation, conversation, write_conversations
from docrev.train.settings import ToolUserTraining
from docrev.train.toolllama.annotated import AnnotatedEpisodes, read_annotated, thought
from docrev.train.toolllama.composing import Composer, TrainingStage, stage
from docrev.train.toolllama.scratch import SIZES, train
from docrev.train.toolllama.train_command import train as command


def sheet(name: str, text: str, *parameters: Argument) -> Sheet:
    return Sheet(name=name, key=OperationKey("", f"GET /{name}"), description=text, parameters=parameters)


FIND = sheet(
    "findCity", "Finds cities by name.", Argument(name="q", location="", required=True, description="A part of it."),
    Argument(name="size", location="", allowed=("small", "large"), example="small"),
)  # fmt: skip
READ = sheet("readCity", "Reads a city.", Argument(name="id", location="", type="integer", required=True))
SHEETS = (FIND, READ)
TASK = 'How many people live in the city "Ghent"?'
FOUND = Past(thought="Look.", action="findCity", arguments={"q": "Ghent"}, observation='[{"id": 7, "name": "Ghent"}]')
WHOLE = Past(thought="Read.", action="readCity", arguments={"id": 7}, observation='{"id": 7, "people": 265086}')
LOST = Past(thought="Try.", action="readCity", arguments={"id": 9}, observation="HTTP 404: none", outcome="failed")


def written(folder: Path, *records: Conversation) -> Path:
    write_conversations(folder / "ways.json", records)
    return folder / "ways.json"


def ways(count: int) -> list[Conversation]:
    """The same way for as many cities, each twice."""
    found: list[Conversation] = []
    for number in range(count):
        name, people = f"Zan{'abcdefghij'[number % 10]}or{number}", 1000 + number
        first = FOUND.model_copy(
            update={"arguments": {"q": name}, "observation": json.dumps([{"id": number, "name": name}])}
        )
        then = {"arguments": {"id": number}, "observation": json.dumps({"id": number, "people": people})}
        history = (first, WHOLE.model_copy(update=then))
        task = TASK.replace("Ghent", name)
        found += [conversation(f"{number}", task, SHEETS, history, finish(people))] * 2
    return found


def test_a_conversation_is_read_back_as_what_was_asked_and_done() -> None:
    record = conversation("x", TASK, SHEETS, [LOST, FOUND, WHOLE], finish(265086, "Known."))
    told = list(rounds(record.turns))
    assert [one.action for one in told][-1] == finish(265086, "Known.")
    assert [one.prompt.history for one in told] == [(), (LOST,), (LOST, FOUND), (LOST, FOUND, WHOLE)]
    for one in told:
        assert turns(one.prompt) == record.turns[: len(turns(one.prompt))]
        assert one.prompt.operations == SHEETS


def test_functions_are_read_as_python_writes_them_too() -> None:
    listed = json.loads(system(SHEETS)[system(SHEETS).index("[{") :])
    told = [
        Utterance("system", f"You are AutoGPT.\nSpecifically, you have access to the following APIs: {listed!r}"),
        Utterance("user", user(TASK)),
        Utterance("assistant", '\nThought: \nAction: findCity\nAction Input: {"q": "Ghent"}'),
        Utterance("function", "plain text"),
        Utterance("assistant", "I do not know."),
    ]
    [one] = rounds(told)
    assert (one.prompt.operations, one.prompt.task) == (SHEETS, TASK)
    assert one.action == Action(action="findCity", arguments={"q": "Ghent"})


@pytest.mark.parametrize("text", ["", "The functions: none", "The functions: [{'name'", 'APIs: [{"name": "Finish"}]'])
def test_without_functions_there_is_nothing_to_learn(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match="lists no functions"):
        list(rounds([Utterance("system", text), Utterance("user", "Which?")]))
    file = written(tmp_path, Conversation("x", (Utterance("system", text), Utterance("user", "Which?"))))
    with pytest.raises(InputError, match=r"ways\.json#/0: lists no functions; give conversations that docrev"):
        read_annotated([file])


def test_what_is_learned_can_be_copied_from_what_is_shown(tmp_path: Path) -> None:
    ends = (
        finish(265086), finish("Nobody knows"), give_up(), finish(True), finish([7, "Ghent"]),
    )  # fmt: skip
    records = [conversation(f"{at}", TASK, SHEETS, [FOUND, WHOLE], end) for at, end in enumerate(ends)]
    records.append(conversation("unsaid", TASK, SHEETS, [LOST]))
    found = read_annotated([written(tmp_path, *records)])
    assert (found.unsaid, found.dropped) == (2, 1)
    last = {one.id: one.turns[-1] for one in (*found.learned, *found.held)}
    assert {name: learned for name, (_, learned) in last.items()} == {
        "0": True, "1": False, "2": True, "3": True, "4": True,
    }  # fmt: skip
    assert last["0"][0] == ["<answer>", "<action>", "<finish>", "·265086", "<end>"]
    # All of the same functions share their documents.
    assert len({id(one.good) for one in (*found.learned, *found.held)}) == 1


def test_an_episode_is_what_a_tool_user_is_asked(tmp_path: Path) -> None:
    found = read_annotated([written(tmp_path, conversation("x", TASK, SHEETS, [LOST, FOUND, WHOLE], finish(265086)))])
    [episode] = (*found.learned, *found.held)
    vocabulary = Vocabulary.create(512)
    composer = Composer(vocabulary, [episode])
    composer._draw.shuffle = lambda _: None  # type: ignore[method-assign, assignment]  # documents stay as they are called
    ids, labels = composer.example(composer.episodes[0], TrainingStage(6), 512)
    told = list(rounds(conversation("x", TASK, SHEETS, [LOST, FOUND, WHOLE], finish(265086)).turns))
    history = [
        past.model_copy(update={"thought": THOUGHTS[thought(one.prompt, one.action)]})
        for past, one in zip((LOST, FOUND, WHOLE), told, strict=False)
    ]
    prompt = NextAction(task=TASK, operations=(READ, FIND), history=tuple(history))
    wanted = prompt_symbols(prompt)
    known = vocabulary.known
    # Signs and function words stand at the same places, and what is the same word has the same slot.
    assert [known[one] if one < len(known) else "" for one in ids[: len(wanted)].tolist()] == [
        one if one in known else "" for one in wanted
    ]
    pairs = {(one, int(id)) for one, id in zip(wanted, ids.tolist(), strict=False)}
    assert len(pairs) == len({one for one, _ in pairs}) == len({id for _, id in pairs})
    assert wanted.count(HIT) > 2
    # The first call is of an id that nothing said, so it is not learned.
    at = wanted.index(NEXT) + 1
    assert set(labels[: at + 7].tolist()) == {-100}
    assert (labels >= 0).sum() > 12


def test_a_task_is_learned_or_measured_by_and_never_both(tmp_path: Path) -> None:
    found = read_annotated([written(tmp_path, *ways(60))])
    assert len(found.learned) + len(found.held) == 120
    assert 0 < len(found.held) < 20
    tasks = [{tuple(one.task) for one in part} for part in (found.learned, found.held)]
    assert not tasks[0] & tasks[1]


@pytest.mark.long
def test_own_ways_come_in_once_the_start_is_made(tmp_path: Path) -> None:
    assert [stage(share).own > 0 for share in (0.0, 0.2, 0.4, 0.5, 0.9)] == [False] * 3 + [True] * 2
    found = read_annotated([written(tmp_path, *ways(60))])
    log = train(SIZES["test"], tmp_path / "made", steps=48, own=found)
    first, last = log[0], log[-1]
    assert first.own_right is not None
    assert last.own_right is not None
    assert last.own_right >= first.own_right
    assert last.loss < first.loss
    plain = train(SIZES["test"], tmp_path / "plain", steps=8)
    assert plain[-1].own_right is None
    again = train(SIZES["test"], tmp_path / "empty", steps=8, own=AnnotatedEpisodes())
    assert again[-1].loss == plain[-1].loss


def test_the_command_takes_own_ways(tmp_path: Path) -> None:
    file = written(tmp_path, *ways(40))
    settings = ToolUserTraining(out=tmp_path / "made", from_scratch="test", steps=8)
    told: list[str] = []
    found, line = command((file,), settings, told.append)
    assert "annotated ways to learn from" in told[0]
    assert "own tasks held out" in told[-1]
    assert "own tasks" in line
    assert found["log"][-1]["own_right"] is not None
    prompt = next(rounds(ways(1)[0].turns)).prompt
    [action] = ToolUser(tmp_path / "made").actions([prompt])
    assert isinstance(action, Action)


def test_documents_that_are_not_needed_give_way_where_there_is_no_room(tmp_path: Path) -> None:
    wide = [sheet(f"wide{at}", " ".join(f"word{at}x{n}" for n in range(30))) for at in range(40)]
    record = conversation("x", TASK, [*wide, *SHEETS], [FOUND, WHOLE], finish(265086))
    found = read_annotated([written(tmp_path, record)])
    composer = Composer(Vocabulary.create(512), [], own=found.learned or found.held)
    whole, labels = composer.example(composer.own[0], TrainingStage(50), 10_000)
    assert len(whole) > 800
    cut, kept = composer.example(composer.own[0], TrainingStage(50), 256)
    assert 128 < len(cut) <= 256
    assert (kept >= 0).sum() == (labels >= 0).sum()
    short, none = composer.example(composer.own[0], TrainingStage(50), 20)
    assert (len(short), (none >= 0).sum()) == (20, 0)
    assert list(composer.batches(2, TrainingStage(50, own=1.0), 20)) == []
