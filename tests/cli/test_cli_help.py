"""The help of every command: each option says in a sentence what it does, with its default."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from clikit import docrev

from docrev.cli import cli
from docrev.cli.garbage import few_collections
from docrev.spec.change_classes import CLASSES


def commands(group: click.Group, path: str = "docrev") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


COMMANDS = dict(commands(cli))


def test_all_commands_are_looked_at() -> None:
    assert {"docrev explore", "docrev bench recovery", "docrev train retriever"} <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_says_what_it_does_in_a_sentence_with_its_default(name: str) -> None:
    options = [option for option in COMMANDS[name].params if isinstance(option, click.Option)]
    assert options
    for option in options:
        help = option.help or ""
        assert help[:1].isupper(), option.opts
        assert help.endswith("."), option.opts
        states = option.show_default or option.is_flag or option.required or option.multiple or "default" in help
        assert states, option.opts


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_describes_itself(name: str) -> None:
    assert (COMMANDS[name].help or "").strip()


GROUPS = [name for name, command in COMMANDS.items() if isinstance(command, click.Group)]


@pytest.mark.parametrize("name", GROUPS)
def test_a_group_lists_the_whole_first_sentence_of_each_command(name: str) -> None:
    shown = docrev(*name.split()[1:], "--help").out.partition("Commands:")[2]
    assert shown.strip()
    assert "..." not in shown


def test_fewer_collections_end_with_the_block_however_it_ends() -> None:
    before = gc.get_threshold()

    def failing() -> None:
        with few_collections():
            assert gc.get_threshold() != before
            raise KeyError

    with pytest.raises(KeyError):
        failing()
    assert gc.get_threshold() == before


def test_what_a_command_read_is_not_looked_through_again_at_its_end() -> None:
    code = """
import atexit, gc
atexit.register(lambda: print("left alone:", gc.get_freeze_count() > 0, "collections:", len(begun)))
from docrev.cli import main
begun = []
gc.callbacks.append(lambda phase, _: begun.append(phase) if phase == "start" else None)
main(["lint", "--help"])
"""
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.endswith("left alone: True collections: 0\n")


@pytest.mark.parametrize("name", ["docrev revise", "docrev diff"])
def test_the_classes_of_changes_are_all_named_in_their_order(name: str) -> None:
    _, _, told = (COMMANDS[name].help or "").partition("the most valuable first: ")
    named = re.findall(r"\w+", re.sub(r"\([^)]*\)", "", told.partition(".")[0]))
    assert tuple(named) == CLASSES
