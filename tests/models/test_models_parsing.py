"""Damaged answers: read as they were meant, or a named error; never anything else."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from damaged import PROMPTS, Case, corpus, read, wanted

from docrev.errors import AnswerError
from docrev.models.asking import parse

CASES = corpus()
PIECES = ["{", "}", "[", "]", '"', "'", ":", ",", "text", "same", "true", "\\", "```", "</think>", "NaN", "\n", "“"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_damaged_answer_is_read_as_it_was_meant(case: Case) -> None:
    assert read(case) == wanted(case)


def test_the_corpus_is_large_and_nearly_all_of_it_survives() -> None:
    assert len({case.name for case in CASES}) == 60
    assert sum(case.answer is not None for case in CASES) >= 57


def test_an_answer_that_is_known_to_be_cut_counts_only_if_it_was_whole() -> None:
    prompt = PROMPTS["SameExperience"]
    with pytest.raises(AnswerError):
        parse('{"same": true', prompt, cut=True)
    assert parse('{"same": true} And so on and so', prompt, cut=True).same is True


@pytest.mark.parametrize("filling", [" " * 60_000, "," * 60_000, "{ " * 40 + " " * 20_000, '"' + " " * 20_000 + '": '])
def test_an_answer_full_of_blanks_is_read_to_its_end(filling: str) -> None:
    prompt = PROMPTS["SameExperience"]
    assert parse('{"same": true, ' + filling + '"cut he', prompt).same is True


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the answer is empty"),
        ("I cannot tell.", "there is no JSON object in the answer"),
        ('{"text": "half a sen', "is missing|cut off"),
        ('{"other": 1}', "is missing|cut off"),
    ],
)
def test_what_is_wrong_is_said_so_that_it_can_be_sent_back(text: str, says: str) -> None:
    with pytest.raises(AnswerError, match=says):
        parse(text, PROMPTS["ReviseDescription"])


def test_gibberish_is_never_more_than_a_named_error() -> None:
    drawn = random.Random(7)
    for _ in range(400):
        case = drawn.choice(CASES)
        at = drawn.randint(0, len(case.text))
        text = case.text[:at] + drawn.choice(PIECES) + case.text[at + drawn.randint(0, 3) :]
        for prompt in PROMPTS.values():
            with suppress(AnswerError):
                parse(text, prompt)


@pytest.mark.parametrize(
    "text",
    ["{" * 50_000, '{"' * 30_000, "<think>" * 10_000, '{"text": "' + 'a"b ' * 20_000, "\n" * 60_000, "[" * 60_000],
    ids=["braces", "quotes", "thoughts", "unescaped", "lines", "brackets"],
)
def test_long_gibberish_is_read_to_its_end(text: str) -> None:
    with pytest.raises(AnswerError):
        parse(text, PROMPTS["NextPlan"])
