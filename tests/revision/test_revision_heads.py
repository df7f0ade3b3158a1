"""What stands at the head of a document for the whole API, and what becomes of what does not fit there."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from revisekit import explored, fact
from test_revision_texts import revised, texts

from docrev.evidence import Evidence
from docrev.evidence.part import EvidencePart
from docrev.models.concurrent_questions import unlimited
from docrev.records import Json
from docrev.revision import write
from docrev.revision.drafts import Writing
from docrev.revision.head_topics import labels, topic
from docrev.revision.notes import CREATION, Statement
from docrev.revision.observations import read_observations
from docrev.revision.places import spots
from docrev.revision.profiles import TextBudget
from docrev.revision.purposes import OfflineWriter
from docrev.revision.text_revision import TextRevision
from docrev.revision.word_budget import within
from docrev.spec import load

OPERATIONS = ("GET /authors", "GET /authors/{author_id}", "GET /broken")
STATED = {
    "needs-credentials": {"status": 403},
    "unknown-parameters": "rejected",
    "empty": {"status": 204},
}


@pytest.mark.parametrize(("room", "is_at_head"), [(66, False), (80, True)])
def test_what_the_head_has_no_room_for_stands_at_the_operations(tmp_path: Path, room: int, is_at_head: bool) -> None:
    known = [fact(each, kind, "", value) for each in OPERATIONS for kind, value in STATED.items()]
    path, folder = explored(tmp_path, facts=known)
    catalog = load([path])
    with Evidence.open(folder, write=False) as evidence:
        observations = read_observations(catalog, EvidencePart(evidence))
    writing = Writing(OfflineWriter(), TextBudget(operation=room), 200)
    revision = TextRevision(catalog, observations, spots(catalog, observations), writing)
    told = {change.pointer: str(change.after) for change in asyncio.run(revision.changes(unlimited))}
    head = told.pop("/info/description")
    assert "Most requests without credentials return 403." in head
    assert ("204" in head) is is_at_head
    assert any("204" in text for text in told.values()) is not is_at_head


def test_what_a_success_returns_is_not_told_among_ids() -> None:
    absent = Statement("IDs that do not exist return 422.", "status", "trap")
    made = Statement("Operations that create something return 200.", "status", "undeclared", about=CREATION)
    gone = Statement("Most `DELETE` operations that declare 200 return 204.", "status", about="DELETE 204, not 200")
    assert [topic(each) for each in (absent, made, gone)] == ["Missing things", "Responses", "Responses"]


def test_a_head_keeps_what_is_worth_most_and_says_what_it_leaves_out() -> None:
    field, trap = Statement("Four words of fields.", "", "undeclared"), Statement("Four words of traps.", "", "trap")
    assert within([field, trap], "", 8, 100) == ([field, trap], [])
    assert within([field, trap], "", 7, 100) == within([field, trap], "", 8, 30) == ([trap], [field])


def test_a_head_keeps_first_what_would_stand_at_most_operations_otherwise() -> None:
    at_all = tuple(fact(each, "status", "", {"status": 403}) for each in OPERATIONS)
    widespread = Statement("Ten words that hold at every one of the operations.", "", "undeclared", at_all)
    short = Statement("Four words of one.", "", "undeclared", at_all[:1])
    assert within([short, widespread], "", 10, 100) == ([widespread], [short])
    seen = Statement(short.text, "", "undeclared", calls=("a", "b", "c"))
    assert within([widespread, seen], "", 10, 100) == ([seen], [widespread])


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("About the library.", ""),
        ("# Library\n\nAbout it.\n\n## Keys\n\nAsk.\n\n## Times\n\nIn UTC.", "## Conventions\n\n"),
        ("## Keys\n\nAsk.", "## Conventions\n\n"),
        ("About it:\n\n```\n# a comment\n```", ""),
    ],
)
def test_what_is_put_behind_sections_begins_one_of_its_own(text: str, heading: str) -> None:
    told = [Statement("Lists have 20 items.", "pages")]
    assert labels(told, text)[topic(told[0])] == heading


@pytest.mark.parametrize(
    ("stated", "text", "is_told"),
    [
        ({"unknown-parameters": "ignored"}, "## Keys\\n\\nAsk.", False),
        ({"unknown-parameters": "ignored"}, "Ask for keys.", True),
        ({"unknown-parameters": "rejected"}, "## Keys\\n\\nAsk.", True),
        ({"unknown-parameters": "ignored", "needs-credentials": {"status": 403}}, "## Keys\\n\\nAsk.", True),
    ],
)
def test_what_most_apis_do_alone_gets_no_section(
    tmp_path: Path, stated: dict[str, Json], text: str, is_told: bool
) -> None:
    known = [fact(each, kind, "", value) for each in OPERATIONS for kind, value in stated.items()]
    path, evidence = explored(tmp_path, facts=known)
    path.write_text(path.read_text().replace('version: "1"', f'version: "1", description: "{text}"', 1))
    changes = texts(revised(path, evidence))
    assert any("nknown" in str(change.after) for change in changes.values()) is is_told


def test_a_section_of_its_own_is_written_once(tmp_path: Path) -> None:
    known = [fact(each, kind, "", value) for each in OPERATIONS for kind, value in STATED.items()]
    path, evidence = explored(tmp_path, facts=known)
    path.write_text(path.read_text().replace('version: "1"', 'version: "1", description: "## Keys\\n\\nAsk."', 1))
    found = revised(path, evidence)
    [document] = found.documents.values()
    head = document.tree["info"]["description"]
    assert head.startswith("## Keys\n\nAsk.\n\n## Conventions\n\nMost requests without credentials return 403.")
    write([(document, path)])
    assert revised(path, evidence).changes == ()
    assert document.tree["info"]["description"] == head


@pytest.mark.parametrize(("lists", "is_once"), [(3, False), (4, True)])
def test_what_differs_only_in_what_is_listed_is_said_once_of_four_lists(
    tmp_path: Path, lists: int, is_once: bool
) -> None:
    things = ("rooms", "boxes", "crates", "shelves")[:lists]
    spec = 'openapi: "3.0.3"\ninfo: {title: Library, version: "1"}\npaths:\n' + "".join(
        f"  /{each}:\n    get:\n      parameters: [{{name: since, in: query, schema: {{type: string}}}}]\n"
        "      responses: {200: {description: OK}}\n"
        for each in things
    )
    known = [fact(f"GET /{each}", "more-than", "query:since", "200:/0/at") for each in things]
    found = texts(revised(*explored(tmp_path, spec, facts=known)))
    told = "`since` returns only items whose `at` is above this value (exclusive)."
    assert {at: change.after for at, change in found.items()} == (
        {"/info": told}
        if is_once
        else {
            f"/paths/~1{each}/get/parameters/0": f"Returns only {each} whose `at` is above this value (exclusive)."
            for each in things
        }
    )
