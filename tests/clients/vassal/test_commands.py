"""Sequences within sequences, and the pieces that they say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovat_client.vassal import Save, SavedGame, VassalError, read_pieces
from lovat_client.vassal import commands as reading
from lovat_client.vassal.commands import tokens
from tests.clients.vassal.writing import (
    add,
    deck,
    dynamic,
    label,
    layer,
    marker,
    nested,
    piece,
    sequence,
    stack,
    text_of,
)

TOKEN = st.text(alphabet=st.sampled_from("\x1b/\t;,'\\aZ0 é"), max_size=12)
DELIMITER = st.sampled_from("\x1b/\t;,")


def read(*commands: str, after: tuple[str, ...] = ()) -> Save:
    return read_pieces(SavedGame("game.vsav", text_of(commands, after)))


def refused(*commands: str) -> str:
    with pytest.raises(VassalError) as caught:
        read(*commands)
    assert str(caught.value).startswith("game.vsav: ")
    return str(caught.value)


@given(st.lists(TOKEN, min_size=1, max_size=6), DELIMITER)
def test_a_sequence_is_read_as_it_was_written(items: list[str], delimiter: str) -> None:
    assert tokens(sequence(items, delimiter), delimiter) == items


@given(st.lists(st.lists(st.lists(TOKEN, min_size=1, max_size=3), min_size=1, max_size=3),
                min_size=1, max_size=3), st.permutations("\x1b/\t;"))
def test_sequences_nest(content: list[list[list[str]]], delimiters: list[str]) -> None:
    first, second, third, _ = delimiters
    text = sequence((sequence((sequence(part, third) for part in parts), second)
                     for parts in content), first)
    assert [[tokens(part, third) for part in tokens(parts, second)]
            for parts in tokens(text, first)] == content


@given(st.text(max_size=40), DELIMITER)
def test_any_text_is_some_sequence(text: str, delimiter: str) -> None:
    found = tokens(text, delimiter)
    assert found
    assert sum(map(len, found)) <= len(text)


@pytest.mark.parametrize(("text", "items"), [
    ("A,B\\,C", ["A", "B,C"]), ("", [""]), (",", ["", ""]), ("a,", ["a", ""]),
    ("\\,,", [",", ""]), ("'a\\'", ["a\\"]), ("'''", ["'"]), ("'", ["'"]), ("''", [""]),
    ("a\\\\,b", ["a\\,b"]),
])
def test_the_escapes_of_the_description(text: str, items: list[str]) -> None:
    assert tokens(text, ",") == items


# A command that VASSAL itself could not tell from a sequence of commands is none.
COMMAND = TOKEN.filter(lambda text: text and "\x1b" not in text and text[0] != "'")
Tree = str | list["Tree"]


def written(tree: Tree) -> str:
    return tree if isinstance(tree, str) else sequence(map(written, tree), "\x1b")


def leaves(tree: Tree) -> list[str]:
    return [tree] if isinstance(tree, str) else [leaf for part in tree for leaf in leaves(part)]


@given(st.recursive(COMMAND, lambda inner: st.lists(inner, min_size=2, max_size=3), max_leaves=8))
def test_commands_within_commands_come_in_order(tree: Tree) -> None:
    assert list(reading.commands("game.vsav", written(tree))) == leaves(tree)


PLACE = ("Main Map", 120, 340)


def test_a_piece_with_traits_and_properties() -> None:
    command = piece(
        "77", "I/55 Werfer; 2/3", PLACE, image="g 1.png", gpid="212",
        kept={"OldMap": "Pool", "Strength": "9"},
        traits=[marker({"Side": "German, all", "Kind": "art"}), layer("Steps", 2),
                dynamic("Strength", "3"), layer("Deployed", -1), label("Note", " a/b\tc "),
                ("obs;74,130;back.png;Hide;PG", "null;")])
    found, = read(command).pieces
    assert (found.id, found.name, found.image, found.gpid) == (
        "77", "I/55 Werfer; 2/3", "g 1.png", "212")
    assert (found.map, found.x, found.y) == PLACE
    assert found.properties == {
        "Side": "German, all", "Kind": "art", "Steps_Level": "2", "Steps_Active": "true",
        "Strength": "3", "Deployed_Level": "1", "Deployed_Active": "false", "Note": "a/b\tc",
        "OldMap": "Pool"}


def test_pieces_of_a_stack_stand_where_it_stands() -> None:
    found = read(
        piece("1", "bottom", ("Old Map", 0, 0)), piece("2", "top", ("null", 0, 0)),
        stack("9", PLACE, ["1", "2", "77"]), piece("3", "alone", ("Main Map", -4, 7)),
        piece("4", "drawn", PLACE), deck("8", ("Pool", 1, 2), ["4"]), deck("7", PLACE, []))
    told = {piece.name: (piece.map, piece.x, piece.y, piece.above) for piece in found.pieces}
    assert told == {"bottom": ("Main Map", 120, 340, 1), "top": ("Main Map", 120, 340, 0),
                    "alone": ("Main Map", -4, 7, 0), "drawn": ("Pool", 1, 2, 0)}
    heaps = {piece.name: piece.heap for piece in found.pieces}
    assert heaps["bottom"] == heaps["top"] < heaps["alone"] < heaps["drawn"]


def read_or_refusal(text: str) -> Save | str:
    try:
        return read_pieces(SavedGame("game.vsav", text))
    except VassalError as error:
        return str(error)


LETTERS = st.sampled_from("\x1b/\t;,'\\a0-+@")
WHOLE = text_of([
    piece("1", "abc", ("null", 0, 0), kept={"Old": "1"},
          traits=[layer("Steps", 2), marker({"a": "b"}), label("Note", "x")]),
    stack("2", PLACE, ["1"]), piece("3", "d", PLACE), deck("4", PLACE, ["3"])])


@given(st.lists(st.tuples(st.integers(11, len(WHOLE) - 1), st.integers(0, 3),
                          st.text(LETTERS, max_size=3)), min_size=1, max_size=5))
def test_a_text_with_any_letters_changed_is_read_or_refused(
    changes: list[tuple[int, int, str]],
) -> None:
    text = WHOLE
    for at, gone, new in changes:
        text = text[:at] + new + text[at + gone:]
    found = read_or_refusal(text)
    assert isinstance(found, Save) or found.startswith("game.vsav: ")


def test_pieces_on_no_map() -> None:
    found = read(piece("1", "a", ("null", 0, 0)), piece("2", "b", PLACE),
                 stack("9", ("null", 0, 0), ["2"]))
    assert [piece.map for piece in found.pieces] == ["", ""]


def test_what_is_not_read_is_told() -> None:
    found = read(
        "Main MapBoardPicker\tBoard 1\t0\t0", "NOTES\ttext", add("5", "mine.Special;1", "x"),
        "D/1/state", "M/1/a/0/0/null/b/0/0/null", piece("1", "a", PLACE),
        after=("LOG\tM/1/Main Map/9/9/null", "LOG\tCHAT a"))
    assert len(found.pieces) == 1
    assert found.notes == (
        "1 pieces of the kind 'mine.Special' are of no use here",
        "2 commands that change pieces are not carried out; save the game once more in VASSAL",
        "2 commands after the save, of a log, are not carried out")


@pytest.mark.parametrize(("command", "said"), [
    ("+/", "the command '+/' adds no piece; expected +/ID/TYPE/STATE"),
    ("+/1/piece;;;;a", "adds no piece"),
    (add("1", "piece;;;a", "Main Map;1;2"), "piece 1: its Basic Piece is 'piece;;;a'; expected"),
    (add("1", "piece;;;;a", "Main Map;1"), "piece 1 (a): its place is 'Main Map;1'; expected"),
    (add("1", "piece;;;;a", "Main Map;1;x;5;0"), "piece 1 (a): its Y is 'x'; expected a whole"),
    (add("1", "piece;;;;a", "Main Map;1e3;2;5;0"), "its X is '1e3'"),
    (add("1", "piece;;;;a", "Main Map;1;99999999999"), "its Y is '99999999999'"),
    (add("1", nested(["mark;A", "piece;;;;a"]), "Main Map;1;2"),
     "piece 1: it has 2 traits, but the state of 1"),
    (add("1", nested(["mark;A"] * 400 + ["piece;;;;a"]), "x"), "more than 400 traits"),
    (add("1", "stack", "Main Map;1"), "stack 1: its place is 'Main Map;1'"),
    (add("1", "stack", "Main Map;1;;7"), "stack 1: its Y is ''"),
    (add("1", "deck;x", "Main Map;;2;false;7"), "deck 1: its X is ''"),
])
def test_a_piece_that_cannot_be_read(command: str, said: str) -> None:
    assert said in refused(command)


def test_a_piece_that_is_added_twice() -> None:
    assert "piece 1: it is added twice" in refused(piece("1", "a", PLACE), piece("1", "b", PLACE))


def test_a_piece_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_PIECE", 1000)
    assert "piece 1: it is longer than 1000 characters" in refused(piece("1", "a" * 1001, PLACE))


def test_commands_that_nest_without_end() -> None:
    assert "more than 40 deep" in refused("'" * 200)
