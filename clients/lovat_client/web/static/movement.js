/** The movement phase: choose units, see what they reach, order marches, deployments, rail, assaults. */

import { button, h, s, say } from "./dom.js";
import { Draft, pathTo, placeOf, reachOf, sharedReach } from "./orders.js";
import { at } from "./tell.js";
import { isDeployed, isIsolated } from "./picture.js";
import { reachCells } from "./board.js";
import { violationItem, refusal, spoken } from "./violations.js";
import { odds } from "./odds.js";
import { hexName, movement, plural } from "./words.js";

export class Movement {
  /**
   * @param {any} table @param {import("./board.js").Board} board
   * @param {{render: () => void, why: (hex: number, node: any, text: string) => void, fail: (error: any) => void}} page
   */
  constructor(table, board, page) {
    this.table = table;
    this.board = board;
    this.page = page;
    this.draft = new Draft();
    this.chosen = new Set();
    this.hex = 0;
    this.reach = new Map();
    this.options = new Map();
    this.violations = [];
    this.mode = "march";
    this.payToLeave = false;
    this.turn = 0;
    this.own = new Map(
      (table.view.own ?? []).filter((unit) => unit.strength).map((unit) => [unit.unit, unit]),
    );
  }

  get catalog() {
    return this.table.catalog;
  }

  /** Where every own unit is, the draft done. */
  get places() {
    return this.draft.places(new Map([...this.own.values()].map((unit) => [unit.unit, unit.hex ?? 0])));
  }

  unitsAt(hex) {
    return [...this.places]
      .filter(([, place]) => place === hex)
      .map(([unit]) => unit)
      .sort((a, b) => (this.own.get(a).rank ?? 0) - (this.own.get(b).rank ?? 0));
  }

  /** Units that may enter the map: outside, and not eliminated. */
  get outside() {
    return this.entrants ?? [];
  }

  /** A hex was pressed. */
  async choose(hex, adds) {
    if (this.chosen.size && this.mode === "rail" && this.railHexes().has(hex)) {
      await this.change((draft) => draft.rail(this.chosen, hex));
      return;
    }
    if (this.chosen.size && this.assaultHexes().has(hex)) {
      await this.assault(hex);
      return;
    }
    const found = this.reach.get(hex);
    if (this.chosen.size && found?.mayEnd) {
      await this.march(hex);
      return;
    }
    const here = this.unitsAt(hex);
    if (here.length) {
      await this.select(
        hex,
        adds ? new Set([...this.chosen, ...here]) : new Set(here.length === 1 ? here : [here[0]]),
      );
      return;
    }
    if (this.chosen.size) {
      await this.explain(hex);
      return;
    }
    this.cancel();
  }

  /** A unit was pressed, in the fan or in the list. */
  async unit(id, adds) {
    const place = this.places.get(id);
    if (place === undefined) return;
    const next = new Set(adds ? this.chosen : []);
    if (adds && next.has(id)) next.delete(id);
    else next.add(id);
    await this.select(place, next);
  }

  async select(hex, units) {
    this.hex = hex;
    this.chosen = units;
    this.mode = "march";
    this.page.render();
    await this.search();
  }

  cancel() {
    this.chosen = new Set();
    this.hex = 0;
    this.reach = new Map();
    this.options = new Map();
    this.board.closeFan();
    this.page.render();
    this.paint();
  }

  /** Ask what the chosen units may do after the draft. */
  async search() {
    const turn = ++this.turn;
    if (!this.chosen.size) {
      this.reach = new Map();
      this.options = new Map();
      this.paint();
      return;
    }
    try {
      const listing = await this.table.legal(this.draft.isEmpty ? null : this.draft.order(), [
        ...this.chosen,
      ]);
      if (turn !== this.turn) return;
      this.options = new Map((listing.units ?? []).map((each) => [each.unit, each]));
      const reaches = [...this.chosen].map((unit) => reachOf(this.options.get(unit) ?? {}));
      this.reach = sharedReach(reaches);
      const ends = [...this.reach.values()].filter((each) => each.mayEnd).length;
      say(
        `${plural(this.chosen.size, "unit")} chosen; ${plural(ends, "hex").replace("hexs", "hexes")} in reach`,
      );
      this.page.render();
      this.paint();
    } catch (error) {
      this.page.fail(error);
    }
  }

