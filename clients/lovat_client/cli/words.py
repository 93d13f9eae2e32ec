"""Messages in words a player reads: decisions, violations, events, scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from google.protobuf import json_format
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from lovat.rules.v1 import core_pb2, event_pb2
from lovat.white_death.v1 import terms_pb2

WEATHER = {terms_pb2.WEATHER_FROST: "frost", terms_pb2.WEATHER_THAW: "thaw",
           terms_pb2.WEATHER_SNOW: "snow"}
IMPULSES = {terms_pb2.IMPULSE_KIND_ACTION: "action", terms_pb2.IMPULSE_KIND_PASS: "pass"}
_MOVEMENT_POINT = 120
_FIRE_POINT = 8


def hex_number(hex_: int) -> str:
    """A printed number ("0405"), or "off map"."""
    return f"{hex_:04d}" if hex_ else "off map"


def hex_list(hexes: Iterable[int], most: int = 12) -> str:
    """Hexes in a row; "and 9 more" where there are many."""
    numbers = [hex_number(hex_) for hex_ in hexes]
    more = len(numbers) - most
    return " ".join(numbers[:most]) + (f" and {more} more" if more > 0 else "")


def movement(value: int) -> str:
    """Movement in MP, given in 1/120 MP: "4", "1 1/2", "1/3"."""
    return _mixed(value, _MOVEMENT_POINT)


def fire(value: int) -> str:
    """A fire value in points, given in eighths."""
    return _mixed(value, _FIRE_POINT)


def _mixed(value: int, unit: int) -> str:
    from fractions import Fraction

    whole, rest = divmod(value, unit)
    part = str(Fraction(rest, unit)) if rest else ""
    return f"{whole} {part}" if whole and part else part or str(whole)


def side_name(side: str) -> str:
    return side.capitalize()


def kind_in_words(kind: str) -> str:
    return kind.replace("_", " ")


def decision_in_words(decision: core_pb2.Decision) -> str:
    """ "Soviet: move and declare", or "the game is over"."""
    if decision.kind == "game_over":
        return "the game is over"
    return f"{side_name(decision.side)}: {kind_in_words(decision.kind)}"


def print_violations(console: Console, violations: Sequence[core_pb2.Violation]) -> None:
    """Every broken rule: clause, place in the order, sentence, facts."""
    count = f"{len(violations)} rules are" if len(violations) != 1 else "1 rule is"
    console.print(f"[bold red]Refused:[/] {count} broken; nothing has changed.")
    for violation in violations:
        place = violation.order_path or "the whole order"
        console.print(f"  [bold]{escape(f'[{violation.clause}]')}[/] at [cyan]{escape(place)}[/]: "
                      f"{escape(violation.message)}")
        if violation.facts:
            facts = ", ".join(f"{name} {value}"
                              for name, value in sorted(violation.facts.items()))
            console.print(f"      [dim]{escape(facts)}[/]")


def print_faults(console: Console, faults: Sequence[core_pb2.Violation], blocking: int) -> None:
    """Everything that is wrong with a position: clause, place in the state, sentence."""
    if not faults:
        return
    verdict = (f"{blocking} of them make play impossible" if blocking else
               "it can be played on all the same")
    console.print(f"[bold yellow]Faults:[/] {len(faults)} in the position; {verdict}.")
    for fault in faults:
        console.print(f"  [bold]{escape(f'[{fault.clause}]')}[/] at "
                      f"[cyan]{escape(fault.order_path or 'the whole position')}[/]: "
                      f"{escape(fault.message)}")


def event_in_words(event: event_pb2.GameEvent) -> str:
    """One event in one line: its name and its fields."""
    inner = event.white_death
    name = inner.WhichOneof("event") or "nothing"
    values: dict[str, Any] = json_format.MessageToDict(
        getattr(inner, name), preserving_proto_field_name=True) if inner.ByteSize() else {}
    fields = " ".join(f"{field}={_short(value)}" for field, value in values.items())
    return f"{kind_in_words(name)}: {fields}" if fields else kind_in_words(name)


def _short(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(_short, value))
    if isinstance(value, dict):
        return "(" + " ".join(f"{name}={_short(item)}" for name, item in value.items()) + ")"
    return str(value)


def print_events(console: Console, events: Sequence[event_pb2.GameEvent],
                 every: bool) -> None:
    """What happened: every event, or how many of each kind."""
    if every:
        for event in events:
            console.print(f"  {escape(event_in_words(event))}")
        return
    counts: dict[str, int] = {}
    for event in events:
        name = kind_in_words(event.white_death.WhichOneof("event") or "nothing")
        counts[name] = counts.get(name, 0) + 1
    if counts:
        console.print("  " + ", ".join(f"{name} {count}" for name, count in counts.items()))


def score_table(score: core_pb2.Score) -> Table:
    """The victory points line by line."""
    inner = score.white_death
    table = Table(title="Victory points", title_justify="left")
    table.add_column("what")
    table.add_column("count", justify="right")
    table.add_column("points", justify="right")
    for line in inner.lines:
        table.add_row(escape(line.name), str(line.count), str(line.points))
    table.add_section()
    table.add_row("[bold]total[/]", "", f"[bold]{inner.points}[/]")
    return table
