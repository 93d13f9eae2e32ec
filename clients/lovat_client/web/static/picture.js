/** What stands where, from a side's view or from a whole position. */

import { sideOf } from "./words.js";

const DEPLOYED = 1;
const ISOLATED = 2;

/**
 * @typedef {{unit: string, strength: number|null, status: number}} Piece
 * @typedef {{hex: number, side: string, count: number, pieces: Piece[]}} Stack
 */

const piece = (unit) => ({ unit: unit.unit, strength: unit.strength ?? 0, status: unit.status ?? 0 });

/** @returns {Map<number, Stack>} */
function stacksOf(units, catalog) {
  const found = new Map();
  for (const unit of [...units].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))) {
    if (!unit.hex || !unit.strength) continue;
    const stack = found.get(unit.hex) ?? {
      hex: unit.hex,
      side: catalog.side(unit.unit),
      count: 0,
      pieces: [],
    };
    stack.pieces.push(piece(unit));
    stack.count += 1;
    found.set(unit.hex, stack);
  }
  return found;
}

/** The stacks a side may know of. @returns {Map<number, Stack>} */
export function stacksOfView(view, catalog) {
  const found = stacksOf(view.own ?? [], catalog);
  for (const enemy of view.enemy ?? []) {
    const seen = enemy.revealed?.length
      ? [...enemy.revealed].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).map(piece)
      : [...new Set([enemy.top, ...(enemy.deployed ?? [])].filter(Boolean))].map((unit) => ({
          unit,
          strength: null,
          status: (enemy.deployed ?? []).includes(unit) ? DEPLOYED : 0,
        }));
    found.set(enemy.hex, {
      hex: enemy.hex,
      side: catalog.side(enemy.top ?? seen[0]?.unit),
      count: enemy.count ?? seen.length,
      pieces: seen,
    });
  }
  return found;
}

/** A position as an umpire sees it, in the form of a view with stacks of both sides. */
export function umpireView(position, score) {
  const state = position.state.whiteDeath;
  return { ...state, phasing: state.side, own: state.units, enemy: [], score, side: "SIDE_UNSPECIFIED" };
}

export const isDeployed = (seen) => Boolean(seen.status & DEPLOYED);
export const isIsolated = (seen) => Boolean(seen.status & ISOLATED);

/** Ids of enemy units that a view shows. */
export function knownEnemies(view) {
  const found = new Set();
  for (const enemy of view?.enemy ?? []) {
    if (enemy.top) found.add(enemy.top);
    for (const unit of enemy.deployed ?? []) found.add(unit);
    for (const unit of enemy.revealed ?? []) found.add(unit.unit);
  }
  return found;
}

export const viewSide = (view) => sideOf(view?.side);
