"""What is written of what comes back: the status, line by line, the media type, what a list contains."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from revisekit import call, explored, fact
from test_revision_texts import revised, texts

import docrev
from docrev.records import Call, Fact

SPEC = """\
openapi: "3.0.3"
info: {title: Log, version: "1"}
paths:
  /lines:
    get:
      responses: {200: {description: OK, content: {application/json: {schema: {type: object}}}}}
    put:
      responses:
        200: {description: OK}
        422: {description: Refused, content: {text/plain: {schema: {type: string}}}}
    post:
      responses:
        200:
          description: OK
          content:
            application/json:
              schema:
                type: object
                required: [count]
                properties: {count: {type: integer}, results: {type: array, items: {$ref: '#/components/schemas/Line'}}}
  /dump:
    get:
      responses:
        200: {description: A file, content: {"application/*": {schema: {type: string, format: binary}}}}
  /journeys:
    get:
      parameters:
        - {name: from, in: query, description: City of departure., schema: {type: string}}
        - {name: unit, in: query, description: Unit., schema: {type: string}}
        - {name: since, in: query, schema: {type: string}}
        - {name: until, in: query, description: Last day., schema: {type: string}}
      responses: {200: {description: OK}}
  /stations:
    get: {responses: {200: {description: OK}}}
components:
  schemas:
    Line: {type: object, properties: {text: {type: string}, value: {description: Whatever was logged}}}
