"""The three strategies over canned plans: what is asked in which order, what is called, what is labelled."""

from __future__ import annotations

from typing import Any

import pytest
from driving import called, drive

from docrev.exploration.experience import FINAL_ANSWER, learn
from docrev.prompts.baselines import SimilarExperience
from docrev.prompts.questions import (
    Brief,
    CallArguments,
    ConstructCall,
    ExperienceDraft,
    JudgeAnswer,
    NextPlan,
    Prompt,
    ReadObservation,
    Same,
    SummariseExperience,
    Verdict,
)
from docrev.prompts.steps import Invoke
from docrev.records import Call, OperationKey, Plan, Scenario
from docrev.search import SearchLimits, SearchResult, Strategy, limits_of, search

SCENARIO = Scenario("s001", "What is it?", ())
Tree = dict[str, list[Plan]]
"""The plans that may follow a way; a way is the names of the operations called, `A B`."""


def key(name: str, method: str = "GET") -> OperationKey:
    return OperationKey("toy", f"{method} /{name}")


def call(name: str, method: str = "GET") -> Plan:
    return Plan(f"call {name}", key(name, method))


def final(answer: Any) -> Plan:
    return Plan("answer", answer=answer)


class Canned:
    """A model that knows the plans of a tree, accepts the answer `right`, and keeps what it was asked."""

    def __init__(self, tree: Tree, right: Any = "right", failing: tuple[str, ...] = ()) -> None:
        self.tree, self.right, self.failing = tree, right, failing
        self.asked: list[Prompt[Any]] = []
        self.made: list[str] = []

    def answer(self, prompt: Prompt[Any]) -> Any:
        self.asked.append(prompt)
        if isinstance(prompt, NextPlan):
            return self._plan(prompt)
        if isinstance(prompt, ConstructCall):
            return CallArguments(arguments=dict(prompt.plan.arguments))
        if isinstance(prompt, JudgeAnswer):
            return Verdict(correct=prompt.answer == self.right, reason="as canned")
        return ReadObservation(text="seen")

    def _plan(self, prompt: NextPlan) -> Plan:
        way = " ".join(node.call.key.path[1:] for node in prompt.history if node.call)
        told = [(plan.key, plan.answer) for plan in prompt.siblings]
        plans = self.tree.get(way, [])
        return next((p for p in plans if (p.key, p.answer) not in told), Plan("nothing more"))

    def call(self, invoke: Invoke) -> Call:
        name = invoke.key.path[1:]
        self.made.append(name)
        return called(invoke, {"name": name}, 404 if name in self.failing else 200)

    def run(self, strategy: Strategy, limits: SearchLimits | None = None, *, backwards: bool = False) -> SearchResult:
        briefs = [Brief(key=plan.key) for plans in self.tree.values() for plan in plans if plan.key]
        steps = search(strategy, SCENARIO, briefs, limits=limits)
        result: SearchResult = drive(steps, self.answer, self.call, backwards=backwards)
        return result


def ids(result: SearchResult, label: str) -> list[str]:
    return [node.id.rpartition("/")[2] for node in result.nodes if node.label == label]


DEEP: Tree = {
    "": [call("A"), call("B"), call("C")],
    "A": [call("D"), final("wrong"), call("E")],
    "B": [call("F"), call("G")],
    "B F": [final("right")],
    "A D": [call("H")],
    "A D H": [final("right")],
}


def test_bfs_finds_the_shallowest_answer_and_labels_the_tree() -> None:
    result = Canned(DEEP).run("bfs")
    assert result.solution is not None
    assert [c.key.path for c in result.solution.calls] == ["/B", "/F"]
    assert ids(result, "right") == ["0", "0.2", "0.2.1", "0.2.1.1"]
    assert ids(result, "wrong") == ["0.1", "0.3", "0.2.2"]
    assert set(ids(result, "irrelevant")) >= {"0.1.1", "0.1.2", "0.1.3"}


def test_bfs_does_not_depend_on_the_order_of_arrival() -> None:
    forwards, backwards = Canned(DEEP).run("bfs"), Canned(DEEP).run("bfs", backwards=True)
    assert forwards == backwards


def test_of_several_correct_answers_of_a_level_the_lowest_index_wins() -> None:
    tree: Tree = {"": [call("A"), call("B")], "A": [final("right")], "B": [final("right")]}
    result = Canned(tree).run("bfs", backwards=True)
    assert result.solution is not None
    assert result.solution.nodes[-1].id == "s001/bfs/0.1.1"


