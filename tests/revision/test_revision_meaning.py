"""A text says no more than its evidence: claims that need several values, a value beyond, or a call without one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from revisekit import call, explored, labels_of, page

from docrev.evidence import Evidence
from docrev.facts.tried_values import tried_values
from docrev.prompts.documenting import Complaint, Complaints, DocumentOperation, OperationTexts, PlaceText
from docrev.prompts.questions import AnswerT, Prompt
from docrev.revision import Revision, compose_revision
from docrev.revision.meaning_checks import TextEvidence as Backing
from docrev.revision.meaning_checks import overstatements
from docrev.spec import load

GET = "GET /authors"
TEN = [{"id": at} for at in range(10)]
LIMITS = tried_values(
    [
        call(GET, page(TEN)),
        call(GET, page(TEN[:2]), query_limit=2),
        call(GET, page(TEN), query_limit=50),
        call(GET, {"detail": "no"}, status=422, query_limit=0),
    ],
    "query:limit",
)
LANGUAGES = tried_values(
    [call(GET, page(TEN)), call(GET, page(TEN), query_lang="de"), call(GET, page(TEN), query_lang="fr")], "query:lang"
)
ONE = tried_values([call(GET, page(TEN)), call(GET, page(TEN), query_lang="de")], "query:lang")
CASES = tried_values(
    [call(GET, page(TEN[:1]), query_country="IT"), call(GET, page([]), query_country="it")], "query:country"
)


@pytest.mark.parametrize(
    ("text", "backing"),
    [
        ("Cut at 10: `50` returns 10.", Backing(tried=LIMITS)),
        ("Has no effect.", Backing(tried=LANGUAGES)),
        ("Ignored, whatever its value.", Backing(tried=LANGUAGES)),
        ("10 authors by default.", Backing(tried=LIMITS)),
        ("Unknown values match nothing.", Backing(tried=CASES, returned={"IE"})),
        ("Case-sensitive.", Backing(tried=CASES)),
        ("Is required.", Backing(required=True, calls=[call(GET, {})])),
        ("Lists authors with their `id`.", Backing(calls=[call(GET, page(TEN))])),
    ],
)
def test_what_the_evidence_shows_may_be_said(text: str, backing: Backing) -> None:
    assert list(overstatements(text, backing)) == []


@pytest.mark.parametrize(
    ("text", "backing"),
    [
        ("Cut at 100.", Backing(tried=LIMITS)),
        ("Has no effect.", Backing(tried=ONE)),
        ("Ignored.", Backing(tried=LIMITS)),
        ("Defaults to `IT`.", Backing(tried=CASES)),
        ("Unknown values leave them unchanged.", Backing(tried=ONE)),
        ("Unknown values match nothing.", Backing(tried=CASES, returned={"IT", "it"})),
        ("Case-insensitive.", Backing(tried=LIMITS)),
        ("Is required.", Backing(calls=[call(GET, page(TEN))])),
        ("Any value is taken.", Backing(calls=[call(GET, page(TEN), query_lang="de")])),
        ("Lists authors.", Backing()),
    ],
)
def test_what_it_does_not_show_may_not(text: str, backing: Backing) -> None:
    assert list(overstatements(text, backing))


class Reader:
    """Writes `texts` for the limit, one after another, and complains of the first if it is to."""

    name = "reader"

    def __init__(self, *texts: str, complains: bool = False) -> None:
        self.texts, self.complains = list(texts), complains
        self.asked: list[DocumentOperation] = []

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        if not isinstance(prompt, DocumentOperation):
            found = [Complaint(operation=self.asked[0].operation, location="query:limit", problem="Which?")]
            return Complaints(complaints=tuple(found) if self.complains else ())  # type: ignore[return-value]
        places = [place.location for place in prompt.places]
        if "query:limit" not in places or not self.texts:
            return OperationTexts()  # type: ignore[return-value]
        self.asked.append(prompt)
        text = PlaceText(location="query:limit", evidence=labels_of(prompt), text=self.texts.pop(0))
        return OperationTexts(texts=(text,))  # type: ignore[return-value]


def revised(tmp_path: Path, reader: Reader) -> tuple[Revision, str]:
    path, folder = explored(tmp_path)
    with Evidence.open(folder, write=False) as evidence:
        revision = asyncio.run(compose_revision(load([path]), evidence, model=reader))
    return revision, "\n".join(document.text for document in revision.documents.values())


def test_a_text_that_is_refused_twice_is_cut_to_what_is_shown(tmp_path: Path) -> None:
    reader = Reader("Sends 7777 things.", "Bounds the authors returned. Any number of pages is 7777.")
    revision, text = revised(tmp_path, reader)
    assert "Bounds the authors returned." in text
    assert "7777" not in text
    assert revision.trust["cut"] == 1
    assert [place.location for place in reader.asked[1].places] == ["query:limit"]


def test_what_a_reader_of_the_whole_complains_of_is_written_anew(tmp_path: Path) -> None:
    reader = Reader("Bounds things.", "Bounds the authors returned.", complains=True)
    revision, text = revised(tmp_path, reader)
    assert "Bounds the authors returned." in text
    assert "Bounds things." not in text
    assert revision.trust == {"kept": 2, "complaint": 1}
    assert reader.asked[1].complaints == ("query:limit: Which?",)


def test_a_reader_without_complaints_costs_one_question_more(tmp_path: Path) -> None:
    revision, text = revised(tmp_path, Reader("Bounds the authors returned."))
    assert "Bounds the authors returned." in text
    assert revision.trust == {"kept": 1}
