"""What other values of one argument came to, all else being equal."""

from __future__ import annotations

from revisekit import call, page

from docrev.facts.tried_values import MAX_VALUES, tried_values

GET = "GET /authors"
TEN = [{"id": at} for at in range(10)]


def test_values_are_compared_where_all_else_is_equal() -> None:
    calls = [
        call(GET, page(TEN)),
        call(GET, page(TEN[:2]), query_limit=2),
        call(GET, page(TEN), query_country="IT"),
        call(GET, {"detail": "limit: too small"}, status=422, query_limit=0),
        call(GET, page(TEN[:3]), query_limit=3, query_country="IT"),
    ]
    lines = [one.line for one in tried_values(calls, "query:limit")]
    assert lines == [
        "left out -> 200, 10 items of 40 in all",
        "`2` -> 200, 2 items of 40 in all",
        "`0` -> 422 limit: too small",
    ]


def test_the_same_response_is_said_to_be_the_same() -> None:
    calls = [call(GET, page(TEN)), call(GET, page(TEN), query_lang="de"), call(GET, page(TEN), query_lang="fr")]
    assert [one.outcome for one in tried_values(calls, "query:lang")][1:] == ["200, the same response"] * 2


def test_one_value_is_no_contrast() -> None:
    assert tried_values([call(GET, page(TEN), query_lang="de")], "query:lang") == []


def test_each_outcome_is_shown_and_of_what_was_made_up_one_each() -> None:
    calls = [call(GET, page(TEN[:1]), query_name=f"docrev-0000000{at}-1") for at in range(6)]
    calls += [call(GET, page(TEN[:at]), query_name=f"n{at}") for at in range(2, 6)]
    shown = tried_values(calls, "query:name")
    # The first, and one with the same response.
    assert sum(str(one.value).startswith("docrev") for one in shown) == 2
    assert len(shown) == 6 < MAX_VALUES
