"""Parameters that choose items by members of their lists, by the year of a date, or leave some out unless asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

from docrev import explore
from docrev.evidence import Evidence

Query = dict[str, str]
Facts = set[tuple[str, str, str]]
FILMS: list[dict[str, Any]] = [
    {
        "id": 100 + n,
        "title": f"film {n}",
        "adult": n % 5 == 0,
        "genre_ids": sorted({1 + n % 4, 5 + n % 3}),
        "release_date": f"{2001 + n % 3}-0{1 + n % 9}-1{n % 7}",
    }
    for n in range(24)
]


@pytest.fixture
def found(tmp_path: Path) -> Callable[..., Facts]:
    """Explores a list of films whose parameters have no documentation; the facts as (kind, location, JSON)."""

    def run(do: Callable[[Query], Any], *names: str) -> Facts:
        get = {
            "parameters": [{"name": name, "in": "query", "schema": {}} for name in names],
            "responses": {"200": {"description": "ok"}},
        }
        spec = {"openapi": "3.0.3", "info": {"title": "films", "version": "1"}, "paths": {"/films": {"get": get}}}
        path = tmp_path / "films.json"
        path.write_text(json.dumps(spec))

        def answer(request: Received) -> Answer:
            made = do({name: values[-1] for name, values in request.query.items()})
            return made if isinstance(made, Answer) else reply({"results": made})

        with Server({"GET /films": answer}) as server:
            explore(path, base_urls=server.url, out=tmp_path / "out", max_calls=400)
        with Evidence.open(tmp_path / "out", write=False) as evidence:
            return {(fact.kind, fact.location, json.dumps(fact.value)) for fact in evidence.facts()}

    return run


def kinds(facts: Facts, location: str) -> set[str]:
    return {kind for kind, place, _ in facts if place == location}


def refuse(text: str) -> Answer:
    return reply({"status_code": 22, "status_message": text}, 400)


def test_a_year_chooses_by_a_date(found: Any) -> None:
    def do(query: Query) -> Any:
        year = query.get("year")
        if year is not None and not year.isdecimal():
            return refuse("query parameter 'year' must be an integer")
        return [film for film in FILMS if year is None or film["release_date"].startswith(f"{year}-")]

    facts = found(do, "year")
    assert ("in-year", "query:year", '"200:/results/0/release_date"') in facts
    assert ("type", "query:year", '"integer"') in facts


def test_a_year_that_is_only_called_so_is_no_fact(found: Any) -> None:
    def do(query: Query) -> Any:
        return FILMS[:5] if query.get("year") else FILMS

    assert "in-year" not in kinds(found(do, "year"), "query:year")


def test_members_of_lists_are_chosen_by_and_left_out(found: Any) -> None:
    def do(query: Query) -> Any:
        having, lacking = query.get("with_genres"), query.get("without_genres")
        rows = [film for film in FILMS if having is None or having in map(str, film["genre_ids"])]
        return [film for film in rows if lacking is None or lacking not in map(str, film["genre_ids"])]

    facts = found(do, "with_genres", "without_genres")
    assert ("filters", "query:with_genres", '"200:/results/0/genre_ids/0"') in facts
    assert ("excludes", "query:without_genres", '"200:/results/0/genre_ids/0"') in facts
    assert not {"ignored", "unknown-values"} & kinds(facts, "query:without_genres")


def test_what_leaves_out_nothing_that_was_tried_is_not_called_ignored(found: Any) -> None:
    def do(query: Query) -> Any:
        without = query.get("without_companies")
        rows = [film for film in FILMS if without is None or str(film["id"] * 7) != without]
        return [film for film in rows if query.get("title") in (None, film["title"])]

    facts = found(do, "without_companies", "title")
    assert "ignored" not in kinds(facts, "query:without_companies")


def test_what_leaves_nothing_out_that_it_should_is_ignored(found: Any) -> None:
    def do(query: Query) -> Any:
        return [film for film in FILMS if query.get("title") in (None, film["title"])]

    facts = found(do, "without_genres", "title")
    assert ("ignored", "query:without_genres", "true") in facts


@pytest.mark.parametrize("reads", [True, False])
def test_a_bound_on_what_is_not_shown_is_ignored_only_where_nothing_lies_beyond(found: Any, reads: bool) -> None:
    def do(query: Query) -> Any:
        least = query.get("rating.lte", "")
        rows = [film for film in FILMS if not reads or not least.lstrip("-").isdecimal() or film["id"] <= int(least)]
        return [film for film in rows if query.get("title") in (None, film["title"])]

    facts = found(do, "rating.lte", "title")
    assert ("ignored" in kinds(facts, "query:rating.lte")) is not reads


def test_what_is_left_out_unless_asked_for_is_no_filter(found: Any) -> None:
    def do(query: Query) -> Any:
        asked = query.get("include_adult", "false")
        if asked not in ("true", "false"):
            return refuse("query parameter 'include_adult' must be a boolean")
        return [film for film in FILMS if asked == "true" or not film["adult"]]

    facts = found(do, "include_adult")
    assert ("includes", "query:include_adult", '"200:/results/0/adult"') in facts
    assert ("default", "query:include_adult", "false") in facts
    assert ("type", "query:include_adult", '"boolean"') in facts
    assert "filters" not in kinds(facts, "query:include_adult")


def test_a_filter_by_truth_has_no_default(found: Any) -> None:
    def do(query: Query) -> Any:
        return [film for film in FILMS if query.get("adult", "") in ("", str(film["adult"]).lower())]

    facts = found(do, "adult")
    assert not {"includes", "default"} & kinds(facts, "query:adult")


def test_a_sort_is_told_where_its_value_names_the_field_by_more_words(found: Any) -> None:
    def do(query: Query) -> Any:
        by = query.get("sort_by", "primary_release_date.asc")
        if by not in ("", "primary_release_date.asc", "primary_release_date.desc"):
            return refuse("sort_by must be one of '', primary_release_date.asc, primary_release_date.desc")
        if not by:
            return FILMS
        return sorted(FILMS, key=lambda film: film["release_date"], reverse=by.endswith("desc"))

    facts = found(do, "sort_by")
    assert {order for order in ("ascending", "descending") if any(order in value for _, _, value in facts)} == {
        "ascending",
        "descending",
    }
    allowed = '["", "primary_release_date.asc", "primary_release_date.desc"]'
    assert ("allowed-values", "query:sort_by", allowed) in facts


def test_a_part_of_a_path_that_is_one_of_a_few_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "charts.json"
    get = {"responses": {"200": {"description": "ok"}}}
    spec = {"openapi": "3.0.3", "info": {"title": "c", "version": "1"}, "paths": {"/charts/{span}": {"get": get}}}
    path.write_text(json.dumps(spec))

    def answer(request: Received) -> Answer:
        span = request.path.rpartition("/")[2]
        if span not in ("day", "week"):
            return refuse("path parameter 'span' must be one of day, week")
        return reply({"span": span, "results": FILMS})

    with Server({"GET /charts/*": answer}) as server:
        explore(path, base_urls=server.url, out=tmp_path / "out", max_calls=100)
    with Evidence.open(tmp_path / "out", write=False) as evidence:
        facts = {(fact.kind, fact.location, json.dumps(fact.value)) for fact in evidence.facts()}
    assert ("allowed-values", "path:span", '["day", "week"]') in facts
    assert ("type", "path:span", '"string"') in facts
