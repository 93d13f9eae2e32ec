"""A small writer of VASSAL saves, by the public description of the format."""

from __future__ import annotations

import lzma
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

COMMANDS, TRAITS = "\x1b", "\t"
MODULEDATA = ('<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<data version="1">'
              "<version>{version}</version><VassalVersion>3.7.5</VassalVersion>"
              "<name>{module}</name><description/></data>")


def sequence(items: Iterable[str], delimiter: str) -> str:
    """A sequence: the delimiter escaped in each token, quotes where they are needed."""
    return delimiter.join(_token(item, delimiter) for item in items)


def _token(item: str, delimiter: str) -> str:
    escaped = item.replace(delimiter, f"\\{delimiter}")
    if item.endswith("\\") or (item.startswith("'") and item.endswith("'")):
        return f"'{escaped}'"
    return escaped


def nested(traits: Sequence[str]) -> str:
    """Traits from the outermost inwards, each sequence the last token of the one around it."""
    text = traits[-1]
    for trait in reversed(traits[:-1]):
        text = sequence((trait, text), TRAITS)
    return text


def add(id_: str, type_: str, state: str) -> str:
    return "+/" + sequence((id_, type_, state), "/")


def marker(properties: Mapping[str, str]) -> tuple[str, str]:
    return "mark;" + sequence(properties, ","), sequence(properties.values(), ",")


def dynamic(name: str, value: str) -> tuple[str, str]:
    return "PROP;" + sequence((name, "true,0,9,false", ":75\\,130:P\\,1", ""), ";"), value


def layer(name: str, level: int) -> tuple[str, str]:
    """A Layer; a negative level is one that is not active."""
    fields = ["Activate", "130", "A", "", "130", "", "", "130", "", "", "", "", "false", "0", "0",
              "up.png,down.png", ",", "true", name, "", "", "false", "", "1", "1", "false"]
    return "emb2;" + sequence(fields, ";"), str(level)


def label(name: str, text: str) -> tuple[str, str]:
    fields = ["label", "76,130", "Change Label", "10", "255,255,255", "0,0,0", "t", "0", "c", "0",
              "b", "c", "$pieceName$ ($label$)", "Dialog", "0", "0", name, ""]
    return sequence(fields, ";"), text


def piece(id_: str, name: str, place: tuple[str, int, int], *, image: str = "", gpid: str = "",
          traits: Sequence[tuple[str, str]] = (), kept: Mapping[str, str] | None = None) -> str:
    """The command that adds a piece; `traits` from the outermost, `kept` its own properties."""
    held = [item for pair in (kept or {}).items() for item in pair]
    basic = sequence(("piece", "", "", image, name), ";")
    state = sequence((*map(str, place), gpid, str(len(held) // 2), *held), ";")
    return add(id_, nested([*(type_ for type_, _ in traits), basic]),
               nested([*(value for _, value in traits), state]))


def stack(id_: str, place: tuple[str, int, int], contents: Iterable[str]) -> str:
    """A stack; its pieces from the bottom."""
    return add(id_, "stack", sequence((*map(str, place), *contents, "@@0"), ";"))


def deck(id_: str, place: tuple[str, int, int], contents: Sequence[str]) -> str:
    inside = [sequence(contents, ",")] if contents else []
    return add(id_, "deck;false;0,0,0;36;36;Never", sequence((*map(str, place), "false", *inside),
                                                             ";"))


def text_of(commands: Iterable[str], after: Iterable[str] = ()) -> str:
    """The commands of a save, within another as VASSAL has them; those after it are a log's."""
    return sequence(("begin_save", "", sequence(("", *commands), COMMANDS), "end_save", *after),
                    COMMANDS)


def hexed(text: bytes, key: int) -> bytes:
    return b"!VCSK" + bytes([key, *(byte ^ key for byte in text)]).hex().encode()


def keyed(text: bytes, key: int, header: bytes = b"VOBS") -> bytes:
    return header + bytes([key, *(byte ^ key for byte in text)])


def keyed_xz(text: bytes, key: int) -> bytes:
    return keyed(lzma.compress(text), key, b"!VOXZ")


def write(path: Path, content: bytes, *, module: str = "White Death", version: str = "1.2",
          entry: str = "savedGame") -> Path:
    """A zip with this content, as VASSAL makes one."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(entry, content)
        if module:
            data = MODULEDATA.format(module=module, version=version)
            archive.writestr("moduledata", data)
            archive.writestr("savedata", data)
    return path


def save(path: Path, commands: Iterable[str], *, key: int = 0x5A, after: Iterable[str] = (),
         module: str = "White Death") -> Path:
    return write(path, hexed(text_of(commands, after).encode(), key), module=module)
