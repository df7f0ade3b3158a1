"""The oracle's answers, against what is known and against what the live services say."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from oracle import NotAnswerable, Oracle, OracleAnswer, answer
from patience import HANGS
from services import bundled_services  # noqa: F401

from docrev.records import Call, Given, Goal, OperationKey


def named(value: Any, noun: str, label: str = "name") -> Given:
    return Given(label, value, noun)


def told(location: str, value: Any, noun: str = "") -> Given:
    return Given(location.partition(":")[2].lstrip("/"), value, noun, location)


PERU, CDG = named("Peru", "country"), named("Charles de Gaulle International Airport", "airport")
GOALS = {
    "a field of what is named": (Goal((PERU,), "iso3", "country"), "PER"),
    "a field of what a code names": (Goal((told("path:code", "PE", "country"),), "capital", "country"), "Lima"),
    "case does not matter": (Goal((named("peru", "country"),), "code", "country"), "PE"),
    "a unique relation": (Goal((CDG,), "name", "country"), "France"),
    "two relations": (Goal((CDG,), "name", "currency"), "Euro"),
    "across services": (Goal((CDG,), "timezone", "city"), "Europe/Paris"),
    "the first of a sorted list": (
        Goal(
            (told("query:region", "Africa", "country"), told("query:sort", "-area_km2", "country")), "name", "country"
        ),
        "Algeria",
    ),
    "the first of a sorted list, then onwards": (
        Goal((told("query:sort", "-area_km2", "country"),), "name", "currency"),
        "Russian Ruble",
    ),
    "a list in order": (
        Goal((told("query:sort", "-area_km2", "country"), told("query:per_page", 3)), "code", "country", many=True),
        ["RU", "AQ", "CA"],
    ),
    "a list of another table": (
        Goal((PERU,), "iata", "airport", many=True),
        ["AQP", "CUZ", "LIM", "TRU"],
    ),
    "a list, not the one that is easier to reach": (
        Goal((named("Albania", "country"),), "name", "city", many=True),
        ["Tirana", "Durrës"],
    ),
    "a derived field": (Goal((CDG, told("query:radius_km", 50)), "iata", "nearby"), "ORY"),
    "a count": (Goal((PERU,), "airport_count", "overview"), 4),
    "a region by its slug": (Goal((told("path:region", "north-america"),), "country_count", "region"), 41),
    "the densest": (Goal((told("query:region", "Asia", "density"),), "name", "density"), "Singapore"),
    "a total of the service": (Goal((), "records/countries", "status"), 249),
    "a total by the end of its path": (Goal((), "countries", "status"), 249),
    "what was sent": (
        Goal((told("body:/country_code", "PE"), told("body:/text", "Llamas")), "text", "note"),
        "Llamas",
    ),
    "a default": (Goal((told("body:/country_code", "PE"), told("body:/text", "x")), "status", "note"), "draft"),
    "the second of two writes": (
        Goal((told("body:/country_code", "PE"), told("body:/text", "one"), told("body:/text", "two")), "text", "note"),
        "two",
    ),
    "how often it was written": (
        Goal(
            (told("body:/country_code", "PE"), told("body:/text", "one"), told("body:/text", "two")),
            "revision",
            "note",
        ),
        2,
    ),
    "a replacement goes back to defaults": (
        Goal(
            (
                told("body:/name", "A", "watchlist"),
                told("body:/visibility", "public", "watchlist"),
                told("body:/name", "B", "watchlist"),
            ),
            "visibility",
            "watchlist",
        ),
        "private",
    ),
    "what was looked up and sent": (
        Goal((CDG, told("body:/name", "A", "watchlist"), told("body:/note", "x", "item")), "airport_name", "item"),
        "Charles de Gaulle International Airport",
    ),
    "what was sent leads on": (
        Goal((told("body:/country_code", "PE"), told("body:/text", "x")), "capital", "country"),
        "Lima",
    ),
}


@pytest.mark.parametrize(("goal", "right"), GOALS.values(), ids=GOALS)
def test_the_answer_is(goal: Goal, right: Any) -> None:
    found = answer(goal)
    assert isinstance(found, OracleAnswer), found
    assert found.accepted[0] == right
    assert found.accepts(right)
    assert len(found.accepted) == 1
    assert not found.accepts("something else")


UNKNOWN = {
    "no such record": Goal((named("Atlantis", "country"),), "capital", "country"),
    "no such field": Goal((PERU,), "anthem", "country"),
    "no such noun": Goal((PERU,), "name", "volcano"),
    "no airport there": Goal((named("Monaco", "country"),), "name", "airport"),
    "one airport has no distance": Goal((CDG,), "distance", "distance"),
    "an id that the service makes": Goal((told("body:/country_code", "PE"), told("body:/text", "x")), "id", "note"),
}


@pytest.mark.parametrize("goal", UNKNOWN.values(), ids=UNKNOWN)
def test_what_the_records_do_not_hold_is_unknown(goal: Goal) -> None:
    assert isinstance(answer(goal), NotAnswerable)


def test_order_counts_only_where_one_was_asked_for() -> None:
    free = answer(Goal((PERU,), "iata", "airport", many=True))
    fixed = answer(Goal((PERU, told("query:sort", "-elevation_ft", "airport")), "iata", "airport", many=True))
    assert isinstance(free, OracleAnswer)
    assert isinstance(fixed, OracleAnswer)
    assert free.accepts(["LIM", "AQP", "TRU", "CUZ"])
    assert not free.accepts(["LIM", "AQP"])
    assert fixed.accepts(["CUZ", "AQP", "LIM", "TRU"])
    assert not fixed.accepts(["LIM", "AQP", "TRU", "CUZ"])


def test_numbers_and_their_text_are_the_same_but_true_is_not_one() -> None:
    found = answer(Goal((told("path:region", "antarctica"),), "country_count", "region"))
    assert isinstance(found, OracleAnswer)
    assert found.accepts("5")
    assert not found.accepts(True)
    assert not found.accepts([5])


def first(body: Any) -> Any:
    return next((body[name][0] for name in ("data", "items", "results") if name in body), body)


LIVE = {
    "GET /cities/nearest": (
        "atlas/cities/nearest?lat=10&lon=10",
        Goal((told("query:lat", 10, "city"), told("query:lon", 10, "city")), "distance_km", "city"),
    ),
    "GET /regions/{region}/countries": (
        "atlas/regions/europe/countries",
        Goal((told("path:region", "europe", "region"),), "name", "country"),
    ),
    "GET /distance": (
        "airfield/distance?from=CDG&to=JFK&unit=nmi",
        Goal((told("query:from", "CDG"), told("query:to", "JFK"), told("query:unit", "nmi")), "distance", "distance"),
    ),
    "GET /distance by names": (
        "airfield/distance?from=CDG&to=ORY",
        Goal((CDG, named("Paris-Orly Airport", "airport")), "initial_bearing", "distance"),
    ),
    "GET /cities/{id}/daylight": (
        "atlas/cities/2988507/daylight?date=2026-03-01",
        Goal((named("Paris", "city"), told("query:date", "2026-03-01", "daylight")), "daylight_hours", "daylight"),
    ),
    "GET /airports/{iata}/nearby": (
        "airfield/airports/JFK/nearby",
        Goal((told("path:iata", "JFK", "airport"),), "distance_km", "nearby"),
    ),
    "GET /countries/{country}/overview": (
        "airfield/countries/IN/overview",
        Goal((named("India", "country"),), "highest_airport", "overview"),
    ),
    "GET /airports": (
        "airfield/airports?country=IN&sort=-name",
        Goal((told("query:country", "IN", "airport"), told("query:sort", "-name", "airport")), "name", "airport"),
    ),
    "GET /airports/search": (
        "airfield/airports/search?q=zur",
        Goal((told("query:q", "zur", "airport"),), "iata", "airport"),
    ),
    "GET /cities": (
        "atlas/cities?country=IN&min_population=5000000&sort=population",
        Goal(
            (
                told("query:country", "IN", "city"),
                told("query:min_population", 5_000_000, "city"),
                told("query:sort", "population", "city"),
            ),
            "name",
            "city",
        ),
    ),
    "GET /regions": ("atlas/regions", Goal((), "slug", "region")),
}


@pytest.mark.parametrize(("path", "goal"), LIVE.values(), ids=LIVE)
def test_the_live_service_says_the_same(path: str, goal: Goal, bundled_services: dict[str, str]) -> None:  # noqa: F811
    service, _, rest = path.partition("/")
    said = first(httpx2.get(f"{bundled_services[service]}/{rest}", timeout=HANGS).json())[goal.want]
    found = answer(goal)
    assert isinstance(found, OracleAnswer), found
    assert found.accepted == (said,)


class Writer:
    """Writes to a live service and keeps the calls, as a run does."""

    def __init__(self, url: str, tool: str) -> None:
        self.url, self.tool = url, tool
        self.calls: list[Call] = []

    def send(self, operation: str, body: Any = None, **path: str) -> Any:
        key = OperationKey(self.tool, operation)
        url = self.url + key.path.format(**path)
        answered = httpx2.request(key.method, url, json=body) if body is not None else httpx2.request(key.method, url)
        arguments = {f"path:{name}": value for name, value in path.items()} | ({"body:": body} if body else {})
        said = answered.json() if answered.content else None
        media_type = answered.headers.get("content-type", "")
        call = Call(str(len(self.calls)), key, arguments, url, answered.status_code, {}, said, media_type, "scenario")
        self.calls.append(call)
        return said


def test_what_a_run_wrote_is_known_as_it_was_at_each_moment(bundled_services: dict[str, str]) -> None:  # noqa: F811
    writer = Writer(bundled_services["airfield"], "airfield")
    one = writer.send("POST /watchlists", {"name": "North", "visibility": "shared"})["id"]
    writer.send("POST /watchlists/{watchlist_id}/items", {"iata": "CDG"}, watchlist_id=one)
    writer.send("PUT /watchlists/{watchlist_id}", {"name": "South"}, watchlist_id=one)
    live = writer.send("GET /watchlists/{watchlist_id}", watchlist_id=one)
    writer.send("DELETE /watchlists/{watchlist_id}", watchlist_id=one)
    oracle = Oracle(writer.calls)
    by_id = Given("watchlist_id", one, "watchlist", "path:watchlist_id")
    for want, right in (("name", ("North", "South")), ("item_count", (0, 1)), ("visibility", ("shared", "private"))):
        found = oracle.answer(Goal((by_id,), want, "watchlist"))
        assert isinstance(found, OracleAnswer), found
        assert found.accepted == right
        assert found.accepts(live[want])
    onward = oracle.answer(Goal((named("South", "watchlist"),), "city", "airport"))
    assert isinstance(onward, OracleAnswer)
    assert onward.accepted == ("Paris",)
    assert isinstance(answer(Goal((by_id,), "name", "watchlist")), NotAnswerable)


def test_an_id_that_the_service_makes_is_known_from_the_run(bundled_services: dict[str, str]) -> None:  # noqa: F811
    writer = Writer(bundled_services["atlas"], "atlas")
    made = writer.send("POST /notes", {"country_code": "PE", "text": "Alpacas"})
    changed = writer.send("PATCH /notes/{id}", {"rating": 4}, id=made["id"])
    goal = Goal((told("body:/country_code", "PE"), told("body:/text", "Alpacas")), "id", "note")
    found = Oracle(writer.calls).answer(goal)
    assert isinstance(found, OracleAnswer)
    assert found.accepted == (made["id"],)
    revision = Oracle(writer.calls).answer(Goal((named(made["id"], "note", "id"),), "revision", "note"))
    assert isinstance(revision, OracleAnswer)
    assert revision.accepted == (made["revision"], changed["revision"])
