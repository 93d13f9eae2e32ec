"""The zip of a save and the text in it: every form, and every way to be damaged."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovat_client.vassal import Save, VassalError, read_pieces, read_save, reader
from tests.clients.vassal.writing import (
    hexed,
    keyed,
    keyed_xz,
    layer,
    lzma,
    piece,
    save,
    stack,
    text_of,
    write,
)

TEXT = text_of(["a command", "männlich ∞"])


@given(st.binary(max_size=300), st.integers(0, 255))
def test_what_was_obfuscated_is_clear_again(content: bytes, key: int) -> None:
    assert reader.clear("x", hexed(content, key)) == content
    assert reader.clear("x", hexed(content, key).upper().replace(b"!VCSK", b"!VCSK")) == content
    assert reader.clear("x", keyed(content, key)) == content
    assert reader.clear("x", keyed_xz(content, key)) == content
    assert reader.clear("x", lzma.compress(content)) == content


@pytest.mark.parametrize("content", [
    hexed(TEXT.encode(), 0x5A), hexed(TEXT.encode(), 0), keyed(TEXT.encode(), 9),
    keyed_xz(TEXT.encode(), 0xFF), lzma.compress(TEXT.encode()), TEXT.encode()])
def test_every_form_of_a_save_is_read(tmp_path: Path, content: bytes) -> None:
    found = read_save(write(tmp_path / "game.vsav", content))
    assert (found.text, found.module, found.version) == (TEXT, "White Death", "1.2")


def test_an_old_save_names_no_module(tmp_path: Path) -> None:
    found = read_save(write(tmp_path / "game.vsav", TEXT.encode(), module=""))
    assert (found.module, found.version) == ("", "")


def refused(path: Path) -> str:
    """Why a save cannot be read; the file is always named."""
    with pytest.raises(VassalError) as caught:
        read_pieces(read_save(path))
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_a_file_that_is_no_zip(tmp_path: Path) -> None:
    path = tmp_path / "game.vsav"
    for content in (b"", b"no zip at all", write(path, TEXT.encode()).read_bytes()[:-30]):
        path.write_bytes(content)
        assert "this is no zip file" in refused(path)


def read_or_refusal(path: Path) -> Save | str:
    try:
        return read_pieces(read_save(path))
    except VassalError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 8), st.binary(max_size=4)),
                min_size=1, max_size=4))
def test_a_file_with_any_bytes_changed_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int, bytes]],
) -> None:
    path = tmp_path_factory.getbasetemp() / "spoilt.vsav"
    save(path, [piece("1", "abc", ("Main Map", 1, 2), traits=[layer("Steps", 2)]),
                stack("2", ("Main Map", 3, 4), ["1"])])
    content = bytearray(path.read_bytes())
    for at, gone, new in changes:
        start = at % len(content)
        content[start:start + gone] = new
    path.write_bytes(content)
    found = read_or_refusal(path)
    assert isinstance(found, Save) or found.startswith(str(path))


def test_a_zip_without_a_saved_game(tmp_path: Path) -> None:
    path = write(tmp_path / "module.vmod", TEXT.encode(), entry="buildFile")
    assert ("there is no entry 'savedGame' in it, but 'buildFile', 'moduledata', 'savedata'; "
            "expected a save") in refused(path)


GOOD = hexed(TEXT.encode(), 0x5A)


@pytest.mark.parametrize(("content", "said"), [
    (GOOD[:-1], "broken off in the middle of a byte"),
    (GOOD[:-30], "broken off: the last command of every save, 'end_save', is missing"),
    (b"!VCSK", "broken off after its header; expected a key"),
    (b"!VOXZ", "broken off after its header; expected a key"),
    (GOOD.replace(b"!VCSK5a", b"!VCSK5b"), "the text begins with 'cdfho^r`wd"),
    (GOOD.replace(b"!VCSK5a", b"!VCSKda"), "no text at byte 0; the key is wrong"),
    (GOOD[:20] + b"g" + GOOD[21:], "byte 20 is b'g'; expected a hexadecimal digit"),
    (GOOD[:20] + b" " + GOOD[21:], "byte 20 is b' '; expected a hexadecimal digit"),
    (keyed_xz(TEXT.encode(), 7)[:-9], "XZ stream is broken off"),
    (keyed_xz(TEXT.encode(), 7).replace(b"!VOXZ\x07", b"!VOXZ\x08"), "cannot be unpacked"),
    (b"", "the text begins with ''; expected 'begin_save'"),
    (b"!VCSZ5a0102", "it begins with '!VCSZ', a form that is not known; save the game once more"),
    (b"VOBS", "broken off after its header; expected a key"),
    (b"VOBS\x5a\x01", "the text begins with '['; expected 'begin_save'"),
    (b"an other text", "the text begins with 'an other text'; expected 'begin_save'"),
    (b"\xff\xfe", "no text at byte 0"),
])
def test_a_saved_game_that_is_damaged(tmp_path: Path, content: bytes, said: str) -> None:
    text = refused(write(tmp_path / "game.vsav", content))
    assert said in text
    assert ": savedGame: " in text


def test_a_zip_whose_bytes_have_changed(tmp_path: Path) -> None:
    path = tmp_path / "game.vsav"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("savedGame", GOOD)
    content = bytearray(path.read_bytes())
    content[content.index(GOOD) + 9] ^= 1
    path.write_bytes(content)
    assert "savedGame: it is damaged or broken off" in refused(path)
    save(path, ["x" * 4000])
    content = bytearray(path.read_bytes())
    start = content.index(b"savedGame") + len(b"savedGame")
    content[start:start + 40] = bytes(40)
    path.write_bytes(content)
    assert "savedGame: it is damaged or broken off" in refused(path)


def test_a_zip_with_a_password(tmp_path: Path) -> None:
    path = write(tmp_path / "game.vsav", GOOD)
    content = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + offset] |= 1     # the bit that says it is encrypted
    path.write_bytes(content)
    assert re.search(r"savedGame: it is packed in a way .* without a password", refused(path))


@pytest.mark.parametrize("pack", [bytes, lzma.compress, lambda text: keyed_xz(text, 9)])
def test_nothing_is_unpacked_beyond_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: object,
) -> None:
    monkeypatch.setattr(reader, "MOST_BYTES", 3 * 1024 * 1024)
    assert callable(pack)
    path = write(tmp_path / "bomb.vsav", pack(b"begin_save" + bytes(4 * 1024 * 1024)))
    assert path.stat().st_size < 100_000
    assert "savedGame: it unpacks to more than 3145728 bytes, the most that is read" in \
        refused(path)


@pytest.mark.parametrize(("content", "said"), [
    ("<data><name>", "this is no XML"),
    ('<!DOCTYPE x [<!ENTITY a "b">]><data><name>&a;</name></data>', "it defines entities"),
    ("<data>" + "x" * 2_000_000 + "</data>", "it unpacks to more than 1048576 bytes"),
])
def test_module_data_that_cannot_be_read(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "game.vsav"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("savedGame", TEXT)
        archive.writestr("moduledata", content)
    assert f": moduledata: {said}" in refused(path)
