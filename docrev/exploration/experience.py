"""Experience (ToolBFS+ §3.3): what is to be learned where a right and a wrong way part in a finished search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docrev.conventions.envelopes import counts_things
from docrev.json_values.leaves import leaves
from docrev.prompts.baselines import SimilarExperience
from docrev.prompts.questions import ExperienceDraft, Same, SameExperience, SummariseExperience
from docrev.prompts.steps import Ask, Steps
from docrev.records import Call, Experience, Json, Node, OperationKey
from docrev.search import SearchResult

FINAL_ANSWER = OperationKey("", "Final Answer")
"""What a wrong plan chose that answered instead of calling an operation."""
MOST = 3
"""Experiences of an operation: a reader of its documentation will not read more."""


def learn(result: SearchResult, known: Sequence[Experience], *, published: bool = False) -> Steps[list[Experience]]:
    """New experiences from one search, none of which says what `known` (or an earlier one of them) says already.

    One may come of every executed wrong node beside a right one, and only if the wrong branch failed or lacked
    what was needed. It is kept on the operation after which the choice is made. At the root no operation was called
    yet: there the experience is kept on the operation that was wrongly chosen (`key == wrong`), if its
    description can say which one to use instead. An operation has at most three.

    `published`: as ToolBFS+ learns (§3.3, §3.4): from every wrong node, wrong answers included and whatever it lacked,
    for the set of the operation that was called before, unless one there is like it by known information and scenario.
    At the root nothing is known that a document could be read for, so nothing is learned.
    """
    found: list[Experience] = []
    for right, wrong, history in _partings(result):
        if not history if published else wrong.call is None:
            continue
        draft: ExperienceDraft = yield Ask(
            SummariseExperience(
                scenario=result.scenario, history=history, right=right, wrong=wrong, published=published
            )
        )
        worth = draft.right_plan if published else draft.worth
        experience = _experience(result, right, wrong, history, draft) if worth else None
        if experience is None:
            continue
        beside = tuple(_beside(experience, (*known, *found), published=published))
        if not published and sum(one.key == experience.key for one in beside) >= MOST:
            continue
        kind = SimilarExperience if published else SameExperience
        same: Same = yield Ask(kind(new=experience, known=beside))
        if not same.same:
            found.append(experience)
    return found


def _beside(new: Experience, known: Sequence[Experience], *, published: bool) -> Iterator[Experience]:
    """The experiences that a new one may repeat: of its operation, and in docrev's way of the same wrong choice."""
    return (one for one in known if one.key == new.key or (one.wrong == new.wrong and not published))


def value_sources(result: SearchResult) -> list[Experience]:
    """Where a solution had the arguments from that its text does not name: from fields of what was called before."""
    calls = result.solution.calls if result.solution is not None else ()
    found = [
        Experience(
            key=source.key,
            scenario=result.scenario.text,
            known="",
            right=source.key,
            right_plan="",
            wrong=call.key,
            wrong_plan="",
            why="",
            calls=(source.id, call.id),
            location=location,
            field=field,
        )
        for at, call in enumerate(calls)
        for location, value in call.arguments.items()
        if isinstance(value, str | int) and not isinstance(value, bool)
        if str(value) not in result.scenario.text
        for source, field in _sources(value, calls[:at])
        if source.key != call.key
    ]
    return list({(one.wrong, one.location): one for one in reversed(found)}.values())[::-1]


def _sources(value: Json, calls: Sequence[Call]) -> Iterator[tuple[Call, str]]:
    """The calls that returned a value, the latest first, each with the field that it is in."""
    for call in reversed(calls):
        names = (pointer.rpartition("/")[2] for pointer, leaf in leaves(call.body) if leaf == value)
        # How many things there are may be the number of one by chance.
        name = next((name for name in names if not name.isdigit() and not counts_things(name)), "")
        if call.ok and name:
            yield call, name


def _partings(result: SearchResult) -> list[tuple[Node, Node, tuple[Node, ...]]]:
    """Every right node that makes a call, with each wrong sibling of another operation, and the way to both."""
    if result.solution is None:
        return []
    found: list[tuple[Node, Node, tuple[Node, ...]]] = []
    history: tuple[Node, ...] = ()
    for right in result.solution.nodes:
        for wrong in result.nodes:
            if wrong.label == "wrong" and wrong.parent == right.parent and _other(right, wrong):
                found.append((right, wrong, history))
        history = (*history, right)
    return found


def _other(right: Node, wrong: Node) -> bool:
    """Whether the two chose different operations: other arguments of the same one teach nothing about choosing."""
    return (
        right.plan is not None
        and right.plan.key is not None
        and wrong.plan is not None
        and wrong.plan.key != right.plan.key
    )


def _experience(
    result: SearchResult, right: Node, wrong: Node, history: tuple[Node, ...], draft: ExperienceDraft
) -> Experience | None:
    before = history[-1].call if history else None
    key = before.key if before else wrong.call.key if wrong.call else None
    if right.call is None or key is None:
        return None
    calls = [node.call.id for node in (*history, right, wrong) if node.call is not None]
    return Experience(
        key=key,
        scenario=result.scenario.text,
        known=draft.known,
        right=right.call.key,
        right_plan=draft.right_plan,
        wrong=wrong.call.key if wrong.call is not None else FINAL_ANSWER,
        wrong_plan=draft.wrong_plan,
        why=draft.why,
        calls=tuple(dict.fromkeys(calls)),
    )
