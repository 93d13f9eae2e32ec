"""How much one caller may ask, on a clock that the test turns, and through a real arbiter."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from pathlib import Path

import grpc
import pytest

from lovat.play.v1 import match_service_pb2 as play
from lovat_client.arbiter import limits
from lovat_client.arbiter.errors import ArbiterError
from lovat_client.arbiter.limits import BURST_SECONDS, Caller, Limiter, Limits, host_of
from lovat_client.arbiter.player import MatchClient
from lovat_client.sdk import LovatClient, LovatError, RetryPolicy
from lovat_client.sdk.retry import NO_RETRY, Patience

from .playing import SIDES, Hall
from .processes import ArbiterProcess, running

RATE = 4.0
BURST = int(RATE * BURST_SECONDS)
HERE = "ipv4:10.0.0.1:5000"


class Clock:
    time = 1_000_000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limiter(clock: Clock) -> Limiter:
    return Limiter(Limits(rate=RATE, watches=2, matches=3, streams=5), clock)


def admitted(limiter: Limiter, caller: Caller, most: int = 10_000) -> int:
    """How many calls are let in at once."""
    for number in range(most):
        try:
            limiter.admit(caller)
        except ArbiterError:
            return number
    return most


def trusted(limiter: Limiter, token: str) -> Caller:
    caller = Caller.of(HERE, token)
    limiter.admit(caller)
    limiter.trust(caller)
    return caller


def test_a_caller_gets_a_burst_and_then_the_rate(limiter: Limiter, clock: Clock) -> None:
    caller = Caller.of(HERE, "")
    assert admitted(limiter, caller) == BURST
    clock.time += 1.0
    assert admitted(limiter, caller) == RATE
    clock.time += 3600.0
    assert admitted(limiter, caller) == BURST


def test_who_is_refused_learns_when_to_come_again(limiter: Limiter, clock: Clock) -> None:
    caller = Caller.of(HERE, "")
    admitted(limiter, caller)
    clock.time += 0.1
    with pytest.raises(ArbiterError) as error:
        limiter.admit(caller)
    assert error.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert error.value.retry_after == pytest.approx((1 - 0.1 * RATE) / RATE)
    clock.time += error.value.retry_after + 1e-6
    assert admitted(limiter, caller) == 1


def test_a_clock_that_is_set_back_takes_nothing_and_gives_nothing(
    limiter: Limiter, clock: Clock
) -> None:
    caller = Caller.of(HERE, "")
    admitted(limiter, caller)
    clock.time -= 3600.0
    assert admitted(limiter, caller) == 0
    clock.time += 1.0
    assert admitted(limiter, caller) == RATE


def test_seats_behind_one_host_do_not_hold_each_other_up(limiter: Limiter) -> None:
    one, other = trusted(limiter, "one"), trusted(limiter, "other")
    assert admitted(limiter, one) == BURST - 1
    assert admitted(limiter, other) == BURST - 1
    assert admitted(limiter, Caller.of(HERE, "")) == BURST - 2


def test_guessing_tokens_costs_the_host_that_guesses(limiter: Limiter) -> None:
    seat = trusted(limiter, "right")
    for number in range(BURST - 1):
        guess = Caller.of(HERE, f"wrong {number}")
        limiter.admit(guess)
        limiter.distrust(guess)
    assert admitted(limiter, Caller.of(HERE, "another")) == 0
    assert admitted(limiter, seat) == BURST - 1
    assert admitted(limiter, Caller.of("ipv4:10.0.0.2:5000", "another")) == BURST


def test_no_limit_is_none(clock: Clock) -> None:
    limiter = Limiter(Limits(rate=0, watches=0, matches=0, streams=0), clock)
    caller = Caller.of(HERE, "")
    assert admitted(limiter, caller, 500) == 500
    for number in range(100):
        limiter.open_watch(caller)
        limiter.may_create(caller, lambda made: made)
        limiter.created(caller, str(number))


def test_callers_who_are_quiet_are_forgotten_and_gain_nothing(
    limiter: Limiter, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_BUCKETS", 20)
    busy = Caller.of("ipv4:10.0.0.9:1", "")
    admitted(limiter, busy)
    for number in range(200):
        limiter.admit(Caller.of(f"ipv4:10.0.1.{number}:1", ""))
    assert len(limiter._buckets) <= 20
    assert admitted(limiter, busy) == 0
    clock.time += 3600
    limiter.admit(Caller.of("ipv4:10.0.2.1:1", ""))
    for number in range(25):
        limiter.admit(Caller.of(f"ipv4:10.0.3.{number}:1", ""))
    assert len(limiter._buckets) <= 20


def test_streams_are_counted_for_each_caller_and_for_all(limiter: Limiter) -> None:
    callers = [Caller.of(f"ipv4:10.0.0.{number}:1", "") for number in range(3)]
    for caller in callers[:2]:
        for _ in range(2):
            limiter.open_watch(caller)
        with pytest.raises(ArbiterError, match="more than 2 streams") as own:
            limiter.open_watch(caller)
        assert own.value.retry_after is None
    limiter.open_watch(callers[2])
    with pytest.raises(ArbiterError, match="too many streams") as of_all:
        limiter.open_watch(callers[2])
    assert of_all.value.retry_after
    limiter.close_watch(callers[0])
    limiter.open_watch(callers[2])


def test_matches_count_until_they_are_over(limiter: Limiter) -> None:
    over: set[str] = set()

    def unfinished(made: Collection[str]) -> set[str]:
        return set(made) - over
    caller, other = Caller.of(HERE, ""), Caller.of("ipv4:10.0.0.2:1", "")
    for number in range(3):
        limiter.may_create(caller, unfinished)
        limiter.created(caller, f"match {number}")
    with pytest.raises(ArbiterError, match="more than 3 matches"):
        limiter.may_create(caller, unfinished)
    limiter.may_create(other, unfinished)
    over.add("match 1")
    limiter.may_create(caller, unfinished)
    limiter.created(caller, "match 3")
    with pytest.raises(ArbiterError):
        limiter.may_create(caller, unfinished)


@pytest.mark.parametrize(("peer", "host"), [
    ("ipv4:10.1.2.3:5000", "10.1.2.3"),
    ("ipv6:%5B::1%5D:50052", "::/64"),
    ("ipv6:[2001:db8:1:2:3:4:5:6]:50052", "2001:db8:1:2::/64"),
    ("ipv6:%5B2001:db8:1:2::9%5D:1", "2001:db8:1:2::/64"),
    ("ipv6:[::ffff:10.1.2.3]:50052", "10.1.2.3"),
    ("ipv6:[fe80::1%25eth0]:50052", "fe80::/64"),
    ("unix:/tmp/socket", "unix"),
    ("unix:", "unix"),
    ("", ""),
    ("ipv4:nonsense", ""),
])
def test_the_host_is_read_from_what_grpc_says(peer: str, host: str) -> None:
    assert host_of(peer) == host


def test_a_caller_keeps_no_token() -> None:
    caller = Caller.of(HERE, "m.soviet.secret")
    assert "secret" not in repr(caller)
    assert caller != Caller.of(HERE, "m.soviet.other")


# ---------------------------------------------------------------- the SDK

def test_what_was_asked_for_later_is_repeated_then() -> None:
    code = grpc.StatusCode.RESOURCE_EXHAUSTED
    patience = Patience(RetryPolicy(attempts=3, first_pause=0.1), 10.0)
    assert patience.pause_after(code, 0.7) == 0.7
    assert patience.pause_after(code, 0.0) == 0.2
    assert patience.pause_after(code, 0.0) is None, "no attempt is left"
    assert Patience(RetryPolicy(), 10.0).pause_after(code) is None, "waiting does not help"
    assert Patience(RetryPolicy(), 1.0).pause_after(code, 60.0) is None, "there is no time"
    assert Patience(NO_RETRY, 10.0).pause_after(code, 0.1) is None


# ---------------------------------------------------------------- through a real arbiter

@pytest.fixture(scope="module")
def strict(rules: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArbiterProcess]:
    """An arbiter that lets little in, but as much as a test needs to begin."""
    folder = tmp_path_factory.mktemp("strict")
    with running(str(folder / "m.db"), rules, folder / "log",
                 "--rate", "4", "--watches", "2", "--matches", "3") as process:
        yield process


def test_too_many_calls_are_refused_and_the_client_waits(strict: ArbiterProcess) -> None:
    with Hall(strict.address) as hall:
        table = hall.table()
        token = table.tokens["soviet"]
        with MatchClient.connect(strict.address, token, retry=NO_RETRY) as hasty:
            with pytest.raises(LovatError) as error:
                _ask_on_and_on(hasty)
            assert error.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert error.value.reason == "TOO_MANY"
            assert error.value.retry_after is not None
            assert 0 < error.value.retry_after <= 0.25
            assert token.split(".")[2] not in str(error.value)
        for _ in range(5):
            assert table.seats["soviet"].turn(without_listing=True).side == "soviet"
        assert table.seats["german"].turn(without_listing=True).side == "german"
        with LovatClient.connect(strict.address) as client:
            for _ in range(3):
                assert client.games()


def _ask_on_and_on(seat: MatchClient) -> None:
    for _ in range(2000):
        seat.turn(without_listing=True)


def test_too_many_streams_of_a_seat_are_refused(strict: ArbiterProcess) -> None:
    with Hall(strict.address) as hall:
        table = hall.table()
        seat, other = (table.seats[side] for side in SIDES)
        streams = [seat.watch() for _ in range(2)]
        for stream in streams:
            assert next(stream).sequence == 1
        with pytest.raises(LovatError) as error:
            next(seat.watch())
        assert (error.value.code, error.value.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY")
        assert next(other.watch()).sequence == 1
        streams[0].close()
        assert next(_when_possible(seat)).sequence == 1
        streams[1].close()
        table.seats["soviet"].resign()


def _when_possible(seat: MatchClient) -> Iterator[play.MatchEvent]:
    """The arbiter hears a moment later that a stream has been closed."""
    for _ in range(300):
        try:
            yield from seat.watch()
        except LovatError as error:
            if error.reason != "TOO_MANY":
                raise
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the stream that was closed is still counted")


def test_too_many_unfinished_matches_are_refused(rules: str, tmp_path: Path) -> None:
    with running(str(tmp_path / "m.db"), rules, tmp_path / "log", "--matches", "2") as process, \
            Hall(process.address) as hall:
        table = hall.table(request_id="first")
        hall.create()
        for _ in range(2):
            with pytest.raises(LovatError, match="more than 2 matches") as error:
                hall.create()
            assert error.value.reason == "TOO_MANY"
            assert error.value.retry_after is None
        table.seats["german"].resign()
        hall.create()
        with pytest.raises(LovatError, match="more than 2 matches"):
            hall.create()
