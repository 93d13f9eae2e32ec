"""The games and scenarios that are at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lovat_server.core.errors import MismatchError, UnknownError
from lovat_server.games.contract import Game
from lovat_server.scenarios.rules_loader import Rulebook


@dataclass(frozen=True, slots=True)
class Volume:
    """One scenario: its game, its catalog and the catalog's hash."""

    game: Game
    scenario: str
    title: str
    catalog: Any
    content_hash: str


class Library:
    """Games and scenarios by id, and the rulebooks; never changes after it is built."""

    def __init__(self, games: Mapping[str, Game], volumes: Iterable[Volume],
                 rulebooks: Iterable[Rulebook] = ()) -> None:
        self._games = dict(sorted(games.items()))
        self._volumes = {volume.scenario: volume
                         for volume in sorted(volumes, key=lambda volume: volume.scenario)}
        self.rulebooks = tuple(rulebooks)

    def games(self) -> tuple[Game, ...]:
        """Every game, sorted by id."""
        return tuple(self._games.values())

    def volumes(self, game: str = "") -> tuple[Volume, ...]:
        """The scenarios of a game, or all, sorted by id. UnknownError for an unknown game."""
        if game:
            self._require_game(game, "game")
        return tuple(volume for volume in self._volumes.values()
                     if not game or volume.game.id == game)

    def volume(self, scenario: str, field: str = "scenario") -> Volume:
        """The scenario with this id. UnknownError if there is none."""
        volume = self._volumes.get(scenario)
        if volume is None:
            raise UnknownError(f"there is no scenario {scenario[:80]!r}; "
                               f"there are {_listed(self._volumes)}", field=field)
        return volume

    def admit(self, game: str, scenario: str, ruleset: str, catalog_hash: str) -> Volume:
        """The scenario that a position belongs to.

        UnknownError for a game or scenario that does not exist; MismatchError if the position
        was made under other rules or with another catalog.
        """
        known = self._require_game(game, "position.game")
        volume = self.volume(scenario, "position.scenario")
        if volume.game.id != game:
            raise MismatchError(f"scenario {scenario!r} is of {volume.game.id!r}, not of {game!r}",
                                field="position.scenario")
        if ruleset != known.ruleset_version:
            raise MismatchError(
                f"the position was made by ruleset {ruleset[:80]!r}; "
                f"this server has {known.ruleset_version!r}", field="position.ruleset_version")
        if catalog_hash != volume.content_hash:
            raise MismatchError(
                f"the position was made with catalog {catalog_hash[:80]!r}; "
                f"this server has {volume.content_hash!r}", field="position.catalog_hash")
        return volume

    def _require_game(self, game: str, field: str) -> Game:
        known = self._games.get(game)
        if known is None:
            raise UnknownError(f"there is no game {game[:80]!r}; there are {_listed(self._games)}",
                               field=field)
        return known


def open_library(overlay: Path | None = None) -> Library:
    """Every scenario that comes with the server, its data replaced by those of the overlay folder.

    `scenarios.faults.DataError` for data that cannot be loaded.
    """
    from lovat_server.games.registry import games
    from lovat_server.scenarios.loader import load_catalog, scenario_ids
    from lovat_server.scenarios.rules_loader import load_rulebook

    known = games()
    white_death = known["white_death"]
    volumes = []
    for scenario in scenario_ids():
        catalog = load_catalog(scenario, overlay)
        volumes.append(Volume(white_death, scenario, catalog.scenario.title, catalog,
                              catalog.content_hash))
    rulebooks = (load_rulebook(game) for game in known)
    return Library(known, volumes, [book for book in rulebooks if book is not None])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names)) or "none"
