"""The one way in which commands print: escaped, and as much as -q and -v ask for."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

import click

from docrev.errors import UsageError
from docrev.language.characters import escaped
from docrev.language.tables import room

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Answer = TypeVar("Answer")

_quiet: ContextVar[bool] = ContextVar("quiet", default=False)
_verbose: ContextVar[bool] = ContextVar("verbose", default=False)
_above: list[Console] = []
"""The console whose moving line is on the terminal, while there is one: what is printed comes above it."""


def echo(text: str = "", *, err: bool = False, nl: bool = True, style: Callable[[str], str] = str) -> None:
    """Print a text on standard output or error, escaped; `style` adds colours of our own to what is safe."""
    if err and _above:
        _above[-1].print(plain(text), soft_wrap=True)
    else:
        click.echo(style(escaped(text)), err=err, nl=nl)


def hint(text: str) -> None:
    """Print on standard error what is neither result nor error, unless the user wants to read neither."""
    if not _quiet.get():
        echo(text, err=True)


def ask(what: str, default: str, read: Callable[[str], Answer]) -> Answer:
    """What `read` makes of a person's answer. A UsageError of `read` is shown, and the question asked again."""

    def checked(text: str) -> Answer:
        try:
            return read(text)
        except UsageError as error:
            raise click.UsageError(escaped(str(error))) from error

    answer: Answer = click.prompt(escaped(what), default=escaped(default), err=True, value_proc=checked)
    return answer


def plain(text: str) -> Text:
    """A text for rich, escaped, in which rich looks for no markup."""
    from rich.text import Text

    return Text(escaped(text))


def is_verbose() -> bool:
    """Whether -v was given."""
    return _verbose.get()


def is_quiet() -> bool:
    """Whether -q was given."""
    return _quiet.get()


@contextmanager
def printed_above(console: Console) -> Iterator[None]:
    """In the block, what is printed on standard error comes above the moving line of `console`."""
    _above.append(console)
    try:
        yield
    finally:
        _above.remove(console)


@contextmanager
def for_terminal() -> Iterator[None]:
    """In the block, -q, -v and the width of the terminal count; afterwards what was before counts again."""
    before = _quiet.get(), _verbose.get(), room.get()
    room.set(shutil.get_terminal_size().columns if sys.stdout.isatty() else None)
    try:
        yield
    finally:
        _quiet.set(before[0])
        _verbose.set(before[1])
        room.set(before[2])


def with_verbosity(command: click.Command) -> click.Command:
    """The command, and all below it, with the options -q and -v."""
    if not any(option.name == "quiet" for option in command.params):
        command.params += [_option("-q", _quiet, _QUIET), _option("-v", _verbose, _VERBOSE)]
    for inner in getattr(command, "commands", {}).values():
        with_verbosity(inner)
    return command


_QUIET = "Print results and errors alone: no progress, no hints, no warnings."
_VERBOSE = "Print each call, question to a model and step on standard error as it is made."


def _option(short: str, switch: ContextVar[bool], text: str) -> click.Option:
    def turn_on(context: click.Context, option: click.Parameter, value: bool) -> None:
        if value:
            switch.set(True)

    kwargs: dict[str, Any] = {"is_flag": True, "expose_value": False, "is_eager": True}
    return click.Option([short, f"--{switch.name}"], callback=turn_on, help=text, **kwargs)
