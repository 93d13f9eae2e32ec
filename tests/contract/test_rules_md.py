"""RULES.md, the code and the tests agree: each clause, what carries it out, what holds it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from lovat_server.scenarios.rules_loader import (
    Clause,
    Rulebook,
    load_rulebook,
    read_rulebook,
    rules_file,
)

ROOT = Path(__file__).resolve().parents[2]
GAME = ROOT / "server" / "lovat_server" / "games" / "white_death"
TESTS = ROOT / "tests"

CLAUSES = """
1 1.A 1.B 1.C 1.D
2
3 3.A 3.B 3.C 3.D 3.E
4 4.A 4.B 4.C
5 5.1 5.2 5.3 5.4 5.5 5.6
6 6.A 6.B 6.B.1 6.B.2 6.B.3
7
8
9 9.A 9.B 9.C 9.C.1 9.C.2 9.C.3 9.C.4 9.C.5 9.D
10 10.A 10.B 10.C 10.C.1 10.C.2 10.C.3 10.C.4 10.D 10.E
11 11.A 11.A.1 11.A.2 11.B 11.B.1 11.B.2 11.B.2.a 11.B.2.b 11.B.2.c 11.B.3 11.B.3.a 11.B.3.b
12 12.A 12.B 12.C 12.D
13 13.A 13.B
14 14.A 14.A.1 14.A.2 14.A.3 14.B 14.B.1 14.B.2 14.B.3 14.C 14.C.1 14.C.2 14.C.3 14.C.4 14.C.5
14.C.6 14.C.7 14.C.8
15 15.A 15.A.1 15.A.2 15.A.3 15.A.4 15.B 15.C 15.D 15.D.1 15.D.2
16 16.A 16.B 16.C
17 17.A 17.B 17.C 17.D 17.E 17.F
18
19
20 20.A 20.B
21 21.A 21.B 21.C 21.D
22
23
24
25 25.1 25.2 25.3 25.3.A 25.3.B 25.3.C 25.4
25.I 25.I.1 25.I.2 25.I.3 25.I.3.A 25.I.3.A.1 25.I.3.A.2 25.I.3.A.3 25.I.3.A.4 25.I.3.A.5
25.I.3.B 25.I.3.C 25.I.4
25.II 25.II.1 25.II.2 25.II.2.A 25.II.2.B 25.II.3 25.II.3.A 25.II.3.A.1 25.II.3.A.2
25.II.3.A.3 25.II.3.A.4 25.II.3.A.5 25.II.3.B 25.II.3.B.1 25.II.3.B.2 25.II.3.C 25.II.4
25.III 25.III.1 25.III.2 25.III.2.A 25.III.2.B 25.III.3 25.III.3.A 25.III.3.A.1 25.III.3.A.2
25.III.3.B 25.III.3.B.1 25.III.3.C 25.III.4
25.IV 25.IV.1 25.IV.2 25.IV.2.A 25.IV.2.B 25.IV.3 25.IV.3.A 25.IV.3.A.1 25.IV.3.A.2 25.IV.3.B
25.IV.3.C 25.IV.4
25.V 25.V.2 25.V.2.A 25.V.2.B 25.V.3 25.V.3.A 25.V.3.A.1 25.V.3.A.2 25.V.3.B 25.V.3.C 25.V.4
25.VI 25.VI.1 25.VI.2 25.VI.3 25.VI.4
Notes Notes.I Notes.II Notes.III Notes.IV Notes.V
Chart
Chart.identification Chart.identification.abbreviations Chart.identification.markers
Chart.identification.colours Chart.identification.symbols Chart.identification.sizes
Chart.identification.fronts Chart.identification.backs Chart.identification.vehicles
E E.map E.counters E.set-up E.order E.4-B E.4-C E.11-C E.13 E.15 E.19 E.21-E E.23
Order
Order.soviet Order.soviet.1 Order.soviet.2 Order.soviet.3 Order.soviet.4 Order.soviet.5
Order.soviet.6 Order.soviet.7 Order.soviet.8 Order.soviet.9 Order.soviet.10 Order.soviet.11
Order.soviet.12 Order.soviet.13 Order.soviet.optional
Chart.terrain
Chart.conventional
Chart.antitank
Chart.barrage
Chart.modifiers
Order.german Order.german.1 Order.german.2 Order.german.3 Order.german.4 Order.german.5
Order.german.6 Order.german.7 Order.german.8 Order.german.9 Order.german.10 Order.german.11
Order.german.12 Order.german.13
Chart.turns
Chart.weather
Chart.points
Chart.supply
Chart.legend
"""
"""Every clause of the booklet, in its order; scenario V has no heading 1.

