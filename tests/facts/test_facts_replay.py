"""From calls to candidates to facts that were shown again. Answers are canned; the store is real."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace as with_
from pathlib import Path

import pytest

from docrev.evidence import Evidence
from docrev.facts import Replayed, infer, replay
from docrev.graph.tool_graph import ToolGraph
from docrev.prompts.steps import Invoke, Repeat
from docrev.records import Call, Fact, JournalItem, Json, OperationKey, Purpose
from docrev.spec import Catalog, load

SPEC = """
openapi: 3.0.3
info: {title: shop, version: "1"}
paths:
  /items:
    get:
      parameters:
        - {name: sort, in: query, schema: {type: string}}
        - {name: region, in: query, schema: {type: string}}
        - {name: key, in: query, schema: {type: string}}
      responses: {"200": {description: ok}}
    post:
      responses: {"201": {description: ok}}
  /items/{item_id}:
    get:
      parameters: [{name: item_id, in: path, required: true, schema: {}}]
      responses: {"200": {description: ok}}
    delete:
      parameters: [{name: item_id, in: path, required: true, schema: {}}]
      responses: {"204": {description: ok}}
"""
LIST, MAKE = OperationKey("shop", "GET /items"), OperationKey("shop", "POST /items")
ITEM, DROP = OperationKey("shop", "GET /items/{item_id}"), OperationKey("shop", "DELETE /items/{item_id}")

COLOURS = ("red", "blue", "red", "blue", "red", "red")
ITEMS = [{"id": 1000 + n, "colour": COLOURS[n % 6], "price": n if n % 2 else n + 0.5, "note": None} for n in range(12)]
PAGE = {"items": ITEMS, "now": "10:00"}


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    path = tmp_path / "shop.yaml"
    path.write_text(SPEC)
    return load(path)


@pytest.fixture
def evidence(tmp_path: Path) -> Iterator[Evidence]:
    with Evidence.open(tmp_path / "out", write=True) as store:
        store.begin({})
        yield store


def call(
    id: str, key: OperationKey, body: Json = None, *, status: int = 200, purpose: Purpose = "survey", **arguments: Json
) -> Call:
    named = {name.replace("__", ":", 1): value for name, value in arguments.items()}
    if "sent" in named:
        named["body:"] = named.pop("sent")
    return Call(id, key, named, "u", status, {}, body, "application/json" if body is not None else "", purpose)


def put(evidence: Evidence, *calls: Call) -> None:
    for one in calls:
        evidence.calls.put(one)


def facts_of(facts: list[Fact] | tuple[Fact, ...], kind: str, key: OperationKey | None = None) -> dict[str, Json]:
    return {fact.location: fact.value for fact in facts if fact.kind == kind and key in (None, fact.key)}


def run(
    evidence: Evidence, facts: list[Fact], answer: Callable[[Call], Call], *, allow: frozenset[str] = frozenset()
) -> tuple[Replayed, list[Invoke]]:
    """Do what the driver does: each repeated call is answered by `answer`, given the original."""
    sent: list[Invoke] = []
    originals = {(one.key, repr(one.arguments)): one for one in evidence.calls.select()}
    steps, reply = replay(facts, evidence, allow=allow), None
    while True:
        try:
            wanted = steps.send(reply)
        except StopIteration as end:
            return end.value, sent
        sent += wanted
        found = [originals[one.key, repr(one.arguments)] for one in wanted]
        reply = [with_(answer(one), id=f"{one.id}'", purpose="replay") for one in found]


def same(one: Call) -> Call:
    return one


def test_response_facts_say_what_every_2xx_showed(catalog: Catalog, evidence: Evidence) -> None:
    put(evidence, call("a", LIST, PAGE), call("b", LIST, {"items": [], "extra": 1}))
    found = infer(catalog, evidence)
    assert facts_of(found, "field") == {
        "200:/items": True,
        "200:/items/0/id": True,
        "200:/items/0/colour": True,
        "200:/items/0/price": True,
        "200:/items/0/note": True,
    }
    types = facts_of(found, "type")
    assert (types["200:/items/0/id"], types["200:/items/0/price"], types["200:/extra"]) == (
        "integer",
        "number",
        "integer",
    )
    assert "200:/items/0/note" not in types, "nulls show no type"
    assert facts_of(found, "observed-values") == {"200:/items/0/colour": ["blue", "red"]}
    assert {fact.calls for fact in found if fact.location == "200:/items/0/id"} == {("a",)}


def test_errors_and_replays_say_nothing_on_responses(catalog: Catalog, evidence: Evidence) -> None:
    put(
        evidence,
        call("a", LIST, {"error": "x"}, status=500),
        call("b", LIST, {"x": 1}, purpose="replay"),
        with_(call("c", LIST, {"y": 1}), error="too-large"),
        call("d", OperationKey("gone", "GET /x"), {"z": 1}),
    )
    assert [(fact.kind, fact.value["cause"]) for fact in infer(catalog, evidence)] == [("status", "server error")]


def test_argument_facts_need_acceptance_and_more_than_one_value(catalog: Catalog, evidence: Evidence) -> None:
    put(
        evidence,
        call("a", LIST, PAGE, query__sort="name", query__page=1, query__region="Northern Europe"),
        call("b", LIST, PAGE, query__sort="name", query__page=2, query__key="[redacted]"),
        call("c", LIST, {}, status=400, query__sort="bad"),
        call("d", MAKE, {"id": 1}, status=201, sent={"title": "x", "price": 1, "tags": ["a"]}),
        call("e", MAKE, {"id": 2}, status=201, sent={"title": "y", "price": 1.5, "tags": []}),
    )
    found = infer(catalog, evidence)
    values = {
        location: value for location, value in facts_of(found, "observed-values").items() if ":/items" not in location
    }
    assert values == {
        "query:sort": ["name"],
        "query:page": [1, 2],
        "body:/title": ["x", "y"],
        "body:/price": [1, 1.5],
        "body:/tags/0": ["a"],
    }
    types = facts_of(found, "type")
    assert (types["query:sort"], types["body:/price"], types["body:/title"]) == ("string", "number", "string")
    assert "query:page" not in types, "digits in a URL show no type by themselves"


def test_a_value_that_came_from_a_response_shows_origin_and_type(catalog: Catalog, evidence: Evidence) -> None:
    graph = ToolGraph(catalog)
    for one in (call("a", LIST, PAGE), call("b", ITEM, ITEMS[3], path__item_id=1003)):
        put(evidence, one)
        graph.observe(one)
    found = infer(catalog, evidence, graph.edges())
    origin = {"operation": "shop GET /items", "field": "200:/items/0/id"}
    assert facts_of(found, "comes-from") == {"path:item_id": origin}
    assert facts_of(found, "type", ITEM)["path:item_id"] == "integer"
    replayed, sent = run(evidence, found, same)
    assert facts_of(replayed.kept, "comes-from") == {"path:item_id": origin}
    assert [fact.calls for fact in replayed.kept if fact.kind == "comes-from"] == [("a", "b")]
    assert [fact.replays for fact in replayed.kept if fact.kind == "comes-from"] == [("a'", "b'")]
    assert len(sent) == 2, "one call an operation backs everything"


@pytest.mark.parametrize(("declared", "sent"), [("{type: number}", None), ("{}", "first"), ("{}", 1.5)])
def test_what_came_from_whole_numbers_need_not_be_one(
    tmp_path: Path, evidence: Evidence, declared: str, sent: Json
) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(SPEC.replace("required: true, schema: {}", f"required: true, schema: {declared}"))
    catalog = load(path)
    graph = ToolGraph(catalog)
    calls = [call("a", LIST, PAGE), call("b", ITEM, ITEMS[3], path__item_id=1003)]
    if sent is not None:
        calls.append(with_(call("c", ITEM, ITEMS[3], path__item_id=sent), purpose="probe"))
    for one in calls:
        put(evidence, one)
        graph.observe(one)
    found = infer(catalog, evidence, graph.edges())
    assert "path:item_id" in facts_of(found, "comes-from", ITEM)
    assert "path:item_id" not in facts_of(found, "type", ITEM)


def origins(catalog: Catalog, evidence: Evidence, *calls: Call) -> list[Fact]:
    graph = ToolGraph(catalog)
    for one in calls:
        evidence.calls.put(one)
        graph.observe(one)
    return [fact for fact in infer(catalog, evidence, graph.edges()) if fact.kind == "comes-from"]


def test_an_echo_of_the_request_is_no_origin(catalog: Catalog, evidence: Evidence) -> None:
    calls = [call(f"g{n}", ITEM, {"id": n, "name": "x"}, path__item_id=n) for n in (1001, 1002)]
    calls += [call(f"d{n}", DROP, status=204, path__item_id=n) for n in (1001, 1002)]
    assert origins(catalog, evidence, *calls) == []


def test_a_filter_that_found_nothing_shows_no_origin(catalog: Catalog, evidence: Evidence) -> None:
    items = [call(f"g{n}", ITEM, {"region_name": f"north {n}"}, path__item_id=n) for n in (1, 2)]
    barren = [call(f"l{n}", LIST, {"items": []}, query__key=f"north {n}") for n in (1, 2)]
    assert origins(catalog, evidence, *items, *barren) == []
    fruitful = [call(f"f{n}", LIST, {"items": [1]}, query__key=f"north {n}") for n in (1, 2)]
    assert [fact.location for fact in origins(catalog, evidence, *items, *fruitful)] == ["query:key"]


def test_a_small_number_that_two_fields_share_is_chance(catalog: Catalog, evidence: Evidence) -> None:
    calls = [call("a", LIST, {"items": [{"pages": 7}]}), call("b", ITEM, {"name": "x"}, path__item_id=7)]
    assert origins(catalog, evidence, *calls) == []


@pytest.mark.parametrize(("name", "is_one"), [("item_link_id", False), ("linked_item_id", True)])
def test_what_a_thing_is_about_is_not_the_thing(tmp_path: Path, evidence: Evidence, name: str, is_one: bool) -> None:
    path = tmp_path / "shop.yaml"
    at, schema = f"/links/{{{name}}}", "required: true, schema: {type: integer}"
    get = f"{{parameters: [{{name: {name}, in: path, {schema}}}], responses: {{'200': {{description: ok}}}}}}"
    path.write_text(f"{SPEC}  {at}:\n    get: {get}\n")
    key = OperationKey("shop", f"GET {at}")
    calls = [call("a", LIST, {"items": [{"id": n} for n in (2, 5, 6)]})]
    calls += [with_(call(f"l{n}", key, {"kind": "x"}), arguments={f"path:{name}": n}) for n in (2, 5, 6)]
    assert bool(origins(load(path), evidence, *calls)) == is_one


def test_a_filter_and_a_body_do_not_come_from_their_own_resource(catalog: Catalog, evidence: Evidence) -> None:
    calls = [call(f"g{n}", ITEM, {"region": f"north {n}"}, path__item_id=n) for n in (1, 2)]
    calls += [call(f"l{n}", LIST, {"items": []}, query__region=f"north {n}") for n in (1, 2)]
    calls += [call(f"m{n}", MAKE, {}, status=201, sent={"region": f"north {n}"}) for n in (1, 2)]
    assert origins(catalog, evidence, *calls) == []


def test_an_origin_in_a_creation_is_shown_by_two_independent_pairs(catalog: Catalog, evidence: Evidence) -> None:
    calls = [call(f"m{n}", MAKE, {"id": f"it_{n}"}, status=201, sent={"title": "x"}) for n in (1, 2)]
    calls += [call(f"g{n}", ITEM, {"title": "x"}, path__item_id=f"it_{n}") for n in (1, 2)]
    found = origins(catalog, evidence, *calls)
    replayed, sent = run(evidence, found, same)
    assert sent == []
    assert [(fact.location, fact.calls, fact.replays) for fact in replayed.kept] == [
        ("path:item_id", ("m1", "g1"), ("m2", "g2"))
    ]


def test_what_was_invented_or_created_is_no_observed_value(catalog: Catalog, evidence: Evidence) -> None:
    evidence.journal.put(JournalItem("i", "shop", "/items/{item_id}", {"path:item_id": "it_1"}, "m"))
    put(
        evidence,
        call("m", MAKE, {"id": "it_1"}, status=201, sent={"title": "Quiet garden 17", "colour": "red"}),
        call("g", ITEM, {"title": "x"}, path__item_id="it_1"),
        call("h", ITEM, {"title": "x"}, path__item_id="of_old"),
        call("l", LIST, {"items": [1]}, query__region="Quiet garden 17"),
    )
    assert facts_of(infer(catalog, evidence), "observed-values") == {
        "body:/colour": ["red"],
        "path:item_id": ["of_old"],
    }


def test_values_that_found_nothing_are_not_quoted_beside_those_that_did(catalog: Catalog, evidence: Evidence) -> None:
    put(
        evidence,
        call("a", LIST, PAGE, query__region="EU"),
        call("b", LIST, PAGE, query__region="US"),
        call("c", LIST, {"items": []}, query__region="Europe"),
    )
    assert facts_of(infer(catalog, evidence), "observed-values")["query:region"] == ["EU", "US"]


def test_few_samples_of_many_objects_are_no_set_of_values(catalog: Catalog, evidence: Evidence) -> None:
    five = [{"id": n, "city": f"c{n}", "kind": "ab"[n % 2]} for n in range(5)]
    put(evidence, *(call(f"a{n}", LIST, {"items": five}, query__page=n) for n in range(4)))
    assert facts_of(infer(catalog, evidence), "observed-values", LIST).keys() == {"200:/items/0/kind", "query:page"}


def test_the_type_of_a_nullable_field_is_replayed_where_it_had_a_value(catalog: Catalog, evidence: Evidence) -> None:
    put(evidence, *(call(id, LIST, {"next": None, "x": 1}, query__page=n) for n, id in enumerate("abc")))
    put(evidence, call("d", LIST, {"next": "cursor"}))
    replayed, _ = run(evidence, infer(catalog, evidence), same)
    assert [fact.calls for fact in replayed.kept if (fact.kind, fact.location) == ("type", "200:/next")] == [("d",)]
    assert replayed.dropped == ()


def test_what_says_in_its_body_that_it_failed_shows_nothing(catalog: Catalog, evidence: Evidence) -> None:
    failed = {"code": 1, "message": "region is not a string", "data": None}
    put(evidence, *(call(f"a{n}", LIST, failed, query__page=n) for n in range(4)))
    assert [fact for fact in infer(catalog, evidence) if fact.location] == []


@pytest.mark.parametrize(
    ("bad", "expected"),
    [
        (
            call("x", ITEM, {"detail": "No such item."}, status=404, path__item_id=9),
            {"status": 404, "cause": "unknown item_id", "parameter": "path:item_id", "message": "No such item."},
        ),
        (
            call("x", ITEM, {"detail": "No item found with this ID"}, status=400, path__item_id=9),
            {
                "status": 400,
                "cause": "unknown item_id",
                "parameter": "path:item_id",
                "message": "No item found with this ID",
            },
        ),
        (
            call("x", LIST, {"errors": [{"field": "region", "message": "This field is required."}]}, status=400),
            {
                "status": 400,
                "cause": "region missing",
                "parameter": "query:region",
                "message": "region: This field is required.",
            },
        ),
        (
            call(
                "x",
                LIST,
                {"message": "sort must be one of\nname, price\u202e"},
                status=422,
                query__region="EU",
                query__sort="q",
            ),
            {
                "status": 422,
                "cause": "sort not valid",
                "parameter": "query:sort",
                "message": "sort must be one of name, price",
            },
        ),
        (call("x", LIST, "<html>Oops</html>", status=502), {"status": 502, "cause": "server error"}),
        (
            call("x", LIST, {"title": "Unauthorized"}, status=401),
            {"status": 401, "cause": "credentials missing or wrong", "message": "Unauthorized"},
        ),
    ],
)
def test_statuses_have_causes(catalog: Catalog, evidence: Evidence, bad: Call, expected: dict[str, Json]) -> None:
    put(
        evidence,
        call("a", LIST, PAGE, query__region="EU", query__sort="name"),
        call("b", ITEM, {}, path__item_id=1),
        bad,
    )
    found = [fact for fact in infer(catalog, evidence) if fact.kind == "status" and fact.calls == ("x",)]
    assert [fact.value for fact in found] == [expected]


def test_the_rate_limit_is_no_fact(catalog: Catalog, evidence: Evidence) -> None:
    put(evidence, call("a", LIST, {}, status=429))
    assert infer(catalog, evidence) == []


def test_few_calls_show_everything_again(catalog: Catalog, evidence: Evidence) -> None:
    for number in range(15):
        put(evidence, call(f"a{number:02}", LIST, PAGE, query__page=number))
    put(evidence, call("empty", LIST, {"items": []}), call("bad", LIST, {"message": "no"}, status=400, query__page="x"))
    found = infer(catalog, evidence)
    replayed, sent = run(evidence, found, same)
    assert set(replayed.dropped) == set()
    assert len(replayed.kept) == len(found) > 10
    assert len(sent) == 3, "one for the answer, one for the refusal, one for what empty looks like"
    assert {(one.purpose, one.repeat) for one in sent} == {("replay", Repeat.FINAL)}
    for fact in replayed.kept:
        assert fact.replays
        assert {f"{id}'" for id in fact.calls} >= set(fact.replays), "a fact names the calls that were repeated"
        assert len(fact.calls) <= 5


def test_what_shows_most_is_repeated_first_and_what_was_repeated_not_again(
    catalog: Catalog, evidence: Evidence
) -> None:
    """The budget may end before all are made; `done` are the answers to what was asked twice at the end."""
    put(evidence, call("a", ITEM, {f"f{n}": n for n in range(9)}, path__item_id=1), call("b", LIST, {"of": 1}))
    put(evidence, call("c", ITEM, {"error": "no"}, status=404, path__item_id=2))
    found = infer(catalog, evidence)
    _, sent = run(evidence, found, same)
    assert [(one.key, one.arguments.get("path:item_id")) for one in sent] == [(ITEM, 1), (LIST, None), (ITEM, 2)]
    again = with_(call("b", LIST, {"of": 1}), id="b'", purpose="replay")
    steps = replay(found, evidence, done={"b": again})
    assert {one.key for one in next(steps)} == {ITEM}


def test_a_write_that_shows_more_goes_before_a_read_that_there_may_be_no_request_for(
    catalog: Catalog, evidence: Evidence
) -> None:
    """What is sent side by side goes out with its reads first."""
    put(evidence, call("a", LIST, {"error": "no"}, status=404))
    put(evidence, call("m", MAKE, {f"f{n}": n for n in range(30)}, status=201, sent={"title": "x"}))
    found, allow = infer(catalog, evidence), frozenset(["POST"])

    def first(requests: int) -> list[OperationKey]:
        return [one.key for one in next(replay(found, evidence, allow=allow, left=lambda: requests))]

    assert first(10) == [MAKE, LIST]
    assert first(4) == [MAKE]
    # It takes more requests than there are, so what may be read still is.
    assert first(3) == [LIST]


def test_the_lists_with_and_without_a_revealing_value_are_among_the_first(catalog: Catalog, evidence: Evidence) -> None:
    put(evidence, call("a", LIST, ITEMS[:2]), call("b", LIST, ITEMS, query__region="all"))
    put(evidence, call("c", ITEM, {"id": 1000}, path__item_id=1000))
    facts = [one for one in infer(catalog, evidence) if one.key == ITEM or one.kind == "reveals"]
    first = next(replay(facts, evidence))
    assert sorted(str(dict(one.arguments)) for one in first if one.key == LIST) == ["{'query:region': 'all'}", "{}"]
    outcome, _ = run(evidence, facts, same)
    assert "reveals" in {fact.kind for fact in outcome.kept}


def test_what_is_repeated_does_not_hang_on_the_ids_of_calls(catalog: Catalog, tmp_path: Path) -> None:
    """They are digests of URLs, and a service may give other numbers the next time."""
    repeated = []
    for ids in ("pq", "qp"):
        with Evidence.open(tmp_path / ids, write=True) as evidence:
            evidence.begin({})
            items = zip(ids, ("wl_2", "wl_3"), strict=True)
            put(evidence, *(call(id, ITEM, {"of": 1, "colour": "red"}, path__item_id=item) for id, item in items))
            _, sent = run(evidence, infer(catalog, evidence), same)
            repeated.append([one.arguments["path:item_id"] for one in sent])
    assert repeated[0] == repeated[1] != []


def test_what_does_not_hold_again_is_dropped(catalog: Catalog, evidence: Evidence) -> None:
    put(evidence, call("a", LIST, {"id": 1, "gone": 2, "name": "x"}))
    replayed, _ = run(evidence, infer(catalog, evidence), lambda one: with_(one, body={"id": "one", "name": "y"}))
    dropped = {(fact.kind, fact.location) for fact in replayed.dropped}
    assert dropped == {("type", "200:/id"), ("field", "200:/gone"), ("type", "200:/gone")}
    assert ("field", "200:/id") in {(fact.kind, fact.location) for fact in replayed.kept}


def test_volatile_values_are_no_facts(catalog: Catalog, evidence: Evidence) -> None:
    states = [{"id": n, "state": "on" if n % 2 else "off"} for n in range(12)]
    moved = [{**item, "state": "on"} for item in states]
    put(evidence, call("a", LIST, {"items": states, "now": "10:00"}))
    found = infer(catalog, evidence)
    assert facts_of(found, "observed-values") == {"200:/items/0/state": ["off", "on"]}
    replayed, _ = run(evidence, found, lambda one: with_(one, body={"items": moved, "now": "10:01"}))
    assert replayed.volatile == {LIST: {"200:/items/0/state", "200:/now"}}
    assert [fact.location for fact in replayed.dropped] == ["200:/items/0/state"]
    assert "200:/now" in facts_of(replayed.kept, "type"), "its type stands"


def test_a_call_whose_object_is_gone_is_tried_with_another(catalog: Catalog, evidence: Evidence) -> None:
    put(evidence, *(call(id, ITEM, {"id": n}, path__item_id=n) for n, id in enumerate("abc")))
    gone = with_(call("a", ITEM), status=404, body={"message": "gone"})
    replayed, sent = run(evidence, infer(catalog, evidence), lambda one: gone if one.id == "a" else one)
    assert [one.arguments["path:item_id"] for one in sent] == [0, 1]
    assert replayed.dropped == ()
    assert {fact.replays for fact in replayed.kept} == {("b'",)}


def test_objects_that_were_removed_are_passed_over(catalog: Catalog, evidence: Evidence) -> None:
    put(evidence, *(call(id, ITEM, {"id": n}, path__item_id=n) for n, id in enumerate("abc")))
    for n in (0, 1):
        evidence.journal.put(JournalItem(f"i{n}", "shop", "/items/{item_id}", {"path:item_id": n}, "m", deleted=True))
    replayed, sent = run(evidence, infer(catalog, evidence), same)
    assert [one.arguments["path:item_id"] for one in sent] == [2]
    assert replayed.dropped == ()


def test_where_all_is_gone_two_independent_calls_do_and_one_does_not(catalog: Catalog, evidence: Evidence) -> None:
    put(evidence, call("a", ITEM, {"id": 1, "x": 1}, path__item_id=1), call("b", ITEM, {"id": 2}, path__item_id=2))
    replayed, sent = run(evidence, infer(catalog, evidence), lambda one: with_(one, status=404, body={}))
    assert len(sent) == 2
    assert {(fact.location, fact.calls, fact.replays) for fact in replayed.kept if fact.kind == "type"} == {
        ("200:", ("a",), ("b",)),
        ("200:/id", ("a",), ("b",)),
    }
    assert {fact.location for fact in replayed.dropped} == {"200:/x"}


def test_an_origin_whose_objects_are_gone_needs_two_pairs(catalog: Catalog, evidence: Evidence) -> None:
    calls = [
        call("l1", LIST, {"items": [{"id": 1001}, {"id": 1002}]}),
        call("g1", ITEM, {"size": 1}, path__item_id=1001),
    ]
    one = origins(catalog, evidence, *calls)
    other = [
        call("l2", LIST, {"items": [{"id": 1002}]}, query__page=2),
        call("g2", ITEM, {"size": 2}, path__item_id=1002),
    ]
    two = origins(catalog, evidence, other[0], *calls, other[1])
    gone = lambda call: with_(call, status=404) if call.key == ITEM else call  # noqa: E731
    assert run(evidence, one, gone)[0].kept == ()
    assert [(fact.calls, fact.replays) for fact in run(evidence, two, gone)[0].kept] in (
        [(("l1", "g1"), ("l2", "g2"))],
        [(("l2", "g2"), ("l1", "g1"))],
    )


def test_a_message_that_names_the_moment_is_left_out(catalog: Catalog, evidence: Evidence) -> None:
    put(evidence, call("a", LIST, {"message": "request 17 failed"}, status=500))
    replayed, sent = run(
        evidence, infer(catalog, evidence), lambda one: with_(one, body={"message": "request 18 failed"})
    )
    assert [fact.value for fact in replayed.kept] == [{"status": 500, "cause": "server error"}]
    assert len(sent) == 1


def test_a_refused_replay_shows_nothing(catalog: Catalog, evidence: Evidence) -> None:
    put(evidence, call("a", LIST, PAGE))
    found = infer(catalog, evidence)
    replayed, _ = run(evidence, found, lambda one: with_(one, status=None, error="budget", body=None))
    assert (replayed.kept, len(replayed.dropped)) == ((), len(found))


def test_unsafe_operations_need_two_calls_or_a_harmless_replay(catalog: Catalog, evidence: Evidence) -> None:
    made = [call(f"m{n}", MAKE, {"id": n}, status=201, sent={"title": "x"}) for n in range(1)]
    dropped = [call(f"d{n}", DROP, status=204, path__item_id=n) for n in range(2)]
    put(evidence, *made, *dropped)
    found = infer(catalog, evidence)
    replayed, sent = run(evidence, found, same)
    assert sent == [], "nothing unsafe without being allowed"
    assert {fact.key for fact in replayed.kept} == {DROP}
    assert {(fact.calls, fact.replays) for fact in replayed.kept if fact.kind == "status"} == {(("d0",), ("d1",))}
    replayed, sent = run(evidence, found, same, allow=frozenset({"POST", "DELETE"}))
    assert [one.key for one in sent] == [MAKE]
    assert (201, "created") in {(f.value["status"], f.value["cause"]) for f in replayed.kept if f.kind == "status"}


def test_one_delete_is_no_fact_and_is_never_repeated(catalog: Catalog, evidence: Evidence) -> None:
    put(evidence, call("d", DROP, status=204, path__item_id=1))
    replayed, sent = run(evidence, infer(catalog, evidence), same, allow=frozenset({"DELETE"}))
    assert (sent, replayed.kept) == ([], ())
    assert {fact.key for fact in replayed.dropped} == {DROP}


def test_a_call_with_a_redacted_argument_is_not_repeated(catalog: Catalog, evidence: Evidence) -> None:
    put(evidence, call("a", LIST, PAGE, query__key="[redacted]"))
    replayed, sent = run(evidence, infer(catalog, evidence), same)
    assert (sent, replayed.kept) == ([], ())


def test_the_order_of_arrival_changes_nothing(catalog: Catalog, tmp_path: Path) -> None:
    calls = [call(id, LIST, PAGE, query__page=n, query__sort=id) for n, id in enumerate("abcdefgh")]
    calls += [
        call("i", ITEM, ITEMS[0], path__item_id=1000),
        call("j", ITEM, {"detail": "no"}, status=404, path__item_id=5),
    ]
    found = []
    for number, order in enumerate((calls, calls[::-1])):
        with Evidence.open(tmp_path / str(number), write=True) as evidence:
            evidence.begin({})
            put(evidence, *order)
            found.append(run(evidence, infer(catalog, evidence), same))
    assert found[0] == found[1]
    assert len(found[0][0].kept) > 10
