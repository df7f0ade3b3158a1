"""Texts that are made to be read slowly: patterns read them at once, and no reader fails on them."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from regex_attacks import attacks_on, patterns_of

from docrev.agent.clauses import read_clauses
from docrev.conventions.error_hints import read_hints
from docrev.language.characters import without_long_runs
from docrev.prompts.conversation import read_action

HANGS = 10
"""Seconds of processor after which a pattern is taken to hang: it needs a few milliseconds."""


@contextmanager
def ended(where: str) -> Iterator[None]:
    """Stop what hangs: regular expressions look for signals."""

    def stop(*_: object) -> None:
        raise AssertionError(f"{where} hangs")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


CUT_FIRST = ("docrev.conventions", "docrev.language", "docrev.models", "docrev.calls")
"""Packages whose patterns read texts without long runs alone."""
WHOLE = ("docrev.agent", "docrev.facts", "docrev.planner", "docrev.spec", "docrev.traffic", "docrev.revision")


@pytest.mark.long
@pytest.mark.parametrize("package", [*CUT_FIRST, *WHOLE])
def test_no_pattern_hangs_on_what_it_repeats(package: str) -> None:
    found = patterns_of(package)
    attacked = 0
    for pattern, place in found.items():
        for text in sorted(attacks_on(pattern)):
            with ended(f"{place} on {text[:60]!r}"):
                pattern.search(without_long_runs(text) if package in CUT_FIRST else text)
            attacked += 1
    assert attacked > 30


@pytest.mark.parametrize(
    "text", ["find" + " " * 200_000, "find A" + " and A" * 3_000, "find " + "<1" * 8_000, "Thought:" + "\n" * 4_000]
)
def test_a_task_and_a_turn_that_are_made_to_be_read_slowly_are_read(text: str) -> None:
    with ended(text[:30]):
        assert read_clauses(text)[0].deed == "read"
    with ended(text[:30]), pytest.raises(ValueError, match="no Action"):
        read_action(f"{text}\nAction: x\nAction Input")


@pytest.mark.parametrize(
    "text",
    [
        *("1" * 3900, "when" + " this" * 700, "a: " * 1300, "a" + " " * 3900 + "b", "one of the parameters: a, " * 150),
        *("a is bad" + " " * 3900 + "!", "a" + "\n" * 3900 + "b", "unknown path parameter(s) in " + " " * 3900),
        *("a" * 3000 + " and b must both", "minimum allowed length of " + " " * 3900),
    ],
)
def test_a_message_that_is_made_to_be_read_slowly_is_read(text: str) -> None:
    with ended(text[:30]):
        assert len(read_hints(400, {}, {"detail": text})) <= 2


@pytest.mark.parametrize("text", ["a" * 60_000, "a.b" * 20_000, "1" * 60_000])
def test_an_error_of_one_endless_word_is_read(text: str) -> None:
    with ended(text[:30]):
        assert read_hints(400, {}, {"error": text}) == []


def test_words_blanks_and_what_has_none_end_and_the_rest_stays() -> None:
    text = f"a{' ' * 50}b\n{' ' * 50}c {'d' * 500} {'-.' * 400}"
    blanks = " " * 8
    assert without_long_runs(text) == f"a{blanks}b\n{' ' * 7}c {'d' * 100} {'-.' * 200} {'-.' * 200}"
    usual = "1 validation error for X\nsub.n\n  Input should be greater than 1 " + "x" * 90
    assert without_long_runs(usual) == usual
