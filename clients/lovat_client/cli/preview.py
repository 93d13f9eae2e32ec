"""`lovat preview`: what fire or an assault would come to."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from lovat.white_death.v1 import preview_pb2, terms_pb2

from .console import FAILED, OverlayOption, PositionArgument, ServerOption, connected, out

EPILOG = "Example: lovat preview game.json fire.json --side german"

_OUTCOMES = {
    preview_pb2.OUTCOME_UNSPECIFIED: "no check",
    preview_pb2.OUTCOME_PASSED: "passed",
    preview_pb2.OUTCOME_FAILED: "failed",
    preview_pb2.OUTCOME_ROUTED: "routed",
    preview_pb2.OUTCOME_ELIMINATED: "eliminated",
}
_PHASES = {
    terms_pb2.PHASE_BARRAGE: "barrage",
    terms_pb2.PHASE_DEFENSIVE_FIRE: "defensive fire",
    terms_pb2.PHASE_ASSAULT: "assault",
}


def preview(
    position: PositionArgument,
    order: Annotated[Path, typer.Argument(
        metavar="ORDER", exists=True, dir_okay=False, show_default=False,
        help="An order of fire, or of movement with assaults, as JSON.")],
    side: Annotated[str, typer.Option(
        "--side", show_default=False,
        help="Only what this side may know; without it everything is told.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the preview as JSON.")] = False,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Say what fire or an assault would come to, with exact chances; nothing is rolled.

    Exit code 1 and every broken rule if the order is refused.
    """
    from .files import as_json, read_order, read_position
    from .words import print_violations

    given, answer = read_position(position), read_order(order)
    with connected(server, overlay) as client:
        found = client.preview(given, answer, side)
    if found.preview is None:
        print_violations(out(), found.violations)
        raise typer.Exit(FAILED)
    if json:
        typer.echo(as_json(found.preview))
        return
    for line in preview_in_words(found.preview.white_death):
        out().print(line)


def preview_in_words(found: preview_pb2.Preview) -> Iterable[str]:
    """Line by line, in rich markup."""
    from .words import hex_number

    if not found.hexes:
        yield "nothing is fired at"
    if found.uncertain_movement:
        yield "dice of the movement decide first; taken as if none goes wrong"
    for shown in found.hexes:
        yield f"[bold]{hex_number(shown.hex)}[/]"
        if shown.unknown:
            yield "  its contents are not known"
            continue
        for fire in shown.fires:
            yield from _fire(fire)
        if any(fire.phase == terms_pb2.PHASE_DEFENSIVE_FIRE for fire in shown.fires):
            yield f"  repelled {shown.repelled.decimal}"
        if shown.truncated:
            yield "  the assault has too many cases to be counted out"
        elif any(fire.phase != terms_pb2.PHASE_DEFENSIVE_FIRE for fire in shown.fires):
            yield f"  vacated {shown.vacated.decimal}"


def _fire(shown: preview_pb2.FirePreview) -> Iterable[str]:
    from rich.markup import escape

    from .words import fire

    yield f"  {_PHASES.get(shown.phase, 'fire')}: expected loss {shown.expected_loss.decimal}"
    for firer in shown.firers:
        why = "".join(f" x {factor.numerator}/{factor.denominator} {factor.name}"
                      for factor in firer.factors)
        kind = preview_pb2.FireKind.Name(firer.kind).removeprefix("FIRE_KIND_").lower()
        yield (f"    [dim]{escape(firer.unit or 'bunker')} {kind} {fire(firer.factor)} x "
               f"{firer.strength}{escape(why)} = {fire(firer.value)}[/]")
    for target in shown.targets:
        notes = [f"{one.name} {points(one.value)}" for one in target.defences]
        notes += [f"morale {one.name} {one.value:+d}" for one in target.conditions]
        yield f"    {escape(target.unit)} [dim]{escape(', '.join(notes))}[/]"
        for volley in target.volleys:
            dice = ", ".join(f"{fire(attack.value)}"
                             + (f" to {fire(attack.defence)}" if attack.defence else "")
                             + f" on {attack.column or 'nothing'}"
                             + "".join(f" {one.value:+d} {one.name}"
                                       for one in attack.modifiers)
                             for attack in volley.attacks)
            yield f"      {volley.chance.decimal} of {escape(dice)}"
        yield "      " + ", ".join(
            f"-{result.lost} {_OUTCOMES[result.outcome]} {result.chance.decimal}"
            for result in target.results)
    for bunker in shown.bunkers:
        yield (f"    bunker of {bunker.strength}: expected loss {bunker.expected_loss.decimal}, "
               f"destroyed {bunker.destroyed.decimal}")



def points(value: int) -> str:
    """A value in eighths with its sign, if it takes away."""
    from .words import fire

    return f"-{fire(-value)}" if value < 0 else fire(value)