  paint() {
    const pictures = this.draft.picture(
      new Map([...this.own.values()].map((unit) => [unit.unit, unit.hex ?? 0])),
    );
    this.board.drawPlans(pictures.lines, pictures.ghosts);
    const cells =
      this.mode === "rail"
        ? [...this.railHexes()].map((hex) => ({ hex, kind: "reach rail" }))
        : reachCells(this.reach);
    this.board.drawHexes("reach", [
      ...cells,
      ...[...this.assaultHexes()].map((hex) => ({ hex, kind: "aim", text: "" })),
    ]);
    const marks = this.violations
      .map((violation) => placeOf(violation, this.draft.order()))
      .filter((place) => place.hex)
      .map((place) => ({ hex: place.hex, kind: "wrong" }));
    if (this.hex) marks.push({ hex: this.hex, kind: "chosen" });
    this.board.drawMarks(marks);
    if (this.hex && this.board.stacks.has(this.hex))
      this.board.openFan(this.hex, { pinned: true, chosen: this.chosen });
    else this.board.closeFan();
  }

  /** Show the way to a hex before it is ordered. */
  trail(hex) {
    const found = this.reach.get(hex);
    this.board.drawTrail(found ? [this.hex, ...pathTo(this.reach, hex)] : []);
  }

  costOf(hex) {
    const found = this.reach.get(hex);
    if (!this.chosen.size) return "";
    if (this.assaultHexes().has(hex)) return "assault it: Enter";
    if (!found) return "out of reach";
    const notes = [
      found.mayEnd ? "" : "may not end here",
      found.stops ? "enemy zone, stops" : "",
      found.underFire ? "under antitank fire" : "",
      found.ice ? "ice" : "",
    ].filter(Boolean);
    return `${movement(found.cost)} MP${notes.length ? ` (${notes.join(", ")})` : ""}`;
  }

  common(name) {
    const lists = [...this.chosen].map((unit) => this.options.get(unit)?.[name] ?? []);
    return new Set((lists[0] ?? []).filter((hex) => lists.every((list) => list.includes(hex))));
  }

  railHexes() {
    return this.common("rail");
  }
  assaultHexes() {
    return this.common("assaults");
  }

  march(hex) {
    const path = pathTo(this.reach, hex);
    return this.change((draft) => {
      draft.march(this.chosen, path);
      if (this.payToLeave) draft.actions.at(-1).march.payToLeave = true;
    });
  }

  assault(hex, mounted = false) {
    return this.change((draft) => draft.assault(hex, this.chosen, mounted));
  }

  /** The chosen unit on top of its stack, which is all that the enemy sees. */
  toTop() {
    const here = this.unitsAt(this.hex);
    const top = here.filter((unit) => this.chosen.has(unit));
    const rest = here.filter((unit) => !this.chosen.has(unit));
    return this.change((draft) => draft.arrange(this.hex, [...top, ...rest]));
  }

  /** Take a change into the draft if the referee has nothing against it; else say why not. */
  async change(make) {
    const next = this.draft.with(make);
    this.draft = next;
    this.hex = this.places.get([...this.chosen][0]) ?? this.hex;
    this.page.render();
    await this.judge();
    await this.search();
  }

  /** Ask the referee about the whole draft, and show every violation at its place. */
  async judge() {
    const draft = this.draft;
    try {
      const answer = await this.table.validate(draft.order());
      if (draft !== this.draft) return;
      this.violations = answer.violations ?? [];
      this.receipt = answer.receipt?.whiteDeath ?? null;
      if (this.violations.length) say(spoken(this.violations), true);
      this.page.render();
      this.paint();
    } catch (error) {
      this.page.fail(error);
    }
  }

