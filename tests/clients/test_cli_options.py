"""`lovat options` and `lovat new --option`: every option can be found and chosen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lovat.white_death.v1 import state_pb2
from lovat_client.cli.files import read_position

SCENARIO = "purkayevs-attack"
NAMES = [field.name for field in state_pb2.Options.DESCRIPTOR.fields]


def new(lovat: Any, *options: str, code: int = 0) -> Any:
    asked = [word for option in options for word in ("--option", option)]
    return lovat("new", "game.json", "--scenario", SCENARIO, "--seed", "7", *asked, code=code)


def test_every_option_is_listed_with_its_default_and_a_sentence(lovat: Any) -> None:
    listed = json.loads(lovat("options", "--scenario", SCENARIO, "--json").stdout)
    assert [option["name"] for option in listed] == NAMES
    for option in listed:
        assert option["default"] is False
        assert option["clause"].startswith("WD ")
        assert option["description"].endswith(".")
    plain = lovat("options", "--scenario", SCENARIO).stdout
    assert all(f"{name} (WD " in plain for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_option_can_be_chosen(lovat: Any, name: str) -> None:
    new(lovat, f"{name}=true")
    chosen = read_position(Path("game.json")).state.white_death.options
    assert chosen == state_pb2.Options(**{name: True})
    new(lovat, f"{name.replace('_', '-')}=off")
    assert read_position(Path("game.json")).state.white_death.options == state_pb2.Options()


def test_several_options_together(lovat: Any) -> None:
    new(lovat, *(f"{name}=yes" for name in NAMES))
    chosen = read_position(Path("game.json")).state.white_death.options
    assert chosen == state_pb2.Options(**dict.fromkeys(NAMES, True))


@pytest.mark.parametrize(("option", "told"), [
    ("no_such=true", "there is no option 'no_such'; there are snow_visibility"),
    ("strict_refit=perhaps", "expected strict_refit=true or strict_refit=false, not 'perhaps'"),
    ("strict_refit", "expected strict_refit=true or strict_refit=false"),
    ("=true", "there is no option ''"),
])
def test_what_cannot_be_read_is_told_in_one_line(lovat: Any, option: str, told: str) -> None:
    result = new(lovat, option, code=1)
    assert told in result.output
    assert not Path("game.json").exists()


def test_an_option_named_twice_is_refused(lovat: Any) -> None:
    assert "given twice" in new(lovat, "strict_refit=true", "strict-refit=no", code=1).output
