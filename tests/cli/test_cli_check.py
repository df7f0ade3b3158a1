"""`docrev check`: documents that are true, that an API has left behind, and that nothing can be said of now."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from clikit import Done, docrev
from servers import Answer, Received, Server, reply

from docrev.calls.authentication import shell_auth
from docrev.spec.security import SecurityScheme

SPEC = """\
openapi: 3.0.3
info: {title: Shop, version: '1'}
paths:
  /items:
    get:
      operationId: listItems
      parameters:
        - {name: limit, in: query, schema: {type: integer}}
        - {name: sort, in: query, description: One of `name` and `price`., schema: {type: string}}
      responses: {'200': {description: OK}}
  /items/{id}:
    get:
      operationId: getItem
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '200':
          description: OK
          content:
            application/json:
              schema: {type: object, properties: {id: {type: integer}, price: {type: integer}}}
"""
ITEMS = [{"id": n, "name": f"thing {(7 * n) % 10}", "price": (3 * n) % 11} for n in range(1, 31)]


@dataclass
class Shop:
    """A service that a test may change: how many items it returns `by_default`, of which type a `price` is …"""

    by_default: int = 5
    most: int = 20
    price: Any = int
    status: int = 0
    unsteady: bool = False
    seen: Counter[str] = field(default_factory=Counter)

    def list(self, request: Received) -> Answer:
        limit, sort = (request.query.get(name, [""])[0] for name in ("limit", "sort"))
        if self.status or sort not in ("", "name", "price"):
            return reply({"error": "invalid"}, self.status or 422)
        if limit and not (limit.isdigit() and int(limit) <= self.most):
            return reply({"error": f"limit must be a number up to {self.most}"}, 422)
        self.seen[request.target] += 1
        several = self.by_default + (self.seen[request.target] % 2 if self.unsteady else 0)
        items = sorted(ITEMS, key=lambda item: item[sort]) if sort else ITEMS
        return reply([self.shown(item) for item in items[: int(limit or several)]])

    def get(self, request: Received) -> Answer:
        found = [item for item in ITEMS if str(item["id"]) == unquote(request.path.rpartition("/")[2])]
        return (
            reply(self.shown(found[0])) if found and not self.status else reply({"error": "none"}, self.status or 404)
        )

    def shown(self, item: dict[str, Any]) -> dict[str, Any]:
        return item | {"price": self.price(item["price"])}


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a spec and the evidence of the service as it was; the port is put in by each test."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.yaml").write_text(SPEC)
    with serving(Shop()) as server:
        done = docrev("explore", "shop.yaml", "--base-url", server.url, cwd=folder)
        assert done.code == 0, done.err
    return folder


def serving(shop: Shop) -> Server:
    return Server({"GET /items": shop.list, "GET /items/*": shop.get})


def check(folder: Path, shop: Shop, *words: str) -> tuple[Done, Server]:
    with serving(shop) as server:
        return docrev("check", "shop.yaml", "--base-url", server.url, *words, cwd=folder), server


def revised(folder: Path, out: Path) -> None:
    assert docrev("revise", "shop.yaml", "-o", str(out), cwd=folder).code == 0


def counted(folder: Path, shop: Shop, *words: str) -> dict[str, Any]:
    done, _ = check(folder, shop, "--format", "json", *words)
    assert done.code == (1 if done.json["false"] else 0), done.err
    found: dict[str, Any] = done.json
    return found


def false(found: dict[str, Any]) -> set[tuple[str, str]]:
    return {(row["operation"], row["kind"]) for row in found["statements"] if row["outcome"] == "false"}


def test_what_is_as_it_was_is_still_true_in_few_calls(explored: Path) -> None:
    found = counted(explored, Shop())
    assert (found["false"], found["unknown"]) == (0, 0)
    assert found["true"] > 10
    assert found["requests"] <= 20


def test_only_reads_are_sent_and_the_evidence_stays_as_it_is(explored: Path) -> None:
    before = {path.name: path.read_bytes() for path in (explored / ".docrev").iterdir() if path.suffix == ".sqlite"}
    done, server = check(explored, Shop())
    assert done.code == 0
    assert server.changes == []
    assert before == {name: (explored / ".docrev" / name).read_bytes() for name in before}


def test_a_default_that_has_changed_is_told_with_the_call(explored: Path, tmp_path: Path) -> None:
    revised(explored, tmp_path)
    done, server = check(tmp_path, Shop(by_default=7), "--evidence", str(explored / ".docrev"))
    assert done.code == 1, done.out
    assert done.out.startswith(
        f"shop GET /items\n  Defaults to `5`.\n    now 7 items, not 5\n    curl -sS {server.url}/items\n"
    )
    assert done.out.endswith(" requests.\n")


def test_what_has_changed_and_no_document_says_is_information(explored: Path) -> None:
    done, _ = check(explored, Shop(by_default=7))
    assert done.code == 0
    assert "not documented: shop GET /items: query:limit: default 5: now 7 items, not 5\n" in done.out
    assert "\n0 no longer true, 1 otherwise now but not documented, " in done.out
    annotations, _ = check(explored, Shop(by_default=7), "--format", "github")
    assert annotations.out.startswith("::notice file=shop.yaml,line=8,")


def test_a_value_that_is_refused_now_is_no_matter_of_what_others_show(explored: Path) -> None:
    assert false(counted(explored, Shop())) == set()
    rows = counted(explored, Shop(most=12))["statements"]
    [default] = [row for row in rows if row["kind"] == "default"]
    why = "another value that it was tried with is refused now"
    assert (default["outcome"], default["why"]) == ("unknown", why)
    changed = {row["statement"]: row["why"] for row in rows if row["outcome"] == "undocumented"}
    refused = "the operation: returns 422, limit not valid"
    assert changed[refused] == 'the message is now "limit must be a number up to 12"'
    assert any(statement.startswith("query:limit: range") for statement in changed)


def test_the_command_of_a_call_has_the_headers_of_all_calls(explored: Path) -> None:
    words = ("-H", "X-Key: Bearer env:SHOP_KEY", "-H", "Accept-Language: de", "--format", "json")
    with serving(Shop(by_default=7)) as server:
        url, env = server.url, {"SHOP_KEY": "s3cret-of-the-shop"}
        done = docrev("check", "shop.yaml", "--base-url", url, *words, cwd=explored, env=env)
    commands = {row["curl"] for row in done.json["statements"] if row["kind"] == "default"}
    given = """-H 'X-Key: Bearer '"$SHOP_KEY" -H 'Accept-Language: de'"""
    assert commands == {f"curl -sS {given} {url}/items"}


def test_the_command_of_a_call_has_the_credentials_of_its_tool() -> None:
    places = {"head": "header", "asked": "query", "kept": "cookie"}
    schemes = [SecurityScheme("shop", name, "key", place, "k y") for name, place in places.items()]
    schemes += [SecurityScheme("shop", "user", "basic"), SecurityScheme("shop", "token", "bearer")]
    schemes += [SecurityScheme("shop", "client", "client-credentials"), SecurityScheme("other", "token", "bearer")]
    texts = [f"{name}=env:THE_{name.upper()}" for name in ("head", "asked", "kept", "user", "client")]
    words = shell_auth([*texts, "shop=token=file:/run/it", "other=token=env:NOT_ITS"], schemes, "shop")
    assert " ".join(words) == (
        """-H 'k y: '"$THE_HEAD" --url-query 'k y='"$THE_ASKED" -b 'k y='"$THE_KEPT" -u "$THE_USER" """
        """-H 'Authorization: Bearer '"$TOKEN" -H 'Authorization: Bearer '"$SECRET\""""
    )


