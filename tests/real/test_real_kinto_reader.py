"""The revised Kinto spec, for who knows only it: enough to create a bucket, a collection, records, and to page."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from kinto_server import CREDENTIALS, kinto, spec
from patience import HANGS

pytestmark = [pytest.mark.real, pytest.mark.long]
DOCREV = [sys.executable, "-m", "docrev"]
BUCKET, COLLECTION = "/buckets/{id}", "/buckets/{bucket_id}/collections/{id}"
RECORDS = "/buckets/{bucket_id}/collections/{collection_id}/records"


class Reader:
    """The revised document, and the live service that it is about."""

    def __init__(self, url: str, document: dict[str, Any]) -> None:
        self.url, self.document = url, document

    def text(self, method: str, path: str) -> str:
        return str(self.document["paths"][path][method].get("description", ""))

    def parameter(self, name: str, path: str = RECORDS) -> dict[str, Any]:
        item = self.document["paths"][path]
        found = [*item.get("parameters", []), *item["get"].get("parameters", [])]
        return next(parameter for parameter in map(self._followed, found) if parameter["name"] == name)

    def _followed(self, node: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in node:
            return node
        found: Any = self.document
        for part in node["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return dict(found)

    def call(self, method: str, url: str, body: Any = None) -> tuple[Any, dict[str, str]]:
        headers = {"Authorization": CREDENTIALS, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        whole = url if "://" in url else self.url + url
        with urllib.request.urlopen(
            urllib.request.Request(whole, data, headers, method=method), timeout=HANGS
        ) as answer:
            return json.loads(answer.read()), dict(answer.headers)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    folder = tmp_path_factory.mktemp("reader")
    with kinto() as url:
        document = spec(url, folder / "kinto.json")
        explore = ["explore", document, "--base-url", url, "-H", f"Authorization: {CREDENTIALS}"]
        explore += ["--allow", "POST,PUT,PATCH,DELETE", "--out", folder / "evidence"]
        revise = ["revise", document, "--evidence", folder / "evidence", "-o", folder / "out"]
        for command in (explore, revise):
            subprocess.run([*DOCREV, *map(str, command)], check=True, capture_output=True, timeout=HANGS)
        yield Reader(url, json.loads((folder / "out" / "kinto.json").read_text()))


def test_what_the_schema_says_of_the_body_is_not_said_again(reader: Reader) -> None:
    for method, path in (("put", BUCKET), ("put", COLLECTION), ("post", RECORDS)):
        assert "wrapped" not in reader.text(method, path)


def test_what_must_be_there_first_is_said_once(reader: Reader) -> None:
    text = reader.document["info"]["description"]
    assert (
        "Most operations on or below a bucket that does not exist return 403; `PUT /buckets/{id}` creates it." in text
    )


def test_what_a_put_does_is_said_but_for_what_its_declared_201_says(reader: Reader) -> None:
    for path in (BUCKET, COLLECTION):
        assert "created" in reader.document["paths"][path]["put"]["responses"]["201"]["description"]
        assert "creates it" not in reader.text("put", path)
    text = reader.document["info"]["description"]
    assert "In a `PUT`, fields of `data` that are left out are removed." in text


def test_sorting_pages_and_the_trap_of_unknown_names_are_told(reader: Reader) -> None:
    sort = reader.parameter("_sort", "/buckets")["description"]
    assert "prefix a minus sign for descending order: `-" in sort
    assert "Unknown fields are ignored." in sort
    text = reader.document["info"]["description"]
    # Of the four lists that take it, once.
    assert "`_since` returns only items whose `last_modified` is above this value (exclusive)." in text
    assert "description" not in reader.parameter("_since", "/buckets")
    assert "For the next page, call the URL in the `Next-Page` response header; the last page has none." in text
    assert "a misspelled name returns an empty list" in text


def test_no_id_that_was_deleted_since_is_given_as_an_example(reader: Reader) -> None:
    assert "Example" not in reader.parameter("id").get("description", "")
    assert "basicauth:" not in json.dumps(reader.document)


def test_so_three_records_can_be_created_and_paged_through_in_order(reader: Reader) -> None:
    """What the texts say, done: each step is one that a sentence above tells."""
    reader.call("PUT", "/buckets/mine", {"data": {}})
    reader.call("PUT", "/buckets/mine/collections/things", {"data": {}})
    records = "/buckets/mine/collections/things/records"
    for title in ("b", "c", "a"):
        reader.call("POST", records, {"data": {"title": title}})
    url: str | None = f"{records}?_sort=-title&_limit=2"
    pages = []
    while url:
        body, headers = reader.call("GET", url)
        pages.append([record["title"] for record in body["data"]])
        url = headers.get("Next-Page")
    assert pages == [["c", "b"], ["a"]]
    assert reader.call("GET", f"{records}?titel=b")[0]["data"] == []
