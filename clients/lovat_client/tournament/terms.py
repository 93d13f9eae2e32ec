"""The terms of a tournament: what a TOML file says, checked, with every default filled in.

    name = "spring"                     # names it in the database
    kind = "round_robin"                # or "gauntlet", "swiss"
    scenarios = ["purkayevs-attack"]    # each pairing is played on every one
    games = 4                           # a pairing and scenario; even, since sides are swapped
    seed = "7"                          # the same terms and seed give the same dice

    [[bots]]                            # at least two
    name = "greedy"                     # in the report
    use = "greedy"                      # a bot that comes with Lovat, or "package.module:factory"
    options = {}                        # keyword arguments of the factory

Optional: `champion` (gauntlet: the bot that meets all others; the first if not said), `rounds`
(swiss: as many as a knock-out would have if not said), `turns` (stop each game after so many turns
and let the score so far decide), `rating` ("game", or "pair": see `ratings`), a table
`[victory.SCENARIO]` of levels that win by name of the side (see `lovat_client.winners`), and
`[limits]`.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from ..bots import BOTS
from ..sdk.errors import ClientError

KINDS = ("round_robin", "gauntlet", "swiss")
RATINGS = ("game", "pair")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,39}")
_FACTORY = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_MIXED = "letters, digits and _.+- (at most 40, the first a letter or digit)"


class TermsError(ClientError):
    """Terms that cannot be played by: where in the file, and what is wrong."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot may take. Going over one is a lost game, with the reason recorded.

    `decision_seconds` is wall time from question to answer; `start_seconds` that of making the
    bot; `game_seconds` the sum over a game, 0 for none. `refusals` are those of one decision
    that a bot may answer, `refusals_in_game` those of a game. `questions` are the previews and
    overlays that it is told about one decision; asking them takes of its time. `order_bytes` is
    the size of one order or question, `memory_mib` the address space of the bot's process, 0 for
    any. `decisions` ends a game that goes on for ever: the score so far decides it.
    """

    decision_seconds: float = 60.0
    start_seconds: float = 60.0
    game_seconds: float = 0.0
    refusals: int = 6
    refusals_in_game: int = 200
    questions: int = 64
    order_bytes: int = 256 * 1024
    memory_mib: int = 4096
    decisions: int = 20_000


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot that takes part: its name here, and how it is made."""

    name: str
    use: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Terms:
    """Everything that decides the games. `folders` is where factories are looked for too.

    `victory` has, by scenario and side, the levels that win; a scenario that is not in it goes
    by the names of its levels.
    """

    name: str
    kind: str
    scenarios: tuple[str, ...]
    bots: tuple[BotEntry, ...]
    games: int
    seed: str
    rounds: int = 0
    champion: str = ""
    turns: int = 0
    rating: str = "game"
    victory: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    folders: tuple[str, ...] = ()

    @property
    def bot_names(self) -> tuple[str, ...]:
        return tuple(bot.name for bot in self.bots)

    def bot(self, name: str) -> BotEntry:
        """KeyError if none is so named."""
        for bot in self.bots:
            if bot.name == name:
                return bot
        raise KeyError(name)

    def as_json(self) -> str:
        """What `terms_of_json` reads; the same terms give the same text."""
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def digest(self) -> str:
        """What tells terms apart, in hexadecimal; where the bots' files lie is no part of it."""
        known = {key: value for key, value in asdict(self).items() if key != "folders"}
        return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


