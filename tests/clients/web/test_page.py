"""The web table as people use it: a real browser, a real rules server, a real arbiter.

Seed 7 of the first scenario: the 184th Tank Brigade stands in 3222, an antitank stack in 3022,
three battalions of Soviet guns in 3525.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lovat_client import replay
from lovat_client.bots import make_bot
from lovat_client.sdk import LovatClient, Session

from .processes import PATIENCE, arbiter, chromium, free_port, web_table

SCENARIO = "purkayevs-attack"
TANKS, CREEK, ANTITANK, ENEMY, GUNS = 3222, 3122, 3022, 3019, 3525
_PIXEL_OF = """hex => {
  const use = document.getElementById('h' + String(hex).padStart(4, '0'));
  const matrix = document.querySelector('#board > svg').getScreenCTM();
  const point = new DOMPoint(+use.getAttribute('x'), +use.getAttribute('y'));
  const found = point.matrixTransform(matrix);
  return [found.x, found.y];
}"""

Opening = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    # for this module only: playwright's own loop must be gone before others start theirs
    try:
        with chromium() as found:
            yield found
    except RuntimeError as error:
        pytest.skip(str(error))


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Opening]:
    """Opens the page in a window of its own; fails if the page has thrown or broken its policy."""
    contexts, wrong = [], []

    def opening(url: str = "", width: int = 1280, height: int = 800, **settings: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text)
                if "Content Security Policy" in message.text else None)
        page.goto(url or address)
        page.wait_for_selector("#begin")
        return page

    yield opening
    for context in contexts:
        context.close()
    assert not wrong


def begin(page: Any, *, german: str = "human", soviet: str = "human") -> None:
    page.select_option("#seat-soviet", soviet)
    page.select_option("#seat-german", german)
    page.click("summary:text('More')")
    page.fill("#seed", "7")
    page.click("#begin")
    page.wait_for_selector("#send")


def press(page: Any, hex_: int) -> None:
    page.mouse.click(*page.evaluate(_PIXEL_OF, hex_))


def text(page: Any, selector: str) -> str:
    return " ".join(page.inner_text(selector).split())


def send(page: Any, then: str) -> None:
    page.click("#send")
    page.wait_for_selector(then)


def to_movement(page: Any) -> None:
    """From the city's decision of a hot-seat game to the Soviet movement phase."""
    send(page, "#ready")
    page.click("#ready")
    page.wait_for_selector("#points")
    page.fill("#points", "5")
    page.click("#send")
    page.wait_for_selector("#actions", state="attached")


def choose_tanks(page: Any) -> None:
    press(page, TANKS)
    page.wait_for_selector("#unit-s-1-184tb-afv[aria-pressed=true]")
    page.wait_for_selector(".cell.reach")


def hand_over(page: Any, decision: str) -> None:
    page.wait_for_selector("#ready")
    page.click("#ready")
    page.wait_for_selector(f".deciding h2:has-text('{decision}')")


def test_a_whole_impulse_by_clicks(open_page: Opening) -> None:
    page = open_page()
    begin(page)
    to_movement(page)
    choose_tanks(page)
    assert page.locator("#board .spread .counter").count() == 3
    costs = page.locator(".cell.reach text").all_text_contents()
    assert "⅛" in costs

    press(page, CREEK)
    page.wait_for_selector(f"#assault-{ANTITANK}")
    page.click(f"#assault-{ANTITANK}")
    page.wait_for_selector(f"#odds-{ANTITANK}")
    assert "March of 1/184TB to 3122" in text(page, "#actions")
    page.click(f"#odds-{ANTITANK}")
    page.wait_for_selector(".odds p")
    assert "hidden from you" in text(page, ".odds")  # two German counters, and one is seen

    page.click("#send")
    hand_over(page, "Defensive fire")
    page.click("#odds")
    page.wait_for_selector(".odds table")
    assert "column" in text(page, ".odds")
    page.click("#send")
    hand_over(page, "Assault fire")
    page.click("#odds")
    page.wait_for_selector(".odds table")
    assert re.search(r"[\d.]+% vacated", text(page, ".odds"))
    page.click("#send")
    hand_over(page, "Declare an impulse")

    page.click("#tab-log")
    log = text(page, "#log")  # as the German player may read it
    assert "enemy unit: set up" not in log
    assert "1/184TB T-34 marches from 3222 to 3122 for ⅛ MP" in log
    assert re.search(r"Antitank fire at 1/184TB T-34 by .* column 1:3, [⚀-⚅] \d", log)
    assert re.search(r"Morale of .*: [⚀-⚅]{2} \d \+ \d .*= \d+ against \d+", log)
    page.click("#tab-ledger")
    assert page.locator(".boxes.soviet .here").inner_text() == "5"
    assert "Soviet strength points eliminated" in text(page, "#ledger")


