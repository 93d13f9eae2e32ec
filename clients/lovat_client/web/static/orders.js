/** The movement phase as it is being composed: actions and assaults, and where they lead. */

/** MarkFlag bits of a listing. */
const STOPS = 1;
const MAY_NOT_END = 2;
const UNDER_FIRE = 4;
const ICE = 8;

/**
 * What one unit can reach, by hex.
 * @returns {Map<number, {hex: number, cost: number, previous: number, mayEnd: boolean, stops: boolean,
 *   underFire: boolean, ice: boolean}>}
 */
export function reachOf(options) {
  const found = new Map();
  (options.hexes ?? []).forEach((hex, index) => {
    const marks = options.marks?.[index] ?? 0;
    found.set(hex, {
      hex,
      cost: options.costs[index] ?? 0,
      previous: options.previous[index] ?? 0,
      mayEnd: !(marks & MAY_NOT_END),
      stops: Boolean(marks & STOPS),
      underFire: Boolean(marks & UNDER_FIRE),
      ice: Boolean(marks & ICE),
    });
  });
  return found;
}

/** The hexes entered on the cheapest way. */
export function pathTo(reach, hex) {
  const path = [];
  for (let at = hex; reach.has(at) && path.length <= reach.size; at = reach.get(at).previous)
    path.unshift(at);
  return path;
}

/** What all of several units can reach together; the cost is that of the one that pays most. */
export function sharedReach(reaches) {
  if (reaches.length < 2) return reaches[0] ?? new Map();
  const found = new Map();
  for (const [hex, first] of reaches[0]) {
    const all = reaches.map((reach) => reach.get(hex));
    if (all.some((each) => !each)) continue;
    const dearest = all.reduce((a, b) => (b.cost > a.cost ? b : a), first);
    found.set(hex, {
      ...dearest,
      mayEnd: all.every((each) => each.mayEnd),
      underFire: all.some((each) => each.underFire),
      ice: all.some((each) => each.ice),
      stops: all.some((each) => each.stops),
    });
  }
  return found;
}

export class Draft {
  constructor() {
    /** @type {any[]} */
    this.actions = [];
    /** @type {{hex: number, units: string[], charge?: string[]}[]} */
    this.assaults = [];
  }

  get isEmpty() {
    return !this.actions.length && !this.assaults.length;
  }

  /** As the contract's Order. */
  order() {
    return { whiteDeath: { moveAndDeclare: { actions: this.actions, assaults: this.assaults } } };
  }

  with(change) {
    const copy = new Draft();
    copy.actions = structuredClone(this.actions);
    copy.assaults = structuredClone(this.assaults);
    change(copy);
    return copy;
  }

  march(units, path) {
    this.actions.push({ march: { units: [...units], path } });
  }
  rail(units, destination) {
    this.actions.push({ rail: { units: [...units], destination } });
  }
  deploy(units) {
    this.actions.push({ deploy: { units: [...units] } });
  }
  build(unit) {
    this.actions.push({ buildBridge: { unit } });
  }
  destroy(unit) {
    this.actions.push({ destroyBridge: { unit } });
  }

  abandon(units) {
    this.actions.push({ abandon: { units: [...units] } });
  }
  exit(units) {
    this.actions.push({ exit: { units: [...units] } });
  }
  arrange(hex, units) {
    this.actions.push({ arrange: { hex, units: [...units] } });
  }

  /** @param {boolean} [mounted] the units charge */
  assault(hex, units, mounted = false) {
    let held = this.assaults.find((each) => each.hex === hex);
    if (!held) {
      held = { hex, units: [], charge: [] };
      this.assaults.push(held);
    }
    held.units = [...new Set([...held.units, ...units])];
    if (mounted) held.charge = [...new Set([...(held.charge ?? []), ...units])];
  }

  /** Where each unit of the draft is after it. @param {Map<string, number>} places where they stand */
  places(places) {
    const found = new Map(places);
    for (const action of this.actions) {
      const { march, rail } = action;
      if (march) for (const unit of march.units) found.set(unit, march.path.at(-1) ?? found.get(unit));
      if (rail) for (const unit of rail.units) found.set(unit, rail.destination);
    }
    return found;
  }

  /** Lines and ghosts for the board. */
  picture(places) {
    const at = new Map(places);
    const lines = [];
    const moved = new Set();
    for (const action of this.actions) {
      const { march, rail } = action;
      const units = march?.units ?? rail?.units ?? [];
      const path = march?.path ?? (rail ? [rail.destination] : []);
      const start = at.get(units[0]);
      if (path.length)
        lines.push({ hexes: [start, ...path].filter(Boolean), kind: march ? "march" : "rail" });
      for (const unit of units) {
        at.set(unit, path.at(-1) ?? start);
        moved.add(unit);
      }
    }
    for (const assault of this.assaults) {
      for (const from of new Set(assault.units.map((unit) => at.get(unit)).filter(Boolean))) {
        lines.push({ hexes: [from, assault.hex], kind: "assault" });
      }
    }
    return { lines, ghosts: [...moved].map((unit) => ({ unit, hex: at.get(unit) })) };
  }
}

/** Which draft item a violation is about, from its order path: {list: "actions", index: 3, hex: 1430}. */
export function placeOf(violation, order) {
  const inner = Object.values(order?.whiteDeath ?? {})[0] ?? {};
  const match = /^(?:[a-z_]+\.)?([a-z_]+)\[(\d+)\]/.exec(violation.orderPath ?? "");
  const found = { list: "", index: -1, hex: 0 };
  if (match) {
    found.list = match[1];
    found.index = Number(match[2]);
    const item = inner[match[1]]?.[found.index];
    const step = /path\[(\d+)\]/.exec(violation.orderPath);
    const inside = item?.march ?? item?.rail ?? item ?? {};
    if (step) found.hex = inside.path?.[Number(step[1])] ?? 0;
    else found.hex = inside.hex ?? inside.destination ?? inside.path?.at(-1) ?? 0;
  }
  const told = Number(violation.facts?.hex);
  if (!found.hex && told) found.hex = told;
  return found;
}
