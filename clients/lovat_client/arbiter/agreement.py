"""What needs the agreement of both seats: to abort, to adjourn, to resume."""

from __future__ import annotations

from lovat.play.v1 import match_service_pb2 as play

from .clock import TimeSource
from .draft import Draft, info_of
from .errors import not_running
from .presence import Presence
from .seating import ATTEMPTS, Seating, too_busy
from .store import Match, Store

LONGEST_ADJOURNMENT = 7 * 86_400.0
"""Seconds after which one seat alone may resume."""

_POSSIBLE = {
    play.PROPOSAL_ABORT: (play.MATCH_STATE_WAITING, play.MATCH_STATE_RUNNING,
                          play.MATCH_STATE_ADJOURNED),
    play.PROPOSAL_ADJOURN: (play.MATCH_STATE_RUNNING,),
    play.PROPOSAL_RESUME: (play.MATCH_STATE_ADJOURNED,),
}


class Agreement:
    """Collects what the seats ask for, and does it once all who have a seat agree."""

    def __init__(self, store: Store, seating: Seating, presence: Presence,
                 now: TimeSource) -> None:
        self._store = store
        self._seating = seating
        self._presence = presence
        self._now = now

    def propose(self, token: str, match_id: str, proposal: play.Proposal.ValueType,
                withdraw: bool) -> play.MatchInfo:
        """Ask for something, or no longer. Asking again, or for what is so already, is harmless."""
        for _ in range(ATTEMPTS):
            match, side = self._seating.identify_seat(token, match_id)
            if _is_so(match, proposal):
                return info_of(match, self._presence)
            if match.row.state not in _POSSIBLE[proposal]:
                raise not_running(play.MatchState.ValueType(match.row.state))
            bits, bit = match.seat(side).proposals, 1 << proposal
            wanted = bits & ~bit if withdraw else bits | bit
            draft = Draft(match, self._now())
            if wanted != bits:
                draft.set_seat(side, proposals=wanted)
                draft.tell_all(play.MatchEvent(proposed=play.Proposed(
                    side=side, proposal=proposal, withdrawn=withdraw)))
            if not withdraw and self._is_agreed(draft, proposal):
                _carry_out(draft, proposal)
            if draft.after == match or draft.commit(self._store):
                return info_of(draft.after, self._presence)
        raise too_busy()

    def _is_agreed(self, draft: Draft, proposal: play.Proposal.ValueType) -> bool:
        if proposal == play.PROPOSAL_RESUME \
                and draft.now - draft.row.stopped >= LONGEST_ADJOURNMENT:
            return True
        return all(seat.proposals >> proposal & 1
                   for seat in draft.seats.values() if seat.taken)


def _is_so(match: Match, proposal: play.Proposal.ValueType) -> bool:
    state = match.row.state
    if proposal == play.PROPOSAL_ADJOURN:
        return state == play.MATCH_STATE_ADJOURNED
    if proposal == play.PROPOSAL_RESUME:
        return state == play.MATCH_STATE_RUNNING
    return match.row.result is not None and \
        play.MatchResult.FromString(match.row.result).ending == play.ENDING_ABORTED


def _carry_out(draft: Draft, proposal: play.Proposal.ValueType) -> None:
    for side in draft.seats:
        draft.set_seat(side, proposals=0)
    if proposal == play.PROPOSAL_ABORT:
        draft.end(play.ENDING_ABORTED, "the players agreed to end the match")
    elif proposal == play.PROPOSAL_ADJOURN:
        row = draft.row
        draft.set(state=int(play.MATCH_STATE_ADJOURNED), stopped=draft.now, since=draft.now,
                  spent=row.spent + max(0.0, draft.now - row.since))
        draft.tell_all(play.MatchEvent(adjourned=play.Adjourned()))
    else:
        draft.set(state=int(play.MATCH_STATE_RUNNING), stopped=0.0, since=draft.now)
        draft.tell_all(play.MatchEvent(resumed=play.Resumed()))
