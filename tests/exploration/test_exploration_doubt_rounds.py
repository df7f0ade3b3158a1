"""Doubts of a model: their calls are made, results go back with errors, and a verdict closes a doubt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from driving import called, drive
from revisekit import SPEC

from docrev.evidence import Evidence
from docrev.exploration.doubt_rounds import DoubtRounds
from docrev.models.answer_checks import check
from docrev.models.exploring_checks import MAX_DOUBTS
from docrev.prompts.briefs import brief
from docrev.prompts.exploring import Doubt, Doubts, FindDoubts, ModelCall, TestedDoubt
from docrev.prompts.questions import Prompt
from docrev.prompts.steps import Invoke
from docrev.records import Call, Fact, OperationKey
from docrev.spec import load

LIST, BOOKS, BROKEN = (OperationKey("library", f"GET /{name}") for name in ("authors", "books", "broken"))


class Doubter:
    """Answers with `rounds` of doubts, one after another."""

    def __init__(self, *rounds: tuple[Doubt, ...]) -> None:
        self.rounds = list(rounds)
        self.asked: list[FindDoubts] = []
        self.made: list[OperationKey] = []

    def answer(self, prompt: Prompt[Any]) -> Doubts:
        assert isinstance(prompt, FindDoubts)
        self.asked.append(prompt)
        return Doubts(doubts=self.rounds.pop(0) if self.rounds else ())

    def call(self, invoke: Invoke) -> Call:
        self.made.append(invoke.key)
        return called(invoke, {}, status=500 if invoke.key == BROKEN else 200)


def doubt(key: OperationKey, verdict: str = "", *calls: OperationKey) -> Doubt:
    made = tuple(ModelCall(operation=call) for call in calls)
    return Doubt(operation=key, place="query:limit", claim="Vague.", verdict=verdict, calls=made)


def rounds(tmp_path: Path, taken: list[Call]) -> DoubtRounds:
    (tmp_path / "library.yaml").write_text(SPEC)
    evidence = Evidence.open(tmp_path / "evidence", write=True)
    evidence.begin({})
    return DoubtRounds(load([tmp_path / "library.yaml"]), evidence, taken.append)


def test_results_go_back_with_errors_until_there_is_a_verdict(tmp_path: Path) -> None:
    taken: list[Call] = []
    doubter = Doubter((doubt(LIST, "", LIST, BROKEN), doubt(BOOKS, "", BOOKS)), (doubt(LIST, "It is."),))
    found = rounds(tmp_path, taken)
    drive(found.first(()), doubter.answer, doubter.call)
    first, second = doubter.asked
    assert first.tested == ()
    assert [[call.status for call in one.results] for one in second.tested] == [[200, 500], [200]]
    assert [call.key for call in taken] == [LIST, BROKEN, BOOKS]
    assert found.claims == [(LIST, "query:limit It is."), (BOOKS, "query:limit Vague.")]
    drive(found.last(()), doubter.answer, doubter.call)
    last = doubter.asked[-1]
    assert last.for_writing
    assert [one.doubt.operation for one in last.tested] == [BOOKS]


def test_nothing_is_asked_again_where_nothing_is_open(tmp_path: Path) -> None:
    doubter = Doubter((doubt(LIST, "Known."),))
    drive(rounds(tmp_path, []).first(()), doubter.answer, doubter.call)
    assert len(doubter.asked) == 1


def test_only_facts_that_settle_something_are_shown(tmp_path: Path) -> None:
    facts = [
        Fact(LIST, "default", "query:limit", 12, ("c",)),
        Fact(LIST, "type", "query:limit", "integer", ("c",)),
        Fact(LIST, "field", "200:/items", True, ("c",)),
        Fact(OperationKey("other", "GET /x"), "default", "query:limit", 1, ("c",)),
    ]
    doubter = Doubter()
    drive(rounds(tmp_path, []).first(facts), doubter.answer, doubter.call)
    assert [fact.value for fact in doubter.asked[0].facts] == [12]


def test_verdicts_take_no_room_from_new_doubts(tmp_path: Path) -> None:
    (tmp_path / "library.yaml").write_text(SPEC)
    operations = tuple(map(brief, load([tmp_path / "library.yaml"]).operations))
    places = [f"query:p{at}" for at in range(MAX_DOUBTS + 4)]
    old = [doubt(LIST, "So it is.").model_copy(update={"place": place}) for place in places]
    new = [doubt(BOOKS).model_copy(update={"place": place}) for place in places]
    tested = tuple(TestedDoubt(doubt=one) for one in old)
    prompt = FindDoubts(tool="library", operations=operations, tested=tested)
    kept = check(prompt, Doubts(doubts=(*new, *old))).doubts
    assert [one.place for one in kept if one.verdict] == places
    assert [one.place for one in kept if not one.verdict] == places[:MAX_DOUBTS]
