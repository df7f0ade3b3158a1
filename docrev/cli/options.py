"""Options that several commands share, and the settings file behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from docrev.config import MAX_SPEC_SIZE, shared

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


def with_shared(ctx: click.Context, given: tuple[str, ...]) -> dict[str, Any]:
    """The options of the command, with those of `docrev.toml` beside the specs where no flag was given."""
    values = dict(ctx.params)
    options = {option.opts[0].lstrip("-"): option for option in ctx.command.params if isinstance(option, click.Option)}
    for key, value in shared(given, ctx.info_name or "").items():
        option = options.get(key)
        if option is not None and option.name and ctx.get_parameter_source(option.name) is ParameterSource.DEFAULT:
            values[option.name] = option.type_cast_value(ctx, value)
    return values
