"""Where everything of the map lies on the sheet, in whole units.

A hex is 120 units wide and 104 high, so that its corners, the middles of its sides and the steps
between hexes are all whole numbers; its shape is off a regular hexagon by one part in a thousand.
"""

from __future__ import annotations

from dataclasses import dataclass

from lovat.white_death.v1 import catalog_pb2

from ..hexes import DIRECTIONS, Layout

CORNER = 60
HALF_TOP = 30
HALF_HEIGHT = 52
COLUMN_STEP = 90
ROW_STEP = 104

MARGIN = 70
STRIP_HEIGHT = 250
LEGEND_HEIGHT = 210

# Clockwise from the left end of the northern side: side d runs from corner d to corner d + 1.
CORNERS = ((-30, -52), (30, -52), (60, 0), (30, 52), (-30, 52), (-60, 0))
SIDE_MIDDLES = ((0, -52), (45, -26), (45, 26), (0, 52), (-45, 26), (-45, -26))

Point = tuple[int, int]


@dataclass(frozen=True)
class Sheet:
    """A map laid out on a sheet with a title strip above and a legend below."""

    layout: Layout
    hexes: dict[int, catalog_pb2.MapHex]

    @classmethod
    def of(cls, board: catalog_pb2.BattleMap) -> Sheet:
        """Lay out the map of a catalog."""
        layout = Layout(board.columns, board.rows, board.even_high)
        return cls(layout, {hex_.hex: hex_ for hex_ in board.hexes})

    @property
    def width(self) -> int:
        """The width of the whole sheet."""
        return 2 * MARGIN + self.layout.columns * COLUMN_STEP + HALF_TOP

    @property
    def height(self) -> int:
        """The height of the whole sheet."""
        return self.map_bottom + MARGIN + LEGEND_HEIGHT

    @property
    def map_top(self) -> int:
        """The upper edge of the map."""
        return STRIP_HEIGHT + MARGIN

    @property
    def map_bottom(self) -> int:
        """The lower edge of the map."""
        return self.map_top + self.layout.rows * ROW_STEP + HALF_HEIGHT

    def centre(self, number: int) -> Point:
        """The middle of a hex."""
        column, row = divmod(number, 100)
        low = HALF_HEIGHT if self.layout.is_low(column) else 0
        return (MARGIN + CORNER + (column - 1) * COLUMN_STEP,
                self.map_top + HALF_HEIGHT + (row - 1) * ROW_STEP + low)

    def side(self, number: int, direction: int) -> Point:
        """The middle of one side of a hex."""
        return shifted(self.centre(number), SIDE_MIDDLES[direction])

    def corners(self, number: int, direction: int) -> tuple[Point, Point]:
        """The two ends of one side of a hex."""
        centre = self.centre(number)
        return (shifted(centre, CORNERS[direction]),
                shifted(centre, CORNERS[(direction + 1) % DIRECTIONS]))

    def outward(self, number: int, away_from: int) -> int | None:
        """The direction off the map that points best away from another; None inside the map."""
        free = [direction for direction in range(DIRECTIONS)
                if not self.layout.neighbour(number, direction)]
        opposite = (away_from + 3) % DIRECTIONS

        def turn(direction: int) -> tuple[int, int]:
            difference = (direction - opposite) % DIRECTIONS
            return min(difference, DIRECTIONS - difference), direction

        return min(free, key=turn) if free else None


def shifted(point: Point, by: Point) -> Point:
    """A point moved."""
    return point[0] + by[0], point[1] + by[1]


def scatter(seed: int, count: int, radius: int, gap: int) -> list[Point]:
    """Points strewn over a disc, no two closer than `gap`; the same seed strews the same."""
    found: list[Point] = []
    number = seed * 2654435761 % 2**32
    for _ in range(count * 40):
        if len(found) == count:
            break
        number = (number * 1664525 + 1013904223) % 2**32
        x = (number >> 8) % (2 * radius + 1) - radius
        number = (number * 1664525 + 1013904223) % 2**32
        y = (number >> 8) % (2 * radius + 1) - radius
        inside = x * x + y * y <= radius * radius
        if inside and all((x - a) ** 2 + (y - b) ** 2 >= gap * gap for a, b in found):
            found.append((x, y))
    return found
