"""Where the data of the games lies, and what stands in it."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

GAME = "white_death"
MAP = "map"


def data_folder() -> Path:
    """The folder with one folder a game: packed in an installed wheel, else `scenarios/`."""
    packed = Path(str(resources.files("lovat_server"))) / "_data"
    return packed if packed.is_dir() else Path(__file__).resolve().parents[3] / "scenarios"


def game_folder() -> Path:
    """The White Death data that come with the server."""
    return data_folder() / GAME


def signature(folder: Path | None) -> str:
    """A text that changes when a CSV or TOML file of the folder does; "" for no folder.

    It goes by name, size and time of change, so that asking costs no reading: it says when to
    read again, and is no part of any content hash.
    """
    if folder is None:
        return ""
    states = ((path.relative_to(folder).as_posix(), path.stat()) for path in folder.rglob("*")
              if path.suffix in {".csv", ".toml"})
    return repr(sorted((name, state.st_size, state.st_mtime_ns) for name, state in states))
