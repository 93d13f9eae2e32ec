"""What the web table serves: the services by the Connect protocol, the board, the page's files."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from importlib import resources
from typing import Any

import pytest

from lovat.rules.v1 import catalog_service_pb2 as catalogs
from lovat.rules.v1 import rules_service_pb2 as rules

SCENARIO = "purkayevs-attack"
CATALOG, RULES = "lovat.rules.v1.CatalogService", "lovat.rules.v1.RulesService"
FILES = sorted(path.name for path in (resources.files("lovat_client.web") / "static").iterdir())


@pytest.fixture
def page(address: str) -> str:
    return address


def fetch(url: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes, Any]:
    request = urllib.request.Request(url, data=body, headers={
        name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, response.read(), response.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read(), error.headers


def call(page: str, service: str, method: str, message: object) -> tuple[int, Any]:
    status, body, _ = fetch(f"{page}{service}/{method}", json.dumps(message).encode(),
                            content_type="application/json")
    return status, json.loads(body) if body.startswith(b"{") else None


def test_a_call_in_json_is_answered_in_json(page: str) -> None:
    status, answer = call(page, CATALOG, "ListGames", {})
    assert status == 200
    assert answer["games"][0]["id"] == "white_death"


def test_a_call_in_protobuf_is_answered_in_protobuf(page: str) -> None:
    message = catalogs.GetCatalogRequest(scenario=SCENARIO)
    status, body, headers = fetch(f"{page}{CATALOG}/GetCatalog", message.SerializeToString(),
                                  content_type="application/proto")
    assert (status, headers["content-type"]) == (200, "application/proto")
    assert catalogs.GetCatalogResponse.FromString(body).white_death.scenario.id == SCENARIO


def test_grpc_web_is_answered_too(page: str) -> None:
    status, body, headers = fetch(f"{page}{CATALOG}/ListGames", bytes(5),
                                  content_type="application/grpc-web+proto")
    assert (status, headers["content-type"]) == (200, "application/grpc-web+proto")
    length = int.from_bytes(body[1:5], "big")
    assert catalogs.ListGamesResponse.FromString(body[5:5 + length]).games[0].id == "white_death"
    assert re.search(rb"grpc-status: ?0", body[5 + length:])


def test_a_failure_keeps_its_code_its_words_and_its_details(page: str) -> None:
    status, answer = call(page, CATALOG, "GetCatalog", {"scenario": "nowhere"})
    assert (status, answer["code"]) == (404, "not_found")
    assert "nowhere" in answer["message"]
    assert {detail["type"] for detail in answer["details"]} >= {"google.rpc.ErrorInfo"}


def test_what_is_no_message_is_refused_in_words(page: str) -> None:
    status, answer = call(page, CATALOG, "GetCatalog", {"scenario": 7})
    assert (status, answer["code"]) == (400, "invalid_argument")


def test_every_rpc_but_those_that_stream_requests_is_relayed(page: str) -> None:
    service = rules.DESCRIPTOR.services_by_name["RulesService"]
    for method in service.methods:
        _, answer = call(page, service.full_name, method.name, {})
        assert (answer is None) == method.client_streaming, method.name


def test_an_unknown_method_is_not_found(page: str) -> None:
    assert call(page, RULES, "Cheat", {})[0] == 404


def test_without_an_arbiter_there_is_no_match_service(page: str) -> None:
    assert call(page, "lovat.play.v1.MatchService", "ListMatches", {})[0] == 404


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_bot_answers_the_pending_decision_legally(page: str, name: str) -> None:
    _, created = call(page, RULES, "CreateGame", {
        "scenario": SCENARIO, "diceMode": "DICE_MODE_SEEDED", "seed": "7",
        "standardSetUp": True})
    position, side = created["position"], created["decision"]["side"]
    asked = {"position": position, "side": side}
    status, said = call(page, "lovat.web.v1.BotService", name, asked)
    assert (status, said["side"]) == (200, side)
    assert call(page, "lovat.web.v1.BotService", name, asked)[1] == said
    _, judged = call(page, RULES, "ValidateOrders",
                     {"position": position, "order": said["orders"][0]})
    assert "violations" not in judged


def test_the_board_has_every_hex_and_every_counter_and_no_style(page: str) -> None:
    status, body, headers = fetch(f"{page}board/{SCENARIO}.svg")
    text = body.decode()
    assert (status, headers.get_content_type()) == (200, "image/svg+xml")
    _, catalog = call(page, CATALOG, "GetCatalog", {"scenario": SCENARIO})
    inner = catalog["whiteDeath"]
    assert all(f'id="h{hex_["hex"]:04d}"' in text for hex_ in inner["map"]["hexes"])
    assert all(f'id="u-{unit["id"]}"' in text for unit in inner["units"])
    assert "<style" not in text
    assert " style=" not in text
    assert "<script" not in text


def test_there_is_no_board_of_an_unknown_scenario(page: str) -> None:
    assert fetch(f"{page}board/nowhere.svg")[0] == 404


def test_the_page_is_told_what_there_is_and_runs_nothing_inline(page: str) -> None:
    status, body, headers = fetch(page)
    text = body.decode()
    assert status == 200
    assert "greedy" in text
    assert 'data-arbiter="no"' in text
    assert "{{" not in text
    policy = headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*src=)", text)
    assert not re.search(r"\son\w+=", text)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_served_and_names_no_outside_host(page: str, name: str) -> None:
    status, body, headers = fetch(f"{page}{name}")
    assert status == 200
    assert headers["x-content-type-options"] == "nosniff"
    hosts = set(re.findall(rb"https?://([\w.-]+)", body)) - {b"www.w3.org"}
    assert not hosts


def test_a_file_that_has_not_changed_is_not_sent_again(page: str) -> None:
    _, _, headers = fetch(f"{page}main.js")
    assert fetch(f"{page}main.js", if_none_match=headers["etag"])[0] == 304


@pytest.mark.parametrize("path", ["nothing.js", "..%2fapp.py", "static/../app.py", "app.py"])
def test_nothing_but_the_page_is_served(page: str, path: str) -> None:
    assert fetch(f"{page}{path}")[0] == 404
