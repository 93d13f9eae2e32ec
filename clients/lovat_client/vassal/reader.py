"""The zip of a VASSAL save (.vsav) and the text inside it.

The entry `savedGame` holds the commands that set the game up again, as UTF-8 text. It comes in one
of these forms, known by how it begins:

    !VCSK KK XX XX ...     (without blanks) hexadecimal digits: a key of one byte, then every byte
                           of the text XOR that key; VASSAL up to 3.7
    FD "7zXZ" 00 ...       an XZ stream; VASSAL from 3.8
    VOBS K ..., !VOXZ K .. a key of one byte, then the text or an XZ stream, every byte XOR that
                           key; versions between the two
    begin_save ...         the text itself

`moduledata` and `savedata` are small XML files that name the module and the version of VASSAL;
saves of old versions have neither.
"""

from __future__ import annotations

import binascii
import lzma
import re
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from .errors import VassalError

TEXT_ENTRY, MODULE_ENTRY = "savedGame", "moduledata"
HEX_HEADER, RAW_HEADER, XZ_HEADER, XZ_MAGIC = b"!VCSK", b"VOBS", b"!VOXZ", b"\xfd7zXZ\x00"
FIRST_COMMAND = "begin_save"

MOST_BYTES = 128 * 1024 * 1024
"""No entry may unpack to more. The text of a large save is some 10 MB, twice that in digits."""

_MOST_METADATA = 1024 * 1024
_MOST_MEMORY = 128 * 1024 * 1024
_CHUNK = 1024 * 1024
_HEADER = re.compile(rb"!V[A-Z]{3}")
_NO_DIGIT = re.compile(rb"[^0-9A-Fa-f]")


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A save as it was read. `module` and `version` are those of the module, "" if not said."""

    file: str
    text: str
    module: str = ""
    version: str = ""


def read_save(path: Path) -> SavedGame:
    """Read a save. `VassalError` names the entry that cannot be read and why."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            if TEXT_ENTRY not in names:
                raise VassalError(path, "", f"there is no entry {TEXT_ENTRY!r} in it, but "
                                            f"{_some(names)}; expected a save of VASSAL (.vsav)")
            content = _entry(path, archive, TEXT_ENTRY, MOST_BYTES)
            metadata = (_entry(path, archive, MODULE_ENTRY, _MOST_METADATA)
                        if MODULE_ENTRY in names else b"")
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise VassalError(path, "", f"this is no zip file that can be read ({error}); expected a "
                                    "save of VASSAL (.vsav)") from None
    text = _text(path, clear(path, content))
    module, version = _module(path, metadata)
    return SavedGame(str(path), text, module, version)


def clear(file: object, content: bytes) -> bytes:
    """The bytes of the text, whichever form they have. `file` is for the error."""
    if content.startswith(HEX_HEADER):
        return _from_hex(file, content[len(HEX_HEADER):])
    if content.startswith(RAW_HEADER):
        return _without_key(file, content[len(RAW_HEADER):])
    if content.startswith(XZ_HEADER):
        return _from_xz(file, _without_key(file, content[len(XZ_HEADER):]))
    if content.startswith(XZ_MAGIC):
        return _from_xz(file, content)
    unknown = _HEADER.match(content)
    if unknown is not None:
        raise VassalError(file, TEXT_ENTRY, f"it begins with {unknown[0].decode()!r}, a form that "
                          "is not known; save the game once more with a released VASSAL")
    return content


def _entry(path: Path, archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """An entry, unpacked no further than `most` bytes whatever the zip says of its size."""
    info = archive.getinfo(name)
    try:
        with archive.open(info) as stream:
            content = stream.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError,
            ValueError) as error:
        raise VassalError(path, name, f"it is damaged or broken off ({error})") from None
    except (NotImplementedError, RuntimeError) as error:
        raise VassalError(path, name, f"it is packed in a way that VASSAL does not use ({error}); "
                                      "expected deflate, without a password") from None
    if len(content) > most:
        raise VassalError(path, name, f"it unpacks to more than {most} bytes, the most that is "
                                      f"read (the zip says {info.file_size})")
    return content


def _from_hex(file: object, digits: bytes) -> bytes:
    try:
        keyed = binascii.unhexlify(digits)
    except binascii.Error:
        wrong = _NO_DIGIT.search(digits)
        if wrong is None:
            raise VassalError(file, TEXT_ENTRY, f"it is broken off in the middle of a byte "
                              f"({len(digits)} hexadecimal digits, expected an even number)"
                              ) from None
        raise VassalError(
            file, TEXT_ENTRY, f"byte {len(HEX_HEADER) + wrong.start()} is "
            f"{wrong[0]!r}; expected a hexadecimal digit") from None
    return _without_key(file, keyed)


def _from_xz(file: object, content: bytes) -> bytes:
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY)
    found = bytearray()
    try:
        found += unpacker.decompress(content, max_length=_CHUNK)
        while not unpacker.eof and not unpacker.needs_input and len(found) <= MOST_BYTES:
            found += unpacker.decompress(b"", max_length=_CHUNK)
    except (lzma.LZMAError, MemoryError) as error:
        raise VassalError(file, TEXT_ENTRY, f"its XZ stream cannot be unpacked ({error}); the key "
                                            "is wrong or the file damaged") from None
    if len(found) > MOST_BYTES:
        raise VassalError(file, TEXT_ENTRY, f"it unpacks to more than {MOST_BYTES} bytes, the "
                                            "most that is read")
    if not unpacker.eof:
        raise VassalError(file, TEXT_ENTRY, "its XZ stream is broken off")
    return bytes(found)


def _without_key(file: object, keyed: bytes) -> bytes:
    """The bytes after the first one, each XOR it."""
    if not keyed:
        raise VassalError(file, TEXT_ENTRY, "it is broken off after its header; expected a key")
    return keyed[1:].translate(bytes(value ^ keyed[0] for value in range(256)))


def _text(path: Path, content: bytes) -> str:
    """The text, which must begin as every save does."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise VassalError(path, TEXT_ENTRY, f"it is no text at byte {error.start}; the key is "
                                            "wrong or the file damaged") from None
    if not text.startswith(FIRST_COMMAND):
        raise VassalError(path, TEXT_ENTRY, f"the text begins with {text[:20]!r}; expected "
                          f"{FIRST_COMMAND!r} (the key is wrong, or this is no save)")
    return text


def _module(path: Path, metadata: bytes) -> tuple[str, str]:
    """Name and version of the module; both "" if the save does not say."""
    if not metadata:
        return "", ""
    if b"<!DOCTYPE" in metadata or b"<!ENTITY" in metadata:
        raise VassalError(path, MODULE_ENTRY, "it defines entities; expected plain XML")
    try:
        root = ElementTree.fromstring(metadata)
    except (ElementTree.ParseError, ValueError) as error:
        raise VassalError(path, MODULE_ENTRY, f"this is no XML: {error}") from None
    return (root.findtext("name") or "").strip(), (root.findtext("version") or "").strip()


def _some(names: list[str]) -> str:
    shown = ", ".join(repr(name) for name in sorted(names)[:5])
    return (shown + (f" and {len(names) - 5} more" if len(names) > 5 else "")) or "nothing"