  /** Why a hex that was pressed cannot be ordered: the referee's own words, by the hex. */
  async explain(hex) {
    const enemy = this.board.stacks.get(hex);
    const tried = this.draft.with((draft) => {
      if (enemy && this.catalog.neighbours(this.hex).includes(hex)) draft.assault(hex, this.chosen);
      else draft.march(this.chosen, this.wayTowards(hex));
    });
    try {
      const { violations = [] } = await this.table.validate(tried.order());
      const told = violations.filter(
        (violation) => !this.violations.some((known) => known.message === violation.message),
      );
      if (!told.length) {
        this.draft = tried;
        await this.judge();
        await this.search();
        return;
      }
      this.page.why(
        hex,
        h(
          "div",
          {},
          h("h3", {}, `Not to ${hexName(hex)}`),
          h(
            "ul",
            {},
            told.map((violation) => violationItem(violation, tried.order())),
          ),
          button(
            "Order it all the same",
            () => {
              this.page.why(0);
              this.draft = tried;
              this.judge();
              this.search();
            },
            { class: "small" },
          ),
        ),
        spoken(told),
      );
    } catch (error) {
      this.page.fail(error);
    }
  }

  /** A way to a hex out of reach: legal up to the last step, if a hex beside it can be reached. */
  wayTowards(hex) {
    const beside = this.catalog
      .neighbours(hex)
      .filter((each) => each === this.hex || this.reach.has(each))
      .sort((a, b) => (this.reach.get(a)?.cost ?? 0) - (this.reach.get(b)?.cost ?? 0));
    if (!beside.length) return this.catalog.straight(this.hex, hex);
    return [...(beside[0] === this.hex ? [] : pathTo(this.reach, beside[0])), hex];
  }

  remove(list, index) {
    this.draft = this.draft.with((draft) => draft[list].splice(index, 1));
    this.refresh();
  }

  async refresh() {
    if (this.hex && !this.unitsAt(this.hex).length) {
      this.chosen = new Set();
      this.hex = 0;
    }
    this.page.render();
    await this.judge();
    await this.search();
  }

  undo() {
    if (this.draft.assaults.length) this.remove("assaults", this.draft.assaults.length - 1);
    else if (this.draft.actions.length) this.remove("actions", this.draft.actions.length - 1);
  }

  /** The inside of the order for `submit`. */
  order() {
    return this.draft.order().whiteDeath;
  }

  // The panel

  panel() {
    return [
      this.hex || this.chosen.size
        ? this.selection()
        : h(
            "p",
            { class: "quiet" },
            "Choose a stack on the map: press it, or move the hex cursor there and press Enter.",
          ),
      this.entrants?.length ? this.entry() : null,
      this.list(),
    ];
  }

  entry() {
    return h(
      "details",
      {},
      h("summary", {}, `${plural(this.entrants.length, "unit")} may enter the map`),
      h(
        "ul",
        { class: "units" },
        this.entrants.map((unit) => this.unitRow(unit)),
      ),
    );
  }

