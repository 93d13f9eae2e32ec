"""The PettingZoo environment: its tests of the interface, and the promises of its documentation."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from lovat_client import envs
from lovat_client.envs import Choice, IllegalActionError, LovatEnv, Menu, Verb
from lovat_client.envs.actions import NUMBERS
from lovat_client.envs.observing import _UNIT, PLANES, STAGES, TRACKS, UNIT_FEATURES
from lovat_client.sdk import EmbeddedServer, LovatClient, LovatError

from .players import Played, any_action, any_kind, play

SCENARIO = "purkayevs-attack"
README = Path(__file__).resolve().parents[3] / "clients" / "README.md"


def made(address: str, **settings: Any) -> LovatEnv:
    return LovatEnv(settings.pop("scenario", SCENARIO), address=address, **settings)


@pytest.fixture(scope="module")
def game(address: str) -> LovatEnv:
    """An environment to look at; every test resets it."""
    return made(address)


def until(env: LovatEnv, stage: str, seed: int = 1) -> dict[str, Any]:
    """Reset and go on by the first legal action until a stage; what is observed then."""
    env.reset(seed=seed)
    for _ in env.agent_iter(400):
        observation, _, _, _, info = env.last()
        if info["stage"] == stage:
            return observation
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(legal[0 if legal[0] >= len(Verb) else -1]))
    raise AssertionError(f"{stage} was not reached")


# ---------------------------------------------------------------- PettingZoo's own tests

# What it warns of is the form of any environment with a mask, and "soviet" for "soviet_0".
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:We recommend agents to be named")
@pytest.mark.filterwarnings("error")
def test_it_passes_the_api_test(address: str) -> None:
    api_test(envs.env(SCENARIO, address=address, max_steps=50), num_cycles=40)


def test_it_passes_the_seed_test(address: str) -> None:
    seed_test(lambda: envs.env(SCENARIO, address=address), num_cycles=20)


def test_it_passes_the_render_test(address: str) -> None:
    render_test(lambda render_mode: envs.env(SCENARIO, address=address, render_mode=render_mode),
                custom_tests={"svg": lambda text: text.endswith("</svg>\n")})


# ---------------------------------------------------------------- actions

def test_actions_are_verbs_numbers_hexes_units_in_this_order(game: LovatEnv) -> None:
    actions, catalog = game.actions, game.catalog
    said = [actions.choice(action) for action in range(actions.size)]
    assert said == [
        *(Choice(verb=verb) for verb in Verb),
        *(Choice(number=number) for number in range(1, NUMBERS + 1)),
        *(Choice(hex=hex_.hex) for hex_ in catalog.message.map.hexes),
        *(Choice(unit=unit.id) for unit in catalog.message.units),
    ]
    assert game.action_space("german").n == actions.size


def test_every_action_is_found_again(game: LovatEnv) -> None:
    actions = game.actions
    for action in range(actions.size):
        choice = actions.choice(action)
        menu = Menu("any", verbs=[] if choice.verb is None else [choice.verb],
                    numbers=[choice.number] if choice.number else [],
                    hexes=[choice.hex] if choice.hex else [],
                    units=[choice.unit] if choice.unit else [])
        assert np.flatnonzero(actions.mask(menu)).tolist() == [action]


def test_verbs_keep_their_numbers() -> None:
    assert [verb.name for verb in Verb] == [
        "DONE", "STANDING", "STAY", "PASS", "YES", "DEPLOY", "BUILD_BRIDGE", "DESTROY_BRIDGE",
        "RAIL", "CHARGE", "REPAIR", "PAY_SOVIET", "PAY_GERMAN", "PAY_CITY"]
    assert list(Verb) == list(range(len(Verb)))


@pytest.mark.parametrize("say", [
    lambda actions: actions.number(21), lambda actions: actions.number(0),
    lambda actions: actions.hex(4143), lambda actions: actions.unit("s-nobody"),
    lambda actions: actions.choice(-1), lambda actions: actions.choice(actions.size),
])
def test_what_is_no_action_is_named(game: LovatEnv, say: Any) -> None:
    with pytest.raises(ValueError, match=r"21|0|4143|s-nobody|-1|\d+ is not an action"):
        say(game.actions)


# ---------------------------------------------------------------- the mask

def test_the_mask_of_a_declaration_is_what_is_listed(game: LovatEnv) -> None:
    mask = until(game, "declare")["action_mask"]
    listing = game.game.session.legal().white_death
    wanted = {game.actions.verb(Verb.PASS)}
    for option in listing.declarations[:1]:
        wanted |= {game.actions.number(points) for points in range(option.least, option.most + 1)}
    assert set(np.flatnonzero(mask).tolist()) == wanted


def test_the_mask_of_a_march_is_where_the_listing_lets_the_unit_end(game: LovatEnv) -> None:
    mask = until(game, "move unit")["action_mask"]
    unit = game.game.menu.unit if game.game.menu else ""
    option = game.game.session.legal(units=[unit]).white_death.units[0]
    ends = {game.actions.hex(hex_) for hex_, marks in zip(option.hexes, option.marks, strict=True)
            if not marks & 2}
    hexes = {action for action in np.flatnonzero(mask).tolist()
             if game.actions.first_hex <= action < game.actions.first_unit}
    assert ends == hexes
    assert mask[Verb.STAY]
    assert mask[Verb.DEPLOY] == option.may_deploy


@pytest.mark.parametrize(("action", "said"), [
    (None, "None is not an action"), (2.5, "2.5 is not an action"), (-1, "-1 is not an action"),
    (10**6, "1000000 is not an action"), (int(Verb.CHARGE), r"\(CHARGE\) cannot be said"),
])
def test_an_action_outside_the_mask_is_refused_and_changes_nothing(
    game: LovatEnv, action: Any, said: str,
) -> None:
    before = until(game, "move")
    agent = game.agent_selection
    with pytest.raises(IllegalActionError, match=said) as refused:
        game.step(action)
    assert agent in str(refused.value)
    after = game.observe(agent)
    assert game.agent_selection == agent
    assert all(np.array_equal(before[part], after[part]) for part in before)


def confirmed(env: LovatEnv, played: Played) -> None:
    """The game is over, a replay of its log confirms it, and the rewards are its points."""
    session = env.game.session
    assert played.ended == {"terminated"}
    assert session.is_over
    assert session.client.replay(session.start, session.records).records == len(session.records)
    first = session.client.score(session.created.position).white_death.points
    last = session.score().white_death.points
    assert played.rewards == {"soviet": last - first, "german": first - last}


def test_a_whole_game_of_masked_play_is_never_refused(address: str) -> None:
    """A refusal raises. Some 150 actions, from a player that says `DONE` soon."""
    env = made(address, scenario="final-relief-attempt")
    played = play(env, 5)
    confirmed(env, played)
    assert played.steps > 100
    assert len(played.stages) > 10
    env.close()


@pytest.mark.soak
@pytest.mark.parametrize("choose", [any_kind, any_action])
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("scenario", ["first-relief-attempt", "final-relief-attempt"])
def test_whole_games_of_masked_play_are_never_refused(
    address: str, scenario: str, seed: int, choose: Any,
) -> None:
    env = made(address, scenario=scenario)
    played = play(env, seed, choose)
    print(f"{scenario} {seed} {choose.__name__}: {played.steps} actions, "
          f"{len(env.game.session.records)} orders, {dict(played.stages)}")
    confirmed(env, played)
    env.close()


@pytest.mark.soak
@pytest.mark.parametrize("scenario", [SCENARIO, "woehlers-response", "second-relief-attempt",
                                      "velikiye-luki-campaign"])
def test_the_longer_scenarios_too(address: str, scenario: str) -> None:
    env = made(address, scenario=scenario)
    played = play(env, 1)
    print(f"{scenario}: {played.steps} actions, {dict(played.stages)}")
    confirmed(env, played)
    env.close()


# ---------------------------------------------------------------- observations

def test_an_observation_has_the_parts_that_are_named(game: LovatEnv) -> None:
    observation = until(game, "move unit")
    parts = game.layout.parts(observation["observation"])
    assert parts.map.shape == (len(PLANES), 40, 42)
    assert parts.units.shape == (len(game.catalog.units), len(UNIT_FEATURES))
    assert parts.tracks.shape == (len(TRACKS),)
    assert parts.tracks[TRACKS.index("stage:move unit")] == 1
    assert parts.tracks[[TRACKS.index(f"stage:{stage}") for stage in STAGES]].sum() == 1
    chosen = np.flatnonzero(parts.units[:, _UNIT["chosen"]]).tolist()
    assert game.game.menu is not None
    assert [list(game.catalog.units)[place] for place in chosen] == [game.game.menu.unit]


@pytest.mark.parametrize("side", envs.environment.AGENTS)
def test_of_an_enemy_unit_that_is_not_seen_nothing_is_observed(game: LovatEnv, side: str) -> None:
    until(game, "move")
    parts = game.layout.parts(game.observe(side)["observation"])
    view = game.game.view(side)
    seen = {unit for stack in view.enemy for unit in (stack.top, *stack.deployed)}
    seen |= {unit.unit for stack in view.enemy for unit in stack.revealed}
    rows = {unit: row for unit, row in zip(game.catalog.units, parts.units, strict=True)
            if row[_UNIT["side"]] < 0}
    unseen = [row for unit, row in rows.items() if unit not in seen]
    assert seen <= set(rows)
    assert len(unseen) > 10
    printed = {_UNIT["side"], _UNIT["printed"]}
    for row in unseen:
        assert set(np.flatnonzero(row).tolist()) <= printed
    # Nothing is known of the strength of those of which only the front is seen.
    assert all(rows[stack.top][_UNIT["strength"]] == 0 for stack in view.enemy
               if not stack.revealed)


def test_a_draft_is_seen_by_its_own_side_alone(game: LovatEnv) -> None:
    until(game, "move")
    other = "german" if game.agent_selection == "soviet" else "soviet"
    before = game.observe(other)
    drafted = until(game, "move unit")
    menu = game.game.menu
    assert menu is not None
    hexes = [action for action in np.flatnonzero(drafted["action_mask"]).tolist()
             if action >= game.actions.first_hex]
    game.step(hexes[0])
    after, own = game.observe(other), game.observe(game.agent_selection)
    assert np.array_equal(before["observation"], after["observation"])
    assert not after["action_mask"].any()
    row = game.layout.parts(own["observation"]).units[list(game.catalog.units).index(menu.unit)]
    column, line = divmod(game.actions.choice(hexes[0]).hex, 100)
    assert row[_UNIT["named"]] == 1
    assert row[_UNIT["spent"]] > 0
    assert row[_UNIT["column"]] == pytest.approx(column / 40)
    assert row[_UNIT["row"]] == pytest.approx(line / 42)


def test_what_was_observed_stays_as_it_was(game: LovatEnv) -> None:
    observation = until(game, "move unit")
    kept = {part: array.copy() for part, array in observation.items()}
    game.step(int(Verb.STAY))
    observation["observation"][:] = 0.5
    again = until(game, "move unit")
    assert all(np.array_equal(kept[part], again[part]) for part in kept)


# ---------------------------------------------------------------- rewards, ends, seeds

def test_rewards_at_the_end_come_once(address: str) -> None:
    """The same game pays the same in sum, but nothing before its end."""
    sums = {}
    for rewards in envs.REWARDS:
        env = made(address, scenario="final-relief-attempt", rewards=rewards, max_steps=40)
        sums[rewards] = play(env, 3).rewards
        assert env.rewards == {}
        env.close()
    assert sums["end"] == sums["impulse"]


def test_max_steps_truncates_after_as_many_actions(address: str) -> None:
    env = made(address, max_steps=7)
    played = play(env, 1)
    assert (played.steps, played.ended) == (7, {"truncated"})
    assert env.agents == []
    env.close()


def test_a_seed_gives_the_game_of_that_seed(address: str, game: LovatEnv) -> None:
    with LovatClient.connect(address) as client:
        created = client.create_game(SCENARIO, seed=11, standard_set_up=True)
    game.reset(seed=11)
    assert game.game.session.created.position == created.position
    game.reset()
    second = game.game.session.created.position.checksum
    game.reset(seed=11)
    game.reset()
    assert game.game.session.created.position.checksum == second != created.position.checksum


# ---------------------------------------------------------------- making and closing

@pytest.mark.parametrize(("settings", "said"), [
    ({"max_steps": 0}, "max_steps: expected a whole number from 1 or None, not 0"),
    ({"max_steps": 2.5}, "max_steps: .* not 2.5"),
    ({"rewards": "often"}, "rewards: expected one of impulse, end, not 'often'"),
    ({"render_mode": "rgb_array"}, "render_mode: expected one of ansi, human, svg or None"),
])
def test_a_setting_that_is_none_is_named(address: str, settings: dict[str, Any],
                                         said: str) -> None:
    with pytest.raises(ValueError, match=said):
        made(address, **settings)


def test_address_and_client_exclude_each_other(address: str) -> None:
    with LovatClient.connect(address) as client, pytest.raises(ValueError, match="not both"):
        LovatEnv(address=address, client=client)


def test_an_unknown_scenario_is_named(address: str) -> None:
    with pytest.raises(LovatError, match="no-such-war"):
        made(address, scenario="no-such-war")


def test_a_client_that_was_given_stays_open(address: str) -> None:
    with LovatClient.connect(address) as client:
        LovatEnv(client=client).close()
        assert client.games()


@pytest.mark.parametrize("package", ["pettingzoo", "gymnasium", "numpy"])
def test_without_its_packages_it_says_what_to_install(package: str) -> None:
    program = f"import sys; sys.modules[{package!r}] = None; import lovat_client.envs"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 1
    assert done.stderr.strip().endswith(
        f"{package} is not installed; the environments need it: pip install 'lovat[envs]'")


def test_the_example_of_the_readme_runs_and_leaves_no_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[EmbeddedServer] = []
    stopped: list[EmbeddedServer] = []
    start, stop = EmbeddedServer.start, EmbeddedServer.stop
    monkeypatch.setattr(EmbeddedServer, "start",
                        lambda server: started.append(server) or start(server))
    monkeypatch.setattr(EmbeddedServer, "stop",
                        lambda server: stopped.append(server) or stop(server))
    blocks = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    example, = (block for block in blocks if "lovat_client import envs" in block)
    found: dict[str, Any] = {"__name__": "example"}
    exec(compile(example, "README.md", "exec"), found)
    assert found["terminated"] or found["truncated"]
    assert found["env"].unwrapped.steps == found["env"].unwrapped.max_steps
    assert len(started) == 1
    assert stopped == started
    found["env"].close()
    assert stopped == started
