"""How a match goes on: an accepted order written down, and what is done about a failing seat."""

from __future__ import annotations

from dataclasses import dataclass

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2

from ..sdk.results import Outcome
from ..winners import table_of, winner_by
from .clock import Left, Pending, TimeSource, bank_after, left
from .codec import packed
from .disclosure import SPECTATORS, public_view
from .draft import Draft
from .policy import default_orders, lapse_of, reason_of, remedy_of
from .presence import Presence
from .referee import Referee, RefereeError, is_over
from .seating import ATTEMPTS
from .store import Match, RecordRow, Store

_FOR_NOW = 1 << play.PROPOSAL_ABORT | 1 << play.PROPOSAL_ADJOURN


@dataclass(frozen=True, slots=True)
class Said:
    """What answered a decision: the order as the log keeps it, and who gave it.

    `impulse` says that it was a whole impulse by standing orders. With a `lapse` the arbiter
    answered, for that `reason`.
    """

    orders: tuple[core_pb2.SideOrders, ...]
    impulse: bool = False
    lapse: play.Lapse.ValueType = play.LAPSE_UNSPECIFIED
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A change to be committed, with its record and what each audience is told."""

    draft: Draft
    record: RecordRow
    sequence: int
    happenings: dict[str, list[play.Happening]]


class Progress:
    """Carries matches on. Raises what `Referee` raises."""

    def __init__(self, store: Store, referee: Referee, presence: Presence,
                 now: TimeSource) -> None:
        self._store = store
        self._referee = referee
        self._presence = presence
        self._now = now

    def step(self, match: Match, outcome: Outcome, said: Said, now: float) -> Step:
        """The change that an accepted order makes."""
        if outcome.position is None:
            raise RefereeError("the rules server accepted an order and gave no position")
        row, before = match.row, match.row.head
        info = row.info
        printed = self._referee.printed(row.scenario, info.catalog_hash)
        disclosure = printed.disclosure
        old = {seat.side: seat.known for seat in match.seats}
        new = {side: disclosure.view(self._referee.view(outcome.position, side), side)
               for side in old}
        old[SPECTATORS] = public_view(list(old.values()))
        new[SPECTATORS] = public_view(list(new.values()))
        happenings = {audience: disclosure.happenings(outcome.events, audience,
                                                      [old[audience], new[audience]])
                      for audience in new}
        draft = Draft(match, now)
        draft.set(position=packed(outcome.position), version=outcome.version, since=now, spent=0.0,
                  decision_side=outcome.decision.side, decision_kind=outcome.decision.kind)
        for seat in match.seats:
            draft.set_seat(seat.side, view=packed(new[seat.side]), refusals=0,
                           proposals=seat.proposals & ~_FOR_NOW)
        decided = match.seat(row.decision_side)
        draft.set_seat(decided.side, bank=bank_after(
            info.time_control, pending(match), now, answered=not said.lapse))
        if said.lapse:
            draft.set_seat(decided.side, lapses=decided.lapses + 1)

        def tale(audience: str) -> play.MatchEvent:
            return play.MatchEvent(ordered=play.Ordered(
                side=row.decision_side, kind=row.decision_kind, lapse=said.lapse,
                happenings=happenings[audience], reason=said.reason))
        sequence = draft.tell(tale, new)
        record = core_pb2.LogRecord(
            version=before.version, checksum_before=before.checksum,
            dice_before=before.state.dice.counter, impulse=said.impulse, orders=said.orders,
            events=outcome.events, checksum_after=outcome.checksum,
            dice_after=outcome.dice_counter)
        if is_over(outcome.decision):
            level = new[row.decision_side].white_death.score.level
            draft.end(play.ENDING_PLAYED, "the scenario was played to its end",
                      winner=winner_by(table_of(draft.seats, printed.levels), level))
        return Step(draft, RecordRow(before.version, sequence, now, packed(record),
                                     int(said.lapse), said.reason), sequence, happenings)

    def settle(self, match_id: str) -> bool:
        """Do what the match's policy says if its deciding seat has failed; whether it had."""
        for _ in range(ATTEMPTS):
            match = self._store.load(match_id)
            if match is None or match.row.state != play.MATCH_STATE_RUNNING:
                return False
            now = self._now()
            lapse = self.lapse(match, now)
            if lapse == play.LAPSE_UNSPECIFIED:
                return False
            seat, policy = match.seat(match.row.decision_side), match.row.info.policy
            lapses = seat.lapses + 1
            remedy = remedy_of(policy, lapse, lapses)
            if remedy == play.REMEDY_WAIT:
                return False
            reason = reason_of(lapse, seat.side, lapses, policy)
            if remedy == play.REMEDY_FORFEIT:
                draft = Draft(match, now)
                draft.set_seat(seat.side, lapses=lapses)
                draft.end(play.ENDING_FORFEITED, reason, lapse=lapse,
                          winner=", ".join(draft.others(seat.side)))
                done = draft.commit(self._store)
            else:
                step = self._default(match, lapse, reason, now)
                done = step.draft.commit(self._store, record=step.record)
            if done:
                return True
        return False

    def lapse(self, match: Match, now: float) -> play.Lapse.ValueType:
        """What the deciding seat of a running match has failed to do by now."""
        row = match.row
        seat = (row.match_id, row.decision_side)
        return lapse_of(
            row.info.policy, time_left(match, now),
            refusals=match.seat(row.decision_side).refusals,
            away=self._presence.away_for(seat, row.since, now),
            heard=self._presence.was_heard_since(seat, row.since))

    def _default(self, match: Match, lapse: play.Lapse.ValueType, reason: str,
                 now: float) -> Step:
        """The answer of a seat that gives none."""
        row, position = match.row, match.row.head
        standing = core_pb2.StandingOrders(
            white_death=match.seat(row.decision_side).known.white_death.standing)
        listing = self._referee.listing(position, row.decision_side, None, ())
        for order in default_orders(row.decision_kind, listing, standing):
            outcome = self._referee.submit(position, order)
            if outcome.is_accepted:
                said = core_pb2.SideOrders(side=row.decision_side, orders=[order])
                return self.step(match, outcome, Said((said,), lapse=lapse, reason=reason), now)
        outcome = self._referee.resolve_impulse(position)
        if outcome.is_refused:
            raise RefereeError(f"nothing answers {row.decision_kind} of {row.decision_side}")
        return self.step(match, outcome, Said((), True, lapse, reason), now)


