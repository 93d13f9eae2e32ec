"""Whole games end as they did when they were written down."""

from __future__ import annotations

import pytest

from tests.playthroughs.record import GOLDEN, Playthrough, lines, playthroughs

HOW = "if the change is meant, run python -m tests.playthroughs.regenerate"
CASES = [pytest.param(case, id=case.name) for case in playthroughs()]


@pytest.mark.parametrize("case", CASES)
def test_a_playthrough_is_as_written_down(case: Playthrough) -> None:
    assert case.path.exists(), HOW
    written = case.path.read_text(encoding="utf-8").splitlines()
    played = lines(case)
    for number, old in enumerate(written, start=1):
        assert next(played, "the game is over") == old, f"{case.path.name} line {number}; {HOW}"
    assert next(played, None) is None, f"{case.path.name} ends too early; {HOW}"


def test_every_file_is_of_a_playthrough() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {case.name for case in playthroughs()}
