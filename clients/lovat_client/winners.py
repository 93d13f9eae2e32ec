"""Who won, by the level of victory that a scenario gives for the points.

The table of a scenario has, by name of the side, the levels that win for it:

    {"german": ("German Victory",), "soviet": ("Soviet Marginal Victory", ...)}

A level wins for the side that its name begins with. One that begins with no side's name ("Draw")
is a draw, and so there are draws only where a scenario has such a level. This decides hosted
matches and the games of a tournament. But the terms of a tournament may give another table for a
scenario, where its levels do not weigh the sides as one wants them:

    [victory.purkayevs-attack]
    soviet = ["Soviet Strategic Victory", "Soviet Overwhelming Victory"]
    german = ["German Victory", "Soviet Marginal Victory"]

By this one the level that is not named, "Soviet Tactical Victory", is a draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

Table = Mapping[str, Sequence[str]]


def table_of(sides: Iterable[str], levels: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The table by the names of the levels."""
    names = list(levels)
    return {side: tuple(level for level in names if _is_of(level, side)) for side in sides}


def winner_by(table: Table, level: str) -> str:
    """The side that a level wins for; "" is a draw."""
    return next((side for side, levels in table.items() if level in levels), "")


def problems(table: Table, sides: Iterable[str], levels: Iterable[str]) -> list[str]:
    """What a table names that the scenario does not have, in sentences."""
    known_sides, known_levels = list(sides), list(levels)
    found = [f"there is no side {side!r}; there are {', '.join(known_sides)}"
             for side in table if side not in known_sides]
    found += [f"there is no level {level!r}; there are {', '.join(known_levels)}"
              for levels_ in table.values() for level in levels_ if level not in known_levels]
    return found


def _is_of(level: str, side: str) -> bool:
    words = level.replace("_", " ").lower().split()
    return words[:len(side.split("_"))] == side.lower().split("_")
