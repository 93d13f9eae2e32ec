"""Plots as SVG in text: ratings with their uncertainty, results as bars, victory points as dots.

They use the colours of the page they are in: the classes `won`, `drawn`, `lost`, `dot`, `mean`,
`axis` and `quiet`. Each has a title for those who cannot see it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

_LEFT, _RIGHT, _WIDTH = 210, 60, 760
_ROW, _TOP, _BOTTOM = 26, 8, 30
_INNER = _WIDTH - _LEFT - _RIGHT


def ratings_plot(rows: Sequence[tuple[str, float, float]]) -> str:
    """(name, mu, sigma): a dot at mu, a line over the 95% interval of mu +- 1.96 sigma."""
    low = min(mu - 1.96 * sigma for _, mu, sigma in rows)
    high = max(mu + 1.96 * sigma for _, mu, sigma in rows)
    scale = _Scale(low, high)
    parts = []
    for row, (name, mu, sigma) in enumerate(rows):
        y = _middle(row)
        ends = scale.x(mu - 1.96 * sigma), scale.x(mu + 1.96 * sigma)
        parts += [
            _label(name, y),
            f'<line class="whisker" x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{y}" y2="{y}"/>',
            *(f'<line class="whisker" x1="{end:.1f}" x2="{end:.1f}" y1="{y - 5}" y2="{y + 5}"/>'
              for end in ends),
            f'<circle class="mean" cx="{scale.x(mu):.1f}" cy="{y}" r="5"><title>{escape(name)}: '
            f"{mu:.1f} \N{PLUS-MINUS SIGN} {1.96 * sigma:.1f}</title></circle>",
            _note(f"{mu:.1f}", y)]
    return _svg("Ratings with 95% intervals", len(rows), scale.axis(len(rows)) + parts)


def results_plot(rows: Sequence[tuple[str, int, int, int]]) -> str:
    """(label, won, drawn, lost): one bar a row, as long as the games are many."""
    most = max((sum(row[1:]) for row in rows), default=0) or 1
    parts = []
    for row, (label, *counts) in enumerate(rows):
        y, x = _middle(row), float(_LEFT)
        parts.append(_label(label, y))
        for kind, count in zip(("won", "drawn", "lost"), counts, strict=True):
            width = _INNER * count / most
            if count:
                parts.append(
                    f'<rect class="{kind}" x="{x:.1f}" y="{y - 8}" width="{width:.1f}" '
                    f'height="16"><title>{escape(label)}: {count} {kind}</title></rect>')
                if width > 18:
                    parts.append(f'<text class="on" x="{x + width / 2:.1f}" y="{y + 4}" '
                                 f'text-anchor="middle">{count}</text>')
            x += width
        games = sum(counts)
        share = (counts[0] + counts[1] / 2) / games if games else 0.0
        parts.append(_note(f"{share:.0%}", y))
    return _svg("Games won, drawn and lost", len(rows), parts, axis=False)


def points_plot(rows: Sequence[tuple[str, Sequence[int]]]) -> str:
    """(label, victory points): a dot a game, a stroke at the mean."""
    values = [value for _, points in rows for value in points]
    if not values:
        return ""
    scale = _Scale(min(values), max(values))
    parts = []
    for row, (label, points) in enumerate(rows):
        y = _middle(row)
        parts.append(_label(label, y))
        seen: dict[int, int] = {}
        for value in sorted(points):
            number = seen[value] = seen.get(value, -1) + 1
            shift = (number + 1) // 2 * (3 if number % 2 else -3)  # equal ones side by side
            parts.append(f'<circle class="dot" cx="{scale.x(value):.1f}" '
                         f'cy="{y + max(-9, min(9, shift))}" r="3"/>')
        if points:
            mean = sum(points) / len(points)
            x = scale.x(mean)
            parts += [f'<line class="middle" x1="{x:.1f}" x2="{x:.1f}" y1="{y - 10}" '
                      f'y2="{y + 10}"><title>{escape(label)}: mean {mean:.1f}</title></line>',
                      _note(f"{mean:.1f}", y)]
    return _svg("Victory points by game", len(rows), scale.axis(len(rows)) + parts)


class _Scale:
    """A horizontal axis over [low, high], with a little room on both sides."""

    def __init__(self, low: float, high: float) -> None:
        room = (high - low) * 0.05 or 1.0
        self._low, self._high = low - room, high + room

    def x(self, value: float) -> float:
        return _LEFT + _INNER * (value - self._low) / (self._high - self._low)

    def axis(self, rows: int) -> list[str]:
        """Lines at round values, and the values under them."""
        rough = (self._high - self._low) / 6
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
        bottom = _TOP + rows * _ROW
        parts = []
        for number in range(math.ceil(self._low / step), math.floor(self._high / step) + 1):
            x = self.x(number * step)
            parts += [f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}"/>',
                      f'<text class="quiet" x="{x:.1f}" y="{bottom + 18}" '
                      f'text-anchor="middle">{number * step:g}</text>']
        return parts


def _middle(row: int) -> int:
    return _TOP + row * _ROW + _ROW // 2


def _label(text: str, y: int) -> str:
    short = text if len(text) <= 32 else f"{text[:31]}\N{HORIZONTAL ELLIPSIS}"
    return f'<text x="{_LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(short)}</text>'


def _note(text: str, y: int) -> str:
    return f'<text class="quiet" x="{_WIDTH - _RIGHT + 8}" y="{y + 4}">{escape(text)}</text>'


def _svg(title: str, rows: int, parts: Sequence[str], *, axis: bool = True) -> str:
    height = _TOP + rows * _ROW + (_BOTTOM if axis else 8)
    return (f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" '
            f'xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>'
            f'{"".join(parts)}</svg>')
