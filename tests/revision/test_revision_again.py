"""Revising again: nothing changes, what a person wrote since stays, and what has moved on is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from revisekit import (
    AUTHORS,
    SPEC,
    call,
    effects,
    experience,
    explored,
    fact,
    keep,
    key,
    library_calls,
    origin,
    page,
    write_spec,
)
from test_revision_texts import revised, texts

from docrev.revision import Revision, write
from docrev.revision.selection import WantedChanges
from docrev.spec import Put, load
from docrev.spec.change_classes import CLASSES
from docrev.spec.marks import Marks, written
from docrev.spec.validate import validate


@pytest.fixture
def library(tmp_path: Path) -> tuple[Path, Path]:
    return explored(tmp_path, facts=[origin()], lessons=[experience()])


def put(revision: Revision, path: Path) -> str:
    write([(revision.documents[str(path)], path)])
    return path.read_text()


@pytest.mark.parametrize("options", [{}, {"edit": "contract"}, {"links": True}, {"profile": "gpt-actions"}])
def test_a_second_revision_changes_nothing(library: tuple[Path, Path], options: dict[str, Any]) -> None:
    path, evidence = library
    assert put(revised(path, evidence, **options), path) != SPEC
    again = revised(path, evidence, **options)
    assert again.changes == ()
    assert again.findings == ()


CORRECTED = """\
openapi: "3.0.3"
info: {title: Library, version: "1"}
paths:
  /authors:
    get:
      parameters:
        - {name: limit, in: query, description: "How many, up to 500.", schema: {type: integer}}
        - {name: born, in: query, description: Books in thousands., schema: {type: integer}}
        - {name: state, in: query, description: "new, sent or done", schema: {type: string}}
        - {name: country, in: query, description: Country name., schema: {type: string}}
      responses: {200: {description: OK}}
"""


def test_what_was_corrected_stays_as_it_was_written_whatever_is_selected(tmp_path: Path) -> None:
    listed = "GET /authors"
    calls = [call(listed, page(AUTHORS[2:5:2], 2), query_country=code) for code in ("IT", "FR")]
    calls += [call(listed, page(AUTHORS)), *(call(listed, page(AUTHORS[:n]), query_limit=n) for n in (3, 5))]
    known = [
        fact(listed, "clamps", "query:limit", {"maximum": 50}),
        fact(listed, "default", "query:limit", 20),
        fact(listed, "at-least", "query:born", "200:/items/0/id"),
        fact(listed, "unrecognised", "query:state", {"ignored": ["sent"], "others": ["open"]}),
        fact(listed, "unknown-values", "query:state", "ignored"),
        fact(listed, "filters", "query:country", "200:/items/0/country"),
    ]
    path, evidence = explored(tmp_path, CORRECTED, calls=calls, facts=known)
    before = put(revised(path, evidence), path)
    for text in (
        "How many, up to 50, not 500. Defaults to `20`.",
        "Books, as in `id`, not in thousands.",
        "`new`, `done`, `open`; `sent` is ignored.",
        "Country code, not a name.",
    ):
        assert text in before
    choices = [WantedChanges(**{which: [name]}) for which in ("only", "skip") for name in CLASSES]
    for selection in (WantedChanges(), *choices):
        assert put(revised(path, evidence, selection=selection), path) == before


def test_every_line_that_no_change_names_is_untouched(library: tuple[Path, Path]) -> None:
    path, evidence = library
    after = put(revised(path, evidence), path).splitlines()
    # These are flow mappings on one line, or hold the text itself.
    changed = (
        "name: country, in",
        "total: {",
        "description: L",
    )
    gone = [line for line in SPEC.splitlines() if line not in after]
    assert gone
    assert all(any(word in line for word in changed) for line in gone)
    assert after[0] == "# Kept by hand."
    assert any(line.endswith("# a number") for line in after)


def test_text_that_a_person_edited_since_stays_and_is_reported(library: tuple[Path, Path]) -> None:
    path, evidence = library
    text = put(revised(path, evidence), path)
    mine = "Authors, oldest ids first."
    edited = text.replace("Sorted by `id`.", mine).replace("Example: `IT`.", "Its code.")
    assert edited.count(mine) == 1
    path.write_text(edited)
    again = revised(path, evidence)
    assert again.changes == ()
    assert [finding.id for finding in again.findings] == ["edited-since", "edited-since"]


def test_a_text_that_a_person_removed_is_not_written_again(library: tuple[Path, Path]) -> None:
    path, evidence = library
    text = put(revised(path, evidence), path)
    told = "      description: Every valid request observed failed with 500.\n"
    assert text.count(told) == 1
    path.write_text(text.replace(told, ""))
    assert revised(path, evidence).changes == ()


def test_what_docrev_wrote_is_rewritten_when_the_evidence_moves_on(tmp_path: Path, library: tuple[Path, Path]) -> None:
    path, evidence = library
    put(revised(path, evidence), path)
    more = [one for one in library_calls() if one.key.operation != "GET /broken"]
    more.append(call("GET /broken", {"state": "ok", "since": 1}))
    _, newer = explored(tmp_path / "newer", calls=more)
    found = texts(revised(path, newer))
    assert found["/paths/~1broken/get"].after == "The response contains `since` and `state`."
    assert found["/paths/~1broken/get"].before == "Every valid request observed failed with 500."


def test_text_that_was_appended_is_replaced_without_touching_the_original(
    tmp_path: Path, library: tuple[Path, Path]
) -> None:
    path, evidence = library
    put(revised(path, evidence), path)
    scenario, learned = experience()
    other = replace(learned, right=key("GET /authors"))
    _, newer = explored(tmp_path / "newer", lessons=[(scenario, other)])
    after = texts(revised(path, newer))["/paths/~1books/get"].after
    assert after == (
        "Lists the books that are in print this year. Each book has `isbn`."
        " For the email of an author, use `GET /authors`."
    )


def test_the_words_of_an_earlier_version_are_replaced(tmp_path: Path) -> None:
    """An earlier version wrote other sentences, with its marks inside the spec: alone, and behind a person's text."""
    earlier = {
        "/paths/~1authors/get/description": ("", "Lists authors, sorted by `id`, 12 a page."),
        "/paths/~1books/get/description": (
            "Lists the books that are in print this year. ",
            "For the email of an author use `GET /authors/{author_id}`.",
        ),
        "/paths/~1broken/get/description": ("", "Broken: every call is answered 500."),
    }
    path, evidence = explored(tmp_path, facts=[origin(), *effects()], lessons=[experience()])
    document = load([path]).documents[str(path)]
    marks = Marks.of(document.tree, {})
    for pointer, (_, added) in earlier.items():
        marks.put(pointer, written(added))
    texts_before = [Put(pointer, original + added) for pointer, (original, added) in earlier.items()]
    marked = document.edited([*texts_before, Put("/x-docrev", {"texts": marks.inline()})])
    assert revised(path, evidence).changes
    fresh = texts(revised(path, evidence))
    path.write_bytes(marked.to_bytes())
    again = revised(path, evidence)
    assert [finding.id for finding in again.findings] == ["marks-moved"]
    found = texts(again)
    for pointer, (original, added) in earlier.items():
        change = found[pointer.removesuffix("/description")]
        assert change.before == original + added
        assert change.after == fresh[pointer.removesuffix("/description")].after
    assert "x-docrev:\n  texts" not in put(again, path)
    assert (path.parent / "docrev.lock").exists()
    assert revised(path, evidence).changes == ()


