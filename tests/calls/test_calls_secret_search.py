"""A secret is found in whatever form it comes back, and nothing else is taken for one."""

from __future__ import annotations

import base64
import json
import random
import string

import pytest
from secret_forms import forms

from docrev.calls.credentials import parse_header
from docrev.calls.redact import MASK, Redactor
from docrev.calls.secret_search import SecretSearch
from docrev.json_values.sampling import MAX_TEXT

SECRET = "tok/En+7f9Qz=&x-Ü9"


def test_forty_forms() -> None:
    assert len(forms(SECRET)) >= 40


@pytest.mark.parametrize("form", forms(SECRET))
def test_each_form_is_masked(form: str) -> None:
    text = forms(SECRET)[form]
    redactor = Redactor([parse_header(f"Authorization: Bearer {SECRET.replace('Ü', 'Ã')}"), parse_header("X-Key: abc")])
    redactor.learn(SECRET)
    masked = redactor.text(f"before {text} behind")
    assert masked.startswith("before ")
    assert masked.endswith(" behind")
    assert MASK in masked
    rest = masked.replace(MASK, "")
    pieces = [text[at : at + 8] for at in range(len(text) - 8)]
    # Of base64 and words around it a few characters may stay that belong to what is around.
    assert sum(piece in rest for piece in pieces) <= 4
    assert redactor.value({"a": [text]}) != {"a": [text]}
    assert redactor.suspect(json.dumps({"a": text}, ensure_ascii=False))


@pytest.mark.parametrize(
    "value",
    [
        {"type": "Buffer", "data": list(SECRET.encode())},
        {"type": "Buffer", "data": list(b"key=" + SECRET.encode() + b";")},
        ["a", *SECRET],
    ],
)
def test_what_a_list_spells_is_masked(value: object) -> None:
    redactor = Redactor()
    redactor.learn(SECRET)
    for source in (json.dumps(value), json.dumps(value, indent=1)):
        items = json.dumps(redactor.body(value, source)).replace(MASK, "")
        assert not any(str(item) in items for item in (116, 111, 107, '"t"', '"/"'))
    others = [[5, 6, 7, 8, 300], list(b"what else it may be"), ["a", "b", "c", "d", "ee"], [1.5, None, "a", "b", "c"]]
    assert redactor.body(others, json.dumps(others)) == others


@pytest.mark.parametrize("number", ["48151623421", "-48151623421", "48151623421.0"])
def test_a_key_of_digits_is_masked_as_a_number(number: str) -> None:
    redactor = Redactor()
    redactor.learn("48151623421")
    assert redactor.body([json.loads(number), 4815, 1.5], f"[{number}, 4815, 1.5]") == [MASK, 4815, 1.5]


def test_what_is_no_secret_stays() -> None:
    draw = random.Random(3)
    search = SecretSearch([SECRET, "ab"])
    for _ in range(500):
        text = "".join(draw.choices(string.printable + "äß你🙂%\\&", k=60))
        assert search.masked(text, MASK) == text or "ab" in text.lower()
    assert search.masked("seven tables, a cab", MASK) == "seven tables, a cab"
    assert search.masked("it is Ab, 100 %41b &amp; x", MASK) == f"it is {MASK}, 100 {MASK} &amp; x"


def test_what_is_cut_is_redacted_before() -> None:
    search = SecretSearch([SECRET])
    for before in range(MAX_TEXT - len(SECRET), MAX_TEXT + 1):
        masked = search.masked("x" * before + SECRET + "y" * 50, MASK, MAX_TEXT)
        assert SECRET[:4] not in masked
        assert masked.startswith("x" * before)


def test_parts_of_credentials_are_secrets_by_themselves() -> None:
    pair = base64.b64encode(b"me:pass-word-1").decode()
    headers = [
        parse_header(f"Authorization: Basic {pair}"),
        parse_header("Cookie: sid=cookie-1234; theme=dark-blue-1"),
        parse_header('X-Auth: Token token="quoted-5678"'),
    ]
    redactor = Redactor(headers)
    for secret in ("pass-word-1", "me:pass-word-1", pair, "cookie-1234", "quoted-5678"):
        assert redactor.text(f"({secret})") == f"({MASK})"
    assert redactor.text("me, sid and token") == "me, sid and token"


def test_names_of_headers_are_redacted_too() -> None:
    redactor = Redactor([parse_header("Authorization: Bearer sEcret-1234")])
    assert redactor.headers({"x-secret-1234": "y", "location": "/a?k=SECRET-1234"}) == {
        f"x-{MASK}": "y",
        "location": f"/a?k={MASK}",
    }
