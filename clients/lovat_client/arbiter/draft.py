"""A change of a match in the making: what becomes of its rows, and what is told of it to whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2

from .codec import packed, timestamp
from .disclosure import SPECTATORS
from .presence import Presence
from .store import AnswerRow, EventRow, Match, RecordRow, Store

Tale = Callable[[str], play.MatchEvent]
"""What an audience (a side, or SPECTATORS) is told of an event."""


class Draft:
    """Begins as the match is. Nothing is changed before `commit`, which may be refused."""

    def __init__(self, match: Match, now: float) -> None:
        self.before = match
        self.row = match.row
        self.seats = {seat.side: seat for seat in match.seats}
        self.now = now
        self._events: list[EventRow] = []

    @property
    def after(self) -> Match:
        return Match(self.row, tuple(self.seats.values()))

    def set(self, **fields: Any) -> None:
        """Change columns of the match."""
        self.row = replace(self.row, **fields)

    def set_seat(self, side: str, **fields: Any) -> None:
        """Change columns of a seat."""
        self.seats[side] = replace(self.seats[side], **fields)

    def tell(self, tale: Tale, views: Mapping[str, core_pb2.View] | None = None) -> int:
        """Add an event, each audience with its own words and view; gives its number.

        Version and decision are those of the match as it is in the draft by now.
        """
        sequence = self.row.sequence + 1
        self.set(sequence=sequence)
        for audience in (*self.seats, SPECTATORS):
            event = tale(audience)
            event.sequence = sequence
            event.version = self.row.version
            event.time.CopyFrom(timestamp(self.now))
            event.decision.CopyFrom(self.row.decision)
            if views is not None:
                event.view.CopyFrom(views[audience])
            self._events.append(EventRow(sequence, audience, self.row.version,
                                         views is not None, packed(event)))
        return sequence

    def tell_all(self, event: play.MatchEvent) -> int:
        """Add an event that everybody may know."""
        def copy(_: str) -> play.MatchEvent:
            own = play.MatchEvent()
            own.CopyFrom(event)
            return own
        return self.tell(copy)

    def end(self, ending: play.Ending.ValueType, reason: str, *, winner: str = "",
            lapse: play.Lapse.ValueType = play.LAPSE_UNSPECIFIED) -> None:
        """End the match. The score is that of the last view: it is public."""
        view = next(iter(self.seats.values())).known
        result = play.MatchResult(ending=ending, winner=winner, lapse=lapse, reason=reason,
                                  score=core_pb2.Score(white_death=view.white_death.score))
        self.set(state=int(play.MATCH_STATE_OVER), result=result.SerializeToString())
        self.tell_all(play.MatchEvent(ended=play.Ended(result=result)))

    def others(self, side: str) -> list[str]:
        """The sides but one."""
        return [other for other in self.seats if other != side]

    def commit(self, store: Store, *, record: RecordRow | None = None,
               answer: AnswerRow | None = None) -> bool:
        """Write it down; False if the match has changed since the draft was begun."""
        return store.commit(self.before, self.after, events=self._events, record=record,
                            answer=answer)


def info_of(match: Match, presence: Presence) -> play.MatchInfo:
    """What anybody may know of a match."""
    info = match.row.info
    info.match_id = match.row.match_id
    info.state = play.MatchState.ValueType(match.row.state)
    for seat in match.seats:
        info.seats.add(
            side=seat.side, player=seat.player, taken=seat.taken, lapses=seat.lapses,
            connected=presence.is_connected((match.row.match_id, seat.side)),
            proposals=proposals_of(seat.proposals))
    if match.row.result is not None:
        info.result.MergeFromString(match.row.result)
    return info


def proposals_of(bits: int) -> list[play.Proposal.ValueType]:
    """The proposals that a seat's bits stand for."""
    return [play.Proposal.ValueType(number) for number in play.Proposal.values()
            if number and bits >> number & 1]
