"""Figures of a report, as numbers that a template draws: requests over time, and which operation feeds which."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from docrev.grouping import grouped
from docrev.records import OperationKey

PERIODS = 80
"""Bars of the figure of requests."""
MOST_NODES = 48
"""Operations above which the graph is drawn of those with most edges alone: more cannot be read."""
COLUMN, LINE, LONGEST = 290, 24, 34
"""Width of a column and height of a line of the graph, in pixels, and the characters of an operation."""


@dataclass
class Period:
    """Some calls in a row: what for, how they were answered, and how many operations were reached by its end."""

    calls: Counter[str] = field(default_factory=Counter)
    purposes: Counter[str] = field(default_factory=Counter)
    reached: int = 0


def periods(calls: Iterable[tuple[str, OperationKey, str]], total: int) -> list[Period]:
    """Calls (purpose, operation, and good, refused or failed) in at most `PERIODS` periods of the same size."""
    size = max(1, math.ceil(total / PERIODS))
    found: list[Period] = []
    reached: set[OperationKey] = set()
    for number, (purpose, key, kind) in enumerate(calls):
        if number % size == 0:
            found.append(Period())
        found[-1].calls[kind] += 1
        found[-1].purposes[purpose] += 1
        if kind == "good":
            reached.add(key)
        found[-1].reached = len(reached)
    return found


@dataclass(frozen=True)
class DrawnNode:
    """An operation of the graph, with the middle left of its text."""

    number: int
    text: str
    x: int
    y: int


@dataclass(frozen=True)
class Drawing:
    """The graph: its operations, the curves between them as paths of SVG, its size, and how many are left out."""

    nodes: tuple[DrawnNode, ...]
    curves: tuple[str, ...]
    width: int
    height: int
    left_out: int


def draw_graph(names: Mapping[int, str], edges: Collection[tuple[int, int]]) -> Drawing:
    """Draw which operation feeds which, in columns from left to right; operations without an edge are left out."""
    degrees = Counter(number for edge in edges for number in edge)
    chosen = {number for number, _ in sorted(degrees.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_NODES]}
    drawn = sorted(edge for edge in edges if chosen.issuperset(edge))
    columns = grouped((column, number) for number, column in sorted(_columns(chosen, drawn).items()))
    places = {
        number: (column * COLUMN + 8, line * LINE + 18)
        for column, numbers in columns.items()
        for line, number in enumerate(numbers)
    }
    nodes = tuple(DrawnNode(number, _short(names[number]), *place) for number, place in places.items())
    curves = tuple(_curve(places[source], places[target], len(_short(names[source]))) for source, target in drawn)
    height = max((len(numbers) for numbers in columns.values()), default=0) * LINE + 16
    return Drawing(nodes, curves, len(columns) * COLUMN + 16, height, len(degrees) - len(chosen))


def _short(name: str) -> str:
    """The method and the end of the path: what paths share is at their beginning."""
    method, _, path = name.partition(" ")
    room = LONGEST - len(method) - 1
    return name if len(path) <= room else f"{method} …{path[1 - room :]}"


def _columns(numbers: Collection[int], edges: Collection[tuple[int, int]]) -> dict[int, int]:
    """A column for each operation, behind those that feed it as far as there is no circle; none is empty."""
    columns = dict.fromkeys(sorted(numbers), 0)
    for _ in range(4):
        for source, target in edges:
            if (target, source) not in edges or source < target:
                columns[target] = max(columns[target], min(columns[source] + 1, 4))
    order = {column: place for place, column in enumerate(sorted(set(columns.values())))}
    return {number: order[column] for number, column in columns.items()}


def _curve(source: tuple[int, int], target: tuple[int, int], characters: int) -> str:
    """A curve from the end of a text to the beginning of another; within a column, round the left."""
    (left, top), (right, bottom) = source, target
    if right > left:
        start = left + min(7 * characters, COLUMN - 30)
        return f"M{start} {top}C{start + 40} {top} {right - 40} {bottom} {right - 4} {bottom}"
    return f"M{left - 2} {top}C{left - 30} {top} {right - 30} {bottom} {right - 4} {bottom}"
