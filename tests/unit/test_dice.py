"""Dice: the same secret gives the same stream, no face is favoured, scripts are checked."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from lovat_server.core.dice import FACES, Dice, KeyedDice, ScriptedDice, commitment
from lovat_server.core.errors import MalformedError

SECRET = b"velikiye luki"
GOLDEN = [6, 6, 5, 6, 6, 3, 5, 4, 6, 5, 2, 6, 3, 1, 2, 5, 2, 6, 1, 1, 6, 4, 4, 2]


def rolls(secret: bytes, count: int, counter: int = 0) -> list[int]:
    dice = KeyedDice(secret, counter)
    return [dice.roll() for _ in range(count)]


def test_the_stream_of_a_secret_never_changes() -> None:
    assert rolls(SECRET, 24) == GOLDEN


def test_a_die_is_the_first_unbiased_byte_of_its_keyed_hash() -> None:
    def die(number: int) -> int:
        for block in range(100):
            message = number.to_bytes(8, "big") + block.to_bytes(2, "big")
            for byte in hmac.new(SECRET, message, hashlib.sha256).digest():
                if byte < 252:
                    return byte % 6 + 1
        raise AssertionError

    assert rolls(SECRET, 500) == [die(number) for number in range(500)]


def test_a_stream_goes_on_from_any_counter() -> None:
    dice = KeyedDice(SECRET, 7)
    assert [dice.roll() for _ in range(5)] == rolls(SECRET, 12)[7:]
    assert dice.counter == 12


def test_another_secret_gives_another_stream() -> None:
    assert rolls(SECRET, 40) != rolls(SECRET + b"!", 40)


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_sixty_thousand_dice_favour_no_face() -> None:
    stream = rolls(b"uniformity", 60_000)
    assert set(stream) == set(range(1, FACES + 1))
    # 20.5 is passed by one fair stream in a thousand with five degrees of freedom.
    assert chi_square([stream.count(face) for face in range(1, 7)]) < 20.5


def test_a_die_says_nothing_about_the_next() -> None:
    stream = rolls(b"independence", 60_000)
    pairs = [0] * 36
    for first, second in zip(stream[::2], stream[1::2], strict=True):
        pairs[(first - 1) * 6 + second - 1] += 1
    # 66.6 likewise, with thirty-five degrees of freedom.
    assert chi_square(pairs) < 66.6


def test_scripted_dice_come_in_order() -> None:
    dice = ScriptedDice((6, 1, 3))
    assert [dice.roll() for _ in range(3)] == [6, 1, 3]
    assert dice.counter == 3


def test_scripted_dice_go_on_from_a_counter() -> None:
    assert ScriptedDice((6, 1, 3), counter=2).roll() == 3


@pytest.mark.parametrize("dice", [KeyedDice(b"secret"), ScriptedDice((3, 1, 6, 6))])
def test_dice_that_are_taken_back_fall_again(dice: Dice) -> None:
    dice.roll()
    first = [dice.roll(), dice.roll()]
    dice.rewind(1)
    assert dice.counter == 1
    assert [dice.roll(), dice.roll()] == first


def test_a_script_that_is_too_short_says_which_die_is_missing() -> None:
    dice = ScriptedDice((4,))
    dice.roll()
    with pytest.raises(MalformedError, match="die 1 is needed but only 1 are scripted") as refusal:
        dice.roll()
    assert refusal.value.field == "dice.script"
    assert dice.counter == 1


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_scripted_die_shows_one_to_six(face: int) -> None:
    with pytest.raises(MalformedError, match=f"die 1 shows {face}") as refusal:
        ScriptedDice((2, face))
    assert refusal.value.field == "dice.script[1]"


def test_a_commitment_is_the_hash_of_the_secret() -> None:
    assert commitment(b"abc") == ("ba7816bf8f01cfea414140de5dae2223"
                                  "b00361a396177a9cb410ff61f20015ad")
