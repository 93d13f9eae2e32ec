/**
 * What the page can sit at: a table of its own (hot-seat, bots), a match at an arbiter, a replay. All have
 * `catalog`, `view`, `decision`, `listing`, `viewer` (whose view it is, "" an umpire's), `mayOrder`, and
 * the calls below; `entries` are the log. `onChange` is called when any of it has changed.
 */

import { bot, matches, rules, watch, CallError } from "./connect.js";
import { Catalog } from "./catalog.js";
import { hush } from "./tell.js";
import { knownEnemies, umpireView } from "./picture.js";
import { decisionWords, sideName, SIDES, small } from "./words.js";

const LONGEST_LOG = 400;

class Table {
  constructor(catalog) {
    this.catalog = catalog;
    this.view = null;
    this.listing = null;
    this.decision = { side: "", kind: "" };
    this.viewer = "";
    this.title = "";
    /** @type {{title: string, happenings: any[] | Record<string, any[]>, reason?: string}[]} by side if not a list */
    this.entries = [];
    this.onChange = () => {};
    this.busy = "";
  }

  get mayOrder() {
    return false;
  }
  get isOver() {
    return this.decision.kind === "game_over";
  }

  note(title, happenings, reason = "") {
    this.entries.push({ title, happenings, reason });
    if (this.entries.length > LONGEST_LOG) this.entries.shift();
  }

  close() {}
}

const STORE = "lovat-table";

/** A game that this page keeps itself: the rules server keeps nothing. */
export class LocalTable extends Table {
  /** @param {{scenario: string, seed: string, seats: Record<string, string>, freeSetUp: boolean, options?: object}} wish */
  static async create(wish) {
    const table = new LocalTable(await Catalog.of(wish.scenario));
    const request = {
      scenario: wish.scenario,
      standardSetUp: !wish.freeSetUp,
      ...(wish.options ? { options: { whiteDeath: wish.options } } : {}),
      ...(wish.seed
        ? { diceMode: "DICE_MODE_SEEDED", seed: wish.seed }
        : { diceMode: "DICE_MODE_SERVER_KEYED" }),
    };
    const created = await rules("CreateGame", request);
    table.request = request;
    table.first = created.position;
    table.seats = wish.seats;
    table.position = created.position;
    table.decision = created.decision;
    table.records = [];
    table.standing = {};
    table.opening = created.events ?? [];
    await table.settle("The game begins", table.opening);
    return table;
  }

  /** The game that this browser kept when the page was left, if there is one. */
  static async restored() {
    const kept = JSON.parse(localStorage.getItem(STORE) ?? "null");
    if (!kept) return null;
    const table = new LocalTable(await Catalog.of(kept.request.scenario));
    Object.assign(table, kept, { opening: [] });
    await table.settle("The game goes on", []);
    if (table.isHotSeat) table.curtain = table.viewer;
    return table;
  }

  static get isKept() {
    return localStorage.getItem(STORE) !== null;
  }
  static forget() {
    localStorage.removeItem(STORE);
  }

  keep() {
    const { request, first, seats, position, decision, records, standing } = this;
    try {
      localStorage.setItem(
        STORE,
        JSON.stringify({ request, first, seats, position, decision, records, standing }),
      );
    } catch {
      this.unkept = true; // the browser's store is full: the game goes on, a reload would lose it
    }
  }

  get humans() {
    return SIDES.filter((side) => this.seats[side] === "human");
  }
  get isHotSeat() {
    return this.humans.length === 2;
  }
  get mayOrder() {
    return !this.isOver && this.viewer === this.decision.side && !this.curtain;
  }

  /** Look at a new decision: let bots answer theirs, fetch the view of the person whose turn it is. */
  async settle(title, events) {
    await this.look(title, events);
    this.keep();
    this.onChange();
  }

  async look(title, events) {
    const person = this.seats[this.decision.side] === "human" ? this.decision.side : "";
    const viewer = this.isHotSeat ? person || this.viewer : (this.humans[0] ?? "");
    if (this.isHotSeat && this.viewer && viewer !== this.viewer) this.curtain = viewer;
    await this.hear(title, events);
    if (viewer) this.view = this.views[viewer];
    else {
      const { score } = await rules("ScorePosition", { position: this.position });
      this.view = umpireView(this.position, score.whiteDeath);
    }
    this.viewer = viewer;
    this.listing = null;
    if (person && person === viewer) {
      const legal = await rules("ListLegalOrders", {
        position: this.position,
        side: person,
        ...(this.decision.kind === "move_and_declare" ? { units: [this.catalog.message.units[0].id] } : {}),
      });
      this.listing = legal.listing.whiteDeath;
    }
  }

