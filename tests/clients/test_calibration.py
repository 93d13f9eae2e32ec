"""The calibration plays what it says, goes on where it was, and its table is what its lines say."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import pytest

from tests.bench import calibrate

SCENARIO = "purkayevs-attack"
BOTS = {"soviet": "random", "german": "random"}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("calibration") / "games.jsonl"
    assert len(list(calibrate.run(file, [SCENARIO], 1, 1, BOTS))) == 1
    return file


def lines_of(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_every_line_is_a_whole_game(played: Path) -> None:
    (line,) = lines_of(played)
    assert (line["scenario"], line["seed"], line["bots"]) == (SCENARIO, 1, BOTS)
    levels = calibrate.client().catalog(SCENARIO).scenario.victory.levels
    assert line["level"] in {level.name for level in levels}
    assert line["decisions"] > 50
    assert calibrate.GERMAN_LOSSES in line["lines"]


def test_a_run_goes_on_after_the_last_whole_line(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    whole = played.read_text()
    file.write_text(whole + whole[:40])
    assert list(calibrate.run(file, [SCENARIO], 1, 1, BOTS)) == []
    assert file.read_text() == whole


def test_a_file_of_other_play_is_not_gone_on_with(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    (line,) = lines_of(played)
    file.write_text(json.dumps({**line, "checksum": "0" * 64}) + "\n")
    with pytest.raises(calibrate.CalibrationError, match="begin a new file"):
        list(calibrate.run(file, [SCENARIO], 2, 1, BOTS))
    with pytest.raises(calibrate.CalibrationError, match="play in the file"):
        list(calibrate.run(file, [SCENARIO], 2, 1, {"soviet": "greedy", "german": "greedy"}))


def test_the_table_is_what_the_lines_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], played: Path,
) -> None:
    like = lines_of(played)[0]
    points = [5, 40, 20, 30, 25]
    made = [{**like, "seed": seed, "points": value, "fell": fell, "lines": {
        calibrate.GERMAN_LOSSES: 10 * seed, calibrate.SOVIET_LOSSES: 7, calibrate.BUNKERS: seed}}
        for seed, (value, fell) in enumerate(zip(points, (0, 4, 0, 3, 4), strict=True), 1)]
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in made))
    assert calibrate.main(["table", str(file)]) == 0
    shown = capsys.readouterr().out
    low, middle, high = statistics.quantiles(points, n=4, method="inclusive")
    historical = calibrate.historical(SCENARIO)
    assert (f"| {SCENARIO} | 5 | {historical} | {low:g}, {middle:g}, {high:g} | 5, 40 | 30, 7 "
            "| 3.0 | 0.0 | yes |") in shown
    assert "the last bunker fell in 3 of 5 games, by turn 3: 1, 4: 2" in shown


def test_the_middle_half_decides() -> None:
    games = [calibrate.Game(SCENARIO, seed, BOTS, points, "", {}, 0, 1, 0, 0, "")
             for seed, points in enumerate((1, 2, 3, 4, 5), 1)]
    (row,) = calibrate.rows(games)
    assert row.historical == calibrate.historical(SCENARIO)
    assert row.quarters == (2, 3, 4)
    assert not row.is_calibrated


@pytest.mark.soak
def test_two_processes_play_the_same_games(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    games = {game.seed: game for game in calibrate.run(file, [SCENARIO], 3, 2, BOTS)}
    assert sorted(games) == [1, 2, 3]
    assert len({game.checksum for game in games.values()}) == 3
    assert games[1].checksum == lines_of(played)[0]["checksum"]
