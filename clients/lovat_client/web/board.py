"""The board as SVG for the page: the printed map without pieces, and every counter by name.

The page puts `#u-UNIT` (a counter at its printed strength), `#k-COLOUR` (a blank one), `#bridge`,
`#h` (a hex), `#z1` and `#z2` (hatching of the two sides) where they belong; where a hex lies is
read off its own `#hCCRR`.
"""

from __future__ import annotations

from lovat.white_death.v1 import catalog_pb2

from ..render import counters, names, overlays, symbols, terrain
from ..render.geometry import MARGIN, STRIP_HEIGHT, Sheet
from ..render.picture import Piece

EDGE = 24


def board_svg(catalog: catalog_pb2.Catalog) -> str:
    """The same catalog gives the same text. It holds no style element and no script."""
    sheet = Sheet.of(catalog.map)
    sides = list(catalog.map.hexsides)
    left, top = MARGIN - EDGE, STRIP_HEIGHT + MARGIN - EDGE
    width, height = sheet.width - 2 * left, sheet.map_bottom + EDGE - top
    definitions = "".join((
        terrain.definitions(), symbols.definitions(), overlays.definitions(),
        *(f'<g id="u-{unit.id}" data-paint="{symbols.paint_of(unit)}">'
          f"{counters.counter(unit, Piece(unit.id))}</g>" for unit in catalog.units)))
    layers = (
        terrain.ground(sheet),
        terrain.patches(sheet),
        terrain.waters(sheet, sides),
        terrain.towns(sheet),
        terrain.slopes(sheet, sides),
        terrain.grid(sheet),
        terrain.ways(sheet, sides),
        names.numbers(sheet),
        names.places(sheet),
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}">'
        f'<defs>{definitions}</defs><g id="printed">{"".join(layers)}</g></svg>')
