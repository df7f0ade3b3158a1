"""The four formats: as stored beside the pair, safe with any text, and short enough for a pull request.

To store them anew after a change that is meant: DOCREV_STORE=1 pytest tests/spec/test_spec_diff_formats.py
"""

from __future__ import annotations

import html
import html.parser
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from docrev.errors import UsageError
from docrev.spec.diff import Diff, compare
from docrev.spec.diff.formats import FORMATS, show
from docrev.spec.document import Document

DATA = Path(__file__).parent / "data" / "diff"
NASTY = (
    "a | b\n| c |\n# head\n<script>alert(1)</script> `x` ``` </code> [l](javascript:x) *e* @octocat #12 \x1b[31m"
    "\u202e $x$ &amp; www.example.com https://example.com"
)

OURS = {"p", "h2", "h3", "table", "thead", "tbody", "tr", "th", "td", "br", "sub", "code", "strong"}


def pair() -> Diff:
    before, after = (Document.parse((DATA / name).read_bytes(), name) for name in ("before.yaml", "after.yaml"))
    return compare(before, after)


def changed(text: str, times: int = 1, name: str = "/x") -> Diff:
    """A diff in which `text` is a description, a parameter's name, an enum value and an experience."""

    def tree(of: str) -> Any:
        operation = {
            "description": of,
            "parameters": [{"name": text, "in": "query", "description": of, "schema": {"enum": [of]}}],
            "responses": {},
            "x-docrev": {"experience": [{"scenario": of}]},
        }
        return {"swagger": "2.0", "paths": {f"{name}{i}": {"get": operation} for i in range(times)}}

    return compare(*(Document.parse(json.dumps(tree(of)), "s.json") for of in ("", text)))


@pytest.mark.parametrize(("format", "name"), [("text", "diff.txt"), ("markdown", "diff.md"), ("json", "diff.json")])
def test_the_formats_are_as_stored(format: str, name: str) -> None:
    shown = show(pair(), format) + "\n"
    if os.environ.get("DOCREV_STORE"):
        (DATA / name).write_text(shown, encoding="utf-8")
    assert shown == (DATA / name).read_text(encoding="utf-8")


def test_a_property_that_is_called_title_is_no_text() -> None:
    def tree(names: dict[str, Any]) -> Document:
        schema = {"type": "object", "properties": names}
        body = {"content": {"application/json": {"schema": schema}}}
        operation = {"responses": {"200": {"description": "OK", **body}}}
        return Document.parse(json.dumps({"openapi": "3.0.3", "paths": {"/x": {"get": operation}}}), "s.json")

    shown = show(compare(tree({}), tree({"title": {"type": "string"}})), "markdown")
    assert "response-property-added" in shown
    assert "`type: string`" in shown


def test_json_says_what_the_records_say() -> None:
    diff, told = pair(), json.loads(show(pair(), "json"))
    counts = {"contract": len(diff.contract), "docs": len(diff.docs), "operations": 4}
    assert told["summary"] == {**counts, "classes": {"experience": 1, "example": 2, "wording": 10}}
    for entry, change in zip(diff.entries, told["changes"], strict=True):
        assert (change["id"], change["fingerprint"], change["level"]) == (entry.id, entry.fingerprint, entry.level)
        assert ("before" in change, "after" in change) == (entry.verb != "added", entry.verb != "removed")
        assert change.get("after") == entry.after


