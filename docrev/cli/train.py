"""`docrev train`: models made of conversations, instructions and invented services."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from docrev.cli.options import as_json
from docrev.cli.told import tell

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
@click.option("--from-scratch", metavar="SIZE", help="nano (two cores, 20 minutes) or small (one GPU, ten minutes).")
@click.option("--base", type=click.Path(path_type=Path), metavar="PATH", help="A folder of weights to fine-tune.")
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where the model goes.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="From scratch: how long to train.")
@click.option("--steps", type=click.IntRange(1), metavar="N", help="From scratch: as many steps, whatever they take.")
@click.option(
    "--trial",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Then try it in N services; alone: what is in --out.",
)
@click.option("--lora", type=click.IntRange(1), metavar="RANK", help="Train adapters of this rank, not the weights.")
@click.option("--ratio", type=click.IntRange(1, 4), default=1, show_default=True, help="Stretch positions: 1, 2 or 4.")
@click.option("--last-only", is_flag=True, help="Learn the last of the assistant's turns alone.")
@click.option("--rate", type=float, help="The highest learning rate.  [default: 5e-5; from scratch the size's own]")
@click.option("--batch", type=click.IntRange(1), default=64, show_default=True, help="Conversations a step, in all.")
@click.option("--epochs", type=float, default=2.0, show_default=True)
@click.option("--limit", type=click.IntRange(64), default=8192, show_default=True, help="Tokens of a conversation.")
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Go on from a checkpoint; from scratch: from a model.",
)
@click.option("--seed", type=int, default=0, show_default=True)
@as_json
def toolllama(data: tuple[Path, ...], out: Path, **options: Any) -> None:
    """Train a language model that uses tools; then `--model local:DIR`, wherever a model is named.

    With --base, on conversations (DATA: files of ToolLLaMA's records); what is too long is cut at a turn. Start it by
    `accelerate launch -m docrev …` for several GPUs. With --from-scratch, on services that are invented for it, with
    answers of their worlds, and for more than half of the time mostly on DATA, where there is some. Needs the extra:
    pip install 'docrev[train]'
    """
    from docrev.train.toolllama.commands import train

    told, line = train(data, out, options, lambda text: click.echo(text, err=True))
    tell(told, line, as_json=options["as_json"])
