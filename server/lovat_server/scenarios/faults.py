"""What is wrong with a data folder: where, what, and what was expected."""

from __future__ import annotations

from collections.abc import Sequence

from lovat_server.core.errors import LovatError

from .map_rows import Fault

__all__ = ["DataError", "Fault"]


class DataError(LovatError):
    """A data folder that cannot be loaded; `faults` says all that is wrong with it.

    The line of a fault counts from 1, the header of a CSV being line 1; 0 is the whole file. Its
    column is that of a CSV file or the path of a TOML key.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = tuple(faults)
