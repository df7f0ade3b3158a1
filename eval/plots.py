"""Recall over calls, drawn as one SVG file without any library."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.eval.recovery import Point

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 56, 130, 36, 48
COLOURS = {"poorest": "#1f5fa8", "random": "#b4552d"}
LABELS = {"poorest": "poorest first", "random": "random order"}


def recall_over_calls(points: Sequence[Point], title: str) -> str:
    """An SVG: calls an operation across (what was really spent), recall upwards, a line for each order of probing."""
    most = max([point.calls for point in points] + [1.0])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        ' font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="20" font-size="14">{_escaped(title)}</text>',
        *_axes(most),
    ]
    for order in dict.fromkeys(point.order for point in points):
        parts += _line([point for point in points if point.order == order], order, most)
    return "\n".join([*parts, "</svg>", ""])


def _x(calls: float, most: float) -> float:
    return round(LEFT + calls / most * (WIDTH - LEFT - RIGHT), 1)


def _y(recall: float) -> float:
    return round(HEIGHT - BOTTOM - recall * (HEIGHT - TOP - BOTTOM), 1)


def _axes(most: float) -> list[str]:
    parts = []
    for tenth in range(0, 11, 2):
        y = _y(tenth / 10)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{tenth / 10:.1f}</text>')
    step = next((size for size in (1, 2, 5, 10, 20, 50) if most / size <= 10), 100)
    for calls in range(0, int(most) + 1, step):
        x = _x(calls, most)
        parts.append(f'<text x="{x}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{calls}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">calls an operation</text>')
    return [*parts, f'<text x="14" y="{TOP - 6}">recall</text>']


def _line(points: Sequence[Point], order: str, most: float) -> list[str]:
    colour = COLOURS.get(order, "#444")
    places = [(_x(point.calls, most), _y(point.recall or 0.0)) for point in points]
    path = " ".join(f"{x},{y}" for x, y in places)
    dots = [f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>' for x, y in places]
    x, y = places[-1]
    label = f'<text x="{x + 8}" y="{y + 4}" fill="{colour}">{LABELS.get(order, order)}</text>'
    return [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>', *dots, label]


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