def pending(match: Match) -> Pending:
    """The clock of the decision that a match waits for."""
    return Pending(match.row.since, match.row.spent, match.seat(match.row.decision_side).bank)


def time_left(match: Match, now: float) -> Left:
    """What is left to the deciding side; while the match does not run, what was left then."""
    row = match.row
    running = row.state == play.MATCH_STATE_RUNNING
    return left(row.info.time_control, pending(match), now if running else row.since)


def clocks_of(match: Match, now: float) -> list[play.SideClock]:
    """Every side's clock."""
    control = match.row.info.time_control
    deciding = match.row.state in (play.MATCH_STATE_RUNNING, play.MATCH_STATE_ADJOURNED)
    clocks = []
    for seat in match.seats:
        clock = play.SideClock(side=seat.side)
        if deciding and seat.side == match.row.decision_side:
            rest = time_left(match, now)
            clock.running = match.row.state == play.MATCH_STATE_RUNNING
            if rest.decision is not None:
                clock.decision_left = max(0.0, rest.decision)
            if rest.game is not None:
                clock.game_left = max(0.0, rest.game)
        else:
            if control.decision_seconds:
                clock.decision_left = control.decision_seconds
            if control.game_seconds:
                clock.game_left = seat.bank
        clocks.append(clock)
    return clocks
