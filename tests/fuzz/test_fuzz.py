"""The fuzzer runs, finds nothing in a few seconds, and can show what it would find."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path

import grpc
import pytest

from lovat.rules.v1 import core_pb2, rules_service_pb2
from tests.fuzz.__main__ import fuzz, main
from tests.fuzz.finds import Find, reproduction
from tests.fuzz.probe import Probe

SLOW = 60.0     # a busy machine is no find


def test_five_seconds_find_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seconds", "5", "--seed", "3", "--limit", str(SLOW)]) == 0
    assert "nothing found" in capsys.readouterr().out


def test_a_reproduction_can_be_imported(tmp_path: Path) -> None:
    request = rules_service_pb2.SubmitOrdersRequest(
        position=core_pb2.Position(checksum="abc"), order=core_pb2.Order())
    request.order.white_death.barrage.SetInParent()
    find = Find("internal", 'a "quoted"\nmessage', "SubmitOrders", request.SerializeToString(),
                "3")
    path = tmp_path / "found.py"
    path.write_text(reproduction(find), encoding="utf-8")
    found = run_path(str(path))
    assert found["position"]() == request.position
    assert found["order"]() == request.order
    assert found["METHOD"] == "SubmitOrders"


def test_a_find_ends_with_exit_code_1(monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    find = Find("slow", "too slow", "GetView", b"", "1")
    with grpc.insecure_channel("127.0.0.1:1") as channel:
        probe = Probe(channel, 1.0)
        monkeypatch.setattr("tests.fuzz.__main__.fuzz", lambda *_: (find, probe))
        assert main(["--out", str(tmp_path / "found.py")]) == 1
    assert "slow: GetView: too slow" in capsys.readouterr().out
    assert run_path(str(tmp_path / "found.py"))["KIND"] == "slow"


def test_nothing_to_call_is_a_find() -> None:
    with grpc.insecure_channel("127.0.0.1:1") as channel, pytest.raises(Find, match="crash"):
        Probe(channel, 1.0).call("GetView", side="soviet")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_a_minute_finds_nothing(seed: int) -> None:
    find, _ = fuzz(60, 100 + seed, SLOW)
    assert find is None, str(find)
