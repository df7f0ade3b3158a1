"""Experience, contract, links, a model's own words, and how names are spoken."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from revisekit import SPEC, experience, explored, key, labels_of, origin
from test_revision_texts import revised, texts

from docrev.errors import ModelError
from docrev.evidence import Evidence
from docrev.language.path_subjects import owner, subject
from docrev.language.phrases import humanise
from docrev.prompts.documenting import DocumentOperation, OperationTexts, PlaceText, ReviewDocuments
from docrev.prompts.questions import AnswerT, Prompt
from docrev.revision import compose_revision
from docrev.revision.existing_texts import judge
from docrev.revision.quotations import quote
from docrev.spec import load


def test_experience_stands_on_the_operation_that_was_wrongly_chosen(tmp_path: Path) -> None:
    scenario, learned = experience()
    again = replace(learned, scenario="Find the email of Kafka.")
    revision = revised(*explored(tmp_path, lessons=[(scenario, learned), (scenario, again)]))
    [change] = [change for change in revision.changes if change.pointer == "/paths/~1books/get/x-docrev"]
    [entry] = change.after["experience"]
    assert list(entry) == ["text", "use"]
    assert entry["text"] == "For the email of an author, use `GET /authors/{author_id}`."
    assert entry["use"] == "GET /authors/{author_id}"


def test_experience_of_an_argument_stands_beside_the_parameter_that_it_is_of(tmp_path: Path) -> None:
    scenario, learned = experience()
    source = replace(learned, right=key("GET /authors"), wrong=learned.right, location="path:author_id", field="id")
    revision = revised(*explored(tmp_path, lessons=[(scenario, source)]))
    [change] = [change for change in revision.changes if change.pointer.endswith("author_id}/get/x-docrev")]
    [entry] = change.after["experience"]
    text = "An author ID, as in `id` of `GET /authors`."
    assert entry == {"parameter": "path:author_id", "text": text, "use": "GET /authors"}


def test_experience_of_an_argument_is_not_of_another_kind_than_a_source_that_facts_know(tmp_path: Path) -> None:
    """Where IDs are numbers, a book has nearly every ID of an author."""
    scenario, learned = experience()
    other = replace(learned, right=key("GET /books"), wrong=learned.right, location="path:author_id", field="id")
    for facts, found in (([origin()], False), ([], True)):
        revision = revised(*explored(tmp_path / str(found), facts=facts, lessons=[(scenario, other)]))
        assert any(change.pointer.endswith("author_id}/get/x-docrev") for change in revision.changes) == found


def test_experience_that_helped_in_no_fresh_task_is_not_written(tmp_path: Path) -> None:
    scenario, learned = experience()
    revision = revised(*explored(tmp_path, lessons=[(scenario, replace(learned, helped=()))]))
    assert revision.changes
    assert "For the email" not in str([change.after for change in revision.changes])


def test_a_revision_without_experience_says_nothing_of_it(tmp_path: Path) -> None:
    path, evidence = explored(tmp_path, lessons=[experience()])
    assert "For the email" in str([change.after for change in revised(path, evidence).changes])
    plain = revised(path, evidence, experience=False)
    assert plain.changes
    assert "For the email" not in str([change.after for change in plain.changes])


def test_docs_touch_nothing_but_texts(tmp_path: Path) -> None:
    revision = revised(*explored(tmp_path, facts=[origin()], lessons=[experience()]))
    assert {change.pointer.rpartition("/")[2] for change in revision.changes} == {"description", "x-docrev"}
    assert {change.edit for change in revision.changes} == {"docs"}


def test_contract_declares_path_parameters_and_properties_that_every_answer_had(tmp_path: Path) -> None:
    undeclared = "\n        - {name: author_id, in: path, required: true, schema: {type: integer}}   # a number"
    spec = SPEC.replace("      parameters:" + undeclared + "\n", "").replace("        id: {type: integer}\n", "")
    path, evidence = explored(tmp_path, spec, facts=[])
    revision = revised(path, evidence, edit="contract")
    made = {change.pointer: change for change in revision.changes if change.edit == "contract"}
    pointer = "/paths/~1authors~1{author_id}/get/parameters"
    assert made[pointer].after[0]["name"] == "author_id"
    assert made[pointer].after[0]["required"] is True
    assert made["/components/schemas/Author/properties/id"].after == {"type": "integer"}
    assert {fact.kind for fact in made["/components/schemas/Author/properties/id"].facts} == {"field", "type"}
    assert "/components/schemas/Author/properties/id" not in texts(revision)


def test_links_say_which_value_feeds_which_operation(tmp_path: Path) -> None:
    revision = revised(*explored(tmp_path, facts=[origin()]), links=True)
    [change] = [change for change in revision.changes if change.pointer.endswith("/links")]
    assert change.pointer == "/paths/~1authors/get/responses/200/links"
    [link] = change.after.values()
    assert link == {"operationId": "getAuthor", "parameters": {"path.author_id": "$response.body#/items/0/id"}}


class Novelist:
    """A model that answers with its own words, for operations and for parameters."""

    name = "novelist"

    def __init__(self, operation: str, parameter: str) -> None:
        self.operation, self.parameter = operation, parameter
        self.asked: list[Prompt[Any]] = []

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        self.asked.append(prompt)
        if not isinstance(prompt, DocumentOperation):
            raise ModelError("no words for this")
        labels = labels_of(prompt)
        texts = [
            PlaceText(location=place.location, evidence=labels, text=self._words(place.location))
            for place in prompt.places
            if place.location.partition(":")[0] in ("", "query", "path")
        ]
        return OperationTexts(texts=tuple(texts))  # type: ignore[return-value]

    def _words(self, location: str) -> str:
        return self.parameter if location else self.operation


@pytest.mark.parametrize(
    "invented",
    [
        "Returns the author's `shoe_size`.",
        "Returns up to 7777 authors.",
        "See https://example.org for more.",
        "word " * 60,
    ],
)
def test_a_models_words_are_taken_only_where_the_evidence_backs_them(tmp_path: Path, invented: str) -> None:
    path, folder = explored(tmp_path)
    honest = Novelist("Gives the authors on record, with `email`.", "Which authors to keep.")
    with Evidence.open(folder, write=False) as evidence:
        found = texts(asyncio.run(compose_revision(load([path]), evidence, model=honest)))
        assert found["/paths/~1authors/get"].after == ("Gives the authors on record, with `email`. Sorted by `id`.")
        assert found["/paths/~1authors/get/parameters/1"].after.startswith("Which authors to keep.")
        found = texts(asyncio.run(compose_revision(load([path]), evidence, model=Novelist(invented, invented))))
    assert found["/paths/~1authors/get"].after == "Sorted by `id`."
    assert not any(invented.strip() in change.after for change in found.values())


def test_an_operation_is_one_question_with_what_people_have_described(tmp_path: Path) -> None:
    path, folder = explored(tmp_path)
    model = Novelist("", "")
    with Evidence.open(folder, write=False) as evidence:
        asyncio.run(compose_revision(load([path]), evidence, model=model))
    asked = [str(prompt.operation.operation) for prompt in model.asked if isinstance(prompt, DocumentOperation)]
    assert len(asked) == len(set(asked)) > 2
    assert {"GET /authors", "GET /authors/{author_id}"} <= set(asked)
    assert sum(isinstance(prompt, ReviewDocuments) for prompt in model.asked) == 1


def test_a_model_is_shown_no_personal_values(tmp_path: Path) -> None:
    path, folder = explored(tmp_path)
    model = Novelist("Words.", "Words.")
    with Evidence.open(folder, write=False) as evidence:
        asyncio.run(compose_revision(load([path]), evidence, model=model))
    assert model.asked
    assert "books.test" not in "".join(map(repr, model.asked))


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("", (), "empty"),
        ("The author id.", ("author_id",), "restated"),
        ("Get city", ("/cities/{id}", "getCity"), "restated"),
        ("IATA code", ("code",), "short"),
        ("The number of the gate that passengers go to.", ("gate",), "good"),
        ("Die Nummer des Flugsteigs, an den die Reisenden gehen.", ("gate",), "foreign"),
        ("搭乗口の番号", ("gate",), "foreign"),
        ("Identifiant de la ville", ("id",), "foreign"),
        ("Café list with prices and opening times of each", ("cafes",), "good"),
    ],
)
def test_texts_are_judged(text: str, names: tuple[str, ...], expected: str) -> None:
    assert judge(text, names) == expected


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("elevation_ft", "elevation in feet"),
        ("areaKm2", "area in square kilometres"),
        ("iata", "IATA code"),
        ("iso3", "ISO 3 code"),
        ("lat", "latitude"),
        ("country_code", "country code"),
        ("vote_count", "number of votes"),
        ("id", "id"),
        ("日付", "日付"),
    ],
)
def test_names_are_spoken(name: str, spoken: str) -> None:
    assert humanise(name) == spoken


def test_paths_are_about_something() -> None:
    assert (subject("/countries/{code}/cities").many, subject("/countries/{code}/cities").of) == (
        "cities",
        " of a country",
    )
    assert subject("/v2/cities/{city_id}").by == "id"
    assert subject("/cities/nearest").which == "nearest"
    assert subject("/cities/search").action == "Searches"
    assert subject("/reports/density").noun == "density report"
    assert subject("/search/tv").many == "TVs"
    assert subject("/movie/now_playing").which == "now playing"
    stocked = subject("/products/in-stock")
    assert (stocked.many, stocked.select(stocked.many)) == ("products", "products in stock")
    assert subject("/payments/all/paginated").many == "payments"
    assert subject("/browse/categories").many == "categories"
    assert subject("/stats").as_written == "stats"
    assert subject("/").noun == ""
    assert owner("/countries/{code}/cities", "code") == "country"


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ("BRU", "`BRU`"),
        (42, "`42`"),
        (True, "`true`"),
        ("a`b\nc\u202e\u200bd", "`a'b cd`"),
        ("\u2063\u3164", ""),
        ("x" * 100, "`" + "x" * 79 + "…`"),
    ],
)
def test_values_are_quoted_visible_and_cut(value: object, quoted: str) -> None:
    assert quote(value) == quoted
