"""What is written of responses and their fields: what no schema says, once, and nothing that says nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from revisekit import call, explored, fact
from test_revision_texts import revised, texts

from docrev.records import Call, Change
from docrev.revision import write

SPEC = """\
openapi: "3.0.3"
info: {title: Shop, version: "1"}
paths:
  /shops:
    get: {responses: {200: {description: OK}}}
    post: {responses: {200: {description: OK}}}
    delete:
      parameters: [{name: city, in: query, schema: {type: string}}]
      responses: {200: {description: OK}}
  /shops/{shop_id}:
    parameters: [{name: shop_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {200: {description: OK}}}
  /shops/{shop_id}/orders:
    parameters: [{name: shop_id, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        200:
          description: OK
          content: {application/json: {schema: {type: object, properties: {number: {type: integer}}}}}
  /settings:
    get:
      responses:
        200:
          description: OK
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  properties:
                    name: {type: string, description: 'set to "Setting"'}
                    type: {type: string, description: 'The name of this setting (e.g. "port")'}
"""
PAGE = "{name: page, in: query, schema: {type: integer}}"
SHOP = {"id": "a", "changed": 1}


def told(tmp_path: Path, calls: list[Call], spec: str = SPEC) -> dict[str, Change]:
    return texts(revised(*explored(tmp_path, spec, calls=calls)))


def test_what_the_deletion_of_one_thing_returns_a_list_of_may_be_anything(tmp_path: Path) -> None:
    """The objects that were changed by it, too."""
    spec = SPEC.replace(
        """  /settings:""",
        """  /people/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    delete: {responses: {200: {description: OK}}}
  /settings:""",
    )
    rows = [{"verb": "removed", "old": {"name": "x"}}, {"verb": "changed", "old": {"name": "y"}}]
    calls = [call("DELETE /people/{id}", rows, path_id=id) for id in ("a", "b")]
    assert "Each entry has `old` and `verb`." in told(tmp_path, calls, spec)["/paths/~1people~1{id}/delete"].after


def test_what_all_objects_have_stands_once(tmp_path: Path) -> None:
    calls = [
        call("GET /shops", {"data": [SHOP, {"id": "b", "changed": 2}]}),
        call("POST /shops", {"data": {**SHOP, "key": "k"}}),
        call("DELETE /shops", {"data": [{**SHOP, "deleted": True}]}, query_city="Rome"),
    ]
    found = told(tmp_path, calls)
    assert found["/info"].after == "The objects in a response's `data` have `changed` and `id`."
    assert found["/paths/~1shops/post"].after == "The response contains `data.key`."
    assert found["/paths/~1shops/delete"].after == "Returns `id`, `changed` and `deleted` of each deleted shop."
    assert "/paths/~1shops/get" not in found


def test_what_some_objects_have_is_not_said_of_all(tmp_path: Path) -> None:
    log = {"enabled": True, "entries": []}
    paths = [f"/{name}" for name in ("shops0", "shops1", "shops2", "logs0", "logs1", "logs2")]
    declared = "{type: object, properties: {name: {type: string}, size: {type: integer}}}"
    content = {
        path: f", content: {{application/json: {{schema: {declared}}}}}" if "shops" in path else "" for path in paths
    }
    spec = "openapi: '3.0.3'\ninfo: {title: Shop, version: '1'}\npaths:\n" + "".join(
        f"  {path}: {{get: {{responses: {{200: {{description: OK{content[path]}}}}}}}}}\n" for path in paths
    )
    calls = [call(f"GET {path}", log if "logs" in path else {"name": "a", "size": 3}) for path in paths]
    found = told(tmp_path, calls, spec)
    assert "/info" not in found
    assert "The response contains `enabled` and `entries`." in str(found["/paths/~1logs0/get"].after)


def test_items_are_called_as_their_list_is_where_the_path_names_it(tmp_path: Path) -> None:
    path, schema = (
        "/requests/near-misses",
        "{type: object, properties: {nearMisses: {type: array, items: {type: object}}}}",
    )
    content = f"content: {{application/json: {{schema: {schema}}}}}"
    spec = f"""\
openapi: '3.0.3'
info: {{title: Logs, version: '1'}}
paths:
  {path}: {{get: {{responses: {{200: {{description: OK, {content}}}}}}}}}
"""
    found = told(tmp_path, [call(f"GET {path}", {"nearMisses": [{"distance": 1}, {"distance": 2}]})], spec)
    assert found["/paths/~1requests~1near-misses/get"].after == "Each near miss has `distance`."


@pytest.mark.parametrize(("declares", "said"), [(True, False), (False, True)])
def test_what_only_deletions_return_is_not_said_of_all_objects(tmp_path: Path, declares: bool, said: bool) -> None:
    declared = "{type: object, properties: {data: {type: array, items: {properties: {id: {}, changed: {}}}}}}"
    content = f", content: {{application/json: {{schema: {declared}}}}}" if declares else ""
    path = f"""\
  /shops%s:
    get: {{responses: {{200: {{description: OK{content}}}}}}}
    delete: {{responses: {{200: {{description: OK}}}}}}
"""
    calls = [call(f"GET /shops{at}", {"data": [SHOP, {"id": "b", "changed": 2}]}) for at in range(4)]
    calls += [call(f"DELETE /shops{at}", {"data": [{**SHOP, "deleted": True}]}) for at in range(4)]
    spec = "openapi: '3.0.3'\ninfo: {title: Shop, version: '1'}\npaths:\n" + "".join(path % at for at in range(4))
    head = told(tmp_path, calls, spec).get("/info")
    assert ("The objects in a response" in str(head and head.after)) is said
    assert "have `deleted`" not in str(head and head.after)


def test_fields_that_a_graphql_document_selects_are_those_of_the_document(tmp_path: Path) -> None:
    ok = "{200: {description: OK}}"
    paths = f"{{/graphql: {{post: {{responses: {ok}}}}}, /reports: {{post: {{responses: {ok}}}}}}}"
    spec = f"openapi: '3.0.3'\ninfo: {{title: Shop, version: '1'}}\npaths: {paths}\n"
    calls = [call(f"POST /{name}", {"data": {"__typename": "Query"}}) for name in ("graphql", "reports")]
    found = told(tmp_path, calls, spec)
    assert found["/paths/~1reports/post"].after == "The response contains `data.__typename`."
    assert "/paths/~1graphql/post" not in found


@pytest.mark.parametrize(
    ("bodies", "text"),
    [
        ([[{"size": 1, "kind": "a"}], [{"size": 2, "kind": "b"}]], "Each shop has `kind` and `size`."),
        ([[{"size": 1, "kind": "a"}], {"size": 2, "kind": "b"}], ""),
        ([{"Rome": {"count": 1}}, {"Rome": {"count": 2}}], ""),
        ([{"Books": [1], "Second Hand": [2]}], ""),
        ([{"Books": [1], "SecondHand": [2]}], "The response contains `Books` and `SecondHand`."),
    ],
)
def test_fields_are_named_where_each_response_has_them_and_keys_that_are_names_are_no_fields(
    tmp_path: Path, bodies: list[Any], text: str
) -> None:
    calls = [call("GET /shops", body, query_at=at) for at, body in enumerate(bodies)]
    found = told(tmp_path, [*calls, call("GET /shops/{shop_id}", {"name": "Rome"}, path_shop_id="a")])
    assert (found["/paths/~1shops/get"].after if text else "/paths/~1shops/get" in found) == (text or False)


@pytest.mark.parametrize(
    ("path", "noun"),
    [
        ("/tests/{test_id}/json", "entry"),
        ("/flows/{flow_id}/graph", "entry"),
        ("/tests/{test_id}/runs", "run"),
        ("/sites/{site_id}/ws/filter", "entry"),
    ],
)
def test_what_lies_in_one_thing_is_not_called_as_the_thing(tmp_path: Path, path: str, noun: str) -> None:
    name = path.split("{")[1].split("}")[0]
    parameter = f"{{name: {name}, in: path, required: true, schema: {{type: string}}}}"
    spec = f"openapi: '3.0.3'\ninfo: {{title: T, version: '1'}}\npaths:\n  {path}:\n    parameters: [{parameter}]\n"
    spec += "    get: {responses: {200: {description: OK}}}\n"
    bodies = ([{"size": 1, "kind": "a"}], [{"size": 2, "kind": "b"}])
    calls = [call(f"GET {path}", body, **{f"path_{name}": str(at)}) for at, body in enumerate(bodies)]
    after = told(tmp_path, calls, spec)[f"/paths/{path.replace('/', '~1')}/get"].after
    assert str(after).endswith(f"Each {noun} has `kind` and `size`.")


def test_what_a_parameter_for_the_format_decides_has_no_list_of_fields(tmp_path: Path) -> None:
    calls = [call("GET /shops", {"size": 1, "kind": "a"})]
    assert "/paths/~1shops/get" in told(tmp_path, calls)
    chosen = SPEC.replace(
        "get: {responses: {200: {description: OK}}}\n    post",
        "get: {parameters: [{name: format, in: query, schema: {type: string}}], responses: {200: {description: OK}}}\n"
        "    post",
    )
    (tmp_path / "again").mkdir()
    assert "/paths/~1shops/get" not in told(tmp_path / "again", calls, chosen)


def test_what_the_path_says_is_news_beside_other_fields_alone(tmp_path: Path) -> None:
    calls = [
        call("GET /shops/{shop_id}", {"id": name, "changed": at}, path_shop_id=name) for at, name in enumerate("ab")
    ]
    assert told(tmp_path, calls)["/paths/~1shops~1{shop_id}/get"].after == "The response contains `changed` and `id`."
    alone = [call("GET /shops/{shop_id}", {"id": name}, path_shop_id=name) for name in "ab"]
    (tmp_path / "alone").mkdir()
    assert told(tmp_path / "alone", alone) == {}


def test_an_order_that_a_parameter_declares_without_the_noun_is_no_news(tmp_path: Path) -> None:
    listed = [
        call("GET /shops", {"data": [{"shop_id": 9 * page + at} for at in range(9)], "total": 27}, query_page=page)
        for page in range(3)
    ]
    for default, is_said in (("city", True), ("id", False)):
        sorting = f"[{{name: order_by, in: query, schema: {{type: string, default: {default}}}}}, {PAGE}]"
        spec = SPEC.replace(
            "    get: {responses: {200: {description: OK}}}\n    post",
            f"    get: {{parameters: {sorting}, responses: {{200: {{description: OK}}}}}}\n    post",
        )
        (tmp_path / default).mkdir()
        after = told(tmp_path / default, listed, spec)["/paths/~1shops/get"].after
        assert ("Sorted by `shop_id`" in after) is is_said


@pytest.mark.parametrize(("name", "is_said"), [("start", False), ("opened_at", False), ("owner", True)])
def test_an_order_by_what_nothing_has_yet_may_look_like_that_of_ids(tmp_path: Path, name: str, is_said: bool) -> None:
    """Shops that open nowhere yet are listed as they were made; once one has a time, it may come first."""
    listed = [call("GET /shops", {"data": [{"number": at, name: None} for at in range(9)], "total": 27})]
    get = f"    get: {{parameters: [{PAGE}], responses: {{200: {{description: OK}}}}}}\n    post"
    spec = SPEC.replace("    get: {responses: {200: {description: OK}}}\n    post", get)
    assert ("Sorted by `number`" in told(tmp_path, listed, spec)["/paths/~1shops/get"].after) is is_said


def test_what_a_redirect_leads_to_is_no_response_of_where_it_begins(tmp_path: Path) -> None:
    calls = [
        replace(
            call("GET /shops/{shop_id}", {"id": name, "changed": at}, path_shop_id=name), redirected="http://a/latest"
        )
        for at, name in enumerate("ab")
    ]
    assert "/paths/~1shops~1{shop_id}/get" not in told(tmp_path, calls)


def orders(**more: Any) -> list[Call]:
    return [
        call(
            "GET /shops/{shop_id}/orders",
            {"number": at, **{name: values[at] for name, values in more.items()}},
            path_shop_id=shop,
        )
        for at, shop in enumerate("ab")
    ]


def test_a_name_with_a_slash_is_written_as_it_is(tmp_path: Path) -> None:
    things = [{"changed": at, "in/out": at} for at in range(2)]
    calls = [call("GET /shops/{shop_id}", thing, path_shop_id=name) for name, thing in zip("ab", things, strict=True)]
    after = told(tmp_path, calls)["/paths/~1shops~1{shop_id}/get"].after
    assert after == "The response contains `changed` and `in/out`."


def test_beside_declared_fields_one_value_a_link_or_a_copy_says_nothing(tmp_path: Path) -> None:
    key = "/paths/~1shops~1{shop_id}~1orders/get"
    assert key not in told(tmp_path / "one", orders(type=["Order", "Order"]))
    assert key not in told(tmp_path / "link", orders(url=["/orders/0", "/orders/1"]))
    assert key not in told(tmp_path / "copy", orders(order=[{"number": 0}, {"number": 1}]))
    found = told(tmp_path / "more", orders(weight=[3, 4]))
    assert found[key].after == "The response contains `weight`."


def test_fields_of_an_undeclared_status_are_compared_with_the_declared_success(tmp_path: Path) -> None:
    calls = [replace(one, status=201) for one in orders(weight=[3, 4])]
    after = told(tmp_path, calls)["/paths/~1shops~1{shop_id}~1orders/get"].after
    assert after == "Returns 201 if it creates something. The response contains `weight`."


def test_a_list_where_one_object_is_declared_is_named(tmp_path: Path) -> None:
    calls = [call("GET /shops/{shop_id}/orders", [{"number": 1}, {"number": 2}], path_shop_id=shop) for shop in "ab"]
    found = told(tmp_path, calls)
    assert found["/paths/~1shops~1{shop_id}~1orders/get"].after == "Returns a list, not a single object."


def test_another_status_of_success_is_named(tmp_path: Path) -> None:
    """The declared one may come for other requests: for a thing that is there already."""
    found = told(tmp_path, [call("POST /shops", None, status=201), call("POST /shops", None, status=201, query_x=1)])
    assert found["/paths/~1shops/post"].after == "Returns 201 if it creates something."
    assert found["/paths/~1shops/post"].classes == ("undeclared",)


def test_a_deletion_that_takes_everything_says_so(tmp_path: Path) -> None:
    found = told(tmp_path / "all", [call("DELETE /shops", {})])
    assert found["/paths/~1shops/delete"].after == "Without filters, deletes all shops."
    assert "/paths/~1shops/delete" not in told(tmp_path / "some", [call("DELETE /shops", {}, query_city="Rome")])
    single = SPEC.replace("/shops:", "/shared:").replace("/shops/", "/shared/")
    assert "/paths/~1shared/delete" not in told(tmp_path / "single", [call("DELETE /shared", {})], single)


@pytest.mark.parametrize(
    ("name", "kind", "told_of"),
    [
        ("city", "string", "Without filters, deletes all"),
        ("sort", "string", "Deletes all"),
        ("dry", "boolean", "Deletes all"),
    ],
)
def test_what_chooses_no_things_is_no_filter(tmp_path: Path, name: str, kind: str, told_of: str) -> None:
    spec = yaml.safe_load(SPEC)
    spec["paths"]["/shops"]["delete"]["parameters"] = [{"name": name, "in": "query", "schema": {"type": kind}}]
    found = told(tmp_path, [call("DELETE /shops", {})], yaml.safe_dump(spec))
    assert found["/paths/~1shops/delete"].after == f"{told_of} shops."


def test_a_mark_that_is_taken_from_a_thing_is_no_list(tmp_path: Path) -> None:
    """Of marks that no operation shows, nobody knows that all were taken, and not the caller's own."""
    id = "{name: shop_id, in: path, required: true, schema: {type: string}}"
    marks = f"{SPEC}  /shops/{{shop_id}}/marks:\n    parameters: [{id}]\n    delete: {{responses: {{200: {{}}}}}}\n"
    calls = [call("DELETE /shops/{shop_id}/marks", {}, path_shop_id="a")]
    place = "/paths/~1shops~1{shop_id}~1marks/delete"
    assert place not in told(tmp_path / "alone", calls, marks)
    listed = f"{marks}    get: {{responses: {{200: {{}}}}}}\n"
    assert told(tmp_path / "listed", calls, listed)[place].after == "Deletes all marks of a shop."


def test_texts_that_stand_at_each_others_place_are_swapped(tmp_path: Path) -> None:
    found = told(
        tmp_path, [call("GET /settings", [{"name": "port", "type": "Setting"}, {"name": "x", "type": "Setting"}])]
    )
    place = "/paths/~1settings/get…/items/properties"
    assert found[f"{place}/name"].after == 'The name of this setting (e.g. "port").'
    assert found[f"{place}/type"].after == 'Set to "Setting".'


ALIKE = """\
openapi: "3.0.3"
info: {title: Shop, version: "1"}
paths:
  /shops/{shop}:
    get:
      parameters: [{name: shop, in: path, required: true, description: Shop UUID, schema: {type: string}}]
      responses: {200: {description: OK}}
  /shops/{shop}/close:
    post:
      parameters: [{name: shop, in: path, required: true, description: Shop UUID, schema: {type: string}}]
      responses: {200: {description: OK}}
"""


def test_a_refuted_text_is_refuted_for_all_parameters_alike(tmp_path: Path) -> None:
    found = told(tmp_path, [call("GET /shops/{shop}", {"name": name}, path_shop=name) for name in "ab"], ALIKE)
    assert found["/paths/~1shops~1{shop}/get/parameters/0"].after == "Shop name."
    assert found["/paths/~1shops~1{shop}~1close/post/parameters/0"].after == "Shop name."
    uuid = "1e30d217-3d78-4f8c-b244-79381dc6a254"
    calls = [call("GET /shops/{shop}", {}, path_shop="a"), call("POST /shops/{shop}/close", {}, path_shop=uuid)]
    found = told(tmp_path / "other", calls, ALIKE)
    assert "/paths/~1shops~1{shop}~1close/post/parameters/0" not in found


def test_an_example_is_taken_out_with_the_text_that_it_agrees_with(tmp_path: Path) -> None:
    uuid = "1e30d217-3d78-4f8c-b244-79381dc6a254"
    spec = ALIKE.replace("description: Shop UUID,", f"description: Shop UUID, example: {uuid},")
    calls = [call("GET /shops/{shop}", {"name": name}, path_shop=name) for name in "ab"]
    place = explored(tmp_path, spec, calls=calls)
    revision = revised(*place)
    at = "/paths/~1shops~1{shop}/get/parameters/0/example"
    [removed] = [one for one in revision.changes if one.pointer == at]
    assert (removed.before, removed.after, removed.edit) == (uuid, None, "docs")
    [document] = revision.documents.values()
    assert "example" not in document.tree["paths"]["/shops/{shop}"]["get"]["parameters"][0]
    write([(document, place[0])])
    assert revised(*place).changes == ()
    kept = [call("GET /shops/{shop}", {"name": uuid}, path_shop=uuid)]
    assert not any(one.pointer == at for one in revised(*explored(tmp_path / "kept", spec, calls=kept)).changes)


def test_a_source_that_a_correction_names_beside_it_is_not_told_and_taken_back(tmp_path: Path) -> None:
    spec = ALIKE.replace("{shop}", "{shop_id}").replace("name: shop,", "name: shop_id,")
    spec += "  /shops:\n    get: {responses: {200: {description: OK}}}\n"
    names = ("red", "blue")
    calls = [call("GET /shops", [{"name": name} for name in names])]
    calls += [call("GET /shops/{shop_id}", {"name": name}, path_shop_id=name) for name in names]
    source = {"operation": "library GET /shops", "field": "200:/0/name"}
    known = fact("GET /shops/{shop_id}", "comes-from", "path:shop_id", source)
    place = explored(tmp_path, spec, calls=calls, facts=[known])
    revision = revised(*place)
    assert texts(revision)["/paths/~1shops~1{shop_id}/get/parameters/0"].after == "Shop name."
    [document] = revision.documents.values()
    write([(document, place[0])])
    assert revised(*place).changes == ()


COUNTED = """\
openapi: "3.0.3"
info: {title: Shop, version: "1"}
paths:
  /goods:
    get:
      parameters: [{name: limit, in: query, schema: {type: integer}}]
      responses:
        200:
          description: OK
          content:
            application/json:
              schema:
                type: object
                properties:
                  count: {type: integer, description: Number of goods found.}
                  items: {type: array, items: {type: object, properties: {id: {type: integer}}}}
"""


def test_a_total_that_counts_one_page_is_corrected(tmp_path: Path) -> None:
    def answer(count: int, **asked: int) -> Call:
        return call("GET /goods", {"count": count, "items": [{"id": at} for at in range(count)]}, **asked)

    place = "/paths/~1goods/get…/properties/count"
    found = told(tmp_path / "cut", [answer(5), answer(2, query_limit=2)], COUNTED)
    assert found[place].after == "Number of goods in this response."
    assert place not in told(tmp_path / "whole", [answer(5), answer(5, query_limit=7)], COUNTED)


@pytest.mark.parametrize("name", ["count", "total_goods"])
def test_a_count_of_all_pages_is_told_where_its_name_does_not_say_so(tmp_path: Path, name: str) -> None:
    spec = COUNTED.replace("count: {type: integer, description: Number of goods found.}", f"{name}: {{type: integer}}")
    calls = [call("GET /goods", {name: 5, "items": [{"id": at} for at in range(2)]}, query_limit=n) for n in (2, 3)]
    found = told(tmp_path, calls, spec)
    texts = [change.after for place, change in found.items() if place.endswith(name)]
    assert texts == (["Total number of goods, across all pages."] if name == "count" else [])