  /** Write events into the log, for each person what that side may know of them. */
  async hear(title, events) {
    const before = this.views ?? {};
    const seen = await Promise.all(
      this.humans.map((side) => rules("GetView", { position: this.position, side })),
    );
    this.views = Object.fromEntries(this.humans.map((side, index) => [side, seen[index].view.whiteDeath]));
    if (!events.length && this.entries.length) return;
    const happenings = {};
    for (const side of this.humans) {
      const known = new Set([...knownEnemies(before[side]), ...knownEnemies(this.views[side])]);
      happenings[side] = hush(events, side, known, this.catalog);
    }
    if (!this.humans.length) happenings[""] = hush(events, "", new Set(), this.catalog);
    this.note(title, happenings);
  }

  /** Play the bots' decisions until a person has to decide, or the game is over. */
  async playBots() {
    while (!this.isOver && this.seats[this.decision.side] !== "human" && !this.closed && !this.halted) {
      const { side, kind } = this.decision;
      const name = this.seats[side];
      this.busy = `${sideName(side)} (${name}) is thinking`;
      this.onChange();
      const said = await bot(name, { position: this.position, side }, { patience: 600000 });
      if (this.closed) return;
      const title = `${sideName(side)} (${name}): ${small(decisionWords(kind))}`;
      if (said.orders?.length) await this.take("SubmitOrders", side, said.orders[0], null, title);
      else await this.take("ResolveImpulse", side, null, null, `${title}, by standing orders`);
    }
    this.busy = "";
    this.onChange();
  }

  legal(draft, units) {
    return rules("ListLegalOrders", {
      position: this.position,
      side: this.decision.side,
      units,
      ...(draft ? { draft } : {}),
    }).then((answer) => answer.listing.whiteDeath);
  }

  validate(order) {
    return rules("ValidateOrders", { position: this.position, order });
  }

  preview(order) {
    return rules("PreviewCombat", { position: this.position, order, side: this.viewer });
  }

  overlay(request) {
    return rules("QueryOverlay", { position: this.position, ...request });
  }

  /** @returns {Promise<any[]>} violations, empty if it was done */
  submit(order) {
    const { side, kind } = this.decision;
    return this.take(
      "SubmitOrders",
      side,
      order,
      this.standing[side],
      `${sideName(side)}: ${small(decisionWords(kind))}`,
    );
  }

  /** Let the standing orders of both sides play the impulse to its end. */
  finishImpulse() {
    const { side } = this.decision;
    return this.take("ResolveImpulse", side, null, null, `${sideName(side)}: the impulse by standing orders`);
  }

  async take(method, side, order, standing, title) {
    const impulse = method === "ResolveImpulse";
    const standings = standing ? { standing: { whiteDeath: standing } } : {};
    const orders = impulse
      ? Object.entries(this.standing)
          .filter(([, held]) => held)
          .map(([each, held]) => ({ side: each, standing: { whiteDeath: held } }))
      : [{ side, orders: [order], ...standings }];
    const request = impulse
      ? { position: this.position, orders }
      : { position: this.position, order, ...standings };
    const before = this.position;
    const outcome = await rules(method, request);
    if (outcome.violations?.length) return outcome.violations;
    this.records.push({
      version: before.version ?? "0",
      checksumBefore: before.checksum,
      diceBefore: before.state.dice.counter ?? "0",
      impulse,
      orders,
      events: outcome.events ?? [],
      checksumAfter: outcome.checksum,
      diceAfter: outcome.diceCounter ?? "0",
    });
    this.position = outcome.position;
    this.decision = outcome.decision;
    await this.settle(title, outcome.events ?? []);
    return [];
  }

  /** What a replay file begins with. */
  get start() {
    const keyed = this.request.diceMode === "DICE_MODE_SERVER_KEYED";
    return { create: this.request, ...(keyed ? { position: this.first } : {}) };
  }

