"""The options of a game: all named, described, in the checksum and the text of a position."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from lovat.white_death.v1 import state_pb2
from lovat_server.core.dice import KeyedDice
from lovat_server.games.white_death.encoding import checksum
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.game_options import OPTIONS
from lovat_server.games.white_death.state import Options
from lovat_server.scenarios.loader import load_catalog
from lovat_server.scenarios.rules_loader import load_rulebook
from lovat_server.transport.white_death_codec import WhiteDeathCodec

SCENARIO = "velikiye-luki-campaign"
NAMES = [field.name for field in fields(Options)]


def test_every_option_has_its_default_its_clause_and_a_sentence() -> None:
    rules = load_rulebook("white_death")
    assert rules is not None
    assert [option.name for option in OPTIONS] == NAMES
    for option in OPTIONS:
        assert option.default is getattr(Options(), option.name) is False
        assert rules.find(option.clause) is not None, option.clause
        assert option.description[0].isupper(), option.description
        assert option.description.endswith("."), option.description


def test_the_catalog_tells_them_in_the_order_of_the_contract() -> None:
    told = WhiteDeathCodec(load_catalog(SCENARIO)).encode_catalog().options
    assert [option.name for option in told] == NAMES == [
        field.name for field in state_pb2.Options.DESCRIPTOR.fields]
    assert [(option.default_value, option.clause, option.description) for option in told] == [
        (option.default, option.clause, option.description) for option in OPTIONS]


@pytest.mark.parametrize("name", NAMES)
def test_an_option_is_part_of_a_position(name: str) -> None:
    catalog = load_catalog(SCENARIO)
    plain = WHITE_DEATH.create(catalog, Options(), KeyedDice(b"o"), standard_set_up=True).state
    chosen = replace(plain, options=Options(**{name: True}))
    assert checksum(chosen) != checksum(plain)
    assert WHITE_DEATH.read_state(catalog, WHITE_DEATH.write_state(catalog, chosen)) == chosen
    assert name.replace("_", "-") in WHITE_DEATH.write_state(catalog, chosen)
    codec = WhiteDeathCodec(catalog)
    message = state_pb2.State()
    codec.write_state(message, chosen, None)
    assert codec.decode_state(message) == chosen