def test_the_command_of_a_call_has_what_auth_gives(explored: Path) -> None:
    with (explored / "shop.yaml").open("a") as file:
        file.write("components: {securitySchemes: {key: {type: http, scheme: bearer}}}\n")
    with serving(Shop(by_default=7)) as server:
        url, env = server.url, {"SHOP_KEY": "s3cret-of-the-shop"}
        words = ("--auth", "key=env:SHOP_KEY", "--format", "json")
        done = docrev("check", "shop.yaml", "--base-url", url, *words, cwd=explored, env=env)
    commands = {row["curl"] for row in done.json["statements"] if row["kind"] == "default"}
    assert commands == {f"""curl -sS -H 'Authorization: Bearer '"$SHOP_KEY" {url}/items"""}


def test_a_type_and_a_status_that_have_changed_are_told(explored: Path) -> None:
    found = counted(explored, Shop(price=str))
    assert ("GET /items/{id}", "type") in false(found)
    assert any("200:" in row["location"] for row in found["statements"] if row["outcome"] == "false")


@pytest.mark.parametrize(("status", "why"), [(503, "trouble"), (404, "gone")])
def test_an_api_that_does_not_answer_says_nothing_about_its_documents(explored: Path, status: int, why: str) -> None:
    found = counted(explored, Shop(status=status))
    good = [row for row in found["statements"] if row["location"].startswith("200:")]
    assert len(good) > 5
    assert {row["outcome"] for row in good} == {"unknown"}
    assert all(why in row["why"] for row in good)


