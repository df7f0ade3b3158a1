"""Static matching and the words of names."""

from __future__ import annotations

import pytest

from docrev.graph.match import Named, field_name, match, path_nouns, resource_noun
from docrev.language.words import article, plural, singular, words


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("cityName", ("city", "name")),
        ("city_name", ("city", "name")),
        ("city-name", ("city", "name")),
        ("HTTPServer2", ("http", "server", "2")),
        ("iso3166", ("iso", "3166")),
        ("padIDs", ("pad", "ids")),
        ("", ()),
    ],
)
def test_names_are_split_into_words(name: str, parts: tuple[str, ...]) -> None:
    assert words(name) == parts


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("aliases", "alias"),
        ("countries", "country"),
        ("cities", "city"),
        ("boxes", "box"),
        ("series", "series"),
        ("addresses", "address"),
        ("people", "person"),
        ("movies", "movie"),
        ("buckets", "bucket"),
    ],
)
def test_singular_and_plural_are_each_other_s_inverse(many: str, one: str) -> None:
    assert singular(many) == one
    assert plural(one) == many
    assert singular(one) == one
    assert plural(many) == many


@pytest.mark.parametrize(
    ("word", "article_"), [("airport", "an"), ("country", "a"), ("user", "a"), ("hour", "an"), ("IATA", "an")]
)
def test_articles_follow_the_sound(word: str, article_: str) -> None:
    assert article(word) == article_


def test_path_parameters_belong_to_the_noun_before_them() -> None:
    assert path_nouns("/v1/buckets/{id}/groups/{gid}") == (("id", "bucket"), ("gid", "group"))
    assert path_nouns("/v1/{id}") == (("id", ""),)
    assert resource_noun("/buckets/{id}/collections/{cid}/records") == "record"


@pytest.mark.parametrize(
    ("pointer", "resource", "found"),
    [
        ("200:/results/0/id", "movie", (("id",), "movie")),
        ("200:/cast/0/id", "movie", (("id",), "cast")),
        ("200:/data/0", "region", (("region",), "region")),
        ("200:/tags/0", "note", (("tag",), "tag")),
        ("200:/data/padIDs/0", "stock", (("pad", "id"), "pad")),
        ("200:/owner/userId", "note", (("user", "id"), "owner")),
    ],
)
def test_fields_belong_to_what_holds_them(pointer: str, resource: str, found: tuple[tuple[str, ...], str]) -> None:
    assert field_name(pointer, resource) == found


def named(name: str, noun: str = "", kind: str | None = None) -> Named:
    return Named(words(name), noun, kind)


@pytest.mark.parametrize(
    ("field", "parameter", "kind"),
    [
        (named("iata", "airport"), named("iata", "airport"), "name"),
        (named("id", "movie"), named("movie_id", "movie"), "path"),
        (named("id", "movie"), named("id", "movie"), "path"),
        (named("countryCode", "city"), named("code", "country"), "foreign-key"),
        (named("code", "country"), named("country_code"), "foreign-key"),
        (named("slug", "region"), named("region", "region"), "foreign-key"),
        (named("region", "region"), named("name", "region"), "foreign-key"),
    ],
)
def test_what_names_the_same_thing_is_matched(field: Named, parameter: Named, kind: str) -> None:
    found = match(field, parameter)
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize(
    ("field", "parameter"),
    [
        (named("id", "movie"), named("id", "person")),
        (named("name", "movie"), named("page")),
        (named("population", "city", "object"), named("population", "", "integer")),
        (named("adult", "movie", "boolean"), named("adult", "", "integer")),
    ],
)
def test_what_does_not_is_not(field: Named, parameter: Named) -> None:
    assert match(field, parameter) is None


def test_an_id_is_a_better_source_than_a_name() -> None:
    parameter = named("region", "region")
    by_id, by_name = match(named("slug", "region"), parameter), match(named("title", "region"), parameter)
    assert by_id is not None
    assert by_name is not None
    assert by_id.score > by_name.score
