"""The committed stubs are what the pinned generators make of the .proto files, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

import generate

PROTO = Path(generate.__file__).resolve().parent


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    faults = generate.wrong_versions()
    if faults:
        pytest.skip("; ".join(faults))
    out = tmp_path_factory.mktemp("stubs")
    return out, generate.generate(out)


def test_every_committed_stub_is_what_the_generator_makes(
    generated: tuple[Path, list[str]]
) -> None:
    out, names = generated
    assert names
    drifted = [name for name in names if not (PROTO / name).exists()
               or (PROTO / name).read_bytes() != (out / name).read_bytes()]
    assert drifted == [], "run `python proto/generate.py`"


def test_no_stub_is_left_of_a_proto_that_is_gone(generated: tuple[Path, list[str]]) -> None:
    _, names = generated
    committed = {path.relative_to(PROTO).as_posix()
                 for path in (PROTO / "lovat").rglob("*_pb2*.py*") if path.suffix != ".pyc"}
    assert committed - set(names) == set()


def test_the_package_is_a_regular_typed_one(generated: tuple[Path, list[str]]) -> None:
    _, names = generated
    assert "lovat/__init__.py" in names
    assert (PROTO / "lovat" / "py.typed").exists()


def test_importing_a_stub_needs_no_path_but_the_package() -> None:
    for path in sorted((PROTO / "lovat").rglob("*_pb2.py")):
        ours = [line for line in path.read_text("utf-8").splitlines()
                if line.startswith(("import ", "from ")) and "_pb2" in line]
        assert all(line.startswith(("from lovat.", "from google.")) for line in ours), path
