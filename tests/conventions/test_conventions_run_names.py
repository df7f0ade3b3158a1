"""The names of a run: made, recognised, translated both ways, and numbered anew."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrev.conventions.run_names import (
    PLACEHOLDER,
    PROBES,
    SCENARIOS,
    RunNames,
    carries_made_up,
    draw_nonce,
    is_invented,
    is_invented_id,
    is_made_up,
    renumbered,
    run_base64,
    run_email,
    run_name,
    run_url,
    run_uuid,
)

NONCE = "48213907"

BOTH = [
    ("docrev-00000000-7", "docrev-48213907-7"),
    ("/buckets/docrev-00000000-7/x?name=DOCREV_00000000_A1", "/buckets/docrev-48213907-7/x?name=DOCREV_48213907_A1"),
    ("docrev%2000000000%201", "docrev%2048213907%201"),
    ("docrev%252D00000000", "docrev%252D48213907"),
    ('{"a": "docrev\\u002d00000000\\u002d1"}', '{"a": "docrev\\u002d48213907\\u002d1"}'),
    ("docrev&#45;00000000", "docrev&#45;48213907"),
    ("docrev000000001", "docrev482139071"),
    ("docrev - 00000000", "docrev - 48213907"),
    ('{"key": "ZG9jcmV2LTAwMDAwMDAwLTc="}', '{"key": "ZG9jcmV2LTQ4MjEzOTA3LTc="}'),
    ("docrev-00000000-1@example.org", "docrev-48213907-1@example.org"),
    ("d0c4e5ed-0000-4000-8000-000000000012", "d0c4e5ed-0000-4000-8000-482139070012"),
    ("D0C4E5ED000040008001000000000012", "D0C4E5ED000040008001482139070012"),
    ("a name of docrev-0000", "a name of docrev-4821"),
    ("docrev-000000…", "docrev-482139…"),
]
SAME = [
    "48213907",
    '{"id": 48213907}',
    "docrev",
    "docrev version 00000000",
    "docrev-----00000000",
    "docrev-482",
    "docrev-12345678-1",
    "docrev-000000012",
    "2024-00000000",
    "a0c4e5ed-0000-4000-8000-000000000012",
]


@pytest.mark.parametrize(("above", "wire"), BOTH)
def test_a_name_is_translated_in_both_directions(above: str, wire: str) -> None:
    names = RunNames(NONCE)
    assert (names.outgoing(above), names.incoming(wire)) == (wire, above)
    assert names.outgoing_bytes(above.encode()) == wire.encode()


@pytest.mark.parametrize("text", SAME)
def test_no_other_number_is_touched(text: str) -> None:
    names = RunNames(NONCE)
    assert (names.outgoing(text), names.incoming(text)) == (text, text)


@given(st.text("docrev-%20048213907 ", max_size=40), st.integers(0, 3))
def test_both_directions_undo_each_other_and_keep_the_length(noise: str, at: int) -> None:
    names = RunNames(NONCE)
    text = noise[:at] + run_name(at) + noise[at:]
    assert names.incoming(names.outgoing(text)) == text
    assert len(names.outgoing(text)) == len(text)


def test_what_an_api_itself_calls_by_the_placeholder_is_not_ours() -> None:
    names = RunNames(NONCE)
    assert not is_made_up(names.incoming("docrev-00000000-1"))
    assert names.outgoing(names.incoming("docrev-00000000-1")) == "docrev-00000000-1"


def test_a_nonce_has_eight_digits_and_never_begins_like_the_placeholder() -> None:
    drawn = {draw_nonce() for _ in range(200)}
    assert len(drawn) > 1
    assert all(len(one) == len(PLACEHOLDER) and one.isdecimal() and one[0] != "0" for one in drawn)


def test_names_of_every_kind_are_recognised() -> None:
    made = [run_name(3), run_name(3, PROBES), run_email(3), run_url(3), run_uuid(3), run_uuid(3, SCENARIOS)]
    made.append(run_base64(3))
    assert len(set(made)) == len(made)
    assert all(is_made_up(one) and is_invented(one) for one in made)
    assert all(is_made_up(change) for change in (quote("docrev 00000000 1"), "DOCREV_00000000_1", "docrev000000001"))


def test_names_of_other_runs_are_invented_and_not_made_up() -> None:
    for text in ("docrev-12345678-1", "docrev-zzz", "zz-docrev-9", "docrev"):
        assert is_invented(text), text
        assert not is_made_up(text), text
    assert not any(map(is_invented, (True, 5, "Harbour", None, ["docrev"], "909000001")))


def test_an_invented_id_is_a_text_or_a_number_out_of_the_way() -> None:
    assert all(map(is_invented_id, (run_name(1), run_uuid(1), "docrev-12345678-1", 909_000_001, "900000012")))
    assert not any(map(is_invented_id, (True, 5, "a", None, 1_909_000_001, 901_000_001)))


def test_a_value_carries_a_name_at_any_depth() -> None:
    assert carries_made_up({"data": [{"title": f"A {run_name(1)}"}]})
    assert carries_made_up({run_name(1): 2})
    assert not carries_made_up({"data": [{"title": "docrev", "id": 0}], "x": None})


def test_another_number_keeps_the_form_of_a_name_and_what_was_made_earlier() -> None:
    body = {"parent": "docrev-00000000-1", "key": "DOCREV_00000000_2", "id": run_uuid(2), "mail": run_email(2)}
    assert renumbered(body, 5, PROBES) == {
        "parent": "docrev-00000000-1",
        "key": "DOCREV_00000000_b5",
        "id": run_uuid(5, PROBES),
        "mail": run_email(5, PROBES),
    }
    assert renumbered({"key": run_base64(2)}, 15, PROBES) == {"key": run_base64(15, PROBES)}
    assert renumbered({"a": "plain"}, 5) == {"a": "plain"}
    assert renumbered("docrev000000009.", 10) == "docrev0000000010."