def test_siblings_are_told_of_each_other_and_equal_plans_are_dropped() -> None:
    class Stubborn(Canned):
        def _plan(self, prompt: NextPlan) -> Plan:
            return call("A") if not prompt.history else final("wrong")

    canned = Stubborn({"": [call("A")]})
    result = canned.run("bfs")
    siblings = [len(p.siblings) for p in canned.asked if isinstance(p, NextPlan) and not p.history]
    assert siblings == [0, 1, 1]
    assert [node.id for node in result.nodes] == ["s001/bfs/0", "s001/bfs/0.1", "s001/bfs/0.1.1"]


def test_depth_counts_the_final_answer() -> None:
    chain = {" ".join("ABCDEFG"[:n]): [call("ABCDEFG"[n])] for n in range(7)}
    seven: Tree = {**chain, "A B C D E F G": [final("right")]}
    assert Canned(seven).run("bfs").solution is not None
    eight: Tree = {**chain, "A B C D E F G": [call("H")], "A B C D E F G H": [final("right")]}
    canned = Canned(eight)
    assert canned.run("bfs").solution is None
    assert canned.made == list("ABCDEFG")


def test_a_rejected_answer_is_a_leaf() -> None:
    tree: Tree = {"": [final("wrong"), call("A")], "A": [final("wrong")]}
    result = Canned(tree).run("bfs")
    assert result.solution is None
    assert result.nodes[1].correct is False
    assert all(node.parent != result.nodes[1].id for node in result.nodes)


def test_the_budget_is_handed_out_in_order() -> None:
    canned = Canned(DEEP)
    result = canned.run("bfs", SearchLimits(calls=4), backwards=True)
    assert sorted(canned.made) == ["A", "B", "C", "D"]
    assert result.calls == 4


def test_no_call_is_made_in_a_level_that_holds_the_answer() -> None:
    tree: Tree = {"": [call("A")], "A": [call("B"), final("right")]}
    canned = Canned(tree)
    assert canned.run("bfs").solution is not None
    assert canned.made == ["A"]


def test_nothing_is_built_on_a_failed_call_while_others_live() -> None:
    tree: Tree = {"": [call("A"), call("B")], "A": [call("C")], "B": [final("right")]}
    canned = Canned(tree, failing=("A",))
    assert canned.run("bfs").solution is not None
    assert canned.made == ["A", "B"]
    alone = Canned({"": [call("A")], "A": [call("C")], "A C": [final("right")]}, failing=("A",))
    assert alone.run("bfs").solution is not None


def test_unsafe_calls_of_a_level_come_after_the_safe_ones_and_never_side_by_side() -> None:
    tree: Tree = {"": [call("W", "POST"), call("R"), call("X", "POST")], "R": [final("right")]}
    canned = Canned(tree)
    canned.run("bfs")
    assert canned.made == ["R", "W", "X"]


def test_dfsdt_follows_a_child_to_its_end_before_its_sibling() -> None:
    canned = Canned(DEEP)
    result = canned.run("dfsdt")
    assert canned.made == ["A", "D", "H"]
    assert result.solution is not None
    assert len(result.solution.calls) == 3


def test_dfsdt_goes_back_where_a_node_gives_up() -> None:
    tree: Tree = {"": [call("A"), call("B")], "B": [final("right")]}
    canned = Canned(tree)
    result = canned.run("dfsdt")
    assert canned.made == ["A", "B"]
    assert ids(result, "wrong") == ["0.1"]


def test_react_has_no_way_back() -> None:
    canned = Canned(DEEP | {"A D": [final("wrong")]})
    result = canned.run("react")
    assert canned.made == ["A", "D"]
    assert result.solution is None


@pytest.mark.parametrize("strategy", ["bfs", "dfsdt", "react"])
def test_without_a_plan_every_strategy_ends_without_a_call(strategy: Strategy) -> None:
    result = Canned({}).run(strategy)
    assert (result.solution, result.calls, len(result.nodes)) == (None, 0, 1)


@pytest.mark.parametrize("strategy", ["bfs", "dfsdt", "react"])
def test_history_of_a_question_is_the_way_to_its_node(strategy: Strategy) -> None:
    canned = Canned(DEEP)
    canned.run(strategy)
    ways = [[node.depth for node in prompt.history] for prompt in canned.asked if isinstance(prompt, NextPlan)]
    assert max(map(len, ways)) > 1
    for depths in ways:
        assert depths == list(range(1, len(depths) + 1))


