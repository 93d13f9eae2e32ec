"""What is wrong with a save, a calibration or a mapping."""

from __future__ import annotations

from ..sdk.errors import ClientError


class VassalError(ClientError):
    """A file that cannot be used: which, where in it, what stands there and what was expected."""

    def __init__(self, file: object, place: str, message: str) -> None:
        super().__init__(": ".join(part for part in (str(file), place, message) if part))
        self.place = place
        self.message = message
