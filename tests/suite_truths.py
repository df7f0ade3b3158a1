"""The truths of the bundled suite's tasks, told from the services' records alone, without their HTTP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from docrev.records import Json
from docrev.sandbox.geometry import bearing, daylight_hours, distance_km
from docrev.sandbox.tables import Row, fold, load

COUNTRIES, CITIES = load("atlas", "countries"), load("atlas", "cities")
CURRENCIES, LANGUAGES = load("atlas", "currencies"), load("atlas", "languages")
AIRPORTS = load("airfield", "airports")
MILE, NAUTICAL_MILE = 0.621371192, 0.539956803


def where(rows: Sequence[Row], **wanted: Json) -> list[Row]:
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def one(rows: Sequence[Row], **wanted: Json) -> Row:
    [row] = where(rows, **wanted)
    return row


def country(name: str) -> Row:
    return one(COUNTRIES, name=name)


def city(name: str) -> Row:
    return one(CITIES, name=name)


def airport(iata: str) -> Row:
    return one(AIRPORTS, iata=iata)


def by(rows: Sequence[Row], name: str, *, last: bool = False) -> list[Row]:
    return sorted(rows, key=lambda row: fold(row[name]) if isinstance(row[name], str) else row[name], reverse=last)


def point(row: Row) -> tuple[float, float]:
    return row["latitude"], row["longitude"]


def away(start: str, end: str, unit: float = 1.0) -> float:
    return round(distance_km(point(airport(start)), point(airport(end))) * unit, 1)


def near(iata: str, km: float) -> list[str]:
    found = sorted((distance_km(point(airport(iata)), point(row)), row["iata"]) for row in AIRPORTS)
    return [other for far, other in found if far <= km and other != iata]


def densities(region: str) -> list[tuple[float, str]]:
    rows = [row for row in where(COUNTRIES, region=region) if row["area_km2"]]
    return sorted(((round(row["population"] / row["area_km2"], 2), row["name"]) for row in rows), reverse=True)


def northernmost(code: str) -> Row:
    return max(where(AIRPORTS, country=code), key=lambda row: row["latitude"])


def nearest_cities(here: tuple[float, float]) -> list[str]:
    return names(sorted(CITIES, key=lambda row: distance_km(here, point(row))))


def cities_over(people: int, code: str) -> list[str]:
    return [row["name"] for row in where(CITIES, country_code=code) if row["population"] >= people]


def about(value: float, within: float) -> Json:
    return {"number": value, "within": within}


def names(rows: Sequence[Row]) -> list[str]:
    return [row["name"] for row in rows]


def codes(rows: Sequence[Row], name: str = "code") -> Json:
    return {"set": sorted(row[name] for row in rows)}


def daylight(name: str, day: date) -> Json:
    return about(round(daylight_hours(city(name)["latitude"], day), 2), 0.05)


TRUTHS: dict[str, Callable[[], Json]] = {
    "capital": lambda: country("Kenya")["capital"],
    "currency": lambda: country("Peru")["currency_code"],
    "neighbours": lambda: {"set": country("Mongolia")["neighbours"]},
    "prefix": lambda: country("Portugal")["calling_code"],
    "currency-name": lambda: one(CURRENCIES, code=country("Vietnam")["currency_code"])["name"],
    "language-name": lambda: one(LANGUAGES, code=country("Japan")["languages"][0])["name"],
    "city-zone": lambda: city("Medellín")["timezone"],
    "is-capital": lambda: city("Sydney")["is_capital"],
    "city-latitude": lambda: about(city("Auckland")["latitude"], 0.05),
    "largest-city": lambda: by(where(CITIES, country_code="NG"), "population", last=True)[0]["name"],
    "airport-height": lambda: one(AIRPORTS, name="Jomo Kenyatta International Airport")["elevation_ft"],
    "northernmost-name": lambda: northernmost("JP")["name"],
    "airports-of-capital": lambda: codes(where(AIRPORTS, city=country("Argentina")["capital"]), "iata"),
    "same-zone": lambda: codes(where(AIRPORTS, timezone=city("Pune")["timezone"]), "iata"),
    "region-count": lambda: len(where(COUNTRIES, region="Oceania")),
    "region-codes": lambda: codes(where(COUNTRIES, region="South America")),
    "largest-area": lambda: by(where(COUNTRIES, region="Africa"), "area_km2", last=True)[0]["name"],
    "least-people": lambda: by(where(COUNTRIES, region="South America"), "population")[0]["name"],
    "most-people": lambda: names(by(where(COUNTRIES, region="North America"), "population", last=True)[:3]),
    "densest": lambda: densities("Europe")[0][1],
    "density": lambda: about(densities("South America")[0][0], 0.5),
    "euro": lambda: len(where(COUNTRIES, currency_code="EUR")),
    "franc": lambda: codes(where(COUNTRIES, currency_code="CHF")),
    "swahili": lambda: codes([row for row in COUNTRIES if "sw" in row["languages"]]),
    "first-cfa": lambda: by(where(COUNTRIES, currency_code="XOF"), "name")[0]["name"],
    "daylight": lambda: daylight("Oslo", date(2025, 6, 21)),
    "daylight-winter": lambda: daylight("Reykjavík", date(2026, 2, 3)),
    "zone-airports": lambda: codes(where(AIRPORTS, timezone="Europe/Paris"), "iata"),
    "country-zones": lambda: {"set": sorted({row["timezone"] for row in where(AIRPORTS, country="BR")})},
    "ten-million": lambda: sum(row["population"] >= 10_000_000 for row in CITIES),
    "indian-cities": lambda: {"set": sorted(cities_over(5_000_000, "IN"))},
    "miles": lambda: about(away("NBO", "CPT", MILE), 0.6),
    "nautical": lambda: about(away("OSL", "BGO", NAUTICAL_MILE), 0.6),
    "kilometres": lambda: about(away("KTM", "PKR"), 0.6),
    "london": lambda: near("LHR", 60),
    "within-miles": lambda: {"set": sorted(near("MEX", 160))},
    "nearest-airport": lambda: near("GRU", 1000)[0],
    "course": lambda: about(round(bearing(point(airport("AKL")), point(airport("SYD"))), 1), 0.6),
    "height-by-code": lambda: airport("ZRH")["elevation_ft"],
    "label": lambda: f"{airport('KIX')['city']} (KIX)",
    "subdivision": lambda: airport("DEN")["subdivision"],
    "population": lambda: city("Marseille")["population"],
    "area": lambda: country("Iceland")["area_km2"],
    "languages": lambda: {"set": country("Luxembourg")["languages"]},
    "airport-count": lambda: len(where(AIRPORTS, country="BR")),
    "highest": lambda: by(where(AIRPORTS, country="PE"), "elevation_ft", last=True)[0]["iata"],
    "northernmost": lambda: northernmost("NO")["iata"],
    "highest-of-all": lambda: by(AIRPORTS, "elevation_ft", last=True)[0]["elevation_ft"],
    "lowest": lambda: by(where(AIRPORTS, country="NL"), "elevation_ft")[0]["iata"],
    "country-150": lambda: by(COUNTRIES, "name")[149]["name"],
    "city-45": lambda: by(CITIES, "population", last=True)[44]["name"],
    "airport-130": lambda: by(AIRPORTS, "iata")[129]["iata"],
    "chinese-airports": lambda: codes(where(AIRPORTS, country="CN"), "iata"),
    "last-city": lambda: by(where(CITIES, country_code="DE"), "name", last=True)[0]["name"],
    "land": lambda: sum("land" in fold(row["name"]) for row in COUNTRIES),
    "near-point": lambda: nearest_cities((47.0, 8.3))[0],
    "three-near": lambda: nearest_cities((-1.5, 36.5))[:3],
    "african-people": lambda: len(cities_over(3_000_000, "ZA")),
    "tokyo": lambda: codes(where(AIRPORTS, city="Tokyo"), "iata"),
}
"""By task. What is asked to be written is not here: it stands in the task's text."""
