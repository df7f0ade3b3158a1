"""The functions of `import docrev` are the settings written out: the same names, defaults and types."""

from __future__ import annotations

import asyncio
import gc
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from clikit import spec
from servers import Server, reply

import docrev
from docrev.errors import UsageError
from docrev.events import Event, Notice
from docrev.records import ChangeClass
from docrev.settings.base import PathText, Settings, Texts
from docrev.settings.groups import CheckSettings, ExploreSettings, ReviseSettings
from docrev.settings.serving import McpSettings, ObserveSettings

NOT_SETTINGS = {"specs", "records", "config", "on_event", "write_to", "in_place", "overlay", "return"}
WIDER: dict[Any, Any] = {
    Texts: str | Sequence[str],
    PathText: str | Path,
    PathText | None: str | Path | None,
}
"""What a function accepts for a field of this type: what makes one."""
FUNCTIONS = [
    (docrev.explore, ExploreSettings),
    (docrev.aexplore, ExploreSettings),
    (docrev.revise, ReviseSettings),
    (docrev.arevise, ReviseSettings),
    (docrev.check, CheckSettings),
    (docrev.acheck, CheckSettings),
    (docrev.mcp_server, McpSettings),
    (docrev.amcp_server, McpSettings),
    (docrev.observe, ObserveSettings),
    (docrev.aobserve, ObserveSettings),
]


def wanted(group: type[Settings]) -> dict[str, Any]:
    """The type of each field as a parameter, without what validates it."""
    plain, whole = get_type_hints(group), get_type_hints(group, include_extras=True)
    found = {}
    for name in group.model_fields:
        kind = whole[name]
        inner = getattr(kind, "__origin__", kind)
        wider = next((WIDER[each] for each in (kind, inner) if each in WIDER), None)
        several = next((each for each in (str, ChangeClass) if plain[name] == tuple[each, ...]), None)
        found[name] = (several | Sequence[several]) if several is not None else wider or plain[name]
    return found


@pytest.mark.parametrize(("function", "group"), FUNCTIONS)
def test_each_field_is_a_parameter_with_its_default_and_type(
    function: Callable[..., Any], group: type[Settings]
) -> None:
    parameters = {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if name not in NOT_SETTINGS
    }
    assert set(parameters) == set(group.model_fields)
    assert {parameter.kind for parameter in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    defaults = {name: field.default for name, field in group.model_fields.items()}
    assert {name: parameter.default for name, parameter in parameters.items()} == defaults
    hints = get_type_hints(function)
    assert {name: hints[name] for name in parameters} == wanted(group)


@pytest.mark.parametrize(("function", "group"), FUNCTIONS)
def test_twins_have_one_signature_and_a_docstring(function: Callable[..., Any], group: type[Settings]) -> None:
    twin = getattr(docrev, function.__name__.removeprefix("a"))
    assert inspect.signature(function) == inspect.signature(twin)
    assert function.__doc__


@pytest.mark.parametrize("group", [ExploreSettings, ReviseSettings])
def test_each_setting_describes_itself_in_a_sentence(group: type[Settings]) -> None:
    assert group.model_fields
    for field in group.model_fields.values():
        assert field.description
        assert field.description.endswith(".")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_calls": 0}, "max_calls: should be greater than or equal to 1"),
        ({"strategy": "dfs"}, "strategy: should be 'bfs', 'dfsdt' or 'react'"),
        ({"seed": "1"}, "seed: should be a valid integer"),
        ({"model": "crystal-ball"}, "no model crystal-ball"),
        ({"model_for": "king=offline"}, "no role king"),
        ({"prices": {"openai:x": {"in": 1}}}, "not the price of a million tokens: openai:x"),
    ],
)
def test_a_wrong_value_is_one_line(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        docrev.explore(spec(tmp_path), base_urls="http://127.0.0.1:9", **options)
    assert "\n" not in str(caught.value)


def test_a_function_that_waits_names_its_twin_inside_an_event_loop(tmp_path: Path) -> None:
    async def inside() -> None:
        docrev.explore(spec(tmp_path), base_urls="http://127.0.0.1:9")

    with pytest.raises(UsageError, match="called inside a running event loop; await docrev"):
        asyncio.run(inside())


def test_what_needs_no_event_loop_has_a_twin_for_it_too(tmp_path: Path) -> None:
    async def inside() -> tuple[Any, Any]:
        return await docrev.alint(spec(tmp_path)), await docrev.adiff(spec(tmp_path), spec(tmp_path))

    assert docrev.aapply.__name__ == "aapply"
    assert asyncio.run(inside()) == (docrev.lint(spec(tmp_path)), docrev.diff(spec(tmp_path), spec(tmp_path)))


def test_one_url_and_a_list_of_them_are_the_same() -> None:
    one, several = (ExploreSettings.build({"base_urls": urls}) for urls in ("http://a", ["http://a"]))
    assert one == several
    assert one.base_urls == ("http://a",)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    spec(tmp_path / "specs")
    (tmp_path / "docrev.toml").write_text("[explore]\nmax-calls = 3\nmax-spec-size = 0.5\n")
    return tmp_path


def test_functions_read_no_file_unless_it_is_named(folder: Path) -> None:
    events: list[Event] = []
    with Server({"GET /*": reply({"items": [{"id": 1}]})}) as server:
        free = docrev.explore("specs", base_urls=server.url, on_event=events.append)
        bound = docrev.explore("specs", base_urls=server.url, out="two", config="docrev.toml", on_event=events.append)
        higher = docrev.explore("specs", base_urls=server.url, out="three", config="docrev.toml", max_calls=4)
    assert free.summary["requests"] > 4
    assert bound.summary["requests"] == 3
    assert higher.summary["requests"] == 4
    notices = [event.text for event in events if isinstance(event, Notice) and "settings" in event.text]
    assert notices == ["settings from docrev.toml: max-calls, max-spec-size"]


def test_exploring_leaves_the_garbage_collector_of_its_program_alone(folder: Path) -> None:
    seen: list[tuple[Any, ...]] = []
    before = (gc.get_threshold(), gc.isenabled())
    with Server({"GET /*": reply({"items": [{"id": 1}]})}) as server:
        docrev.explore(
            "specs",
            base_urls=server.url,
            on_event=lambda _: seen.append((gc.get_threshold(), gc.isenabled())),
        )
    assert seen
    assert set(seen) == {before}
    assert (gc.get_threshold(), gc.isenabled()) == before
