"""Whole games end as they did when they were written down."""

from __future__ import annotations

import pytest

from tests.playthroughs.record import GOLDEN, LONG, Playthrough, lines, playthroughs

HOW = "if the change is meant, run python -m tests.playthroughs.regenerate"
CASES = [pytest.param(case, id=case.name,
                      marks=[pytest.mark.soak] if case.scenario in LONG else [])
         for case in playthroughs()]


@pytest.mark.parametrize("case", CASES)
def test_a_playthrough_is_as_written_down(case: Playthrough) -> None:
    assert case.path.exists(), HOW
    written = case.path.read_text(encoding="utf-8").splitlines()
    for number, (old, new) in enumerate(zip(written, lines(case), strict=False), start=1):
        assert old == new, f"{case.path.name} line {number}; {HOW}"
    assert written[-1].split(": ")[-1], "the game ends with its level of victory"


def test_a_playthrough_is_written_to_its_end() -> None:
    case = Playthrough("purkayevs-attack", "standing")
    assert case.path.read_text(encoding="utf-8").splitlines() == list(lines(case))


def test_every_file_is_of_a_playthrough() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {case.name for case in playthroughs()}
