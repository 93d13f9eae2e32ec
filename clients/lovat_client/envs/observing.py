"""What a side sees, as one array of numbers: planes of the map, a row a unit, the tracks.

Everything comes from the side's own view and its own draft. Values are scaled to lie from -1 to 1
and cut off there; "own" is the side that observes, "enemy" the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lovat.white_death.v1 import answers_pb2, terms_pb2

from ..sdk.catalog import Catalog
from .actions import Menu

MP = 120
Array = NDArray[np.float32]

TERRAIN = ("forest", "town", "creek", "river", "high", "city", "railroad_town", "road", "rail")
PLANES = (
    *TERRAIN,
    "bunker",            # strength left / 10
    "bridge", "own_units", "own_strength", "enemy_units",    # units / 16, strength points / 64
    "assaulted", "vacated",
    "aimed",             # the draft assaults it, fires at it or enters it
    "focus",             # the hex that is being spoken of, or the chosen unit's
)
UNIT_FEATURES = (
    "side",              # 1 own, -1 enemy
    "on_map",            # known to stand on the map
    "column", "row",     # there, as parts of the map's columns and rows; after the draft
    "strength",          # what is left / 8; 0 for an enemy whose strength is not seen
    "printed",           # printed strength / 8
    "on_top",
    "deployed", "isolated", "supplied", "barraged", "shaken", "halted", "bridged", "abandoned",
    "withheld",
    "must_retreat",
    "named",             # the draft has orders for it
    "spent",             # the movement it spends by the draft, in MP / 20
    "chosen",            # the unit that is being spoken of
)
DECISIONS = tuple(
    value.name.removeprefix("DECISION_KIND_").lower()
    for value in terms_pb2.DecisionKind.DESCRIPTOR.values if value.number)
STAGES = (
    "sustain", "refit", "replace", "repair", "replacement points", "rebuild", "declare",
    "move", "move unit", "rail", "assault", "assault target", "charge",
    "withdraw", "withdraw to", "pursue", "pursuit target", "barrage", "barrage target",
    "fire", "fire in hex", "support", "retreat", "retreat to", "advance",
)
TRACKS = (
    "soviet",            # 1 if the observer is the Soviet side
    "phasing", "deciding",                                   # 1 if it is the observer
    "turn",              # as part of the last turn
    "frost", "thaw", "snow",
    "own_impulses", "enemy_impulses", "own_points", "enemy_points", "declared",    # / 20
    "action", "pass",
    "supply_soviet", "supply_german", "supply_city",         # / 100
    "sustained", "released",
    "own_replacements", "enemy_replacements", "own_rail", "enemy_rail",            # / 20
    "score",             # victory points / 200, as the side sees them: more are Soviet
    *(f"decision:{name}" for name in DECISIONS),
    *(f"stage:{name}" for name in STAGES),
)
_STATUS = (terms_pb2.STATUS_FLAG_DEPLOYED, terms_pb2.STATUS_FLAG_ISOLATED,
           terms_pb2.STATUS_FLAG_SUPPLIED, terms_pb2.STATUS_FLAG_BARRAGED,
           terms_pb2.STATUS_FLAG_SHAKEN, terms_pb2.STATUS_FLAG_HALTED,
           terms_pb2.STATUS_FLAG_BRIDGED, terms_pb2.STATUS_FLAG_ABANDONED,
           terms_pb2.STATUS_FLAG_WITHHELD)
_PLANE = {name: place for place, name in enumerate(PLANES)}
_UNIT = {name: place for place, name in enumerate(UNIT_FEATURES)}
_TRACK = {name: place for place, name in enumerate(TRACKS)}


class Parts(NamedTuple):
    """The parts of an observation, as windows into it.

    `map` is planes x columns x rows, `units` is units x features in catalog order, `tracks` one
    number each; `PLANES`, `UNIT_FEATURES` and `TRACKS` name them.
    """

    map: Array
    units: Array
    tracks: Array


class ObservationLayout:
    """Where everything stands in the observations of a scenario; `size` is their length."""

    def __init__(self, catalog: Catalog) -> None:
        self.columns, self.rows = catalog.layout.columns, catalog.layout.rows
        self._seat = {unit: place for place, unit in enumerate(catalog.units)}
        self._bunkers = [bunker.hex for bunker in catalog.message.bunkers]
        self._last_turn = catalog.scenario.last_turn
        self._map = (len(PLANES), self.columns, self.rows)
        self._units = (len(self._seat), len(UNIT_FEATURES))
        self.size = (int(np.prod(self._map)) + int(np.prod(self._units)) + len(TRACKS))
        self._blank = self._printed(catalog)

    def parts(self, observation: Array) -> Parts:
        """Windows into an observation; what is written to them is written to it."""
        units = int(np.prod(self._map))
        tracks = units + int(np.prod(self._units))
        return Parts(observation[:units].reshape(self._map),
                     observation[units:tracks].reshape(self._units), observation[tracks:])

    def observe(self, view: answers_pb2.View) -> Array:
        """A view, before anything is drafted."""
        seen = self._blank.copy()
        parts = self.parts(seen)
        self._see_own(parts, view)
        self._see_enemy(parts, view)
        self._see_map(parts.map, view)
        self._see_tracks(parts.tracks, view)
        np.clip(seen, -1, 1, out=seen)
        return seen

    def move(self, seen: Array, unit: str, hex_: int) -> None:
        """Take a unit of the observer from where it stands to where a draft puts it."""
        parts = self.parts(seen)
        row = parts.units[self._seat[unit]]
        start = self._hex_of(row)
        strength = row[_UNIT["strength"]] / 8
        for plane, amount in (("own_units", 1 / 16), ("own_strength", strength)):
            if start:
                parts.map[(_PLANE[plane], *self._at(start))] -= amount
            parts.map[(_PLANE[plane], *self._at(hex_))] += amount
        self._stand(row, hex_)
        row[_UNIT["on_top"]] = 0

    def mark(self, seen: Array, menu: Menu) -> None:
        """Mark the stage, the units that the draft names, and what is being spoken of."""
        parts = self.parts(seen)
        named = [self._seat[unit] for unit in menu.named]
        parts.units[named, _UNIT["named"]] = 1
        for unit, spent in menu.spent.items():
            parts.units[self._seat[unit], _UNIT["spent"]] = spent / (20 * MP)
        for hex_ in menu.aimed:
            parts.map[(_PLANE["aimed"], *self._at(hex_))] = 1
        focus = menu.focus
        if menu.unit:
            row = parts.units[self._seat[menu.unit]]
            row[_UNIT["chosen"]] = 1
            focus = focus or self._hex_of(row)
        if focus:
            parts.map[(_PLANE["focus"], *self._at(focus))] = 1
        parts.tracks[_TRACK[f"stage:{menu.stage}"]] = 1

    def _at(self, hex_: int) -> tuple[int, int]:
        column, row = divmod(hex_, 100)
        return column - 1, row - 1

    def _stand(self, row: Array, hex_: int) -> None:
        column, line = divmod(hex_, 100)
        row[_UNIT["on_map"]] = 1
        row[_UNIT["column"]], row[_UNIT["row"]] = column / self.columns, line / self.rows

    def _hex_of(self, row: Array) -> int:
        if not row[_UNIT["on_map"]]:
            return 0
        return (round(float(row[_UNIT["column"]]) * self.columns) * 100
                + round(float(row[_UNIT["row"]]) * self.rows))

    def _printed(self, catalog: Catalog) -> Array:
        """What never changes: the ground, and the printed strength of every unit."""
        blank = np.zeros(self.size, dtype=np.float32)
        parts = self.parts(blank)
        for hex_ in catalog.message.map.hexes:
            at = self._at(hex_.hex)
            for name in TERRAIN[:7]:
                parts.map[(_PLANE[name], *at)] = getattr(hex_, name)
        for side in catalog.message.map.hexsides:
            for hex_number in (side.hex, catalog.neighbour(side.hex, side.direction)):
                if hex_number:
                    for name in ("road", "rail"):
                        if getattr(side, name):
                            parts.map[(_PLANE[name], *self._at(hex_number))] = 1
        for unit, row in zip(catalog.message.units, parts.units, strict=True):
            row[_UNIT["printed"]] = unit.strength / 8
        return blank

    def _see_own(self, parts: Parts, view: answers_pb2.View) -> None:
        parts.units[:, _UNIT["side"]] = -1
        beaten = {pending.unit for pending in view.retreats}
        tops: dict[int, tuple[int, str]] = {}
        for unit in view.own:
            row = parts.units[self._seat[unit.unit]]
            row[_UNIT["side"]] = 1
            row[_UNIT["strength"]] = unit.strength / 8
            row[_UNIT["must_retreat"]] = unit.unit in beaten
            self._flag(row, unit.status)
            if unit.hex and unit.strength:
                self._stand(row, unit.hex)
                at = self._at(unit.hex)
                parts.map[(_PLANE["own_units"], *at)] += 1 / 16
                parts.map[(_PLANE["own_strength"], *at)] += unit.strength / 64
                tops[unit.hex] = min(tops.get(unit.hex, (unit.rank, unit.unit)),
                                     (unit.rank, unit.unit))
        for _, top in tops.values():
            parts.units[self._seat[top], _UNIT["on_top"]] = 1

    def _flag(self, row: Array, status: int) -> None:
        first = _UNIT["deployed"]
        for place, flag in enumerate(_STATUS):
            row[first + place] = bool(status & flag)

    def _see_enemy(self, parts: Parts, view: answers_pb2.View) -> None:
        beaten = {pending.unit for pending in view.retreats}
        for stack in view.enemy:
            parts.map[(_PLANE["enemy_units"], *self._at(stack.hex))] = stack.count / 16
            for unit in (stack.top, *stack.deployed):
                if unit:
                    self._stand(parts.units[self._seat[unit]], stack.hex)
            for unit in stack.deployed:
                parts.units[self._seat[unit], _UNIT["deployed"]] = 1
            for state in stack.revealed:
                row = parts.units[self._seat[state.unit]]
                self._stand(row, stack.hex)
                self._flag(row, state.status)
                row[_UNIT["strength"]] = state.strength / 8
                row[_UNIT["must_retreat"]] = state.unit in beaten
            if stack.top:
                parts.units[self._seat[stack.top], _UNIT["on_top"]] = 1

    def _see_map(self, planes: Array, view: answers_pb2.View) -> None:
        for hex_, strength in zip(self._bunkers, view.bunkers, strict=False):
            planes[(_PLANE["bunker"], *self._at(hex_))] = strength / 10
        for bridge in view.bridges:
            planes[(_PLANE["bridge"], *self._at(bridge.hex))] = 1
        for assault in view.assaults:
            planes[(_PLANE["assaulted"], *self._at(assault.hex))] = 1
        for hex_ in view.vacated:
            planes[(_PLANE["vacated"], *self._at(hex_))] = 1

    def _see_tracks(self, tracks: Array, view: answers_pb2.View) -> None:
        soviet = view.side == terms_pb2.SIDE_SOVIET
        own, enemy = (0, 1) if soviet else (1, 0)
        values: dict[str, float] = {
            "soviet": soviet, "phasing": view.phasing == view.side,
            "deciding": view.decision.side == view.side,
            "turn": view.turn / self._last_turn,
            "declared": view.declared / 20,
            "action": view.kind == terms_pb2.IMPULSE_KIND_ACTION,
            "pass": view.kind == terms_pb2.IMPULSE_KIND_PASS,
            "sustained": view.sustained, "released": view.released,
            "score": view.score.points / 200,
        }
        weather = terms_pb2.Weather.Name(view.weather).removeprefix("WEATHER_").lower()
        decision = terms_pb2.DecisionKind.Name(view.decision.kind)
        values[weather] = 1
        values["decision:" + decision.removeprefix("DECISION_KIND_").lower()] = 1
        for name, pair in (("impulses", view.impulses), ("points", view.points),
                           ("replacements", view.replacements), ("rail", view.rail_moved)):
            for whose, place in (("own", own), ("enemy", enemy)):
                values[f"{whose}_{name}"] = pair[place] / 20 if pair else 0
        for place, name in enumerate(("soviet", "german", "city")):
            values[f"supply_{name}"] = view.supply[place] / 100 if view.supply else 0
        for name, value in values.items():
            if name in _TRACK:
                tracks[_TRACK[name]] = value
