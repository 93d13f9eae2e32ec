"""Writes the Python code of every .proto beside it: `python proto/generate.py [OUT]`.

The generators are pinned in the `dev` extra of pyproject.toml, and this refuses to run with other
versions, so that everybody's output is the same byte for byte. Without OUT the files go to
`proto/`; the names written are printed.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
GENERATORS = ("grpcio-tools", "mypy-protobuf")
STUBS = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi")


def pins() -> dict[str, str]:
    """The exact version of each generator, as pyproject.toml names it."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    found = {}
    for requirement in project["optional-dependencies"]["dev"]:
        match = re.fullmatch(r"([A-Za-z0-9_.-]+)==([^\s;]+)", requirement)
        if match and match[1] in GENERATORS:
            found[match[1]] = match[2]
    missing = set(GENERATORS) - found.keys()
    if missing:
        raise LookupError(f"pyproject.toml does not pin {', '.join(sorted(missing))}")
    return found


def wrong_versions() -> list[str]:
    """One sentence for each generator that is not installed at its pinned version."""
    faults = []
    for name, pinned in pins().items():
        try:
            installed = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            faults.append(f"{name} {pinned} is needed and none is installed")
            continue
        if installed != pinned:
            faults.append(f"{name} {pinned} is needed and {installed} is installed")
    return faults


def protos() -> list[str]:
    """Every .proto of ours, as a path relative to `proto/`, sorted."""
    return sorted(path.relative_to(HERE).as_posix() for path in (HERE / "lovat").rglob("*.proto"))


def generate(out: Path) -> list[str]:
    """Writes stubs and the package files around them into `out`; gives their relative paths.

    Raises RuntimeError if a generator is not the pinned one or reports a fault.
    """
    faults = wrong_versions()
    if faults:
        raise RuntimeError("; ".join(faults))
    _find_plugins_of_this_python()
    sources = protos()
    if sources and _protoc([
        f"--proto_path={HERE}",
        f"--python_out={out}",
        f"--grpc_python_out={out}",
        f"--mypy_out=quiet:{out}",
        f"--mypy_grpc_out=quiet:{out}",
        *sources,
    ]) != 0:
        raise RuntimeError("protoc refused the files; its words stand above")
    written = [f"{source.removesuffix('.proto')}{end}" for source in sources for end in STUBS
               if (out / f"{source.removesuffix('.proto')}{end}").exists()]
    packages = {Path(source).parent for source in sources}
    packages |= {parent for package in packages for parent in package.parents} - {Path()}
    for package in sorted(packages):
        name = package / "__init__.py"
        (out / name).touch()
        written.append(name.as_posix())
    return written


def _protoc(arguments: list[str]) -> int:
    from grpc_tools import protoc

    well_known = Path(protoc.__file__).parent / "_proto"
    status: int = protoc.main(["protoc", *arguments, f"--proto_path={well_known}"])
    return status


def _find_plugins_of_this_python() -> None:
    # protoc looks for protoc-gen-mypy on PATH, where an environment that is not activated is not.
    scripts = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join([scripts, os.environ.get("PATH", "")])


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    target.mkdir(parents=True, exist_ok=True)
    try:
        print("\n".join(generate(target)))
    except RuntimeError as fault:
        sys.exit(str(fault))
