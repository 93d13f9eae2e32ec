"""A small map with a little of everything, a view of it and listings for a bot to answer."""

from __future__ import annotations

from lovat.white_death.v1 import answers_pb2, catalog_pb2, state_pb2, terms_pb2
from lovat_client.hexes import Layout

COLUMNS, ROWS = 8, 7
SOVIET, GERMAN = terms_pb2.SIDE_SOVIET, terms_pb2.SIDE_GERMAN
KINDS = terms_pb2.DecisionKind

# id, side, type, size, division, colour, mobility, kind, strength, conventional, range
UNITS = (
    ("s-inf-1", SOVIET, "infantry", 3, "28", "russian", 2, 1, 7, 8, 0),
    ("s-inf-2", SOVIET, "infantry", 3, "28", "russian", 2, 1, 7, 8, 0),
    ("s-bn", SOVIET, "infantry", 2, "28", "guards", 2, 1, 4, 8, 0),
    ("s-ski", SOVIET, "ski", 2, "44SB", "ski", 1, 1, 3, 8, 0),
    ("s-tank", SOVIET, "T-34", 2, "184TB", "russian", 5, 4, 6, 16, 0),
    ("s-guns", SOVIET, "field artillery", 2, "28", "russian", 3, 3, 3, 8, 7),
    ("g-inf-1", GERMAN, "infantry", 2, "83", "army", 2, 1, 3, 8, 0),
    ("g-inf-2", GERMAN, "mountain infantry", 2, "83", "army", 2, 1, 3, 8, 0),
    ("g-at", GERMAN, "antitank", 1, "", "ski", 3, 2, 1, 8, 0),
    ("g-new", GERMAN, "security & <labour>", 2, "", "army", 2, 1, 3, 8, 0),
)


def catalog() -> catalog_pb2.Catalog:
    """An eight by seven map: a river, a creek, a lake, woods, a hill, two towns, road and rail."""
    made = catalog_pb2.Catalog()
    made.scenario.title = "Small & \"quiet\" war"
    made.scenario.first_turn, made.scenario.last_turn = 1, 3
    board = made.map
    board.columns, board.rows = COLUMNS, ROWS
    for column in range(1, COLUMNS + 1):
        for row in range(1, ROWS + 1):
            number = column * 100 + row
            hex_ = board.hexes.add(hex=number)
            hex_.river = column == 4
            hex_.creek = number in (501, 601, 701)
            hex_.forest = number in (202, 203, 302, 601)
            hex_.high = number in (606, 607)
            hex_.town = number in (205, 504)
            hex_.railroad_town = number == 205
            hex_.city = number == 504
            hex_.name = {205: "Isotcha <west>", 504: "Luki"}.get(number, "")
    for hex_, direction, features in (
        (504, 4, ("road",)), (505, 4, ("road", "rail")), (204, 4, ("rail",)),
        (205, 4, ("rail",)), (702, 2, ("lake_full",)), (702, 3, ("lake_partial",)),
        (606, 6, ("down",)),
    ):
        board.hexsides.add(hex=hex_, direction=direction,  # type: ignore[arg-type]
                           **dict.fromkeys(features, True))
    board.areas.add(name="E", hexes=[801, 802, 803])
    for name, side, kind, size, division, colour, mobility, target, strength, fire, span in UNITS:
        made.units.add(
            id=name, label=name.upper(), side=side, type=kind,
            size=size, division=division,  # type: ignore[arg-type]
            divisional=bool(division), formation=f"{division} Rifle Division", colour=colour,
            mobility=mobility, kind=target,  # type: ignore[arg-type]
            strength=strength, conventional=fire, range=span, barrage=3 if span else 0)
    made.bunkers.add(hex=504, strength=10)
    for terrain, value in (("clear", 6), ("town", 10), ("forest", 8), ("bunker", 15)):
        made.charts.defence.add(terrain=terrain, personnel=value, light=5, heavy=2)
    for mobility in (terms_pb2.MOBILITY_DRAFT, terms_pb2.MOBILITY_TRACK):
        made.charts.movement.add(mobility=mobility, terrain="forest")
        made.charts.movement.add(mobility=mobility, terrain="clear", enter=60)
    return made


def state() -> state_pb2.State:
    """A position in the middle of a Soviet impulse."""
    made = state_pb2.State(turn=2, weather=terms_pb2.WEATHER_FROST, side=SOVIET,
                           impulses=[2, 1], points=[4, 10], declared=4, supply=[3, 2, 1],
                           bunkers=[8])
    made.decision.kind, made.decision.side = terms_pb2.DECISION_KIND_MOVE_AND_DECLARE, SOVIET
    made.bridges.add(hex=404)
    made.assaults.add(hex=504, units=["s-inf-1", "s-inf-2"])
    deployed, isolated = terms_pb2.STATUS_FLAG_DEPLOYED, terms_pb2.STATUS_FLAG_ISOLATED
    for name, hex_, strength, rank, status in (
        ("s-inf-1", 604, 7, 1, 0), ("s-bn", 604, 3, 0, isolated), ("s-inf-2", 603, 5, 0, 0),
        ("s-ski", 801, 3, 0, 0), ("s-tank", 605, 6, 0, 0), ("s-guns", 705, 3, 0, deployed),
        ("g-inf-1", 504, 3, 0, 0), ("g-inf-2", 504, 2, 1, 0), ("g-at", 205, 1, 0, 0),
        ("g-new", 0, 3, 0, 0),
    ):
        made.units.add(unit=name, hex=hex_, strength=strength, rank=rank, status=status)
    return made