def test_a_refused_order_is_told_in_words_at_its_place(open_page: Opening) -> None:
    page = open_page()
    begin(page)
    send(page, "#ready")
    page.click("#ready")
    page.fill("#points", "99")
    send(page, ".refusal")
    refusal = text(page, ".refusal")
    assert "A Soviet action impulse spends 3 to 10 movement points, not 99." in refusal
    assert "WD 5" in refusal
    page.wait_for_function(
        "() => document.getElementById('alarm').textContent.includes('spends 3 to 10')")
    page.click(".refusal .clause")
    page.wait_for_function("() => document.querySelector('.reading').textContent.length > 20")

    page.fill("#points", "5")
    page.click("#send")
    page.wait_for_selector("#actions", state="attached")
    choose_tanks(page)
    press(page, ENEMY)
    page.wait_for_selector("#why .violation")
    assert "may not enter 3019, which holds enemy units" in text(page, "#why")
    page.click("#why >> text=Order it all the same")
    page.wait_for_selector("#actions li.wrong .violation")
    assert page.locator(".mark.wrong").count() == 1
    page.click("#send")
    page.wait_for_selector(".refusal")
    assert "action 1" in text(page, ".refusal")
    page.click("#undo")
    page.wait_for_selector("#actions li.wrong", state="detached")


