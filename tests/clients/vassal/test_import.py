"""`lovat import` with saves that the test writes and the real rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lovat.white_death.v1 import state_pb2
from lovat_client.cli.app import app
from lovat_client.cli.files import read_position, write_position
from lovat_client.sdk import Catalog, LovatClient
from tests.clients.vassal.writing import layer, marker, piece, save, stack, write

SCENARIO = "purkayevs-attack"
SIDE, X0, Y0 = 40, 60, 52
MAP = f"""
format = 1
scenario = "{SCENARIO}"
module = "White Death"

[[maps]]
name = "Main Map"
x0 = {X0}
y0 = {Y0}
dx = {1.5 * SIDE}
dy = {3 ** 0.5 * SIDE}

[[maps.boxes]]
name = "Turn track"
x = 3000
y = 0
width = 500
height = 100
place = "ignored"

[[maps.checks]]
hex = 2222
x = 1320
y = 1541

[[maps]]
name = "Pool"
place = "waiting"

[[maps]]
name = "Dead Pile"
place = "eliminated"
"""
PIECES = """
format = 1
ignore = ["Turn *"]

[units]
"184 Tank Brigade, 1st T-34" = "s-1-184tb-afv"

[[pieces]]
image = "smg.png"
gpid = "31"
unit = "s-smg-184tb"

[strength]
property = "Steps_Level"
counts = "lost"
from = 1

