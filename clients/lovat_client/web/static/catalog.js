/** The printed facts of a scenario, with questions answered. */

import { catalogs } from "./connect.js";
import { sideOf } from "./words.js";

const HIGH = [
  [0, -1],
  [1, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
  [-1, -1],
];
const LOW = [
  [0, -1],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
];
const held = new Map();

export class Catalog {
  /** @param {any} response GetCatalogResponse */
  constructor(response) {
    this.message = response.whiteDeath;
    this.scenario = this.message.scenario;
    this.hash = response.contentHash;
    this.map = this.message.map;
    this.units = new Map(this.message.units.map((unit) => [unit.id, unit]));
    this.order = new Map(this.message.units.map((unit, index) => [unit.id, index]));
    this.hexes = new Map(this.map.hexes.map((hex) => [hex.hex, hex]));
    this.bunkers = this.message.bunkers ?? [];
  }

  /** The catalog of a scenario, fetched once. @returns {Promise<Catalog>} */
  static async of(scenario) {
    const known = held.get(scenario);
    const answer = await catalogs("GetCatalog", { scenario, knownHash: known?.hash ?? "" });
    if (known && answer.unchanged) return known;
    const found = new Catalog(answer);
    held.set(scenario, found);
    return found;
  }

  side(id) {
    return sideOf(this.units.get(id)?.side);
  }

  /** "2/88 infantry". */
  label(id) {
    const unit = this.units.get(id);
    if (!unit) return id || "a unit";
    return `${unit.label || id} ${unit.type}`;
  }

  short(id) {
    return this.units.get(id)?.label || id;
  }

  isLow(column) {
    return (column % 2 === 0) !== Boolean(this.map.evenHigh);
  }

  neighbour(hex, direction) {
    const column = Math.floor(hex / 100);
    const [across, down] = (this.isLow(column) ? LOW : HIGH)[direction];
    const next = (column + across) * 100 + (hex % 100) + down;
    return this.hexes.has(next) ? next : 0;
  }

  neighbours(hex) {
    return [0, 1, 2, 3, 4, 5].map((direction) => this.neighbour(hex, direction)).filter(Boolean);
  }

  /** The hexes entered on a shortest way, terrain left aside. */
  straight(start, end) {
    const before = new Map([[start, 0]]);
    const line = [start];
    for (let at = 0; at < line.length && !before.has(end); at += 1) {
      for (const next of this.neighbours(line[at])) {
        if (!before.has(next)) {
          before.set(next, line[at]);
          line.push(next);
        }
      }
    }
    const path = [];
    for (let hex = end; hex && hex !== start; hex = before.get(hex)) path.unshift(hex);
    return path;
  }

  /** What is printed in a hex: "forest, creek". */
  terrain(hex) {
    const printed = this.hexes.get(hex) ?? {};
    const words = ["town", "forest", "high", "river", "creek"]
      .filter((name) => printed[name])
      .map((name) => (name === "high" ? "high ground" : name));
    return (printed.name ? `${printed.name}: ` : "") + (words.join(", ") || "clear");
  }
}
