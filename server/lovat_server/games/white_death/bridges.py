"""[WD 20] Bridges: building and destroying them."""

from __future__ import annotations

from lovat_server.core.violations import Reason, Violation

from .battle import Battle
from .events import BridgeBuilt, BridgeDestroyed
from .position import Position
from .terms import OFF_MAP, Status
from .wording import hex_name, unit_name


def judge_build(position: Position, index: int, path: str) -> list[Violation]:
    """[WD 20.B] A Soviet engineer brigade or the bridging battalion, once, in a river hex."""
    name = unit_name(position.catalog, index)
    unit, field = position.units[index], position.catalog.map
    if "bridge" not in position.catalog.units[index].traits:
        return [Violation(Reason.BRIDGE, "WD 20.B", path, f"{name} has no bridge to build.")]
    if unit.status & Status.BRIDGED:
        return [Violation(Reason.BRIDGE, "WD 20.B", path, f"{name} has built its one bridge.")]
    if unit.hex == OFF_MAP or not field.river >> unit.hex & 1:
        return [Violation(Reason.BRIDGE, "WD 20.B", path,
                          f"{name} is not in a river hex but {_where(position, index)}.")]
    if position.bridged() >> unit.hex & 1:
        return [Violation(Reason.BRIDGE, "WD 20.B", path,
                          f"{hex_name(position.catalog, unit.hex)} has a bridge already.")]
    return []


def judge_destroy(position: Position, index: int, path: str) -> list[Violation]:
    """[WD 20.A] Any engineer or construction unit in a hex with a bridge."""
    name = unit_name(position.catalog, index)
    if "demolition" not in position.catalog.units[index].traits:
        return [Violation(Reason.BRIDGE, "WD 20.A", path,
                          f"{name} is neither an engineer nor a construction unit.")]
    hex_ = position.units[index].hex
    if hex_ == OFF_MAP or not position.bridged() >> hex_ & 1:
        return [Violation(Reason.BRIDGE, "WD 20.A", path,
                          f"{name} is not at a bridge but {_where(position, index)}.")]
    return []


def build(battle: Battle, index: int) -> None:
    """[WD 20.B]"""
    battle.record(BridgeBuilt(index, battle.units[index].hex))


def destroy(battle: Battle, index: int) -> None:
    """[WD 20.A]"""
    battle.record(BridgeDestroyed(index, battle.units[index].hex))


def _where(position: Position, index: int) -> str:
    hex_ = position.units[index].hex
    return "off the map" if hex_ == OFF_MAP else f"in {hex_name(position.catalog, hex_)}"
