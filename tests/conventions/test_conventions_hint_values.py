"""Values that satisfy hints, changed as little as possible from what was sent."""

from __future__ import annotations

import re

import pytest

from docrev.conventions.error_claims import Hint
from docrev.conventions.error_hints import read_hints
from docrev.conventions.hint_values import value_for
from docrev.records import Json


def hint(kind: str, *values: str) -> Hint:
    return Hint(kind, "body", "/name", values, "")


CASES: list[tuple[list[Hint], Json, Json]] = [
    ([hint("characters", "[a-zA-Z0-9._-]")], "docrev database 1", "docrev-database-1"),
    ([hint("characters", "[a-z0-9_]")], "Docrev database 1", "docrev_database_1"),
    ([hint("characters", "[a-z]")], "docrev 1", "docrevxx"),
    ([hint("characters", "[a-zA-Z0-9]")], "docrev-00000000-12", "docrev0000000012"),
    ([hint("characters", "[A-Z]"), hint("max-length", "3")], "docrev", "DOC"),
    ([hint("forbidden-characters", "[ ]")], "docrev item", "docrev-item"),
    ([hint("first-character", "[a-zA-Z]")], "1docrev", "d1docrev"),
    ([hint("first-character", "[a-z]"), hint("last-character", "[a-z]")], "-docrev-", "docrev"),
    ([hint("max-length", "10")], "docrev-database-1", "docrev-da1"),
    ([hint("min-length", "9")], "docrev", "docrevxxx"),
    ([hint("suffix", ".")], "docrev", "docrev."),
    ([hint("prefix", "/")], "docrev", "/docrev"),
    ([hint("prefix", "/")], "/docrev", "/docrev"),
    ([hint("pattern", "^[a-z0-9]+(-[a-z0-9]+)*$")], "Docrev Item 1", "docrev-item-1"),
    ([hint("pattern", "^[A-Z]{3}$")], "docrev", "AAA"),
    ([hint("pattern", r"^\d{3}-\d{2}$")], "docrev", "000-00"),
    ([hint("allowed-values", "l2", "cosine", "ip")], "docrev", "l2"),
    ([hint("allowed-values", "l2", "Cosine")], "cosine", "Cosine"),
    ([hint("allowed-values", "1", "2")], 7, 1),
    ([hint("type", "integer")], "docrev", 1),
    ([hint("type", "integer")], "12", 12),
    ([hint("type", "integer")], 1.5, 1),
    ([hint("type", "boolean")], "docrev", True),
    ([hint("type", "string")], 5, "5"),
    ([hint("type", "array")], "docrev", ["docrev"]),
    ([hint("type", "object")], "docrev", {}),
    ([hint("minimum", "5")], 1, 5),
    ([hint("exclusive-minimum", "0"), hint("type", "integer")], 0, 1),
    ([hint("exclusive-minimum", "0"), hint("exclusive-maximum", "1")], 1, 0.5),
    ([hint("maximum", "100")], 1000, 100),
    ([hint("multiple-of", "5")], 7, 10),
    ([hint("multiple-of", "5"), hint("maximum", "8")], 7, 5),
    ([hint("min-items", "2")], ["a"], ["a", "a"]),
    ([hint("max-items", "1")], ["a", "b"], ["a"]),
    ([hint("unique-items")], ["a", "a"], ["a"]),
    ([hint("format", "zoned-date-time")], "2024-06-01T12:00:00", "2024-06-01T12:00:00Z"),
    ([hint("format", "zoned-date-time")], "2024-06-01", "2024-06-01T00:00:00Z"),
    ([hint("format", "date-time")], "2024-06-01T12:00:00+02:00", "2024-06-01T12:00:00+02:00"),
    ([hint("format", "date")], "2024-06-01T12:00:00Z", "2024-06-01"),
    ([hint("format", "duration")], "docrev", "PT1H"),
    ([hint("format", "duration")], "PT1H", "1h"),
    ([hint("format", "duration-in-units")], "docrev", "1h"),
    ([hint("format", "email")], "docrev item 1", "docrev-item-1@example.org"),
    ([hint("format", "url")], "docrev", "https://example.org/docrev"),
    ([hint("format", "base64")], "docrev", "ZG9jcmV2"),
    ([hint("format", "json")], "docrev", "{}"),
    ([hint("format", "ipv4")], "docrev", "192.0.2.1"),
    ([hint("format", "ipv4")], "10.1.2.3", "10.1.2.3"),
    ([hint("format", "object-id")], "0123456789abcdef01234567", "0123456789abcdef01234567"),
    ([hint("minimum", "5"), hint("maximum", "2")], 3, None),
    ([hint("format", "phone of the king")], "docrev", None),
    ([hint("pattern", "^(")], "docrev", None),
]


