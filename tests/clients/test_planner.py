"""The planner: what it reckons with, what it asks, and that it wins."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import grpc
import pytest

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat.white_death.v1 import terms_pb2
from lovat_client.advice import SessionAdvisor
from lovat_client.bots import AdvisedBot, GreedyBot
from lovat_client.bots.board import MP, Board
from lovat_client.bots.planner_advice import OVERLAYS, PREVIEWS
from lovat_client.bots.planner_bot import PlannerBot
from lovat_client.bots.planner_fire import split
from lovat_client.bots.planner_odds import Odds
from lovat_client.bots.planner_travel import Travel
from lovat_client.sdk import EmbeddedServer, LovatClient, Session
from lovat_client.sdk.errors import LovatError
from tests.bench import duel

DECISIONS = 18
SCENARIO = "purkayevs-attack"
SCENARIOS = (SCENARIO, "woehlers-response", "first-relief-attempt", "second-relief-attempt",
             "final-relief-attempt", "velikiye-luki-campaign")


@pytest.fixture(scope="module")
def client() -> Iterator[LovatClient]:
    with EmbeddedServer() as server, server.connect() as connected:
        yield connected


class Counting:
    """An advisor that counts, in front of the real one."""

    def __init__(self, session: Session, side: str) -> None:
        self._real = SessionAdvisor(session, side)
        self.previews = self.overlays = self.shown = 0

    def preview(self, order: core_pb2.Order) -> rules_service_pb2.PreviewCombatResponse:
        self.previews += 1
        answer = self._real.preview(order)
        self.shown += any(hex_.fires for hex_ in answer.preview.white_death.hexes)
        return answer

    def overlay(self, query: core_pb2.OverlayQuery) -> core_pb2.Overlay:
        self.overlays += 1
        return self._real.overlay(query)


def played(client: LovatClient, scenario: str, decisions: int, *, advised: bool = True,
           seed: str = "planner") -> tuple[Session, dict[str, PlannerBot], int, int]:
    """Planner against planner for so many decisions: refused orders, previews that said something.

    No decision may have more questions than the bot allows itself, nor be refused for ever.
    """
    session = Session.create(client, scenario, seed=seed, standard_set_up=True)
    catalog = client.catalog(scenario).message
    bots = {side: PlannerBot(Random(f"{seed}-{side}")) for side in ("soviet", "german")}
    asked = {side: Counting(session, side) for side in bots}
    if advised:
        for side, bot in bots.items():
            bot.advise(asked[side])
    refused = 0
    while len(session.records) < decisions and not session.is_over:
        side = session.decision.side
        bot, advisor = bots[side], asked[side]
        before = advisor.previews, advisor.overlays
        order = bot.decide(session.view(side), session.legal(side), catalog)
        assert advisor.previews - before[0] <= PREVIEWS
        assert advisor.overlays - before[1] <= OVERLAYS
        for _ in range(7):
            found = session.submit(order).violations
            if not found:
                break
            refused += 1
            order = bot.refused(order, found)
        else:
            pytest.fail(f"refused for ever: {found[0].message}")
    return session, bots, refused, sum(advisor.shown for advisor in asked.values())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_plays_every_scenario(client: LovatClient, scenario: str) -> None:
    session, _, refused, _ = played(client, scenario, 8)
    assert len(session.records) == 8
    assert refused <= 4


def test_it_asks_and_the_same_seed_gives_the_same_game(client: LovatClient) -> None:
    first, bots, _, shown = played(client, SCENARIO, DECISIONS)
    again = played(client, SCENARIO, DECISIONS)[0]
    assert shown > 0
    assert sum(bot.advice.asked for bot in bots.values()) >= shown
    assert first.position.checksum == again.position.checksum


class Failing:
    """An advisor to whom nobody answers."""

    def __init__(self) -> None:
        self.asked = 0

    def preview(self, order: core_pb2.Order) -> Any:
        self.asked += 1
        raise LovatError("PreviewCombat", grpc.StatusCode.UNAVAILABLE, "gone")

    overlay = preview


def test_without_an_advisor_or_with_one_that_fails_it_plays_the_same_game(
    client: LovatClient,
) -> None:
    alone, bots, _, _ = played(client, SCENARIO, DECISIONS, advised=False)
    assert all(bot.advice.asked == 0 for bot in bots.values())
    session = Session.create(client, SCENARIO, seed="planner", standard_set_up=True)
    catalog = client.catalog(SCENARIO).message
    bots = {side: PlannerBot(Random(f"planner-{side}")) for side in ("soviet", "german")}
    advisor = Failing()
    for bot in bots.values():
        assert isinstance(bot, AdvisedBot)
        bot.advise(advisor)
    while len(session.records) < DECISIONS:
        bot = bots[session.decision.side]
        order = bot.decide(session.view(), session.legal(), catalog)
        while found := session.submit(order).violations:
            order = bot.refused(order, found)
    assert advisor.asked > 0
    assert session.position.checksum == alone.position.checksum


def test_what_it_does_not_plan_is_greedy() -> None:
    assert isinstance(PlannerBot(Random(1)), GreedyBot)
    assert PlannerBot(Random(1)).name == "planner"


# ---------------------------------------------------------------- what it reckons with

def test_odds_are_those_of_the_printed_tables(client: LovatClient) -> None:
    odds = Odds(client.catalog(SCENARIO).message.charts)
    # 3:1 at strength 3 and morale 7: MC2, MC1, MC1, MC, MC and no effect; one point at most is
    # lost to fire. Two dice fail at over 5, 6, 6, 7, 7 (26 + 21 + 21 + 15 + 15 of 36) and rout at
    # over 7, 8, 8, 9, 9 (15 + 10 + 10 + 6 + 6 of 36).
    shot = odds.conventional(18, 6, 3, 7)
    assert shot.fails == pytest.approx(98 / 216)
    assert shot.routs == pytest.approx(47 / 216)
    assert shot.loss == pytest.approx(3 / 6 + 47 / 216)
    assert odds.conventional(1, 6, 3, 7) == (0, 0, 0)
    assert odds.conventional(1.9, 6, 3, 7, fright=True).fails == pytest.approx(15 / 36)
    assert odds.bunker_loss(60) == pytest.approx(9 / 6)
    assert odds.bunker_loss(120) == pytest.approx(3)
    assert odds.bunker_loss(3) == 0
    assert odds.antitank(6, 4) == pytest.approx(2 / 6)
    assert odds.antitank(1, 4) == 0


def test_ways_are_priced_by_the_movement_chart(client: LovatClient) -> None:
    board = Board(client.catalog(SCENARIO).message)
    travel = Travel(board)
    # 2525 to 2527 is open ground: half a point a hex on foot, a quarter on skis.
    leg = travel.field(terms_pb2.MOBILITY_LEG, [2525])
    ski = travel.field(terms_pb2.MOBILITY_SKI, [2525])
    assert (leg[2525], leg[2526], ski[2526]) == (0, MP // 2, MP // 4)
    round_about = travel.field(terms_pb2.MOBILITY_LEG, [2525], closed=[2526])
    assert 2526 not in round_about
    assert round_about[2527] > leg[2527]
    stopped = travel.field(terms_pb2.MOBILITY_LEG, [2525], zone=[2526])
    assert stopped[2527] > leg[2527]
    assert stopped[2526] == leg[2526]


@pytest.mark.parametrize(("value", "attacks"), [
    (100, []), (480, []), (511, []), (960, [480, 480]), (970, [480, 490]),
    (1080, [480, 480, 120]),
])
def test_a_barrage_is_split_at_the_last_column(value: int, attacks: list[int]) -> None:
    assert split(value) == attacks


# ---------------------------------------------------------------- that it wins

def test_a_duel_is_counted_by_game_and_by_pair() -> None:
    def game(seed: str, bots: tuple[str, str], points: int, winner: str) -> duel.Game:
        return duel.Game(seed, bots, points, "", winner, (0, 0), 0, 1.0)

    games = [game("1", ("planner", "greedy"), 30, "planner"),
             game("1", ("greedy", "planner"), 20, "greedy"),
             game("2", ("planner", "greedy"), 12, ""),
             game("2", ("greedy", "planner"), 12, "planner"),
             game("3", ("planner", "greedy"), 5, "greedy")]
    found = duel.tally("planner", games)
    assert (found.games, found.won, found.share) == (5, 2.5, 0.5)
    assert (found.pairs, found.pairs_won, found.pair_share) == (2, 1.5, 0.75)
    lines = list(duel.table("planner", "greedy", games))
    assert lines[-2] == "planner by level of victory: 2.5 of 5 games, 50%"


@pytest.mark.soak
def test_it_beats_the_greedy_bot() -> None:
    """By pairs three in four; by the levels, which favour neither bot but a side, six in ten."""
    games = list(duel.duel("planner", "greedy", SCENARIO, 12, "duel", 2))
    found = duel.tally("planner", games)
    assert (found.games, found.pairs) == (12, 6)
    assert found.share >= 0.6
    assert found.pair_share >= 0.75
    assert sum(game.fallbacks for game in games) == 0
    assert sum(sum(game.refusals) for game in games) <= 4 * len(games)
