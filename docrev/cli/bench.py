"""`docrev bench`: what agents do with documentation; `docrev bench recovery` scores what is found again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import click

from docrev.cli.bench_tooleval import command as tooleval
from docrev.cli.options import CommandGroup, PathName, as_json, on_cluster, settings_options
from docrev.cli.printing import echo
from docrev.cli.progress import Progress
from docrev.errors import UsageError
from docrev.eval.settings import BenchSettings, RecoverySettings
from docrev.records import Json


class _Suites(CommandGroup):
    """`recovery`, and every suite by its name or by the file of the user's own tasks; all take the same options."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return super().get_command(ctx, name) or agents


@click.group("bench", cls=_Suites, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Measure what agents do with the old and the new documentation, and what docrev finds out.

    Without a name, lists the suites; `docrev bench bundled --help` lists the options of a suite.
    """
    if ctx.invoked_subcommand is None:
        from docrev.eval.agents.bench_command import listed

        echo(listed())


@command.command("SUITE")
@settings_options(BenchSettings)
@on_cluster
@as_json
@click.pass_context
def agents(context: click.Context, /, settings: BenchSettings, *, cluster: str | None, as_json: bool) -> None:
    """Let agents do the tasks of a suite with several sets of documents, and compare what they achieve.

    Settings of documents: original, revised (explored and revised here), no-experience, experience-only, single-tool,
    toolbfs, easytool, draft, or NAME=SPECS for documents of your own; without --docs, original and revised. Agents:
    react, react@N (as many chains as DFSDT's questions for the same task allow), reflect, chameleon, restgpt, dfsdt,
    toolplanner. Tasks that were done before are not done again.

    With --base-url (and -H, --allow) the tasks of any suite are done on an API that runs already; what they create
    there is removed.

    Writes report.html and report.json into --out. With --json one object on stdout: suite, tasks, lines (docs, runner,
    measures with their 95 % intervals, errors, finishes), differences and outcomes, one a task.

    Nothing is called for apibench: it scores every `response_*.jsonl` in --data. With --model its questions are asked
    first, of TorchHub, HuggingFace and TensorHub as far as --data has them: with the right API in the prompt, or with
    --retrieve K with those that BM25 finds; without a model the first of these is the answer.
    """
    from docrev.eval.agents import bench_command

    suite = context.info_name or ""
    if suite == "apibench" and cluster is None:
        with Progress() as progress:
            result = bench_command.apibench(settings, progress, as_json=as_json)
        echo(result)
        return
    with Progress() as progress:
        parts = () if cluster is None else _done_on(cluster, suite, settings, progress)
        report = bench_command.bench(suite, settings, progress, parts)
    echo(json.dumps(report.to_json()) if as_json else bench_command.screen(report, settings.out))


def _done_on(cluster: str, suite: str, settings: BenchSettings, progress: Progress) -> Iterable[Path]:
    """The folders of what workers did of a suite's tasks."""
    from docrev.cluster.parts import count_parts, shared_out
    from docrev.cluster.pool import Cluster
    from docrev.cluster.units import check_headers

    if suite == "apibench":
        raise UsageError("apibench is for one process", where="--cluster", fix="leave it out")
    check_headers(settings.headers)
    request: dict[str, Json] = {"suite": suite, "settings": settings.model_dump(mode="json")}
    parts = count_parts(settings.base_urls)
    work = "docrev.eval.agents.bench:do_part"
    return shared_out(Cluster.parse(cluster), work, request, settings.out, progress, parts=parts)


@command.command("recovery")
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", type=PathName(path_type=Path))
@settings_options(RecoverySettings, from_file=False)
@as_json
def recovery(specs: tuple[Path, ...], settings: RecoverySettings, *, as_json: bool) -> None:
    """Hide documentation of good SPECs, explore and revise what is left, and score every hidden fact.

    The specs' keywords are taken as the truth, with the extensions that eval/truth.py lists (x-filters, x-sorts, …).
    Kinds to hide: descriptions, parameters, required, types, enums, defaults, bounds, examples, responses, or all,
    which is all of them but parameters: the names of query parameters stay, as no call can show a name that nobody
    knows; `all,parameters` hides those too.

    A statement is recovered if place and value are right, wrong if the truth contradicts it, silent if the truth says
    nothing of it. With --json one object: operations, requests, calls_per_operation, facts and revised (total,
    mean_recall, kinds, wrong, missed), left_out, and the points of the curve.
    """
    from docrev.eval import recovery_command

    with Progress() as progress:
        report = recovery_command.recover(specs, settings, progress)
    if settings.out is not None:
        recovery_command.write(report, settings.out)
    echo(json.dumps(report.to_json()) if as_json else report.to_text())


@command.command("agreement")
@click.argument("report", type=PathName(path_type=Path), metavar="DIR")
@click.option("--labels", type=PathName(path_type=Path), metavar="CSV", help="People's labels; by default the truth.")
@as_json
def agreement(report: Path, labels: Path | None, *, as_json: bool) -> None:
    """Measure how far the judge of a benchmark agrees with the truth of its tasks, or with people's labels.

    DIR is the --out of docrev bench. Labels have the columns task, passed (yes, no), preferred (win, tie, lose) or
    judged (yes, no), and docs and runner if they are not about all of these. With --json one object: judge, columns.
    """
    from docrev.eval.tooleval import agreement as comparing

    judge, compared = comparing.agreements(report, labels)
    data = {"judge": judge, "columns": [one.to_json() for one in compared]}
    echo(json.dumps(data) if as_json else comparing.to_text(judge, compared))


command.add_command(tooleval)

# An installation may leave out the training package, which this command needs.
if find_spec("docrev.train") is not None:
    from docrev.cli.bench_granularities import command as granularities

    command.add_command(granularities)