def test_no_text_breaks_out_of_a_markdown_table() -> None:
    shown = show(changed(NASTY, name=f"/{NASTY}"), "markdown")
    rows = [line for line in shown.splitlines() if line.startswith("|")]
    assert sum("<sub>" in row for row in rows) == 6
    columns = 0
    for row in rows:
        bars = len(re.findall(r"(?<!\\)\|", row))
        columns = bars if row.startswith(("| Where |", "| | ")) else columns
        assert bars == columns
    outside = re.sub(r"(?<!\\)`[^`\n]*(?<!\\)`", "", shown)
    assert not re.search(r"<script|(?<!\\)[\[\]]|(?<!\\)\*e|@octocat|#12|\$x|://|www\.|(?<!\\)`", outside)
    assert not re.search("[\x1b\u202e]", shown)
    assert set(re.findall(r"</?(\w+)", outside)) <= {"br", "sub", "code", "details", "summary"}
    assert [line for line in shown.splitlines() if line.startswith("# ")] == []


def test_untrusted_text_is_read_as_it_is_written() -> None:
    """By a real parser: what the cells say is the text, and nothing of it became markup."""
    page = MarkdownIt("commonmark").enable("table").render(show(changed(NASTY, name=f"/{NASTY}"), "markdown"))
    assert set(re.findall(r"<(\w+)", page)) <= OURS
    said = html.unescape(re.sub(r"<!-- -->|<(?!br)[^>]*>", "", page)).replace("<br>", "\n")
    text = NASTY.replace("\x1b", "\\u001b").replace("\u202e", "\\u202e")
    assert said.count(text) == 2  # an enum value and an experience
    assert said.count(text.replace("`x`", "x")) == 2  # two descriptions, whose code is code
    assert f"scenario: {text}" in said


def test_no_text_reaches_the_terminal_as_a_command() -> None:
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", show(changed(NASTY, name=f"/{NASTY}"), "text"))


