"""White Death as a PettingZoo environment (AEC): `pip install 'lovat[envs]'`.

    from lovat_client import envs

    env = envs.env("purkayevs-attack", max_steps=500)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    env.close()

The agents are "soviet" and "german". A decision of the game is answered by several actions: a
unit, then a hex for it, then the next unit, at last `DONE` or `STANDING`. What has been said so
far is a draft that only its own side sees; the order goes to the server when it is whole.

Actions (`actions.py`): `Discrete(N)`, the same for every game of a scenario and in every run, in
this order:

| action | how many | says |
|---|---|---|
| verbs | `len(Verb)` | `Verb`, in its order: DONE 0, STANDING 1, STAY 2 ... |
| numbers | 20 | the numbers 1 to 20: points to declare, replacement points |
| hexes | columns x rows | every hex of the map, column by column from the north-west |
| units | units | every counter of both sides, in the order of the catalog |

What comes after what is in `composing.py`, `movement.py` and `fire.py`, one function a decision.
`info["decision"]` and `info["stage"]` of the deciding side say where it is. In short:

| decision | actions |
|---|---|
| sustain_garrison | YES, or DONE for no |
| refit | a unit of the tank brigade, or DONE for none |
| replace | unit, number, for a destroyed unit a hex; REPAIR, unit; DONE |
| declare_impulse | a number of points for an action, or PASS |
| move_and_declare | movement: unit, then the hex it marches to, or RAIL and a hex, or DEPLOY, \
BUILD_BRIDGE, DESTROY_BRIDGE; DONE |
| | then assaults: unit, then a hex, or CHARGE and a hex; DONE |
| retreat_before_combat | unit, hex; DONE |
| pursue | unit, hex that the withdrawn went to; DONE |
| barrage | unit, target hex; PAY_GERMAN or PAY_CITY for full rockets; DONE |
| defensive_fire, assault_fire | PAY_... for printed support; hex, then own artillery that \
supports, then an enemy unit that takes all fire of its kind; STANDING |
| retreat | unit, hex where it ends; STANDING |
| advance | unit that enters, or a hex that nobody enters; STANDING |

`STAY` leaves the chosen unit or hex as it is and does not offer it again. Set-up and losses to
date are the documented ones. A decision without a choice is not asked.

The action mask has 1 for exactly what may be said next, and the server accepts every order that
is said by it. It does not hold everything that the server would accept: stacks march unit by unit,
by the cheapest way; no one pays to leave a zone or orders a stack; fire and barrages are not split.

Observations (`observing.py`): {"observation": float32 array, "action_mask": int8 array}; the
first holds what the side may know and its own draft, nothing else. `env.unwrapped.layout` names
its parts. The mask of the side that does not decide is empty.

Rewards: the change in victory points at the end of each impulse, positive for the side it favours
(more points are Soviet), so that the two add up to nothing; with `rewards="end"` the same sum at
the end of the game. A game that ends is terminated; one stopped by `max_steps` is truncated.
"""

from __future__ import annotations

try:
    import gymnasium as _gymnasium  # noqa: F401
    import numpy as _numpy  # noqa: F401
    import pettingzoo as _pettingzoo  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{error.name} is not installed; the environments need it: pip install 'lovat[envs]'",
        name=error.name) from error

from .actions import ActionIndex, Choice, Menu, Verb
from .environment import REWARDS, IllegalActionError, LovatEnv, env
from .observing import ObservationLayout

__all__ = ["REWARDS", "ActionIndex", "Choice", "IllegalActionError", "LovatEnv", "Menu",
           "ObservationLayout", "Verb", "env"]
