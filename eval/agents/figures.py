"""Figures of a report as inline SVG: rates with their intervals, what failed, and tokens as distributions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from .summary import Line, Measure

WIDTH, LEFT, RIGHT, ROW = 720, 220, 60, 26
COLOURS = ("#57606a", "#0969da", "#8250df", "#bc4c00", "#1a7f37", "#9a6700", "#cf222e")
ERRORS = {"solved": "#1a7f37", "plan": "#cf222e", "caller": "#bc4c00", "parser": "#9a6700"}
BINS = 24


def name_of(line: Line) -> str:
    """How a line is called in figures."""
    return f"{line.docs} · {line.runner}"


def colours(lines: Sequence[Line]) -> dict[str, str]:
    """A colour for each set of documents, the first one grey."""
    names = list(dict.fromkeys(line.docs for line in lines))
    return {name: COLOURS[at % len(COLOURS)] for at, name in enumerate(names)}


def rates(lines: Sequence[Line], key: str) -> str:
    """A rate of every line as a dot with its interval, in percent; "" if no line has it."""
    rows = [(line, line.measures[key]) for line in lines if key in line.measures]
    if not rows:
        return ""
    paint = colours(lines)
    parts = _scale(len(rows), [(tick / 100, f"{tick} %") for tick in range(0, 101, 20)])
    for at, (line, measure) in enumerate(rows):
        parts += _row(at, name_of(line), measure, paint[line.docs])
    return _svg(parts, ROW * len(rows) + 34)


def _row(at: int, name: str, measure: Measure, colour: str) -> list[str]:
    y = ROW * at + 16
    low, high, dot = _x(measure.low), _x(measure.high), _x(measure.value)
    return [
        _label(name, y),
        f'<line x1="{low}" x2="{high}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="3" stroke-linecap="round"'
        ' opacity=".45"/>',
        f'<circle cx="{dot}" cy="{y}" r="5" fill="{colour}"/>',
        f'<text x="{WIDTH - RIGHT + 8}" y="{y + 4}">{100 * measure.value:.1f}</text>',
    ]


def errors(lines: Sequence[Line]) -> str:
    """How the tasks of every line ended, as one bar each: solved, or what failed first."""
    parts = _scale(len(lines), [(tick / 100, f"{tick} %") for tick in range(0, 101, 20)])
    for at, line in enumerate(lines):
        total = len(line.outcomes) or 1
        counts = {"solved": sum(one.solved for one in line.outcomes), **line.errors}
        parts.append(_label(name_of(line), ROW * at + 16))
        start = 0.0
        for kind, count in counts.items():
            if count:
                x, width = _x(start), _x(start + count / total) - _x(start)
                title = f"<title>{kind}: {count}</title>"
                parts.append(
                    f'<rect x="{x}" y="{ROW * at + 7}" width="{width:.1f}" height="18" fill="{ERRORS[kind]}">'
                    f"{title}</rect>"
                )
                start += count / total
    x = LEFT
    for kind, colour in ERRORS.items():
        words = kind if kind == "solved" else f"{kind} error"
        y = ROW * len(lines) + 40
        parts.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{x + 18}" y="{y}">{words}</text>')
        x += 120
    return _svg(parts, ROW * len(lines) + 52)


def tokens(lines: Sequence[Line], value: Callable[[object], int], title: str) -> str:
    """The distribution of tokens a task, one row of bars a line, on one scale; the line is at the mean."""
    values = [[value(one) for one in line.outcomes] for line in lines]
    most = max((max(row) for row in values if row), default=0)
    if not most:
        return ""
    paint = colours(lines)
    parts = _scale(2 * len(lines), [(tick / 4, f"{most * tick / 4:,.0f}") for tick in range(5)])
    for at, (line, row) in enumerate(zip(lines, values, strict=True)):
        counts = [0] * BINS
        for number in row:
            counts[min(BINS - 1, int(number / most * BINS))] += 1
        tallest, base = max(counts), 2 * ROW * (at + 1)
        parts.append(_label(name_of(line), base - 14))
        wide = (_x(1) - _x(0)) / BINS
        for bin_at, count in enumerate(counts):
            high = 40 * count / tallest
            parts.append(
                f'<rect x="{_x(0) + bin_at * wide:.1f}" y="{base - high:.1f}" width="{wide - 1:.1f}"'
                f' height="{high:.1f}" fill="{paint[line.docs]}"/>'
            )
        middle = sum(row) / len(row)
        at_mean = _x(middle / most)
        parts.append(
            f'<line x1="{at_mean}" x2="{at_mean}" y1="{base - 44}" y2="{base}" stroke="currentColor"'
            ' stroke-dasharray="3 2"/>'
        )
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{base - 10}">{middle:,.0f}</text>')
    return _svg(parts, 2 * ROW * len(lines) + 34, title)


def _x(share: float) -> float:
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def _scale(rows: int, ticks: Sequence[tuple[float, str]]) -> list[str]:
    bottom = ROW * rows + 4
    parts = []
    for share, text in ticks:
        parts.append(
            f'<line x1="{_x(share)}" x2="{_x(share)}" y1="4" y2="{bottom}" stroke="currentColor" opacity=".15"/>'
        )
        parts.append(f'<text x="{_x(share)}" y="{bottom + 16}" text-anchor="middle" opacity=".7">{text}</text>')
    return parts


def _label(name: str, y: float) -> str:
    return f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(name[:34])}</text>'


def _svg(parts: Sequence[str], height: int, title: str = "") -> str:
    heading = f"<title>{escape(title)}</title>" if title else ""
    drawn = "".join(parts)
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" font-size="12" fill="currentColor">{heading}{drawn}</svg>'
