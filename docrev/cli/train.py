"""`docrev train`: models made of conversations, instructions and invented services."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from docrev.cli.options import CommandGroup, PathName, as_json, settings_options
from docrev.cli.printing import hint, with_verbosity
from docrev.cli.results import print_result
from docrev.train.settings import ToolUserTraining

_MODULES = ("retriever", "toolplanner")
"""Trainings with a module of their own."""


class _Trainings(CommandGroup):
    """`docrev train NAME`; what has a module of its own is loaded when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *_MODULES])

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _MODULES:
            return super().get_command(ctx, name)
        command = import_module(f"docrev.cli.train_{name}").command
        assert isinstance(command, click.Command)
        return with_verbosity(command)


@click.group("train", cls=_Trainings)
def command() -> None:
    """Train a model that uses documentation: a tool user, a planner, or a retriever."""


@command.command("toolllama")
@click.argument("data", nargs=-1, type=PathName(path_type=Path), metavar="[DATA]...")
@settings_options(ToolUserTraining, from_file=False)
@as_json
def toolllama(data: tuple[Path, ...], settings: ToolUserTraining, *, as_json: bool) -> None:
    """Train a language model that uses tools. `--model local:DIR` then uses it in any command.

    With --base, trains on conversations (DATA: files of ToolLLaMA's records); those that are too long are cut after a
    turn. For several GPUs, start it by `accelerate launch -m docrev …`. With --from-scratch, trains on invented
    services and the responses of simulated ones; if DATA is given, mostly on DATA for more than half of the time.
    Needs the extra: pip install 'docrev[train]'
    """
    from docrev.train.toolllama.train_command import train

    result, line = train(data, settings, hint)
    print_result(result, line, as_json=as_json)
