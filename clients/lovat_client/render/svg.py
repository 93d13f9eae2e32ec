"""The map and what stands on it as one SVG picture."""

from __future__ import annotations

from lovat.white_death.v1 import catalog_pb2

from . import counters, names, overlays, strip, symbols, terrain
from .geometry import Sheet
from .overlays import Overlay
from .picture import Picture

PAPER = "#e6dfcd"
_STYLE = (
    "text{font-family:'DejaVu Sans',Verdana,Arial,sans-serif;text-anchor:middle}"
    ".serif,.serif text{font-family:Georgia,'DejaVu Serif','Times New Roman',serif}"
    "text.s{text-anchor:start}text.e{text-anchor:end}"
    ".stack text{font-weight:bold}.stack text.s,.stack text.e{font-size:11px}"
    "text.size{font-size:10px;letter-spacing:1px}text.type{font-size:10px}"
    "text.str{font-size:20px}"
)


def render_svg(
    catalog: catalog_pb2.Catalog, picture: Picture, *, hex_numbers: bool = True,
    zoc: Overlay | None = None, supply: Overlay | None = None, title: str = "",
) -> str:
    """Draw a picture as SVG; the same arguments give the same text.

    `zoc` and `supply` name the hexes to mark for each side, by the number of the side.
    """
    sheet = Sheet.of(catalog.map)
    sides = list(catalog.map.hexsides)
    units = {unit.id: unit for unit in catalog.units}
    definitions = "".join((terrain.definitions(), symbols.definitions(), overlays.definitions()))
    layers = (
        strip.title_strip(sheet, catalog.scenario, picture, title),
        terrain.ground(sheet),
        terrain.patches(sheet),
        terrain.waters(sheet, sides),
        terrain.towns(sheet),
        terrain.slopes(sheet, sides),
        terrain.grid(sheet),
        terrain.ways(sheet, sides),
        overlays.zones(sheet, zoc),
        names.numbers(sheet) if hex_numbers else "",
        names.places(sheet),
        counters.bridges(sheet, picture),
        f'<g id="stacks">{counters.stacks(sheet, picture, units)}</g>',
        counters.bunkers(sheet, picture, list(catalog.bunkers)),
        overlays.supplies(sheet, supply),
        counters.attacks(sheet, picture),
        strip.legend(sheet),
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{sheet.width // 2}" '
        f'height="{sheet.height // 2}" viewBox="0 0 {sheet.width} {sheet.height}">'
        f"<style>{_STYLE}</style><defs>{definitions}</defs>"
        f'<rect width="{sheet.width}" height="{sheet.height}" fill="{PAPER}"/>\n'
        + "\n".join(layer for layer in layers if layer) + "\n</svg>\n"
    )