"""


def document(tmp_path: Path, *calls: Call, edit: Any = "docs") -> Any:
    [found] = revised(*explored(tmp_path, SPEC, calls=list(calls)), edit=edit).documents.values()
    return found.tree["paths"]


def text(tmp_path: Path, operation: str, *calls: Call) -> str:
    found = texts(revised(*explored(tmp_path, SPEC, calls=list(calls)))).get(operation)
    return str(found.after) if found is not None else ""


def lines(media_type: str, body: Any) -> Call:
    return replace(call("GET /lines", body), media_type=media_type)


@pytest.mark.parametrize(
    ("media_type", "body"),
    [("application/x-ndjson", [{"text": "a"}, {"text": "b"}]), ("text/plain", '{"text": "a"}\n{"text": "b"}\n')],
)
def test_an_object_on_each_line_is_called_that_and_no_list(tmp_path: Path, media_type: str, body: Any) -> None:
    written = text(tmp_path, "/paths/~1lines/get", lines(media_type, body))
    assert written.startswith("Returns a JSON object on each line, not one JSON document.")
    assert "list" not in written


def test_a_single_line_of_a_stream_is_not_taken_for_the_response(tmp_path: Path) -> None:
    one = replace(call("GET /lines", {"text": "a", "size": 1}), media_type="application/json")
    fields = [Fact(one.key, "field", "200:/size", True, (one.id,))]
    alone = texts(revised(*explored(tmp_path, SPEC, calls=[one], facts=fields)))["/paths/~1lines/get"]
    assert alone.after == "The response contains `size` and `text`."
    (tmp_path / "two").mkdir()
    two = replace(one, id="two", body='{"text": "a", "size": 1}\n{"text": "b", "size": 2}\n')
    both = texts(revised(*explored(tmp_path / "two", SPEC, calls=[one, two], facts=fields)))["/paths/~1lines/get"]
    assert both.after == "Returns a JSON object on each line, not one JSON document."


def test_a_stream_of_events_is_called_that(tmp_path: Path) -> None:
    written = text(tmp_path, "/paths/~1lines/get", lines("text/event-stream", "data: a\n\n"))
    assert written == "Returns a stream of server-sent events."
    (tmp_path / "plain").mkdir()
    assert text(tmp_path / "plain", "/paths/~1lines/get", lines("text/plain", "a\nb\n")) == ""


def test_the_schema_of_a_line_stands_at_its_own_media_type(tmp_path: Path) -> None:
    calls = [lines("application/x-ndjson", [{"text": "a"}, {"text": "b"}])]
    content = document(tmp_path, *calls, edit="contract")["/lines"]["get"]["responses"]["200"]["content"]
    assert content["application/json"] == {"schema": {"type": "object"}}
    assert content["application/x-ndjson"]["schema"]["type"] == "object"


def test_another_status_than_the_declared_one_is_told_beside_the_document_and_not_in_it(tmp_path: Path) -> None:
    calls = [call("PUT /lines", None, status=204, query_a=number) for number in range(2)]
    revision = revised(*explored(tmp_path, SPEC, calls=calls))
    assert "/paths/~1lines/put" not in texts(revision)
    [found] = revision.findings
    assert found.id == "other-status"
    assert "PUT /lines returns 204, not 200 as declared" in found.message
    assert revised(*explored(tmp_path / "again", SPEC, calls=calls), edit="contract").findings == ()


def test_the_fields_of_another_status_than_the_declared_one_are_told_with_it(tmp_path: Path) -> None:
    calls = [call("DELETE /lines", {"text": "a", "size": 1}, status=200, query_a=number) for number in range(2)]
    fields = [Fact(calls[0].key, "field", f"200:/{name}", True, (calls[0].id,)) for name in ("size", "text")]
    spec = SPEC.replace("    put:\n", "    delete: {responses: {204: {description: Gone}}}\n    put:\n", 1)
    written = texts(revised(*explored(tmp_path, spec, calls=calls, facts=fields)))
    assert written["/paths/~1lines/delete"].after == "Returns 200 with `size` and `text`."


def removing(kind: str, status: int, purpose: Any = "clean-up") -> list[Call]:
    path = f"DELETE /{kind}/{{id}}"
    calls = [call(path, None if status == 204 else {}, status=status, path_id=number) for number in range(2)]
    return [replace(each, purpose=purpose) for each in calls]


REMOVALS = """\
openapi: "3.0.3"
info: {title: Log, version: "1"}
paths:
""" + "".join(
    f"  /{kind}/{{id}}:\n    delete:\n"
    f"      parameters: [{{name: id, in: path, required: true, schema: {{type: integer}}}}]\n"
    f"      responses: {{200: {{description: OK}}}}\n"
    for kind in ("logs", "tags", "users", "boxes", "lists")
)


def test_what_a_run_could_not_remove_at_its_end_tells_the_rule(tmp_path: Path) -> None:
    rule = "Logs cannot be deleted for a closed box"
    refused = [replace(each, body={"detail": rule}) for each in removing("logs", 422)]
    good = [replace(each, id=f"good {each.id}", arguments={"path:id": 9}) for each in removing("logs", 200)]
    told = texts(revised(*explored(tmp_path / "two", REMOVALS, calls=[*good, *refused])))
    assert told["/paths/~1logs~1{id}/delete"].after == f"For some logs, returns 422: `{rule}`."
    again = [replace(refused[0], id=f"again {number}") for number in range(3)]
    gone = [replace(each, status=404) for each in refused]
    for name, others in (("one", again), ("gone", gone)):
        assert "/paths/~1logs~1{id}/delete" not in texts(
            revised(*explored(tmp_path / name, REMOVALS, calls=good + others))
        )


@pytest.mark.parametrize(
    ("statuses", "once"),
    [
        ({"logs": 204}, ""),
        (
            {"logs": 204, "tags": 204, "users": 204, "boxes": 200},
            "Most `DELETE` operations that declare 200 return 204.",
        ),
        ({"logs": 204, "tags": 204, "users": 204, "boxes": 200, "lists": 200}, ""),
    ],
)
def test_what_a_run_removes_at_its_end_shows_what_deletions_return(
    tmp_path: Path, statuses: dict[str, int], once: str
) -> None:
    calls = [each for kind, status in statuses.items() for each in removing(kind, status)]
    revision = revised(*explored(tmp_path, REMOVALS, calls=calls))
    found = texts(revision)
    head = found.get("/info")
    assert (str(head.after) if head is not None else "") == once
    told = {each.pointer.split("/")[2].split("~1")[1] for each in revision.findings if "204, not 200" in each.message}
    assert told == ({kind for kind, status in statuses.items() if status == 204} if not once else set())
    [contract] = revised(*explored(tmp_path, REMOVALS, calls=calls), edit="contract").documents.values()
    paths = contract.tree["paths"]
    assert [*paths["/logs/{id}"]["delete"]["responses"]] == ["200", "204"]


def test_an_error_of_another_media_type_leaves_the_declared_one_alone(tmp_path: Path) -> None:
    calls = [call("PUT /lines", {"detail": "no"}, status=422, query_a=number) for number in range(3)]
    calls += [call("PUT /lines", {"text": "a"}), lines("application/json", {"text": "a"})]
    content = document(tmp_path, *calls, edit="contract")["/lines"]["put"]["responses"]["422"]["content"]
    assert content["text/plain"] == {"schema": {"type": "string"}}
    assert content["application/json"]["schema"]["type"] == "object"


def test_a_list_in_place_of_a_page_has_the_items_of_the_page(tmp_path: Path) -> None:
    calls = [call("POST /lines", [{"text": "a", "value": 1}], query_a=number) for number in range(3)]
    written = document(tmp_path, *calls, edit="contract")["/lines"]["post"]["responses"]["200"]["content"]
    schema = written["application/json"]["schema"]
    assert schema == {"type": "array", "items": {"$ref": "#/components/schemas/Line"}}


def test_a_type_that_people_left_open_is_left_open(tmp_path: Path) -> None:
    calls = [call("POST /lines", [{"text": "a", "value": "x"}], query_a=number) for number in range(3)]
    [found] = revised(*explored(tmp_path, SPEC, calls=calls), edit="contract").documents.values()
    value = found.tree["components"]["schemas"]["Line"]["properties"]["value"]
    assert value == {"description": "Whatever was logged"}


def test_what_a_file_contains_is_no_field_of_the_response(tmp_path: Path) -> None:
    calls = [call("GET /dump", [{"id": number, "size": 2}]) for number in range(2)]
    assert text(tmp_path, "/paths/~1dump/get", *calls) == ""


STATIONS = [{"code": code, "city": city} for code, city in (("ABJ", "Abidjan"), ("ACC", "Accra"))]
JOURNEYS = "GET /journeys"


def parameters(tmp_path: Path, calls: list[Call], *facts: Fact) -> dict[str, str]:
    path, evidence = explored(tmp_path, SPEC, calls=calls, facts=list(facts))
    [found] = revised(path, evidence).documents.values()
    listed = found.tree["paths"]["/journeys"]["get"]["parameters"]
    return {one["name"]: one.get("description", "") for one in listed}


def test_the_example_of_a_code_names_the_list_that_has_it(tmp_path: Path) -> None:
    calls = [call("GET /stations", STATIONS), call(JOURNEYS, {"km": 3}, query_from="ABJ")]
    assert parameters(tmp_path, calls)["from"] == "City of departure. Example: `ABJ`, as in `code` of `GET /stations`."
    alike = [call("GET /stations", [{**one, "code": "ABJ"} for one in STATIONS]), calls[1]]
    (tmp_path / "alike").mkdir()
    assert parameters(tmp_path / "alike", alike)["from"] == "City of departure. Example: `ABJ`."
    partly = [call("GET /stations", [STATIONS[0], {"city": "Accra", "code": None}]), calls[1]]
    (tmp_path / "partly").mkdir()
    assert parameters(tmp_path / "partly", partly)["from"] == "City of departure. Example: `ABJ`."


def test_a_text_that_names_a_field_whose_values_are_refused_is_corrected(tmp_path: Path) -> None:
    calls = [call("GET /stations", STATIONS), call(JOURNEYS, {"km": 3}, query_from="ABJ")]
    refused = call(JOURNEYS, {"from": ["Unknown."]}, status=400, query_from="Accra")
    code = "Station `code` (from `GET /stations`) of departure, not a city."
    assert parameters(tmp_path, [*calls, refused])["from"].startswith(code)
    # Another argument may be what was refused.
    (tmp_path / "beside").mkdir()
    beside = call(JOURNEYS, {"from": ["Unknown."]}, status=400, query_from="Accra", query_unit="x")
    assert "not a city" not in parameters(tmp_path / "beside", [*calls, beside])["from"]


@pytest.mark.parametrize(
    ("refused", "text"),
    [(400, "Unit. Accepts `mi`, among others. Defaults to `km`."), (200, "Unit. Defaults to `km`.")],
)
def test_what_is_accepted_beside_the_default_of_a_checked_word_is_named(
    tmp_path: Path, refused: int, text: str
) -> None:
    calls = [
        call(JOURNEYS, {"distance": 3, "unit": "km"}),
        call(JOURNEYS, {"distance": 3, "unit": "km"}, query_unit="km"),
        replace(call(JOURNEYS, {"distance": 2, "unit": "mi"}, query_unit="mi"), purpose="probe"),
        call(JOURNEYS, {"error": "unit: not a valid choice"}, status=refused, query_unit="docrev"),
    ]
    default = replace(fact(JOURNEYS, "default", "query:unit", "km"), calls=tuple(one.id for one in calls[:3]))
    assert parameters(tmp_path, calls, default)["unit"] == text


def test_that_a_bound_is_left_out_is_said_with_what_it_does(tmp_path: Path) -> None:
    calls = [call(JOURNEYS, [{"at": 3}, {"at": 4}], query_since="3", query_until="4")]
    bounds = [fact(JOURNEYS, kind, f"query:{name}", "200:/0/at") for kind, name in BOUNDS]
    found = parameters(tmp_path, calls, *bounds)
    assert found["since"] == "Returns only journeys whose `at` is above this value (exclusive)."
    assert found["until"] == "Last day. The value itself is left out."


BOUNDS = (("more-than", "since"), ("less-than", "until"))


def test_fields_that_contradict_a_list_are_named_once_and_changes_are_called_entries(tmp_path: Path) -> None:
    spec = """\
