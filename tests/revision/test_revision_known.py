"""What people or the schema say already is not written again, nor what says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from revisekit import SPEC, call, explored, fact, library_calls
from test_revision_texts import revised, texts

from docrev.evidence import Evidence
from docrev.evidence.part import EvidencePart
from docrev.revision.notes import Statement
from docrev.revision.observations import read_observations
from docrev.revision.places import Spot, spots
from docrev.revision.worth import worth
from docrev.spec import load


def test_what_a_text_says_to_be_deleted_is_not_told_again(tmp_path: Path) -> None:
    delete = "    delete: {summary: Deletes a writer and all books., responses: {204: {description: Deleted}}}\n"
    spec = SPEC.replace("  /books:\n", f"  /writers/{{id}}:\n{delete}  /books:\n")
    at = "/writers/{id}"
    gone = [fact(f"DELETE {at}", "also-deletes", "", f"library GET {at}/{name}/{{x}}") for name in ("books", "letters")]
    path, evidence = explored(tmp_path, spec, facts=gone)
    [first] = revised(path, evidence).documents.values()
    assert first.tree["paths"][at]["delete"]["description"] == "Also deletes its letters."
    path.write_text(first.text)
    assert revised(path, evidence).changes == ()


def spot_of_country(tmp_path: Path, spec: str) -> Spot:
    """The place of the parameter `country` in a spec that was explored."""
    path, folder = explored(tmp_path, spec)
    catalog = load([path])
    with Evidence.open(folder, write=False) as evidence:
        found = spots(catalog, read_observations(catalog, EvidencePart(evidence)))
    [spot] = [one for one in found if one.kind == "parameter" and one.name == "country"]
    return spot


@pytest.mark.parametrize(("default", "is_worth"), [("FR", True), ("IT", False)])
def test_the_declared_default_is_no_example(tmp_path: Path, default: str, *, is_worth: bool) -> None:
    country = "{name: country, in: query, schema: {type: string"
    spot = spot_of_country(tmp_path, SPEC.replace(country, f"{country}, default: {default}"))
    assert (worth(Statement("Example: `IT`.", "", "example", quotes=("IT",)), spot, "") > 0) == is_worth


@pytest.mark.parametrize(("enum", "is_worth"), [("", True), (", enum: [IT, FR]", False)])
def test_a_message_that_says_what_the_schema_declares_is_worth_nothing(
    tmp_path: Path, enum: str, *, is_worth: bool
) -> None:
    country = "{name: country, in: query, schema: {type: string"
    spot = spot_of_country(tmp_path, SPEC.replace(country, f"{country}{enum}"))
    message = "Input should be 'IT' or 'FR'"
    shown = fact("GET /authors", "status", "", {"status": 422, "cause": "country not valid"})
    told = Statement(f"An invalid value returns 422: `{message}`.", "status", "undeclared", (shown,), quotes=(message,))
    assert (worth(told, spot, "") > 0) == is_worth


@pytest.mark.parametrize(("fields", "is_told"), [(("message", "status"), False), (("message", "shelf"), True)])
def test_fields_that_only_confirm_a_deletion_are_not_told(
    tmp_path: Path, fields: tuple[str, ...], *, is_told: bool
) -> None:
    delete = "    delete: {responses: {200: {description: OK}}}\n"
    spec = SPEC.replace("  /books:\n", f"  /writers/{{id}}:\n{delete}  /books:\n")
    operation = "DELETE /writers/{id}"
    done = [call(operation, dict.fromkeys(fields, f"{at}")) for at in range(2)]
    known = [fact(operation, "field", f"200:/{name}", True) for name in fields]
    path, evidence = explored(tmp_path, spec, calls=[*library_calls(), *done], facts=known)
    assert ("/paths/~1writers~1{id}/delete" in texts(revised(path, evidence))) == is_told
