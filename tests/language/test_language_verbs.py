"""What operations of public specs say that they do, by hand and by their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from docrev.language.verbs import acting_verb, reading_verb

TABLE = Path(__file__).with_name("operations.yaml")


@dataclass(frozen=True)
class Named:
    method: str
    path: str
    operation_id: str = ""
    summary: str = ""
    description: str = ""


def _rows() -> Iterator[tuple[Named, str, str]]:
    """Each operation of the table, what it is, and what its words are known to give."""
    for group in yaml.safe_load(TABLE.read_text(encoding="utf-8")).values():
        for method, path, name, text, truth, *verdict in group["operations"]:
            texts = {"description" if group.get("described") else "summary": text}
            yield Named(method, path, name, **texts), truth, (verdict or [truth])[0]


def _verdict(operation: Named) -> str:
    if operation.method == "GET":
        return "acting" if acting_verb(operation) else "read"
    return "query" if reading_verb(operation) else "action"


def test_every_operation_of_the_table_is_judged_as_it_says() -> None:
    rows = list(_rows())
    assert len(rows) >= 120
    wrong = [(operation, verdict, _verdict(operation)) for operation, _, verdict in rows]
    assert [row for row in wrong if row[1] != row[2]] == []


def test_the_known_falsehoods_are_few_and_counted() -> None:
    pairs = Counter((truth, _verdict(operation)) for operation, truth, _ in _rows())
    hits, alarms, misses = pairs["acting", "acting"], pairs["read", "acting"], pairs["acting", "read"]
    print(f"acting GETs: precision {hits}/{hits + alarms}, recall {hits}/{hits + misses}")
    assert (hits, alarms, misses) == (44, 5, 5)
    # A POST that changes something is never taken for one that reads.
    assert pairs["action", "query"] == 0


def test_nouns_and_plurals_are_no_verbs() -> None:
    nouns = [
        Named("GET", "/runs", "runs", "Runs"),
        Named("GET", "/dagRuns", "dagRuns", "DAG runs"),
        Named("GET", "/merge-requests/{id}", "mergeRequest", "Merge request"),
        Named("GET", "/send-to", "", "Send-to addresses"),
        Named("GET", "/add-ons/{id}", "addOn", "Add-on details"),
        Named("GET", "/run", "run_list", "Run list"),
        Named("GET", "/orders/{id}/status", "orderStatus", "Order status"),
        Named("GET", "/orders/{id}/merge-history", "", "Merge history"),
        Named("GET", "/pushNotificationConfigs", "pushNotificationConfigs"),
    ]
    assert [acting_verb(operation) for operation in nouns] == [None] * len(nouns)


def test_what_a_name_says_beside_its_object_does_not_hide_its_verb() -> None:
    acting = [
        Named("GET", "/copyPadWithoutHistory", "copyPadWithoutHistoryUsingGET"),
        Named("GET", "/appendText", "appendTextUsingGET"),
    ]
    assert [acting_verb(operation) for operation in acting] == ["copy", "append"]


def test_what_generators_add_to_an_operation_id_is_left_out() -> None:
    path = "/items/{item_id}/delete"
    verbs = [
        Named("GET", path, "delete_item_items__item_id__delete_get"),
        Named("GET", "/x", "deleteUsingGET_1"),
        Named("GET", "/x", "UsersController_remove"),
        Named("GET", "/x", "api.v1.items.approve"),
        Named("GET", "/x", "items_delete"),
        Named("GET", "/x", "VirtualMachines_Start_all"),
        Named("GET", "/x", "", "[Beta] Permanently deletes a user"),
        Named("GET", "/x", "", "Bulk-delete users"),
    ]
    assert len(verbs) == 8
    assert [acting_verb(operation) for operation in verbs] == [
        "delete", "delete", "remove", "approve", "delete", None, "delete", "delete",
    ]  # fmt: skip
    assert acting_verb(Named("GET", "/items/{id}/run", "getItemsRun")) is None
    assert acting_verb(Named("GET", "/items/{id}/delete", "getItemsDelete", "Get items delete")) == "delete"


def test_a_text_that_begins_with_the_verb_of_its_path_says_what_is_done() -> None:
    acting = [
        Named("GET", "/irc/stop/", "get_irc_stop", "Stop IRC connections"),
        Named("GET", "/cache/refresh", "", "Refreshes cached pages"),
    ]
    assert [acting_verb(operation) for operation in acting] == ["stop", "refresh"]
    nouns = [
        Named("GET", "/days/schedule", "", "Schedule of a day"),
        Named("GET", "/account/charge", "", "Charge information"),
        Named("GET", "/trains/stop", "", "Stop"),
        Named("GET", "/shop/order", "", "Order lines"),
    ]
    assert [acting_verb(operation) for operation in nouns] == [None] * len(nouns)
