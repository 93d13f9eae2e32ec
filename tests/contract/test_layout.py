"""The top level stays as agreed, and what is shipped is shipped whole."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOP_LEVEL = {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "Dockerfile",
             "proto", "server", "clients", "scenarios", "tests"}
PACKAGES = ("proto/lovat", "server/lovat_server", "clients/lovat_client")


def tracked() -> list[str]:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is not a git checkout")
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"git does not read this checkout: {done.stderr.strip()}")
    return [name for name in done.stdout.split("\0") if name]


def test_the_top_level_holds_only_what_was_agreed() -> None:
    names = {name.partition("/")[0] for name in tracked()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


def test_nothing_that_a_build_or_a_run_leaves_is_tracked() -> None:
    left = {"__pycache__", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis",
            "dist", "build"}
    assert [name for name in tracked() if left & set(Path(name).parts)] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_says_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_of_modules_is_a_regular_package(package: str) -> None:
    folders = {path.parent for path in (ROOT / package).rglob("*.py")}
    assert folders
    between = {parent for folder in folders for parent in folder.parents
               if (ROOT / package) in (parent, *parent.parents)}
    assert [str(folder) for folder in sorted(folders | between)
            if not (folder / "__init__.py").is_file()] == []
