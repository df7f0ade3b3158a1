"""What calls must show before something is said on a state, and what looks like it and is not. Calls are canned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docrev.evidence import Evidence
from docrev.facts import infer, shows
from docrev.facts.error_contradictions import contradictions
from docrev.records import Call, Fact, JournalItem, Json, OperationKey
from docrev.spec import Catalog, load

SPEC = """
openapi: 3.0.3
info: {title: shelf, version: "1"}
paths:
  /boxes:
    get: {parameters: [{name: limit, in: query, schema: {}}], responses: {"200": {description: ok}}}
    post: {requestBody: {content: {application/json: {schema: {}}}}, responses: {"201": {description: ok}}}
  /boxes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {}}]
    get: {responses: {"200": {description: ok}}}
    put: {requestBody: {content: {application/json: {schema: {}}}}, responses: {"200": {description: ok}}}
  /boxes/{box}/books:
    parameters: [{name: box, in: path, required: true, schema: {}}]
    get: {responses: {"200": {description: ok}}}
    post: {requestBody: {content: {application/json: {schema: {}}}}, responses: {"201": {description: ok}}}
  /version:
    get: {responses: {"200": {description: ok}}}
"""
LIST, MAKE = OperationKey("shelf", "GET /boxes"), OperationKey("shelf", "POST /boxes")
ITEM, PUT = OperationKey("shelf", "GET /boxes/{id}"), OperationKey("shelf", "PUT /boxes/{id}")
ADD, BOOKS = OperationKey("shelf", "POST /boxes/{box}/books"), OperationKey("shelf", "GET /boxes/{box}/books")
VERSION = OperationKey("shelf", "GET /version")


@pytest.fixture
def evidence(tmp_path: Path) -> Iterator[Evidence]:
    with Evidence.open(tmp_path / "out", write=True) as store:
        store.begin({})
        yield store


class Calls:
    """Puts calls into the evidence under running ids, and infers; `item` are more operations on a box."""

    def __init__(self, evidence: Evidence, tmp_path: Path, item: str = "") -> None:
        (tmp_path / "shelf.yaml").write_text(SPEC.replace("  /boxes/{box}/books:", f"{item}  /boxes/{{box}}/books:"))
        self.catalog: Catalog = load(tmp_path / "shelf.yaml")
        self.evidence, self.count, self.folder = evidence, 0, tmp_path

    def __call__(self, key: OperationKey, status: int, body: Json = None, **arguments: Json) -> Call:
        self.count += 1
        named = {
            name.replace("__", ":", 1): value for name, value in arguments.items() if name not in ("sent", "headers")
        }
        if "sent" in arguments:
            named["body:"] = arguments["sent"]
        query = "&".join(f"{k.partition(':')[2]}={v}" for k, v in named.items() if k.startswith("query:"))
        url = f"http://a/v1{key.path}" + (f"?{query}" if query else "")
        call = Call(
            f"c{self.count:03}",
            key,
            named,
            url,
            status,
            arguments.get("headers", {}),
            body,
            "application/json",
            "probe",
        )
        self.evidence.calls.put(call)
        return call

    def made(self, call: Call, path: str, **arguments: Json) -> Call:
        named = {name.replace("__", ":"): value for name, value in arguments.items()}
        self.evidence.journal.put(JournalItem(f"shelf {path}", "shelf", path, named, call.id))
        return call

    def facts(self, kind: str) -> list[Fact]:
        return [fact for fact in infer(self.catalog, self.evidence) if fact.kind == kind]

    def told(self, kind: str) -> set[tuple[str, str, str]]:
        return {(fact.key.operation, fact.location, str(fact.value)) for fact in self.facts(kind)}


@pytest.fixture
def calls(evidence: Evidence, tmp_path: Path) -> Calls:
    return Calls(evidence, tmp_path)


def test_a_null_that_was_seen_is_shown_by_the_calls_that_had_it(calls: Calls) -> None:
    calls(ITEM, 200, {"note": "x", "size": None}, path__id="a")
    null = calls(ITEM, 200, {"note": None, "size": None}, path__id="b")
    assert calls.told("nullable") == {(ITEM.operation, "200:/note", "True"), (ITEM.operation, "200:/size", "True")}
    [note] = [fact for fact in calls.facts("nullable") if fact.location == "200:/note"]
    assert note.calls == (null.id,)
    assert shows(note, null)
    assert not shows(note, calls(ITEM, 200, {"note": "y", "size": None}, path__id="a"))


def test_a_format_is_of_all_values_and_not_of_what_was_only_echoed(calls: Calls) -> None:
    for number in (1, 2):
        at = f"2026-01-0{number}T10:00:00Z"
        calls(
            ITEM,
            200,
            {"at": at, "on": f"2026-01-0{number}", "title": f"2026-01-0{number}", "loose": at[:-1]},
            path__id=at,
        )
    calls(MAKE, 201, {"day": "2024-06-01"}, sent={"day": "2024-06-01"})
    calls(BOOKS, 200, {"title": "2026-01-01"}, path__box="a")
    calls(ITEM, 200, {"at": "2026-01-03T10:00:00Z", "on": "2026-01-03", "title": "Dune", "loose": ""}, path__id="b")
    assert calls.told("format") == {(ITEM.operation, "200:/at", "date-time"), (ITEM.operation, "200:/on", "date")}


def test_what_comes_back_as_it_was_sent_has_a_format_where_other_texts_were_refused(calls: Calls) -> None:
    for day in ("2024-06-01", "2024-06-02"):
        calls(MAKE, 201, {"day": day}, sent={"day": day})
    assert calls.facts("format") == []
    calls(MAKE, 422, {}, sent={"day": "someday"})
    assert calls.told("format") == {(MAKE.operation, "201:/day", "date")}


def test_an_empty_list_is_told_where_a_full_one_was_seen_too(calls: Calls) -> None:
    nothing = calls(LIST, 200, {"data": [], "total": 0}, query__limit=0)
    assert calls.facts("empty") == []
    calls(LIST, 200, {"data": [{"id": 1}], "total": 1})
    calls(ITEM, 200, {"id": 1, "tags": []}, path__id="1")
    calls(ITEM, 200, {"id": 2, "tags": ["x"]}, path__id="2")
    [fact] = calls.facts("empty")
    assert (fact.key, fact.location, fact.value, fact.calls) == (LIST, "200:/data", {"status": 200}, (nothing.id,))


def test_fields_of_errors_are_those_of_all_and_not_the_names_of_what_was_refused(calls: Calls) -> None:
    for id in ("x", "y"):
        calls(ITEM, 404, {"error": {"code": 4, "id": id}}, path__id=id)
        calls(LIST, 400, {"limit": ["A valid integer is required."]}, query__limit=id)
    places = {(fact.key.operation, fact.location) for fact in calls.facts("field")}
    # The ID is that of what was asked for.
    assert places == {(ITEM.operation, f"404:{at}") for at in ("/error", "/error/code", "/error/id")}


def test_one_refusal_of_reading_tells_its_form_unless_it_is_on_an_argument(calls: Calls) -> None:
    calls(ITEM, 404, {"error": "no"}, path__id="x")
    calls(LIST, 400, {"limit": ["A valid integer is required."]}, query__limit="x")
    calls(MAKE, 404, {"error": "no"}, sent={})
    told = calls.told("type") | calls.told("field")
    assert {one for one in told if one[1].startswith("4")} == {
        (ITEM.operation, "404:", "object"),
        (ITEM.operation, "404:/error", "string"),
        (ITEM.operation, "404:/error", "True"),
        (LIST.operation, "400:", "object"),
    }


def test_a_body_is_required_where_all_that_lacked_it_were_refused(calls: Calls) -> None:
    calls(MAKE, 201, {"id": 1}, sent={"name": "x"})
    calls(MAKE, 400, {"message": "no body"})
    assert calls.facts("required") == [], "once is no proof"
    calls(MAKE, 400, {"message": "no body"})
    assert calls.told("required") == {(MAKE.operation, "body:", "True")}
    calls(MAKE, 201, {"id": 2})
    assert calls.facts("required") == []


def test_a_property_is_required_where_a_refusal_says_so_of_it_alone(calls: Calls) -> None:
    """`size` was accepted beside it; that either would do is ruled out by what the refusal names."""
    calls(MAKE, 201, {"id": 1}, sent={"name": "x"})
    calls(MAKE, 201, {"id": 2}, sent={"name": "x", "size": 1})
    for _ in range(2):
        calls(MAKE, 422, {"detail": [{"loc": ["body", "name"], "msg": "Field required"}]}, sent={})
    assert calls.told("required") == {(MAKE.operation, "body:/name", "True")}


def test_a_member_of_listed_things_is_required_where_refusals_name_it_whatever_else_they_lack(calls: Calls) -> None:
    for number, rest in enumerate([{}, {"note": "a"}]):
        calls(MAKE, 201, {"id": number}, sent={"sets": [{"name": "x", "mode": "add", **rest}]})
    calls(MAKE, 422, {"message": "Key 'mode' not present"}, sent={"sets": [{"name": "y", "size": 1}]})
    assert calls.facts("required") == []
    calls(MAKE, 422, {"message": "Key 'mode' not present"}, sent={"sets": [{"name": "z"}], "note": "b"})
    assert calls.told("required") == {(MAKE.operation, "body:/sets/0/mode", "True")}


def test_credentials_are_needed_where_only_who_gives_none_is_refused(calls: Calls) -> None:
    calls(LIST, 200, {"data": [1]})
    calls(LIST, 200, {"data": [1]}, header__key=None)
    calls(VERSION, 200, {"data": [1]})
    calls(VERSION, 401, {"error": "who?"}, header__key=None)
    calls(BOOKS, 200, {"data": [1]}, path__box="a")
    calls(BOOKS, 403, {"error": "no"}, path__box="b", header__key=None)
    assert calls.told("needs-credentials") == {(VERSION.operation, "", "{'status': 401}")}


def test_broken_is_what_fails_with_what_another_operation_accepts(calls: Calls) -> None:
    calls(ITEM, 500, {}, path__id="a")
    calls(ITEM, 500, {}, path__id="b")
    assert calls.facts("broken") == [], "both ids may be wrong"
    calls(PUT, 200, {}, path__id="b", sent={"name": "x"})
    assert calls.facts("broken") == [], "one thing may be damaged"
    calls(PUT, 200, {}, path__id="a", sent={"name": "x"})
    assert {place[0] for place in calls.told("broken")} == {ITEM.operation}
    calls(
        VERSION,
        500,
        {},
    )
    calls(BOOKS, 503, {}, path__box="a")
    calls(BOOKS, 503, {}, path__box="b")
    calls(LIST, 500, {}, query__limit=1)
    calls(LIST, 500, {}, query__limit=2)
    calls(LIST, 200, {"data": []})
    assert {place[0] for place in calls.told("broken")} == {ITEM.operation, VERSION.operation}


def test_what_fails_for_things_that_do_not_lie_in_each_other_is_not_broken(tmp_path: Path) -> None:
    page, text = "GET /boxes/{box}/{page}/html", "PUT /boxes/{box}/{page}/text"
    found = "parameters: [{name: box, in: path, schema: {}}, {name: page, in: path, schema: {}}]"
    paths = "".join(
        f"  {path.partition(' ')[2]}: {{{found}, {path.partition(' ')[0].lower()}: {{responses: {{}}}}}}\n"
        for path in (page, text)
    )
    with Evidence.open(tmp_path / "out", write=True) as store:
        store.begin({})
        calls = Calls(store, tmp_path, item=paths)
        for box, number in (("a", "1"), ("b", "2")):
            calls(OperationKey("shelf", text), 200, {"text": "x"}, path__box=box, path__page=number)
        for box, number in (("a", "2"), ("b", "1")):
            calls(OperationKey("shelf", page), 500, {}, path__box=box, path__page=number)
        assert calls.facts("broken") == []
        for box, number in (("a", "1"), ("b", "2")):
            calls(OperationKey("shelf", page), 500, {}, path__box=box, path__page=number)
        assert {place[0] for place in calls.told("broken")} == {page}


def test_what_fails_since_it_reaches_no_other_service_is_not_broken(calls: Calls) -> None:
    for id in ("a", "b"):
        calls(PUT, 200, {}, path__id=id, sent={"name": "x"})
        calls(ITEM, 500, {"message": "Error in the HTTP client: Couldn't connect to server"}, path__id=id)
    assert calls.facts("broken") == []


@pytest.mark.parametrize("error", ["<html><title>KeyError\n  at /v1/boxes</title>'task'</html>", "KeyError: 'task'"])
def test_what_looks_up_by_name_what_was_not_sent_is_not_broken(calls: Calls, error: str) -> None:
    for id in ("a", "b"):
        calls(PUT, 200, {}, path__id=id, sent={"name": "x"})
        calls(ITEM, 500, error, path__id=id)
    assert calls.facts("broken") == []


def test_what_fails_in_many_places_needs_what_no_document_says(calls: Calls) -> None:
    for id in ("a", "b"):
        calls(PUT, 200, {}, path__id=id, sent={"name": "x"})
        calls(ITEM, 500, {}, path__id=id)
        calls(BOOKS, 500, {}, path__box=id)
    assert {place[0] for place in calls.told("broken")} == {ITEM.operation, BOOKS.operation}
    calls(VERSION, 500, {})
    calls(VERSION, 500, {})
    assert calls.facts("broken") == []


def test_a_list_to_which_anybody_may_add_may_be_damaged_by_an_earlier_run(calls: Calls) -> None:
    for _ in range(2):
        calls(LIST, 500, {})
        calls(VERSION, 500, {})
    assert {place[0] for place in calls.told("broken")} == {VERSION.operation}


def test_that_nobody_got_in_does_not_show_that_credentials_would_help(calls: Calls) -> None:
    calls(VERSION, 401, {"error": "who are you"}, header__key=None)
    calls(LIST, 401, {"error": "API key missing"}, query__limit=1)
    assert calls.facts("needs-credentials") == []
    calls(BOOKS, 200, [], path__box="a")
    assert calls.told("needs-credentials") == {(LIST.operation, "", "{'status': 401}")}


def test_a_server_error_for_a_body_or_a_feature_that_is_off_is_not_broken(calls: Calls) -> None:
    for number in range(3):
        calls(MAKE, 500, {"error": "unhandled"}, sent={"name": f"n{number}"})
        calls(VERSION, 501, {"error": "not implemented here"})
    assert calls.facts("broken") == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("next-page", "http://a/v1/boxes?limit=1&after=1"), ("link", '<http://a/v1/boxes?limit=1&after=1>; rel="next"')],
)
def test_a_header_pages_where_it_was_followed_to_other_items(calls: Calls, name: str, value: str) -> None:
    calls(LIST, 200, {"data": [{"id": 1}]}, query__limit=1, headers={name: value})
    assert calls.facts("pages") == [], "nobody looked where it leads"
    last = calls(LIST, 200, {"data": [{"id": 2}]}, query__limit="1", query__after="1")
    [fact] = calls.facts("pages")
    assert fact.location == f"200:header:{name}"
    assert fact.value == {"by": "cursor", "list": "200:/data", "next": f"200:header:{name}"}
    assert not shows(fact, last)


def test_a_header_that_leads_to_the_same_items_pages_nothing(calls: Calls) -> None:
    calls(LIST, 200, {"data": [{"id": 1}]}, query__limit=1, headers={"next-page": "http://a/v1/boxes?limit=1&after=1"})
    calls(LIST, 200, {"data": [{"id": 1}]}, query__limit="1", query__after="1")
    assert calls.facts("pages") == []


def test_what_was_created_twice_and_read_each_time_is_told(calls: Calls) -> None:
    for id in ("k1", "k2"):
        calls.made(calls(MAKE, 201, {"data": {"id": id}}, sent={}), f"/boxes/{id}", path__id=id)
        assert calls.facts("creates") == []
        calls(ITEM, 200, {"data": {"id": id}}, path__id=id)
    [fact] = calls.facts("creates")
    assert (fact.key, fact.value) == (MAKE, {"operation": "shelf GET /boxes/{id}", "field": "201:/data/id"})
    assert fact.calls == ("c001", "c002", "c003", "c004")


def test_the_field_that_is_called_like_the_parameter_has_the_id_of_what_was_created(calls: Calls) -> None:
    for id in ("k1", "k2"):
        calls.made(calls(MAKE, 201, {"uuid": id, "name": id, "id": id}, sent={}), f"/boxes/{id}", path__id=id)
        calls(ITEM, 200, {"uuid": id, "name": id, "id": id}, path__id=id)
    [fact] = calls.facts("creates")
    assert fact.value["field"] == "201:/id"


def test_a_put_creates_or_replaces_where_it_did_both_twice(calls: Calls) -> None:
    for id in ("docrev-1", "docrev-2"):
        calls.made(calls(PUT, 201, {"id": id}, path__id=id, sent={"a": 1}), f"/boxes/{id}", path__id=id)
        calls(ITEM, 200, {"id": id}, path__id=id)
    assert calls.facts("creates") == []
    for id in ("docrev-1", "docrev-2"):
        calls(PUT, 200, {"id": id}, path__id=id, sent={"a": 2})
    assert calls.told("creates") == {
        (PUT.operation, "", "{'operation': 'shelf GET /boxes/{id}', 'replaces': True}"),
    }


def _boxes(calls: Calls) -> None:
    for id in ("k1", "k2"):
        calls.made(calls(MAKE, 201, {"id": id}, sent={}), f"/boxes/{id}", path__id=id)
        calls(ADD, 201, {"id": f"book-{id}"}, path__box=id, sent={"title": "x"})


def test_a_parent_must_be_first_where_two_unknown_ones_were_refused(calls: Calls) -> None:
    _boxes(calls)
    calls(ADD, 403, {}, path__box="docrev-00000000-b1", sent={"title": "x"})
    assert calls.facts("needs-first") == []
    calls(ADD, 403, {}, path__box="docrev-00000000-b2", sent={"title": "x"})
    assert calls.told("needs-first") == {(ADD.operation, "", "{'operation': 'shelf POST /boxes', 'status': 403}")}


def test_a_bad_request_shows_that_a_parent_must_be_first_if_it_says_that_this_one_is_nowhere(calls: Calls) -> None:
    _boxes(calls)
    for number in (1, 2):
        id = f"docrev-00000000-b{number}"
        calls(ADD, 400, {"message": f"{id} is no good"}, path__box=id, sent={"title": "x"})
        calls(ADD, 409, {"message": "Conflict"}, path__box=id, sent={"title": "x"})
    assert calls.facts("needs-first") == []
    for number in (3, 4):
        id = f"docrev-00000000-b{number}"
        calls(ADD, 400, {"message": f"Box [{id}] does not exist"}, path__box=id, sent={"title": "x"})
    assert calls.told("needs-first") == {(ADD.operation, "", "{'operation': 'shelf POST /boxes', 'status': 400}")}


def test_no_parent_is_needed_where_one_was_refused_that_exists_or_was_somebody_elses(calls: Calls) -> None:
    _boxes(calls)
    calls(ADD, 403, {}, path__box="k1", sent={"title": "not allowed"})
    calls(ADD, 403, {}, path__box="theirs", sent={"title": "x"})
    calls(ADD, 403, {}, path__box="theirs-2", sent={"title": "x"})
    assert calls.facts("needs-first") == []


def test_a_body_is_wrapped_where_its_content_was_refused_without(calls: Calls) -> None:
    for title in ("a", "b"):
        calls(MAKE, 201, {"data": {"id": title, "title": title}}, sent={"data": {"title": title}})
        calls(MAKE, 400, {}, sent={"title": title})
    assert calls.told("wrapped-in") == {(MAKE.operation, "body:", "data")}
    calls(MAKE, 201, {"data": {"id": "c"}}, sent={"title": "c"})
    assert calls.facts("wrapped-in") == [], "it goes without"


def test_what_other_properties_stand_beside_is_no_wrapper(calls: Calls) -> None:
    for logo in ("a", "b"):
        calls(MAKE, 201, {"id": 1, "brand": {"logo": logo}}, sent={"name": "x", "brand": {"logo": logo}})
        calls(MAKE, 422, {"error": "name is missing"}, sent={"logo": logo})
    assert calls.facts("wrapped-in") == []


@pytest.mark.parametrize(("case", "count"), [("", 1), (" for the limit", 1), (" for zip archives", 0)])
def test_a_bound_of_some_cases_is_no_range(calls: Calls, case: str, count: int) -> None:
    for limit in (0, 10):
        calls(LIST, 400, {"error": f"limit must be between 1 and 9{case}"}, query__limit=limit)
    calls(LIST, 200, [1, 2], query__limit=5)
    assert len(calls.facts("range")) == count


def test_an_object_in_a_body_is_no_wrapper(calls: Calls) -> None:
    for street in ("a", "b"):
        calls(MAKE, 201, {"id": 1, "address": {"street": street}}, sent={"address": {"street": street}, "name": "x"})
        calls(MAKE, 400, {}, sent={"name": "x"})
    assert calls.facts("wrapped-in") == []
    assert calls.told("required") == {(MAKE.operation, "body:/address", "True")}


def test_a_property_is_required_where_all_else_did_not_do(calls: Calls) -> None:
    for _ in range(2):
        calls(MAKE, 201, {"id": 1}, sent={"name": "x", "size": 1})
        calls(MAKE, 422, {}, sent={"size": 1})
    assert calls.told("required") == {(MAKE.operation, "body:/name", "True")}
    calls(MAKE, 201, {"id": 1}, sent={"size": 1})
    assert calls.facts("required") == []


def test_one_of_two_properties_is_not_required(calls: Calls) -> None:
    """An empty body is refused, either property alone is accepted: neither is required."""
    for _ in range(2):
        calls(MAKE, 201, {"id": 1}, sent={"data": {"a": 1}, "permissions": {"b": 1}})
        calls(MAKE, 201, {"id": 1}, sent={"data": {"a": 1}})
        calls(MAKE, 400, {"message": "data is required"}, sent={})
    assert calls.facts("required") == []


def test_one_of_two_properties_is_not_required_though_an_empty_one_does_not_do(calls: Calls) -> None:
    for _ in range(2):
        calls(MAKE, 201, {"id": 1}, sent={"seen": "now", "boxes": {}})
        calls(MAKE, 400, {"message": "body must contain at least one of `seen` or `boxes`"}, sent={"boxes": {}})
    assert calls.facts("required") == []


def test_a_value_that_was_refused_requires_nothing(calls: Calls) -> None:
    for _ in range(2):
        calls(MAKE, 201, {"id": 1}, sent={"name": "x", "size": 1})
        calls(MAKE, 422, {}, sent={"size": -7})
    assert calls.facts("required") == []


def test_a_message_lies_where_answers_to_the_same_arguments_deny_it(calls: Calls) -> None:
    said = {"detail": [{"loc": ["query", "page"], "msg": "Field required"}]}
    refused, good = calls(LIST, 422, said, query__limit="x"), calls(LIST, 200, {}, query__limit=1)
    assert contradictions([refused, good]) == ["'page' is required"]
    assert contradictions([refused, calls(LIST, 200, {})]) == [], "something else may have been wrong with it"
    assert contradictions([refused, calls(LIST, 200, {}, query__limit=1, query__page=1)]) == []


def test_an_empty_value_denies_no_list_of_allowed_ones(calls: Calls) -> None:
    refused = calls(LIST, 422, {"detail": "sort must be one of: name, size"}, query__sort="x")
    assert contradictions([refused, calls(LIST, 200, {}, query__sort="")]) == []
    assert contradictions([refused, calls(LIST, 200, {}, query__sort="age")]) == ["'sort' is one of name, size"]


def test_an_error_is_blamed_on_what_its_message_names_and_no_body_on_the_body(calls: Calls) -> None:
    for number in range(3):
        calls(MAKE, 201, {"id": number}, sent={"name": f"n{number}", "tags": ["a"]})
    calls(MAKE, 400, {"error": "EOF while parsing a value"})
    calls(MAKE, 422, {"error": "tags[0]: invalid type: integer, expected a string"}, sent={"name": "x", "tags": [7]})
    causes = {(fact.value["status"], fact.value["cause"]) for fact in calls.facts("status")}
    assert (400, "body missing") in causes
    assert (422, "tags not valid") in causes


FILES = """
openapi: 3.0.3
info: {title: shelf, version: "1"}
paths:
  /boxes:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                kind: {type: string, description: "The kind: 'file' or 'folder'"}
                content: {type: string}
      responses: {"201": {description: ok}}
