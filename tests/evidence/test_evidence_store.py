"""Runs, records and listings of the evidence store, on real files."""

from __future__ import annotations

from pathlib import Path

import pytest

from docrev.errors import InputError
from docrev.evidence import Evidence
from docrev.evidence.queries import (
    arguments,
    consented_changes,
    left_items,
    reached,
    statuses,
    totals,
)
from docrev.records import (
    Call,
    ConsentedChange,
    Experience,
    Fact,
    Given,
    Goal,
    JournalItem,
    Json,
    LeftItem,
    Node,
    OperationKey,
    Plan,
    Purpose,
    Scenario,
    Solution,
    Trajectory,
)

LIST = OperationKey("shop", "GET /items")
ITEM = OperationKey("shop", "GET /items/{id}")
MAKE = OperationKey("shop", "POST /items")


def call(
    id: str, key: OperationKey = LIST, *, purpose: Purpose = "survey", status: int | None = 200, **more: Json
) -> Call:
    fields: dict[str, Json] = {
        "arguments": {},
        "url": "http://127.0.0.1/items",
        "headers": {"content-type": "application/json"},
        "body": {"id": 1},
        "media_type": "application/json",
        "error": None if status else "timeout",
    }
    return Call(id=id, key=key, purpose=purpose, status=status, **{**fields, **more})


BODIES: list[Json] = [
    None,
    False,
    0,
    1.5,
    2**80,
    "",
    "naïve \ud800 \x00 \u2028 text",
    [],
    {"a": [None, {"b": "ü" * 10_000}]},
    [{"n": n, "text": "same words again"} for n in range(500)],
]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_a_call_comes_back_exactly(tmp_path: Path, body: Json) -> None:
    one = call("a", ITEM, arguments={"path:id": 7, "body:": {"x": [1]}}, body=body, scenario="s1", detail="d", size=9)
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        evidence.calls.put(one)
    with Evidence.open(tmp_path, write=False) as evidence:
        assert evidence.calls.get("a") == one
        assert evidence.calls.get("b") is None


