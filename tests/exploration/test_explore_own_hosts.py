"""Addresses at a domain that the run has made, errors on a password, and things that are listed and have no path."""

from __future__ import annotations

import json
from pathlib import Path

from callkit import document
from servers import Answer, Received, Server, reply
from shop import Shop
from test_explore_reach import explored, texts

import docrev

MAIL = [
    *("GET /domains", "POST /domains", "GET /domains/{id}", "DELETE /domains/{id}"),
    *("GET /accounts", "POST /accounts", "GET /accounts/{id}", "DELETE /accounts/{id}"),
]
SETTINGS = ["GET /settings/applications", "GET /settings/{id}"]


class Mail(Shop):
    """Domains, and accounts, each of which is an address at one of them."""

    def __init__(self) -> None:
        super().__init__({"/domains/1": {"name": "ann.example"}, "/accounts/1": {"username": "ann@ann.example"}})

    def __call__(self, request: Received) -> Answer:
        if request.method != "POST":
            return super().__call__(request)
        kind, sent = request.path.strip("/"), request.json if request.body else {}
        name = sent.get("name" if kind == "domains" else "username", "")
        local, at, host = name.rpartition("@")
        if "." not in host or (kind == "accounts" and not (local and at)):
            return reply({"name": ["Enter a valid domain name"]} if kind == "domains" else _NO_EMAIL, 400)
        if kind == "accounts" and host not in [domain["name"] for domain in self.listed("/domains")]:
            return reply({"detail": "No Domain matches the given query."}, 404)
        if kind == "accounts" and not sent.get("password"):
            return reply({"password": ["This field is required."]}, 400)
        return super().__call__(request)


_NO_EMAIL = {"username": ["Enter a valid email address."]}


class Settings(Shop):
    """The settings of applications, which are listed beside them."""

    def __call__(self, request: Received) -> Answer:
        applications = [{"name": "core", "label": "General"}, {"name": "mail", "label": "Mail"}]
        id = request.path.rpartition("/")[2]
        if id == "applications":
            return reply(applications)
        if id not in [application["name"] for application in applications]:
            return reply({"error": f"Application {id} not registered"}, 404)
        return reply({"params": {"quota": 3}})


def test_an_address_is_at_a_domain_of_the_run_where_that_must_be_there(tmp_path: Path) -> None:
    mail = Mail()
    reached, _ = explored(tmp_path, mail, MAIL, **{"POST /domains": texts("name"), "POST /accounts": texts("username")})
    assert reached == set(MAIL)
    assert mail.things == Mail().things


def test_what_an_error_says_was_not_found_is_listed_beside_the_path(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps(document(SETTINGS)))
    with Server(Settings().routes) as server:
        # All that was seen would be tried later.
        found = docrev.explore(file, base_urls=server.url, max_calls=10, out=tmp_path)
    assert found.summary["missed"] == []
