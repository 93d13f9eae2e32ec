"""AUTHORS.md as something that runs: its files, its commands, and what they print.

    python -m tests.clients.authors     runs it and writes what came out into the page

A block of ```console holds commands after "$ " and what they print, where `...` stands for
anything. A block with a file name after its language is that file. Sections run one by one, each in
a folder of its own.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lovat_client.sdk import EmbeddedServer
from lovat_client.sdk.server import child_environment
from tests.clients.vassal import writing
from tests.clients.web.processes import web_table

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "clients" / "AUTHORS.md"
DOOR = "http://127.0.0.1:8080"
TOOLS = ("bash", "curl", "jq", "node", "java", "protoc")
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = "<<end of output>>"


@dataclass(frozen=True, slots=True)
class Step:
    """A command and what the page says that it prints."""

    command: str
    expected: str


@dataclass(frozen=True, slots=True)
class Section:
    """What one section of the page runs. `csharp` is its C#, which is not run."""

    title: str
    files: dict[str, str]
    steps: tuple[Step, ...]
    csharp: str

    def missing_tools(self) -> list[str]:
        text = "\n".join(step.command for step in self.steps)
        return [tool for tool in TOOLS
                if re.search(rf"\b{tool}\b", text) and shutil.which(tool) is None]


@dataclass(frozen=True, slots=True)
class Doors:
    """The two doors of a rules server: "host:port" of gRPC, the address of HTTP."""

    rules: str
    page: str


def sections(text: str) -> list[Section]:
    """The sections of the page that have blocks."""
    found = []
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        blocks = _BLOCK.findall(part)
        steps = tuple(step for language, _, content in blocks if language == "console"
                      for step in _steps(content))
        files = {name: content for _, name, content in blocks if name}
        csharp = "".join(content for language, _, content in blocks if language == "csharp")
        found.append(Section(part.partition("\n")[0], files, steps, csharp))
    return found


def run(section: Section, folder: Path, doors: Doors) -> list[str]:
    """What the commands of a section print, one text each; standard error is in it."""
    for name, content in section.files.items():
        (folder / name).write_text(content.replace(DOOR, doors.page), "utf-8")
    (folder / "proto").symlink_to(ROOT / "proto")
    (folder / "Lovat").mkdir()
    lovat = folder / "bin" / "lovat"
    lovat.parent.mkdir()
    lovat.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lovat_client.cli.app "$@"\n')
    lovat.chmod(0o755)
    _save(folder / "game.vsav")
    script = "exec 2>&1\n" + "".join(f"{step.command}\necho '{_MARK}'\n" for step in section.steps)
    environment = child_environment()
    environment["PATH"] = f"{lovat.parent}:{environment['PATH']}"
    environment["LOVAT_SERVER"] = doors.rules
    done = subprocess.run(["bash", "-c", script.replace(DOOR, doors.page)], cwd=folder,
                          env=environment, capture_output=True, text=True, timeout=300, check=False)
    return done.stdout.split(f"{_MARK}\n")[:-1]


def fits(expected: str, printed: str) -> bool:
    """Whether this was printed, where `...` stands for anything."""
    pattern = ".*".join(map(re.escape, expected.split("...")))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


@contextlib.contextmanager
def both_doors() -> Iterator[Doors]:
    with EmbeddedServer() as server, web_table("--server", server.address) as page:
        yield Doors(server.address, page.rstrip("/"))


def _steps(content: str) -> Iterator[Step]:
    for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield Step(command, expected)


def _save(path: Path) -> None:
    """The save of the VASSAL section: two units, one lost, and a marker."""
    writing.save(path, [
        writing.piece("1", "88th Rifle Regiment", ("Main Map", 1920, 1645), image="88.png",
                      gpid="212", traits=[writing.layer("Steps", 3)]),
        writing.piece("2", "g-83-eng", ("Dead Pile", 10, 10), gpid="31"),
        writing.piece("3", "Turn marker", ("Main Map", 1320, 1541)),
    ], module="White Death")


def rewrite() -> None:
    """Write what the commands print into the page, but where it says so already."""
    text = PAGE.read_text("utf-8")
    with both_doors() as doors:
        for section in sections(text):
            with tempfile.TemporaryDirectory() as folder:
                printed = run(section, Path(folder), doors)
            for step, output in zip(section.steps, printed, strict=True):
                if not fits(step.expected, output):
                    old = f"$ {step.command}\n{step.expected}"
                    text = text.replace(old, f"$ {step.command}\n{output}", 1)
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    rewrite()
