"""The command line: one file a command, each only glue. What fails ends in one line and an exit code."""

from __future__ import annotations

import errno
import gc
import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

from docrev.cli import interrupts
from docrev.cli.garbage import few_collections
from docrev.cli.printing import echo, for_terminal, with_verbosity
from docrev.errors import DocrevError

COMMANDS = {
    "apply": "Put an OpenAPI overlay on a spec, or on its next version.",
    "bench": "Measure what agents do with documentation, and what docrev finds out.",
    "check": "Ask an API whether its documentation is still true.",
    "collect": "Test every operation, and find out which parts of long responses matter.",
    "completion": "Let a shell complete commands and options.",
    "demo": "Explore two bundled services and revise their specs.",
    "diff": "Show what differs between two specs, folders or git revisions.",
    "evidence": "List the calls that an exploration made.",
    "export": "Write specs as function schemas, ToolBench tools or an MCP list.",
    "explore": "Use an API and keep evidence of what it really does.",
    "facts": "List the facts that an exploration showed twice.",
    "generate": "Generate instructions for operations, and solutions of them.",
    "import": "Write tools documented in other formats as OpenAPI.",
    "init": "Write docrev.toml for an API, after one call that shows whether it answers.",
    "lint": "Report what is wrong or undocumented in specs; repair what is mechanical.",
    "mcp": "Serve the operations of specs to agents, by MCP.",
    "observe": "Learn from traffic: HAR, JSON lines, Postman examples.",
    "report": "Write what an exploration came to as one HTML page.",
    "retrieve": "Find the operations that a text asks for.",
    "revise": "Write what was learned into your specs, as small changes.",
    "simulate": "Serve any spec as one consistent service on this machine.",
    "train": "Train a model that uses tools, or one that finds operations.",
}

_MODULES = {"import": "import_"}


class _Commands(click.Group):
    """Loads a command's module when the command is run: `docrev --help` stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = import_module(f"docrev.cli.{_MODULES.get(name, name)}").command
        assert isinstance(command, click.Command)
        return with_verbosity(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        # Before click sees it: it would exit with 1, which stands for findings.
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _silence(sys.stdout.fileno())
            return 0
        except BaseException as error:
            if not interrupts.is_interrupt(error):
                raise
            # A terminal has just shown ^C.
            if sys.stderr.isatty():
                echo(err=True)
            raise click.exceptions.Abort from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="docrev")
def cli() -> None:
    """Make API documentation good enough for LLM agents, by using the API before they do.

    `docrev explore` calls a live API and keeps evidence; `docrev revise` writes what was shown into your spec files;
    `docrev diff` shows the difference, fit for a pull request.

    Exit codes: 0 done, 1 findings, 2 wrong use or unreadable input, 3 the API or the model could not be reached,
    4 docrev's own trouble, 130 interrupted (all evidence is kept).

    Every command takes -q (results and errors alone) and -v (each call as it is made).
    """


with_verbosity(cli)


def main(argv: list[str] | None = None) -> None:
    """Run a command and exit: one line and the right code for whatever goes wrong."""
    # `__main__` had handlers of its own while this was being imported.
    interrupts.watch()
    warnings.showwarning = _warn
    with few_collections():
        code = run(argv)
        # What is left is the interpreter's own end: an interrupt would only print a traceback.
        interrupts.ignore()
        # Looking for circles in all that was read, and freeing it piece by piece, takes as long as reading half of it.
        # Frozen while collections are few: the next object would begin one.
        gc.freeze()
    if code == interrupts.EXIT_CODE:
        with suppress(OSError):
            sys.stdout.flush()
        interrupts.end()
    sys.exit(code)


def run(argv: list[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    _open_streams()
    try:
        with few_collections(), for_terminal():
            code = cli.main(args=argv, prog_name="docrev", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except (click.exceptions.Abort, KeyboardInterrupt):
        return _fail(interrupts.LINE, interrupts.EXIT_CODE)
    except NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.ClickException as error:
        return _fail(_wrong_use(error), 2)
    except DocrevError as error:
        return _fail(str(error), error.exit_code)
    except Exception as error:
        if os.environ.get("DOCREV_DEBUG"):
            raise
        package = _missing_package(error)
        if package:
            return _fail(f"this installation has no {package}; install docrev with all of its packages", 2)
        # A name that no file can have comes from the command line.
        return _fail(_unforeseen(error), 2 if getattr(error, "errno", None) == errno.ENAMETOOLONG else 4)


def _open_streams() -> None:
    """Without standard output or error, what is printed goes nowhere; and no file of ours takes their place."""
    for name, number in (("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            _silence(number)
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", errors="replace", closefd=False))


def _silence(number: int) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    if null != number:
        os.dup2(null, number)
        os.close(null)


def _wrong_use(error: click.ClickException) -> str:
    """What click says in four lines, in one."""
    message = error.format_message().strip().rstrip(".?")
    context = getattr(error, "ctx", None)
    program = context.command_path if context else "docrev"
    return f"{message[:1].lower()}{message[1:]}; see {program} --help"


def _missing_package(error: Exception) -> str:
    """The package of docrev's own that an installation leaves out, as `docrev.train`; "" if that is not the trouble."""
    package = ".".join((error.name or "").split(".")[:2]) if isinstance(error, ModuleNotFoundError) else ""
    return package if package.startswith("docrev.") else ""


def _unforeseen(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno is not None:
        where = f"{error.filename}: " if error.filename else "the output cannot be written: "
        reason = (error.strerror or str(error)).lower()
        if error.errno == errno.ENAMETOOLONG:
            return f"{where}{reason}; give a shorter one"
        return f"{where}{reason}; make room or check the rights, and run it again"
    if isinstance(error, MemoryError):
        return "out of memory; give fewer or smaller specs"
    text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return f"a bug in docrev: {text}; set DOCREV_DEBUG=1 to see where"


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """What a file of ours, or a library, warns of, in one line."""
    _fail(str(message), 0)


def _fail(line: str, code: int) -> int:
    with suppress(OSError):
        echo(f"docrev: {' '.join(line.split())}", err=True)
    return code