openapi: "3.0.3"
info: {title: Names, version: "1"}
paths:
  /groups/{name}:
    get:
      parameters: [{name: name, in: path, required: true, schema: {type: string}}]
      responses: {200: {description: OK, content: {application/json: {schema: {type: array, items: {}}}}}}
  /people:
    post: {responses: {200: {description: OK, content: {application/json: {schema: {}}}}}}
  /notes:
    post: {responses: {200: {description: OK, content: {application/json: {schema: {}}}}}}
"""
    names = ("old", "new", "kind", "handle", "author")
    body = {"group": "Ada", "surname": "Lovelace"}
    change = {name: f"{name} 1" for name in names}
    facts = [fact("GET /groups/{name}", "field", f"200:/{name}", True) for name in body]
    facts.append(fact("GET /groups/{name}", "type", "200:", "object"))
    made = ("POST /people", "POST /notes")
    facts += [fact(key, "field", f"200:/0/{name}", True) for key in made for name in names]
    calls = [call("GET /groups/{name}", body, path_name=name) for name in "ab"]
    calls += [call(key, [change]) for key in made]
    [found] = revised(*explored(tmp_path, spec, calls=calls, facts=facts)).documents.values()
    told = {path: next(iter(item.values())).get("description") for path, item in found.tree["paths"].items()}
    assert told["/groups/{name}"] == "Returns an object with `group` and `surname`, not a list."
    assert told["/people"] == told["/notes"] == "Each entry has `author`, `handle`, `kind`, `new` and `old`."


def test_members_that_are_things_under_their_own_names_are_no_fields(tmp_path: Path) -> None:
    spec = """\
