"""-q leaves results and errors, -v adds each call: for every command, in one way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from clikit import Done, here, spec
from servers import Server, reply

from docrev.cli import cli

ITEMS = {"GET /items": reply([{"id": 7}]), "GET /items/7": reply({"id": 7, "name": "x"})}


def commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, f"{path} {name}")


def test_every_command_has_both() -> None:
    found = dict(commands(cli, "docrev"))
    assert {"docrev bench SUITE", "docrev train retriever", "docrev lint"} <= found.keys()
    for path, command in found.items():
        options = {option for param in command.params for option in param.opts}
        assert {"-q", "--quiet", "-v", "--verbose"} <= options, path


@pytest.fixture
def explored(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    with Server(ITEMS) as server:
        yield server.url, spec(tmp_path)


def explore(explored: tuple[str, Path], *words: str) -> Done:
    url, file = explored
    return here("explore", file, "--base-url", url, "--out", file.parent / "kept", "--fresh", *words)


def test_quiet_leaves_the_result_and_verbose_adds_each_call(explored: tuple[str, Path]) -> None:
    usual, quiet, verbose = explore(explored), explore(explored, "-q"), explore(explored, "-v")
    assert [done.code for done in (usual, quiet, verbose)] == [0, 0, 0]
    assert "survey:" in usual.err
    assert "GET /items " not in usual.err
    assert quiet.err == ""
    assert "operations answered   2 of 2" in quiet.out
    calls = [line for line in verbose.err.splitlines() if line.startswith("  GET /items ")]
    assert f"  GET /items {explored[0]}/items 200" in calls
    assert set(usual.err.splitlines()) <= set(verbose.err.splitlines())


def test_they_count_before_the_command_too_and_for_this_command_alone(explored: tuple[str, Path]) -> None:
    file = explored[1]
    assert here("-q", "revise", file, "--evidence", file.parent / "none").err.count("\n") == 1, "errors are shown"
    assert "settings from" in here(*_with_settings(file)).err
    assert here("-q", *_with_settings(file)).err == ""
    assert "settings from" in here(*_with_settings(file)).err


def _with_settings(file: Path) -> tuple[str | Path, ...]:
    settings = file.parent / "docrev.toml"
    settings.write_text("[lint]\nmax-spec-size = 5\n")
    return "lint", file, "--config", settings


def test_verbose_names_the_steps_of_a_revision(explored: tuple[str, Path]) -> None:
    explore(explored)
    file = explored[1]
    usual = here("revise", file, "--evidence", file.parent / "kept")
    verbose = here("revise", file, "--evidence", file.parent / "kept", "-v")
    added = [line for line in verbose.err.splitlines() if line not in usual.err.splitlines()]
    steps = ["reading the specs", "reading the evidence", "writing texts", "validating the changes"]
    steps += ["comparing the specs"]
    assert [line.strip() for line in added] == steps
    assert verbose.out == usual.out
