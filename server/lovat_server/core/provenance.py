"""Where a value comes from."""

from __future__ import annotations

from enum import Enum


class Provenance(Enum):
    """`PRINTED` and `ERRATA` stand in the rulebook; the rest says how the value was made."""

    PRINTED = "printed"
    ERRATA = "errata"
    DERIVED = "derived"
    HISTORICAL = "historical"
    RECONSTRUCTED = "reconstructed"
