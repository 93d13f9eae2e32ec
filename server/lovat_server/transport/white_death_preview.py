"""Previews of White Death on the wire: exact fractions, with decimals for show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from fractions import Fraction
from typing import Any, get_type_hints

from lovat.white_death.v1 import preview_pb2
from lovat_server.games.white_death import previews

from .encode import Encoders
from .names import Names
from .shapes import Record, Scalar, Shape

_PLACES = 6
_BIGGEST = 2**64 - 1


def decimal(value: Fraction, places: int = _PLACES) -> str:
    """A number that is not negative, rounded half to even: "0.138889"."""
    scaled = round(value * 10**places)
    whole, rest = divmod(scaled, 10**places)
    return f"{whole}.{rest:0{places}d}"


def encode_fraction(value: Fraction, _names: Names) -> dict[str, Any]:
    numerator, denominator = value.numerator, value.denominator
    fits = max(numerator, denominator) <= _BIGGEST
    return {
        "numerator": numerator if fits else 0,
        "denominator": denominator if fits else 0,
        "decimal": decimal(value),
        "exact": str(value),
    }


def _overrides() -> Mapping[tuple[type, str], Shape]:
    found: dict[tuple[type, str], Shape] = {
        (previews.FirerPreview, "unit"): Scalar.UNIT_OR_NONE}
    for cls in vars(previews).values():
        if is_dataclass(cls) and isinstance(cls, type):
            found |= {(cls, name): Record(Fraction)
                      for name, hint in get_type_hints(cls).items() if hint is Fraction}
    return found


_ENCODERS = Encoders(overrides=_overrides(), records={Fraction: encode_fraction})
_encode = _ENCODERS.record(previews.Preview, preview_pb2.Preview.DESCRIPTOR)


def encode_preview(preview: previews.Preview, names: Names) -> dict[str, Any]:
    """Keyword arguments of the message."""
    result: dict[str, Any] = _encode(preview, names)
    return result
