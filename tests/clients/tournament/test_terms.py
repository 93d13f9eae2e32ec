"""The TOML of a tournament: what is read, and what is refused in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lovat_client.tournament.terms import TermsError, read_terms, terms_of, terms_of_json
from lovat_client.winners import problems, table_of, winner_by

WHOLE = """
name = "spring"
kind = "gauntlet"
scenarios = ["purkayevs-attack", "woehlers-response"]
games = 6
seed = "x"
champion = "sharp"
turns = 2
rating = "pair"

[[bots]]
name = "greedy"

[[bots]]
name = "sharp"
use = "my.bots:make_sharp"
options = { depth = 3, book = ["a", "b"] }

[victory.purkayevs-attack]
soviet = ["Soviet Overwhelming Victory"]
german = ["German Victory"]

[limits]
decision_seconds = 2.5
refusals = 0
"""


def test_a_whole_file_is_read_and_comes_back_from_json(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text(WHOLE)
    terms = read_terms(file)
    assert terms.bot_names == ("greedy", "sharp")
    assert terms.bot("greedy").use == "greedy"
    assert terms.bot("sharp").options == {"depth": 3, "book": ["a", "b"]}
    assert (terms.limits.decision_seconds, terms.limits.refusals) == (2.5, 0)
    assert terms.limits.order_bytes == 256 * 1024
    assert terms.folders == (str(tmp_path),)
    assert terms_of_json(terms.as_json()) == terms
    assert terms_of_json(terms.as_json()).digest == terms.digest


def test_where_the_file_lies_does_not_make_another_tournament(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "t.toml").write_text(WHOLE)
    first, second = (read_terms(tmp_path / folder / "t.toml") for folder in ("a", "b"))
    assert first != second
    assert first.digest == second.digest


def test_defaults() -> None:
    bots = [{"name": name, "use": "random"} for name in "abcde"]
    common = {"name": "n", "scenario": "s", "bots": bots}
    assert terms_of({**common, "kind": "swiss"}).rounds == 3
    assert terms_of({**common, "kind": "gauntlet"}).champion == "a"
    assert terms_of({**common, "kind": "round_robin"}).games == 2
    assert terms_of({**common, "kind": "round_robin"}).scenarios == ("s",)


GOOD: dict[str, Any] = {"name": "n", "kind": "round_robin", "scenarios": ["s"],
                        "bots": [{"name": "random"}, {"name": "greedy"}]}


@pytest.mark.parametrize(("change", "said"), [
    ({"kind": "knock_out"}, "kind: 'knock_out' is none of"),
    ({"kind": None}, "kind"),
    ({"name": "a b"}, "name: 'a b' is not a name"),
    ({"scenarios": []}, "scenarios: name at least one"),
    ({"scenarios": ["s", "s"]}, "scenarios: 's' is there twice"),
    ({"bots": [{"name": "random"}]}, "at least two"),
    ({"bots": [{"name": "random"}, {"name": "random"}]}, "bots: 'random' is there twice"),
    ({"bots": [{"name": "random"}, {"name": "clever"}]}, "bots[1].use: 'clever' is neither"),
    ({"bots": [{"name": "random"}, {"name": "x", "use": "random", "colour": 1}]},
     "bots[1].colour: there is no such setting"),
    ({"bots": "all"}, "bots: 'all' is not a list"),
    ({"games": 3}, "games: 3 is odd"),
    ({"games": 0}, "games: 0 is less than 2"),
    ({"games": True}, "games: True is not a whole number"),
    ({"champion": "greedy"}, "champion: only a gauntlet"),
    ({"kind": "gauntlet", "champion": "x"}, "champion: there is no bot 'x'"),
    ({"rounds": 2}, "rounds: only a swiss"),
    ({"limits": {"decision_seconds": 0}}, "limits.decision_seconds: 0"),
    ({"limits": {"patience": 1}}, "limits.patience: there is no such setting"),
    ({"victory": {"other": {}}}, "victory: the scenario 'other' is not played"),
    ({"victory": {"s": {"a": ["x"], "b": ["x"]}}}, "victory.s: a level wins for one side only"),
    ({"colour": "red"}, "colour: there is no such setting"),
])
def test_what_cannot_be_played_by_is_said(change: dict[str, Any], said: str) -> None:
    content = {key: value for key, value in {**GOOD, **change}.items() if value is not None}
    with pytest.raises(TermsError) as error:
        terms_of(content)
    assert said in str(error.value)


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text("name = ")
    with pytest.raises(TermsError, match=r"t\.toml: not a TOML file"):
        read_terms(file)


LEVELS = ["German Victory", "Soviet Marginal Victory", "Draw", "Soviet Tactical Victory"]


def test_a_level_wins_for_the_side_that_its_name_begins_with() -> None:
    table = table_of(("soviet", "german"), LEVELS)
    assert table == {"soviet": ("Soviet Marginal Victory", "Soviet Tactical Victory"),
                     "german": ("German Victory",)}
    assert [winner_by(table, level) for level in LEVELS] == ["german", "soviet", "", "soviet"]


def test_a_table_of_the_terms_is_checked_against_the_scenario() -> None:
    assert problems({"soviet": LEVELS[:1]}, ("soviet", "german"), LEVELS) == []
    found = problems({"axis": [], "soviet": ["Victory"]}, ("soviet", "german"), LEVELS)
    assert [text.split(";")[0] for text in found] == [
        "there is no side 'axis'", "there is no level 'Victory'"]