def view(side: int = SOVIET) -> answers_pb2.View:
    """What one side sees of that position."""
    whole = state()
    made = answers_pb2.View(
        side=side, turn=2, weather=whole.weather, phasing=SOVIET,  # type: ignore[arg-type]
        impulses=whole.impulses, points=whole.points, declared=4, supply=whole.supply,
        kind=terms_pb2.IMPULSE_KIND_ACTION, replacements=[3, 2],
        bunkers=whole.bunkers, bridges=whole.bridges, assaults=whole.assaults)
    sides = {unit.id: unit.side for unit in catalog().units}
    made.own.extend(unit for unit in whole.units if sides[unit.unit] == side)
    if side == SOVIET:
        made.enemy.add(hex=504, count=2, top="g-inf-1")
        made.enemy.add(hex=205, count=1, top="g-at")
    else:
        made.enemy.add(hex=604, count=2, top="s-bn")
        made.enemy.add(hex=603, count=1, top="s-inf-2")
        made.enemy.add(hex=705, count=1, top="s-guns", deployed=["s-guns"])
    made.score.points, made.score.level = 7, "German Victory"
    return made


def listing(kind: int, side: int = SOVIET) -> answers_pb2.Listing:
    """What is legal for each kind of decision, as far as it goes."""
    made = answers_pb2.Listing()
    made.decision.kind, made.decision.side = kind, side  # type: ignore[assignment]
    mine = [unit for unit in view(side).own if unit.strength]
    foes = [stack.hex for stack in view(side).enemy]
    if kind == terms_pb2.DECISION_KIND_DECLARE_IMPULSE:
        made.declarations.add(kind=terms_pb2.IMPULSE_KIND_ACTION, least=3, most=10)
        made.declarations.add(kind=terms_pb2.IMPULSE_KIND_PASS, least=1, most=1)
    elif kind == terms_pb2.DECISION_KIND_MOVE_AND_DECLARE:
        for unit in mine:
            made.units.append(unit_options(unit, foes))
    elif kind == terms_pb2.DECISION_KIND_SUSTAIN_GARRISON:
        made.may_sustain = True
    elif kind == terms_pb2.DECISION_KIND_REPLACE:
        made.replacements.add(unit=mine[0].unit, most=2)
        made.replacements.add(unit=mine[1].unit, most=4, hexes=[801, 802])
        made.repairs.append(mine[-1].unit)
    elif kind == terms_pb2.DECISION_KIND_RETREAT_BEFORE_COMBAT:
        made.withdrawals.add(unit="s-ski", hexes=[701, 802])
    elif kind == terms_pb2.DECISION_KIND_PURSUE:
        made.pursuits.add(hex=701, units=["s-ski"], targets=[601])
    elif kind == terms_pb2.DECISION_KIND_BARRAGE:
        made.barrages.add(unit="s-guns", hexes=[504, 205], values=[1100, 200],
                          observed=[True, False])
    elif kind in (terms_pb2.DECISION_KIND_DEFENSIVE_FIRE, terms_pb2.DECISION_KIND_ASSAULT_FIRE):
        fire = made.fires.add(hex=504, bunker=64, headquarters=["28"])
        fire.firers.add(unit="s-inf-1", conventional=56, antitank=14)
        fire.firers.add(unit="s-tank", conventional=96, antitank=48)
        fire.targets.add(unit="g-inf-1", defence=80)
        fire.targets.add(unit="g-at", defence=56)
        made.high_intensity.append(terms_pb2.POOL_SOVIET)
    elif kind == terms_pb2.DECISION_KIND_RETREAT:
        option = made.retreats.add(unit=mine[0].unit, hex=mine[0].hex)
        option.paths.add(hexes=[704, 804])
        option.paths.add(hexes=[703, 803])
    elif kind == terms_pb2.DECISION_KIND_ADVANCE:
        made.advances.add(hex=504, units=["s-inf-1", "s-inf-2", "s-bn", "s-tank"])
    return made


def unit_options(unit: state_pb2.UnitState, foes: list[int]) -> answers_pb2.UnitOptions:
    """Every hex within three of a unit, or of the east edge, at half a point a hex."""
    layout = Layout(COLUMNS, ROWS)
    made = answers_pb2.UnitOptions(unit=unit.unit, left=480, may_deploy=unit.unit == "s-guns")
    previous = {unit.hex: 0} if unit.hex else {801: 0}
    costs = dict.fromkeys(previous, 0)
    if not unit.hex:
        made.hexes.append(801)
        made.costs.append(60)
        made.previous.append(0)
        made.marks.append(0)
    for _ in range(3):
        for number in list(previous):
            for other in layout.neighbours(number):
                if other not in previous and other not in foes:
                    previous[other], costs[other] = number, costs[number] + 60
                    made.hexes.append(other)
                    made.costs.append(costs[other])
                    made.previous.append(number)
                    made.marks.append(terms_pb2.MARK_FLAG_MAY_NOT_END if other == 602 else 0)
    made.assaults.extend(foe for foe in foes if unit.hex and layout.distance(unit.hex, foe) == 1)
    return made
