"""A benchmark's report as text: one screen that says whether the documents helped, why, and where they did not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docrev.language.tables import columns

from .bench import BenchReport
from .summary import METRICS, Line, Measure, RateDifference

SHOWN = tuple("success correct_path judged passed preferred argument_f1 tool_calling delta_length tokens_in".split())
DECIDING = ("success", "correct_path")
TASKS_SHOWN = 8
ERRORS = ("plan", "caller", "parser")


def text(report: BenchReport) -> str:
    """The title, a table of the metrics with intervals, the differences, and what failed."""
    asked = report.settings
    who = f"model {report.model}, judge {asked.judge}, seed {asked.seed}, on {report.stage}"
    head = f"{report.title}: {len(report.tasks)} tasks, {who}"
    parts = [head, "", *_metrics(report), "", *_errors(report.lines), *_wins(report), *_groups(report)]
    if report.differences:
        parts += ["", "solved tasks, paired with the first documents (95 % interval):"]
        parts += [row for difference in report.differences for row in _difference(report, difference)]
    parts += ["", *_ratings(report)]
    notes = _notes(report)
    return "\n".join([*parts, *([""] if notes else []), *notes])


def _cell(line: Line, key: str) -> str:
    """What decides with its interval; the rest without, or no screen would be wide enough."""
    return formatted_measure(key, line.measures.get(key), interval=key in DECIDING)


def metrics_shown(lines: Sequence[Line]) -> list[str]:
    """The metrics that are shown: those in the list that some line has."""
    return [key for key in SHOWN if any(key in line.measures for line in lines)]


def title(key: str, judge: str) -> str:
    """The title of a metric's column; what `judge` said is named after it."""
    return next(metric.title.format(judge=judge) for metric in METRICS if metric.key == key)


def formatted_measure(key: str, measure: Measure | None, *, interval: bool = True) -> str:
    """A measure, with its interval or without: rates in percent, tokens whole, the rest with two places."""
    if measure is None:
        return "-"
    rate = next(metric.kind for metric in METRICS if metric.key == key) == "rate" or key in _SHARES
    scale, places = (100, 1) if rate else (1, 0 if key.startswith("tokens") else 2)
    value, low, high = (f"{scale * number:.{places}f}" for number in measure[:3])
    return f"{value} [{low}, {high}]" if interval else value


_SHARES = ("argument_f1", "tool_calling")


def _metrics(report: BenchReport) -> list[str]:
    lines, judge = report.lines, report.settings.judge
    keys = metrics_shown(lines)
    rows = [["docs", "runner", *(title(key, judge) for key in keys)]]
    rows += [[line.docs, line.runner, *(_cell(line, key) for key in keys)] for line in lines]
    return columns(rows)


def _errors(lines: Sequence[Line]) -> list[str]:
    rows = [["docs", "runner", *(f"{name} errors" for name in ERRORS), "how it ended"]]
    for line in lines:
        ends = ", ".join(f"{count} {name}" for name, count in line.finishes.items())
        rows.append([line.docs, line.runner, *(str(line.errors[name]) for name in ERRORS), ends])
    return columns(rows)


def _wins(report: BenchReport) -> list[str]:
    """Wins, ties and losses against the yardstick, as the judge decides."""
    rows = [["docs", "runner", "win", "tie", "lose", f"against, by {report.settings.judge}"]]
    firsts: dict[str, str] = {}
    for line in report.lines:
        firsts.setdefault(line.runner, f"{line.runner}/{line.docs}")
        if line.wins is not None:
            rows.append([line.docs, line.runner, *map(str, line.wins), report.settings.against or firsts[line.runner]])
    return ["", *columns(rows)] if len(rows) > 1 else []


def _groups(report: BenchReport) -> list[str]:
    """One row a group of tasks (G1-Inst … G3), and the average of the groups, if there are several."""
    groups = list(dict.fromkeys(task.group for task in report.tasks if task.group))
    keys = [key for key in metrics_shown(report.lines) if key in _BY_GROUP]
    if len(groups) < 2 or not keys:
        return []
    rows = [["group", "docs", "runner", "tasks", *(title(key, report.settings.judge) for key in keys)]]
    rows += [row for line in report.lines for row in _group_rows(line, groups, keys)]
    return ["", *columns(rows)]


def _group_rows(line: Line, groups: Sequence[str], keys: Sequence[str]) -> Iterator[list[str]]:
    parts = [line.of_group(group) for group in groups]
    for group, part in zip(groups, parts, strict=True):
        cells = [formatted_measure(key, part.measures.get(key), interval=False) for key in keys]
        yield [group, line.docs, line.runner, str(len(part.outcomes)), *cells]
    averages = [average([part.measures[key].value for part in parts if key in part.measures]) for key in keys]
    yield ["average", line.docs, line.runner, str(len(line.outcomes)), *averages]


_BY_GROUP = ("success", "correct_path", "judged", "passed", "preferred")


def average(values: Sequence[float]) -> str:
    """The mean of some groups' rates in percent, each group with the same weight."""
    return f"{100 * sum(values) / len(values):.1f}" if values else "-"


def _ratings(report: BenchReport) -> list[str]:
    """The documents' own quality, as the judge rates it from 1 to 3."""
    rows = [["docs", "rated by " + report.settings.judge]]
    for name, scores in report.ratings.items():
        rows.append([name, ", ".join(f"{aspect} {score:.2f}" for aspect, score in scores.items()) or "-"])
    return columns(rows)


def verdict(difference: RateDifference) -> str:
    """Whether the documents helped, in a word or two: by the whole interval, not by the mean."""
    return "helped" if difference.low > 0 else "did harm" if difference.high < 0 else "no sure difference"


def causes(report: BenchReport, difference: RateDifference) -> list[tuple[str, int, int]]:
    """Why: for each class of error, how many tasks it failed before and after."""
    lines = {(line.docs, line.runner, line.model): line.errors for line in report.lines}
    before, after = (lines[docs, difference.runner, difference.model] for docs in (difference.before, difference.after))
    return [(name, before[name], after[name]) for name in ERRORS]


def _difference(report: BenchReport, difference: RateDifference) -> list[str]:
    value, low, high = (f"{100 * number:+.1f}" for number in (difference.value, difference.low, difference.high))
    tokens = f"; input tokens per solved task × {difference.tokens:.2f}" if difference.tokens is not None else ""
    pair = f"{difference.after} against {difference.before}, {difference.runner}"
    head = f"  {pair}: {value} points [{low}, {high}], {verdict(difference)}"
    changes = ", ".join(f"{name} errors {before} → {after}" for name, before, after in causes(report, difference))
    why = f"    why: {changes}{tokens}"
    return [head, why, *_tasks("gained", difference.gained), *_tasks("lost", difference.lost)]


def _tasks(what: str, tasks: Sequence[str]) -> list[str]:
    if not tasks:
        return []
    more = f" and {len(tasks) - TASKS_SHOWN} more" if len(tasks) > TASKS_SHOWN else ""
    return [f"    {what} {len(tasks)}: {', '.join(tasks[:TASKS_SHOWN])}{more}"]


def _notes(report: BenchReport) -> list[str]:
    notes = [f"mended in the data: {report.patches} gold paths (--as-published leaves them)"] if report.patches else []
    notes += [f"note: {finding}" for finding in report.findings[:TASKS_SHOWN]]
    more = len(report.findings) - TASKS_SHOWN
    return [*notes, *([f"… and {more} more notes"] if more > 0 else [])]
