"""A strong claim takes all that the document says of a parameter: on canned calls, and on a service over loopback."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev
from docrev.evidence import Evidence
from docrev.facts import infer
from docrev.facts.strong_proof import is_proven
from docrev.facts.trials import OperationTrials, Trial
from docrev.graph.tool_graph import Edge
from docrev.records import Call, Fact, OperationKey
from docrev.spec import load

LIST = OperationKey("shop", "GET /orders")


def spec(**parameters: dict[str, Any]) -> dict[str, Any]:
    declared = [{"name": name, "in": "query", **rest} for name, rest in parameters.items()]
    item = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
    return {
        "openapi": "3.0.3",
        "info": {"title": "shop", "version": "1"},
        "paths": {
            "/orders": {"get": {"parameters": declared, "responses": {"200": {"description": "OK"}}}},
            "/orders/{id}": {"get": {"parameters": [item], "responses": {"200": {"description": "OK"}}}},
        },
    }


def proven(
    tmp_path: Path, fact: Fact, *sent: tuple[Any, int], listed: tuple[Any, ...] = (), **parameters: dict[str, Any]
) -> bool:
    (tmp_path / "shop.json").write_text(json.dumps(spec(**parameters)))
    base = Call("base", LIST, {}, "http://a/", 200, {}, [*listed], "application/json", "probe")
    calls = {"base": base}
    trials = []
    for number, (value, status) in enumerate(sent):
        arguments = {fact.location: value}
        calls[str(number)] = Call(
            str(number), LIST, arguments, "http://a/", status, {}, [], "application/json", "probe"
        )
        trials.append(Trial(fact.location, value, "base", str(number)))
    return is_proven(fact, load(tmp_path / "shop.json")[LIST], trials, calls.get)


TEXT = {"type": "string"}
IGNORED = Fact(LIST, "ignored", "query:kind", True, ("base",))


@pytest.mark.parametrize(
    ("schema", "sent", "expected"),
    [
        (TEXT, ["zz"], True),
        ({**TEXT, "enum": ["a", "b"]}, ["zz", "a"], False),
        ({**TEXT, "enum": ["a", "b"]}, ["zz", "a", "b"], True),
        ({"type": "boolean"}, ["zz", "true"], False),
        ({"type": "boolean"}, ["true", "false"], True),
    ],
)
def test_ignored_takes_every_documented_value(tmp_path: Path, schema: Any, sent: list[str], expected: bool) -> None:
    assert proven(tmp_path, IGNORED, *((value, 200) for value in sent), kind={"schema": schema}) is expected


@pytest.mark.parametrize(
    ("schema", "sent", "expected"),
    [
        (TEXT, ["zz", "id"], False),
        ({**TEXT, "example": "id"}, ["zz", "id"], False),
        ({**TEXT, "enum": ["crew"]}, ["zz", "crew"], True),
        ({"type": "array", "items": {**TEXT, "enum": ["crew"]}}, ["zz", "crew"], True),
    ],
)
def test_what_adds_parts_is_ignored_only_where_they_are_documented(
    tmp_path: Path, schema: Any, sent: list[str], expected: bool
) -> None:
    fact = Fact(LIST, "ignored", "query:appends", True, ("base",))
    assert proven(tmp_path, fact, *((value, 200) for value in sent), appends={"schema": schema}) is expected


def test_what_says_where_a_list_begins_is_ignored_only_after_the_id_of_an_item(tmp_path: Path) -> None:
    fact = Fact(LIST, "ignored", "query:before", True, ("base",))
    listed = tuple({"id": n, "made": f"2026-01-0{n}T08:00:00Z"} for n in (11, 12, 13))

    def is_ignored(*values: str) -> bool:
        return proven(tmp_path, fact, *((value, 200) for value in values), listed=listed, before={"schema": TEXT})

    assert not is_ignored("zz", "2026-01-02T08:00:00Z")
    assert is_ignored("zz", "12")


def test_an_order_is_ignored_if_no_field_of_the_items_sorts_them_in_descending_order(tmp_path: Path) -> None:
    fact = Fact(LIST, "ignored", "query:sort", True, ("base",))
    listed = tuple({"id": n, "made": f"2026-01-0{n}T08:00:00Z", "kind": "a"} for n in (1, 2, 3))

    def is_ignored(*values: str, listed: tuple[Any, ...] = listed) -> bool:
        return proven(tmp_path, fact, *((value, 200) for value in values), listed=listed, sort={"schema": TEXT})

    assert not is_ignored("zz", "id", "-id")
    assert is_ignored("zz", "-id", "-made")
    assert not is_ignored("zz", "-id", "-made", listed=listed[:2]), "two items show no order"


def test_an_order_is_ignored_if_a_documented_value_names_another_than_the_items_have(tmp_path: Path) -> None:
    fact = Fact(LIST, "ignored", "query:order_by", True, ("base",))
    sorted_by_both = tuple({"id": n, "made": f"2026-01-0{n}T08:00:00Z"} for n in (1, 2, 3))
    text = {"schema": TEXT, "description": "How to sort. Options: 'made' (default), 'id'"}

    def is_ignored(*values: str, listed: tuple[Any, ...]) -> bool:
        return proven(tmp_path, fact, *((value, 200) for value in values), listed=listed, order_by=text)

    assert not is_ignored("zz", "made", "id", listed=sorted_by_both), "the items stand in either order already"
    assert is_ignored("zz", "made", "id", listed=(*sorted_by_both[1:], sorted_by_both[0]))
    assert not is_ignored("zz", "made", listed=(*sorted_by_both[1:], sorted_by_both[0])), "the text lists one more"


def test_ignored_takes_the_parameters_that_its_text_names(tmp_path: Path) -> None:
    text = "Can only be used together with rrset_name."
    both = {"kind": {"schema": TEXT, "description": text}, "rrset_name": {"schema": TEXT}}
    assert not proven(tmp_path, IGNORED, ("a", 200), ("b", 200), **both)


def test_a_list_of_values_is_no_shorter_than_the_documented_one_but_for_what_was_refused(tmp_path: Path) -> None:
    fact = Fact(LIST, "allowed-values", "query:kind", ["a", "b"], ("base",))
    declared = {"kind": {"schema": {**TEXT, "enum": ["a", "b", "c"]}}}
    assert not proven(tmp_path, fact, ("a", 200), ("b", 200), **declared)
    assert proven(tmp_path, fact, ("a", 200), ("b", 200), ("c", 422), **declared)


def test_a_default_is_one_of_the_documented_values(tmp_path: Path) -> None:
    declared = {"kind": {"schema": {**TEXT, "enum": ["a", "b"]}}}
    assert proven(tmp_path, Fact(LIST, "default", "query:kind", "a", ()), **declared)
    assert not proven(tmp_path, Fact(LIST, "default", "query:kind", "c", ()), **declared)


STAGES = ["open", "shipped", "closed"]
ORDERS = [{"id": at, "total": 10 * at, "region": "ab"[at % 2]} for at in range(1, 13)]


def orders(request: Received) -> Answer:
    """The list shows no stage; only values that the items have choose."""
    stage, region = (request.query.get(name, [None])[0] for name in ("stage", "region"))
    chosen = [one for one in ORDERS if stage not in STAGES or STAGES[one["id"] % 3] == stage]
    return reply([one for one in chosen if region in (None, one["region"])])


def order(request: Received) -> Answer:
    at = int(request.path.rpartition("/")[2])
    return reply({**ORDERS[at - 1], "stage": STAGES[at % 3]}) if 0 < at <= len(ORDERS) else reply({}, 404)


def test_a_parameter_is_tried_with_what_a_field_of_its_name_has_elsewhere(tmp_path: Path) -> None:
    stale = {**TEXT, "enum": ["draft", "placed", "paid", "done"]}
    declared = {"stage": {"schema": stale}, "region": {"schema": TEXT}, "nothing": {"schema": TEXT}}
    path = tmp_path / "shop.json"
    path.write_text(json.dumps(spec(**declared)))
    with Server({"GET /orders": orders, "GET /orders/*": order}) as server:
        docrev.explore(path, base_urls=server.url, out=tmp_path / "out", max_calls=200)
    with Evidence.open(tmp_path / "out", write=False) as evidence:
        ignored = {fact.location for fact in evidence.facts(kind="ignored", key=LIST)}
    assert ignored == {"query:nothing"}


def members(request: Received) -> Answer:
    return reply([{"order_id": one["id"]} for one in ORDERS])


def open_orders(request: Received) -> Answer:
    """Where no stage is sent, or one that nothing has, the open ones; neither the list nor the spec tells so."""
    stage = request.query.get("stage", ["open"])[0]
    region = request.query.get("region", [None])[0]
    wanted = stage if stage in STAGES else "open"
    return reply([one for one in ORDERS if STAGES[one["id"] % 3] == wanted and region in (None, one["region"])])


def test_items_that_a_list_leaves_out_are_read_before_a_filter_on_them_is_called_ignored(tmp_path: Path) -> None:
    declared = {
        "stage": {"schema": TEXT, "description": "draft, placed or done"},
        "region": {"schema": TEXT},
        "nothing": {"schema": TEXT},
    }
    document = spec(**declared)
    document["paths"]["/members"] = {"get": {"responses": {"200": {"description": "OK"}}}}
    path = tmp_path / "shop.json"
    path.write_text(json.dumps(document))
    with Server({"GET /orders": open_orders, "GET /orders/*": order, "GET /members": members}) as server:
        docrev.explore(path, base_urls=server.url, out=tmp_path / "out", max_calls=300)
    with Evidence.open(tmp_path / "out", write=False) as evidence:
        ignored = {fact.location for fact in evidence.facts(kind="ignored", key=LIST)}
        sent = {call.arguments.get("query:stage") for call in evidence.calls.select(key=LIST)}
        observed = {fact.location: set(fact.value) for fact in evidence.facts(kind="observed-values", key=LIST)}
    assert ignored == {"query:nothing"}
    assert len(sent.intersection(STAGES)) >= 2
    assert len(observed["query:stage"].intersection(STAGES)) >= 2
    [document] = docrev.revise(path, evidence=tmp_path / "out").documents.values()
    written = json.loads(document.text)["paths"]["/orders"]["get"]["parameters"]
    assert all(f"`{stage}`" in written[0]["description"] for stage in observed["query:stage"].intersection(STAGES))


def test_a_field_of_the_same_name_must_be_tried_with_two_values(tmp_path: Path) -> None:
    (tmp_path / "shop.json").write_text(json.dumps(spec(kind={"schema": TEXT})))
    operation = load(tmp_path / "shop.json")[LIST]
    trials = [Trial("query:kind", value, "base", value) for value in ("zz", "a")]
    assert is_proven(IGNORED, operation, trials, {}.get)
    assert not is_proven(IGNORED, operation, trials, {}.get, ["a"])
    assert not is_proven(IGNORED, operation, trials, {}.get, ["a", "b"])
    assert is_proven(IGNORED, operation, [*trials, Trial("query:kind", "b", "base", "b")], {}.get, ["a", "b"])


@pytest.mark.parametrize(
    ("name", "beside", "expected"),
    [
        ("kind", {}, True),
        ("callback", {}, False),
        ("kind", {"mode": {"schema": {**TEXT, "enum": ["a", "b", "c"]}}}, False),
        ("kind", {"format": {"schema": {**TEXT, "enum": ["a", "b"]}}}, False),
        ("kind", {"stage": {"schema": {**TEXT, "enum": ["a", "b", "c"]}}}, True),
    ],
)
def test_what_may_matter_for_another_kind_of_response_is_not_called_ignored(
    tmp_path: Path, name: str, beside: dict[str, Any], *, expected: bool
) -> None:
    ignored = replace(IGNORED, location=f"query:{name}")
    assert proven(tmp_path, ignored, ("zz", 200), **{name: {"schema": TEXT}}, **beside) is expected


def test_all_documented_items_of_an_array_are_tried(tmp_path: Path) -> None:
    schema = {"type": "array", "items": {**TEXT, "enum": ["a", "b"]}}
    assert not proven(tmp_path, IGNORED, ("zz", 200), kind={"schema": schema})
    assert proven(tmp_path, IGNORED, ("zz", 200), ("a", 200), ("b", 200), kind={"schema": schema})


def test_a_response_to_save_by_another_name_is_another_response() -> None:
    base = Call("base", LIST, {}, "http://a/", 200, {"content-type": "text/csv"}, [1], "text/csv", "probe")
    named = replace(base, id="1", headers={**base.headers, "content-disposition": "attachment; filename=x"})
    dated = replace(base, id="2", headers={**base.headers, "date": "today"})
    trials = [Trial("query:file", value, "base", id) for value, id in (("x", "1"), ("y", "2"))]
    tried = OperationTrials.of(LIST, trials, {"base": base, "1": named, "2": dated}.get)
    assert [tried.same(one, base) for one in tried.values("query:file")] == [False, True]


@pytest.mark.parametrize(("schema", "expected"), [({}, ["integer"]), (TEXT, [])])
def test_that_digits_were_accepted_does_not_make_a_declared_text_a_number(
    tmp_path: Path, schema: dict[str, Any], expected: list[str]
) -> None:
    (tmp_path / "shop.json").write_text(json.dumps(spec(box={"schema": schema})))
    orders = [{"id": 1017}, {"id": 1018}, {"id": 1019}]
    listed = Call("list", LIST, {}, "http://a/orders", 200, {}, orders, "application/json", "survey")
    boxed = [replace(listed, id=f"c{id}", arguments={"query:box": id}) for id in (1017, 1018, 1019)]
    item = OperationKey("shop", "GET /orders/{id}")
    ones = [
        replace(listed, id=f"i{id}", key=item, arguments={"path:id": id - 1000}, body={"no": id})
        for id in (1017, 1018, 1019)
    ]
    edge = Edge(item, "200:/no", LIST, "query:box", "value", 1.0, ("i1017", "c1017"))
    with Evidence.open(tmp_path / "out", write=True) as evidence:
        evidence.begin({})
        for call in (listed, *boxed, *ones):
            evidence.calls.put(call)
        facts = infer(load(tmp_path / "shop.json"), evidence, [edge])
    assert [one.value for one in facts if (one.kind, one.location) == ("type", "query:box")] == expected


def test_a_filter_that_leaves_things_out_by_itself_has_a_default(tmp_path: Path) -> None:
    """Without `active` the list has the active ones alone; without `region` it has those of all regions."""

    def listed(request: Received) -> Answer:
        active = request.query.get("active", ["true"])[0]
        region = request.query.get("region", [None])[0]
        if active not in ("true", "false"):
            return reply({"message": "active must be true or false"}, 422)
        found = [one for one in ORDERS if (one["id"] % 3 > 0) is (active == "true")]
        return reply({"items": [one for one in found if region in (None, one["region"])], "total": len(found)})

    path = tmp_path / "shop.json"
    path.write_text(json.dumps(spec(active={"schema": {"type": "boolean"}}, region={"schema": TEXT})))
    with Server({"GET /orders": listed, "GET /orders/*": order}) as server:
        docrev.explore(path, base_urls=server.url, out=tmp_path / "out", max_calls=200)
    with Evidence.open(tmp_path / "out", write=False) as evidence:
        defaults = {fact.location: fact.value for fact in evidence.facts(kind="default", key=LIST)}
    assert defaults == {"query:active": "true"}
