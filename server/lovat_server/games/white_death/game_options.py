"""The options of a game: what each is called, what it does, and what holds without it."""

from __future__ import annotations

from dataclasses import fields
from typing import Final, NamedTuple

from .state import Options


class GameOption(NamedTuple):
    """One field of `Options`; `description` says what is so if it is on."""

    name: str
    default: bool
    clause: str
    description: str


_TEXTS: Final = {
    "snow_visibility": (
        "WD 16.C", "In snow a unit observes one hex far, whatever the ground; without the option "
        "snow does not shorten sight, as the rulebook prints no distance."),
    "abandoned_equipment": (
        "WD 23", "The optional rule of abandoned equipment is used: weapons units may leave their "
        "equipment, and some must."),
    "strict_refit": (
        "WD 18", "On turn 10 only a tank brigade with a unit on the map may be refitted; without "
        "the option one that was wholly lost may be too, as the 184th was."),
    "third_lehr_battalion": (
        "WD Notes.IV", "III/1 Lehr Rocket Battalion, which the designer's notes name and no order "
        "of appearance brings, comes with II/1 on turn 3; without the option it never does."),
}

OPTIONS: Final = tuple(
    GameOption(field.name, bool(field.default), *_TEXTS[field.name]) for field in fields(Options))
"""Every option, in the order of `Options`."""
