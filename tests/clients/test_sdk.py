"""The SDK against a small server on a real port, and against the real one in its own process."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from lovat.rules.v1 import core_pb2
from lovat.rules.v1 import rules_service_pb2 as rules
from lovat.white_death.v1 import answers_pb2, orders_pb2, terms_pb2
from lovat_client.sdk import (
    AsyncLovatClient,
    AsyncSession,
    EmbeddedServer,
    LovatClient,
    LovatError,
    RetryPolicy,
    ServerStartError,
    Session,
    path_to,
    reachable,
)
from lovat_client.sdk.requests import as_order
from lovat_client.sdk.retry import NO_RETRY

from .fake import SCENARIO, FakeRules, serving

QUICK = RetryPolicy(first_pause=0.01)


@pytest.fixture
def fake() -> Iterator[tuple[FakeRules, str]]:
    with serving() as served:
        yield served


@pytest.fixture
def client(fake: tuple[FakeRules, str]) -> Iterator[LovatClient]:
    with LovatClient.connect(fake[1], retry=QUICK) as connected:
        yield connected


def declare(points: int) -> orders_pb2.DeclareImpulse:
    return orders_pb2.DeclareImpulse(points=points, kind=terms_pb2.IMPULSE_KIND_ACTION)


def test_games_scenarios_and_catalog(client: LovatClient, fake: tuple[FakeRules, str]) -> None:
    assert [game.id for game in client.games()] == ["white_death"]
    assert [scenario.id for scenario in client.scenarios()] == [SCENARIO]
    first, second = client.catalog(SCENARIO), client.catalog(SCENARIO)
    assert first is second, "a catalog that has not changed is not sent again"
    assert first.unit("s-1").label == "1 Rifle"
    assert fake[0].calls["GetCatalog"] == 2


def test_every_rpc_has_a_method_of_messages(client: LovatClient) -> None:
    created = client.rpc.create_game(rules.CreateGameRequest(
        scenario=SCENARIO, dice_mode=core_pb2.DICE_MODE_SEEDED, seed="7", request_id="a"))
    assert created.request_id == "a"
    assert created.decision.kind == "declare_impulse"
    services = {"CatalogService", "RulesService"}
    from lovat.rules.v1 import catalog_service_pb2 as catalogs

    names = {method.name for module in (rules, catalogs)
             for name, service in module.DESCRIPTOR.services_by_name.items() if name in services
             for method in service.methods}
    snake = {"".join(f"_{c.lower()}" if c.isupper() else c for c in name)[1:] for name in names}
    assert snake <= set(dir(client.rpc))


def test_an_accepted_order_gives_a_new_position(client: LovatClient) -> None:
    created = client.create_game(SCENARIO, seed=7)
    outcome = client.submit(created.position, declare(3))
    assert outcome.is_accepted
    assert outcome.position is not None
    assert outcome.position.version == outcome.version == 1
    assert outcome.decision.side == "german"
    assert len(outcome.events) == 2


def test_a_refused_order_is_an_answer(client: LovatClient) -> None:
    created = client.create_game(SCENARIO, seed=7)
    outcome = client.submit(created.position, declare(11))
    assert outcome.is_refused
    assert outcome.position is None
    assert outcome.checksum == created.position.checksum
    assert [(v.clause, v.order_path) for v in outcome.violations] == [
        ("WD 5", "declare_impulse.points")]
    judgement = client.validate(created.position, declare(11))
    assert not judgement.is_legal
    assert judgement.receipt is None
    assert client.validate(created.position, declare(10)).receipt is not None


def test_orders_may_be_given_at_any_depth() -> None:
    inner = orders_pb2.Order(declare_impulse=declare(2))
    whole = core_pb2.Order(white_death=inner)
    assert as_order(declare(2)) == as_order(inner) == as_order(whole) == whole
    assert as_order(orders_pb2.Barrage()).white_death.WhichOneof("order") == "barrage"
    with pytest.raises(TypeError):
        as_order(answers_pb2.View())


def test_a_listing_is_one_however_many_pages(client: LovatClient) -> None:
    position = client.create_game(SCENARIO, seed=7).position
    whole = client.legal(position)
    assert client.legal(position, page_size=2) == whole
    assert client.legal(position, page_size=1) == whole
    assert len(whole.white_death.units) == 5
    assert len(whole.white_death.declarations) == 1


def test_an_error_says_code_reason_and_fields(client: LovatClient) -> None:
    with pytest.raises(LovatError) as unknown:
        client.create_game("nowhere", seed=7)
    assert unknown.value.code is grpc.StatusCode.NOT_FOUND
    assert unknown.value.reason == "UNKNOWN"
    assert unknown.value.metadata == {"field": "scenario"}
    assert unknown.value.rpc == "CreateGame"
    assert "there is no scenario 'nowhere'" in str(unknown.value)
    with pytest.raises(LovatError) as malformed:
        client.submit(client.create_game(SCENARIO, seed=7).position, orders_pb2.Barrage())
    assert malformed.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [(field.field, field.description) for field in malformed.value.fields] == [
        ("order.white_death", "nothing is set here")]
    assert "order.white_death: nothing is set here" in str(malformed.value)


def test_an_unavailable_call_is_made_again(client: LovatClient,
                                           fake: tuple[FakeRules, str]) -> None:
    fake[0].unavailable = 3
    assert client.create_game(SCENARIO, seed=7).position.version == 0
    assert fake[0].calls["CreateGame"] == 4
    fake[0].unavailable = 4
    with pytest.raises(LovatError) as error:
        client.create_game(SCENARIO, seed=7)
    assert error.value.code is grpc.StatusCode.UNAVAILABLE


def test_only_an_unavailable_call_is_made_again(client: LovatClient,
                                                fake: tuple[FakeRules, str]) -> None:
    with pytest.raises(LovatError):
        client.create_game("nowhere", seed=7)
    assert fake[0].calls["CreateGame"] == 1


def test_nobody_there_is_an_error_within_the_deadline() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    began = time.monotonic()
    with LovatClient.connect(address, timeout=5, retry=QUICK) as nobody, \
            pytest.raises(LovatError) as error:
        nobody.games()
    assert error.value.code is grpc.StatusCode.UNAVAILABLE
    assert time.monotonic() - began < 5


def test_a_deadline_is_kept() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        began = time.monotonic()
        with LovatClient.connect(address, timeout=0.5, retry=NO_RETRY) as client, \
                pytest.raises(LovatError) as error:
            client.games()
    assert error.value.code in (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE)
    assert time.monotonic() - began < 5


def test_a_session_keeps_position_and_log(client: LovatClient) -> None:
    session = Session.create(client, SCENARIO, seed=7)
    first = session.position.checksum
    assert session.submit(declare(99)).is_refused
    assert session.records == ()
    session.submit(declare(3))
    session.resolve_impulse({"german": [declare(2)]})
    assert [record.impulse for record in session.records] == [False, True]
    assert session.records[0].checksum_before == first
    assert session.records[0].orders[0].side == "soviet"
    assert session.records[1].checksum_before == session.records[0].checksum_after
    assert session.records[1].checksum_after == session.position.checksum
    assert (session.records[1].dice_before, session.records[1].dice_after) == (1, 2)
    held = session.records
    session.submit(declare(1))
    session.submit(declare(1))
    assert session.is_over
    assert len(held) == 2, "a log that was taken does not grow"
    assert client.replay(session.start, iter(session.records)).verified


def test_the_first_position_is_in_the_start_only_where_it_is_needed(client: LovatClient) -> None:
    assert not Session.create(client, SCENARIO, seed=7).start.HasField("position")
    assert Session.create(client, SCENARIO).start.HasField("position")


def test_a_seed_and_a_script_exclude_each_other(client: LovatClient) -> None:
    with pytest.raises(ValueError, match="either a seed or a script"):
        client.create_game(SCENARIO, seed=7, script=[1, 2])


def test_the_asynchronous_client_does_the_same(fake: tuple[FakeRules, str]) -> None:
    async def play() -> tuple[str, str, bool]:
        async with AsyncLovatClient.connect(fake[1], retry=QUICK) as client:
            assert (await client.catalog(SCENARIO)).unit("s-2").strength == 3
            session = await AsyncSession.create(client, SCENARIO, seed=7)
            assert len((await session.legal()).white_death.units) == 5
            whole = await client.legal(session.position)
            assert await client.legal(session.position, page_size=2) == whole
            assert (await session.submit(declare(99))).is_refused
            assert not (await session.validate(declare(99))).is_legal
            fake[0].unavailable = 2
            await session.submit(declare(3))
            await session.resolve_impulse({"german": [declare(2)]})
            assert (await session.view()).white_death.turn == 2
            with pytest.raises(LovatError) as error:
                await client.create_game("nowhere", seed=7)
            assert error.value.code is grpc.StatusCode.NOT_FOUND
            assert error.value.reason == "UNKNOWN"
            verdict = await client.replay(session.start, session.records)
            level = (await session.score()).white_death.level
            return session.position.checksum, level, verdict.verified

    checksum, level, verified = asyncio.run(play())
    with LovatClient.connect(fake[1]) as client:
        session = Session.create(client, SCENARIO, seed=7)
        session.submit(declare(3))
        session.resolve_impulse({"german": [declare(2)]})
    assert (checksum, level, verified) == (session.position.checksum, "Draw", True)


def test_the_two_clients_have_the_same_methods() -> None:
    def methods(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")}

    assert methods(LovatClient) == methods(AsyncLovatClient)
    assert methods(Session) == methods(AsyncSession)


# Paths out of a listing.

def options(*rows: tuple[int, int, int]) -> answers_pb2.UnitOptions:
    hexes, costs, previous = zip(*rows, strict=True)
    return answers_pb2.UnitOptions(unit="s-1", hexes=hexes, costs=costs, previous=previous,
                                   marks=[0] * (len(rows) - 1) + [3])


def test_a_path_is_read_back_to_the_hex_of_the_unit() -> None:
    listed = options((1731, 60, 1732), (1730, 120, 1731), (1831, 60, 1732), (1729, 180, 1730))
    assert path_to(listed, 1729) == [1731, 1730, 1729]
    assert path_to(listed, 1831) == [1831]
    with pytest.raises(KeyError):
        path_to(listed, 1733)
    reach = reachable(listed)
    assert reach[1730].cost == 120
    assert reach[1730].may_end
    assert not reach[1729].may_end
    assert reach[1729].stops


def test_a_path_from_outside_begins_with_its_entry_hex() -> None:
    listed = options((101, 60, 0), (102, 120, 101))
    assert path_to(listed, 102) == [101, 102]


def test_a_listing_that_goes_in_a_circle_is_no_endless_loop() -> None:
    with pytest.raises(ValueError, match="circle"):
        path_to(options((101, 60, 102), (102, 60, 101)), 101)


# A server of one's own.

def is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


def test_an_embedded_server_serves_and_ends() -> None:
    with EmbeddedServer() as server, server.connect() as client:
        process_id = server.process_id
        assert is_running(process_id)
        assert "white_death" in {game.id for game in client.games()}
    assert not is_running(process_id)
    with pytest.raises(ServerStartError):
        _ = server.address


def test_two_embedded_servers_do_not_meet() -> None:
    with EmbeddedServer() as one, EmbeddedServer() as other:
        assert one.address != other.address


def test_a_server_that_does_not_start_says_why() -> None:
    with pytest.raises(ServerStartError, match="exit code"):
        EmbeddedServer(options=["--no-such-option"]).start()
    with pytest.raises(ServerStartError, match="No module named"):
        EmbeddedServer(module="lovat_server.no_such_module").start()


README = Path(__file__).resolve().parents[2] / "clients" / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
EXAMPLES = [block for block in BLOCKS if "EmbeddedServer" in block and "my_bots" not in block]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_readme_run(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example, "README.md", "exec"), {"__name__": "example"})
    assert capsys.readouterr().out.strip()