openapi: "3.0.3"
info: {title: Names, version: "1"}
paths:
  /services:
    get: {responses: {200: {description: OK, content: {application/json: {schema: {type: array, items: {}}}}}}}
"""
    body = {"bot": {"name": "bot", "url": ""}}
    facts = [fact("GET /services", "field", "200:/bot", True), fact("GET /services", "type", "200:", "object")]
    calls = [call("GET /services", body, query_limit=limit) for limit in (1, 2)]
    [found] = revised(*explored(tmp_path, spec, calls=calls, facts=facts)).documents.values()
    told = found.tree["paths"]["/services"]["get"]["description"]
    assert told.startswith("Returns an object that maps names to items, not a list.")
    assert "bot" not in told


def test_a_success_that_never_came_gives_way_to_the_one_that_did(tmp_path: Path) -> None:
    spec = SPEC.replace(
        "        200:\n          description: OK\n", "        200:\n          description: One more line.\n"
    )
    made = [replace(call("POST /lines", {"id": id}, status=201), id=id) for id in ("a", "b", "c")]
    facts = [fact("POST /lines", "status", "", {"status": 201, "cause": "created"})]
    for few in (2, 3):
        (folder := tmp_path / str(few)).mkdir()
        [found] = revised(*explored(folder, spec, calls=made[:few], facts=facts), edit="contract").documents.values()
        responses = found.tree["paths"]["/lines"]["post"]["responses"]
        # Of two, the next might have been another one.
        assert (set(responses), responses["201"]["description"]) == (
            ({"200", "201"}, "Created") if few == 2 else ({"201"}, "One more line.")
        )


@pytest.mark.parametrize(
    ("body", "names"),
    [({"a": 1, "paths": {}, "swagger": "2.0"}, set()), ({"a": 1, "paths": {}}, {"a", "paths"})],
)
def test_the_form_of_an_openapi_document_is_known(tmp_path: Path, body: Any, names: set[str]) -> None:
    spec = SPEC.replace(
        "/stations:\n    get: {responses: {200: {description: OK}}}", "/api:\n    get: {responses: {200: {}}}"
    )
    spec = spec.replace("{200: {}}", "{200: {description: OK, content: {application/json: {schema: {type: object}}}}}")
    seen = [replace(call("GET /api", body), id=id) for id in ("a", "b")]
    kinds = {"a": "integer", "paths": "object", "swagger": "string"}
    facts = [fact("GET /api", "status", "", {"status": 200, "cause": "success"})]
    facts += [fact("GET /api", "field", f"200:/{name}", True) for name in body]
    facts += [fact("GET /api", "type", f"200:/{name}", kinds[name]) for name in body]
    [found] = revised(*explored(tmp_path, spec, calls=seen, facts=facts), edit="contract").documents.values()
    content = found.tree["paths"]["/api"]["get"]["responses"]["200"]["content"]
    assert set(content["application/json"]["schema"].get("properties", {})) == names


def test_a_block_text_keeps_its_header(tmp_path: Path) -> None:
    spec = SPEC.replace("    get:\n", "    get:\n      description: |\n        The log.\n", 1)
    seen = replace(call("GET /lines", {"text": "a", "size": 1}), media_type="application/json")
    facts = [Fact(seen.key, "field", "200:/size", True, (seen.id,))]
    path, evidence = explored(tmp_path, spec, calls=[seen], facts=facts)
    docrev.revise(path, evidence=evidence, in_place=True)
    told = "        The log. The response contains `size` and `text`.\n"
    assert f"description: |\n{told}      responses" in path.read_text()
    # Its last line end is no edit by a person.
    again = docrev.revise(path, evidence=evidence)
    assert (again.changes, [one for one in again.findings if one.id == "edited-since"]) == ((), [])


@pytest.mark.parametrize(
    ("path", "count", "text", "findings"),
    [
        ("/lines", 1, "", []),
        ("/lines", 2, "", ["other-status"]),
        ("/lines/{number}", 2, "Returns 201 if it creates something.", []),
    ],
)
def test_what_replaces_what_there_is_one_of_creates_nothing(
    tmp_path: Path, path: str, count: int, text: str, findings: list[str]
) -> None:
    spec = yaml.safe_load(SPEC)
    spec["paths"].setdefault(path, {})["put"] = {"responses": {"200": {"description": "OK"}}}
    put = [call(f"PUT {path}", None, status=201, path_number=id, query_x=id) for id in range(count)]
    found = revised(*explored(tmp_path, yaml.safe_dump(spec), calls=put))
    key = f"/paths/{path.replace('/', '~1')}/put"
    assert [change.after for at, change in texts(found).items() if at == key] == [text] * bool(text)
    assert [one.id for one in found.findings if one.id == "other-status"] == findings
