"""Which changes are written: by class, and by what a person declined."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from revisekit import experience, explored, fact, origin
from test_revision_texts import revised, texts

from docrev.records import ChangeClass
from docrev.revision import Revision, write
from docrev.revision.selection import Offer, UnwantedOffers, WantedChanges
from docrev.spec.change_classes import by_worth
from docrev.spec.lock import LOCK_NAME, read_lock

LIST = "GET /authors"
COUNTRY = "/paths/~1authors/get/parameters/1"
CLAMPED = "Silently capped at the server's limit (9)."
DEFAULT = "Defaults to `3`."


@pytest.fixture
def library(tmp_path: Path) -> tuple[Path, Path]:
    known = [fact(LIST, "clamps", "query:country", {"maximum": 9}), fact(LIST, "default", "query:country", 3)]
    return explored(tmp_path, facts=[origin(), *known], lessons=[experience()])


def keep(revision: Revision, path: Path) -> None:
    write([(revision.documents[str(path)], path)])


def select(path: Path, evidence: Path, selection: WantedChanges, **options: Any) -> Revision:
    return revised(path, evidence, selection=selection, **options)


def classes(revision: Revision) -> set[ChangeClass]:
    return {offer.category for offer in revision.offers}


def offered(revision: Revision, text: str) -> Offer:
    [found] = [offer for offer in revision.offers if offer.text == text]
    return found


def test_a_statement_of_another_class_is_left_out_of_a_text(library: tuple[Path, Path]) -> None:
    both = texts(revised(*library))[COUNTRY].after
    assert CLAMPED in both
    assert DEFAULT in both
    only = select(*library, WantedChanges(only=["trap"]))
    assert classes(only) == {"trap"}
    assert CLAMPED in texts(only)[COUNTRY].after
    assert DEFAULT not in texts(only)[COUNTRY].after
    skip = select(*library, WantedChanges(skip=["trap", "wording"]))
    assert classes(skip).isdisjoint({"trap", "wording"})
    assert DEFAULT in texts(skip)[COUNTRY].after


@pytest.mark.parametrize("edit", ["docs", "contract"])
def test_class_by_class_comes_to_the_same_as_all_at_once(library: tuple[Path, Path], tmp_path: Path, edit: str) -> None:
    path, evidence = library
    whole = revised(path, evidence, edit=edit)
    every = classes(whole)
    assert len(every) > 3
    for category in by_worth(every):
        keep(select(path, evidence, WantedChanges(only=[category]), edit=edit), path)
    assert revised(path, evidence, edit=edit).changes == ()
    assert path.read_text() == whole.documents[str(path)].text


def test_what_is_there_already_stays_whatever_is_selected(library: tuple[Path, Path]) -> None:
    path, evidence = library
    keep(revised(path, evidence), path)
    before = path.read_text()
    for selection in (WantedChanges(only=["example"]), WantedChanges(skip=["wording", "trap"])):
        assert select(path, evidence, selection).changes == ()
    assert path.read_text() == before


def test_what_was_declined_is_not_offered_again_until_its_facts_change(
    library: tuple[Path, Path], tmp_path: Path
) -> None:
    path, evidence = library
    declined = offered(revised(path, evidence), DEFAULT).key
    first = select(path, evidence, WantedChanges(choice=UnwantedOffers(declined=frozenset({declined}))))
    assert DEFAULT not in texts(first)[COUNTRY].after
    assert CLAMPED in texts(first)[COUNTRY].after
    keep(first, path)
    assert "rejected" in (path.parent / LOCK_NAME).read_text()
    assert revised(path, evidence).changes == ()
    changed = [fact(LIST, "clamps", "query:country", {"maximum": 9}), fact(LIST, "default", "query:country", 4)]
    _, newer = explored(tmp_path / "newer", facts=[origin(), *changed], lessons=[experience()])
    assert "Defaults to `4`." in texts(revised(path, newer))[COUNTRY].after


def test_what_was_postponed_is_offered_again(library: tuple[Path, Path]) -> None:
    path, evidence = library
    later = offered(revised(path, evidence), DEFAULT).key
    keep(select(path, evidence, WantedChanges(choice=UnwantedOffers(postponed=frozenset({later})))), path)
    again = revised(path, evidence)
    assert [offer.text for offer in again.offers] == [DEFAULT]
    assert again.changes[0].classes == ("bound",)


def test_a_change_of_the_contract_and_an_experience_can_be_declined(library: tuple[Path, Path]) -> None:
    path, evidence = library
    whole = revised(path, evidence, edit="contract")
    keys = {offer.key for offer in whole.offers if offer.key.pointer.endswith(("/x-docrev", "/default", "/format"))}
    assert keys
    keep(select(path, evidence, WantedChanges(choice=UnwantedOffers(declined=frozenset(keys))), edit="contract"), path)
    lock = read_lock(path.parent / LOCK_NAME).sections[path.name]
    assert sum(bool(mark.rejected) for mark in lock.values()) == len({key.pointer for key in keys})
    assert revised(path, evidence, edit="contract").changes == ()
    assert "x-docrev" not in path.read_text()


def test_with_all_declined_nothing_is_written_but_the_lock_file(library: tuple[Path, Path]) -> None:
    path, evidence = library
    before = path.read_bytes()
    every = frozenset(offer.key for offer in revised(path, evidence).offers)
    nothing = select(path, evidence, WantedChanges(choice=UnwantedOffers(declined=every)))
    assert nothing.changes == ()
    keep(nothing, path)
    assert path.read_bytes() == before
    assert revised(path, evidence).changes == ()
