"""The web table as a process, and a real browser."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lovat_client.sdk.server import child_environment

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync")
PATIENCE = 30_000
"""Milliseconds until a page that should have changed is taken for broken."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def web_table(*options: str, port: int = 0) -> Iterator[str]:
    """`lovat web` until the end of the block; gives the address of its page."""
    process = subprocess.Popen(
        [sys.executable, "-m", "lovat_client.cli.app", "web", "--port", str(port), *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=child_environment())
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+/", line)
        assert found, line + process.stderr.read()
        yield found[0]
    finally:
        process.terminate()
        process.communicate(timeout=20)


@contextlib.contextmanager
def arbiter(database: Path, rules: str) -> Iterator[str]:
    """An arbiter until the end of the block; gives its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "lovat_client.arbiter", "--port", "0", "--database", str(database),
         "--rules", rules],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=child_environment())
    try:
        assert process.stdout is not None
        yield f"127.0.0.1:{json.loads(process.stdout.readline())['port']}"
    finally:
        process.terminate()
        process.communicate(timeout=20)


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """A headless browser of this machine. RuntimeError says why there is none."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise RuntimeError(f"no browser is installed (looked for {', '.join(BROWSERS)})")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise RuntimeError("playwright is not installed (extra `dev`)") from None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()
