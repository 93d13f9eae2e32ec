"""[WD 5.2] The movement phase as one order: what its dice may change, and what not."""

from __future__ import annotations

import pytest

from lovat_server.core.errors import MalformedError
from lovat_server.games.white_death.game import WHITE_DEATH

from .field import field, german, place, soviet, tanks
from .playing import march, moves, refusals, submit


@pytest.mark.rule("WD 5.2")
@pytest.mark.parametrize("dice", [(6,) * 9, (1, 4, 4) * 3, (1,)])
def test_an_order_is_legal_or_not_whatever_its_dice_would_be(dice):
    """Missed, hit and halted, or with too few dice: the last march is refused alike, and no die
    of the refused order counts."""
    catalog = field([tanks(soviet("t", morale=8)), soviet("u"), german("a", antitank=16)])
    battle = place(catalog, "t 0404; u 0401; a 0405", dice=dice)
    order = moves(march(battle, "t", 403), march(battle, "t", 402), march(battle, "u", 405))
    found = refusals(battle, order)
    assert [(v.clause, v.path) for v in found] == [("WD 6.A", "actions[2].path[0]")]
    done = WHITE_DEATH.submit(battle.catalog, battle.freeze(), order, battle.dice)
    assert (done.violations, done.events, battle.dice.counter) == (found, (), 0)


@pytest.mark.rule("WD 5.2")
@pytest.mark.parametrize("dice", [(6,) * 9, (1,) * 9])
def test_a_march_that_is_ordered_again_does_not_stand_for_the_first(dice):
    """A die goes against the tank in between; the same path from elsewhere is another march."""
    catalog = field([tanks(soviet("t", morale=8)), soviet("u"), german("a", antitank=16)],
                    forest="0802", road="0702-0802")
    battle = place(catalog, "t 0404; u 0401; a 0405", dice=dice)
    again = moves(march(battle, "u", 402), march(battle, "t", 403), march(battle, "u", 402))
    found = refusals(battle, again)
    assert [v.path for v in found] == ["actions[2].path[0]"]
    done = WHITE_DEATH.submit(battle.catalog, battle.freeze(), again, battle.dice)
    assert done.violations == found
    battle = place(catalog, "t 0404; u 0702; a 0405", declared=2, dice=dice)
    dearer = moves(march(battle, "u", 802), march(battle, "t", 403), march(battle, "u", 801),
                   march(battle, "u", 802), march(battle, "u", 702), march(battle, "u", 703))
    assert not refusals(battle, dearer)
    submit(battle, dearer)


@pytest.mark.rule("WD 5.2")
def test_dice_that_run_out_end_a_legal_order():
    catalog = field([tanks(soviet("t", morale=8)), german("a", antitank=16)])
    battle = place(catalog, "t 0404; a 0405", dice=(1, 4))
    with pytest.raises(MalformedError, match="die 2 is needed but only 2 are scripted"):
        submit(battle, moves(march(battle, "t", 403)))
