"""The registry of kinds, compared with the modules on disk and with the tables that other packages keep by kind."""

from __future__ import annotations

from pathlib import Path

from fact_wording import WORDING

import docrev.facts.kinds
from docrev.eval.judging import RULES
from docrev.facts.registry import BOUNDS, BY_FIELD, ENDS, KINDS, LIST_EFFECTS, PROVES_READ
from docrev.revision.common_notes import LIST_DELETION, OF_LISTS
from docrev.revision.effect_wording import EFFECTS
from docrev.revision.head_topics import TOPIC_BY_KIND
from docrev.revision.keywords import KEYWORDS

FOLDER = Path(docrev.facts.kinds.__file__).parent


def test_every_module_of_a_kind_is_registered_under_its_own_name() -> None:
    modules = {path.stem.replace("_", "-") for path in FOLDER.glob("*.py") if path.stem != "__init__"}
    assert modules == set(KINDS)


def test_every_kind_says_what_it_may_be_about() -> None:
    assert KINDS
    for kind in KINDS.values():
        assert kind.about, kind.name


def test_groups_follow_from_what_kinds_say() -> None:
    assert set(BOUNDS) == {"at-least", "at-most", "more-than", "less-than"}
    assert set(BY_FIELD) == {*BOUNDS, "filters", "in-day", "in-year", "includes", "excludes"}
    assert set(ENDS) == {"range", "length", "clamps"}
    assert set(LIST_EFFECTS) == {*BY_FIELD, "searches", "sorts", "limits", "pages", "selects"}
    assert {"required", "range", "allowed-values", "length", "pattern", "characters", "format"} == PROVES_READ


def test_every_kind_is_put_into_words() -> None:
    assert set(WORDING) == set(KINDS)


def test_every_effect_on_a_list_has_its_own_sentence() -> None:
    assert set(EFFECTS) == set(LIST_EFFECTS)


def test_topics_of_heads_are_of_kinds() -> None:
    assert {*KINDS, LIST_DELETION, OF_LISTS} >= TOPIC_BY_KIND.keys()


def test_keywords_are_those_of_kinds() -> None:
    assert set(KEYWORDS) == {*PROVES_READ, "type", "default"} - {"required"}


def test_every_kind_has_a_rule_by_which_the_evaluation_scores_it() -> None:
    assert set(RULES) == set(KINDS)


def test_every_kind_is_inferred_from_trials_or_from_calls() -> None:
    assert KINDS
    for kind in KINDS.values():
        assert kind.from_trials is not None or kind.from_calls is not None, kind.name
