/** The page at a table: map, tracks, orders, log; whatever the table is. */

import { Board } from "./board.js";
import { button, byId, h, put, say } from "./dom.js";
import { formFor, standingForm } from "./forms.js";
import { Layers } from "./layers.js";
import { Movement, counterIcon } from "./movement.js";
import { stacksOfView, isDeployed, isIsolated } from "./picture.js";
import { LocalTable, MatchTable, ReplayTable } from "./tables.js";
import { tell, at } from "./tell.js";
import { ledger, strip } from "./tracks.js";
import { refusal, spoken } from "./violations.js";
import { oddsButton } from "./odds.js";
import { writeReplay } from "./replay_file.js";
import { matches } from "./connect.js";
import { decisionWords, hexName, plural, sideName, SIDES, small } from "./words.js";

const FIRES = new Set(["barrage", "defensive_fire", "assault_fire"]);
const TABS = [
  ["orders", "Orders"],
  ["ledger", "Tracks"],
  ["log", "Log"],
];

export class Play {
  /** @param {any} table @param {string} svg the board as text */
  constructor(table, svg) {
    this.table = table;
    this.violations = [];
    this.order = null;
    this.movement = null;
    this.form = null;
    this.stacks = new Map();
    byId("log").replaceChildren();
    const worn = byId("board");
    worn.replaceWith(worn.cloneNode(false)); // without the hands of an earlier table
    this.board = new Board(byId("board"), table.catalog, svg, {
      choose: (hex, adds) => this.guard(this.choose(hex, adds)),
      seek: (hex, hovering) => this.seek(hex, hovering),
      cancel: () => this.cancel(),
      unit: (id, adds) => this.guard(this.unit(id, adds)),
    });
    this.layers = new Layers(this.board, () => this.table);
    this.tabs();
    this.tools();
    byId("board").addEventListener("moved", (this.moved = () => this.why(0)));
    this.going = (event) => {
      const hex = Number(event.target.closest?.("[data-go]")?.dataset.go ?? 0);
      if (hex) {
        this.board.setCursor(hex);
        this.board.reveal(hex, 300);
      }
    };
    document.addEventListener("click", this.going);
    table.onChange = () => this.update();
    this.update();
    if (table instanceof LocalTable) this.bots();
  }

  close() {
    document.removeEventListener("click", this.going);
    byId("board").removeEventListener("moved", this.moved);
    this.table.onChange = () => {};
    this.table.close();
    clearInterval(this.ticking);
  }

