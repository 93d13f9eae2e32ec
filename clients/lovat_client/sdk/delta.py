"""What has changed in a position, put into the position that the client keeps."""

from __future__ import annotations

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import state_pb2

from .errors import DeltaError


def apply_delta(position: core_pb2.Position, delta: core_pb2.PositionDelta) -> core_pb2.Position:
    """The position after a change, field for field as the server has it; the old one stays.

    Raises `DeltaError` if the change belongs to another position, or to rules that this client
    does not know.
    """
    if delta.version_before != position.version or (
            position.checksum and delta.checksum_before != position.checksum):
        raise DeltaError(
            f"the change is to version {delta.version_before} with checksum "
            f"{delta.checksum_before}; the position is at version {position.version} with "
            f"checksum {position.checksum or 'unknown'}")
    if delta.WhichOneof("game") != position.state.WhichOneof("game"):
        raise DeltaError("the change and the position are of different games")
    after = core_pb2.Position()
    after.CopyFrom(position)
    after.version = delta.version
    after.checksum = delta.checksum
    after.state.dice.counter = delta.dice_counter
    _apply_state(after.state.white_death, delta.white_death)
    return after


def _apply_state(state: state_pb2.State, delta: state_pb2.StateDelta) -> None:
    if delta.units:
        places = {row.unit: place for place, row in enumerate(state.units)}
        for row in delta.units:
            place = places.get(row.unit)
            if place is None:
                raise DeltaError(f"the position has no unit {row.unit!r}")
            state.units[place].CopyFrom(row)
    fields = state_pb2.State.DESCRIPTOR.fields_by_name
    unknown = [name for name in delta.changed if name not in fields]
    if unknown:
        raise DeltaError(f"this client does not know the fields {', '.join(unknown)}; it is older "
                         "than the server")
    for name in delta.changed:
        state.ClearField(name)  # type: ignore[arg-type]
    state.MergeFrom(delta.values)
