"""Exchanging what a side may not know changes no byte of what it is told.

Two counters of the other side that are alike in everything but their names, and both hidden,
change places; then the side asks for its turn, errs and orders, and the other side moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from google.protobuf.message import Message

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import catalog_pb2, state_pb2, terms_pb2
from lovat_client.arbiter.codec import packed
from lovat_client.arbiter.main import open_store
from lovat_client.arbiter.referee import Referee
from lovat_client.arbiter.service import Service
from lovat_client.arbiter.store import Match, Store
from lovat_client.sdk import LovatClient

from .playing import SIDES, illegal, orders_for, request

SCENARIO = "final-relief-attempt"
NAMES = ("id", "label", "division", "formation", "battalion", "regiment", "colour")


def likeness(unit: catalog_pb2.Unit) -> bytes:
    """What a counter is, without what only tells it from others."""
    copy = catalog_pb2.Unit()
    copy.CopyFrom(unit)
    for field in (*NAMES, "set_up", "arrival_turn", "arrival_impulse", "arrival_area"):
        copy.ClearField(field)
    return copy.SerializeToString(deterministic=True)


def hidden_twins(position: core_pb2.Position, units: Sequence[catalog_pb2.Unit],
                 side: str) -> Iterator[tuple[state_pb2.UnitState, state_pb2.UnitState]]:
    """Pairs of enemy counters in different hexes, alike, and under another counter."""
    rows = {row.unit: row for row in position.state.white_death.units}
    enemy = {unit.id: unit for unit in units
             if (unit.side == terms_pb2.SIDE_SOVIET) != (side == "soviet")}
    tops: dict[int, int] = {}
    for name in enemy:
        row = rows[name]
        if row.hex:
            tops[row.hex] = min(tops.get(row.hex, row.rank), row.rank)
    hidden = [name for name in enemy if rows[name].hex and rows[name].rank > tops[rows[name].hex]
              and not rows[name].status & terms_pb2.STATUS_FLAG_DEPLOYED]
    for one, other in combinations(hidden, 2):
        if rows[one].hex != rows[other].hex and likeness(enemy[one]) == likeness(enemy[other]):
            yield rows[one], rows[other]


def exchange(one: state_pb2.UnitState, other: state_pb2.UnitState) -> None:
    kept = state_pb2.UnitState()
    kept.CopyFrom(one)
    names = one.unit, other.unit
    one.CopyFrom(other)
    other.CopyFrom(kept)
    one.unit, other.unit = names


class Observed:
    """A match in which one side is watched; `position` replaces the first one."""

    def __init__(self, store: Store, referee: Referee) -> None:
        self.store = store
        self.service = Service(store, referee, lambda: 1000.0)
        created = self.service.create_match(request(
            scenario=SCENARIO, open=True, dice=play.MATCH_DICE_SEEDED, seed="twins"))
        self.match_id = created.match.match_id
        self.tokens = {side: self.service.join_match(play.JoinMatchRequest(
            match_id=self.match_id, side=side, player=side)).token for side in SIDES}

    @property
    def match(self) -> Match:
        match = self.store.load(self.match_id)
        assert match is not None
        return match

    def put(self, position: core_pb2.Position) -> None:
        before = self.match
        after = Match(replace(before.row, position=packed(position)), before.seats)
        assert self.store.commit(before, after)

    def observe(self, side: str, random: Random) -> list[Message]:
        """Everything that the side is told while both sides decide a few times."""
        told: list[Message] = []
        for number in range(6):
            decider = self.match.row.decision_side
            turn = self.service.get_turn(self.tokens[decider], play.GetTurnRequest())
            mine = self.service.get_turn(self.tokens[side], play.GetTurnRequest())
            told.append(mine)
            bold = random if decider == side else None
            for tried, order in enumerate([illegal(), *orders_for(turn, bold)]):
                answer = self.service.submit_orders(
                    self.tokens[decider], play.SubmitOrdersRequest(
                        order=order, expected_version=turn.version,
                        request_id=f"{number}-{tried}"))
                if decider == side:
                    told.append(answer)
                if not answer.violations:
                    break
        watch = self.service.open_watch(self.tokens[side], play.WatchMatchRequest(
            with_views=True, after_sequence=3))
        told += self.service.read_watch(watch)[0]
        for message in told:
            if isinstance(message, play.GetTurnResponse):
                message.match.match_id = ""
        return told


@pytest.mark.parametrize("side", SIDES)
def test_hidden_twins_may_change_places_unnoticed(rules: str, tmp_path: Path, side: str) -> None:
    store = open_store(str(tmp_path / "m.db"))
    with Referee(rules) as referee, LovatClient.connect(rules) as client:
        units = client.catalog(SCENARIO).message.units
        plain = Observed(store, referee)
        first = plain.match.row.head
        pairs = list(hidden_twins(first, units, side))
        if not pairs:
            pytest.skip(f"no two hidden counters are alike for {side}")
        expected = plain.observe(side, Random(3))
        for number in Random(4).sample(range(len(pairs)), min(4, len(pairs))):
            exchanged = core_pb2.Position()
            exchanged.CopyFrom(first)
            exchange(*list(hidden_twins(exchanged, units, side))[number])
            exchanged.checksum = ""
            other = Observed(store, referee)
            other.put(exchanged)
            assert other.observe(side, Random(3)) == expected
    store.close()
