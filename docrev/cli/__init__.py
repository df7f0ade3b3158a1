"""The command line: one file a command, each only glue. What fails ends in one line and an exit code."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from docrev.errors import DocrevError

COMMANDS = {
    "demo": "Explore two bundled services and revise their specs.",
    "diff": "Show what differs between two specs, folders or git revisions.",
    "evidence": "List the calls that an exploration made.",
    "explore": "Use an API and keep evidence of what it really does.",
    "facts": "List what exploration showed and replayed.",
    "lint": "Report what is wrong or undocumented in specs; repair what is mechanical.",
    "revise": "Write what was learned into the specs, as small changes.",
}


class _Commands(click.Group):
    """Loads a command's module when the command is run: `docrev --help` stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = import_module(f"docrev.cli.{name}").command
        assert isinstance(command, click.Command)
        return command

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
    """


def main(argv: list[str] | None = None) -> None:
    """Run a command and exit: one line and the right code for whatever goes wrong."""
    sys.exit(run(argv))


def run(argv: list[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    try:
        code = cli.main(args=argv, prog_name="docrev", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.Abort:
        return _fail("interrupted; all evidence is kept", 130)
    except click.ClickException as error:
        error.show()
        return 2
    except DocrevError as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted; all evidence is kept", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get("DOCREV_DEBUG"):
            raise
        text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return _fail(f"a bug in docrev: {text}; set DOCREV_DEBUG=1 to see where", 4)


def _fail(line: str, code: int) -> int:
    click.echo(f"docrev: {line}", err=True)
    return code