[[status]]
flag = "deployed"
property = "Deployed"
value = "yes"
"""


@pytest.fixture(scope="session")
def client(address: str) -> Iterator[LovatClient]:
    with LovatClient.connect(address) as found:
        yield found


@pytest.fixture(scope="session")
def catalog(client: LovatClient) -> Catalog:
    return client.catalog(SCENARIO)


@pytest.fixture
def at(catalog: Catalog) -> Callable[[int], tuple[str, int, int]]:
    """Where the module of the test draws a hex."""
    def place(hex_: int) -> tuple[str, int, int]:
        x, y = catalog.xy(hex_)
        return "Main Map", round(X0 + SIDE * x), round(Y0 + SIDE * y)

    return place


@pytest.fixture
def lovat(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOVAT_SERVER", address)
    Path("map.toml").write_text(MAP)
    Path("pieces.toml").write_text(PIECES)

    def run(*arguments: str, code: int = 0) -> Result:
        result = CliRunner().invoke(app, ["import", *arguments])
        assert result.exit_code == code, result.output
        assert "Traceback" not in result.output
        return result

    return run


def rows(path: str) -> dict[str, state_pb2.UnitState]:
    return {row.unit: row for row in read_position(Path(path)).state.white_death.units}


VASSAL = ("vassal", "game.vsav", "game.json", "--map", "map.toml", "--pieces", "pieces.toml")


def test_the_set_up_of_a_scenario_comes_back(
    lovat: Any, client: LovatClient, at: Callable[[int], tuple[str, int, int]],
) -> None:
    start = client.create_game(SCENARIO, seed=7, standard_set_up=True).position
    stacks: dict[int, list[state_pb2.UnitState]] = {}
    for row in start.state.white_death.units:
        if row.hex:
            stacks.setdefault(row.hex, []).append(row)
    commands = []
    for hex_, units in stacks.items():
        units.sort(key=lambda row: -row.rank)       # a stack is written from the bottom
        commands += [piece(row.unit, row.unit, ("null", 0, 0)) for row in units]
        commands.append(stack(f"stack-{hex_}", at(hex_), [row.unit for row in units]))
    save(Path("game.vsav"), commands)
    text = lovat("vassal", "game.vsav", "game.bin", "--map", "map.toml", "--seed", "7").stdout
    assert read_position(Path("game.bin")) == start
    assert text.startswith(f"game.vsav: a save of White Death 1.2, {len(commands) - len(stacks)} "
                           "units seen\n")
    assert f"game.bin: {SCENARIO}, {len(commands) - len(stacks)} units on the map, version 0, " \
           f"checksum {start.checksum}" in text
    assert "Faults" not in text


def test_units_are_placed_with_strength_status_and_order(
    lovat: Any, client: LovatClient, catalog: Catalog,
    at: Callable[[int], tuple[str, int, int]],
) -> None:
    save(Path("game.vsav"), [
        piece("1", "184 Tank Brigade, 1st T-34", ("null", 0, 0), traits=[layer("Steps", 3)]),
        piece("2", "SMG", ("null", 0, 0), image="smg.png", gpid="31"),
        stack("9", at(3222), ["1", "2"]),
        piece("3", "s-2-184tb-afv", at(3222), traits=[layer("Steps", -1)]),
        piece("4", "s-257-i-793-art", at(3322), traits=[marker({"Deployed": "yes"})]),
        piece("5", "s-28-88-inf", ("Pool", 5, 5), traits=[layer("Steps", 2)]),
        piece("6", "g-83-eng", ("Dead Pile", 5, 5), traits=[layer("Steps", 9)]),
        piece("7", "s-28-144-inf", ("null", 0, 0)),
        piece("8", "Turn marker", at(2020)), piece("10", "Snow", ("Main Map", 3100, 50)),
    ])
    text = lovat(*VASSAL, "--seed", "7").stdout
    found = rows("game.json")
    told = {id_: (row.hex, row.strength, row.status, row.rank)
            for id_, row in found.items() if row.hex}
    assert told == {
        "s-2-184tb-afv": (3222, 5, 0, 0), "s-smg-184tb": (3222, 2, 0, 1),
        "s-1-184tb-afv": (3222, 4, 0, 2), "s-257-i-793-art": (3322, 3, 1, 0)}
    assert found["s-28-88-inf"].strength == 6
    assert found["g-83-eng"].strength == 0
    assert found["s-28-144-inf"].strength == 7
    assert "  off the map: s-28-88-inf ('s-28-88-inf'), waiting, at Pool\n" in text
    assert "  off the map: g-83-eng ('g-83-eng'), eliminated, at Dead Pile\n" in text
    assert "  off the map: s-28-144-inf ('s-28-144-inf'), absent, at no map\n" in text
    assert "unmapped" not in text
    position = read_position(Path("game.json"))
    # 2 of the T-34s, 1 of the rifles; the engineers: they are booked as lost.
    assert list(position.state.white_death.ledger.lost) == [3, catalog.unit("g-83-eng").strength]
    soundness = client.check(position)
    assert position.checksum == soundness.checksum
    assert len(soundness.faults) == text.count("\n  [")     # the faults of the position are told


@pytest.mark.parametrize(("absent", "hex_", "strength", "waiting"), [
    ("wait", 0, 7, 6), ("out", 0, 0, 6), ("keep", 3125, 7, 6)])
def test_units_without_a_piece(
    lovat: Any, at: Callable[[int], tuple[str, int, int]], absent: str, hex_: int, strength: int,
    waiting: int,
) -> None:
    save(Path("game.vsav"), [piece("1", "s-28-88-inf", at(3125))])
    lovat(*VASSAL, "--absent", absent)
    found = rows("game.json")
    assert (found["s-28-144-inf"].hex, found["s-28-144-inf"].strength) == (hex_, strength)
    assert found["s-28-144-inf"].rank == (1 if hex_ else 0)     # under the unit that was placed
    assert (found["s-28-88-inf"].hex, found["s-28-88-inf"].rank) == (3125, 0)
    # A reinforcement that has not come yet stays as it is.
    assert (found["s-1-33tb-afv"].hex, found["s-1-33tb-afv"].strength) == (0, waiting)


def test_all_else_may_come_from_another_position(
    lovat: Any, client: LovatClient, at: Callable[[int], tuple[str, int, int]],
) -> None:
    base = client.create_game(SCENARIO, seed=3, standard_set_up=True).position
    base.state.white_death.supply[:] = [9, 8, 7]
    base.version, base.checksum = 5, ""
    write_position(Path("base.json"), base)
    save(Path("game.vsav"), [piece("1", "s-28-88-inf", at(3125))])
    lovat(*VASSAL, "--base", "base.json")
    found = read_position(Path("game.json"))
    assert list(found.state.white_death.supply) == [9, 8, 7]
    assert (found.version, found.state.dice) == (0, base.state.dice)
    for more in (("--seed", "7"), ("--scenario", SCENARIO)):
        result = lovat(*VASSAL, "--base", "base.json", *more, code=1)
        assert result.stderr.startswith("error: --base has its own scenario and dice")


def test_every_piece_that_cannot_be_placed_is_told_at_once(
    lovat: Any, at: Callable[[int], tuple[str, int, int]],
) -> None:
    _, x, y = at(3125)
    save(Path("game.vsav"), [
        piece("1", "s-28-88-inf", at(3125)), piece("2", "88", at(3126)),
        piece("3", "s-28-144-inf", ("Main Map", x, -900)),
        piece("4", "s-28-235-inf", ("Other Map", x, y)),
        piece("5", "s-2-184tb-afv", at(3222), traits=[layer("Steps", 9)]),
        piece("6", "Mystery", at(2020), image="what.png", gpid="7"),
        piece("7", "Stray", ("Other Map", 3, 4)),
    ])
    result = lovat(*VASSAL, "--skip-unmapped", code=1)
    lines = result.stderr.splitlines()
    assert lines == [
        "error: game.vsav: unit s-28-88-inf is two pieces: 's-28-88-inf' at hex 3125 and '88' at "
        "hex 3126; expected one",
        f"error: game.vsav: piece 's-28-144-inf' (unit s-28-144-inf) at Main Map {x},-900: it "
        "lies outside the grid (column 31, row -13); expected columns 1 to 40, rows 1 to 42, or a "
        "box",
        f"error: game.vsav: piece 's-28-235-inf' (unit s-28-235-inf) at Other Map {x},{y}: the "
        "calibration has no map 'Other Map'; expected one of 'Main Map', 'Pool', 'Dead Pile'",
        f"error: game.vsav: piece 's-2-184tb-afv' (unit s-2-184tb-afv) at "
        f"{'Main Map {},{}'.format(*at(3222)[1:])}: its Steps_Level is 9, which is a strength of "
        "-3; expected 1 to 5",
    ]
    assert "  unmapped: 'Mystery' (image 'what.png', gpid '7') at hex 2020\n" in result.stdout
    assert "  unmapped: 'Stray' (image '', gpid '') at Other Map 3,4\n" in result.stdout
    assert not Path("game.json").exists()


def test_pieces_that_nobody_says_anything_of(
    lovat: Any, at: Callable[[int], tuple[str, int, int]],
) -> None:
    save(Path("game.vsav"), [piece("1", "s-28-88-inf", at(3125)), piece("2", "Mystery", at(2020))])
    result = lovat(*VASSAL, code=1)
    assert result.stderr.startswith(
        "error: game.vsav: 1 pieces are neither units nor ignored by the mapping")
    assert "unmapped: 'Mystery' (image '', gpid '') at hex 2020" in result.stdout
    assert not Path("game.json").exists()
    lovat(*VASSAL, "--skip-unmapped")
    assert rows("game.json")["s-28-88-inf"].hex == 3125


@pytest.mark.parametrize(("name", "content", "said"), [
    ("game.vsav", b"no zip", "error: game.vsav: this is no zip file"),
    ("map.toml", b"format = 9", "error: map.toml: format: 9; expected one of 1"),
    ("map.toml", MAP.replace("hex = 2222", "hex = 2223").encode(),
     "error: map.toml: the check of hex 2223 on 'Main Map': 1320, 1541 is column 22, row 22 by "
     "the numbers of the grid; expected 2223"),
    ("map.toml", MAP.replace('scenario = "', 'scenario = "no').encode(),
     "error: CreateGame: NOT_FOUND: there is no scenario 'nopurkayevs-attack'"),
    ("map.toml", MAP.replace("scenario =", "# scenario =").encode(),
     "error: map.toml names no scenario: name one with --scenario"),
    ("map.toml", MAP.replace("White Death", "Black Life").encode(),
     "error: game.vsav is a save of the module 'White Death'; map.toml is for 'Black Life'"),
    ("pieces.toml", b'format = 1\n[units]\na = "s-none"',
     "error: pieces.toml: units.a: 's-none' is no unit of the scenario"),
])
def test_a_file_that_cannot_be_used_is_one_line(
    lovat: Any, at: Callable[[int], tuple[str, int, int]], name: str, content: bytes, said: str,
) -> None:
    save(Path("game.vsav"), [piece("1", "s-28-88-inf", at(3125))])
    Path(name).write_bytes(content)
    result = lovat(*VASSAL, code=1)
    assert result.stderr.startswith(said)
    assert result.stderr.count("\n") == 1
    assert not Path("game.json").exists()


def test_the_pieces_of_a_save_are_listed(
    lovat: Any, at: Callable[[int], tuple[str, int, int]],
) -> None:
    save(Path("game.vsav"), [
        piece("1", "SMG  group", at(3125), image="smg.png", gpid="31",
              traits=[layer("Steps", 2), marker({"Side": "Soviet"})]),
        piece("2", "Pooled", ("Pool", 1, 2))], after=["LOG\tx"])
    _, x, y = at(3125)
    result = lovat("pieces", "game.vsav", "--map", "map.toml")
    assert result.stdout.splitlines() == [
        "name\timage\tgpid\tmap\tx\ty\thex\tproperties",
        f"SMG group\tsmg.png\t31\tMain Map\t{x}\t{y}\t3125\t"
        "Side=Soviet Steps_Active=true Steps_Level=2",
        "Pooled\t\t\tPool\t1\t2\t\t"]
    assert result.stderr == "note: 1 commands after the save, of a log, are not carried out\n"
    assert f"{x}\t{y}\t\tSide" in lovat("pieces", "game.vsav").stdout
    write(Path("game.vsav"), b"junk")
    assert lovat("pieces", "game.vsav", code=1).stderr.startswith("error: game.vsav: savedGame: ")


def test_calibrations_may_be_json(
    lovat: Any, at: Callable[[int], tuple[str, int, int]],
) -> None:
    Path("map.json").write_text(json.dumps({"format": 1, "maps": [
        {"name": "Main Map", "x0": X0, "y0": Y0, "dx": 1.5 * SIDE, "dy": 3 ** 0.5 * SIDE}]}))
    save(Path("game.vsav"), [piece("1", "s-28-88-inf", at(3125))], module="")
    text = lovat("vassal", "game.vsav", "game.json", "--map", "map.json", "--scenario",
                 SCENARIO).stdout
    assert text.startswith("game.vsav: a save, 1 units seen\n")
    assert rows("game.json")["s-28-88-inf"].hex == 3125


@pytest.mark.parametrize("command", ["vassal", "pieces"])
def test_import_commands_explain_themselves(command: str) -> None:
    result = CliRunner().invoke(app, ["import", command, "--help"], terminal_width=200)
    assert result.exit_code == 0
    assert f"lovat import {command}" in result.output