`25.3.A` to `C` stand for what the headings of that letter have in common in every scenario.
"""


# Reading citations: "WD 9.A-B, 10.C.2, E.4-C", "WD 25 scenarios III, V".

_ONE = (r"(?:(?:E|Chart|Order|Notes)(?:\.[A-Za-z0-9-]+)*|\d+(?:\.[A-Za-z0-9]+)*(?:-[A-Za-z0-9]+)?)"
        r"(?![A-Za-z0-9])")
_CITATION = re.compile(rf"\bWD ({_ONE}(?: scenarios? [IVX]+(?:(?:, | and )[IVX]+\b)*)?"
                       rf"(?:,\s+(?:WD )?{_ONE})*)")


def cited(text: str) -> list[str]:
    """Every clause that a text cites, ranges and lists spelled out: "WD 9.A", "WD 9.B"."""
    found: list[str] = []
    for match in _CITATION.finditer(text):
        words = match[1]
        scenarios = re.search(r"^(\d+) scenarios? ([IVX]+(?:(?:, | and )[IVX]+\b)*)", words)
        if scenarios:
            found += [f"{scenarios[1]}.{name}" for name in re.findall(r"[IVX]+", scenarios[2])]
            words = words[scenarios.end():].lstrip(", ")
        for one in filter(None, (part.strip() for part in words.split(","))):
            found += _spelled_out(one.removeprefix("WD "))
    return [f"WD {one}" for one in found]


def _spelled_out(one: str) -> Iterator[str]:
    if not one[0].isdigit() or "-" not in one:
        yield one
        return
    first, _, last = one.partition("-")
    stem, dot, start = first.rpartition(".")
    if start.isdigit():
        yield from (f"{stem}{dot}{number}" for number in range(int(start), int(last) + 1))
    else:
        yield from (f"{stem}{dot}{chr(letter)}" for letter in range(ord(start), ord(last) + 1))


def plain(clause: str) -> str:
    """The general clause of a scenario's heading: "WD 25.II.3.A" is of "WD 25.3.A"."""
    return re.sub(r"^WD 25\.[IVX]+(?=\.|$)", "WD 25", clause)


def is_part(clause: str, of: str) -> bool:
    """The clause is the other one or below it."""
    return any(f"{one}.".startswith(f"{of}.") for one in (clause, plain(clause)))


# What the code and the tests have.

