"""Which room may import which: hexmap <- core <- games <- service <- transport.

A line of code knows its room by what it may import, so this reads the imports of every module:
those inside functions and those for type checkers alike.
"""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"lovat_server": ROOT / "server", "lovat_client": ROOT / "clients"}

MAY_IMPORT = {
    "hexmap": {"hexmap"},
    "core": {"hexmap", "core"},
    "games": {"hexmap", "core", "games"},
    "scenarios": {"hexmap", "core", "games", "scenarios"},
    "service": {"hexmap", "core", "games", "scenarios", "service"},
    "transport": {"hexmap", "core", "games", "scenarios", "service", "transport"},
}
WIRE = ("grpc", "grpc_health", "grpc_reflection", "grpc_status", "google.protobuf", "google.rpc",
        "lovat", "structlog")
WORLD = ("time", "datetime", "os", "io", "pathlib", "random", "secrets", "socket", "threading",
         "logging", "subprocess")
PURE_ROOMS = ("hexmap", "core", "games")
WORLD_CALLS = {"open", "input", "print", "eval", "exec", "__import__"}


class Import(NamedTuple):
    """`target` is the module imported, or the module and the name taken from it."""

    target: str
    line: int
    for_types_only: bool


class Module(NamedTuple):
    name: str
    is_package: bool
    tree: ast.Module
    imports: tuple[Import, ...]


def imports_of(name: str, is_package: bool, tree: ast.Module) -> Iterator[Import]:
    types_only = {
        id(inner)
        for node in ast.walk(tree) if isinstance(node, ast.If)
        if ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
        for statement in node.body for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, id(node) in types_only)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = name.split(".")
                parts = parts[:len(parts) - node.level + is_package]
                base = ".".join([*parts, base] if base else parts)
            for alias in node.names:
                yield Import(f"{base}.{alias.name}", node.lineno, id(node) in types_only)


def read(name: str, source: str, is_package: bool = False) -> Module:
    tree = ast.parse(source)
    return Module(name, is_package, tree, tuple(imports_of(name, is_package, tree)))


def modules_of(package: str) -> dict[str, Module]:
    base = PACKAGES[package]
    found = {}
    for path in sorted((base / package).rglob("*.py")):
        parts = path.relative_to(base).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        found[name] = read(name, path.read_text("utf-8"), is_package)
    return found


SERVER = modules_of("lovat_server")
CLIENT = modules_of("lovat_client")


def is_within(target: str, modules: tuple[str, ...]) -> bool:
    return any(target == module or target.startswith(f"{module}.") for module in modules)


def room_of(name: str) -> str:
    """The package right below `lovat_server`; "" for `lovat_server` itself."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""


def wrong_rooms(module: Module) -> list[str]:
    allowed = MAY_IMPORT[room_of(module.name)]
    return [
        f"{module.name}:{found.line} imports {found.target}" for found in module.imports
        if is_within(found.target, ("lovat_server",))
        and room_of(found.target) in MAY_IMPORT and room_of(found.target) not in allowed
    ]


def imports_within(module: Module, forbidden: tuple[str, ...]) -> list[str]:
    return [f"{module.name}:{found.line} imports {found.target}" for found in module.imports
            if is_within(found.target, forbidden)]


def world_calls(module: Module) -> list[str]:
    return [
        f"{module.name}:{node.lineno} calls {node.func.id}" for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        and node.func.id in WORLD_CALLS
    ]


def circle(modules: dict[str, Module]) -> list[str]:
    """Modules that import each other in a circle, or nothing; imports for types only are free."""
    graph: dict[str, set[str]] = {}
    for module in modules.values():
        targets = set()
        for found in module.imports:
            if not found.for_types_only:
                owner = found.target.rpartition(".")[0]
                targets.add(found.target if found.target in modules else owner)
        graph[module.name] = (targets & modules.keys()) - {module.name}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def in_rooms(*rooms: str) -> list[Module]:
    return [module for name, module in SERVER.items() if room_of(name) in rooms]


def test_every_room_of_the_server_is_a_known_one() -> None:
    assert {room_of(name) for name in SERVER} - {""} == MAY_IMPORT.keys()


def test_the_root_of_the_server_imports_none_of_its_rooms() -> None:
    assert not imports_within(SERVER["lovat_server"], ("lovat_server",))


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_the_rooms_below_it(room: str) -> None:
    assert not [fault for module in in_rooms(room) for fault in wrong_rooms(module)]


def test_the_wire_is_known_in_transport_alone() -> None:
    inner = [room for room in MAY_IMPORT if room != "transport"]
    assert not [fault for module in in_rooms(*inner) for fault in imports_within(module, WIRE)]


def test_from_hexmap_to_games_nothing_asks_the_world() -> None:
    for module in in_rooms(*PURE_ROOMS):
        assert not imports_within(module, WORLD)
        assert not world_calls(module)


def test_clients_never_import_the_server() -> None:
    assert not [fault for module in CLIENT.values()
                for fault in imports_within(module, ("lovat_server",))]


def test_the_server_never_imports_its_clients() -> None:
    assert not [fault for module in SERVER.values()
                for fault in imports_within(module, ("lovat_client",))]


def test_no_modules_of_the_server_import_each_other_in_a_circle() -> None:
    assert circle(SERVER) == []


def test_no_modules_of_the_clients_import_each_other_in_a_circle() -> None:
    assert circle(CLIENT) == []


# The reader itself: each way of importing is seen.

@pytest.mark.parametrize("source", [
    "import lovat_server.service.submit",
    "from lovat_server.service import submit",
    "from lovat_server import service",
    "from ...service.submit import submit",
    "from ... import service",
    "def later():\n    from lovat_server.service import submit",
    "if TYPE_CHECKING:\n    from lovat_server.service import submit",
])
def test_an_import_of_a_higher_room_is_seen(source: str) -> None:
    assert wrong_rooms(read("lovat_server.games.white_death.movement", source))


def test_an_import_of_a_lower_room_is_free() -> None:
    source = "from lovat_server.hexmap.grid import Grid\nfrom . import zones\nimport hashlib"
    module = read("lovat_server.games.white_death.movement", source)
    assert not wrong_rooms(module)
    assert [found.target for found in module.imports] == [
        "lovat_server.hexmap.grid.Grid", "lovat_server.games.white_death.zones", "hashlib"]


def test_the_clock_and_the_files_are_seen() -> None:
    module = read("lovat_server.core.dice", "import os.path\nfrom random import random\nopen('x')")
    assert len(imports_within(module, WORLD)) == 2
    assert world_calls(module) == ["lovat_server.core.dice:3 calls open"]


def test_a_circle_is_seen_and_one_for_types_only_is_free() -> None:
    def pair(second: str) -> dict[str, Module]:
        return {
            "p": read("p", "", is_package=True),
            "p.a": read("p.a", "from .b import thing"),
            "p.b": read("p.b", second),
        }

    assert set(circle(pair("def f():\n    from p import a"))) == {"p.a", "p.b"}
    assert circle(pair("if TYPE_CHECKING:\n    from . import a")) == []
