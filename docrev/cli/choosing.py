"""`docrev revise --interactive`: offers accepted by class or one by one, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import partial

import click

from docrev.cli.printing import echo
from docrev.records import ChangeClass
from docrev.revision.selection import Offer, UnwantedOffers
from docrev.spec.change_classes import CLASSES, TITLES

SHOWN = 10
"""Offers of a class that are shown before the question; the rest are shown one by one."""
_OF_CLASS = {
    "y": "write all of them",
    "n": "write none, and do not offer them again while their facts are the same",
    "l": "later: write none this time",
    "o": "decide one by one",
    "q": "quit: write what was accepted so far, and the rest later",
}
_OF_ONE = {
    "y": "write this",
    "n": "do not write this, and do not offer it again while its facts are the same",
    "l": "later: not this time",
    "a": "write this and all that are left of this class",
    "q": _OF_CLASS["q"],
}


_red, _green = partial(click.style, fg="red"), partial(click.style, fg="green")


def choose(offers: Sequence[Offer]) -> UnwantedOffers:
    """What a person accepts of these offers, asked class by class, the most valuable first."""
    answers: dict[Offer, str] = {}
    for category in CLASSES:
        members = [offer for offer in offers if offer.category == category]
        if members and "q" not in answers.values():
            answers |= _answers(category, members)
    rest = {offer.key for offer in offers if answers.get(offer, "q") in "lq"}
    return UnwantedOffers(frozenset(offer.key for offer, answer in answers.items() if answer == "n"), frozenset(rest))


def _answers(category: ChangeClass, members: Sequence[Offer]) -> dict[Offer, str]:
    """The answer to each offer of a class; those behind a `q` have none."""
    echo(f"\n{TITLES[category]} ({len(members)})", err=True)
    for offer in members[:SHOWN]:
        _show(offer)
    if len(members) > SHOWN:
        echo(f"  … and {len(members) - SHOWN} more", err=True)
    answer = _ask(f"Write {'them' if len(members) > 1 else 'it'}?", _OF_CLASS if len(members) > 1 else _OF_ONE)
    return _one_by_one(members) if answer == "o" else dict.fromkeys(members, "y" if answer == "a" else answer)


def _one_by_one(members: Sequence[Offer]) -> dict[Offer, str]:
    answers: dict[Offer, str] = {}
    for number, offer in enumerate(members, 1):
        _show(offer)
        answer = _ask(f"({number}/{len(members)}) Write it?", _OF_ONE)
        if answer == "a":
            return answers | dict.fromkeys(members[number - 1 :], "y")
        answers[offer] = answer
        if answer == "q":
            break
    return answers


def _show(offer: Offer) -> None:
    where = f"{offer.operation.operation if offer.operation else offer.key.file} {offer.place}"
    echo(f"  {where.rstrip()} ({offer.confidence})", err=True)
    for line in offer.before.splitlines():
        echo(f"    - {line}", err=True, style=_red)
    for line in offer.text.splitlines():
        echo(f"    + {line}", err=True, style=_green)


def _ask(question: str, answers: dict[str, str]) -> str:
    """One of the answers; the end of the input counts as `q`."""
    while True:
        echo(f"{question} [{','.join(answers)},?] ", nl=False, err=True)
        line = sys.stdin.readline()
        answer = line.strip().lower()[:1] if line else "q"
        if answer in answers:
            return answer
        _explain(answers.items())


def _explain(answers: Iterable[tuple[str, str]]) -> None:
    for answer, meaning in answers:
        echo(f"  {answer}  {meaning}", err=True)