  async guard(work) {
    try {
      await work;
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    this.problem = error.message;
    say(error.message, true);
    this.render();
  }

  /** Show the part of the map where the two sides meet. */
  frame() {
    const stacks = [...this.stacks.values()];
    const own = stacks.filter((stack) => !this.table.viewer || stack.side === this.table.viewer);
    const near = (stack) =>
      stacks.some((other) => other.side !== stack.side && this.board.apart(stack.hex, other.hex) < 420);
    const front = own.filter(near);
    const hexes = (front.length ? front : own).map((stack) => stack.hex);
    if (!hexes.length) {
      this.board.fit();
      return;
    }
    const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
    const middle =
      median(hexes.map((hex) => Math.floor(hex / 100))) * 100 + median(hexes.map((hex) => hex % 100));
    this.board.frame([middle], 640);
  }

  // What changes

  /** The table has changed: begin the answer of a new decision anew, and draw everything. */
  update() {
    const { table } = this;
    const key = `${table.decision.kind} ${table.decision.side} ${table.viewer} ${table.records?.length ?? table.version ?? table.index} ${table.mayOrder} ${Boolean(table.listing)}`;
    if (key !== this.key) {
      this.key = key;
      this.violations = [];
      this.problem = "";
      this.movement = null;
      this.form = null;
      if (table.view) {
        const first = !this.stacks.size;
        this.drawBoard();
        if (first) this.frame();
      }
      if (table.mayOrder && table.listing) this.begin();
      this.layers.refresh();
      this.seek(this.board.hex, true);
      if (table.mayOrder) say(`${sideName(table.decision.side)}: ${decisionWords(table.decision.kind)}`);
    }
    this.render();
    this.drawCurtain();
  }

  drawBoard() {
    this.stacks = stacksOfView(this.table.view, this.table.catalog);
    this.board.drawStacks(this.stacks);
    this.board.drawFixtures(this.table.view);
    this.board.drawPlans([], []);
    this.board.drawHexes("reach", []);
    this.board.drawMarks([]);
  }

  begin() {
    const { table } = this;
    if (table.decision.kind === "move_and_declare") {
      this.movement = new Movement(table, this.board, {
        render: () => this.render(),
        why: (hex, node, text) => this.why(hex, node, text),
        fail: (error) => this.fail(error),
      });
      this.guard(this.findEntrants());
    } else {
      this.form = formFor(table.decision.kind, table.listing, table.catalog, () => this.drawForm(true));
      this.drawForm();
    }
  }

  /** Reinforcements that may enter now. */
  async findEntrants() {
    const { movement, table } = this;
    const waiting = [...movement.own.values()]
      .filter(
        (unit) =>
          !unit.hex &&
          unit.strength &&
          !((unit.status ?? 0) & 256) &&
          (table.catalog.units.get(unit.unit)?.arrivalTurn ?? 0) <= (table.view.turn ?? 0) &&
          ((table.catalog.units.get(unit.unit)?.arrivalTurn ?? 0) > 0 || (unit.due ?? 0) > 0),
      )
      .map((unit) => unit.unit);
    if (!waiting.length) return;
    const listing = await table.legal(null, waiting);
    movement.entrants = (listing.units ?? []).filter((each) => each.hexes?.length).map((each) => each.unit);
    if (movement === this.movement) this.render();
  }

  drawForm(changed = false) {
    const cells = this.form?.cells?.() ?? [];
    this.board.drawHexes("reach", cells);
    if (changed && cells.length)
      this.board.frame(
        cells.map((cell) => cell.hex),
        300,
      );
    this.board.drawPlans([], this.form?.ghosts?.() ?? []);
  }

  async bots() {
    try {
      await this.table.playBots();
    } catch (error) {
      this.table.busy = "";
      this.fail(error);
    }
  }

  // Hands

  async choose(hex, adds) {
    this.why(0);
    if (this.movement) {
      await this.movement.choose(hex, adds);
      this.showTab("orders", false);
    } else if (this.form?.chooseHex?.(hex)) this.render();
    else {
      this.inspected = hex;
      this.board.openFan(hex, { pinned: true });
      this.render();
    }
  }

  async unit(id, adds) {
    if (this.movement) await this.movement.unit(id, adds);
    else {
      this.inspectedUnit = id;
      this.render();
    }
  }

  cancel() {
    this.why(0);
    this.inspected = 0;
    this.inspectedUnit = "";
    this.board.closeFan();
    this.movement?.cancel();
    this.render();
  }

  /** The cursor or the pointer is on a hex. */
  seek(hex, hovering = false) {
    const place = byId("place");
    if (!hex) {
      place.textContent = "";
      return;
    }
    const stack = this.stacks?.get(hex);
    const who = stack
      ? `; ${stack.side && sideName(stack.side)}: ${plural(stack.count, "unit")}` +
        (stack.pieces[0] ? `, on top ${this.table.catalog.label(stack.pieces[0].unit)}` : "")
      : "";
    const reach = this.movement?.chosen.size ? `; ${this.movement.costOf(hex)}` : "";
    place.setAttribute("aria-live", hovering ? "off" : "polite");
    place.textContent = `${hexName(hex)} ${this.table.catalog.terrain(hex)}${who}${reach}`;
    if (this.movement?.chosen.size) this.movement.trail(hex);
    if (!hovering) this.layers.moved();
  }

  /** Words by a hex: why something there is not possible. */
  why(hex, node = null, text = "") {
    const place = byId("why");
    place.hidden = !hex;
    if (!hex) {
      place.replaceChildren();
      return;
    }
    const size = byId("board").getBoundingClientRect();
    put(
      place,
      node,
      button("×", () => this.why(0), { class: "remove", "aria-label": "close" }),
    );
    this.board.drawMarks([
      { hex, kind: "wrong" },
      ...(this.movement?.hex ? [{ hex: this.movement.hex, kind: "chosen" }] : []),
    ]);
    const pixel = this.board.pixelOf(hex);
    const width = Math.min(340, size.width - 16);
    place.style.width = `${width}px`;
    place.style.left = `${Math.min(Math.max(pixel.x - width / 2, 8), size.width - width - 8)}px`;
    place.style.top = `${Math.min(pixel.y + 34, size.height - place.offsetHeight - 8)}px`;
    if (text) say(text, true);
  }

  // Orders

  async submit(inside) {
    if (this.sending) return;
    this.sending = true;
    this.violations = [];
    this.problem = "";
    this.order = { whiteDeath: inside };
    const { entries } = this.table;
    this.render();
    try {
      const found = await this.table.submit(this.order);
      this.violations = found;
      if (!found.length) this.seen = entries.at(-1);
      if (found.length) {
        say(spoken(found), true);
        if (this.movement) this.movement.violations = found;
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.sending = false;
      this.movement?.paint();
      this.render();
    }
    if (!this.violations.length && this.table instanceof LocalTable) await this.bots();
  }

  async finish() {
    this.violations = [];
    try {
      this.violations = await this.table.finishImpulse();
      if (this.violations.length) say(spoken(this.violations), true);
    } catch (error) {
      this.fail(error);
    }
    this.render();
    await this.bots();
  }

  // Drawing

  render() {
    this.drawTitle();
    put(byId("tracks"), strip(this.table));
    put(byId("orders"), this.orders());
    put(byId("ledger"), ledger(this.table), this.standing());
    this.drawLog();
    this.drawSlider();
  }

  drawTitle() {
    const { table } = this;
    const what =
      table instanceof MatchTable
        ? `${table.match.name || "Match"} — ${table.viewer ? `you are ${sideName(table.viewer)}` : "you watch"}`
        : table instanceof ReplayTable
          ? "Replay"
          : table.isHotSeat
            ? "Hot-seat"
            : "";
    byId("title").textContent = [table.catalog.scenario.title, what].filter(Boolean).join(" · ");
  }

  standing() {
    const { table } = this;
    if (!(table instanceof LocalTable || table instanceof MatchTable) || !table.viewer) return null;
    this.standingNode ??= h(
      "details",
      {},
      h("summary", {}, "Standing orders for small choices"),
      h("p", { class: "quiet" }, "They go with your next order and answer what you leave open."),
      h("div", { id: "standing" }),
    );
    const side = table.viewer;
    if (this.standingSide !== side) {
      this.standingSide = side;
      this.standingNode.querySelector("#standing").replaceChildren(
        standingForm(table.standing[side] ?? table.view?.standing ?? {}, (standing) => {
          table.standing[side] = standing;
        }),
      );
    }
    return this.standingNode;
  }

  orders() {
    const { table } = this;
    if (table.curtain) return [h("p", {}, "The other player's turn.")];
    const parts = [];
    if (this.problem || table.problem)
      parts.push(h("p", { class: "problem", role: "alert" }, this.problem || table.problem));
    if (table.wrong) parts.push(h("p", { class: "problem" }, table.wrong));
    if (table.busy)
      parts.push(
        h(
          "p",
          { class: "busy", role: "status" },
          `${table.busy} `,
          h("span", { class: "dots", "aria-hidden": "true" }, "…"),
        ),
      );
    parts.push(this.clocks());
    if (table.isOver || table.match?.state === "MATCH_STATE_OVER") parts.push(this.ending());
    else if (table instanceof ReplayTable) parts.push(this.replayPanel());
    else if (table.mayOrder && table.listing) parts.push(this.deciding());
    else parts.push(this.waiting());
    if (!this.movement) parts.push(this.inspection());
    return parts;
  }

  deciding() {
    const { table } = this;
    const { side, kind } = table.decision;
    const send = () => this.submit(this.movement ? this.movement.order() : this.form.order());
    return h(
      "div",
      { class: "deciding" },
      h("h2", {}, h("span", { class: `flag ${side}` }, sideName(side)), ` ${decisionWords(kind)}`),
      this.news(),
      refusal(this.violations, this.order, {
        wordOf: (violation) => this.movement?.word(violation) ?? "",
      }),
      this.movement ? this.movement.panel() : this.form.node,
      this.form && FIRES.has(kind)
        ? (this.form.odds ??= oddsButton("odds", table, () => ({ whiteDeath: this.form.order() })))
        : null,
      h(
        "div",
        { class: "acts final" },
        button(
          this.sending
            ? "Sending…"
            : this.movement && this.movement.draft.isEmpty
              ? "Nobody moves"
              : "Give the order",
          send,
          { class: "primary", id: "send", disabled: Boolean(this.sending) },
        ),
        this.movement ? null : button("Check it", () => this.guard(this.check()), { id: "check" }),
        table instanceof LocalTable && kind !== "set_up" && kind !== "distribute_losses"
          ? button("By standing orders", () => this.guard(this.finish()), {
              id: "finish",
              title: "Both sides' standing orders answer everything up to the end of the impulse",
            })
          : null,
      ),
    );
  }

  /** What has happened since the last order given here. */
  news() {
    const { entries } = this.table;
    const since =
      this.seen && entries.includes(this.seen) ? entries.slice(entries.indexOf(this.seen) + 1) : [];
    if (!since.length) return null;
    if (this.newsOf !== entries.at(-1)) {
      this.newsOf = entries.at(-1);
      this.newsNode = h(
        "details",
        { class: "news" },
        h("summary", {}, `Since your last order: ${plural(since.length, "decision")}`),
        since.map((entry) => this.entry(entry)),
      );
    }
    return this.newsNode;
  }

  async check() {
    this.order = { whiteDeath: this.form.order() };
    const { violations = [] } = await this.table.validate(this.order);
    this.violations = violations;
    say(violations.length ? spoken(violations) : "The order is legal.", true);
    this.render();
  }

  waiting() {
    const { table } = this;
    if (table instanceof MatchTable) {
      const { match } = table;
      if (match.state === "MATCH_STATE_WAITING")
        return h("p", {}, "The match waits for a player: ", h("code", {}, match.matchId));
      if (!table.decision.side)
        return h("p", {}, "Nothing is shown to spectators yet: what they see comes with a delay.");
      return h(
        "p",
        {},
        `${sideName(table.decision.side)} decides: ${small(decisionWords(table.decision.kind))}.`,
      );
    }
    if (table.busy) return null;
    return h(
      "div",
      {},
      h("p", {}, `${sideName(table.decision.side)}: ${small(decisionWords(table.decision.kind))}`),
      table instanceof LocalTable ? button("Go on", () => this.bots(), { class: "primary" }) : null,
    );
  }

  ending() {
    const { table } = this;
    const result = table.match?.result;
    return h(
      "div",
      { class: "ending" },
      h("h2", {}, "The game is over"),
      h("p", {}, `${table.view?.score?.points ?? 0} victory points: ${table.view?.score?.level ?? ""}`),
      result?.reason ? h("p", {}, result.reason) : null,
    );
  }

  clocks() {
    const { table } = this;
    const shown = (table.clocks ?? []).filter(
      (each) => each.decisionLeft !== undefined || each.gameLeft !== undefined,
    );
    clearInterval(this.ticking);
    if (!shown.length) return null;
    const place = h("p", { class: "clocks" });
    const minutes = (seconds) =>
      `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
    const paint = () => {
      const gone = (Date.now() - table.clocksAt) / 1000;
      place.textContent = shown
        .map(
          (each) =>
            `${sideName(each.side)} ` +
            ["decisionLeft", "gameLeft"]
              .filter((name) => each[name] !== undefined)
              .map(
                (name) =>
                  `${minutes(Math.max(0, each[name] - (each.running ? gone : 0)))}${name === "decisionLeft" ? " for this decision" : ""}`,
              )
              .join(", "),
        )
        .join(" · ");
    };
    paint();
    this.ticking = setInterval(paint, 1000);
    return place;
  }

  /** What stands in the hex that was pressed. */
  inspection() {
    const stack = this.stacks?.get(this.inspected ?? 0);
    if (!stack)
      return this.inspected
        ? h(
            "p",
            { class: "quiet" },
            at(this.inspected),
            ` ${this.table.catalog.terrain(this.inspected)}: nobody to be seen.`,
          )
        : null;
    const { catalog } = this.table;
    return h(
      "div",
      { class: "selection" },
      h("h3", {}, at(stack.hex), ` ${catalog.terrain(stack.hex)}`),
      h(
        "p",
        {},
        `${sideName(stack.side)}: ${plural(stack.count, "unit")}${stack.pieces.length < stack.count ? `, ${stack.count - stack.pieces.length} not known` : ""}`,
      ),
      h(
        "ul",
        { class: "units" },
        stack.pieces.map((piece) => {
          const unit = catalog.units.get(piece.unit) ?? {};
          return h(
            "li",
            { class: piece.unit === this.inspectedUnit ? "chosen" : "" },
            counterIcon(piece.unit),
            h(
              "span",
              {},
              catalog.label(piece.unit),
              h(
                "small",
                {},
                ` strength ${piece.strength ?? "?"} of ${unit.strength ?? 0}, morale ${unit.morale ?? 0}${isDeployed(piece) ? ", deployed" : ""}${isIsolated(piece) ? ", isolated" : ""}${unit.range ? `, range ${unit.range}` : ""}${unit.barrage ? `, barrage ${unit.barrage}` : ""}${unit.support ? `, support ${unit.support}` : ""}`,
              ),
            ),
          );
        }),
      ),
    );
  }

  drawLog() {
    const place = byId("log");
    const { entries } = this.table;
    if (this.table instanceof ReplayTable) {
      place.replaceChildren(...entries.map((entry) => this.entry(entry)));
      return;
    }
    const tools = (this.logTools ??= h(
      "div",
      { class: "acts" },
      this.table instanceof LocalTable
        ? button("Save as a replay file", () => this.guard(this.save()))
        : null,
    ));
    if (!place.contains(tools)) place.append(tools);
    const reader = this.table.viewer;
    if (this.reader !== reader || (this.lastEntry && !entries.includes(this.lastEntry))) {
      place.replaceChildren(tools);
      this.lastEntry = null;
      this.reader = reader;
    }
    const from = this.lastEntry ? entries.indexOf(this.lastEntry) + 1 : 0;
    for (const entry of entries.slice(from)) tools.after(this.entry(entry));
    this.lastEntry = entries.at(-1);
  }

  entry(entry) {
    const isPlacing = (one) =>
      Boolean(one.event?.whiteDeath?.unitPlaced) || one.concealed?.kind.replace("_p", "P") === "unitPlaced";
    const happenings = Array.isArray(entry.happenings)
      ? entry.happenings
      : (entry.happenings[this.table.viewer] ?? []);
    const placed = happenings.filter(isPlacing);
    const lines = happenings
      .filter((one) => placed.length < 4 || !isPlacing(one))
      .map((happening) => tell(happening, this.table.catalog))
      .filter(Boolean);
    if (placed.length >= 4) lines.unshift(["The units are set up"]);
    return h(
      "section",
      { class: "entry" },
      h("h3", {}, entry.title),
      entry.reason ? h("p", { class: "problem" }, entry.reason) : null,
      lines.length
        ? h(
            "ul",
            {},
            lines.map((line) => h("li", {}, line)),
          )
        : null,
    );
  }

  async save() {
    const { table } = this;
    const text = await writeReplay(table.first, table.start, table.records);
    const link = h("a", {
      href: URL.createObjectURL(new Blob([text], { type: "application/jsonl" })),
      download: "lovat-game.replay.jsonl",
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // Replay

  replayPanel() {
    const { table } = this;
    const choice = h(
      "select",
      { id: "look-as", onchange: () => this.guard(table.lookAs(choice.value)) },
      [["", "an umpire: everything"], ...SIDES.map((side) => [side, `${sideName(side)} view`])].map(
        ([value, words]) => h("option", { value, selected: value === table.side }, words),
      ),
    );
    return h(
      "div",
      {},
      h("h2", {}, `Record ${table.index} of ${table.length}`),
      h(
        "p",
        {},
        table.index
          ? `${table.checked} records played again here, each with the same dice and checksum as in the file.`
          : "The first position.",
      ),
      table.log.sealed === false
        ? h(
            "p",
            { class: "quiet" },
            "The chain of the file was not checked: this browser does it only on https or localhost.",
          )
        : null,
      h("label", { class: "field" }, h("span", {}, "Look as"), choice),
      table.entries.map((entry) => this.entry(entry)),
    );
  }

  drawSlider() {
    const place = byId("slider");
    const { table } = this;
    place.hidden = !(table instanceof ReplayTable);
    if (place.hidden) return;
    if (!this.range) {
      const go = (index) => this.guard(table.go(Math.min(Math.max(index, 0), table.length)));
      this.range = h("input", {
        type: "range",
        min: 0,
        max: table.length,
        step: 1,
        id: "range",
        "aria-label": "Record",
        oninput: () => go(Number(this.range.value)),
      });
      this.label = h("output", { for: "range", id: "record" });
      const play = button(
        "▶",
        () => {
          if (this.playing) {
            clearInterval(this.playing);
            this.playing = 0;
            play.textContent = "▶";
            return;
          }
          play.textContent = "❚❚";
          this.playing = setInterval(() => {
            if (!table.going) go(table.index + 1);
            if (table.index >= table.length) play.click();
          }, 700);
        },
        { title: "Play", "aria-label": "play or pause" },
      );
      put(
        place,
        button("|◀", () => go(0), { "aria-label": "to the start" }),
        button("◀", () => go(table.wish - 1), { "aria-label": "back" }),
        play,
        button("▶|", () => go(table.wish + 1), { "aria-label": "on", id: "next" }),
        this.range,
        this.label,
      );
    }
    if (document.activeElement !== this.range) this.range.value = table.wish ?? table.index;
    this.label.textContent = `${table.index} / ${table.length}`;
  }

  // Furniture

  tabs() {
    put(
      byId("tabs"),
      TABS.map(([id, label], index) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            id: `tab-${id}`,
            "aria-controls": id,
            onclick: () => this.showTab(id),
            onkeydown: (event) => {
              const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
              if (!step) return;
              const next = TABS[(index + step + TABS.length) % TABS.length][0];
              this.showTab(next);
              byId(`tab-${next}`).focus();
            },
          },
          label,
        ),
      ),
    );
    this.showTab("orders");
  }

  showTab(id) {
    for (const [each] of TABS) {
      byId(each).hidden = each !== id;
      const tab = byId(`tab-${each}`);
      tab.setAttribute("aria-selected", String(each === id));
      tab.tabIndex = each === id ? 0 : -1;
    }
  }

  tools() {
    put(
      byId("tools"),
      button("+", () => this.board.zoom(0.7), { title: "Closer", "aria-label": "closer" }),
      button("−", () => this.board.zoom(1.4), { title: "Farther", "aria-label": "farther" }),
      button("⤢", () => this.board.fit(), { title: "The whole map", "aria-label": "the whole map" }),
      button("◎", () => this.frame(), { title: "Where the units are", "aria-label": "where the units are" }),
      this.layers.menu(),
      this.seatMenu(),
    );
  }

  seatMenu() {
    const { table } = this;
    if (!(table instanceof MatchTable) || !table.viewer) return null;
    const ask = (method, words) =>
      button(words, () =>
        this.guard(matches(method, { matchId: table.matchId }, table.options).then(() => table.refresh())),
      );
    return h(
      "details",
      { class: "menu" },
      h("summary", {}, "Match"),
      h(
        "div",
        {},
        h("p", { class: "quiet" }, "Seat token, to come back from elsewhere:"),
        h("code", { class: "token" }, table.options.token),
        ask("Adjourn", "Ask to adjourn"),
        ask("Resume", "Ask to go on"),
        ask("Abort", "Ask to end without a winner"),
        ask("Resign", "Resign"),
      ),
    );
  }

  drawCurtain() {
    const { table } = this;
    const curtain = byId("curtain");
    if (!table.curtain) {
      if (curtain.open) curtain.close();
      return;
    }
    if (curtain.open) return;
    const ready = () => {
      table.curtain = "";
      curtain.close();
      this.key = "";
      this.update();
      this.frame();
      byId("board").focus();
    };
    put(
      curtain,
      h("h2", { id: "curtain-title" }, `Pass the screen to the ${sideName(table.curtain)} player`),
      h("p", {}, decisionWords(table.decision.kind)),
      button("I am ready", ready, { class: "primary", id: "ready" }),
    );
    curtain.oncancel = (event) => event.preventDefault();
    curtain.showModal();
  }
}