def read_terms(path: Path) -> Terms:
    """The terms in a TOML file. `TermsError` names the file and what is wrong with it."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
        return terms_of(content, (str(path.resolve().parent),))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TermsError(f"{path}: not a TOML file: {error}") from error
    except TermsError as error:
        raise TermsError(f"{path}: {error}") from None


def terms_of_json(text: str) -> Terms:
    """The terms that `Terms.as_json` wrote."""
    content = json.loads(text)
    return terms_of(content, content.pop("folders"))


def terms_of(content: Mapping[str, Any], folders: Iterable[str] = ()) -> Terms:
    """The terms in a table of the shape above. `TermsError` says what is wrong."""
    table = _Table(dict(content), "")
    scenarios = table.texts("scenarios") or [table.text("scenario", "")]
    table.drop("scenario")
    bots = tuple(_bot(entry) for entry in table.tables("bots"))
    terms = Terms(
        name=table.name("name"), kind=table.choice("kind", KINDS, None),
        scenarios=tuple(scenarios), bots=bots, games=table.whole("games", 2, least=2),
        seed=table.text("seed", "1"), rounds=table.whole("rounds", 0),
        champion=table.text("champion", ""), turns=table.whole("turns", 0),
        rating=table.choice("rating", RATINGS, "game"),
        victory=_victory(table.table("victory")), limits=_limits(table.table("limits")),
        folders=tuple(folders))
    table.end()
    _check(terms)
    if terms.kind == "gauntlet" and not terms.champion:
        return replace(terms, champion=terms.bots[0].name)
    if terms.kind == "swiss" and not terms.rounds:
        return replace(terms, rounds=max(1, (len(terms.bots) - 1).bit_length()))
    return terms


def _check(terms: Terms) -> None:
    """What no field can tell alone."""
    names = terms.bot_names
    if len(names) < 2:
        raise TermsError("bots: a tournament needs at least two")
    for many, what in ((names, "bots"), (terms.scenarios, "scenarios")):
        twice = sorted({item for item in many if many.count(item) > 1})
        if twice:
            raise TermsError(f"{what}: {twice[0]!r} is there twice")
    if not all(terms.scenarios):
        raise TermsError("scenarios: name at least one")
    if terms.games % 2:
        raise TermsError(f"games: {terms.games} is odd; every game is played again with the "
                         "sides swapped")
    if not 1 <= len(terms.seed) <= 200:
        raise TermsError("seed: 1 to 200 characters")
    if terms.champion and terms.kind != "gauntlet":
        raise TermsError(f"champion: only a gauntlet has one, and this is a {terms.kind}")
    if terms.champion and terms.champion not in names:
        raise TermsError(f"champion: there is no bot {terms.champion!r}")
    if terms.rounds and terms.kind != "swiss":
        raise TermsError(f"rounds: only a swiss has them, and this is a {terms.kind}")
    unknown = sorted(set(terms.victory) - set(terms.scenarios))
    if unknown:
        raise TermsError(f"victory: the scenario {unknown[0]!r} is not played")


def _bot(entry: _Table) -> BotEntry:
    name = entry.name("name")
    use = entry.text("use", name)
    if use not in BOTS and not _FACTORY.fullmatch(use):
        raise TermsError(f"{entry.where}use: {use!r} is neither one of "
                         f"{', '.join(sorted(BOTS))} nor package.module:factory")
    options = entry.table("options").rest()
    try:
        json.dumps(options)
    except (TypeError, ValueError) as error:
        raise TermsError(f"{entry.where}options: {error}") from error
    entry.end()
    return BotEntry(name, use, options)


def _limits(table: _Table) -> Limits:
    default = Limits()
    found: dict[str, Any] = {}
    for item in fields(Limits):
        held = getattr(default, item.name)
        least = 0 if item.name in ("game_seconds", "refusals", "refusals_in_game", "questions",
                                   "memory_mib") else 1
        found[item.name] = (table.whole(item.name, held, least=least) if isinstance(held, int)
                            else table.number(item.name, held, above=least == 1))
    table.end()
    return Limits(**found)


def _victory(table: _Table) -> dict[str, dict[str, tuple[str, ...]]]:
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for scenario in list(table.content):
        sides = table.table(scenario)
        found[scenario] = {side: tuple(sides.texts(side)) for side in list(sides.content)}
        named = [level for levels in found[scenario].values() for level in levels]
        if len(named) != len(set(named)):
            raise TermsError(f"victory.{scenario}: a level wins for one side only")
    return found


class _Table:
    """A table of the file that is taken apart field by field; `end` finds what nobody took."""

    def __init__(self, content: dict[str, Any], where: str) -> None:
        self.content = content
        self.where = where

    def end(self) -> None:
        for key in self.content:
            raise TermsError(f"{self.where}{key}: there is no such setting")

    def drop(self, key: str) -> None:
        self.content.pop(key, None)

    def rest(self) -> dict[str, Any]:
        """All that is left, taken as it is."""
        taken, self.content = self.content, {}
        return taken

    def _take(self, key: str, kinds: type | tuple[type, ...], what: str, default: Any) -> Any:
        value = self.content.pop(key, default)
        if value is None:
            raise TermsError(f"{self.where}{key}: missing")
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise TermsError(f"{self.where}{key}: {value!r} is not {what}")
        return value

    def text(self, key: str, default: str | None) -> str:
        value: Any = self._take(key, (str, int), "a text", default)
        return str(value)

    def name(self, key: str) -> str:
        value = self.text(key, None)
        if not _NAME.fullmatch(value):
            raise TermsError(f"{self.where}{key}: {value!r} is not a name: {_MIXED}")
        return value

    def choice(self, key: str, choices: tuple[str, ...], default: str | None) -> str:
        value = self.text(key, default)
        if value not in choices:
            raise TermsError(f"{self.where}{key}: {value!r} is none of {', '.join(choices)}")
        return value

    def whole(self, key: str, default: int, least: int = 0) -> int:
        value: int = self._take(key, int, "a whole number", default)
        if value < least:
            raise TermsError(f"{self.where}{key}: {value} is less than {least}")
        return value

    def number(self, key: str, default: float, *, above: bool) -> float:
        value = float(self._take(key, (int, float), "a number", default))
        if not 0 <= value < 1e9 or (above and not value):
            raise TermsError(f"{self.where}{key}: {value:g} is no number of seconds")
        return value

    def texts(self, key: str) -> list[str]:
        values = self._take(key, (list, tuple), "a list of texts", [])
        for value in values:
            if not isinstance(value, str):
                raise TermsError(f"{self.where}{key}: {value!r} is not a text")
        return list(values)

    def table(self, key: str) -> _Table:
        value = self._take(key, dict, "a table", {})
        return _Table(dict(value), f"{self.where}{key}.")

    def tables(self, key: str) -> list[_Table]:
        values = self._take(key, (list, tuple), "a list of tables", [])
        for number, value in enumerate(values):
            if not isinstance(value, dict):
                raise TermsError(f"{self.where}{key}[{number}]: {value!r} is not a table")
        return [_Table(dict(value), f"{self.where}{key}[{number}].")
                for number, value in enumerate(values)]