def docstrings(folder: Path) -> dict[str, str]:
    """Docstrings of functions, classes and methods, by "module.function"."""
    found: dict[str, str] = {}

    def visit(node: ast.Module | ast.ClassDef, within: str) -> None:
        for inner in node.body:
            if isinstance(inner, ast.FunctionDef | ast.ClassDef):
                name = f"{within}.{inner.name}"
                found[name] = ast.get_docstring(inner) or ""
                if isinstance(inner, ast.ClassDef):
                    visit(inner, name)

    for path in sorted(folder.glob("*.py")):
        visit(tree_of(path), path.stem)
    return found


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def functions_that_test() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every test of the project by "tests/...::name", classes between."""
    def visit(node: ast.Module | ast.ClassDef, within: str) -> Iterator[
            tuple[str, ast.FunctionDef]]:
        for inner in node.body:
            name = f"{within}::{inner.name}" if isinstance(
                inner, ast.FunctionDef | ast.ClassDef) else within
            if isinstance(inner, ast.FunctionDef) and inner.name.startswith("test"):
                yield name, inner
            elif isinstance(inner, ast.ClassDef):
                yield from visit(inner, name)

    for path in sorted(TESTS.rglob("test_*.py")):
        yield from visit(tree_of(path), path.relative_to(ROOT).as_posix())


def marks_of(function: ast.FunctionDef) -> list[str]:
    """The clauses that `@pytest.mark.rule` names."""
    return [
        argument.value
        for decorator in function.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule"
        for argument in decorator.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


# What is wrong.

def wrong_functions(clauses: Iterable[Clause], known: Mapping[str, str]) -> list[str]:
    """Functions that do not exist, or that cite neither the clause nor what it is part of.

    A clause that is a heading may also name a function of one of its parts.
    """
    clauses = tuple(clauses)
    headings = {clause.id.rpartition(".")[0] for clause in clauses}
    faults = []
    for clause in clauses:
        for name in clause.functions:
            if name not in known:
                faults.append(f"{clause.id}: there is no {name}")
                continue
            names = [one for tag in re.findall(r"^\[([^\]]*)\]", known[name])
                     for one in cited(tag)]
            if not any(is_part(clause.id, one) or (
                    clause.id in headings and is_part(one, clause.id)) for one in names):
                faults.append(f"{clause.id}: {name} cites {', '.join(names) or 'nothing'}")
    return faults


def wrong_tests(clauses: Iterable[Clause], known: Iterable[str]) -> list[str]:
    there = set(known)
    return [f"{clause.id}: there is no {name}" for clause in clauses for name in clause.tests
            if name not in there]


def unknown_citations(text: str, book: Rulebook) -> list[str]:
    return [clause for clause in cited(text) if book.find(clause) is None]


@pytest.fixture(scope="module")
def book() -> Rulebook:
    found = load_rulebook("white_death")
    assert found is not None
    return found


def test_every_clause_of_the_booklet_stands_in_its_order(book: Rulebook) -> None:
    assert [clause.id for clause in book.clauses] == [
        f"WD {clause}" for clause in CLAUSES.split()]


def test_every_clause_is_part_of_one_that_stands(book: Rulebook) -> None:
    there = {clause.id for clause in book.clauses}
    assert [name for name in there if "." in name and name.rpartition(".")[0] not in there] == []


def test_every_reading_is_a_sentence(book: Rulebook) -> None:
    assert [clause.id for clause in book.clauses
            if not clause.reading.endswith((".", ")")) or len(clause.reading) > 700] == []


def test_every_function_exists_and_cites_its_clause(book: Rulebook) -> None:
    assert wrong_functions(book.clauses, docstrings(GAME)) == []


def test_a_clause_with_tests_has_a_function(book: Rulebook) -> None:
    assert [clause.id for clause in book.clauses
            if bool(clause.tests) != bool(clause.functions)] == []


def test_every_test_exists(book: Rulebook) -> None:
    assert wrong_tests(book.clauses, dict(functions_that_test())) == []


def test_every_clause_that_a_test_is_marked_with_stands(book: Rulebook) -> None:
    assert [f"{name}: {clause}" for name, function in functions_that_test()
            for clause in marks_of(function)
            if not clause.startswith("WD ") or book.find(clause) is None] == []


def test_every_clause_that_the_server_cites_stands(book: Rulebook) -> None:
    assert [f"{path.name}: {clause}" for path in sorted((ROOT / "server").rglob("*.py"))
            for clause in unknown_citations(path.read_text("utf-8"), book)] == []


def test_every_clause_that_the_data_cite_stands(book: Rulebook) -> None:
    data = [path for path in sorted((ROOT / "scenarios").rglob("*"))
            if path.suffix in {".csv", ".toml"}]
    assert data
    assert {f"{path.name}: {clause}" for path in data
            for clause in unknown_citations(path.read_text("utf-8-sig"), book)} == set()


# The readers themselves: each fault is seen.

@pytest.mark.parametrize(("text", "clauses"), [
    ("[WD 9.C.3]", ["9.C.3"]),
    ("[WD 9.A-B, 10.C.2-4, 11.A]", ["9.A", "9.B", "10.C.2", "10.C.3", "10.C.4", "11.A"]),
    ("ERRATA(WD E.4-B): (WD 4, E.21-E)", ["E.4-B", "4", "E.21-E"]),
    ("[WD 25 scenarios III, V] and WD 25 scenario II, held", ["25.III", "25.V", "25.II"]),
    ("[WD Order.soviet.4, Chart.terrain]", ["Order.soviet.4", "Chart.terrain"]),
    ("WD 3, and WD 15-16", ["3", "15", "16"]),
    ("nothing", []),
])
def test_citations_are_read(text: str, clauses: list[str]) -> None:
    assert cited(text) == [f"WD {clause}" for clause in clauses]


def test_faults_are_seen() -> None:
    small = read_rulebook("g", rules("| WD 9 | All. | `a.f` | `tests/t.py::test_a` |",
                                     "| WD 9.A | Some. | `a.f`, `a.g` | `tests/t.py::test_b` |"))
    functions = {"a.f": "[WD 9.A] It does (WD 8).", "a.g": "[WD 8]"}
    assert wrong_functions(small.clauses, functions) == ["WD 9.A: a.g cites WD 8"]
    assert wrong_functions(small.clauses, {"a.f": "Plain."}) == [
        "WD 9: a.f cites nothing", "WD 9.A: a.f cites nothing", "WD 9.A: there is no a.g"]
    assert wrong_tests(small.clauses, ["tests/t.py::test_a"]) == [
        "WD 9.A: there is no tests/t.py::test_b"]
    assert unknown_citations("[WD 9.A-B]", small) == ["WD 9.B"]


@pytest.mark.parametrize(("row", "fault"), [
    ("| WD 9 | All. | `a.f` |", "3 cells"),
    ("| WD 9 | All. | `a.f` | - |", "no test of WD 9"),
    ("| WD 9 | All. | - | describes components |\n| WD 9 | All. | - | describes components |",
     "WD 9 stands twice"),
])
def test_a_table_that_is_not_one_is_refused(row: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read_rulebook("g", rules(row))


def test_a_game_without_the_file_has_no_rulebook() -> None:
    assert load_rulebook("no_such_game") is None
    assert rules_file("white_death").parent == GAME


def rules(*rows: str) -> str:
    return "\n".join(["## Rule 9", "| clause | reading | functions | tests |", "|---|---|---|---|",
                      *rows])
