"""Players that know nothing but the mask."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from lovat_client.envs import LovatEnv

KINDS = 4


@dataclass
class Played:
    """What came of playing: actions taken, rewards in sum, how often each stage was reached."""

    steps: int = 0
    rewards: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    ended: set[str] = field(default_factory=set)


def any_action(env: LovatEnv, mask: Any, random: Random) -> int:
    """A legal action, each as likely as any other."""
    return int(random.choice(np.flatnonzero(mask).tolist()))


def any_kind(env: LovatEnv, mask: Any, random: Random) -> int:
    """A legal action of a kind drawn first, so that verbs are not lost among hexes and units."""
    edges = [env.actions.first_number, env.actions.first_hex, env.actions.first_unit]
    parts = [part for part in np.split(np.arange(len(mask)), edges) if mask[part].any()]
    part = random.choice(parts)
    return int(random.choice(part[mask[part] == 1].tolist()))


def play(env: LovatEnv, seed: int, choose: Any = any_kind) -> Played:
    """Play from a reset until every agent is gone; an order that is refused raises."""
    random, played = Random(seed), Played()
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        played.rewards[agent] += reward
        if terminated or truncated:
            played.ended.add("terminated" if terminated else "truncated")
            env.step(None)
            continue
        assert observation["action_mask"].any(), info
        played.stages[info["stage"]] += 1
        played.steps += 1
        env.step(choose(env, observation["action_mask"], random))
    return played