"""


@pytest.mark.parametrize(
    ("message", "expected"),
    [("no content provided", set()), ("missing field `content`", {(MAKE.operation, "body:/content", "True")})],
)
def test_what_one_kind_of_thing_needs_another_may_not(calls: Calls, message: str, expected: set[Any]) -> None:
    """Only files were made: a folder may do without content, unless the error says that the field is required."""
    (calls.folder / "shelf.yaml").write_text(FILES)
    calls.catalog = load(calls.folder / "shelf.yaml")
    for content in ("a", "b"):
        calls(MAKE, 201, {"id": 1}, sent={"kind": "file", "content": content})
        calls(MAKE, 400, {"error": message}, sent={"kind": "file"})
    assert calls.told("required") == expected


def test_what_is_there_no_more_is_told_by_the_id_that_a_refusal_repeats(calls: Calls) -> None:
    calls(ITEM, 200, {"id": "box-17"}, path__id="box-17")
    calls(ITEM, 400, {"error": "No box exists with the ID of box-17"}, path__id="box-17")
    [value] = [fact.value for fact in calls.facts("status") if fact.value["status"] == 400]
    assert (value["cause"], value["parameter"]) == ("unknown id", "path:id")


def test_what_a_path_names_is_not_blamed_for_its_state(calls: Calls) -> None:
    calls(ITEM, 200, {"id": "a"}, path__id="a")
    calls(ITEM, 400, {"error": "Cannot read folders, use the list instead."}, path__id="f")
    calls(BOOKS, 200, [], path__box="a")
    calls(BOOKS, 400, {"error": "Box ID is not a number"}, path__box="f")
    causes = {(fact.key, fact.value["cause"]) for fact in calls.facts("status") if fact.value["status"] == 400}
    assert causes == {(ITEM, "request not valid"), (BOOKS, "box not valid")}


@pytest.mark.parametrize(("held", "told"), [("oak", 0), (None, 1)])
def test_a_refusal_of_what_one_thing_lacks_is_none_of_what_things_are(
    evidence: Evidence, tmp_path: Path, held: str | None, told: int
) -> None:
    """Filled in, the same body is accepted: what has a wood is taken back as it is read."""
    calls = Calls(evidence, tmp_path)
    box: dict[str, Json] = {"name": "a", "wood": None}
    calls(ITEM, 200, box, path__id="1")
    for _ in range(2):
        calls(PUT, 400, {"error": "None is not of type 'string'"}, path__id="1", sent=box)
    calls(PUT, 200, box, path__id="1", sent={**box, "wood": held} if held else {"name": "a"})
    assert len(calls.facts("sent-back")) == told


CLOSE = """\
  /boxes/{id}/restart:
    parameters: [{name: id, in: path, required: true, schema: {}}]
    post: {responses: {"204": {description: ok}}}