def test_a_text_that_sqlite_cannot_hold_is_kept_escaped(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        evidence.calls.put(call("a", detail="half \ud800 a pair"))
    with Evidence.open(tmp_path, write=False) as evidence:
        assert [one.detail for one in evidence.calls.select()] == ["half \\ud800 a pair"]


def test_calls_are_listed_by_purpose_tool_operation_and_id_in_whatever_order_they_came(tmp_path: Path) -> None:
    calls = [
        call("z", LIST, purpose="survey"),
        call("b", ITEM, purpose="survey"),
        call("a", ITEM, purpose="scenario", status=404),
        call("d", LIST, purpose="replay"),
        call("c", OperationKey("bank", "GET /x"), purpose="scenario", status=None),
    ]
    listings = []
    for number, order in enumerate((calls, calls[::-1])):
        with Evidence.open(tmp_path / str(number), write=True) as evidence:
            evidence.begin({})
            for one in order:
                evidence.calls.put(one)
            listings.append([one.id for one in evidence.calls.select()])
            assert [one.id for one in evidence.calls.select(ok=True)] == ["z", "b", "d"]
            assert [one.id for one in evidence.calls.select(ok=False)] == ["c", "a"]
            assert [one.id for one in evidence.calls.select(key=ITEM)] == ["b", "a"]
            assert [one.id for one in evidence.calls.select(purpose="scenario")] == ["c", "a"]
    assert listings == [["z", "b", "c", "a", "d"]] * 2


def test_a_call_put_again_is_replaced_not_doubled(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        evidence.calls.put(call("a", status=None))
        evidence.calls.put(call("a", status=200))
    with Evidence.open(tmp_path, write=False) as evidence:
        assert [(one.id, one.status) for one in evidence.calls.select()] == [("a", 200)]


def test_calls_beyond_the_memory_are_read_from_disk_again(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        for number in range(12):
            evidence.calls.put(call(f"{number:02}", body=str(number), size=2**20))
        assert [one.body for one in evidence.calls.select()] == [str(number) for number in range(12)]


def trees() -> tuple[Scenario, list[Node], Solution]:
    goal = Goal((Given("name", "Copenhagen", "city", "query:city"),), "id", "airport", many=True)
    scenario = Scenario("s2", "Which airports serve Copenhagen?", (LIST, ITEM), goal)
    root = Node("s2/bfs/0", None, "s2", "bfs", 0, None)
    step = Node(
        "s2/bfs/0.2", root.id, "s2", "bfs", 1, Plan("look", LIST, {"query:city": "x"}), call("a"), "one", label="right"
    )
    denied = Node(
        "s2/bfs/0.10", root.id, "s2", "bfs", 1, Plan("drop", MAKE), call("q", MAKE, status=None, error="denied")
    )
    final = Node(
        "s2/bfs/0.2.0", step.id, "s2", "bfs", 2, Plan("done", answer=[1]), correct=True, reason="r", label="right"
    )
    return scenario, [root, step, denied, final], Solution("s2", "bfs", (step, final), [1])


def test_scenarios_trees_and_solutions_come_back_in_the_order_of_the_tree(tmp_path: Path) -> None:
    scenario, nodes, solution = trees()
    other = Scenario("s10", "Another", (LIST,))
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        evidence.calls.put(call("a"))
        evidence.put_scenario(other)
        evidence.put_scenario(scenario)
        for node in nodes[::-1]:
            evidence.put_node(node)
        evidence.put_solution(solution)
    with Evidence.open(tmp_path, write=False) as evidence:
        assert evidence.scenarios() == [scenario, other]
        assert evidence.nodes(scenario="s2") == [nodes[0], nodes[1], nodes[3], nodes[2]]
        assert evidence.solutions() == [solution]


def test_a_solution_keeps_those_of_its_nodes_that_were_not_put(tmp_path: Path) -> None:
    _, _, solution = trees()
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        evidence.calls.put(call("a"))
        evidence.put_solution(solution)
    with Evidence.open(tmp_path, write=False) as evidence:
        assert evidence.solutions() == [solution]


def test_experiences_facts_journal_missed_and_counters_come_back(tmp_path: Path) -> None:
    late = Experience(LIST, "s10", "k", ITEM, "r", MAKE, "w", "why", ("a",))
    early = Experience(ITEM, "s2", "k", ITEM, "r", LIST, "w", "why")
    fact = Fact(LIST, "type", "200:/id", "integer", ("a",), ("b",))
    dropped = Fact(LIST, "field", "200:/id", True, ("a",))
    items = [
        JournalItem("z", "shop", "/items/{id}", {"path:id": 1}, "a"),
        JournalItem("b", "shop", "/x", {}, "a", parent="z"),
    ]
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        for experience in (late, early, late):
            evidence.put_experience(experience)
        for kept in ([fact], []):
            evidence.put_facts(kept, [dropped])
        for item in (*items, JournalItem("z", "shop", "/items/{id}", {"path:id": 1}, "a", deleted=True)):
            evidence.journal.put(item)
        evidence.put_missed(MAKE, "needs a parent")
        evidence.put_missed(ITEM, "404")
        evidence.count("wire", 2)
        evidence.count("wire")
    with Evidence.open(tmp_path, write=False) as evidence:
        assert evidence.experiences() == [early, late]
        assert evidence.experiences(LIST) == [late]
        assert evidence.facts() == [fact]
        assert (evidence.facts(kind="field"), evidence.facts(key=ITEM)) == ([], [])
        assert evidence.dropped() == {"field": 1}
        assert [(item.id, item.deleted) for item in evidence.journal.items()] == [("z", True), ("b", False)]
        assert evidence.missed() == {MAKE: "needs a parent", ITEM: "404"}
        assert evidence.counters() == {"wire": 3}


def test_an_intent_is_open_until_its_call_is_there(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        evidence.intents.put("z", MAKE, {"body:": {"a": 1}})
        evidence.intents.put("b", MAKE, {})
        assert [intent.id for intent in evidence.intents.unanswered()] == ["z", "b"]
        evidence.calls.put(call("b", MAKE, status=201))
        assert [(intent.id, intent.arguments) for intent in evidence.intents.unanswered()] == [
            ("z", {"body:": {"a": 1}})
        ]


def test_the_account_of_a_run_is_read_from_what_it_kept_finished_or_not(tmp_path: Path) -> None:
    act = OperationKey("shop", "POST /items/{id}/act")
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({}, nonce="87654321")
        own, gone = "/items/docrev-00000000-1", "/items/docrev-00000000-2"
        evidence.journal.put(JournalItem(own, "shop", own, {"path:id": "docrev-00000000-1"}, "a"))
        evidence.journal.put(JournalItem(gone, "shop", gone, {"path:id": "docrev-00000000-2"}, "b", deleted=True))
        for number, (id, consent) in enumerate([("1", True), ("1", True), ("2", False), ("docrev-00000000-7", True)]):
            evidence.intents.put(f"i{number}", act, {"path:id": id}, consent=consent)
        assert consented_changes(evidence) == [ConsentedChange("shop", "POST /items/{id}/act", "/items/1/act", 2)]
        evidence.calls.put(call("i0", act, status=409))
        assert [change.calls for change in consented_changes(evidence)] == [1]
        assert left_items(evidence) == [LeftItem("shop", "/items/docrev-87654321-1", "it was not removed yet")]
        reason = JournalItem(own, "shop", own, {}, "a", reason="it is in use", removal=f"DELETE http://h{own}")
        evidence.journal.put(reason)
        removal = "DELETE http://h/items/docrev-87654321-1"
        assert left_items(evidence) == [LeftItem("shop", "/items/docrev-87654321-1", "it is in use", removal)]


def test_the_same_settings_go_on_and_others_start_anew(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        first = evidence.begin({"seed": 1, "specs": ["d"]})
        evidence.calls.put(call("a"))
    with Evidence.open(tmp_path, write=True) as evidence:
        again = evidence.begin({"specs": ["d"], "seed": 1})
        assert (again.id, again.resumed, first.resumed) == (first.id, True, False)
        assert "a" in evidence.calls
        other = evidence.begin({"specs": ["d"], "seed": 2})
        assert (other.id != first.id, other.resumed, list(evidence.calls.select())) == (True, False, [])


def test_a_finished_run_says_so_and_keeps_its_summary(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        assert not evidence.begin({}).finished
        evidence.finish({"calls": 3})
    with Evidence.open(tmp_path, write=True) as evidence:
        run = evidence.begin({})
        assert (run.finished, run.summary) == (True, {"calls": 3})
        evidence.finish({"calls": 4})
        assert evidence.begin({}).summary == {"calls": 4}


def test_fresh_starts_a_new_run_and_keeps_the_old_one(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        old = evidence.begin({})
        evidence.calls.put(call("a"))
        evidence.finish({})
        new = evidence.begin({}, fresh=True)
        assert (new.id != old.id, new.finished, list(evidence.calls.select())) == (True, False, [])
        assert evidence.begin({}).id == new.id, "the newest of the same settings goes on"
        evidence.select(evidence.runs()[0])
        assert [one.id for one in evidence.calls.select()] == ["a"]


def test_reading_takes_the_run_that_was_used_last(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        first = evidence.begin({"seed": 1})
        evidence.begin({"seed": 2})
        evidence.begin({"seed": 1})
    with Evidence.open(tmp_path, write=False) as evidence:
        assert evidence.run.id == first.id


def test_reading_while_writing_sees_what_was_finished(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as writer:
        writer.begin({})
        writer.calls.put(call("a"))
        with Evidence.open(tmp_path, write=False) as reader:
            assert [one.id for one in reader.calls.select()] == ["a"]
        writer.calls.put(call("b"))


def test_nothing_but_the_file_and_its_lock_is_left_behind(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
    with Evidence.open(tmp_path, write=False):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evidence.db", "evidence.lock"]


@pytest.mark.parametrize("made", ["", "folder", "empty run"])
def test_reading_where_there_is_nothing_is_wrong_use(tmp_path: Path, made: str) -> None:
    folder = tmp_path / "out"
    if made == "folder":
        folder.mkdir()
    elif made:
        Evidence.open(folder, write=True).close()
    with pytest.raises(InputError, match="docrev explore") as caught:
        Evidence.open(folder, write=False)
    assert str(folder) in str(caught.value)
    assert not (folder / "evidence.db").exists() or made == "empty run", "reading creates nothing"


def test_queries_count_reach_and_take_apart(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        evidence.calls.put(call("a", LIST, arguments={"query:sort": "name"}))
        evidence.calls.put(call("b", LIST, arguments={"query:sort": "name", "query:page": 1}))
        evidence.calls.put(call("c", LIST, arguments={"query:sort": "bad"}, status=400))
        evidence.calls.put(call("d", MAKE, arguments={"body:": {"a/b": [{"c": 1}, {"c": 2}], "e": {}}}, status=None))
        assert reached(evidence) == [LIST]
        assert totals(evidence) == {"calls": 4, "calls_2xx": 2}
        assert statuses(evidence) == {LIST: {"200": 2, "400": 1}, MAKE: {"timeout": 1}}
        made = evidence.calls.get("d")
        assert made is not None
        assert dict(arguments(made)) == {"body:/a~1b/0/c": 1, "body:/e": {}}


def test_trajectories_are_kept_with_their_calls(tmp_path: Path) -> None:
    key = OperationKey("atlas", "GET /countries")
    made = Call(
        "c1", key, {"query:region": "Asia"}, "http://x", 200, {}, {"items": [1, "é"]}, "application/json", "scenario"
    )
    plan = Plan("look", key, {"query:region": "Asia"})
    nodes = (
        Node("t10/react/0.1", "t10/react/0", "t10", "react", 1, plan, made, "one item"),
        Node("t10/react/0.1.1", "t10/react/0.1", "t10", "react", 2, Plan("done", answer=[1]), correct=None),
    )
    first = Trajectory("t10", "react", nodes, tuple(node.id for node in nodes), [1], "answer", asks=2, tokens_in=30)
    second = Trajectory("t2", "react", (), (), None, "failed", "the model was not reached")
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({"docs": "original"})
        evidence.trajectories.put(first)
        evidence.trajectories.put(second)
        evidence.begin({"docs": "revised"})
        assert list(evidence.trajectories) == []
        evidence.begin({"docs": "original"})
        assert evidence.trajectories.attempted() == ["t2", "t10"]
        assert list(evidence.trajectories) == [second, first]
