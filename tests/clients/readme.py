"""The words of a README as a reader follows them: its commands in a shell, its programs."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from lovat_client.sdk.server import child_environment

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0
"""Seconds after which something that should have happened is taken for broken."""


def chapter(readme: str, title: str) -> str:
    """The text of a chapter of a README, by its path in the project."""
    text = (ROOT / readme).read_text("utf-8")
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found is not None, f"{readme} has no chapter {title!r}"
    return found[1]


def blocks(text: str, language: str = "") -> list[str]:
    """The fenced blocks in a language; commands have none."""
    return [body for kind, body in re.findall(r"^```(\w*)\n(.*?)^```", text,
                                              re.DOTALL | re.MULTILINE) if kind == language]


def until(what: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait for a condition."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, f"waited {seconds:g} seconds in vain"
        time.sleep(0.05)


class Terminals:
    """Shells in one folder, in which `lovat` is the command of this checkout."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        programs = folder / "bin"
        programs.mkdir()
        command = programs / "lovat"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lovat_client.cli.app "$@"\n')
        command.chmod(0o755)
        given = {name: value for name, value in child_environment().items()
                 if not name.startswith("LOVAT_")}
        self.environment: Mapping[str, str] = {
            **given, **environment, "PATH": f"{programs}:{os.environ['PATH']}", "COLUMNS": "120"}

    def run(self, commands: str, code: int = 0, **environment: str) -> str:
        """Commands one after another, each of which must succeed; what they print."""
        done = subprocess.run(
            ["bash", "-ec", commands], cwd=self.folder, env={**self.environment, **environment},
            capture_output=True, text=True, check=False, timeout=1800)
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
        return done.stdout

    @contextlib.contextmanager
    def opened(self, commands: str, **environment: str) -> Iterator[Terminal]:
        """A terminal that goes on in the background; all in it ends with the block."""
        log = self.folder / f"terminal-{len(list(self.folder.glob('terminal-*')))}"
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["bash", "-ec", commands], cwd=self.folder, stdin=subprocess.DEVNULL,
                env={**self.environment, **environment}, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True)
        try:
            yield Terminal(process, log)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)


class Terminal:
    """A shell that runs, and what has been printed in it."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self.log = log

    @property
    def text(self) -> str:
        return self.log.read_text("utf-8")

    def wait_for(self, words: str) -> None:
        """Wait until words are printed."""
        until(lambda: words in self.text or self.process.poll() is not None)
        assert words in self.text, self.text

    def wait(self, seconds: float = PATIENCE) -> str:
        """Wait for the end of the last command; all that was printed."""
        self.process.wait(seconds)
        return self.text