def _bushy(depth: int) -> Tree:
    """A tree in which every node has three calls, and the right answer lies at the end of the last way."""
    tree: Tree = {"": [call("A"), call("B"), call("C")]}
    ways = ["A", "B", "C"]
    for _ in range(depth - 1):
        for way in ways:
            tree[way] = [call(f"{way[-1]}{name}") for name in "abc"]
        ways = [f"{way} {plan.key.path[1:]}" for way in ways for plan in tree[way] if plan.key]
    tree[ways[-1]] = [final("right")]
    return tree


def test_forty_calls_end_inside_level_four_and_the_papers_limits_do_not() -> None:
    """ToolBFS+ §4.3: width 3 and depth 8 alone bound the search; level four of a full tree has 81 calls."""
    bounded = Canned(_bushy(4)).run("bfs", limits_of("bfs"))
    assert (bounded.solution, bounded.calls) == (None, 40)
    whole = Canned(_bushy(4)).run("bfs", limits_of("bfs", calls=None))
    assert whole.solution is not None
    assert (len(whole.solution.calls), whole.calls) == (4, 3 + 9 + 27 + 81)
    narrow = Canned(_bushy(2)).run("bfs", limits_of("bfs", width=2, depth=3))
    assert (narrow.solution, narrow.calls) == (None, 2 + 4)


def test_wrong_are_failures_and_wrong_answers_beside_the_solution() -> None:
    """ToolBFS+ §3.3: wrong nodes are those off the way, whether the call failed or the answer was judged wrong."""
    tree: Tree = {"": [call("A"), call("B")], "A": [final("wrong"), call("D"), call("E")], "A D": [final("right")]}
    result = Canned(tree, failing=("E",)).run("bfs")
    assert ids(result, "right") == ["0", "0.1", "0.1.2", "0.1.2.1"]
    assert ids(result, "wrong") == ["0.2", "0.1.1", "0.1.3"]


def test_experience_as_in_the_paper_has_four_parts_and_is_kept_once() -> None:
    """ToolBFS+ §3.3 and §3.4: scenario, known information, right and wrong plan, on the operation called before."""
    tree: Tree = {"": [call("A"), call("B")], "A": [final("wrong"), call("D"), call("E")], "A D": [final("right")]}
    result = Canned(tree, failing=("E",)).run("bfs")
    compared: list[SimilarExperience] = []

    def answer(prompt: Any) -> Any:
        if isinstance(prompt, SummariseExperience):
            tried = prompt.wrong.plan
            assert tried is not None
            return ExperienceDraft(
                worth=False, known="A's item", right_plan="Use D.", wrong_plan=f"Use {tried.key or 'the answer'}."
            )
        assert isinstance(prompt, SimilarExperience)
        compared.append(prompt)
        return Same(same=prompt.new.wrong == key("E") and bool(prompt.known))

    learned = drive(learn(result, (), published=True), answer, lambda invoke: None)  # type: ignore[arg-type,return-value]
    # The first parting lies at the root, where nothing is known yet; of the others the failed call is like the answer.
    [one] = learned
    assert (one.key, one.right, one.wrong) == (key("A"), key("D"), FINAL_ANSWER)
    assert (one.scenario, one.known, one.right_plan, one.wrong_plan) == (
        "What is it?", "A's item", "Use D.", "Use the answer."
    )  # fmt: skip
    assert [prompt.known for prompt in compared] == [(), (one,)]


def test_the_published_algorithm_goes_on_below_failures_and_asks_for_every_child() -> None:
    """ToolBFS+ Algorithm 1: a node without a response has children too, and a plan to give up is no reason to stop."""
    tree: Tree = {"": [call("A"), call("B")], "A": [call("C")], "A C": [final("right")]}
    spared, published = Canned(tree, failing=("A",)), Canned(tree, failing=("A",))
    assert spared.run("bfs").solution is None
    found = published.run("bfs", limits_of("bfs", published=True))
    assert found.solution is not None
    after_b = [_questions_after(one, "B") for one in (spared, published)]
    assert after_b == [1, limits_of("bfs").width]


def _questions_after(canned: Canned, name: str) -> int:
    ways = [prompt.history for prompt in canned.asked if isinstance(prompt, NextPlan)]
    return sum([node.call.key for node in way if node.call] == [key(name)] for way in ways)
