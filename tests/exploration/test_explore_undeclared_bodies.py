"""Creations that declare no body and want one, and errors that call a member by what has it: "column names"."""

from __future__ import annotations

import json
import re
from pathlib import Path

from callkit import document
from servers import Answer, Received, Server, reply
from shop import Shop
from test_explore_reach import explored, of_body, texts

import docrev

CONTACTS = ["GET /contacts", "POST /contacts", "GET /contacts/{id}", "PUT /contacts/{id}", "DELETE /contacts/{id}"]
TABLES = ["GET /tables", "POST /tables", "GET /tables/{id}", "DELETE /tables/{id}"]
COLUMN_NAMES = "Only alphabetical characters and non-leading numbers and underscores are allowed for column names."


class Contacts(Shop):
    """Contacts with a name and addresses, neither of which is documented."""

    def __init__(self) -> None:
        super().__init__({"/contacts/1": {"name": "bob", "emails": [{"address": "bob@friend.example"}]}})

    def __call__(self, request: Received) -> Answer:
        if request.method in ("POST", "PUT"):
            sent = request.json if request.body else {}
            missing = [name for name in ("name", "emails") if name not in sent]
            if missing:
                return reply({name: ["This field is required."] for name in missing}, 400)
            if "id" in sent:
                return reply({"id": ["This field is read-only."]}, 400)
            if not isinstance(sent["emails"], list):
                return reply({"emails": ['Expected a list of items but got type "str".']}, 400)
        return super().__call__(request)


class Tables(Shop):
    """Tables, which may be called anything, and their columns, which may not."""

    def __init__(self) -> None:
        super().__init__({"/tables/1": {"name": "cities", "columns": [{"name": "city"}]}})

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST":
            columns = request.json.get("columns") or [{}]
            if not re.fullmatch(r"[A-Za-z]\w*", str(columns[0].get("name", ""))):
                return reply({"message": COLUMN_NAMES}, 400)
        return super().__call__(request)


def test_what_is_missing_is_sent_in_a_body_where_nothing_is_declared(tmp_path: Path) -> None:
    contacts, described, file = Contacts(), document(CONTACTS), tmp_path / "contacts.json"
    for operation in (operation for path in described["paths"].values() for operation in path.values()):
        operation.pop("requestBody", None)
    file.write_text(json.dumps(described))
    with Server(contacts.routes) as server:
        found = docrev.explore(file, base_urls=server.url, allow="POST,PUT,DELETE", max_calls=200, out=tmp_path)
    assert found.summary["missed"] == []
    assert contacts.things == Contacts().things


def test_a_member_is_mended_that_is_called_by_what_has_it(tmp_path: Path) -> None:
    tables, column = Tables(), texts("name")["requestBody"]["content"]["application/json"]["schema"]
    columns = {"type": "array", "items": column}
    table = {
        "type": "object",
        "required": ["name", "columns"],
        "properties": {"name": {"type": "string"}, "columns": columns},
    }
    reached, _ = explored(tmp_path, tables, TABLES, **{"POST /tables": of_body(table)})
    assert reached == set(TABLES)
    assert tables.things == Tables().things
