"""`docrev completion`: what a shell needs to complete commands and options."""

from __future__ import annotations

import click

from docrev.cli.printing import echo


@click.command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def command(shell: str) -> None:
    """Print a script that lets SHELL complete docrev's commands and options.

    \b
      eval "$(docrev completion bash)"          in ~/.bashrc
      eval "$(docrev completion zsh)"           in ~/.zshrc
      docrev completion fish > ~/.config/fish/completions/docrev.fish
    """
    from click.shell_completion import get_completion_class

    from docrev.cli import cli

    kind = get_completion_class(shell)
    assert kind is not None
    # Not source(): that asks for the version of bash, and a script may be made elsewhere.
    completion = kind(cli, {}, "docrev", "_DOCREV_COMPLETE")
    echo(completion.source_template % completion.source_vars())
