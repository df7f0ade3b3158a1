"""APIs that are protobuf written as JSON: bytes in base64, whole numbers as texts, lists by a POST that takes nothing.

The cluster that such a service runs on is left alone, though it has members that can be added and removed.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev

TEXT, BYTES = {"type": "string"}, {"type": "string", "format": "byte"}
NUMBER = {"type": "string", "format": "int64"}
PROCEDURES: dict[str, tuple[str, dict[str, Any]]] = {
    "store/range": ("Range gets the keys in a range.", {"key": BYTES, "limit": NUMBER}),
    "lease/timetolive": ("LeaseTimeToLive retrieves a lease.", {"ID": NUMBER}),
    "lease/leases": ("LeaseLeases lists all leases.", {}),
    "lease/vote": ("LeaseVote takes part in a vote.", {}),
    "cluster/member/add": ("MemberAdd adds a member into the cluster.", {"peerURLs": {"type": "array", "items": TEXT}}),
    "cluster/member/list": ("MemberList lists all the members in the cluster.", {}),
    "cluster/member/remove": ("MemberRemove removes a member.", {"ID": NUMBER}),
}
CONSENT = {f"POST /{name}" for name in ("lease/vote", "cluster/member/add", "cluster/member/remove")}


class Store:
    """One key, one lease and one member, all of them somebody's; `asked` has what was called."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def __call__(self, request: Received) -> Answer:
        self.asked.add(f"POST {request.path}")
        given = request.json
        try:
            key = base64.b64decode(given.get("key", ""), validate=True).decode()
            numbers = [int(given[name]) for name in ("ID", "limit") if name in given]
        except binascii.Error:
            return reply({"error": "illegal base64 data at input byte 6"}, status=400)
        except ValueError:
            return reply({"error": "invalid character 'd' looking for beginning of value"}, status=400)
        if request.path.endswith("range"):
            return reply({"kvs": [{"key": given["key"]}] if key == "theirs" else [], "more": bool(numbers)})
        if request.path.endswith("leases"):
            return reply({"leases": [{"ID": "777"}]})
        if request.path.endswith("list"):
            return reply({"members": [{"ID": "5", "peerURLs": ["http://10.0.0.1:2380"]}]})
        return reply({"TTL": "-1"})


def document() -> dict[str, Any]:
    """The contract of the service, as a gateway to it writes it."""
    paths = {}
    for name, (summary, properties) in PROCEDURES.items():
        schema = {"type": "object", "properties": properties} if properties else {"type": "object"}
        body = {"name": "body", "in": "body", "required": True, "schema": schema}
        told = {"summary": summary, "operationId": summary.split()[0], "parameters": [body]}
        answers = {"200": {"description": "A successful response.", "schema": {"type": "object"}}}
        paths[f"/{name}"] = {"post": told | {"responses": answers}}
    return {"swagger": "2.0", "info": {"title": "Store", "version": "1"}, "paths": paths}


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, docrev.Exploration]:
    folder, store = tmp_path_factory.mktemp("store"), Store()
    (folder / "store.json").write_text(json.dumps(document()))
    with Server({"POST *": store}) as server:
        told = docrev.explore(
            folder / "store.json",
            base_urls=server.url,
            allow=("POST", "DELETE"),
            max_calls=150,
            out=folder / "evidence",
        )
    return store, told


def test_bytes_whole_numbers_and_lists_without_arguments_are_reached(
    explored: tuple[Store, docrev.Exploration],
) -> None:
    assert {missed["operation"] for missed in explored[1].summary["missed"]} == CONSENT


def test_the_cluster_of_the_service_and_what_only_seems_to_read_are_left_alone(
    explored: tuple[Store, docrev.Exploration],
) -> None:
    store, told = explored
    assert not store.asked & CONSENT
    reasons = {missed["operation"]: missed["why"] for missed in told.summary["missed"]}
    assert reasons["POST /cluster/member/add"].startswith("it changes the cluster that the service itself runs on")