  close() {
    this.closed = true;
  }
}

/** A seat at an arbiter if there is a token, else a place among the spectators. */
export class MatchTable extends Table {
  static async open(matchId, token) {
    const options = { token };
    const turn = await matches("GetTurn", { matchId, withoutListing: true }, options);
    const table = new MatchTable(await Catalog.of(turn.match.scenario));
    table.matchId = matchId;
    table.options = options;
    table.stop = new AbortController();
    table.standing = {};
    await table.refresh();
    table.follow();
    return table;
  }

  get mayOrder() {
    return (
      Boolean(this.viewer) && this.match.state === "MATCH_STATE_RUNNING" && this.decision.side === this.viewer
    );
  }

  async refresh() {
    const turn = await matches(
      "GetTurn",
      { matchId: this.matchId, units: [this.catalog.message.units[0].id] },
      this.options,
    );
    this.match = turn.match;
    this.viewer = turn.side ?? "";
    this.version = turn.version ?? "0";
    this.decision = turn.decision ?? { side: "", kind: "" };
    this.view = turn.view?.whiteDeath ?? this.view;
    this.listing = turn.listing?.whiteDeath ?? null;
    this.clocks = turn.clocks ?? [];
    this.clocksAt = Date.now();
    this.onChange();
  }

  /** Read the match's events for as long as the page is open, through broken streams. */
  async follow() {
    let after = "0";
    let wait = 300;
    while (!this.stop.signal.aborted) {
      try {
        for await (const { event } of watch(
          { matchId: this.matchId, afterSequence: after },
          { ...this.options, signal: this.stop.signal },
        )) {
          after = event.sequence;
          wait = 300;
          this.hear(event);
          clearTimeout(this.due);
          this.due = setTimeout(() => this.refresh().catch((error) => this.fail(error)), 60);
        }
        return;
      } catch (error) {
        if (this.stop.signal.aborted) return;
        const broken = !(error instanceof CallError) || error.code === "unavailable";
        if (!broken) {
          this.fail(error);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, wait));
        wait = Math.min(wait * 1.5, 3000);
        await this.refresh().catch(() => {}); // waits, and says so, until the arbiter answers
      }
    }
  }

  fail(error) {
    if (this.stop.signal.aborted) return;
    this.problem = error.message;
    this.onChange();
  }

  hear(event) {
    const { joined, started, ordered, proposed, adjourned, resumed, ended } = event;
    if (joined) this.note(`${joined.player} plays the ${sideName(joined.side)} side`, []);
    if (started) this.note("The match begins", started.happenings ?? []);
    if (ordered) {
      this.note(
        `${sideName(ordered.side)}: ${small(decisionWords(ordered.kind))}`,
        ordered.happenings ?? [],
        ordered.reason ?? "",
      );
    }
    if (proposed) {
      this.note(
        `${sideName(proposed.side)} ${proposed.withdrawn ? "no longer asks" : "asks"} to ` +
          `${proposed.proposal.replace("PROPOSAL_", "").toLowerCase()}`,
        [],
      );
    }
    if (adjourned) this.note("The match is adjourned", []);
    if (resumed) this.note("The match is taken up again", []);
    if (ended) this.note(`The match is over: ${ended.result?.reason ?? ""}`, []);
  }

  async legal(draft, units) {
    const turn = await matches(
      "GetTurn",
      { matchId: this.matchId, units, ...(draft ? { draft } : {}) },
      this.options,
    );
    return turn.listing?.whiteDeath ?? {};
  }

  validate(order) {
    return matches("ValidateOrders", { matchId: this.matchId, order }, this.options);
  }

  preview(order) {
    return matches("PreviewCombat", { matchId: this.matchId, order }, this.options);
  }

  overlay(request) {
    return matches("QueryOverlay", { matchId: this.matchId, ...request }, this.options);
  }

  async submit(order) {
    const standing = this.standing[this.viewer];
    const answer = await matches(
      "SubmitOrders",
      {
        matchId: this.matchId,
        expectedVersion: this.version,
        order,
        requestId: requestId(),
        ...(standing ? { standing: { whiteDeath: standing } } : {}),
      },
      this.options,
    );
    if (answer.violations?.length) return answer.violations;
    await this.refresh();
    return [];
  }

  close() {
    this.stop.abort();
    clearTimeout(this.due);
  }
}

