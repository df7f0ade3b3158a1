"""What counts as reading: by the words of query parameters, and by what calls showed."""

from __future__ import annotations

from pathlib import Path

import pytest
from callkit import CRUD, catalog, key

from docrev.calls.journal import Journal
from docrev.calls.policy import Policy
from docrev.calls.readings import WHOLE, is_of_item
from docrev.calls.routes import Routes
from docrev.conventions.graphql import EMPTY
from docrev.conventions.run_names import run_name
from docrev.conventions.sql import changes_by_sql
from docrev.records import Json
from docrev.spec import Catalog

OPERATIONS = (*CRUD, "GET /items/{id}/content", "POST /items/{id}/query", "POST /items/search", "POST /graphql")


class Judge:
    """The verdicts of a policy that allows every method, on operations of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.journal = Journal(Routes(catalog.operations))
        self.policy = Policy.parse(["POST,PUT,PATCH,DELETE"]).judging(self.journal.effects)

    def __call__(self, line: str, arguments: dict[str, Json]) -> str | None:
        return self.policy.verdict(self.catalog[key(line)], arguments, self.journal)


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    return Judge(catalog(tmp_path, OPERATIONS))


def test_which_reads_are_of_one_item(judge: Judge) -> None:
    of_item = [line for line in OPERATIONS if is_of_item(judge.catalog[key(line)], judge.journal.routes)]
    assert [line for line in of_item if line.startswith("GET")] == ["GET /items/{id}", "GET /items/{id}/content"]


def test_a_state_is_not_set_on_an_item_and_may_filter_a_list(judge: Judge) -> None:
    reason = judge("GET /items/{id}", {"path:id": "1", "query:archived": True})
    assert reason == "archived may change what it reads; to allow it: --allow 'GET /items/{id}'"
    assert judge("GET /items", {"query:archived": True}) is None
    assert judge("GET /items/{item_id}/notes", {"path:item_id": "1", "query:archived": True}) is None


def test_a_command_is_sent_to_no_get_unless_it_asks(judge: Judge) -> None:
    assert judge("GET /items", {"query:action": "archive"}) is not None
    assert judge("GET /items", {"query:action": "list"}) is None
    assert judge("GET /items", {"query:action": None}) is None


def test_naming_the_operation_allows_its_parameters(judge: Judge) -> None:
    judge.policy = Policy.parse(["GET /items/{id}"]).judging(judge.journal.effects)
    assert judge("GET /items/{id}", {"path:id": "1", "query:paused": True}) is None


def test_what_changed_something_is_not_sent_again(judge: Judge) -> None:
    arguments: dict[str, Json] = {"path:id": "1", "query:level": 1}
    assert judge("GET /items/{id}", arguments) is None
    judge.journal.readings.note_change(key("GET /items/{id}"), "level")
    assert judge("GET /items/{id}", arguments) == "level changed something when it was sent"
    assert judge("GET /items/{id}", {"path:id": "1"}) is None
    judge.journal.readings.note_change(key("GET /items/{id}/content"), WHOLE)
    assert judge("GET /items/{id}/content", {"path:id": "1"}) == "it changed something when it was called"


def test_a_query_goes_to_others_only_after_a_trial(judge: Judge) -> None:
    line, arguments = "POST /items/{id}/query", {"path:id": "1", "body:": {"text": "a"}}
    assert judge(line, arguments) == "nothing shows that it only reads: it was not tried on anything of the run's own"
    judge.journal.readings.reads[key(line)] = True
    assert judge(line, arguments) is None
    judge.journal.readings.reads[key(line)] = False
    assert judge(line, arguments) == "it changed something when it was tried"


def test_a_search_of_everything_is_tried_with_a_made_up_name_alone(judge: Judge) -> None:
    line = "POST /items/search"
    assert judge(line, {"body:": {}}) == judge(line, {}) == "nothing shows that it only reads"
    assert judge(line, {"body:": {"name": "somebody's"}}) is not None
    assert judge(line, {"body:": {"name": run_name(1)}}) is None
    judge.journal.readings.reads[key(line)] = True
    assert judge(line, {"body:": {}}) is None


def test_graphql_never_mutates(judge: Judge) -> None:
    line = "POST /graphql"
    assert judge(line, {"body:": {"query": EMPTY}}) is None
    assert judge(line, {"body:": {"query": "{ people { name } }"}}) == "nothing shows that it only reads"
    judge.journal.readings.reads[key(line)] = True
    assert judge(line, {"body:": {"query": "{ people { name } }"}}) is None
    assert judge(line, {"body:": {"query": "mutation { a }"}}) == "its document is no query"
    assert judge(line, {"body:": {"query": run_name(1)}}) == "its document is no query"


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("SELECT * FROM orders", False),
        ("select 1; drop table orders", True),
        ("WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone", True),
        ("SELECT * INTO copies FROM orders", True),
        ("CREATE OR REPLACE VIEW v AS SELECT 1", True),
        ("update orders set paid = 1", True),
        ("create an invoice, update it", False),
    ],
)
def test_statements_that_change_something_are_told_from_those_that_read(text: str, changes: bool) -> None:
    assert changes_by_sql({"statements": [{"sql": text}]}) is changes
