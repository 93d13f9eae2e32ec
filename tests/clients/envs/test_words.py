"""Every word on a menu, not only the one that a player says, leads to an order that is accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from lovat_client.envs import Choice, LovatEnv, Verb
from lovat_client.sdk import LovatClient, Session

from .players import any_kind
from .words import Talk

HEAD = """scenario final-relief-attempt
turn 12
decision {decision}
phasing {phasing}
supply soviet 5 german 5 velikiye-luki 3
impulses soviet 1 german 1
points soviet 4 german 4
declared 6
kind action
"""
POSITIONS = {
    "move-and-declare soviet": """
        1241 s-5s-eng
        0212 s-24-18-cav
        0213 g-1-1sj-ski
    """,
    "move-and-declare german": """
        bridge 1637
        1637 g-183-eng
        0212 g-331-i-557-inf
        0114 g-331-ii-557-inf
        0214 g-331-i-558-inf; g-331-ii-558-inf
        0213 s-28-88-inf
    """,
    "retreat-before-combat german": """
        assault 0213: s-28-88-inf
        0212 s-28-88-inf
        0213 g-1-1sj-ski; g-2-1sj-ski; g-1-3sj-ski
        0314 g-20-i-76-inf; g-205-i-335-inf; g-331-i-557-inf
    """,
    "pursue soviet": """
        assault 0213: s-1-44sb-ski s-2-44sb-ski s-1-45sb-ski
        withdrawn g-1-1sj-ski 0213
        withdrawn g-2-1sj-ski 0213
        0212 s-1-44sb-ski; s-2-44sb-ski
        0113 s-1-45sb-ski
        0214 g-1-1sj-ski
        0314 g-2-1sj-ski
    """,
    "barrage german": """
        phase barrage
        0215 g-i-1l-rkt deployed supplied; g-i-20-art deployed supplied
        0213 s-28-88-inf
        0313 s-28-144-inf
    """,
    "defensive-fire german": """
        phase defensive-fire
        assault 0213: s-28-88-inf s-1-184tb-afv
        0213 g-20-i-76-inf; g-205-i-335-inf
        0214 g-i-20-art deployed supplied; g-ii-20-art deployed supplied
        0114 g-i-205-art deployed supplied
        0212 s-28-88-inf
        0314 s-1-184tb-afv
    """,
    "assault-fire soviet": """
        phase assault
        assault 0213: s-28-88-inf s-1-184tb-afv
        0213 g-20-i-76-inf; g-205-i-335-inf; g-3-1-48-at
        0212 s-28-88-inf
        0314 s-1-184tb-afv
        0112 s-28-i-112-art deployed supplied; s-28-ii-112-art deployed supplied
    """,
    "retreat german": """
        phase assault
        assault 0213: s-28-88-inf
        retreat g-20-i-76-inf 0213
        retreat g-205-i-335-inf 0213
        retreat g-1-1sj-ski 0213
        0213 g-20-i-76-inf; g-205-i-335-inf; g-1-1sj-ski
        0212 s-28-88-inf
    """,
    "advance soviet": """
        phase assault
        assault 0213: s-1-44sb-ski s-2-44sb-ski s-1-45sb-ski
        vacated 0213
        0101 g-1-1sj-ski
        0212 s-1-44sb-ski; s-2-44sb-ski
        0113 s-1-45sb-ski
    """,
}


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[LovatClient]:
    with LovatClient.connect(address) as connected:
        yield connected


def at(client: LovatClient, decision: str) -> Talk:
    """At one of the positions."""
    ours = decision.split()[1]
    defends = decision.startswith(("retreat", "defensive"))
    phasing = {"soviet": "german", "german": "soviet"}[ours] if defends else ours
    return Talk.at(client, HEAD.format(decision=decision, phasing=phasing) + POSITIONS[decision])


def unit(name: str) -> Choice:
    return Choice(unit=name)


def hex_(number: int) -> Choice:
    return Choice(hex=number)


def verb(word: Verb) -> Choice:
    return Choice(verb=word)


@pytest.mark.parametrize("decision", POSITIONS)
def test_whatever_is_said_at_random_is_accepted(client: LovatClient, decision: str) -> None:
    talk = at(client, decision)
    orders = set()
    for seed in range(5):
        order, _, said = talk.wander(Random(seed))
        judged = talk.session.validate(order)
        assert judged.is_legal, (said, [violation.message for violation in judged.violations])
        orders.add(order.SerializeToString(deterministic=True))
    assert len(orders) > 1


@pytest.mark.parametrize(("decision", "said"), [
    ("move-and-declare soviet", [unit("s-5s-eng"), verb(Verb.BUILD_BRIDGE)]),
    ("move-and-declare german", [unit("g-183-eng"), verb(Verb.DESTROY_BRIDGE)]),
    ("move-and-declare soviet",
     [verb(Verb.DONE), unit("s-24-18-cav"), verb(Verb.CHARGE), hex_(213)]),
    ("pursue soviet", [unit("s-1-44sb-ski"), hex_(214), unit("s-2-44sb-ski"), hex_(314)]),
    ("barrage german", [unit("g-i-1l-rkt"), hex_(213), verb(Verb.PAY_GERMAN)]),
    ("defensive-fire german", [verb(Verb.PAY_GERMAN), hex_(213), unit("g-i-20-art"), hex_(213),
                               unit("s-28-88-inf"), unit("s-1-184tb-afv")]),
    ("assault-fire soviet", [hex_(213), unit("s-28-i-112-art"), hex_(212),
                             unit("g-20-i-76-inf")]),
    ("advance soviet", [hex_(213)]),
    ("advance soviet", [unit("s-1-44sb-ski"), unit("s-2-44sb-ski")]),
])
def test_what_comes_up_seldom_can_be_said(client: LovatClient, decision: str,
                                          said: list[Choice]) -> None:
    talk = at(client, decision)
    judged = talk.session.validate(talk.order(said))
    assert judged.is_legal, [violation.message for violation in judged.violations]


def test_rockets_are_paid_for_only_when_they_fire(client: LovatClient) -> None:
    talk = at(client, "barrage german")
    assert verb(Verb.PAY_GERMAN) not in talk.words(talk.menu([]))
    assert verb(Verb.PAY_GERMAN) not in talk.words(talk.menu([unit("g-i-20-art"), hex_(213)]))


def test_one_regiment_of_the_331st_assaults(client: LovatClient) -> None:
    talk = at(client, "move-and-declare german")
    before = {word.unit for word in talk.words(talk.menu([verb(Verb.DONE)]))}
    after = {word.unit for word in talk.words(talk.menu(
        [verb(Verb.DONE), unit("g-331-i-557-inf"), hex_(213)]))}
    assert before - after == {"g-331-i-557-inf", "g-331-i-558-inf", "g-331-ii-558-inf"}
    assert "g-331-ii-557-inf" in after


def test_units_withdraw_no_further_than_they_stack(client: LovatClient) -> None:
    """Three battalions stand in 0314: one company may join them, a second may not."""
    talk = at(client, "retreat-before-combat german")
    first = talk.words(talk.menu([unit("g-1-1sj-ski")]))
    said = [unit("g-1-1sj-ski"), hex_(314), unit("g-2-1sj-ski")]
    assert hex_(314) in first
    assert hex_(314) not in talk.words(talk.menu(said))


def test_nothing_is_spent_on_support_once_fire_has_been_named(client: LovatClient) -> None:
    talk = at(client, "defensive-fire german")
    fire = [hex_(213), unit("s-28-88-inf")]
    assert unit("g-i-20-art") not in talk.words(talk.menu(fire))


@pytest.mark.soak
@pytest.mark.parametrize(("scenario", "seed"), [
    ("final-relief-attempt", 5), ("first-relief-attempt", 1), ("purkayevs-attack", 2)])
def test_every_word_of_a_game_is_accepted(address: str, scenario: str, seed: int) -> None:
    """At every menu of a game six words are tried, each to the end of its order."""
    env = LovatEnv(scenario, address=address, max_steps=400)
    random, tried, said = Random(seed), Counter[str](), list[Choice]()
    env.reset(seed=seed)
    while not (env.game.is_over or any(env.truncations.values())):
        menu, version = env.game.menu, env.game.version
        assert menu is not None
        session: Session = env.game.session
        talk = Talk(session)
        offered = talk.words(menu)
        for word in random.sample(offered, min(len(offered), 6)):
            judged = session.validate(talk.order([*said, word]))
            assert judged.is_legal, (menu.stage, word, judged.violations[0].message)
            tried[menu.stage] += 1
        action = any_kind(env, env.observe(env.agent_selection)["action_mask"], random)
        env.step(action)
        said = [*said, env.actions.choice(action)] if env.game.version == version else []
    print(f"{scenario} {seed}: {sum(tried.values())} words tried, {dict(tried)}")
    assert len(tried) > 8
    env.close()
