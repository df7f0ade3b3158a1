"""`docrev train`: models made of conversations, instructions and invented services."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click

from docrev.cli.options import as_json, settings_options
from docrev.cli.results import print_result
from docrev.train.settings import ToolUserTraining

_ELSEWHERE = ("retriever", "toolplanner")


class _Trainings(click.Group):
    """`docrev train NAME`; what has a module of its own is loaded when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        found = [name for name in _ELSEWHERE if find_spec(f"docrev.cli.train_{name}")]
        return sorted([*super().list_commands(ctx), *found])

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _ELSEWHERE or not find_spec(f"docrev.cli.train_{name}"):
            return super().get_command(ctx, name)
        command = import_module(f"docrev.cli.train_{name}").command
        assert isinstance(command, click.Command)
        return command


@click.group("train", cls=_Trainings)
def command() -> None:
    """Train what uses documentation: a tool user, or what finds operations for it."""


@command.command("toolllama")
@click.argument("data", nargs=-1, type=click.Path(path_type=Path), metavar="[DATA]...")
@settings_options(ToolUserTraining, from_file=False)
@as_json
def toolllama(data: tuple[Path, ...], settings: ToolUserTraining, *, as_json: bool) -> None:
    """Train a language model that uses tools; then `--model local:DIR`, wherever a model is named.

    With --base, on conversations (DATA: files of ToolLLaMA's records); what is too long is cut at a turn. Start it by
    `accelerate launch -m docrev …` for several GPUs. With --from-scratch, on services that are invented for it, with
    answers of their worlds, and for more than half of the time mostly on DATA, if there is some. Needs the extra:
    pip install 'docrev[train]'
    """
    from docrev.train.toolllama.train_command import train

    result, line = train(data, settings, lambda text: click.echo(text, err=True))
    print_result(result, line, as_json=as_json)