def test_a_parameter_may_move_without_losing_its_mark(library: tuple[Path, Path]) -> None:
    path, evidence = library
    text = put(revised(path, evidence), path)
    limit = "        - $ref: '#/components/parameters/Limit'\n"
    at = text.index("        - {name: country")
    line = text[at : text.index("\n", at) + 1]
    path.write_text(text.replace(limit + line, line + limit))
    assert path.read_text() != text
    assert revised(path, evidence).changes == ()


def test_a_spec_that_changed_since_is_a_finding_and_nothing_is_misplaced(
    tmp_path: Path, library: tuple[Path, Path]
) -> None:
    _, evidence = library
    gone = SPEC.replace("  /broken:", "  /mended:")
    path = write_spec(tmp_path / "specs", gone)
    found = revised(path, evidence)
    assert [finding.id for finding in found.findings] == ["operation-gone"]
    assert "library GET /broken" in found.findings[0].message
    assert not any("mended" in change.pointer for change in found.changes)


def test_a_digest_that_differs_is_a_finding(tmp_path: Path) -> None:
    path, evidence = explored(tmp_path)
    path.write_text(SPEC + "# later\n")
    assert [finding.id for finding in revised(path, evidence).findings] == ["spec-changed"]


@pytest.mark.parametrize("options", [{}, {"edit": "contract", "links": True}])
def test_a_revised_spec_has_no_error_that_the_original_did_not_have(tmp_path: Path, options: dict[str, Any]) -> None:
    spec = SPEC.replace("        200: {description: OK}\n", "        200: {}\n", 1)
    path, evidence = explored(tmp_path, spec, facts=[origin()], lessons=[experience()])
    before = {finding.message for finding in validate(load([path]).documents[str(path)])}
    revision = revised(path, evidence, **options)
    after = {finding.message for finding in validate(revision.documents[str(path)])}
    assert before
    assert after == before
    assert revision.changes


def test_yaml_aliases_are_described_for_none_of_their_users(tmp_path: Path) -> None:
    spec = SPEC.replace("total: {type: integer}", "total: &whole {type: integer}")
    spec = spec.replace("id: {type: integer}", "id: *whole")
    path, evidence = explored(tmp_path, spec)
    put(revised(path, evidence), path)
    document = load([path]).documents[str(path)]
    assert "description" not in document.get("/components/schemas/AuthorList/properties/total")
    assert document.get("/components/schemas/Author/properties/id") == {"type": "integer"}


def test_swagger_2_in_one_line_of_json_is_revised_in_place(tmp_path: Path) -> None:
    spec = (
        '{"swagger":"2.0","info":{"title":"L","version":"1"},"paths":{"/authors":{"get":{"parameters":[{"name":"limit",'
        '"in":"query","type":"integer"}],"responses":{"200":{"description":"OK","schema":{"type":"object",'
        '"properties":{"items":{"type":"array","items":{}},"total":{"type":"integer"}}}}}}}}}'
    )
    calls = [call("GET /authors", page(AUTHORS[:2]), query_limit=2), call("GET /authors", page(AUTHORS))]
    path = write_spec(tmp_path / "specs", spec, "library.json")
    evidence = keep(tmp_path / "evidence", load([path]), calls)
    text = put(revised(path, evidence), path)
    assert text.count("\n") == 0
    assert "Each author has `country`, `email`, `id` and `name`. Sorted by `id`." in text
    assert revised(path, evidence).changes == ()