class Page(html.parser.HTMLParser):
    """The tags of a page, and whether each is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for key, value in attrs if key in ("href", "src")]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("diff", [pair(), changed(NASTY, name=f"/{NASTY}"), compare(*[DATA / "after.yaml"] * 2)])
def test_the_page_is_whole_and_asks_for_nothing(diff: Diff) -> None:
    page = Page()
    page.feed(show(diff, "html"))
    assert page.open == []
    assert "script" not in page.tags
    assert all(link.startswith("#") for link in page.links)


def test_the_page_marks_the_words_that_changed() -> None:
    assert "How many<mark> there are in all</mark></ins>" in show(pair(), "html")


def test_no_differences_is_said_in_every_format() -> None:
    same = compare(DATA / "after.yaml", DATA / "after.yaml")
    for format in FORMATS:
        shown = show(same, format)
        assert "No differences" in shown if format != "json" else json.loads(shown)["changes"] == []


def test_long_texts_fold_away_in_markdown_but_not_what_is_new() -> None:
    shown = show(pair(), "markdown")
    assert shown.count("<details>") == shown.count("</details>") == 1
    assert "<details><summary>`scenario: Who owns the airport of Paris?` …</summary>" in shown
    assert "| Who runs it, as registered. The name is" in shown


def test_of_a_long_text_that_was_only_added_to_its_beginning_is_shown() -> None:
    told = "Deletes a box.\n\nArgs:\n    box_id: Which box.\n\nRaises:\n    BoxError: If it is locked."
    one, two = (
        Document.parse(json.dumps({"info": {"description": text}}), "s.json")
        for text in (told, f"{told}\n\nAlso deletes its pens.")
    )
    assert "| Deletes a box. … | … Also deletes its pens. |" in show(compare(one, two), "markdown")


def test_code_in_markdown_is_code_and_data_is_code_whole() -> None:
    text = "Use `a|b` or ``c``:\n\n```sh\ncurl '<x>'\n  | jq\n```\n<b>Done</b>."
    rows = [line for line in show(changed(text), "markdown").splitlines() if line.startswith("| ")]
    told = (
        "Use <code>a\\|b</code> or `c`:<br><br>`curl '<x>'`<br>&nbsp; <code>\\| jq</code><br>&lt;b&gt;Done&lt;/b&gt;."
    )
    assert sum(told in row for row in rows) == 2
    [enum] = [row for row in rows if "enum-value-added" in row]
    assert "<code>Use \\`a\\|b\\` or \\`\\`c\\`\\`:</code><br><br><code>" in enum


def test_of_a_long_text_that_was_added_to_only_the_addition_is_shown() -> None:
    before, after = "Lists the books that are in print this year, in no order.", " One of `a`, `b`."
    documents = (
        Document.parse(json.dumps({"swagger": "2.0", "info": {"description": text}, "paths": {}}), "s.json")
        for text in (before * 2, before * 2 + after)
    )
    shown = show(compare(*documents), "markdown")
    assert f"{before * 2} | … One of `a`, `b`. |" in shown


def test_what_many_operations_have_alike_is_one_row() -> None:
    diff = changed("New", times=40)
    assert len(diff.entries) == 40 * 6
    shown = show(diff, "text")
    assert shown.startswith("s.json\n80 contract changes, 160 documentation changes in 40 operations")
    assert shown.count("parameter-description-changed") == shown.count("parameter-enum-value-added") == 1
    assert "40 operations alike\n  in GET /x0, GET /x1" in shown


def test_what_many_paths_have_alike_is_one_row() -> None:
    def described(text: str) -> Document:
        shared = {"parameters": [{"name": "id", "in": "path", "required": True, "description": text}]}
        item = {**shared, "get": {"responses": {"200": {"description": "ok"}}}}
        tree = {"swagger": "2.0", "paths": {f"/{name}/{{id}}": item for name in ("rooms", "halls", "lofts")}}
        return Document.parse(json.dumps(tree, indent=1), "s.json")

    diff = compare(described("ID"), described("A place ID"))
    assert len(diff.entries) == 3
    shown = show(diff, "markdown")
    assert shown.count("| A place ID |") == 1
    assert "### 3 paths alike\n\nIn `/rooms/{id}`, `/halls/{id}`, `/lofts/{id}`." in shown


def test_a_place_on_the_only_line_is_told_by_its_pointer() -> None:
    diff = changed("New")
    for shown in (show(diff, "text"), show(diff, "markdown")):
        assert "s.json#/paths/~1x0/get/description" in shown
        assert "s.json:1" not in shown


def test_the_document_itself_is_no_code_in_markdown() -> None:
    one, two = (Document.parse(json.dumps({"info": {"description": text}}), "s.json") for text in ("a", "b"))
    assert "\n### The document\n" in show(compare(one, two), "markdown")


def test_markdown_fits_in_a_comment_and_says_what_it_left_out() -> None:
    many = Diff(
        "a", "b", tuple(entry for i in range(300) for entry in changed(f"Text {i} " * 40, name=f"/{i}").entries)
    )
    shown = show(many, "markdown")
    assert 50_000 < len(shown) <= 65_000
    left = re.search(r"… and (\d+) more changes", shown)
    assert left is not None
    assert len(many.entries) - int(left[1]) == shown.count("<sub>")


def test_the_marks_of_docrevs_own_texts_are_not_spelled_out() -> None:
    sources = (
        {"swagger": "2.0", **more} for more in ({}, {"x-docrev": {"texts": {"/a": "aaaaa-bbbbbbb ccccc-ddddddd"}}})
    )
    diff = compare(*(Document.parse(json.dumps(source), "s.json") for source in sources))
    assert "x-docrev/texts  document-docrev-added" in show(diff)
    assert "+ marks of 2 texts that docrev wrote" in show(diff)


def test_a_folder_of_templates_comes_first(tmp_path: Path) -> None:
    (tmp_path / "diff").mkdir()
    (tmp_path / "diff" / "text.txt.j2").write_text("mine: {{ summary }}")
    assert show(pair(), templates=tmp_path).startswith("mine: 9 contract changes")
    assert show(pair(), "markdown", templates=tmp_path).startswith("**9 contract changes")


def test_a_format_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="no such format: pdf; choose one of text"):
        show(pair(), "pdf")
