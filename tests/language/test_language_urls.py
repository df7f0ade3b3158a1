"""URLs that somebody else wrote."""

from __future__ import annotations

import pytest

from docrev.language.urls import split_url, without_url_secrets


@pytest.mark.parametrize("text", ["//[", "http://[::1", "http://a]b/", "//\u2100.example"])
def test_a_text_that_is_no_url_has_no_parts(text: str) -> None:
    assert [*split_url(text)] == ["", "", "", "", ""]


def test_a_url_has_its_parts() -> None:
    assert split_url("https://h/a?b=1#c")[:4] == ("https", "h", "/a", "b=1")


def test_what_may_be_secret_in_a_url_is_not_shown() -> None:
    assert without_url_secrets("see http://me:pass@h.example/a?key=1#x, or not") == "see http://h.example/a, or not"
