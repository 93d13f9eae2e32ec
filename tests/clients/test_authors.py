"""AUTHORS.md is true: its commands print what it says, its C# names what protoc writes."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import generate
from lovat.rules.v1 import rules_service_pb2
from tests.clients.authors import PAGE, ROOT, Doors, Section, both_doors, fits, run, sections

SECTIONS = sections(PAGE.read_text("utf-8"))
FOREIGN = {"Cysharp", "Net", "Http", "Grpc", "Client", "YetAnotherHttpHandler", "Http2Only",
           "GrpcChannel", "ForAddress", "GrpcChannelOptions", "HttpHandler", "Debug", "Log",
           "Count"}
"""Names in the C# that are of other libraries."""


@pytest.fixture(scope="module")
def doors() -> Iterator[Doors]:
    pytest.importorskip("connectrpc", reason="the extra `web` is not installed")
    pytest.importorskip("uvicorn", reason="the extra `web` is not installed")
    with both_doors() as found:
        yield found


@pytest.mark.parametrize("section", SECTIONS, ids=[section.title for section in SECTIONS])
def test_the_commands_print_what_the_page_says(
    section: Section, tmp_path: Path, doors: Doors,
) -> None:
    missing = section.missing_tools()
    if missing:
        pytest.skip(f"not on PATH: {', '.join(missing)}")
    printed = run(section, tmp_path, doors)
    assert len(printed) == len(section.steps) > 0
    wrong = [f"$ {step.command}\n{output}" for step, output in
             zip(section.steps, printed, strict=True) if not fits(step.expected, output)]
    assert not wrong, "\n".join([*wrong, "python -m tests.clients.authors mends the page"])


def test_every_rpc_of_the_page_is_one() -> None:
    text = PAGE.read_text("utf-8")
    known = {method.name for method in
             rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"].methods} | {"GetCatalog"}
    named = set(re.findall(r"`((?:Create|Get|List|Submit|Score|Validate|Describe)[A-Z]\w+)`", text))
    assert {"CreateGame", "GetView", "ListLegalOrders", "SubmitOrders", "ScorePosition"} <= named
    assert named <= known


def test_the_csharp_uses_names_that_protoc_writes(tmp_path: Path) -> None:
    section, = [section for section in SECTIONS if section.csharp]
    if "protoc" in section.missing_tools():
        pytest.skip("not on PATH: protoc")
    subprocess.run(["protoc", f"-I{ROOT / 'proto'}", "-I/usr/include", f"--csharp_out={tmp_path}",
                    "--csharp_opt=base_namespace=", *generate.protos()], check=True)
    lines = "\n".join(path.read_text("utf-8") for path in tmp_path.rglob("*.cs")).splitlines()
    written = "\n".join(line for line in lines if not line.lstrip().startswith("///"))
    stubs = {"RulesServiceClient", "RulesService"} | {
        f"{method.name}Async" for method in
        rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"].methods}
    # Of texts only what stands in the braces of an interpolated one is code.
    code = re.sub(r'(\$?)"([^"]*)"', lambda text: " ".join(re.findall(r"{([^}]*)}", text[2]))
                  if text[1] else "", section.csharp)
    used = set(re.findall(r"\b[A-Z]\w+", code)) - FOREIGN - stubs
    assert {"CreateGameRequest", "StandardSetUp", "SustainGarrison", "OrderPath"} <= used
    known = set(re.findall(r"\b[A-Z]\w+", written))
    assert used - known == set()


def test_ellipses_stand_for_anything() -> None:
    assert fits("checksum ...\nend\n", "checksum 3b00\nmore\nend\n")
    assert not fits("checksum ...\nend\n", "checksum 3b00\n")
    assert not fits("a.b\n", "axb\n")
