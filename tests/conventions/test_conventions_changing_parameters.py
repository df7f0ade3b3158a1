"""Which query parameters of a GET would change something, and which choose what is shown."""

from __future__ import annotations

import pytest

from docrev.conventions.changing_parameters import commands, only_asks, sets_state
from docrev.conventions.parameters import Typed

FLAG, TEXT = Typed("boolean"), Typed("string")


def choice(*values: str) -> Typed:
    return Typed("string", None, values)


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("action", TEXT), ("cmd", TEXT), ("op", TEXT), ("set", TEXT), ("do", TEXT), ("bulk_action", TEXT),
        ("mute", TEXT), ("delete", FLAG), ("mark_as_read", FLAG), ("sync", FLAG), ("force", FLAG), ("refresh", FLAG),
        ("recheck_all", choice("1")), ("rescan", FLAG),
        ("state", choice("pause", "resume")), ("muted", choice("muted", "unmuted")), ("x[action]", TEXT),
    ],
)  # fmt: skip
def test_commands_say_by_a_verb_what_is_to_be_done(name: str, shape: Typed) -> None:
    assert commands(name, shape)


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("order", choice("asc", "desc")), ("sort", TEXT), ("method", Typed("integer")), ("start", Typed("integer")),
        ("branch", TEXT), ("commit", TEXT), ("state", choice("open", "closed")), ("include_deleted", FLAG),
        ("namedSet", TEXT), ("watch", FLAG), ("limit", Typed("integer")), ("q", TEXT), ("archived", FLAG),
    ],
)  # fmt: skip
def test_what_only_chooses_what_is_shown_is_no_command(name: str, shape: Typed) -> None:
    assert not commands(name, shape)


@pytest.mark.parametrize("name", ["muted", "paused", "archived", "is_locked", "seen", "enable_alerts", "approved"])
def test_participles_of_verbs_may_set_a_state(name: str) -> None:
    assert sets_state(name, FLAG)


@pytest.mark.parametrize("name", ["expanded", "detailed", "include_archived", "with_deleted", "verbose"])
def test_participles_of_how_an_answer_is_shown_do_not(name: str) -> None:
    assert not sets_state(name, FLAG)


def test_what_is_described_as_a_choice_of_what_is_shown_changes_nothing() -> None:
    assert not commands("action", TEXT, "Select only change logs with the specified action.")
    assert not sets_state("deleted", FLAG, "If true, the response will include soft-deleted subjects.")
    assert sets_state("muted", FLAG, "Mute the watch, and return it")


def test_a_value_that_only_asks_is_told_by_its_verb() -> None:
    assert [only_asks(value) for value in ("query", "list", "getUser", "delete", "docrev-zzz", True, None)] == [
        True, True, True, False, False, False, False,
    ]  # fmt: skip
