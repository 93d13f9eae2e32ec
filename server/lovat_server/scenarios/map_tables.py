"""The CSV files of the map as tables, for counting their sources and for comparing overlays."""

from __future__ import annotations

from .rows import Table

MAP_TABLES = (
    Table("map/hexes.csv", ("hex",), ("hex", "terrain", "place", "provenance")),
    Table("map/hexsides.csv", ("hex", "direction", "feature"),
          ("hex", "direction", "feature", "provenance")),
    Table("map/areas.csv", ("area", "hex"), ("area", "hex", "provenance")),
)
