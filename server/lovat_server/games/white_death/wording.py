"""Names of units, hexes and points as a player reads them in a sentence."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from .catalog import Catalog
from .terms import FP, MP, OFF_MAP


@lru_cache(maxsize=4096)
def unit_name(catalog: Catalog, index: int) -> str:
    """"II/277 (infantry)" or "2/184TB (T-70)"."""
    unit = catalog.units[index]
    return f"{unit.label} ({unit.type})"


def hex_name(catalog: Catalog, hex_: int) -> str:
    """"1430", or "off the map"."""
    return "off the map" if hex_ == OFF_MAP else f"{catalog.map.numbers[hex_]:04d}"


def _mixed(value: Fraction) -> str:
    whole, rest = divmod(value.numerator, value.denominator)
    if not rest:
        return str(whole)
    part = f"{rest}/{value.denominator}"
    return f"{whole} {part}" if whole else part


def points(movement: int) -> str:
    """Movement in 1/120 MP as "2 1/4"."""
    return _mixed(Fraction(movement, MP))


def fire(value: int) -> str:
    """Fire in 1/8 point as "4 1/2"."""
    return _mixed(Fraction(value, FP))
