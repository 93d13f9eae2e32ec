"""The store on SQLite and on PostgreSQL: what `commit` promises, and the migrations."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import IntegrityError

from lovat.play.v1 import match_service_pb2 as play
from lovat_client.arbiter.main import open_store
from lovat_client.arbiter.migrations import configuration, upgrade
from lovat_client.arbiter.store import (
    AnswerRow,
    EventRow,
    Match,
    MatchRow,
    RecordRow,
    SeatRow,
    Store,
    database_url,
)
from lovat_client.arbiter.tables import METADATA
from lovat_client.sdk.errors import ClientError


def match(match_id: str = "m", created: float = 1.0, *, listed: bool = True) -> Match:
    row = MatchRow(
        match_id=match_id, name="n", game="g", scenario="s", state=1, listed=listed, open=False,
        created=created, terms=b"", opening=b"", opening_events=b"", request_hash=b"r",
        request_digest=b"d", position=b"p", version=0, sequence=0, revision=0,
        decision_side="a", decision_kind="k", since=1.5, spent=0.0, stopped=0.0, result=None)
    seats = tuple(SeatRow(
        match_id=match_id, side=side, ordinal=ordinal, player="", taken=False, token_salt=b"",
        token_hash=b"", invitation_salt=b"", invitation_hash=b"", request_hash=b"", bank=0.0,
        lapses=0, refusals=0, proposals=0, view=b"")
        for ordinal, side in enumerate(("b", "a")))
    return Match(row, seats)


def test_what_is_created_is_loaded(store: Store) -> None:
    store.create(match())
    assert store.load("m") == match()
    assert store.load("x") is None
    assert store.created_by(b"r") == match()
    assert store.created_by(b"x") is None
    with pytest.raises(IntegrityError):
        store.create(match())


def test_a_change_is_made_from_the_current_revision_only(store: Store) -> None:
    store.create(match())
    before = store.load("m")
    assert before is not None
    after = Match(replace(before.row, version=1, position=b"q"),
                  (replace(before.seats[0], lapses=2), before.seats[1]))
    assert store.commit(before, after)
    now = store.load("m")
    assert now is not None
    assert (now.row.version, now.row.position, now.row.revision) == (1, b"q", 1)
    assert [seat.lapses for seat in now.seats] == [2, 0]
    assert not store.commit(before, after, events=[EventRow(1, "a", 1, True, b"e")])
    assert store.events("m", "a", 0, 99, 9) == []


def test_of_many_changes_at_once_one_is_made(store: Store) -> None:
    store.create(match())
    before = store.load("m")
    assert before is not None

    def change(number: int) -> bool:
        return store.commit(
            before, Match(replace(before.row, version=1), before.seats),
            record=RecordRow(0, 1, 0.0, bytes([number]), 0, ""))
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(change, range(8)))
    assert done.count(True) == 1
    assert store.records("m") == [RecordRow(0, 1, 0.0, bytes([done.index(True)]), 0, "")]


def test_a_change_is_made_whole_or_not_at_all(store: Store) -> None:
    store.create(match())
    before = store.load("m")
    assert before is not None
    answer = AnswerRow("a", "id", b"d", b"a")
    assert store.commit(before, before, answer=answer)
    again = store.load("m")
    assert again is not None
    changed = Match(replace(again.row, version=9), again.seats)
    with pytest.raises(IntegrityError):
        store.commit(again, changed, events=[EventRow(1, "", 9, False, b"")], answer=answer)
    assert store.load("m") == again
    assert store.events("m", "", 0, 9, 9) == []
    assert store.answer("m", "a", "id") == answer
    assert store.answer("m", "b", "id") is None


def test_events_are_read_by_audience_and_number(store: Store) -> None:
    store.create(match())
    before = store.load("m")
    assert before is not None
    rows = [EventRow(number, side, number // 2, number % 2 == 0, bytes([number]))
            for number in range(1, 8) for side in ("a", "b", "")]
    assert store.commit(before, before, events=rows)
    assert [row.sequence for row in store.events("m", "a", 2, 6, 3)] == [3, 4, 5]
    assert {row.audience for row in store.events("m", "", 0, 9, 9)} == {""}
    seen = store.last_view("m", "", 5)
    assert seen is not None
    assert seen.sequence == 4
    assert store.last_view("m", "", 1) is None
    assert store.sequence_of("m", 3) == 6
    assert store.sequence_of("m", 77) == 0


def test_matches_are_listed_in_pages(store: Store) -> None:
    for number in range(5):
        store.create(match(f"m{number}", float(number // 2), listed=number != 3))
    every = play.MATCH_STATE_UNSPECIFIED
    first = [each.row.match_id for each in store.listed(every, "", None, 3)]
    assert first == ["m4", "m2", "m1"]
    rest = store.listed(every, "", (0.0, "m1"), 3)
    assert [each.row.match_id for each in rest] == ["m0"]
    assert store.listed(play.MATCH_STATE_OVER, "", None, 3) == []
    assert store.listed(play.MATCH_STATE_WAITING, "t", None, 3) == []
    assert sorted(store.in_state(play.MATCH_STATE_WAITING)) == [f"m{n}" for n in range(5)]


def test_the_pulse_says_when_an_arbiter_was_last_alive(store: Store) -> None:
    assert store.beat(5.25) is None
    assert store.beat(7.5) == 5.25
    assert store.beat(8.0) == 7.5


def test_migrations_make_the_tables_that_the_store_uses(store: Store) -> None:
    upgrade(store.engine)
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={
            "include_name": lambda name, kind, _: kind != "table" or name in METADATA.tables})
        assert compare_metadata(context, METADATA) == []
        scripts = ScriptDirectory.from_config(configuration(connection))
        assert context.get_current_revision() == scripts.get_current_head()


def test_two_arbiters_may_start_at_once(database: str) -> None:
    def start(_: int) -> None:
        store = Store(database)
        upgrade(store.engine)
        store.close()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(start, range(4)))


def test_sqlite_writes_to_disk_before_it_answers(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "new" / "m.db"))
    with store.engine.connect() as connection:
        assert connection.execute(sa.text("PRAGMA synchronous")).scalar() == 2
        assert connection.execute(sa.text("PRAGMA journal_mode")).scalar() == "wal"
    store.close()


def test_postgresql_writes_to_disk_before_it_answers(postgres_url: str) -> None:
    store = Store(postgres_url)
    with store.engine.connect() as connection:
        assert connection.execute(sa.text("SHOW synchronous_commit")).scalar() == "on"
    store.close()


@pytest.mark.parametrize("url", [
    "sqlite://", "nonsense://x", "postgresql://lovat:geheim@127.0.0.1:1/none"])
def test_a_database_that_cannot_be_opened_is_said_without_its_password(url: str) -> None:
    with pytest.raises(ClientError) as error:
        open_store(url)
    assert "geheim" not in str(error.value)


def test_a_plain_name_is_a_file_and_postgresql_takes_the_new_driver() -> None:
    assert database_url("a/b.db").database == "a/b.db"
    assert database_url("postgresql://u@h/d").drivername == "postgresql+psycopg"
