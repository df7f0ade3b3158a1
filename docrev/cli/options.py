"""Options that several commands share, and the settings file behind them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from docrev.config import (
    MAX_SPEC_SIZE,
    PRICES,
    ModelOptions,
    find_settings,
    read_settings,
    unread_settings,
)

Command = TypeVar("Command", bound=Callable[..., Any])

specs = click.argument("specs", nargs=-1, required=True, metavar="SPECS...")

as_json = click.option("--json", "as_json", is_flag=True, help="Print for programs.")


class _Megabytes(click.FloatRange):
    """A size that is given in MB and taken in bytes."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True, max=10**9)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return round(super().convert(value, param, ctx) * 2**20)


max_spec_size = click.option(
    "--max-spec-size",
    type=_Megabytes(),
    default=MAX_SPEC_SIZE / 2**20,
    show_default=True,
    metavar="MB",
    help="Read spec files up to this size.",
)


_MODEL_OPTIONS = (
    click.option("--model", default="offline", show_default=True, help="Who plans, judges and writes."),
    click.option("--model-url", metavar="URL", help="Server of an openai: model, OpenAI's own by default."),
    click.option("--model-for", multiple=True, metavar="ROLE=MODEL", help="As judge=openai:NAME: another for a role."),
    click.option("--templates", metavar="DIR", help="Take prompts from here before docrev's own."),
    click.option("--temperature", default=0.0, show_default=True, type=click.FloatRange(0, 2), metavar="T"),
    click.option("--record", metavar="FILE", help="Keep the model's answers in FILE, for recorded:FILE."),
    click.option("--no-model-cache", is_flag=True, help="Ask again what was asked before."),
    click.option("--max-model-calls", type=click.IntRange(min=0), metavar="N", help="Answers of models, at most."),
    click.option("--max-tokens", type=click.IntRange(min=0), metavar="N", help="Tokens in and out of models, at most."),
    click.option("--max-cost", type=click.FloatRange(min=0), metavar="X", help="Money for models, at most."),
    click.option("--model-concurrency", default=8, show_default=True, type=click.IntRange(1, 256), metavar="N"),
    click.option("--answer-tokens", default=2048, show_default=True, type=click.IntRange(16), metavar="N"),
    click.option("--model-timeout", default=120.0, show_default=True, type=click.FloatRange(min=0.1), metavar="S"),
)


def models(command: Command) -> Command:
    """The options of `config.ModelOptions`, for commands that ask models."""
    for option in reversed(_MODEL_OPTIONS):
        command = option(command)
    return command


def model_options(values: dict[str, Any]) -> dict[str, Any]:
    """Those of `values` that are of `config.ModelOptions`."""
    return {field.name: values[field.name] for field in fields(ModelOptions) if field.name in values}


config = click.option(
    "--config",
    metavar="FILE",
    help="Read settings from FILE.  [default: docrev.toml, here or at the repository's root]",
)


def with_shared(ctx: click.Context, given: tuple[str, ...]) -> dict[str, Any]:
    """The options of the command, with those of the settings file where no flag was given."""
    values = dict(ctx.params)
    chosen = values.pop("config", None)
    file = Path(chosen) if chosen is not None else find_settings()
    settings = read_settings(file, ctx.info_name or "") if file is not None else {}
    options = {option.opts[-1].lstrip("-"): option for option in ctx.command.params if isinstance(option, click.Option)}
    taken = []
    for key, value in settings.items():
        option = options.get(key)
        if key == PRICES:
            values[PRICES] = value
        elif option is None or not option.name:
            continue
        elif ctx.get_parameter_source(option.name) is ParameterSource.DEFAULT:
            values[option.name] = option.type_cast_value(ctx, value)
        else:
            continue
        taken.append(key)
    if taken:
        click.echo(f"settings from {file}: {', '.join(sorted(taken))}", err=True)
    for line in unread_settings(given, file):
        click.echo(line, err=True)
    return values
