"""Options of commands: those that are made of a group of settings, and a few that several commands share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import click
from click.core import ParameterSource
from pydantic.fields import FieldInfo

from docrev.cli.printing import hint
from docrev.errors import UsageError
from docrev.settings.base import Flag, Settings
from docrev.settings.file import find_settings, read_settings, unread_settings

Command = TypeVar("Command", bound=Callable[..., Any])


class PathName(click.Path):
    """A path that is not empty: that would be the working directory."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return (
            self.fail("an empty text names no file", param, ctx) if value == "" else super().convert(value, param, ctx)
        )


class CommandGroup(click.Group):
    """Commands whose first sentences are listed in whole."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(1_000)) for name, one in found if one is not None])


specs = click.argument("specs", nargs=-1, required=True, metavar="SPECS...", type=PathName())
some_specs = click.argument("specs", nargs=-1, metavar="[SPECS...]", type=PathName())


def out_folder(what: str) -> Callable[[Command], Command]:
    """The option -o of a command that writes `what` to a folder, if it is asked to."""
    return click.option(
        "-o",
        "--out",
        type=PathName(path_type=Path, file_okay=False),
        metavar="OUT_DIR",
        help=f"Write the {what} to this folder; by default nothing is written.",
    )


def check_target(out: Path | None, *, in_place: bool) -> None:
    """Raises UsageError if a result is to go to a folder and over its source."""
    if in_place and out is not None:
        raise UsageError("both -o and --in-place were given", fix="give one of them")


def format_option(formats: Sequence[str], what: str) -> Callable[[Command], Command]:
    """The option --format of a command that prints `what` in one of these formats, by default as text."""
    kind = click.Choice(formats)
    return click.option(
        "--format", "format_", type=kind, default="text", show_default=True, help=f"Format of the {what}."
    )


on_cluster = click.option(
    "--cluster",
    metavar="CLUSTER",
    help="Divide the work between workers: local[:N] of this machine, or those of the Dask scheduler at "
    "tcp://HOST:PORT; by default all is done in this process.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON on standard output.")

_config = click.option(
    "--config",
    type=PathName(path_type=Path),
    metavar="FILE",
    help="Settings file; by default docrev.toml in the working directory or at the root of its repository.",
)


def settings_options(group: type[Settings], table: str = "", *, from_file: bool = True) -> Callable[[Command], Command]:
    """Give a command an option for each field of `group`; its function gets them as `settings`, an instance of it.

    What the user leaves out comes `from_file`: from the `table` of the settings file, if the command has one, and from
    [models].
    """

    def decorate(function: Command) -> Command:
        @functools.wraps(function)
        @click.pass_context
        def with_settings(context: click.Context, /, **values: Any) -> Any:
            given = {name: values.pop(name) for name in group.flags() if name in values}
            chosen = {name: given[name] for name in given if _is_chosen(context, name)}
            filed: dict[str, object] = {}
            if from_file:
                filed = _filed(values.pop("config"), group, table, chosen, values.get("specs", ()))
            return function(settings=group.build({**filed, **_in_units(group, chosen)}), **values)

        command: Any = _config(with_settings) if from_file else with_settings
        for name, flag in reversed(group.flags().items()):
            if flag.on_command_line:
                command = _option(name, flag, group.model_fields[name])(command)
        return command  # type: ignore[no-any-return]

    return decorate


def _is_chosen(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is not ParameterSource.DEFAULT


def _in_units(group: type[Settings], chosen: Mapping[str, object]) -> dict[str, Any]:
    flags = group.flags()
    return {name: flags[name].in_base_units(value) for name, value in chosen.items()}


def _filed(
    named: Path | None, group: type[Settings], table: str, chosen: Mapping[str, object], specs: tuple[str, ...]
) -> dict[str, object]:
    """What the settings file says and the user did not; the user is told which file that is, and which are not read."""
    file = named or find_settings()
    filed = read_settings(file, group, table) if file is not None else {}
    if taken := [flag.name for name, flag in group.flags().items() if name in filed and name not in chosen]:
        hint(f"settings from {file}: {', '.join(sorted(taken))}")
    for line in unread_settings(specs, file):
        hint(line)
    return filed


def _option(name: str, flag: Flag, field: FieldInfo) -> Callable[[Command], Command]:
    """The click option of a field."""
    words = [*([f"-{flag.short}"] if flag.short else []), f"--{flag.name}", name]
    kind = _kind(field.annotation)
    if kind is bool:
        return click.option(*words, is_flag=True, help=field.description)
    several = get_origin(kind) is tuple
    default: Any = None if field.is_required() or several else field.default
    return click.option(
        *words,
        type=_click_type(_kind(get_args(kind)[0]) if several else kind, flag, _bounds(field)),
        required=field.is_required(),
        multiple=several,
        default=default / flag.unit if flag.unit > 1 else default,
        show_default=default not in (None, ""),
        metavar=flag.metavar or {int: "N", float: "X"}.get(kind),
        help=field.description,
    )


def _kind(annotation: Any) -> Any:
    """The type that a field has when it is not None."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        return _kind(next(kind for kind in get_args(annotation) if kind is not NoneType))
    return annotation


def _bounds(field: FieldInfo) -> dict[str, Any]:
    """The bounds of a number, as click names them."""
    bounds: dict[str, Any] = {}
    for constraint in field.metadata:
        for name, bound in (("ge", "min"), ("gt", "min"), ("le", "max"), ("lt", "max")):
            if (value := getattr(constraint, name, None)) is not None:
                bounds |= {bound: value, **({f"{bound}_open": True} if name in ("gt", "lt") else {})}
    return bounds


def _click_type(kind: Any, flag: Flag, bounds: Mapping[str, Any]) -> click.ParamType[Any]:
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if flag.unit > 1:
        scaled = {name: bound / flag.unit if not isinstance(bound, bool) else bound for name, bound in bounds.items()}
        return click.FloatRange(**scaled)
    if kind is int:
        return click.IntRange(**bounds) if bounds else click.INT
    if kind is float:
        return click.FloatRange(**bounds) if bounds else click.FLOAT
    return PathName(path_type=Path) if kind is Path else click.STRING