/** Not crypto.randomUUID, which browsers have only on https and localhost. */
export function requestId() {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** A replay file, played again by the rules server as the slider is moved. */
export class ReplayTable extends Table {
  static async open(log) {
    const table = new ReplayTable(await Catalog.of(log.header.scenario));
    table.log = log;
    table.title = "Replay";
    const created = await rules("CreateGame", log.header.start.create ?? {});
    const first = log.header.start.position ?? created.position;
    table.stops = new Map([[0, first]]);
    table.index = 0;
    table.side = "";
    table.wrong = first.checksum === log.header.checksum ? "" : "the first position is not that of the file";
    table.checked = 0;
    table.opening = created.events ?? [];
    await table.go(0);
    return table;
  }

  get length() {
    return this.log.records.length;
  }

  /** Show the position after so many records. Only the last wish counts. */
  async go(index) {
    this.wish = index;
    if (this.going) return this.going;
    this.going = this.walk().finally(() => {
      this.going = null;
    });
    return this.going;
  }

  async walk() {
    while (this.position === undefined || this.wish !== this.index || this.side !== this.shown) {
      const index = this.wish;
      const position = await this.positionAt(index);
      if (index !== this.wish) continue;
      await this.present(index, position);
    }
  }

  async positionAt(index) {
    let at = Math.max(...[...this.stops.keys()].filter((stop) => stop <= index));
    let position = this.stops.get(at);
    while (at < index) {
      if (at % 5 === 0 && this.wish < at) return position;
      this.busy = `playing record ${at + 1} of ${this.length}`;
      position = await this.repeat(position, this.log.records[at]);
      at += 1;
      if (at % 10 === 0 || at === index) this.stops.set(at, position);
      if (at % 10 === 0) this.onChange();
    }
    this.busy = "";
    return position;
  }

  async repeat(position, record) {
    const [said] = record.orders ?? [];
    const outcome = record.impulse
      ? await rules("ResolveImpulse", { position, orders: record.orders ?? [] })
      : await rules("SubmitOrders", {
          position,
          order: said.orders[0],
          ...(said.standing ? { standing: said.standing } : {}),
        });
    if (outcome.violations?.length)
      throw new Error(`the server refuses a record of the file: ${outcome.violations[0].message}`);
    const number = Number(record.version ?? 0);
    if (outcome.checksum !== record.checksumAfter)
      this.wrong ||= `record ${number} gives another position here than in the file`;
    else this.checked = Math.max(this.checked, this.log.records.indexOf(record) + 1);
    return outcome.position;
  }

  async present(index, position) {
    const side = this.side;
    const [seen, score] = side
      ? [await rules("GetView", { position, side }), null]
      : [null, await rules("ScorePosition", { position })];
    this.view = side ? seen.view.whiteDeath : umpireView(position, score.score.whiteDeath);
    this.viewer = side;
    this.shown = side;
    this.position = position;
    this.index = index;
    const kind = position.state.whiteDeath.decision;
    this.decision = {
      side: (kind.side ?? "").replace("SIDE_", "").toLowerCase(),
      kind: kind.kind.replace("DECISION_KIND_", "").toLowerCase(),
    };
    this.entries = index
      ? [this.entryOf(index)]
      : [{ title: "The game begins", happenings: this.opening.map((event) => ({ event })) }];
    this.onChange();
  }

  entryOf(index) {
    const record = this.log.records[index - 1];
    const said = record.orders?.[0];
    const kind = Object.keys(said?.orders?.[0]?.whiteDeath ?? {})[0] ?? "";
    const words = record.impulse
      ? "a whole impulse"
      : small(decisionWords(kind.replace(/([A-Z])/g, "_$1").toLowerCase()));
    const known = knownEnemies(this.view);
    return {
      title: `${index}. ${said ? `${sideName(said.side)}: ` : ""}${words}`,
      happenings: hush(record.events ?? [], this.side, known, this.catalog),
    };
  }

  lookAs(side) {
    this.side = side;
    return this.go(this.index);
  }
  preview() {
    throw new CallError("PreviewCombat", "unimplemented", "odds are shown in a game, not in a replay");
  }
  overlay(request) {
    return rules("QueryOverlay", { position: this.position, ...request });
  }
}
