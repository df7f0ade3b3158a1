"""What small tool users read and may say: symbols, slots, and a grammar that cannot say anything ill-formed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from docrev.errors import InputError
from docrev.models.tooluser.encoding import (
    observation_symbols,
    prompt_symbols,
    scalars,
    sheet_symbols,
    task_symbols,
    value_symbols,
    values,
)
from docrev.models.tooluser.grammar import Grammar
from docrev.models.tooluser.slots import FILE, Slots, Vocabulary
from docrev.models.tooluser.vocabulary import symbols
from docrev.prompts.agents import FINISH, GIVE_UP, Action, Argument, NextAction, Past, Sheet
from docrev.records import Json, OperationKey

FIND = Sheet(
    name="findBook",
    key=OperationKey("shelf", "GET /books"),
    description="Find a book by its title.",
    parameters=(
        Argument(name="title", location="query:title", required=True),
        Argument(name="genre", location="query:genre", allowed=("crime", "true crime")),
    ),
)
READ = Sheet(
    name="readBook",
    key=OperationKey("shelf", "GET /books/{book_id}"),
    parameters=(Argument(name="book_id", location="path:book_id", type="integer", required=True),),
)
FOUND = Past(thought="", action="findBook", arguments={"title": "Red Moon"}, observation='[{"id": 41, "pages": 41.0}]')
VOCABULARY = Vocabulary.create(64)


def prompt(**more: object) -> NextAction:
    return NextAction(**{"task": 'How long is the book "Red Moon"?', "operations": (FIND, READ), **more})  # type: ignore[arg-type]


def tried_before(name: str) -> Past:
    return Past(thought="", action=name, arguments={}, observation="")


def written(grammar: Grammar, choose: random.Random) -> list[int]:
    """Tokens chosen by lot among what is allowed, to the end."""
    found: list[int] = []
    while allowed := grammar.allowed(found):
        assert len(found) < 200, "no end"
        found.append(choose.choice(allowed))
    return found


def say(grammar: Grammar, slots: Slots, *told: str) -> Action:
    ids = slots.ids(told)
    for at, token in enumerate(ids):
        assert token in grammar.allowed(ids[:at]), told[at]
    return grammar.action(ids)


def test_words_that_are_not_known_are_signs_and_articles_are_left_out() -> None:
    assert symbols("Find the cities of a country") == ["find", "·city", "·country"]
    assert task_symbols("Find cityName 41.5") == ["<task>", "find", "·city", "name", "·41.5"]


def test_a_document_ends_with_its_name_and_holds_its_words() -> None:
    told = sheet_symbols(FIND)
    assert told[0] == "<fn>"
    assert told[-1] == "@findBook"
    assert told.index("·title") < told.index("@findBook.title") < told.index("@findBook.genre")
    assert told[told.index("@findBook.title") - 1] == "<required>"


def test_what_the_task_says_is_marked_in_documents_and_observations() -> None:
    told = prompt_symbols(prompt(history=(FOUND,)))
    start = told.index("<fn>")
    assert "<hit>" not in told[:start]
    assert told[start:][told[start:].index("·book") - 1] == "<hit>"
    assert told[told.index("·title") - 1] != "<hit>"


def test_a_cut_observation_is_read_as_far_as_it_is_whole() -> None:
    whole = json.dumps([{"id": 1, "name": "A b"}, {"id": 2, "name": "C"}])
    nothing = frozenset[str]()
    assert [value for _, value in scalars(whole, nothing)] == [1, "A b", 2, "C"]
    assert [value for _, value in scalars(whole[:-3], nothing)] == [1, "A b", 2]
    wrapped = json.dumps({"data": [{"id": 1, "name": "A b"}, {"id": 2, "name": "C"}], "next": 3})
    assert [value for _, value in scalars(wrapped[:-18], nothing)] == [1, "A b", 2]
    assert observation_symbols("not JSON at all", nothing) == ["not", "·json", "at", "all"]


def test_of_a_long_list_what_the_task_speaks_of_is_seen() -> None:
    rows = [{"id": number, "name": f"Moon{number}", "kind": "small"} for number in range(100, 130)]
    text = json.dumps({"items": rows, "total": 30})
    said = frozenset(["·moon", "·117", "·kind"])
    assert [value for _, value in scalars(text, said)] == [117, "Moon117", "small", 30]
    assert observation_symbols(text, said).count("·moon") == 1
    # Where the task speaks of none of them, or of most, all are there as far as there is room.
    for words in (frozenset[str](), frozenset(["·small"])):
        assert [value for _, value in scalars(text, words)][:4] == [100, "Moon100", "small", 101]
    few = json.dumps(rows[:3])
    assert len(scalars(few, frozenset(["·101"]))) == 9


def test_an_id_is_one_word() -> None:
    for text in ("74cpw9im3uep", "3fa85f64-5717-4562-b3fc-2c963f66afa6", "x9y8z7w6v5"):
        assert value_symbols(text) == [f"·{text}"]
    assert value_symbols("2026-10-01T10:00:00Z")[0] == "·2026-10-01"
    assert value_symbols("cityName2") == ["·city", "name", "·2"]


def test_whether_something_is_so_can_be_said_once_something_was_done() -> None:
    def told(*history: Past) -> list[Json]:
        return [value for _, value in values(prompt(history=history), None)]

    assert told() == []
    assert told(FOUND)[-2:] == [True, False]


def test_slots_are_the_same_within_a_prompt_and_drawn_anew_for_another() -> None:
    first, again, other = Slots(VOCABULARY, 1), Slots(VOCABULARY, 1), Slots(VOCABULARY, 2)
    told = ["find", "·moon", "·red", "·moon"]
    assert first.ids(told) == again.ids(told)
    assert first.ids(told)[1] == first.ids(told)[3] >= len(VOCABULARY.known)
    assert first.ids(told)[0] == other.ids(told)[0]
    assert first.ids(told)[1:3] != other.ids(told)[1:3]


def test_more_words_than_slots_share_them() -> None:
    few = Vocabulary.create(2)
    ids = Slots(few, 0).ids(["·a", "·b", "·c"])
    assert ids[2] == ids[0] != ids[1]
    assert max(ids) < few.size


def test_a_vocabulary_comes_back_and_another_version_is_refused(tmp_path: Path) -> None:
    VOCABULARY.write(tmp_path)
    assert Vocabulary.read(tmp_path) == VOCABULARY
    told = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps({**told, "version": 99}))
    with pytest.raises(InputError, match="another version"):
        Vocabulary.read(tmp_path)
    (tmp_path / FILE).write_text("{")
    with pytest.raises(InputError, match="no vocabulary"):
        Vocabulary.read(tmp_path)


def test_values_keep_their_own_spelling_and_type() -> None:
    slots = Slots(VOCABULARY, 0)
    asked = prompt()
    slots.ids(prompt_symbols(asked))
    grammar = Grammar(asked, slots)
    done = say(
        grammar, slots, "<search>", "<action>", "@findBook", "<arg>", "@findBook.title", "·red", "·moon",
        "<arg>", "@findBook.genre", "true", "·crime", "<end>",
    )  # fmt: skip
    assert (done.action, done.arguments) == ("findBook", {"title": "Red Moon", "genre": "true crime"})
    asked = prompt(history=(FOUND,))
    slots = Slots(VOCABULARY, 0)
    grammar = Grammar(asked, slots)
    done = say(grammar, slots, "<read>", "<action>", "@readBook", "<arg>", "@readBook.book_id", "·41", "<end>")
    assert done.arguments == {"book_id": 41}
    done = say(grammar, slots, "<answer>", "<action>", "<finish>", "·41.0", "<also>", "·41", "<end>")
    assert done.arguments == {"return_type": "give_answer", "final_answer": [41.0, 41]}


def test_a_function_whose_values_are_unknown_cannot_be_called_yet() -> None:
    assert Grammar(prompt(), Slots(VOCABULARY)).callable == ("findBook",)
    assert Grammar(prompt(history=(FOUND,)), Slots(VOCABULARY)).callable == ("findBook", "readBook")


def test_what_was_tried_here_is_not_tried_again() -> None:
    tried = prompt(history=(FOUND,), siblings=(tried_before("readBook"),))
    assert Grammar(tried, Slots(VOCABULARY)).callable == ("findBook",)
    both = prompt(siblings=(tried_before("findBook"), tried_before(FINISH)))
    for seed in range(20):
        grammar = Grammar(both, Slots(VOCABULARY))
        action = grammar.action(written(grammar, random.Random(seed)))
        assert action.action == FINISH


def test_whatever_is_chosen_is_an_action_that_the_documents_allow() -> None:
    sheets = {one.name: {field.name: field for field in one.parameters} for one in (FIND, READ)}
    for seed in range(300):
        history = (FOUND,) * (seed % 3)
        grammar = Grammar(prompt(history=history), Slots(VOCABULARY, seed))
        action = grammar.action(written(grammar, random.Random(seed)))
        if action.action == FINISH:
            assert set(action.arguments) <= {"return_type", "final_answer"}
            continue
        fields = sheets[action.action]
        assert set(action.arguments) <= set(fields)
        assert all(name in action.arguments for name, field in fields.items() if field.required)
        assert action.arguments.get("genre", "crime") in ("crime", "true crime")
        assert isinstance(action.arguments.get("book_id", 0), int)


def test_without_operations_there_is_still_an_end() -> None:
    asked = NextAction(task="?", operations=())
    grammar = Grammar(asked, Slots(VOCABULARY))
    assert grammar.action(written(grammar, random.Random(0))).arguments == {"return_type": GIVE_UP}
