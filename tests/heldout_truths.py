"""The truths of the bundled suite's held-out tasks, told from the services' records alone, without their HTTP."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from suite_truths import (
    AIRPORTS,
    CITIES,
    COUNTRIES,
    CURRENCIES,
    MILE,
    NAUTICAL_MILE,
    about,
    airport,
    away,
    by,
    cities_over,
    city,
    codes,
    country,
    daylight,
    densities,
    names,
    near,
    nearest_cities,
    northernmost,
    one,
    point,
    where,
)

from docrev.records import Json
from docrev.sandbox.geometry import bearing, distance_km

CAMP = (-35.0, 150.0)

TRUTHS: dict[str, Callable[[], Json]] = {
    "web-suffix": lambda: country("Estonia")["tld"],
    "money-in-hungary": lambda: one(CURRENCIES, code=country("Hungary")["currency_code"])["name"],
    "tashkent-east": lambda: about(city("Tashkent")["longitude"], 0.05),
    "watch-at-incheon": lambda: one(AIRPORTS, name="Incheon International Airport")["timezone"],
    "arlanda-north": lambda: about(one(AIRPORTS, name="Stockholm-Arlanda Airport")["latitude"], 0.05),
    "flying-to-senegal": lambda: codes(where(AIRPORTS, city=country("Senegal")["capital"]), "iata"),
    "chile-iso3": lambda: country("Chile")["iso3"],
    "turkey-airports": lambda: len(where(AIRPORTS, country=country("Turkey")["code"])),
    "casablanca": lambda: city("Casablanca")["is_capital"],
    "icao": lambda: airport("HEL")["icao"],
    "chile-north": lambda: northernmost(country("Chile")["code"])["iata"],
    "next-to-kansai": lambda: about(away("KIX", near("KIX", 1000)[0]), 0.6),
    "uruguayans": lambda: country("Uruguay")["population"],
    "lisbon-west": lambda: about(airport("LIS")["longitude"], 0.05),
    "id-of-montreal": lambda: city("Montréal")["id"],
    "slug": lambda: "-".join(country("Canada")["region"].lower().split()),
    "heading": lambda: about(round(bearing(point(airport("DUB")), point(airport("BOS"))), 1), 0.6),
    "west-african-franc": lambda: len(where(COUNTRIES, currency_code="XOF")),
    "tiny-asia": lambda: by(where(COUNTRIES, region="Asia"), "area_km2")[0]["name"],
    "crowded-africa": lambda: [name for _, name in densities("Africa")[:2]],
    "christmas-day": lambda: daylight("Buenos Aires", date(2024, 12, 25)),
    "quechua": lambda: codes([row for row in COUNTRIES if "qu" in row["languages"]]),
    "bogota-time": lambda: codes(where(AIRPORTS, timezone="America/Bogota"), "iata"),
    "names-in-czech": lambda: one(COUNTRIES, currency_code="CZK")["name"],
    "europe-backwards": lambda: by(where(COUNTRIES, region="Europe"), "name", last=True)[0]["name"],
    "far-south": lambda: codes(where(COUNTRIES, region="Antarctica")),
    "megacities": lambda: sum(row["population"] >= 15_000_000 for row in CITIES),
    "strait": lambda: about(away("SIN", "KUL", NAUTICAL_MILE), 0.6),
    "around-singapore": lambda: near("SIN", 400),
    "ecuador-miles": lambda: about(away("GYE", "UIO", MILE), 0.6),
    "big-in-brazil": lambda: {"set": cities_over(2_500_000, country("Brazil")["code"])},
    "bush": lambda: about(round(distance_km(CAMP, point(city(nearest_cities(CAMP)[0]))), 1), 0.6),
    "gulf": lambda: about(away("HEL", "TLL"), 0.6),
    "place-63": lambda: by(CITIES, "population", last=True)[62]["name"],
    "chinese-28": lambda: names(by(where(CITIES, country_code="CN"), "population", last=True))[27],
    "around-zurich": lambda: near("ZRH", 1000)[:4],
    "small-in-poland": lambda: by(where(CITIES, country_code="PL"), "population")[0]["name"],
    "all-airports": lambda: len(AIRPORTS),
    "country-130": lambda: by(COUNTRIES, "population", last=True)[129]["name"],
    "top-three": lambda: [row["iata"] for row in by(AIRPORTS, "elevation_ft", last=True)[:3]],
}
"""By task. What is asked to be written is not here: it stands in the task's text."""
