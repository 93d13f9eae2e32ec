"""The environment itself: a game in a session, one composer a decision, the sides as agents."""

from __future__ import annotations

import operator
import weakref
from typing import Any, SupportsIndex, cast

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from ..render import picture_of_view, render_svg, render_text
from ..sdk.client import LovatClient
from ..sdk.errors import ClientError
from ..sdk.server import EmbeddedServer
from .actions import ActionIndex, Choice, Menu
from .game import AGENTS, Game
from .observing import ObservationLayout
from .sight import Sight

GAME = "white_death"
REWARDS = ("impulse", "end")
RENDER_MODES = ("ansi", "human", "svg")
SEEDS = 2**63

Observation = dict[str, NDArray[Any]]


class IllegalActionError(ClientError, ValueError):
    """An action that the mask of the deciding side does not have."""


def env(scenario: str = "purkayevs-attack", **settings: Any) -> AECEnv:
    """The environment of a scenario, with PettingZoo's check of the order of calls around it.

    The settings are those of `LovatEnv`.
    """
    return OrderEnforcingWrapper(LovatEnv(scenario, **settings))


class LovatEnv(AECEnv):
    """A scenario of White Death from its standard set-up, between "soviet" and "german".

    Without `address` ("host:port") or `client` it starts a server of its own; `close` ends that,
    and leaves a client that was given open. `max_steps` truncates a game after so many actions
    of both sides together; None never does. `rewards` is "impulse" or "end", `render_mode`
    "ansi" and "svg" (text), "human" (the map on standard output) or None.

    `reset(seed=...)` gives the same dice as `seed` everywhere else in Lovat; without a seed the
    next game's is drawn from the last one given, or at random. Options of `reset` are ignored.
    ValueError for a setting that is not one of these, `LovatError` if a call fails.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # PettingZoo's own form
        "name": "lovat_white_death_v0", "render_modes": list(RENDER_MODES),
        "is_parallelizable": False, "render_fps": 1,
    }

    def __init__(
        self, scenario: str = "purkayevs-attack", *, address: str | None = None,
        client: LovatClient | None = None, max_steps: int | None = None,
        rewards: str = "impulse", render_mode: str | None = None,
    ) -> None:
        super().__init__()
        _check(address, client, max_steps, rewards, render_mode)
        self.scenario = scenario
        self.max_steps = max_steps
        self.render_mode = render_mode
        self.reward_mode = rewards
        self._ending: weakref.finalize[..., Any] | None = None
        self._client = client or self._connect(address)
        try:
            self.catalog = self._client.catalog(scenario)
            if self.catalog.game != GAME:
                raise ValueError(f"scenario: expected one of {GAME}, but {scenario!r} is of "
                                 f"{self.catalog.game}")
        except BaseException:
            self.close()
            raise
        self.actions = ActionIndex(self.catalog)
        self.layout = ObservationLayout(self.catalog)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.action_spaces = {side: spaces.Discrete(self.actions.size) for side in AGENTS}
        self.observation_spaces = {side: self._observation_space() for side in AGENTS}
        self._random: np.random.Generator | None = None

    def _connect(self, address: str | None) -> LovatClient:
        """A client of a running server or of one of our own, which ends with this object."""
        server = None
        if address is None:
            server = EmbeddedServer().start()
            address = server.address
        client = LovatClient.connect(address)
        self._ending = weakref.finalize(self, _end, client, server)
        return client

    def _observation_space(self) -> spaces.Dict:
        return spaces.Dict({
            "observation": spaces.Box(-1.0, 1.0, (self.layout.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (self.actions.size,), np.int8),
        })

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None,
              options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  # PettingZoo's form
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        chosen = seed if seed is not None else int(self._random.integers(SEEDS))
        self.game = Game(self._client, self.catalog, chosen)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._skip_agent_selection = None
        self.steps = 0
        self._sight = Sight(self.layout, self.actions, self.game.view)
        self._impulse, self._points = self.game.score()
        self._turn_to(self.game.side or AGENTS[0])

    def step(self, action: int | None) -> None:
        """`IllegalActionError`, and nothing is changed, if the mask does not have the action."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        choice = self._choice(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        before = self.game.version
        self.game.say(choice)
        self.steps += 1
        is_cut_off = self.steps == self.max_steps and not self.game.is_over
        if self.game.version != before:
            self._sight.forget()
        if self.game.version != before or is_cut_off:
            self._settle(is_cut_off or self.game.is_over)
        self.terminations = dict.fromkeys(AGENTS, self.game.is_over)
        self.truncations = dict.fromkeys(AGENTS, is_cut_off)
        self._turn_to(self.game.side or agent)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _settle(self, is_last: bool) -> None:
        """Reward the change in victory points since the last time, if now is the time."""
        impulse, points = self.game.score()
        if not is_last and (self.reward_mode == "end" or impulse == self._impulse):
            return
        gain = float(points - self._points)
        self.rewards = {"soviet": gain, "german": -gain}
        self._impulse, self._points = impulse, points

    def _turn_to(self, agent: str) -> None:
        self.agent_selection = agent
        self.infos: dict[str, dict[str, Any]] = {side: {} for side in AGENTS}
        menu = self.game.menu
        if menu is not None:
            self.infos[agent] = {"decision": self.game.kind, "stage": menu.stage}

    def observe(self, agent: str) -> Observation:
        """What the side may know, in arrays of its own. Only the side that decides has a mask."""
        if agent not in AGENTS:
            raise ValueError(f"{agent!r} is not an agent; agents are {', '.join(AGENTS)}")
        menu = self._menu_of(agent)
        return {
            "observation": self._sight.observe(agent, menu),
            "action_mask": self._sight.mask(menu).copy(),
        }

    def _menu_of(self, agent: str) -> Menu | None:
        """What the agent may say now; None if it is not its turn, or the game has stopped."""
        stopped = any(self.truncations.values())
        return self.game.menu if agent == self.game.side and not stopped else None

    def render(self) -> str | None:
        """The map as the selected side sees it; `human` prints it, None draws nothing."""
        if self.render_mode is None:
            return None
        picture = picture_of_view(self.game.view(self.agent_selection))
        if self.render_mode == "svg":
            return render_svg(self.catalog.message, picture)
        text = render_text(self.catalog.message, picture)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """End the server and the connection that were made here. Does nothing the second time."""
        if self._ending is not None:
            self._ending()

    def _choice(self, action: int | None) -> Choice:
        """What an action says. `IllegalActionError` if the mask does not have it."""
        agent = self.agent_selection
        expected = f"expected an action that the action_mask of {agent} has"
        try:
            number = operator.index(cast(SupportsIndex, action))
        except TypeError:
            raise IllegalActionError(f"{action!r} is not an action: {expected}") from None
        if not 0 <= number < self.actions.size:
            raise IllegalActionError(
                f"{number} is not an action of Discrete({self.actions.size}): {expected}")
        choice = self.actions.choice(number)
        menu = self._menu_of(agent)
        if menu is None or not self._sight.mask(menu)[number]:
            raise IllegalActionError(
                f"action {number} ({choice}) cannot be said at "
                f"{menu.stage if menu else 'the end'!r}: {expected}")
        return choice


def _check(address: str | None, client: LovatClient | None, max_steps: Any, rewards: str,
           render_mode: str | None) -> None:
    if address is not None and client is not None:
        raise ValueError("address and client: expected one of them, not both")
    if max_steps is not None and (type(max_steps) is not int or max_steps < 1):
        raise ValueError(f"max_steps: expected a whole number from 1 or None, not {max_steps!r}")
    if rewards not in REWARDS:
        raise ValueError(f"rewards: expected one of {', '.join(REWARDS)}, not {rewards!r}")
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode: expected one of {', '.join(RENDER_MODES)} or None, "
                         f"not {render_mode!r}")


def _end(client: LovatClient, server: EmbeddedServer | None) -> None:
    client.close()
    if server is not None:
        server.stop()
