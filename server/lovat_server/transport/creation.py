"""What a CreateGame request asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat_server.core.errors import MalformedError
from lovat_server.service.create import DiceChoice
from lovat_server.service.dice_state import DiceMode
from lovat_server.service.library import Library, Volume

from .codecs import Codecs
from .messages import read_game_part, require_request_id

_MODES = {
    core_pb2.DICE_MODE_UNSPECIFIED: DiceMode.SERVER_KEYED,
    **{int(mode): mode for mode in DiceMode},
}


def read_dice_mode(value: int) -> DiceMode:
    """Where fresh dice come from; server-keyed if nothing is said."""
    mode = _MODES.get(value)
    if mode is None:
        raise MalformedError(f"dice_mode: {value} is no mode; expected seeded, server-keyed or "
                             "scripted", field="dice_mode")
    return mode


@dataclass(frozen=True, slots=True)
class Creation:
    volume: Volume
    options: Any
    dice: DiceChoice
    standard_set_up: bool


def read_creation(request: rules_service_pb2.CreateGameRequest, library: Library,
                  codecs: Codecs) -> Creation:
    """UnknownError for the scenario, MalformedError for any other field."""
    require_request_id(request.request_id)
    volume = library.volume(request.scenario)
    codec = codecs.of(volume)
    mode = read_dice_mode(request.dice_mode)
    options = codec.default_options()
    if request.HasField("options") and request.options.WhichOneof("game") is not None:
        options = read_game_part(request.options, codec, codec.decode_options, "options")
    return Creation(volume, options, DiceChoice(mode, request.seed, tuple(request.script)),
                    request.standard_set_up)
