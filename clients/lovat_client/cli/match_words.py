"""Hosted matches in words a player reads: seats, clocks, events, how a match ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lovat.play.v1 import match_service_pb2 as play

from .words import (
    decision_in_words,
    event_in_words,
    hex_number,
    kind_in_words,
    side_name,
)

if TYPE_CHECKING:
    from ..answering import Fallback

STATES = {
    play.MATCH_STATE_WAITING: "waiting",
    play.MATCH_STATE_RUNNING: "running",
    play.MATCH_STATE_ADJOURNED: "adjourned",
    play.MATCH_STATE_OVER: "over",
}
REMEDIES = {
    play.REMEDY_DEFAULT_ORDER: "default",
    play.REMEDY_FORFEIT: "forfeit",
    play.REMEDY_WAIT: "wait",
}
ENDINGS = {
    play.ENDING_PLAYED: "played to its end",
    play.ENDING_RESIGNED: "ended by a resignation",
    play.ENDING_FORFEITED: "forfeited",
    play.ENDING_ABORTED: "ended by agreement, without a winner",
}
_PROPOSALS = {
    play.PROPOSAL_ABORT: "to end without a winner",
    play.PROPOSAL_ADJOURN: "to stop for now",
    play.PROPOSAL_RESUME: "to go on",
}


def seats_in_words(match: play.MatchInfo) -> str:
    """ "soviet Anna, german free"."""
    return ", ".join(f"{seat.side} {seat.player if seat.taken else 'free'}"
                     for seat in match.seats)


def match_in_words(match: play.MatchInfo) -> Iterator[str]:
    """What anybody may know of a match, line by line."""
    name = f" {match.name!r}" if match.name else ""
    yield f"match {match.match_id}{name}: {match.scenario}, {STATES.get(match.state, 'unknown')}"
    for seat in match.seats:
        notes = [seat.player if seat.taken else
                 "free" + (", anybody may join" if match.open else ", by invitation")]
        notes += ["connected"] if seat.connected else []
        notes += [f"lapses {seat.lapses}"] if seat.lapses else []
        notes += [f"asks {_PROPOSALS.get(proposal, 'for something')}"
                  for proposal in seat.proposals]
        yield f"  {seat.side}: {', '.join(notes)}"
    times = match.time_control
    limits = [f"{seconds:g} seconds {what}" for seconds, what in (
        (times.decision_seconds, "a decision"), (times.game_seconds, "for the game"),
        (times.increment_seconds, "more after each decision")) if seconds]
    if limits:
        yield f"  clocks: {', '.join(limits)}"
    if match.commitment:
        yield f"  commitment of the dice: {match.commitment}"
    if match.HasField("result"):
        yield from (f"  {line}" for line in result_in_words(match.result))


def clocks_in_words(clocks: Iterable[play.SideClock]) -> Iterator[str]:
    """A line for each side that has a clock."""
    for clock in clocks:
        left = [f"{value:.0f} seconds {what}" for value, what, given in (
            (clock.decision_left, "for this decision", clock.HasField("decision_left")),
            (clock.game_left, "for the game", clock.HasField("game_left"))) if given]
        if left:
            running = ", running" if clock.running else ""
            yield f"clock of {clock.side}: {', '.join(left)}{running}"


def result_in_words(result: play.MatchResult) -> Iterator[str]:
    """How a match ended."""
    winner = f"; {result.winner} wins" if result.winner else ""
    yield f"the match is over: {ENDINGS.get(result.ending, 'ended')}{winner}"
    if result.reason and result.ending != play.ENDING_PLAYED:
        yield f"reason: {result.reason}"
    score = result.score.white_death
    yield f"victory points: {score.points}"
    yield f"level: {score.level}"


def fallback_in_words(one: Fallback) -> str:
    return (f"{one.side} did not answer {kind_in_words(one.kind)} at version {one.version} in "
            f"{one.attempts} attempts; "
            f"{'standing orders' if one.by_standing else 'the safest order'} did: "
            f"{one.violations[0].message}")


def match_event_in_words(event: play.MatchEvent, *, every: bool) -> Iterator[str]:
    """One entry of a match's history; with `every`, all that happened in lines of their own."""
    kind = event.WhichOneof("event")
    head = f"{event.sequence}. "
    if kind == "joined":
        yield f"{head}{event.joined.player} takes the {event.joined.side} seat"
    elif kind == "started":
        yield f"{head}the match begins; commitment of the dice {event.started.commitment}"
        yield from happenings_in_words(event.started.happenings, every=every)
    elif kind == "ordered":
        said = event.ordered
        for_it = f" (by the arbiter: {said.reason})" if said.lapse else ""
        yield f"{head}{side_name(said.side)}: {kind_in_words(said.kind)}{for_it}"
        yield from happenings_in_words(said.happenings, every=every)
    elif kind == "proposed":
        asked = _PROPOSALS.get(event.proposed.proposal, "for something")
        verb = "no longer asks" if event.proposed.withdrawn else "asks"
        yield f"{head}{event.proposed.side} {verb} {asked}"
    elif kind == "adjourned":
        yield f"{head}the match is adjourned"
    elif kind == "resumed":
        yield f"{head}the match goes on"
    elif kind == "ended":
        first, *rest = result_in_words(event.ended.result)
        yield head + first
        yield from rest
        return
    if kind in ("started", "ordered", "resumed"):
        yield f"  waits for {decision_in_words(event.decision)}"


def happenings_in_words(happenings: Iterable[play.Happening], *, every: bool) -> Iterator[str]:
    """What a side may know of what happened: all of it, or how many of each kind."""
    counts: dict[str, int] = {}
    for one in happenings:
        if one.WhichOneof("happening") == "concealed":
            name, text = one.concealed.kind, _concealed(one.concealed)
        else:
            name = one.event.white_death.WhichOneof("event") or "nothing"
            text = event_in_words(one.event)
        if every:
            yield f"  {text}"
        counts[name] = counts.get(name, 0) + 1
    if counts and not every:
        yield "  " + ", ".join(f"{kind_in_words(name)} {count}" for name, count in counts.items())


def _concealed(one: play.Concealed) -> str:
    where = [f"from {hex_number(one.start)}"] if one.start else []
    where += [f"{'to' if one.start else 'at'} {hex_number(one.hex)}"] if one.hex else []
    counters = f"{one.count} unknown counter{'' if one.count == 1 else 's'}"
    return " ".join([f"{kind_in_words(one.kind)}: {counters}", *where])
