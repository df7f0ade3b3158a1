"""What a tool user made from nothing learns from: invented services, errands in them, and examples of those."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable
from itertools import count, permutations
from typing import Any

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")

from docrev.models.tooluser.encoding import action_symbols, prompt_symbols, sheet_symbols
from docrev.models.tooluser.slots import Slots, Vocabulary
from docrev.models.tooluser.vocabulary import FUNCTION, HIT, QUIT
from docrev.prompts.agents import FINISH
from docrev.runners.sheets import sheets
from docrev.train.toolllama.composing import Composer, TrainingStage, stage
from docrev.train.toolllama.episodes import Annotator, Episode, episodes
from docrev.train.toolllama.errands import KINDS, Errand, InventedPlace, errands
from docrev.train.toolllama.trial import cases, right_way

VOCABULARY = Vocabulary.create(512)

WAYS = {
    "field": 2, "field-by-id": 1, "filter": 1, "parts": 2, "parts-by-id": 1, "owner": 3, "owner-by-id": 2,
    "owner-field": 2,
}  # fmt: skip
"""The calls that each kind takes."""


def done(place: InventedPlace, seed: int) -> list[Any]:
    return list(errands(place, random.Random(seed)))


def test_a_service_is_its_seeds_and_shares_no_name_with_others() -> None:
    one, again, other = InventedPlace(5), InventedPlace(5), InventedPlace(6)
    assert (one.made.good, one.made.poor) == (again.made.good, again.made.poor)
    nouns = [{thing.noun for thing in (place.made.main, place.made.part, place.made.owner)} for place in (one, other)]
    assert not nouns[0] & nouns[1]


def test_poor_documents_say_less_of_the_same_contract() -> None:
    for seed in range(5):
        place = InventedPlace(seed)
        good, poor = (sheets(catalog.operations) for catalog in (place.good, place.poor))
        assert [(one.name, [each.name for each in one.parameters]) for one in good] == [
            (one.name, [each.name for each in one.parameters]) for one in poor
        ]
        assert all(one.description for one in good)
        assert sum(len(one.description) for one in poor) < 0.7 * sum(len(one.description) for one in good)


def test_the_calls_of_an_errand_lead_to_its_answer() -> None:
    kinds: set[str] = set()
    for seed in range(4):
        place = InventedPlace(seed)
        for errand in done(place, seed):
            kinds.add(errand.kind)
            assert len(errand.deeds) == WAYS[errand.kind]
            body: Any = None
            for deed in errand.deeds:
                call = place.call(deed.key, place.placed(deed.key, deed.arguments))
                assert call.ok
                body = call.body
            told = errand.answer if isinstance(errand.answer, list) else [errand.answer]
            assert all(json.dumps(value) in json.dumps(body) for value in told)
    assert kinds == set(KINDS)


def canonical(ids: Iterable[int]) -> list[int]:
    """Slots renumbered in the order in which they come."""
    known = len(VOCABULARY.known)
    seen: dict[int, int] = {}
    return [int(one) if one < known else known + seen.setdefault(int(one), len(seen)) for one in ids]


def plain_episode(place: InventedPlace, errand: Errand) -> Episode:
    """The episode of an errand without wrong turns."""
    known = sheets(place.good.operations)
    documents = {sheet.name: sheet_symbols(sheet) for sheet in known}
    for seed in count():
        made = Annotator(place, errand, known, random.Random(seed)).episode(documents, documents)
        if [right for _, right in made.turns] == [True, False] * len(errand.deeds) + [True]:
            return made
    raise AssertionError


@pytest.mark.parametrize("kind", [kind for kind in KINDS if WAYS[kind] == 1 or kind == "field"])
def test_what_is_learned_from_is_what_is_asked_later(kind: str) -> None:
    """Token by token: an episode is the last prompt along the right way, and the answer."""
    case = next(case for case in cases(3) if case.errand.kind == kind)
    episode = plain_episode(case.place, case.errand)
    composer = Composer(VOCABULARY, [episode], 3)
    *_, (prompt, action) = right_way(case)
    for ids, labels in (composer.example(composer.episodes[0], TrainingStage(0), 512) for _ in range(4)):
        # Documents stand in any order.
        asked = [
            prompt.model_copy(update={"operations": order})
            for order in permutations(sheet for sheet in prompt.operations if sheet.name in episode.needed)
        ]
        told = [[*prompt_symbols(one), "<answer>", *action_symbols(FINISH, action.arguments, {})] for one in asked]
        assert canonical(ids) in [canonical(Slots(VOCABULARY, 9).ids(one)) for one in told]
        learned = [token for part, right in episode.turns for token in [right] * len(part)]
        marks = int((ids == VOCABULARY.known.index(HIT)).sum())
        assert int((labels >= 0).sum()) == sum(learned)
        assert all(label in (-100, token) for token, label in zip(ids, labels, strict=True))
        assert marks > 0


def test_only_right_turns_are_learned_after_wrong_ones() -> None:
    found = [one for seed in range(12) for one in episodes(seed)]
    strays = [one for one in found if not one.turns[0][1]]
    assert 0.1 < len(strays) / len(found) < 0.5
    assert any(QUIT in one.turns[-1][0] for one in strays)
    for one in strays:
        composer = Composer(VOCABULARY, [one], 0)
        ids, labels = composer.example(composer.episodes[0], TrainingStage(2), 512)
        assert int((labels >= 0).sum()) == sum(len(part) for part, right in one.turns if right)
        assert labels[-len(one.turns[-1][0]) :].tolist() == ids[-len(one.turns[-1][0]) :].tolist()


def test_slots_are_drawn_anew_for_each_example() -> None:
    one = next(episodes(3))
    composer = Composer(VOCABULARY, [one], 0)
    first, second = (composer.example(composer.episodes[0], TrainingStage(0), 512)[0] for _ in range(2))
    assert first.tolist() != second.tolist()
    again = Composer(VOCABULARY, [one], 0)
    assert again.example(again.episodes[0], TrainingStage(0), 512)[0].tolist() == first.tolist()


def test_the_curriculum_goes_from_one_document_to_many() -> None:
    assert [stage(share).beside for share in (0, 0.05, 0.1, 0.3, 0.5, 0.99)] == [0, 0, 1, 3, 6, 6]
    assert stage(0.3).poor == 0 < stage(0.5).poor
    one = next(one for one in episodes(3) if len(one.needed) == 1)
    composer = Composer(VOCABULARY, [one], 0)
    start = VOCABULARY.known.index(FUNCTION)
    for how in (TrainingStage(0), TrainingStage(1), TrainingStage(3)):
        ids, _ = composer.example(composer.episodes[0], how, 512)
        assert int((ids == start).sum()) == 1 + how.beside
