"""No header, parameter or field turns one method into another."""

from __future__ import annotations

from pathlib import Path

import pytest
from callkit import ALL, Api, catalog, invoke
from servers import Server, reply

from docrev.calls.disguises import overrides_method
from docrev.records import Json

NAMES = ["_method", "_METHOD", "X-HTTP-Method-Override", "x_http_method_override", "X-HTTP-Method", "_http_method"]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_overrides_are_known_at_any_case(name: str) -> None:
    assert overrides_method(name)


@pytest.mark.parametrize("name", ["method", "payment_method", "http_method", "methods", "_methods"])
def test_names_of_other_things_are_none(name: str) -> None:
    assert not overrides_method(name)


@pytest.mark.parametrize(
    "body",
    [
        {"_method": "DELETE"},
        {"name": "a", "_Method": "delete"},
        {"X-HTTP-Method-Override": "PUT"},
        [{"_method": "DELETE"}],
        "name=a&_method=DELETE",
    ],
)
def test_an_override_in_a_body_is_refused(tmp_path: Path, body: Json) -> None:
    with Server({"POST *": reply({}), "GET *": reply([])}) as server:
        api = Api(catalog(tmp_path), server.url, tmp_path, allow=ALL)
        call = api.call(invoke("POST /items", {"body:": body}))[0]
    assert call.error == "denied"
    assert call.detail.endswith("would turn it into another method")
    assert server.seen == []


def test_the_method_itself_is_no_other(tmp_path: Path) -> None:
    with Server({"POST *": reply({}), "GET *": reply([])}) as server:
        api = Api(catalog(tmp_path), server.url, tmp_path, allow=ALL)
        call = api.call(invoke("POST /items", {"body:": {"_method": "post", "name": "docrev-00000000-1"}}))[0]
    assert call.error is None
