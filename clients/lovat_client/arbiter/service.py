"""The calls of MatchService, without gRPC: who calls is a token, why not is an `ArbiterError`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2
from lovat.rules.v1 import rules_service_pb2 as rules

from ..sdk.results import Outcome
from .agreement import Agreement
from .clock import TimeSource, system_time
from .codec import digest, packed, timestamp, unpacked
from .disclosure import SPECTATORS
from .draft import Draft, info_of
from .errors import ArbiterError, malformed, not_running, stale
from .inquiries import Inquiries, require_decision
from .presence import Presence
from .progress import Progress, Said, clocks_of
from .referee import Referee
from .seating import ATTEMPTS, Seating, check_request_id, too_busy
from .store import AnswerRow, Match, Store

DEFAULT_PAGE, LARGEST_PAGE = 50, 200
EVENTS_AT_A_TIME = 64
BEAT_SECONDS = 2.0
"""How often the arbiter notes that it is alive, for the clocks of matches after its end."""


@dataclass(slots=True)
class Watch:
    """One reader of a match's events; `after` is the number of the last one that he has."""

    match_id: str
    audience: str
    after: int
    with_views: bool


class Service:
    """The arbiter. Methods may be called from any thread.

    `on_change` is called with the id of a match after each change of it that was committed here.
    """

    def __init__(self, store: Store, referee: Referee, now: TimeSource = system_time,
                 on_change: Callable[[str], None] = lambda _: None) -> None:
        self._store = store
        self._referee = referee
        self._now = now
        self._on_change = on_change
        self.presence = Presence()
        self._seating = Seating(store, referee, self.presence, now)
        self.inquiries = Inquiries(self._seating, referee)
        self._progress = Progress(store, referee, self.presence, now)
        self._agreement = Agreement(store, self._seating, self.presence, now)
        self._last_beat = 0.0
        self._timeless: set[str] = set()
        self._ticking = threading.Lock()

    def create_match(self, request: play.CreateMatchRequest,
                     may_open: Callable[[], None] = lambda: None) -> play.CreateMatchResponse:
        """`may_open` raises if there must be no further match."""
        return self._seating.create(request, may_open)

    def join_match(self, request: play.JoinMatchRequest) -> play.JoinMatchResponse:
        response = self._seating.join(request)
        self._on_change(response.match.match_id)
        return response

    def get_turn(self, token: str, request: play.GetTurnRequest) -> play.GetTurnResponse:
        match, side = self._seating.identify(token, request.match_id)
        row = match.row
        response = play.GetTurnResponse(
            match=info_of(match, self.presence), side=side,
            clocks=clocks_of(match, self._now()))
        if side == SPECTATORS:
            self._admit_spectator(match)
            seen = self._store.last_view(row.match_id, SPECTATORS, _shown_until(match, side))
            if seen is not None:
                event = seen.message
                response.version, response.sequence = event.version, event.sequence
                response.decision.CopyFrom(event.decision)
                response.view.CopyFrom(event.view)
            return response
        response.version, response.sequence = row.version, row.sequence
        response.decision.CopyFrom(row.decision)
        response.view.CopyFrom(match.seat(side).known)
        if row.state == play.MATCH_STATE_RUNNING and row.decision_side == side \
                and not request.without_listing:
            draft = request.draft if request.HasField("draft") else None
            response.listing.CopyFrom(
                self._referee.listing(row.head, side, draft, request.units))
        return response

    def submit_orders(self, token: str, request: play.SubmitOrdersRequest
                      ) -> play.SubmitOrdersResponse:
        match, side = self._seating.identify_seat(token, request.match_id)
        _check_submission(request)
        match_id = match.row.match_id
        for _ in range(ATTEMPTS):
            given = self._store.answer(match_id, side, request.request_id)
            if given is not None:
                return _same_answer(given, request)
            if request.expected_version != match.row.version:
                raise stale(match.row.version)
            require_decision(match, side)
            now = self._now()
            if self._progress.lapse(match, now) and self._progress.settle(match_id):
                self._on_change(match_id)
            else:
                response = self._answer(match, side, request, now)
                if response is not None:
                    self._on_change(match_id)
                    return response
            match, side = self._seating.identify_seat(token, request.match_id)
        raise too_busy()

    def open_watch(self, token: str, request: play.WatchMatchRequest) -> Watch:
        match, side = self._seating.identify(token, request.match_id)
        if side == SPECTATORS:
            self._admit_spectator(match)
        after = request.after_sequence
        if request.HasField("after_version"):
            if request.after_version > match.row.version:
                raise malformed("after_version", "the match has not come so far")
            after = max(after, self._store.sequence_of(match.row.match_id,
                                                       request.after_version))
        return Watch(match.row.match_id, side, after, request.with_views)

    def read_watch(self, watch: Watch) -> tuple[list[play.MatchEvent], bool]:
        """The next events of a watch, which goes on behind them; whether no more will come."""
        match = self._store.load(watch.match_id)
        if match is None:
            return [], True
        until = _shown_until(match, watch.audience)
        rows = self._store.events(watch.match_id, watch.audience, watch.after, until,
                                  EVENTS_AT_A_TIME)
        events = [row.message for row in rows]
        if events:
            watch.after = events[-1].sequence
        if not watch.with_views:
            for event in events:
                event.ClearField("view")
        over = match.row.state == play.MATCH_STATE_OVER
        return events, over and watch.after >= match.row.sequence

    def resign(self, token: str, request: play.ResignRequest) -> play.ResignResponse:
        """Resign. Repeated after the end it changes nothing if it was this seat that resigned."""
        for _ in range(ATTEMPTS):
            match, side = self._seating.identify_seat(token, request.match_id)
            draft = Draft(match, self._now())
            winner = ", ".join(draft.others(side))
            info = info_of(match, self.presence)
            if info.result.ending == play.ENDING_RESIGNED and info.result.winner == winner:
                return play.ResignResponse(match=info)
            if match.row.state not in (play.MATCH_STATE_RUNNING, play.MATCH_STATE_ADJOURNED):
                raise not_running(play.MatchState.ValueType(match.row.state))
            draft.end(play.ENDING_RESIGNED, f"{side} resigned", winner=winner)
            if draft.commit(self._store):
                self._on_change(match.row.match_id)
                return play.ResignResponse(match=info_of(draft.after, self.presence))
        raise too_busy()

    def abort(self, token: str, request: play.AbortRequest) -> play.AbortResponse:
        return play.AbortResponse(match=self._propose(
            token, request.match_id, play.PROPOSAL_ABORT, request.withdraw))

    def adjourn(self, token: str, request: play.AdjournRequest) -> play.AdjournResponse:
        return play.AdjournResponse(match=self._propose(
            token, request.match_id, play.PROPOSAL_ADJOURN, request.withdraw))

    def resume(self, token: str, request: play.ResumeRequest) -> play.ResumeResponse:
        return play.ResumeResponse(match=self._propose(
            token, request.match_id, play.PROPOSAL_RESUME, request.withdraw))

    def get_replay(self, token: str,
                   request: play.GetReplayRequest) -> Iterator[play.GetReplayResponse]:
        match, _ = self._seating.identify(token, request.match_id)
        if match.row.state != play.MATCH_STATE_OVER:
            raise ArbiterError(play.MATCH_ERROR_REASON_NOT_OVER,
                               "the log and the dice are shown after the end of the match")
        return self._replay(match)

    def list_matches(self, request: play.ListMatchesRequest) -> play.ListMatchesResponse:
        size = min(request.page_size or DEFAULT_PAGE, LARGEST_PAGE)
        found = self._store.listed(request.state, request.scenario,
                                   _page_start(request.page_token), size + 1)
        response = play.ListMatchesResponse(
            matches=[info_of(match, self.presence) for match in found[:size]])
        if len(found) > size:
            last = found[size - 1].row
            response.next_page_token = f"{last.created!r}:{last.match_id}"
        return response

    def recover(self) -> None:
        """After a start: time while no arbiter was alive is nobody's, so clocks go on from there.
        """
        now = self._now()
        last = self._store.beat(now)
        for match_id in self._store.in_state(play.MATCH_STATE_RUNNING) if last else ():
            match = self._store.load(match_id)
            if match is not None and last is not None:
                draft = Draft(match, now)
                draft.set(since=min(now, match.row.since + max(0.0, now - last)))
                draft.commit(self._store)

    def tick(self) -> None:
        """Do what is due to seats that have failed. Called a few times a second."""
        with self._ticking:
            now = self._now()
            if abs(now - self._last_beat) >= BEAT_SECONDS:
                self._store.beat(now)
                self._last_beat = now
            for match_id in self._store.in_state(play.MATCH_STATE_RUNNING):
                if match_id not in self._timeless:
                    self._tick(match_id, now)

    def _propose(self, token: str, match_id: str, proposal: play.Proposal.ValueType,
                 withdraw: bool) -> play.MatchInfo:
        info = self._agreement.propose(token, match_id, proposal, withdraw)
        self._on_change(info.match_id)
        return info

    def _tick(self, match_id: str, now: float) -> None:
        match = self._store.load(match_id)
        if match is None or match.row.state != play.MATCH_STATE_RUNNING:
            return
        info = match.row.info
        if not (info.time_control.decision_seconds or info.time_control.game_seconds
                or info.policy.crashed_seconds or info.policy.illegal_limit):
            self._timeless.add(match_id)
        elif self._progress.lapse(match, now) and self._progress.settle(match_id):
            self._on_change(match_id)

    def _answer(self, match: Match, side: str, request: play.SubmitOrdersRequest,
                now: float) -> play.SubmitOrdersResponse | None:
        """Carry an order out; None if the match has changed meanwhile and it must be tried again.
        """
        standing = request.standing if request.HasField("standing") else None
        outcome = self._referee.submit(match.row.head, request.order, standing)
        if outcome.is_refused:
            return self._refuse(match, side, request, outcome, now)
        said = Said((core_pb2.SideOrders(side=side, orders=[request.order], standing=standing),))
        step = self._progress.step(match, outcome, said, now)
        response = play.SubmitOrdersResponse(
            version=outcome.version, sequence=step.sequence, happenings=step.happenings[side],
            decision=outcome.decision, request_id=request.request_id)
        answer = AnswerRow(side, request.request_id, digest(request), packed(response))
        done = step.draft.commit(self._store, record=step.record, answer=answer)
        return response if done else None

    def _refuse(self, match: Match, side: str, request: play.SubmitOrdersRequest,
                outcome: Outcome, now: float) -> play.SubmitOrdersResponse | None:
        response = play.SubmitOrdersResponse(
            violations=self.inquiries.for_player(
                match, side, outcome.violations, request.order),
            version=match.row.version, decision=match.row.decision,
            request_id=request.request_id)
        draft = Draft(match, now)
        draft.set_seat(side, refusals=match.seat(side).refusals + 1)
        answer = AnswerRow(side, request.request_id, digest(request), packed(response))
        if not draft.commit(self._store, answer=answer):
            return None
        if self._progress.lapse(draft.after, now):
            self._progress.settle(match.row.match_id)
        return response

    def _admit_spectator(self, match: Match) -> None:
        if match.row.info.spectating.forbidden and match.row.state != play.MATCH_STATE_OVER:
            raise ArbiterError(play.MATCH_ERROR_REASON_NO_SPECTATORS,
                               "this match is not shown to spectators")

    def _replay(self, match: Match) -> Iterator[play.GetReplayResponse]:
        start = unpacked(rules.ReplayStart, match.row.opening)
        yield play.GetReplayResponse(header=play.ReplayHeader(
            match=info_of(match, self.presence), start=start,
            secret=start.position.state.dice.secret, records=match.row.version))
        after = -1
        while rows := self._store.records(match.row.match_id, after):
            for row in rows:
                yield play.GetReplayResponse(entry=play.ReplayEntry(
                    record=unpacked(core_pb2.LogRecord, row.record), sequence=row.sequence,
                    time=timestamp(row.time), lapse=play.Lapse.ValueType(row.lapse),
                    reason=row.reason))
            after = rows[-1].version


def _check_submission(request: play.SubmitOrdersRequest) -> None:
    if not request.request_id:
        raise malformed("request_id", "is required")
    check_request_id(request.request_id)
    if not request.HasField("expected_version"):
        raise malformed("expected_version", "is required")
    if not request.HasField("order"):
        raise malformed("order", "is required")


def _same_answer(given: AnswerRow, request: play.SubmitOrdersRequest
                 ) -> play.SubmitOrdersResponse:
    if given.digest != digest(request):
        raise ArbiterError(play.MATCH_ERROR_REASON_REUSED_REQUEST_ID,
                           "the request id was used for another order")
    return unpacked(play.SubmitOrdersResponse, given.answer)


def _shown_until(match: Match, audience: str) -> int:
    """The number of the last event that an audience may have by now."""
    if audience != SPECTATORS or match.row.state == play.MATCH_STATE_OVER:
        return match.row.sequence
    return match.row.sequence - match.row.info.spectating.delay


def _page_start(token: str) -> tuple[float, str] | None:
    if not token:
        return None
    created, _, match_id = token.partition(":")
    try:
        return float(created), match_id
    except ValueError:
        raise malformed("page_token", "is none that this arbiter gave") from None
