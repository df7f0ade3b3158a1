"""`docrev generate`: instructions for operations, their granularities, and solutions of them."""

from __future__ import annotations

import json
from pathlib import Path

import click

from docrev.cli.options import CommandGroup, PathName, as_json, on_cluster, settings_options, some_specs, specs
from docrev.cli.printing import echo
from docrev.cli.progress import Progress
from docrev.train.settings import AnnotationSettings, GranularitySettings, InstructionSettings, SplitSettings

instruction_files = click.argument(
    "files", nargs=-1, required=True, type=PathName(path_type=Path), metavar="INSTRUCTIONS..."
)


@click.group("generate", cls=CommandGroup)
def command() -> None:
    """Make data for retrievers and tool users of any SPECS: instructions, granularities, annotated solutions."""


@command.command("instructions")
@specs
@settings_options(InstructionSettings)
@as_json
def instructions(specs: tuple[str, ...], settings: InstructionSettings, *, as_json: bool) -> None:
    """Write N instructions that operations of SPECS can carry out, in ToolBench's format.

    I1 instructions are about one tool, I2 about two to five tools of a category, I3 about tools of a collection, as the
    documents state them (x-category, x-collections, tags), or else by which responses feed which parameters. With
    --evidence, they use values that worked, leave out what a collection dropped, and are mostly tasks that the evidence
    shows to be solvable. With --simulate, they are solvable in the simulated services that docrev generate annotations
    --simulate serves with the same --seed. They are written by rule, or by --model. With --json, prints one object:
    file, instructions, operations, tools, dropped (by reason).
    """
    from docrev.train.data import generate_commands

    with Progress() as progress:
        result = generate_commands.instructions(specs, settings, progress)
    counts = [(result[noun], noun) for noun in ("instructions", "operations", "tools")]
    made, operations, tools = (f"{count} {noun[:-1] if count == 1 else noun}" for count, noun in counts)
    echo(json.dumps(result) if as_json else f"{made} about {operations} of {tools}: {result['file']}")


@command.command("granularities")
@click.argument("file", type=PathName(path_type=Path), metavar="INSTRUCTIONS")
@specs
@settings_options(GranularitySettings)
@as_json
def granularities(file: Path, specs: tuple[str, ...], settings: GranularitySettings, *, as_json: bool) -> None:
    """Write INSTRUCTIONS at five granularities: statement, category, tool, operation, hybrid.

    One JSON line each, as MGToolBench has them, with the tag lists of category, tool and operation. SPECS are what the
    instructions are about. Written by rule, or by --model. With --json one object: file, instructions, rows.
    """
    from docrev.train.data import generate_commands

    with Progress() as progress:
        result = generate_commands.granularities(file, specs, settings, progress)
    line = f"{result['instructions']} instructions at five granularities: {result['file']}"
    echo(json.dumps(result) if as_json else line)


@command.command("split")
@instruction_files
@settings_options(SplitSettings)
@as_json
def split(files: tuple[Path, ...], settings: SplitSettings, *, as_json: bool) -> None:
    """Split INSTRUCTIONS into a training set and test sets of three levels, as ToolLLM does.

    Writes DIR/train/G1.json … and DIR/test/G1_instruction.json, G1_tool, G1_category, G2_instruction, G2_category and
    G3_instruction: new instructions for known tools, new tools of known categories, new categories. What is new in a
    test set is in no other set. With --json one object: sets, dropped, categories, tools.
    """
    from docrev.train.data import generate_commands

    result = generate_commands.split(files, settings)
    rows = [f"{name:24}{count:>7}" for name, count in result["sets"].items()]
    echo(json.dumps(result) if as_json else "\n".join([*rows, f"{'in no set':24}{result['dropped']:>7}"]))


@command.command("stats")
@instruction_files
@as_json
def stats(files: tuple[Path, ...], *, as_json: bool) -> None:
    """Count what INSTRUCTIONS are like: words, relevant APIs, tools and categories, by group (ToolLLM v1, table 6).

    With --json a list of objects: group, instructions, words, apis, tools, categories.
    """
    from docrev.train.data import splitting

    groups = splitting.statistics(splitting.read_rows(files))
    echo(json.dumps([one.to_json() for one in groups]) if as_json else splitting.to_text(groups))


@command.command("annotations")
@click.argument("file", type=PathName(path_type=Path), metavar="INSTRUCTIONS")
@some_specs
@settings_options(AnnotationSettings)
@on_cluster
@as_json
def solutions(
    file: Path, specs: tuple[str, ...], settings: AnnotationSettings, *, cluster: str | None, as_json: bool
) -> None:
    """Solve INSTRUCTIONS with the operations of SPECS, and keep what is judged to be good.

    Writes ToolBench's answer files into DIR/answers, failing branches included, and those of what was not good into
    DIR/rejected; conversations.json for ToolLLaMA; annotations.json, which --json prints: runner, model, judge,
    instructions, kept, finishes, warnings, rows. If the rules judge, the relevant operations must have been called, and
    the answer must contain what the instruction asks for, as far as rules can tell ("lacks" in rows). Without SPECS the
    tools are those of the instructions' own lists, and simulated. Instructions that were tried before are not tried
    again.
    """
    from docrev.train.data import generate_commands, summaries

    with Progress() as progress:
        result = generate_commands.solutions([file], specs, settings, progress, cluster)
    echo(json.dumps(result) if as_json else summaries.annotated(result, settings.out))
