"""What is wrong with a request before any rule is asked."""

from __future__ import annotations

from collections.abc import Sequence


class LovatError(Exception):
    """Base of every error a caller can cause. `field` is the path of the offending field."""

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field
        self.message = message


class MalformedError(LovatError):
    """A value that cannot be read: names the field, the value, and what was expected.

    `others` are further fields that cannot be read, where all were looked for.
    """

    def __init__(self, message: str, *, field: str = "",
                 others: Sequence[MalformedError] = ()) -> None:
        super().__init__(message, field=field)
        self.others = tuple(others)


class UnknownError(LovatError):
    """A game, scenario, unit or decision that does not exist."""


class MismatchError(LovatError):
    """A position made by another catalog or ruleset, or whose checksum does not fit it."""


class StaleError(LovatError):
    """The position is not at the version the caller expected."""


class DivergenceError(LovatError):
    """A replayed record does not give what its log says."""
