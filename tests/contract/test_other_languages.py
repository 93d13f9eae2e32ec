"""The contract compiles for the languages of other front ends, by the protoc Debian ships."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import generate

PROTO = Path(generate.__file__).resolve().parent
WELL_KNOWN = Path("/usr/include")

pytestmark = [
    pytest.mark.skipif(shutil.which("protoc") is None, reason="there is no protoc on PATH"),
    pytest.mark.skipif(not (WELL_KNOWN / "google/protobuf/any.proto").exists(),
                       reason=f"there are no well-known protos under {WELL_KNOWN}"),
]


def compiled(out: Path, *options: str) -> list[Path]:
    """What protoc writes of all our .proto files with these options."""
    done = subprocess.run(
        ["protoc", f"--proto_path={PROTO}", f"--proto_path={WELL_KNOWN}", *options,
         *generate.protos()],
        capture_output=True, text=True, check=False,
    )
    assert done.returncode == 0, done.stderr
    return [path for path in out.rglob("*") if path.is_file()]


def test_cpp_gets_a_header_and_a_source_of_every_proto(tmp_path: Path) -> None:
    written = {path.relative_to(tmp_path).as_posix()
               for path in compiled(tmp_path, f"--cpp_out={tmp_path}")}
    stems = [name.removesuffix(".proto") for name in generate.protos()]
    assert stems
    assert written == {f"{stem}{end}" for stem in stems for end in (".pb.h", ".pb.cc")}


def test_csharp_gets_a_file_of_every_proto(tmp_path: Path) -> None:
    # With a base namespace the files lie in folders; two games may both have a state.proto.
    written = compiled(tmp_path, f"--csharp_out={tmp_path}", "--csharp_opt=base_namespace=")
    assert len(written) == len(generate.protos())
    assert all(path.suffix == ".cs" and path.stat().st_size for path in written)


def test_java_gets_a_file_of_every_proto_at_least(tmp_path: Path) -> None:
    written = compiled(tmp_path, f"--java_out={tmp_path}")
    assert len(written) >= len(generate.protos()) > 0
    assert all(path.suffix == ".java" and path.stat().st_size for path in written)