def test_credentials_that_do_not_do_end_it_in_one_line(explored: Path) -> None:
    done, _ = check(explored, Shop(status=401))
    assert done.code == 3
    assert "401" in done.said("credentials")


def test_an_api_that_answers_now_so_now_so_is_told_from_one_that_changed(explored: Path) -> None:
    found = counted(explored, Shop(unsteady=True))
    assert false(found) == set()
    assert any(row["why"] == "the API answers now so, now so" for row in found["statements"])


def test_the_budget_is_kept_and_what_it_leaves_out_is_told(explored: Path) -> None:
    found = counted(explored, Shop(), "--max-calls", "3")
    assert found["requests"] == 3
    assert any(row["why"] == "--max-calls is spent" for row in found["statements"])


def test_some_operations_alone_are_checked(explored: Path) -> None:
    found = counted(explored, Shop(), "--operations", "getItem")
    assert {row["operation"] for row in found["statements"]} == {"GET /items/{id}"}
    docrev("check", "shop.yaml", "--base-url", "http://127.0.0.1:9", "--operations", "x", cwd=explored).failed(
        2, "no operation matches"
    )


def test_only_what_a_change_touched_is_checked(explored: Path) -> None:
    def git(*words: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *words], cwd=explored, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    git("add", "shop.yaml")
    git("commit", "-qm", "Published")
    spec = explored / "shop.yaml"
    try:
        spec.write_text(SPEC.replace("One of `name` and `price`.", "How to sort."))
        found = counted(explored, Shop(), "--since", "HEAD")
        assert {row["operation"] for row in found["statements"]} == {"GET /items"}
    finally:
        spec.write_text(SPEC)


def test_without_evidence_the_spec_itself_is_tried(tmp_path: Path) -> None:
    (tmp_path / "shop.yaml").write_text(SPEC)
    found = counted(tmp_path, Shop(), "--max-calls", "80")
    assert (found["true"], found["false"]) == (2, 0)
    wrong = counted(tmp_path, Shop(price=str), "--max-calls", "80")
    assert [row["operation"] for row in wrong["statements"] if row["outcome"] == "false"] == ["GET /items/{id}"]
    assert not (tmp_path / ".docrev").exists()


def test_without_evidence_what_docrev_wrote_is_tried_too(explored: Path, tmp_path: Path) -> None:
    revised(explored, tmp_path)
    assert counted(tmp_path, Shop())["false"] == 0
    wrong = counted(tmp_path, Shop(by_default=7))
    assert [row["statement"] for row in wrong["statements"] if row["outcome"] == "false"] == ["Defaults to `5`."]


def test_what_is_false_is_told_in_each_format_at_its_line(explored: Path) -> None:
    [line] = [number for number, line in enumerate(SPEC.splitlines(), 1) if "price: {type: integer}" in line]
    for name in ("sarif", "github", "junit", "markdown"):
        done, _ = check(explored, Shop(price=str), "--format", name)
        assert done.code == 1
        assert "no-longer-true" in done.out, name
        assert "GET /items/{id}" in done.out
        if name == "sarif":
            results = json.loads(done.out)["runs"][0]["results"]
            lines = {row["locations"][0]["physicalLocation"]["region"]["startLine"] for row in results}
            assert line in lines