"""


@pytest.mark.parametrize(("before", "is_told"), [("starting", False), ("running", True), ("broken", True)])
def test_an_action_sets_no_state_into_which_things_come_by_themselves(
    evidence: Evidence, tmp_path: Path, before: str, is_told: bool
) -> None:
    calls, restart = Calls(evidence, tmp_path, CLOSE), OperationKey("shelf", "POST /boxes/{id}/restart")
    for box in ("1", "2"):
        calls(ITEM, 200, {"id": box, "state": before}, path__id=box)
        calls(restart, 204, path__id=box)
        calls(ITEM, 200, {"id": box, "state": "idle"}, path__id=box)
    assert bool(calls.facts("sets")) is is_told


def test_a_body_is_not_required_where_the_same_is_said_of_one(calls: Calls) -> None:
    calls(PUT, 200, {"id": "1"}, path__id="1", sent={"name": "x"})
    for _ in range(2):
        calls(PUT, 400, {"message": "Boxes of stone cannot be changed"}, path__id="2")
    assert calls.told("required") == {(PUT.operation, "body:", "True")}
    calls(PUT, 400, {"message": "Boxes of stone cannot be changed"}, path__id="2", sent={"name": "y"})
    assert calls.facts("required") == []


def test_a_member_of_an_object_is_not_required_where_bodies_without_the_object_are_refused(calls: Calls) -> None:
    calls(MAKE, 201, {"id": 1}, sent={"name": "docrev-00000000-1"})
    for number in (2, 3):
        calls(MAKE, 201, {"id": number}, sent={"name": f"docrev-00000000-{number}", "about": {"title": "y"}})
    for number in (4, 5):
        calls(MAKE, 400, {"message": "there is no such shelf"}, sent={"name": f"docrev-00000000-{number}"})
    assert calls.facts("required") == []
