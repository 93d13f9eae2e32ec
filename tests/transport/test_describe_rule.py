"""What a clause means, asked of the server: every clause that a refusal cites has an answer."""

from __future__ import annotations

import ast
import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from typer.testing import CliRunner

import lovat_server
from lovat.rules.v1 import rules_service_pb2
from lovat_client.cli.app import app
from lovat_client.sdk import AsyncLovatClient, LovatClient, LovatError
from lovat_server.service.library import open_library
from lovat_server.transport.config import Config
from lovat_server.transport.server import build_server
from tests.transport.wire import Failure, Wire, refused

SERVER = Path(lovat_server.__file__).resolve().parent


def describe(wire: Wire, clause: str) -> rules_service_pb2.DescribeRuleResponse:
    return wire.rules.DescribeRule(rules_service_pb2.DescribeRuleRequest(clause=clause))


def unknown(wire: Wire, clause: str) -> Failure:
    return refused(wire.rules.DescribeRule, rules_service_pb2.DescribeRuleRequest(clause=clause))


def cited_by_the_server() -> Iterator[tuple[str, str]]:
    """Every string of the server's code that is a clause and nothing else, with its module."""
    for path in sorted(SERVER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) \
                    and node.value.startswith("WD ") and len(node.value) < 20:
                yield path.name, node.value


def test_a_clause_is_described_with_the_tests_that_hold_it(real: Wire) -> None:
    found = describe(real, "WD 9.C.4")
    assert (found.game, found.clause, found.rule) == (
        "white_death", "WD 9.C.4", "Rule 9: Conventional combat")
    assert "half of the strength" in found.reading
    assert "\n" not in found.reading
    assert not found.describes_components
    assert "conventional_fire.loss" in found.functions
    name = "test_wdtc_c03_at_most_half_is_lost_and_the_check_is_at_the_printed_number"
    assert f"tests/games/white_death/test_conventional_fire.py::{name}" in found.tests


def test_the_parts_of_a_clause_are_named_in_order(real: Wire) -> None:
    assert list(describe(real, "WD 9").parts) == ["WD 9.A", "WD 9.B", "WD 9.C", "WD 9.D"]
    assert list(describe(real, "WD 25.III.3").parts) == [
        "WD 25.III.3.A", "WD 25.III.3.B", "WD 25.III.3.C"]
    assert list(describe(real, "WD 9.A").parts) == []


def test_a_clause_without_a_rule_says_so(real: Wire) -> None:
    found = describe(real, "WD 1.A")
    assert found.describes_components
    assert (list(found.functions), list(found.tests)) == ([], [])


@pytest.mark.parametrize(("cited", "clause"), [
    ("9.C.3", "WD 9.C.3"), ("wd 9.c.3", "WD 9.C.3"), (" [WD 9.C.3] ", "WD 9.C.3"),
    ("E.21-E", "WD E.21-E"), ("WD 25 scenario II", "WD 25.II"), ("25.ii.3.a", "WD 25.II.3.A"),
    ("Chart.barrage", "WD Chart.barrage"), ("WD  7.", "WD 7"),
])
def test_a_citation_may_be_sloppy(real: Wire, cited: str, clause: str) -> None:
    assert describe(real, cited).clause == clause


@pytest.mark.parametrize(("cited", "near"), [
    ("WD 9.C.9", "WD 9.C"), ("WD 9.Z", "WD 9"), ("WD 14.C.2.a", "WD 14.C.2"),
    ("WD 26", "WD 25"), ("WD E.21", "WD E.21-E"), ("Chart.barage", "WD Chart.barrage"),
])
def test_an_unknown_clause_is_not_found_and_near_ones_are_named(
    real: Wire, cited: str, near: str
) -> None:
    told = unknown(real, cited)
    assert (told.code, told.reason, told.field) == (
        grpc.StatusCode.NOT_FOUND, "UNKNOWN", "clause")
    assert cited in told.message
    assert near in told.message.partition("near it are ")[2].split(", ")


def test_what_is_near_nothing_has_no_hint(real: Wire) -> None:
    told = unknown(real, "Flogiston")
    assert told.code is grpc.StatusCode.NOT_FOUND
    assert told.message == "there is no clause 'Flogiston'"


@pytest.mark.parametrize("cited", ["", "   ", "9" * 65])
def test_what_cannot_be_a_citation_is_malformed(real: Wire, cited: str) -> None:
    told = unknown(real, cited)
    assert (told.code, told.reason, told.field) == (
        grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED", "clause")


def test_a_server_without_rulebooks_knows_no_clause(stub: Wire) -> None:
    assert unknown(stub, "WD 9.C.3").code is grpc.StatusCode.NOT_FOUND


def test_every_clause_that_a_refusal_or_a_modifier_cites_is_described(real: Wire) -> None:
    cited = {clause: module for module, clause in cited_by_the_server()}
    assert {"WD 9.C.3", "WD E.19", "WD 25.2"} <= cited.keys()
    answers = {clause: describe(real, clause) for clause in sorted(cited)}
    assert {clause: found.clause for clause, found in answers.items()
            if found.clause != clause} == {}
    assert [clause for clause, found in answers.items() if found.describes_components] == []


# The clients.

@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server, port = build_server(open_library(), Config(port=0, workers=2))
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(None).wait()


def test_both_clients_describe_a_rule(address: str) -> None:
    async def ask() -> rules_service_pb2.DescribeRuleResponse:
        async with AsyncLovatClient.connect(address) as client:
            return await client.describe_rule("WD 4.A")

    with LovatClient.connect(address) as client:
        found = client.describe_rule("WD 4.A")
        with pytest.raises(LovatError, match=r"near it are WD 4") as error:
            client.describe_rule("WD 4.D")
    assert error.value.code is grpc.StatusCode.NOT_FOUND
    assert found == asyncio.run(ask())
    assert found.reading.startswith("German: three battalion equivalents")


def test_the_command_line_says_it_in_words(address: str) -> None:
    def run(*arguments: str, code: int = 0) -> str:
        result = CliRunner().invoke(app, ["rule", *arguments, "--server", address])
        assert result.exit_code == code, result.output
        return result.output if code else result.stdout

    words = run("WD", "9.C.3")
    assert words.startswith("WD 9.C.3  Rule 9: Conventional combat\n")
    assert "29 to 10 is 2:1" in words
    assert "(--tests names them)" in words
    assert "test test" not in words
    assert "  test tests/games/white_death/" in run("9.C.3", "--tests")
    assert "parts: WD 9.C.1, WD 9.C.2" in run("9.C")
    assert "describes components" in run("1.A")
    assert json.loads(run("9.C.3", "--json"))["clause"] == "WD 9.C.3"
    assert "near it are WD 9.C" in run("9.C.7", code=1)


def test_the_command_explains_itself() -> None:
    result = CliRunner().invoke(app, ["rule", "--help"], terminal_width=200)
    assert result.exit_code == 0
    assert "lovat rule 'WD 9.C.3'" in result.output