@pytest.mark.parametrize(("hints", "given", "wanted"), CASES, ids=lambda value: str(value)[:60])
def test_a_value_is_changed_as_the_hints_want(hints: list[Hint], given: Json, wanted: Json) -> None:
    assert value_for(hints, given) == wanted
    assert type(value_for(hints, given)) is type(wanted)


def test_a_value_that_satisfies_the_hints_stays_as_it_is() -> None:
    assert value_for([hint("characters", "[a-z-]"), hint("min-length", "3")], "doc-rev") == "doc-rev"


def test_a_refused_name_is_mended_by_what_the_refusal_says() -> None:
    text = (
        "Expected a name containing 3-512 characters from [a-zA-Z0-9._-], starting and ending with a character in "
        "[a-zA-Z0-9]. Got: docrev database 1"
    )
    assert value_for(read_hints(400, {}, {"message": text}), "docrev database 1") == "docrev-database-1"


def test_a_uuid_differs_for_different_texts_and_not_for_the_same() -> None:
    [one, same, other] = [value_for([hint("format", "uuid")], text) for text in ("docrev 1", "docrev 1", "docrev 2")]
    assert one == same != other


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("zip must be a postal code", r"\d{5}"),
        ("zip must be a valid ISO31661 Alpha2 code", "FR"),
        ("zip must be a valid ISO 3166-1 alpha-3 country code", "FRA"),
        ("zip must be a valid ISO4217 currency code", "EUR"),
        ("The zip field is not a valid credit card number.", r"4\d{15}"),
        ("zip must be a BIC or SWIFT code", "[A-Z]{8}"),
        ("Invalid cuid", "c[0-9a-f]{24}"),
        ("Invalid ULID", "0[0-9A-F]{25}"),
        ("Invalid nanoid", "[0-9a-f]{21}"),
        ("zip must be a mongodb id", "[0-9a-f]{24}"),
        ("zip must be a jwt string", r"[\w-]+\.[\w-]+\.[\w-]+"),
        ("zip must be a valid IANA time-zone", "Europe/Paris"),
        ("zip must be a hash of type sha1", "[0-9a-f]{40}"),
        ("zip must be a valid language tag", "en"),
    ],
)
def test_a_format_that_an_error_names_gives_a_value_of_it(text: str, wanted: str) -> None:
    hints = read_hints(400, {}, {"errors": {"zip": [text]}})
    assert re.fullmatch(wanted, str(value_for(hints, "docrev item 1")))


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [
        ("uuid4", r"[0-9a-f-]{36}"),
        ("isHexColor", "#[0-9a-f]{6}"),
        ("iso3166_1_alpha3", "FRA"),
        ("string.dataUri", "data:.+"),
        ("ip4_addr", "192.0.2.1"),
        ("alphanum", "[a-z0-9]+"),
    ],
)
def test_a_rule_that_is_named_beside_a_field_gives_a_value_that_keeps_it(rule: str, wanted: str) -> None:
    hints = read_hints(422, {}, {"errors": [{"field": "site", "param": "", "rule": rule}]})
    assert re.fullmatch(wanted, str(value_for(hints, "docrev item 1")))
