"""What the truth says of the bundled services holds, operation by operation, on the live services."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import httpx2
import pytest
import yaml
from jsonschema import Draft202012Validator
from patience import HANGS
from services import running

from docrev.sandbox.atlas import KEY

NAMES = ("airfield", "atlas")
METHODS = ("get", "post", "put", "patch", "delete")
SAMPLES = {
    ("atlas", "region"): "europe",
    ("atlas", "code"): "FR",
    ("atlas", "country"): "FR",
    ("atlas", "q"): "fr",
    ("atlas", "id"): 2988507,
    ("atlas", "date"): "2026-06-21",
    ("atlas", "lat"): 48.85,
    ("atlas", "lon"): 2.35,
    ("airfield", "iata"): "CDG",
    ("airfield", "q"): "paris",
    ("airfield", "from"): "CDG",
    ("airfield", "to"): "JFK",
    ("airfield", "country"): "FR",
}
OPERATION_SAMPLES = {
    ("getCurrency", "code"): "EUR",
    ("getLanguage", "code"): "fr",
    ("listCountryCities", "code"): "IN",
    ("listCountries", "region"): "Europe",
    ("reportDensity", "region"): "Europe",
}
BODIES = {
    "createNote": {"country_code": "FR", "text": "Cheese"},
    "updateNote": {"text": "More cheese"},
    "watchlists_create": {"name": "Paris"},
    "watchlists_update": {"name": "Around Paris"},
    "items_create": {"iata": "CDG"},
}


class Op(NamedTuple):
    service: str
    method: str
    path: str
    node: dict[str, Any]

    @property
    def id(self) -> str:
        return str(self.node["operationId"])

    def params(self, where: str = "query") -> list[dict[str, Any]]:
        return [param for param in self.node.get("parameters", ()) if param["in"] == where]

    def samples(self) -> dict[str, Any]:
        """A value for each path parameter and each required query parameter."""
        wanted = [*self.params("path"), *(param for param in self.params() if param.get("required"))]
        return {param["name"]: self.sample(param["name"]) for param in wanted}

    def sample(self, name: str) -> Any:
        return OPERATION_SAMPLES.get((self.id, name), SAMPLES.get((self.service, name)))

    @property
    def schema(self) -> dict[str, Any] | None:
        success = next((r for code, r in self.node["responses"].items() if code.startswith("2")), {})
        content = success.get("content")
        return content["application/json"]["schema"] if content else None


@cache
def truth(service: str) -> dict[str, Any]:
    text = files(f"docrev.sandbox.{service}").joinpath("truth.yaml").read_text("utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def operations() -> list[Op]:
    return [
        Op(service, method, path, item[method])
        for service in NAMES
        for path, item in truth(service)["paths"].items()
        for method in METHODS
        if method in item
    ]


OPERATIONS = operations()
WORKING = [op for op in OPERATIONS if not op.node.get("x-broken")]
READING = [op for op in WORKING if op.method == "get"]
each = pytest.mark.parametrize("op", READING, ids=lambda op: op.id)


class Client:
    """Calls operations by name; what they need to exist is created first."""

    def __init__(self, urls: dict[str, str]) -> None:
        self.urls = urls
        self.http = httpx2.Client(headers={"X-Api-Key": KEY}, timeout=HANGS)
        self.created = {
            "note": self.post("atlas", "/notes", BODIES["createNote"])["id"],
            "watchlist_id": self.post("airfield", "/watchlists", BODIES["watchlists_create"])["id"],
        }
        items = f"/watchlists/{self.created['watchlist_id']}/items"
        self.created["item_id"] = self.post("airfield", items, BODIES["items_create"])["item_id"]

    def post(self, service: str, path: str, body: Any) -> Any:
        answer = self.http.post(self.urls[service] + path, json=body)
        assert answer.status_code == 201
        return answer.json()

    def call(self, op: Op, values: dict[str, Any], body: Any = None) -> httpx2.Response:
        known = dict(self.created) | ({"id": self.created["note"]} if op.id.endswith("Note") else {})
        values = values | {name: known[name] for name, value in values.items() if value is None and name in known}
        names = [param["name"] for param in op.params("path")]
        path = op.path.format(**{name: values[name] for name in names})
        query = {name: value for name, value in values.items() if name not in names}
        extra = {"json": body} if body is not None else {}
        return self.http.request(op.method, self.urls[op.service] + path, params=query, **extra)

    def good(self, op: Op, **more: Any) -> Any:
        answer = self.call(op, op.samples() | more)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with running() as urls:
        yield Client(urls)


def resolved(schema: Any, service: str) -> Any:
    """The schema without references, and closed: a property it does not name is an error."""
    if isinstance(schema, list):
        return [resolved(item, service) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return resolved(truth(service)["components"]["schemas"][name], service)
    out = {key: resolved(value, service) for key, value in schema.items()}
    if "properties" in out:
        out.setdefault("additionalProperties", False)
    return out


def items(op: Op, body: Any) -> list[dict[str, Any]]:
    return next(value for key, value in body.items() if key in ("data", "items", "results"))


def blamed(op: Op, answer: httpx2.Response) -> set[str]:
    """The names of the parameters that a refusal names."""
    assert answer.status_code == {"atlas": 422, "airfield": 400}[op.service], answer.text
    if op.service == "airfield":
        return set(answer.json())
    return {entry["loc"][-1] for entry in answer.json()["detail"]}


def same(op: Op, client: Client, one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(client.good(op, **one) == client.good(op, **other))


@pytest.mark.parametrize("op", sorted(WORKING, key=lambda op: op.method == "delete"), ids=lambda op: op.id)
def test_success_answers_exactly_the_declared_properties(op: Op, client: Client) -> None:
    values = op.samples()
    values |= {"id": None} if op.id.endswith("Note") and "id" in values else {}
    if op.method == "delete":
        fresh = Client(client.urls)
        answer = fresh.call(op, values)
        assert (answer.status_code, answer.content) == (204, b"")
        return
    answer = client.call(op, values, BODIES.get(op.id))
    assert str(answer.status_code) in op.node["responses"]
    assert answer.status_code < 300
    Draft202012Validator(resolved(op.schema, op.service)).validate(answer.json())


@each
def test_a_required_parameter_is_required_and_no_other_is(op: Op, client: Client) -> None:
    for param in op.params():
        if param.get("required"):
            rest = {name: value for name, value in op.samples().items() if name != param["name"]}
            assert blamed(op, client.call(op, rest)) == {param["name"]}


@each
def test_allowed_values_are_accepted_and_others_refused(op: Op, client: Client) -> None:
    for param in op.params():
        for value in param["schema"].get("enum", ()):
            client.good(op, **{param["name"]: value})
        if "enum" in param["schema"]:
            wrong = client.call(op, op.samples() | {param["name"]: "no-such-value"})
            assert blamed(op, wrong) == {param["name"]}


@each
def test_a_default_is_what_omission_means(op: Op, client: Client) -> None:
    for param in op.params():
        if "default" in param["schema"]:
            assert same(op, client, {}, {param["name"]: param["schema"]["default"]})


@each
def test_bounds_refuse_or_clamp(op: Op, client: Client) -> None:
    for param in op.params():
        name, schema = param["name"], param["schema"]
        if "minimum" in schema:
            client.good(op, **{name: schema["minimum"]})
            assert blamed(op, client.call(op, op.samples() | {name: schema["minimum"] - 1})) == {name}
        if param.get("x-clamps"):
            assert same(op, client, {name: schema["maximum"]}, {name: schema["maximum"] + 900})
        elif "maximum" in schema:
            client.good(op, **{name: schema["maximum"]})
            assert blamed(op, client.call(op, op.samples() | {name: schema["maximum"] + 1})) == {name}


@each
def test_types_and_lengths_of_parameters_are_checked(op: Op, client: Client) -> None:
    for param in op.params():
        name, schema = param["name"], param["schema"]
        wrong = ["x"] if schema["type"] in ("integer", "number") else []
        wrong += ["21.06.2026", "2026-13-01", "2026-02-31"] if schema.get("format") == "date" else []
        wrong += ["x" * (schema["minLength"] - 1) or None] if schema.get("minLength") else []
        wrong += ["x" * (schema["maxLength"] + 1)] if "maxLength" in schema else []
        for value in filter(None, wrong):
            assert blamed(op, client.call(op, op.samples() | {name: value})) == {name}


@each
def test_a_filter_selects_by_its_field(op: Op, client: Client) -> None:
    values = {"currency": "EUR", "city": "Paris", "timezone": "Europe/Paris", "min_population": 1_000_000}
    for param in op.params():
        field, name = param.get("x-filters"), param["name"]
        if not field:
            continue
        value = values.get(name, op.sample(name) or "private")
        found = items(op, client.good(op, **{name: value}))
        assert found
        for item in filter(lambda item: field in item, found):
            if name == "q":
                assert value in item[field].lower()
            elif name == "min_population":
                assert item[field] >= value
            else:
                assert item[field] == value


@each
def test_sorting_orders_by_the_field(op: Op, client: Client) -> None:
    for param in op.params():
        if not param.get("x-sorts"):
            continue
        for value in param["schema"]["enum"]:
            found = items(op, client.good(op, sort=value))
            field = value.removeprefix("-")
            if field in found[0] and field not in ("name",):
                seen = [item[field] for item in found]
                assert seen == sorted(seen, reverse=value.startswith("-"))
            backwards = value.removeprefix("-") if value.startswith("-") else f"-{value}"
            assert found != items(op, client.good(op, sort=backwards))


@each
def test_an_ignored_parameter_has_no_effect(op: Op, client: Client) -> None:
    for param in op.params():
        if param.get("x-ignored"):
            assert same(op, client, {}, {param["name"]: "fr"})


def values_at(body: Any, pointer: str) -> list[Any]:
    """The values at a pointer in which `0` stands for every item."""
    found = [body]
    for part in pointer.strip("/").split("/"):
        found = [x for one in found for x in (one if isinstance(one, list) else [one.get(part)])]
    return [value for value in found if value is not None]


@pytest.mark.parametrize("op", WORKING, ids=lambda op: op.id)
def test_values_come_from_where_truth_says(op: Op, client: Client) -> None:
    by_key = {f"{one.service} {one.method.upper()} {one.path}": one for one in OPERATIONS}
    for param in (*op.params("path"), *op.params()):
        for source in param.get("x-comes-from", ()):
            other = by_key[source["operation"]]
            assert other.schema is not None
            status, _, pointer = source["field"].partition(":")
            if other.method == "get" and op.method == "get":
                limit = {"limit": 2} if any(p["name"] == "limit" for p in other.params()) else {}
                seen = values_at(client.good(other, **limit), pointer)
                assert seen, source
                answers = [client.call(op, op.samples() | {param["name"]: value}) for value in seen[:8]]
                assert any(answer.status_code == 200 for answer in answers), source
            else:
                assert status in other.node["responses"]
                assert values_at(_example(resolved(other.schema, other.service)), pointer), source


def _example(schema: Any) -> Any:
    if "properties" in schema:
        return {name: _example(node) for name, node in schema["properties"].items()}
    return [_example(schema["items"])] if "items" in schema else "x"


@each
def test_an_unknown_id_is_not_found(op: Op, client: Client) -> None:
    if op.params("path"):
        unknown = {param["name"]: 1 for param in op.params("path")}
        assert client.call(op, op.samples() | unknown).status_code == 404
        assert "404" in op.node["responses"]


@each
def test_answers_are_the_same_each_time_but_for_the_volatile_fields(op: Op, client: Client) -> None:
    values = {"id": None} if op.id == "getNote" else {}
    one = client.good(op, **values)
    time.sleep(0.01 if "x-volatile" in op.node else 0)
    two = client.good(op, **values)
    differing = {f"200:/{name}" for name in one if one[name] != two[name]}
    assert differing == set(op.node.get("x-volatile", ()))


@pytest.mark.parametrize("op", [op for op in OPERATIONS if op.node.get("x-broken")], ids=lambda op: op.id)
def test_a_broken_operation_never_works(op: Op, client: Client) -> None:
    assert [client.call(op, op.samples()).status_code for _ in range(3)] == [500, 500, 500]


def test_one_operation_needs_a_key(client: Client) -> None:
    locked = [op for op in OPERATIONS if op.node.get("security")]
    assert [op.id for op in locked] == ["reportDensity"]
    for key in ({}, {"X-Api-Key": "no"}):
        assert httpx2.get(client.urls["atlas"] + "/reports/density", headers=key, timeout=HANGS).status_code == 401


@pytest.mark.parametrize("op", [op for op in OPERATIONS if op.id in BODIES], ids=lambda op: op.id)
def test_body_properties_are_checked_as_declared(op: Op, client: Client) -> None:
    schema = resolved(op.node["requestBody"]["content"]["application/json"]["schema"], op.service)
    values = op.samples() | ({"id": None} if op.id == "updateNote" else {})
    good = BODIES[op.id]
    for name in schema.get("required", ()):
        rest = {key: value for key, value in good.items() if key != name}
        assert blamed(op, client.call(op, values, rest)) == {name}
    for name, node in schema["properties"].items():
        for wrong in _wrong(node):
            assert blamed(op, client.call(op, values, good | {name: wrong})) == {name}
        for right in node.get("enum", ()):
            assert client.call(op, values, good | {name: right}).json()[name] == right
        if "default" in node:
            assert client.call(op, values, good).json()[name] == node["default"]


def _wrong(node: dict[str, Any]) -> list[Any]:
    wrong: list[Any] = [["x"]]
    wrong += ["no-such-value"] if "enum" in node else []
    wrong += ["01.12.2026", "2026-02-31"] if node.get("format") == "date" else []
    wrong += ["x" * (node["maxLength"] + 1)] if "maxLength" in node else []
    wrong += [""] if node.get("minLength") else []
    wrong += [node["minimum"] - 1, node["maximum"] + 1] if "maximum" in node else []
    wrong += [None] if node["type"] == "string" else []
    return wrong
