"""Opening a match, taking a seat, and telling who is calling."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2
from lovat.rules.v1 import rules_service_pb2 as rules

from .clock import LONGEST, TimeSource
from .codec import digest, packed, timestamp, unpacked
from .disclosure import SPECTATORS, public_view
from .draft import Draft, info_of
from .errors import ArbiterError, malformed, not_running, unknown_match, unknown_token
from .policy import completed
from .presence import Presence
from .referee import Opening, Referee
from .store import Match, MatchRow, SeatRow, Store
from .tokens import Hashed, claim_of, hash_of, new_match_id, new_secret, token_of

LONGEST_NAME = 80
LONGEST_REQUEST_ID = 128
DEFAULT_DELAY = 8
"""How many events a spectator is behind, if the match does not say."""

ATTEMPTS = 20
"""How often a change is made again because another one came first."""


class Seating:
    """The door of the arbiter. Every method raises `ArbiterError` for a call that is refused."""

    def __init__(self, store: Store, referee: Referee, presence: Presence,
                 now: TimeSource) -> None:
        self._store = store
        self._referee = referee
        self._presence = presence
        self._now = now

    def create(self, request: play.CreateMatchRequest,
               may_open: Callable[[], None]) -> play.CreateMatchResponse:
        """Open a match, or give new invitations to one that was opened by this request id.

        `may_open` raises if there must be no further match.
        """
        _check_creation(request)
        request_hash = hash_of(request.request_id)
        known = self._store.created_by(request_hash) if request_hash else None
        if known is not None:
            return self._invite_again(known, request)
        may_open()
        creation = rules.CreateGameRequest(
            scenario=request.scenario, dice_mode=core_pb2.DICE_MODE_SEEDED,
            seed=request.seed or new_secret(), standard_set_up=request.standard_set_up,
            options=request.options if request.HasField("options") else None)
        opening = self._referee.create(creation)
        match, invitations = self._opened(request, request_hash, opening)
        self._store.create(match)
        return play.CreateMatchResponse(match=info_of(match, self._presence),
                                        invitations=invitations)

    def join(self, request: play.JoinMatchRequest) -> play.JoinMatchResponse:
        """Take a seat; the last one taken starts the match."""
        _check_name("player", request.player, required=True)
        check_request_id(request.request_id)
        for _ in range(ATTEMPTS):
            match = self._store.load(request.match_id)
            if match is None:
                raise unknown_match()
            seat = _seat_asked_for(match, request)
            repeated = seat.taken and seat.request_hash != b"" \
                and seat.request_hash == hash_of(request.request_id)
            if seat.taken and not repeated:
                raise ArbiterError(play.MATCH_ERROR_REASON_SEAT_TAKEN,
                                   f"the seat of {seat.side} is taken")
            if not repeated and match.row.state != play.MATCH_STATE_WAITING:
                raise not_running(play.MatchState.ValueType(match.row.state))
            secret = new_secret()
            hashed = Hashed.of(secret)
            draft = Draft(match, self._now())
            draft.set_seat(seat.side, token_salt=hashed.salt, token_hash=hashed.digest)
            if not repeated:
                draft.set_seat(seat.side, taken=True, player=request.player,
                               request_hash=hash_of(request.request_id))
                draft.tell_all(play.MatchEvent(
                    joined=play.Joined(side=seat.side, player=request.player)))
                if all(each.taken for each in draft.seats.values()):
                    self._start(draft)
            if draft.commit(self._store):
                self._presence.heard((match.row.match_id, seat.side), draft.now)
                return play.JoinMatchResponse(
                    token=token_of(match.row.match_id, seat.side, secret), side=seat.side,
                    match=info_of(draft.after, self._presence))
        raise too_busy()

    def identify(self, token: str, match_id: str) -> tuple[Match, str]:
        """The match that a call is about and the side that calls; SPECTATORS without a token."""
        if not token:
            match = self._store.load(match_id)
            if match is None:
                raise unknown_match()
            return match, SPECTATORS
        claim = claim_of(token)
        match = self._store.load(claim.match_id) if claim is not None else None
        sides = {seat.side: seat for seat in match.seats} if match is not None else {}
        seat = sides.get(claim.side) if claim is not None else None
        hashed = Hashed(seat.token_salt, seat.token_hash) if seat is not None else Hashed.none()
        if not hashed.matches(claim.secret if claim is not None else "") or match is None \
                or seat is None:
            raise unknown_token()
        if match_id and match_id != match.row.match_id:
            raise ArbiterError(play.MATCH_ERROR_REASON_NOT_YOUR_MATCH,
                               "the token is of another match")
        self._presence.heard((match.row.match_id, seat.side), self._now())
        return match, seat.side

    def identify_seat(self, token: str, match_id: str) -> tuple[Match, str]:
        """As `identify`, for calls that only a seat may make."""
        match, side = self.identify(token, match_id)
        if side == SPECTATORS:
            raise ArbiterError(play.MATCH_ERROR_REASON_SEAT_NEEDED,
                               "only a seat may do this; send its token")
        return match, side

    def _opened(self, request: play.CreateMatchRequest, request_hash: bytes, opening: Opening
                ) -> tuple[Match, list[play.Invitation]]:
        match_id, now, position = new_match_id(), self._now(), opening.position
        spectating = play.Spectating(
            forbidden=request.spectating.forbidden,
            delay=request.spectating.delay or DEFAULT_DELAY)
        terms = play.MatchInfo(
            name=request.name, game=position.game, scenario=position.scenario,
            time_control=request.time_control, policy=completed(request.policy),
            spectating=spectating, dice=request.dice or play.MATCH_DICE_COMMIT_REVEAL,
            commitment=position.state.dice.commitment, catalog_hash=position.catalog_hash,
            ruleset_version=position.ruleset_version, created=timestamp(now), open=request.open)
        row = MatchRow(
            match_id=match_id, name=request.name, game=position.game, scenario=position.scenario,
            state=int(play.MATCH_STATE_WAITING), listed=not request.unlisted, open=request.open,
            created=now, terms=terms.SerializeToString(), opening=packed(opening.start),
            opening_events=packed(rules.CreateGameResponse(events=opening.events)),
            request_hash=request_hash, request_digest=digest(request), position=packed(position),
            version=position.version, sequence=0, revision=0,
            decision_side=opening.decision.side, decision_kind=opening.decision.kind,
            since=now, spent=0.0, stopped=0.0, result=None)
        seats = [self._free_seat(match_id, ordinal, side, opening, request.time_control)
                 for ordinal, side in enumerate(opening.sides)]
        return _with_invitations(Match(row, tuple(seats)))

    def _free_seat(self, match_id: str, ordinal: int, side: str, opening: Opening,
                   control: play.TimeControl) -> SeatRow:
        position = opening.position
        disclosure = self._referee.disclosure(position.scenario, position.catalog_hash)
        view = disclosure.view(self._referee.view(position, side), side)
        return SeatRow(
            match_id=match_id, side=side, ordinal=ordinal, player="", taken=False,
            token_salt=b"", token_hash=b"", invitation_salt=b"", invitation_hash=b"",
            request_hash=b"", bank=control.game_seconds, lapses=0, refusals=0, proposals=0,
            view=packed(view))

    def _invite_again(self, match: Match,
                      request: play.CreateMatchRequest) -> play.CreateMatchResponse:
        if match.row.request_digest != digest(request) \
                or any(seat.taken for seat in match.seats):
            raise ArbiterError(play.MATCH_ERROR_REASON_REUSED_REQUEST_ID,
                               "the request id was used for another match")
        invited, invitations = _with_invitations(match)
        if not self._store.commit(match, invited):
            raise too_busy()
        return play.CreateMatchResponse(match=info_of(invited, self._presence),
                                        invitations=invitations)

    def _start(self, draft: Draft) -> None:
        """Begin play: the clocks start, and everybody hears how the game begins."""
        draft.set(state=int(play.MATCH_STATE_RUNNING), since=draft.now, spent=0.0)
        row = draft.row
        disclosure = self._referee.disclosure(row.scenario, row.info.catalog_hash)
        events = unpacked(rules.CreateGameResponse, row.opening_events).events
        views = {side: seat.known for side, seat in draft.seats.items()}
        views[SPECTATORS] = public_view(list(views.values()))

        def tale(audience: str) -> play.MatchEvent:
            return play.MatchEvent(started=play.Started(
                happenings=disclosure.happenings(events, audience, [views[audience]]),
                commitment=row.info.commitment))
        draft.tell(tale, views)


def too_busy() -> ArbiterError:
    return ArbiterError(play.MATCH_ERROR_REASON_TOO_MANY,
                        "too many changes at the same time; try again", retry_after=0.1)


def check_request_id(request_id: str) -> None:
    if len(request_id) > LONGEST_REQUEST_ID:
        raise malformed("request_id", f"has at most {LONGEST_REQUEST_ID} characters")


def _seat_asked_for(match: Match, request: play.JoinMatchRequest) -> SeatRow:
    """The seat that a request may take; of an open match also without an invitation."""
    if request.side and request.side not in {seat.side for seat in match.seats}:
        raise ArbiterError(play.MATCH_ERROR_REASON_UNKNOWN,
                           f"there is no side {request.side[:LONGEST_NAME]!r} in this match")
    seats = [seat for seat in match.seats if request.side in ("", seat.side)]
    if not match.row.open:
        seats = [seat for seat in seats if request.invitation
                 and Hashed(seat.invitation_salt, seat.invitation_hash)
                 .matches(request.invitation)]
        if not seats:
            raise ArbiterError(play.MATCH_ERROR_REASON_NOT_YOUR_MATCH,
                               "the invitation is not for a seat of this match")
        return seats[0]
    request_hash = hash_of(request.request_id)
    again = [seat for seat in seats if seat.taken and request_hash
             and seat.request_hash == request_hash]
    free = [seat for seat in seats if not seat.taken]
    return (again or free or seats)[0]


def _with_invitations(match: Match) -> tuple[Match, list[play.Invitation]]:
    """The match with new invitations, and what they are; none for an open match."""
    if match.row.open:
        return match, []
    secrets = {seat.side: new_secret() for seat in match.seats}
    seats = []
    for seat in match.seats:
        hashed = Hashed.of(secrets[seat.side])
        seats.append(replace(seat, invitation_salt=hashed.salt, invitation_hash=hashed.digest))
    return Match(match.row, tuple(seats)), [
        play.Invitation(side=side, invitation=secret) for side, secret in secrets.items()]


def _check_creation(request: play.CreateMatchRequest) -> None:
    """MALFORMED for the first field that makes no sense; what the rules know is left to them."""
    check_request_id(request.request_id)
    _check_name("name", request.name, required=False)
    if not request.scenario:
        raise malformed("scenario", "is required")
    if request.dice not in play.MatchDice.values():
        raise malformed("dice", f"{request.dice} is no way of making dice")
    seeded = request.dice == play.MATCH_DICE_SEEDED
    if seeded != bool(request.seed):
        raise malformed("seed", "is for seeded dice, and only for them")
    if len(request.seed) > 64:
        raise malformed("seed", "has at most 64 characters")
    times = {
        "time_control.decision_seconds": request.time_control.decision_seconds,
        "time_control.game_seconds": request.time_control.game_seconds,
        "time_control.increment_seconds": request.time_control.increment_seconds,
        "policy.crashed_seconds": request.policy.crashed_seconds,
    }
    for field, seconds in times.items():
        if not math.isfinite(seconds) or not 0 <= seconds <= LONGEST:
            raise malformed(field, f"is 0 to {LONGEST:.0f} seconds")
    for lapse in ("late", "out_of_time", "silent", "crashed", "illegal"):
        if getattr(request.policy, lapse) not in play.Remedy.values():
            raise malformed(f"policy.{lapse}", "is no remedy")
    if request.spectating.delay > 100_000:
        raise malformed("spectating.delay", "is at most 100000 events")


def _check_name(field: str, name: str, *, required: bool) -> None:
    if required and not name.strip():
        raise malformed(field, "is required")
    if len(name) > LONGEST_NAME or not all(letter.isprintable() for letter in name):
        raise malformed(field, f"has at most {LONGEST_NAME} characters, all of them printable")
