"""Ratings, summary and report from results made up here."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from lovat_client.tournament.plots import points_plot, ratings_plot, results_plot
from lovat_client.tournament.ratings import rate
from lovat_client.tournament.report import html_page, write_report
from lovat_client.tournament.results import CRASH, VOID, GameResult, GameTask
from lovat_client.tournament.schedule import next_games
from lovat_client.tournament.summary import Summary, summarise

from .making import result, terms

BOTS = ("weak", "middling", "strong")


def results_of(decide: Callable[[GameTask], GameResult], games: int = 8) -> dict[str, GameResult]:
    return {task.key: decide(task) for task in next_games(terms(*BOTS, games=games), {})}


def stronger_wins(task: GameTask) -> GameResult:
    first, second = (BOTS.index(bot.name) for bot in task.bots)
    return result(task, int(second > first), 10 * (first - second))


def german_wins(task: GameTask) -> GameResult:
    """One side always wins; the stronger bot makes more points of the other."""
    return result(task, 1, 10 * BOTS.index(task.bots[0].name))


def test_the_better_bot_is_rated_higher_and_more_games_make_it_surer() -> None:
    few, many = (rate(BOTS, results_of(stronger_wins, games).values()) for games in (2, 20))
    for ratings in (few, many):
        assert [rating.bot for rating in ratings] == ["strong", "middling", "weak"]
        assert ratings[0].mu > ratings[1].mu > ratings[2].mu
    assert max(rating.sigma for rating in many) < min(rating.sigma for rating in few)


def test_ratings_do_not_depend_on_the_order_in_which_results_came() -> None:
    found = list(results_of(stronger_wins).values())
    shuffled = Random(1).sample(found, len(found))
    assert rate(BOTS, found) == rate(BOTS, shuffled)


def test_equal_bots_are_rated_alike_even_if_one_side_always_wins() -> None:
    ratings = {rating.bot: rating for rating in rate(BOTS, results_of(german_wins).values())}
    middles = [rating.mu for rating in ratings.values()]
    assert max(middles) - min(middles) < min(rating.sigma for rating in ratings.values()) / 2


def test_by_pairs_points_tell_apart_what_wins_do_not() -> None:
    ratings = rate(BOTS, results_of(german_wins).values(), by="pair")
    assert [rating.bot for rating in ratings] == ["strong", "middling", "weak"]


def test_void_games_rate_nobody() -> None:
    void = results_of(lambda task: result(task, None, None, ending=VOID))
    assert {rating.mu for rating in rate(BOTS, void.values())} == {25.0}


@pytest.fixture
def summary() -> Summary:
    """A tournament with wins, a draw, a fault, a void game, and a name that needs escaping."""
    found = results_of(stronger_wins)
    keys = list(found)
    tasks = {task.key: task for task in next_games(terms(*BOTS, games=8), {})}
    found[keys[0]] = result(tasks[keys[0]], None, 3)
    found[keys[1]] = result(tasks[keys[1]], 1, 99, ending=CRASH, at_fault="soviet")
    found[keys[2]] = result(tasks[keys[2]], None, None, ending=VOID)
    return summarise(terms(*BOTS, games=8, seed="<&>"), found)


def test_the_summary_counts_every_game_once(summary: Summary) -> None:
    assert summary.is_finished
    assert sum(line.tally.games for line in summary.bots) == 2 * (24 - 1)
    assert sum(line.tally.won for line in summary.bots) == 22
    assert sum(line.tally.drawn for line in summary.bots) == 2
    assert sum(line.void for line in summary.bots) == 2
    assert [dict(line.faults) for line in summary.bots if line.faults] == [{"crash": 1}]
    soviet = next(line for line in summary.sides if (line.side, line.bot) == ("soviet", ""))
    assert soviet.tally.games == 23
    assert 99 not in soviet.tally.points  # a fault ended it
    assert len(summary.faulty) == 2
    tally = summary.met["strong", "weak"]
    assert (tally.won, tally.lost, summary.met["weak", "strong"].won) == (8, 0, 0)


def test_the_page_is_well_formed_and_asks_no_other_host(summary: Summary) -> None:
    page = html_page(summary)
    tree = ElementTree.fromstring(page.split("\n", 1)[1])
    assert len(tree.findall(".//{http://www.w3.org/2000/svg}svg")) == 3
    names = {element.tag.split("}")[-1] for element in tree.iter()}
    assert not names & {"script", "link", "img", "iframe", "object"}
    assert "url(" not in page
    assert page.count("http") == page.count("http://www.w3.org/2000/svg")
    assert "&lt;&amp;&gt;" in page
    assert "because" in page


def test_the_csv_files_hold_the_same(summary: Summary, tmp_path: Path) -> None:
    files = write_report(summary, tmp_path / "new")
    assert [file.name for file in files] == [
        "report.html", "standings.csv", "sides.csv", "meetings.csv", "games.csv"]
    rows = {file.stem: list(csv.DictReader(file.open(newline=""))) for file in files[1:]}
    assert [row["bot"] for row in rows["standings"]] == ["strong", "middling", "weak"]
    ordinals = [float(row["ordinal"]) for row in rows["standings"]]
    assert ordinals == sorted(ordinals, reverse=True)
    assert min(float(row["mean_points"]) for row in rows["sides"]) < 0
    assert len(rows["games"]) == 24
    assert {row["ending"] for row in rows["games"]} == {"played", "crash", "void"}
    assert rows["meetings"][0]["games"] == "7"
    for name, table in rows.items():
        assert all(None not in row and None not in row.values() for row in table), name


def test_a_tournament_without_a_finished_game_has_a_page_too() -> None:
    page = html_page(summarise(terms(*BOTS), {}))
    ElementTree.fromstring(page.split("\n", 1)[1])
    assert "0 of 6 games" in page


def test_plots_of_extremes_are_well_formed() -> None:
    for plot in (ratings_plot([("a<b", 25.0, 0.0)]), results_plot([("x", 0, 0, 0)]),
                 results_plot([("y" * 99, 10**6, 1, 0)]), points_plot([("z", [5, 5, 5])]),
                 points_plot([("z", []), ("-", [-10**6, 10**6])])):
        ElementTree.fromstring(plot)
        assert "nan" not in plot
    assert points_plot([("z", [])]) == ""