  unitRow(id) {
    const state = this.own.get(id);
    const left = this.options.get(id)?.left;
    const chosen = this.chosen.has(id);
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "unit",
          id: `unit-${id}`,
          "aria-pressed": String(chosen),
          onclick: (event) => this.unit(id, event.shiftKey || event.ctrlKey || event.metaKey),
        },
        counterIcon(id),
        h(
          "span",
          {},
          this.catalog.label(id),
          h(
            "small",
            {},
            ` strength ${state?.strength ?? 0}` +
              `${left !== undefined && chosen ? `, ${movement(left)} MP left` : ""}${state && isDeployed({ status: state.status ?? 0 }) ? ", deployed" : ""}` +
              `${state && isIsolated({ status: state.status ?? 0 }) ? ", isolated" : ""}`,
          ),
        ),
      ),
      button(chosen ? "−" : "+", () => this.unit(id, true), {
        class: "add",
        title: chosen ? "Leave it out" : "Take it along",
        "aria-label": `${chosen ? "leave out" : "take along"} ${this.catalog.label(id)}`,
      }),
    );
  }

  selection() {
    const here = this.unitsAt(this.hex);
    const all = [...this.chosen].map((unit) => this.options.get(unit)).filter(Boolean);
    const every = (name) =>
      all.length > 0 && all.length === this.chosen.size && all.every((each) => each[name]);
    const acts = [
      here.length > 1
        ? button(
            this.chosen.size === here.length ? "Only the top one" : `All ${here.length}`,
            () => this.select(this.hex, new Set(this.chosen.size === here.length ? [here[0]] : here)),
            { id: "select-all" },
          )
        : null,
      every("mayDeploy")
        ? button("Deploy", () => this.change((draft) => draft.deploy(this.chosen)), { id: "deploy" })
        : null,
      this.railHexes().size
        ? button(
            this.mode === "rail" ? "March" : "By rail",
            () => {
              this.mode = this.mode === "rail" ? "march" : "rail";
              this.page.render();
              this.paint();
            },
            { "aria-pressed": String(this.mode === "rail"), id: "rail" },
          )
        : null,
      all.length === 1 && every("mayBuildBridge")
        ? button("Build a bridge", () => this.change((draft) => draft.build([...this.chosen][0])))
        : null,
      all.length === 1 && every("mayDestroyBridge")
        ? button("Destroy the bridge", () => this.change((draft) => draft.destroy([...this.chosen][0])))
        : null,
      every("mayAbandon")
        ? button("Abandon equipment", () => this.change((draft) => draft.abandon(this.chosen)))
        : null,
      every("mayExit")
        ? button("Leave the map", () => this.change((draft) => draft.exit(this.chosen)))
        : null,
      this.chosen.size === 1 && here.length > 1 && !this.chosen.has(here[0])
        ? button("Put on top", () => this.toTop(), { title: "Only the top counter is seen by the enemy" })
        : null,
      [...this.common("charges")].map((hex) =>
        button(`Charge ${hexName(hex)}`, () => this.assault(hex, true), {
          class: "danger",
          id: `charge-${hex}`,
        }),
      ),
      [...this.assaultHexes()].map((hex) =>
        button(`Assault ${hexName(hex)}`, () => this.assault(hex), { class: "danger", id: `assault-${hex}` }),
      ),
    ];
    const pay = h("input", {
      type: "checkbox",
      id: "pay",
      onchange: () => {
        this.payToLeave = pay.checked;
      },
    });
    pay.checked = this.payToLeave;
    const armoured = [...this.chosen].some((unit) => this.catalog.units.get(unit)?.kind === "KIND_AFV");
    const ends = [...this.reach.values()].filter((each) => each.mayEnd).length;
    return h(
      "div",
      { class: "selection" },
      h("h3", {}, this.hex ? [at(this.hex), ` ${this.catalog.terrain(this.hex)}`] : "Outside the map"),
      h(
        "ul",
        { class: "units" },
        (here.length ? here : [...this.chosen]).map((unit) => this.unitRow(unit)),
      ),
      h(
        "div",
        { class: "acts" },
        acts,
        button("Choose none", () => this.cancel(), { title: "Escape" }),
      ),
      armoured
        ? h("label", { class: "check" }, pay, " AFV pay 1 MP to leave an enemy zone unfired at")
        : null,
      this.chosen.size
        ? h(
            "p",
            { class: "quiet" },
            this.mode === "rail"
              ? "Press a station on the map."
              : `${ends} hexes in reach, with the cost in MP${this.assaultHexes().size ? "; red rings can be assaulted" : ""}. Press one to march there.`,
          )
        : null,
      this.mode !== "rail" && [...this.reach.values()].some((each) => each.underFire)
        ? h("p", { class: "quiet" }, "Red costs: antitank fire on the way out of the enemy zone.")
        : null,
    );
  }

  word(violation) {
    const place = placeOf(violation, this.draft.order());
    if (place.index < 0) return "";
    return place.list === "assaults" ? `assault ${place.index + 1}` : `action ${place.index + 1}`;
  }

  list() {
    const order = this.draft.order();
    const wrongAt = (list, index) =>
      this.violations.filter((violation) => {
        const place = placeOf(violation, order);
        return place.list === list && place.index === index;
      });
    const placed = new Set(
      [...this.draft.actions.keys()]
        .flatMap((index) => wrongAt("actions", index))
        .concat([...this.draft.assaults.keys()].flatMap((index) => wrongAt("assaults", index))),
    );
    const elsewhere = this.violations.filter((violation) => !placed.has(violation));
    const row = (list, index, words) => {
      const wrong = wrongAt(list, index);
      return h(
        "li",
        { class: wrong.length ? "wrong" : "" },
        h(
          "div",
          { class: "line" },
          h("span", {}, words),
          button("×", () => this.remove(list, index), {
            class: "remove",
            title: "Take it back",
            "aria-label": `take back ${list === "assaults" ? "assault" : "action"} ${index + 1}`,
          }),
        ),
        wrong.length
          ? h(
              "ul",
              { class: "at-place" },
              wrong.map((violation) => violationItem(violation, order)),
            )
          : null,
        list === "assaults" ? odds(this, index) : null,
      );
    };
    const names = (units) => units.map((unit) => this.catalog.short(unit)).join(", ");
    const spent = this.receipt?.supply?.some((points) => points)
      ? h("p", { class: "quiet" }, `Supply points this would spend: ${this.receipt.supply.join(" / ")}`)
      : null;
    return h(
      "div",
      { class: "draft" },
      h(
        "h3",
        {},
        this.draft.isEmpty ? "No orders yet: the impulse may pass without any" : "Orders of this impulse",
      ),
      h(
        "ol",
        { id: "actions" },
        this.draft.actions.map((action, index) => row("actions", index, actionWords(action, names))),
      ),
      this.draft.assaults.length
        ? h(
            "ol",
            { id: "assaults" },
            this.draft.assaults.map((assault, index) =>
              row("assaults", index, [
                "Assault of ",
                at(assault.hex),
                ` by ${names(assault.units)}${assault.charge?.length ? `; mounted: ${names(assault.charge)}` : ""}`,
              ]),
            ),
          )
        : null,
      elsewhere.length ? refusal(elsewhere, order, { title: "Not legal yet" }) : null,
      spent,
      this.draft.isEmpty
        ? null
        : h(
            "div",
            { class: "acts" },
            button("Undo the last", () => this.undo(), { id: "undo" }),
            button("Clear", () => {
              this.draft = new Draft();
              this.violations = [];
              this.refresh();
            }),
          ),
    );
  }
}

function actionWords(action, names) {
  const [kind, fact] = Object.entries(action)[0];
  if (kind === "march")
    return [
      `March of ${names(fact.units)} to `,
      at(fact.path.at(-1)),
      fact.payToLeave ? " (pays to leave)" : "",
    ];
  if (kind === "rail") return [`Rail: ${names(fact.units)} to `, at(fact.destination)];
  if (kind === "deploy") return [`Deploy ${names(fact.units)}`];
  if (kind === "buildBridge") return [`${names([fact.unit])} builds a bridge`];
  if (kind === "destroyBridge") return [`${names([fact.unit])} destroys the bridge`];
  if (kind === "abandon") return [`${names(fact.units)} abandons its equipment`];
  if (kind === "exit") return [`${names(fact.units)} leaves the map`];
  if (kind === "arrange") return [`${names(fact.units.slice(0, 1))} on top in `, at(fact.hex)];
  return [kind];
}

/** A counter as a small picture; the board holds its drawing. */
export function counterIcon(id) {
  const icon = s("svg", { class: "icon", viewBox: "-36 -36 72 72", "aria-hidden": "true" });
  icon.append(s("use", { href: `#u-${id}` }));
  return icon;
}
