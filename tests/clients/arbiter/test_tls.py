"""TLS: the arbiter and the rules server by a certificate made here, and clients that check it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from lovat_client.arbiter.player import MatchClient
from lovat_client.arbiter.tls import server_credentials as of_arbiter
from lovat_client.sdk import AsyncLovatClient, ClientError, LovatClient, LovatError
from lovat_client.sdk.retry import NO_RETRY
from lovat_client.sdk.server import child_environment, module_command
from lovat_server.transport.tls import server_credentials as of_rules

from .playing import SIDES, request

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")

CLI = [sys.executable, "-P", "-m", "lovat_client.cli.app"]


@dataclass(frozen=True)
class Pair:
    """A certificate that signs itself, and its private key."""

    cert: Path
    key: Path

    @property
    def options(self) -> list[str]:
        return ["--tls-cert", str(self.cert), "--tls-key", str(self.key)]


def make_pair(folder: Path, name: str) -> Pair:
    pair = Pair(folder / f"{name}.pem", folder / f"{name}.key")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", f"/CN={name}", "-keyout", str(pair.key),
         "-out", str(pair.cert), "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"],
        check=True, capture_output=True)
    return pair


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return make_pair(tmp_path_factory.mktemp("tls"), "ours")


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return make_pair(tmp_path_factory.mktemp("tls"), "theirs")


@contextmanager
def process(command: list[str], **more: str) -> Iterator[str]:
    """A server process; gives its address with the port that it says."""
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                               env={**child_environment(), **more})
    assert started.stdout is not None
    try:
        yield f"grpcs://127.0.0.1:{json.loads(started.stdout.readline())['port']}"
    finally:
        started.terminate()
        started.wait(30)
        started.stdout.close()


@pytest.fixture(scope="module")
def secure_rules(pair: Pair) -> Iterator[str]:
    with process(module_command("lovat_server.transport.main",
                                ["--port", "0", *pair.options])) as address:
        yield address


@pytest.fixture(scope="module")
def secure_arbiter(secure_rules: str, pair: Pair,
                   tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("arbiter")
    with process(
            [*CLI, "--tls-ca", str(pair.cert), "arbiter", "--port", "0", "--database",
             str(folder / "m.db"), "--rules", secure_rules, *pair.options]) as address:
        yield address


def test_a_match_is_played_over_tls(secure_arbiter: str, pair: Pair) -> None:
    with MatchClient.connect(secure_arbiter, ca=pair.cert) as lobby:
        match_id = lobby.create(request(open=True)).match.match_id
        tokens = [lobby.join(match_id, side, side=side).token for side in SIDES]
        with MatchClient.connect(secure_arbiter, tokens[0], ca=pair.cert) as seat:
            assert seat.turn().side == SIDES[0]
            assert next(seat.watch()).sequence == 1


async def _games(address: str, ca: Path) -> int:
    async with AsyncLovatClient.connect(address, ca=ca) as client:
        return len(await client.games())


def test_every_client_of_the_rules_server_can(secure_rules: str, pair: Pair) -> None:
    import asyncio

    plain = secure_rules.removeprefix("grpcs://")
    with LovatClient.connect(secure_rules, ca=pair.cert) as client, \
            LovatClient.connect(plain, ca=pair.cert) as by_ca:
        assert client.games() == by_ca.games()
    assert asyncio.run(_games(secure_rules, pair.cert)) == 1


@pytest.mark.parametrize("wrong", ["stranger", "plain", "roots"])
def test_who_is_not_trusted_is_not_spoken_to(
    secure_rules: str, other: Pair, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LOVAT_TLS_CA", raising=False)
    address = secure_rules.removeprefix("grpcs://") if wrong == "plain" else secure_rules
    ca = other.cert if wrong == "stranger" else None
    with LovatClient.connect(address, ca=ca, retry=NO_RETRY, timeout=20) as client, \
            pytest.raises(LovatError) as error:
        client.games()
    assert error.value.code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


def test_the_command_line_takes_the_certificates_from_the_environment(
    secure_rules: str, pair: Pair, tmp_path: Path
) -> None:
    command = ["new", str(tmp_path / "game.json"), "--seed", "7", "--server", secure_rules]
    done = subprocess.run(
        [*CLI, *command], env={**child_environment(), "LOVAT_TLS_CA": str(pair.cert)},
        capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "game.json").exists()


def test_certificates_that_cannot_be_read_are_named(tmp_path: Path, pair: Pair) -> None:
    nothing = tmp_path / "nothing.pem"
    nothing.write_text("no certificate")
    for file, said in ((tmp_path / "missing.pem", "cannot read the certificates"),
                       (nothing, "is no PEM file of certificates"),
                       (pair.key, "is no PEM file of certificates")):
        with pytest.raises(ClientError, match=said) as error:
            LovatClient.connect("grpcs://127.0.0.1:1", ca=file)
        assert str(file) in str(error.value)


@pytest.mark.parametrize("credentials", [of_arbiter, of_rules])
def test_a_certificate_that_will_not_do_is_said(
    credentials: Callable[..., grpc.ServerCredentials | None], pair: Pair, other: Pair,
    tmp_path: Path
) -> None:
    assert credentials(None, None) is None
    assert credentials(pair.cert, pair.key) is not None
    for cert, key, said in (
        (pair.cert, None, "belong together"),
        (None, pair.key, "belong together"),
        (tmp_path / "no.pem", pair.key, "--tls-cert: cannot read .*no.pem"),
        (pair.cert, tmp_path / "no.key", "--tls-key: cannot read .*no.key"),
        (pair.cert, other.key, "no PEM files"),
        (pair.key, pair.cert, "no PEM files"),
    ):
        with pytest.raises(OSError, match=said):
            credentials(cert, key)


def test_a_certificate_that_will_not_do_ends_a_server_with_a_sentence(
    rules: str, pair: Pair, other: Pair, tmp_path: Path
) -> None:
    wrong = ["--port", "0", "--tls-cert", str(pair.cert), "--tls-key", str(other.key)]
    for command in (
        ["lovat_client.arbiter", "--database", str(tmp_path / "m.db"), "--rules", rules],
        ["lovat_server.transport.main"],
    ):
        done = subprocess.run([sys.executable, "-m", *command, *wrong], capture_output=True,
                              text=True, check=False, timeout=120, env=child_environment())
        assert done.returncode == 1
        assert "no PEM files" in done.stderr
        assert "BEGIN" not in done.stderr
