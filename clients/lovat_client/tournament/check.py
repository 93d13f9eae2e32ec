"""What is wrong with terms that only a rules server and the bots themselves can tell."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass
from typing import Self

from ..sdk.client import LovatClient
from ..sdk.errors import MatchError
from ..winners import problems
from .bot_process import BotFaultError, BotProcess, MissingBotError
from .game import sides_of
from .terms import Terms


@dataclass(frozen=True, slots=True)
class Problems:
    """Sentences; none if the tournament can be played."""

    found: tuple[str, ...]

    def as_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def of_json(cls, text: str) -> Self:
        """What `as_json` wrote."""
        return cls(tuple(json.loads(text)["found"]))


def check(client: LovatClient, terms: Terms) -> Problems:
    """Unknown scenarios, unknown sides and levels of `victory`, bots that are not there.

    A bot that is there but breaks when it is made is no problem: it loses its games.
    """
    found: list[str] = []
    for scenario in terms.scenarios:
        try:
            sides = sides_of(client, scenario)
        except MatchError as error:
            found.append(f"scenarios: {error}")
            continue
        levels = [level.name for level in client.catalog(scenario).scenario.victory.levels]
        found += [f"victory.{scenario}: {text}"
                  for text in problems(terms.victory.get(scenario, {}), sides, levels)]
    with contextlib.ExitStack() as stack:
        made = [stack.enter_context(BotProcess(entry, "check", terms.limits, terms.folders))
                for entry in terms.bots]
        for bot in made:
            try:
                bot.ready()
            except MissingBotError as error:
                found.append(f"bots: {bot.entry.name}: {error.reason}")
            except BotFaultError:
                pass
    return Problems(tuple(found))
