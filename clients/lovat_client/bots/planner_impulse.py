"""How many points an impulse is given, and when it is better to pass."""

from __future__ import annotations

from statistics import quantiles

from lovat.white_death.v1 import answers_pb2, orders_pb2, terms_pb2

from .board import FAR, MP, is_weapons
from .planner_missions import Intent, Mission, choose_town, eta, german_holds
from .planner_picture import Picture

ACTION, PASS = terms_pb2.IMPULSE_KIND_ACTION, terms_pb2.IMPULSE_KIND_PASS
_FAR = 20 * MP
_LEAST_SIEGE = 60
_LAST_SALVOS = 2  # impulses at the end of a turn that are left to the guns


def declaration(now: Picture, offer: answers_pb2.Listing,
                intent: Intent) -> orders_pb2.DeclareImpulse | None:
    """What to declare; None where no action may be declared."""
    actions = [option for option in offer.declarations if option.kind == ACTION]
    passes = [option for option in offer.declarations if option.kind == PASS]
    if not actions:
        return None
    action = actions[0]
    points = _soviet(now, action, intent) if now.is_soviet else _german(now, action)
    if not points and passes:
        return orders_pb2.DeclareImpulse(points=passes[0].least, kind=PASS)
    points = max(action.least, min(points or action.least, action.most))
    return orders_pb2.DeclareImpulse(points=points, kind=ACTION)


def _soviet(now: Picture, action: answers_pb2.PointsOption, intent: Intent) -> int:
    """Points that count for every impulse make short impulses dear: 0 is a pass."""
    choose_town(now, intent)
    points = action.most
    if now.rail_held:
        first = now.seen.impulses and now.seen.impulses[0] <= 1
        return action.least if first and intent.town and now.turns_left else 0
    salvos = _salvos(now)
    if salvos and points <= min(salvos, _LAST_SALVOS):
        return 0
    if not intent.town:
        return max(points - salvos, action.least)
    ways = sorted(way for unit, start in now.places.items()
                  if start and not is_weapons(now.board.units[unit])
                  and (way := eta(now, unit, Mission((intent.town,)))) < _FAR)
    if len(ways) < 2:
        return points
    need = int(quantiles(ways, n=4)[1] / MP) + 2
    points = min(need, max(points - salvos, action.least))
    left = action.most - points
    return points if left >= action.least or left <= salvos else action.most


def _salvos(now: Picture) -> int:
    """How many more barrages of a bunker this turn's impulses could have, and pay for."""
    board = now.board
    near = board.field(now.bunkers)
    value = sum(board.units[unit].barrage * state.strength for unit, state in now.states.items()
                if state.status & terms_pb2.STATUS_FLAG_DEPLOYED
                and near.get(state.hex, FAR) <= max(board.units[unit].range // 2, 1))
    return min(now.supply(now.pool) // 2, _LAST_SALVOS) if value >= _LEAST_SIEGE else 0


def _german(now: Picture, action: answers_pb2.PointsOption) -> int:
    """Enough to bring the next units home; a pass when all are where they belong."""
    holds = german_holds(now)
    lost = [number for number in now.board.railroad_towns if number in now.enemy]
    if lost:
        return 3
    ways = []
    for unit, start in now.places.items():
        if not start or now.is_garrison(unit) or now.board.units[unit].range:
            continue
        way = eta(now, unit, Mission(tuple(holds))) if holds else 0
        if MP <= way < _FAR:
            ways.append(way)
    arriving = any(not start for unit, start in now.places.items()
                   if now.board.units[unit].arrival_turn == now.seen.turn)
    if not ways:
        return 3 if arriving else 0
    need = int(sorted(ways)[len(ways) * 3 // 4] / MP) + 1
    foe = now.seen.points[0] if now.seen.points else 0
    spare = 2 if foe else 0
    return max(1, min(need, action.most - spare))
