"""What refusals say is true where another request went past them, though none was ever accepted. Calls are canned."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from docrev.evidence import Evidence
from docrev.facts import infer
from docrev.records import Call, Json, OperationKey
from docrev.spec import Catalog, load

SPEC = """
openapi: 3.0.3
info: {title: club, version: "1"}
paths:
  /teams:
    get: {responses: {"200": {description: ok}}}
  /teams/{id}/members:
    parameters: [{name: id, in: path, required: true, schema: {}}]
    post: {requestBody: {content: {application/json: {schema: {}}}}, responses: {"201": {description: ok}}}
"""
TEAMS, ADD = OperationKey("club", "GET /teams"), OperationKey("club", "POST /teams/{id}/members")
LACKS, UNKNOWN = {"person_id": ["Missing data for required field."]}, {"detail": "There is no such person."}


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    (tmp_path / "club.yaml").write_text(SPEC)
    return load(tmp_path / "club.yaml")


def facts(catalog: Catalog, tmp_path: Path, answers: Sequence[tuple[Json, int, Json]]) -> set[tuple[str, str, str]]:
    """The facts on the addition of members that requests with bodies show, by the status and body of their answers."""
    with Evidence.open(tmp_path / "out", write=True) as evidence:
        evidence.begin({})
        evidence.calls.put(Call("c0", TEAMS, {}, "/teams", 200, {}, [{"id": 1}], "application/json", "survey"))
        for count, (sent, status, body) in enumerate(answers, 1):
            named = {"path:id": 1, "body:": sent}
            evidence.calls.put(
                Call(f"c{count}", ADD, named, "/teams/1/members", status, {}, body, "application/json", "survey")
            )
        found = infer(catalog, evidence)
    return {(one.kind, one.location, str(one.value)) for one in found if one.key == ADD and one.location[:4] == "body"}


def test_what_a_mended_request_is_not_asked_for_any_more_is_required(catalog: Catalog, tmp_path: Path) -> None:
    answers = [({}, 400, LACKS), ({"note": "a"}, 400, LACKS), ({"person_id": 7}, 404, UNKNOWN)]
    assert facts(catalog, tmp_path, answers) == {("required", "body:/person_id", "True")}


@pytest.mark.parametrize(
    "last",
    [
        ({"person_id": 7}, 400, LACKS),
        ({"person_id": 7}, 403, {"detail": "Forbidden"}),
        ({"person_id": 7, "force": True}, 404, UNKNOWN),
        ({"note": "b"}, 404, UNKNOWN),
        ({"person_id": 7}, 422, {"person_id": ["Unknown field."]}),
    ],
    ids=["the same again", "who may not", "another change too", "not sent", "not known"],
)
def test_what_no_request_went_past_is_not_required(
    catalog: Catalog, tmp_path: Path, last: tuple[Json, int, Json]
) -> None:
    assert not facts(catalog, tmp_path, [({}, 400, LACKS), ({}, 400, LACKS), ({"note": "a"}, 400, LACKS), last])


def test_what_is_required_in_some_cases_is_not_required(catalog: Catalog, tmp_path: Path) -> None:
    lacks = {"person_id": ["This field is required when the team is closed."]}
    answers = [({}, 400, lacks), ({"note": "a"}, 400, lacks), ({"person_id": 7}, 404, UNKNOWN)]
    assert not facts(catalog, tmp_path, answers)


def test_choices_hold_where_one_of_them_was_refused_for_something_else(catalog: Catalog, tmp_path: Path) -> None:
    refused = {"role": ["Must be one of: guest, player."]}
    answers = [({"role": "docrev"}, 400, refused), ({"role": "docrev-2"}, 400, refused)]
    assert not facts(catalog, tmp_path, answers)
    found = facts(catalog, tmp_path / "b", [*answers, ({"role": "guest"}, 404, UNKNOWN)])
    assert found == {("allowed-values", "body:/role", "['guest', 'player']")}
