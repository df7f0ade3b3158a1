"""The user's own tasks: what a file may say, and where it says it wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from docrev.errors import DocrevError, InputError
from docrev.eval.agents.docs import Docs
from docrev.eval.agents.stages import staged
from docrev.eval.suites.registry import suite
from docrev.eval.suites.suite import Loaded, serving
from docrev.records import OperationKey
from docrev.spec import load as load_specs

SPEC = """openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders:
    get: {responses: {"200": {description: ok}}}
    post: {responses: {"201": {description: ok}}}
  /orders/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: ok}}
"""
TASKS = """title: Orders
specs: [shop.yaml]
base_urls: {shop: "http://127.0.0.1:9/v1"}
headers: ["X-Key: env:SHOP_KEY"]
allow: [POST]
tasks:
  - id: cheapest
    text: >
      Which order
      was cheapest?
    level: statement
    group: reading
    operations: [shop GET /orders]
    gold: ["shop GET /orders", "GET /orders/{id}"]
    arguments: [{query:sort: price}, {path:id: o_7}]
    answer: {text: o_7}
  - id: new
    text: Order a pie.
    gold: [[POST /orders], [GET /orders, POST /orders]]
    answer:
      all:
        - 7
        - state:
            - read: GET /orders/{id}
              arguments: {path:id: o_8}
              body: {what: pie, off: no}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.yaml").write_text(SPEC)
    (tmp_path / "tasks.yaml").write_text(TASKS)
    return tmp_path


def load(folder: Path, text: str | None = None) -> Loaded:
    if text is not None:
        (folder / "tasks.yaml").write_text(text)
    return suite(str(folder / "tasks.yaml")).load()


def test_a_whole_file(folder: Path) -> None:
    loaded = load(folder)
    cheapest, new = loaded.tasks
    orders, one = OperationKey("shop", "GET /orders"), OperationKey("shop", "GET /orders/{id}")
    assert (cheapest.id, cheapest.text) == ("cheapest", "Which order was cheapest?")
    assert (cheapest.level, cheapest.group) == ("statement", "reading")
    assert (cheapest.operations, cheapest.gold) == ((orders,), ((orders, one),))
    assert cheapest.arguments == ({"query:sort": "price"}, {"path:id": "o_7"})
    assert cheapest.answer == {"text": "o_7"}
    assert [len(path) for path in new.gold] == [1, 2]
    assert new.answer["all"][1]["state"][0] == {
        "read": "shop GET /orders/{id}",
        "arguments": {"path:id": "o_8"},
        "body": {"what": "pie", "off": "no"},
    }
    assert loaded.serving.service == "live"
    assert (loaded.serving.headers, loaded.serving.allow) == (("X-Key: env:SHOP_KEY",), ("POST",))
    assert loaded.findings == ()


@pytest.mark.parametrize(
    ("allow", "shown"),
    [("[POST]", {"GET /orders", "POST /orders", "GET /orders/{id}"}), ("[]", {"GET /orders", "GET /orders/{id}"})],
)
def test_agents_are_given_what_they_may_call(allow: str, shown: set[str], folder: Path) -> None:
    loaded = load(folder, TASKS.replace("allow: [POST]", f"allow: {allow}").replace("env:SHOP_KEY", "k"))
    with staged(loaded) as stage:
        docs = Docs("original", load_specs(folder / "shop.yaml"), stage.policy.permits)
    cheapest, new = (docs.tools(task) for task in loaded.tasks)
    assert {sheet.key.operation for sheet in cheapest.sheets} == {"GET /orders"}
    assert {sheet.key.operation for sheet in new.sheets} == shown


def test_without_urls_worlds_are_served(folder: Path) -> None:
    loaded = load(folder, "specs: shop.yaml\ntasks: [{id: a, text: b}]\n")
    with serving(loaded, folder / "worlds") as urls:
        assert urls("a")["shop"].endswith("/a/shop")
    live = load(folder, TASKS)
    with serving(live, folder / "worlds") as urls:
        assert urls("a") == urls("b") == {"shop": "http://127.0.0.1:9/v1"}


def test_a_gold_path_that_is_not_in_the_spec_is_a_finding(folder: Path) -> None:
    loaded = load(folder, "specs: [shop.yaml]\ntasks:\n- {id: a, text: b, gold: [GET /pies]}\n")
    assert loaded.findings == ("tasks a: the gold path names 'GET /pies', which is not in shop",)


HEAD = "specs: [shop.yaml]\ntasks:\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("- 1", "1: is not an object with tasks"),
        ("specs: [shop.yaml]\n", "1: has no list of tasks"),
        ("specs: [shop.yaml]\ntasks: []\n", "2: has no list of tasks"),
        ("specs: [shop.yaml]\ntask: []\n", "2: 'task' is not known here; use one of allow, base_urls"),
        ("tasks: [{id: a, text: b}]\n", "1: names no specs; write specs: [api.yaml]"),
        ("specs: [shop.yaml]\nbase_urls: {store: x}\ntasks: [{id: a, text: b}]\n", "2: is not a URL for each tool"),
        ("specs: [shop.yaml]\nallow: POST\ntasks: [{id: a, text: b}]\n", "2: is not a list of texts"),
        (f"{HEAD}- 5\n", "3: a task is an object with id and text"),
        (f"{HEAD}- {{id: a}}\n", "3: the task has no text"),
        (f"{HEAD}- id: a b\n  text: c\n", "3: 'a b' is no id"),
        (f"{HEAD}- id: a\n  text: c\n  gould: []\n", "5: 'gould' is not known here; use one of answer, arguments"),
        (f"{HEAD}- id: a\n  text: c\n  level: api\n", "5: 'api' is no level"),
        (f"{HEAD}- {{id: a, text: b}}\n- {{id: a, text: c}}\n", "4: a second task has the id 'a'"),
        (f"{HEAD}- id: a\n  text: c\n  gold: [GET]\n", "5: 'GET' is no operation"),
        (f"{HEAD}- id: a\n  text: c\n  gold: [store GET /orders]\n", "5: no spec is called 'store'; use one of shop"),
        (f"{HEAD}- id: a\n  text: c\n  operations: GET /orders\n", "5: is not a list of operations"),
        (f"{HEAD}- id: a\n  text: c\n  gold: [GET /orders]\n  arguments: [{{}}, {{}}]\n", "6: 2 calls have arguments"),
        (f"{HEAD}- id: a\n  text: c\n  gold: [GET /orders]\n  arguments: [{{sort: a}}]\n", "6: 'sort' is no location"),
        (f"{HEAD}- id: a\n  text: c\n  answer: {{nearly: 5}}\n", "5: does not say how to compare; use one of all"),
        (f"{HEAD}- id: a\n  text: c\n  answer: {{state: [{{look: x}}]}}\n", "5: is no look at the state"),
        (f"{HEAD}- id: a\n  text: c\n  answer: {{state: [{{read: POST}}]}}\n", "5: 'POST' is no operation"),
        (f"{HEAD}- id: [a\n", "4: this is not YAML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: str, folder: Path) -> None:
    with pytest.raises(InputError) as caught:
        load(folder, text)
    assert str(caught.value).startswith(f"{folder}/tasks.yaml:{line}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["nowhere.yaml", "nowhere.json"])
def test_a_file_that_is_not_there(name: str, tmp_path: Path) -> None:
    with pytest.raises(DocrevError, match="nowhere"):
        suite(str(tmp_path / name)).load()
