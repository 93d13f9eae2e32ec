/** What can be laid over the map on request: zones of control, supply, sight and more. */

import { CallError } from "./connect.js";
import { button, h, say } from "./dom.js";
import { movement, otherSide, SIDES } from "./words.js";

const KINDS = [
  { name: "zoc", label: "Zones of control", kind: "ZONE_OF_CONTROL", both: true },
  { name: "supply", label: "Supply of artillery", kind: "SUPPLY", both: true },
  { name: "isolation", label: "Where units are isolated", kind: "ISOLATION" },
  { name: "sight", label: "Sight from the cursor", kind: "LINE_OF_SIGHT", follows: true },
  { name: "threat", label: "What the enemy can assault", kind: "THREAT" },
  { name: "rails", label: "Railroad net", kind: "RAIL_NET" },
];

export class Layers {
  /** @param {import("./board.js").Board} board @param {() => any} table */
  constructor(board, table) {
    this.board = board;
    this.table = table;
    this.shown = new Set();
    this.problem = h("p", { class: "problem", role: "status" });
  }

  /** The menu. */
  menu() {
    this.boxes = KINDS.map((each) => {
      const box = h("input", {
        type: "checkbox",
        id: `layer-${each.name}`,
        onchange: () => this.toggle(each, box.checked),
      });
      return h("li", {}, h("label", {}, box, ` ${each.label}`));
    });
    return h(
      "details",
      { class: "menu" },
      h("summary", {}, "Layers"),
      h(
        "div",
        {},
        h("ul", {}, this.boxes),
        this.problem,
        button("None", () => this.none()),
      ),
    );
  }

  none() {
    for (const each of KINDS) {
      const box = document.getElementById(`layer-${each.name}`);
      if (box?.checked) {
        box.checked = false;
        this.toggle(each, false);
      }
    }
  }

  async toggle(each, wanted) {
    if (wanted) this.shown.add(each.name);
    else this.shown.delete(each.name);
    if (!wanted) {
      this.board.drawHexes(each.name, []);
      return;
    }
    try {
      await this.draw(each);
      this.problem.textContent = "";
    } catch (error) {
      this.shown.delete(each.name);
      const box = document.getElementById(`layer-${each.name}`);
      if (box) box.checked = false;
      this.problem.textContent =
        error instanceof CallError && error.code === "unimplemented"
          ? `${each.label}: this table has no such layer.`
          : error.message;
      say(this.problem.textContent, true);
    }
  }

  /** Ask again for everything that is shown, after the position has changed. */
  refresh() {
    for (const each of KINDS) if (this.shown.has(each.name)) this.toggle(each, true);
  }

  /** The cursor has moved. */
  moved() {
    clearTimeout(this.wait);
    this.wait = setTimeout(() => {
      for (const each of KINDS) if (each.follows && this.shown.has(each.name)) this.toggle(each, true);
    }, 120);
  }

  async draw(each) {
    const table = this.table();
    const side = table.viewer || SIDES[0];
    const hex = each.follows ? this.board.hex : 0;
    if (each.follows && !hex) return;
    const ask = async (asker, whose) => {
      const answer = await table.overlay({
        side: asker,
        query: {
          whiteDeath: {
            kind: `OVERLAY_KIND_${each.kind}`,
            whose,
            ...(hex ? { hex } : {}),
          },
        },
      });
      return answer.overlay?.whiteDeath ?? {};
    };
    const wanted = each.both
      ? [
          ask(side, "WHOSE_OWN").then((found) => [side, found]),
          (table.viewer ? ask(side, "WHOSE_ENEMY") : ask(otherSide(side), "WHOSE_OWN")).then((found) => [
            otherSide(side),
            found,
          ]),
        ]
      : [ask(side, "WHOSE_OWN").then((found) => [side, found])];
    const cells = (await Promise.all(wanted)).flatMap(([owner, found]) =>
      (found.hexes ?? []).map((number, index) => ({
        hex: number,
        side: owner,
        ...look(each.name, found.values?.[index] ?? 0),
      })),
    );
    if (this.shown.has(each.name)) this.board.drawHexes(each.name, cells);
  }
}

function look(name, value) {
  if (name === "zoc") return { kind: "hatch" };
  if (name === "supply") return { kind: "supply", text: String(value), low: true };
  if (name === "sight") return { kind: "sight", text: String(value), low: true };
  if (name === "threat") return { kind: "threat", text: movement(value), low: true };
  return { kind: name };
}
