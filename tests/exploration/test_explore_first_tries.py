"""What is tried early of each service."""

from __future__ import annotations

from docrev.exploration.first_tries import FirstTries


def test_the_first_operations_of_each_service_are_told_from_the_rest() -> None:
    firsts = FirstTries()
    tried = [("desk", "pages"), ("desk", "pages"), ("desk", "pages"), ("shop", "pages"), ("desk", "null")]
    assert [firsts.is_among(2, tool, subject) for tool, subject in tried] == [True, True, False, True, True]
