"""Rewards and pairs of ToolPlanner's examples: the solution trees of its figures 5 and 9, letter by letter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrev.records import Call, Node, OperationKey, Plan, Task, Trajectory
from docrev.train.toolplanner.pairs import RankedPair, pairs
from docrev.train.toolplanner.rewards import Feedback, JudgedPath, reward, scored, ways

# Tools A (Hotels), B (ADSBx) and C; of A and B the instruction speaks. Ends: "+" answers, "-" gives up, "x" is cut off.
FIRST = ["A1 A2 A3 -", "A1 A2 B1 -", "A1 C1 A2 x", "A1 C1 C2 +"]
SECOND = ["A1 A3 A2 -", "A1 B2 C2 x", "A1 B2 B3 A3 x", "A1 B2 B3 +"]
TASK = Task(
    "orlando", "Using Hotels and ADSBx …", gold=((OperationKey("A", "A1"), OperationKey("B", "B1")),), level="tool"
)
CATEGORIES = {"A": "Travel", "B": "Transportation", "C": "Travel"}


def category(key: OperationKey) -> str:
    return CATEGORIES[key.tool]


def call(name: str, node: str) -> Call:
    return Call(node, OperationKey(name[0], name), {}, "", 200, {}, {"ok": name}, "application/json", "scenario")


def tree(solutions: list[str], task: str = "orlando") -> Trajectory:
    """The trajectory of a tree that is written as its ways, in the order in which they were gone."""
    nodes: dict[str, Node] = {}
    for solution in solutions:
        at = "0"
        for depth, name in enumerate(solution.split(), 1):
            if name == "x":
                break
            id = f"{at}.{name}"
            final = name in "+-"
            plan = (
                Plan(name, answer="Two hotels." if name == "+" else None)
                if final
                else Plan(name, OperationKey(name[0], name))
            )
            made = None if final else call(name, id)
            nodes.setdefault(id, Node(id, None if at == "0" else at, task, "dfsdt", depth, plan, made))
            at = id
    return Trajectory(task, "dfsdt", tuple(nodes.values()), (), None, "steps")


def told(node: Node) -> str:
    assert node.plan is not None
    if node.plan.key is not None:
        return node.plan.key.operation
    return "-" if node.plan.answer is None else "+"


def shown(pair: RankedPair) -> tuple[str, str, str]:
    return told(pair.chosen), told(pair.rejected), ",".join(map(told, pair.history))


def solved(task: Task = TASK, *, feedback: tuple[Feedback, ...] = ("pass", "match")) -> list[JudgedPath]:
    return scored(task, [tree(FIRST), tree(SECOND)], category, feedback=feedback)


@pytest.mark.parametrize(
    ("passed", "matched", "worth"), [(True, True, 1), (False, True, -1), (True, False, -2), (False, False, -3)]
)
def test_the_reward_table_is_the_papers(passed: bool, matched: bool, worth: int) -> None:
    """ToolPlanner §4.3.1 and C.2.1: task completion and instruction following."""
    assert reward(passed, matched) == worth


def test_the_solutions_of_figure_9_are_judged_as_there() -> None:
    """ToolPlanner C.2.1, figure 9."""
    found = {f"S{number}": way for number, way in enumerate(solved(), 1)}
    assert [" ".join(map(told, way.nodes)) for way in found.values()] == [
        one.removesuffix(" x") for one in (*FIRST, *SECOND)
    ]
    assert [name for name, way in found.items() if way.passed] == ["S4", "S8"]
    assert [name for name, way in found.items() if way.matched] == ["S2", "S7", "S8"]
    assert [way.reward for way in found.values()] == [-3, -1, -3, -2, -3, -3, -1, 1]


def test_the_pairs_of_figure_9_are_those_of_the_paper() -> None:
    """ToolPlanner §4.3.2 and C.2.2, figure 9."""
    found = pairs(TASK, solved(), category)
    mined = {shown(one): one.rewards for one in found if not one.sampled}
    assert mined == {
        ("B2", "A2", "A1"): (1, -1),
        ("B2", "C1", "A1"): (1, -2),
        ("B2", "A3", "A1"): (1, -3),
        ("B3", "C2", "A1,B2"): (1, -3),
        ("+", "A3", "A1,B2,B3"): (1, -1),
    }
    assert [told(one.chosen) for one in found if one.sampled] == ["A1"]


def test_the_first_round_of_figure_5_gets_sampled_negatives() -> None:
    """ToolPlanner §4.3.2, figure 5."""
    found = [one for one in pairs(TASK, solved(), category, samples=3) if one.sampled]
    by_kind = {one.sampled: one for one in found}
    assert set(by_kind) == {"give-up", "stray", "early"}
    assert shown(by_kind["give-up"]) == ("A1", "-", "")
    assert by_kind["stray"].rejected.plan is not None
    assert by_kind["stray"].rejected.plan.key in {OperationKey("C", "C1"), OperationKey("C", "C2")}
    assert shown(by_kind["early"]) == ("A1", "+", "")
    assert [by_kind[kind].rewards for kind in ("give-up", "stray", "early")] == [(1, -3), (1, -3), (1, -2)]


def test_one_negative_is_sampled_where_nothing_more_is_asked_for_and_the_same_each_time() -> None:
    once, again = (pairs(TASK, solved(), category) for _ in range(2))
    assert once == again
    assert sum(bool(one.sampled) for one in once) == 1
    drawn = {one.sampled for seed in range(20) for one in pairs(TASK, solved(), category, seed=seed) if one.sampled}
    assert drawn == {"give-up", "stray", "early"}


def test_a_way_that_follows_its_instruction_is_never_answered_too_early() -> None:
    single = [JudgedPath(tree(["A1 B1 +"]).nodes, passed=True, matched=True)]
    found = pairs(TASK, single, category, samples=3, offered=[OperationKey("C", "C9"), OperationKey("A", "A9")])
    at_the_end = {one.sampled: one for one in found if told(one.chosen) == "+"}
    assert set(at_the_end) == {"give-up", "stray"}
    assert at_the_end["give-up"].rewards == (1, -1)
    # The tree holds nothing that strays, so what is offered is taken: of a tool that is not named.
    assert told(at_the_end["stray"].rejected) == "C9"


def test_the_reward_of_s4_depends_on_the_level() -> None:
    """§4.3.2: "A1,B2,B3,+" matches a tool-level instruction and not one that names A1, A2 and B1."""
    [way] = scored(TASK, [tree(["A1 B2 B3 +"])], category)
    assert way.reward == 1
    keys = tuple(OperationKey(name[0], name) for name in ("A1", "A2", "B1"))
    for level, worth in (("operation", -2), ("hybrid", -2), ("category", 1), ("statement", 1)):
        [way] = scored(replace(TASK, gold=(keys,), level=level), [tree(["A1 B2 B3 +"])], category)
        assert way.reward == worth


def test_an_apology_is_no_answer() -> None:
    apology = tree(["A1 B1 +"])
    last = replace(apology.nodes[-1], plan=Plan("", answer="Sorry, I couldn't find a suitable tool."))
    [way] = scored(TASK, [replace(apology, nodes=(*apology.nodes[:-1], last))], category)
    assert (way.passed, way.reward) == (False, -1)


def test_a_judge_decides_where_there_is_one() -> None:
    [way] = scored(TASK, [tree(["A1 B1 +"])], category, is_solved=lambda answer: answer == "Three hotels.")
    assert way.reward == -1


def test_without_a_feedback_nothing_is_wrong_by_it() -> None:
    assert [way.reward for way in solved(feedback=("pass",))] == [-1, -1, -1, 1, -1, -1, -1, 1]
    assert [way.reward for way in solved(feedback=("match",))] == [-2, 1, -2, -2, -2, -2, 1, 1]
    kinds = {one.sampled for one in pairs(TASK, solved(feedback=("pass",)), category, samples=3, feedback=("pass",))}
    assert kinds <= {"", "give-up"}


def test_nothing_is_mined_where_no_way_is_good() -> None:
    assert pairs(TASK, scored(TASK, [tree(FIRST)], category), category) == []
    assert pairs(TASK, [], category) == []
    assert ways(Trajectory("t", "dfsdt", (), (), None, "failed")) == ()


def test_a_round_in_which_nothing_was_sent_is_no_example() -> None:
    good = tree(["A1 B1 +"])
    wrong = replace(good.nodes[1], call=None, reason="missing-argument")
    nodes = (good.nodes[0], wrong, replace(good.nodes[2]))
    [way] = scored(replace(TASK, level="statement"), [replace(good, nodes=nodes)], category)
    chosen = [told(one.chosen) for one in pairs(TASK, [way], category)]
    assert chosen == ["A1", "+"]


def test_a_round_that_could_not_be_read_is_in_no_way() -> None:
    good = tree(["A1 B1 +"])
    unread = replace(good.nodes[1], call=None, reason="no-action")
    assert ways(replace(good, nodes=(good.nodes[0], unread, good.nodes[2]))) == ((good.nodes[0], good.nodes[2]),)


def test_operations_with_other_arguments_are_other_rounds() -> None:
    one, other = (tree(["A1 B1 +"]), tree(["A1 B1 -"]))
    plan = other.nodes[0].plan
    assert plan is not None
    moved = replace(
        other, nodes=(replace(other.nodes[0], plan=replace(plan, arguments={"query:q": 1})), *other.nodes[1:])
    )
    same = {shown(pair) for pair in pairs(TASK, scored(TASK, [one, other], category), category) if not pair.sampled}
    apart = {shown(pair) for pair in pairs(TASK, scored(TASK, [one, moved], category), category) if not pair.sampled}
    assert same == {("+", "-", "A1,B1")}
    assert apart == {("A1", "A1", "")}