def test_everything_is_reached_by_the_keyboard(open_page: Opening) -> None:
    page = open_page()
    begin(page)
    to_movement(page)
    page.focus("#board")
    while not text(page, "#place").startswith(f"{TANKS}"):
        column, row = divmod(int(text(page, "#place")[:4] or 101), 100)
        step = ("ArrowRight" if column < TANKS // 100 else
                "ArrowDown" if row < TANKS % 100 else
                "ArrowLeft" if column > TANKS // 100 else "ArrowUp")
        page.keyboard.press(step)
    page.keyboard.press("Enter")
    page.wait_for_selector("#unit-s-1-184tb-afv[aria-pressed=true]")
    page.wait_for_selector(".cell.reach")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.getElementById('place').textContent.includes('MP')")
    page.keyboard.press("Enter")
    page.wait_for_selector("#actions li")
    page.keyboard.press("Escape")
    page.wait_for_selector(".selection", state="detached")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#tools') !== null")
    seen = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id"))
        if "send" in seen:
            break
    assert {"tab-orders", "undo", "send"} <= seen
    page.keyboard.press("Enter")
    page.wait_for_selector("#ready, #send")


def test_layers_are_drawn_over_the_map(open_page: Opening) -> None:
    page = open_page()
    begin(page)
    page.click("summary:text('Layers')")
    page.check("#layer-zoc")
    page.wait_for_selector(".layer-zoc use.german", state="attached")
    page.wait_for_selector(".layer-zoc use.soviet", state="attached")
    page.check("#layer-supply")
    page.wait_for_selector(".cell.supply", state="attached")
    press(page, TANKS)
    page.check("#layer-sight")
    page.wait_for_selector(".cell.sight", state="attached")
    page.uncheck("#layer-zoc")
    assert page.locator(".layer-zoc use").count() == 0

    page.click("#home")  # and a second table in the same window
    begin(page)
    press(page, TANKS)
    page.wait_for_selector("#board .spread")
    assert page.locator("#board .spread").count() == 1
    assert page.locator("#board .cell").count() == 0


@pytest.fixture(scope="module")
def recorded(rules: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first records of a game between bots."""
    path = tmp_path_factory.mktemp("replay") / "game.replay.jsonl"
    with LovatClient.connect(rules) as client:
        session = Session.create(client, SCENARIO, seed=7, standard_set_up=True)
        bots = {side: make_bot("greedy", f"7-{side}") for side in ("soviet", "german")}
        catalog = client.catalog(SCENARIO)
        while len(session.records) < 9:
            side = session.decision.side
            order = bots[side].decide(session.view(side), session.legal(side), catalog.message)
            if session.submit(order).is_refused:
                session.resolve_impulse()
        replay.save(path, session)
    return path


def test_a_replay_with_the_slider(open_page: Opening, recorded: Path) -> None:
    page = open_page()
    page.set_input_files("#replay-file", recorded)
    page.wait_for_selector("#range")
    assert text(page, "#record") == "0 / 9"
    page.focus("#range")
    page.keyboard.press("End")
    page.wait_for_function("() => document.getElementById('record').textContent === '9 / 9'")
    assert "9 records played again here" in text(page, "#orders")
    assert "each with the same dice and checksum" in text(page, "#orders")
    page.fill("#range", "3")
    page.wait_for_function("() => document.getElementById('record').textContent === '3 / 9'")
    assert "marches" in text(page, "#orders")
    press(page, GUNS)
    page.wait_for_selector("#orders .units")
    assert page.locator("#orders .units li").count() == 3
    page.select_option("#look-as", "german")
    page.wait_for_function(
        "() => document.querySelector('#orders').textContent.includes('2 not known')")
    page.click("#next")
    page.wait_for_function("() => document.getElementById('record').textContent === '4 / 9'")


def test_a_damaged_replay_is_named(open_page: Opening, recorded: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.replay.jsonl"
    damaged.write_bytes(recorded.read_bytes().replace(b'"diceAfter"', b'"diceAfta"').replace(
        b"dice_after", b"dice_aftar", 1))
    page = open_page()
    page.set_input_files("#replay-file", damaged)
    page.wait_for_selector(".opening.problem")
    assert "is not as it was written" in text(page, ".opening")


def test_the_page_goes_on_when_the_server_is_restarted(
    open_page: Opening, rules: str,
) -> None:
    port = free_port()
    with web_table("--server", rules, port=port) as url:
        page = open_page(url)
        begin(page)
    page.click("#send")
    page.wait_for_selector("body.down")
    assert text(page, "#link") == "Connection lost, trying again…"
    with web_table("--server", rules, port=port):
        page.wait_for_selector("#ready")
        assert text(page, "#link") == "Connected again"
        page.click("#ready")
        page.wait_for_selector("#points")
        page.reload()
        page.click("#restore")
        page.wait_for_selector("#ready")
        page.click("#ready")
        page.wait_for_selector("#points")
        assert "Declare an impulse" in text(page, "#orders")


def test_the_options_of_the_catalog_are_offered_and_chosen(open_page: Opening) -> None:
    page = open_page()
    page.select_option("#seat-german", "human")
    page.click("summary:text('More')")
    page.wait_for_selector("#options input")
    offered = page.locator("#options label").all_text_contents()
    assert len(offered) >= 4
    assert all(re.search(r"\[WD .+\]$", each) for each in offered)
    page.check("#options input[name=snowVisibility]")
    page.click("#begin")
    page.wait_for_selector("#send")
    kept = page.evaluate("JSON.parse(localStorage.getItem('lovat-table'))")
    assert kept["position"]["state"]["whiteDeath"]["options"] == {"snowVisibility": True}


def test_a_bot_plays_the_other_side_and_the_game_is_saved(
    open_page: Opening, rules: str, tmp_path: Path,
) -> None:
    page = open_page()
    begin(page, german="greedy")
    page.wait_for_selector("#points")  # the bot has bought the city out of isolation
    page.check("#kind-IMPULSE_KIND_PASS")
    page.click("#send")
    page.wait_for_selector("#actions", state="attached")
    send(page, ".deciding h2:not(:has-text('Move'))")  # the bot has begun its own impulse
    page.click("#tab-log")
    log = text(page, "#log")
    assert "German (greedy): buy Velikiye Luki out of isolation?" in log
    assert re.search(r"German declares (action|pass) of \d+ MP", log)

    with page.expect_download() as download:
        page.click("text=Save as a replay file")
    path = tmp_path / "saved.replay.jsonl"
    download.value.save_as(path)
    saved = replay.read_replay(path)
    with LovatClient.connect(rules) as client:
        assert replay.confirm(client, saved).problem == ""
    assert len(saved.records) >= 4


def test_it_is_readable_on_a_phone(open_page: Opening, tmp_path: Path) -> None:
    page = open_page(width=390, height=844, has_touch=True, is_mobile=True)
    begin(page)
    to_movement(page)
    page.touchscreen.tap(*page.evaluate(_PIXEL_OF, TANKS))
    page.wait_for_selector(".cell.reach")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    board, panel = page.locator("#board").bounding_box(), page.locator("#panel").bounding_box()
    assert board["height"] > 250
    assert panel["height"] > 250
    for name in ("#send", "#tab-log", "#tools button"):
        box = page.locator(name).first.bounding_box()
        assert min(box["height"], box["width"]) >= 30, name
        assert box["y"] + box["height"] <= 844, name
    picture = tmp_path / "phone.png"
    page.screenshot(path=picture)
    assert picture.stat().st_size > 50_000


def test_two_seats_and_a_spectator_at_an_arbiter(
    open_page: Opening, rules: str, tmp_path: Path,
) -> None:
    with arbiter(tmp_path / "matches.db", rules) as hall, \
            web_table("--server", rules, "--arbiter", hall) as url:
        soviet = open_page(url)
        soviet.fill("#player", "Anna")
        soviet.click("summary:text('Open a match')")
        soviet.click("#open-match")
        soviet.wait_for_selector("#orders code")
        german = open_page(url)
        german.fill("#player", "Boris")
        german.click("text=Join as German")
        german.wait_for_selector("#send")
        spectator = open_page(url)
        spectator.click("[data-watch]")
        spectator.wait_for_selector("#table:not([hidden])")
        assert spectator.locator("#send").count() == 0
        german.click("#send")
        soviet.wait_for_selector("#points")
        soviet.fill("#points", "99")
        send(soviet, ".refusal")
        assert "not 99" in text(soviet, ".refusal")
        soviet.fill("#points", "5")
        soviet.click("#send")
        soviet.wait_for_selector("#actions", state="attached")
        choose_tanks(soviet)
        press(soviet, CREEK)
        soviet.wait_for_selector("#actions li")
        soviet.click("#send")
        german.click("#tab-log")
        german.wait_for_function(
            "() => document.getElementById('log').textContent.includes('to 3122')")
