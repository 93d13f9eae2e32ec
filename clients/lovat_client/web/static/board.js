/** The board: the printed map with layers over it, pan, zoom, the hex cursor and the fan of a stack. */

import { s } from "./dom.js";
import { hexName, movement } from "./words.js";
import { isDeployed, isIsolated } from "./picture.js";

const STEP = 4;
const MOST_SHOWN = 4;
const HEX = "M-60 0-30-52h60l30 52-30 52h-60z";
const RED = "#d0201a";
const SIDE_COLOURS = { soviet: "#b5371f", german: "#4c6350" };
const BUNKER = "M-20 0-10-17h20l10 17-10 17h-20z";
const CLOSEST = 420;
const REPAINT = 300; // milliseconds at most between what is painted and what is shown
const LAYERS = [
  "zoc",
  "supply",
  "isolation",
  "sight",
  "threat",
  "rails",
  "reach",
  "bridges",
  "stacks",
  "bunkers",
  "attacks",
  "plans",
  "marks",
  "cursor",
  "fan",
];

/**
 * `act` has `choose(hex, adds)`, `seek(hex)` when the cursor moves, `cancel()` and `unit(id, adds)`.
 */
export class Board {
  /** @param {HTMLElement} place @param {import("./catalog.js").Catalog} catalog */
  constructor(place, catalog, text, act) {
    this.place = place;
    this.catalog = catalog;
    this.act = act;
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    // two pictures, one on the other: what changes is painted without painting the printed map again
    this.printed = document.importNode(parsed, true);
    this.svg = s("svg", {});
    for (const picture of [this.printed, this.svg]) picture.setAttribute("aria-hidden", "true");
    const [x, y, width, height] = this.printed.getAttribute("viewBox").split(" ").map(Number);
    this.whole = { x, y, width, height };
    this.centres = new Map();
    for (const use of this.printed.querySelectorAll("#ground use")) {
      this.centres.set(Number(use.id.slice(1)), {
        x: Number(use.getAttribute("x")),
        y: Number(use.getAttribute("y")),
      });
    }
    this.layers = {};
    for (const name of LAYERS) {
      this.layers[name] = s("g", { class: `layer-${name}` });
      this.svg.append(this.layers[name]);
    }
    this.stacks = new Map();
    this.hex = 0;
    this.pinned = 0;
    this.place.replaceChildren(this.printed, this.svg);
    this.listen();
    this.fit();
  }

  // The window on the map

  fit() {
    this.show({ ...this.whole });
  }

  /** Make room for these hexes. */
  frame(hexes, margin = 220) {
    const points = hexes.map((hex) => this.centres.get(hex)).filter(Boolean);
    if (!points.length) return;
    const xs = points.map((point) => point.x);
    const ys = points.map((point) => point.y);
    const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
    this.show({
      x: left,
      y: top,
      width: Math.max(...xs) + margin - left,
      height: Math.max(...ys) + margin - top,
    });
  }

  /** How far two hexes are apart on the sheet. */
  apart(one, other) {
    const [a, b] = [this.centres.get(one), this.centres.get(other)];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : Infinity;
  }

  show(box) {
    const size = this.place.getBoundingClientRect();
    const ratio = (size.width || 1) / (size.height || 1);
    // the box always has the shape of the place, so that panning and zooming are plain arithmetic
    const scale = Math.max(box.width / ratio, box.height);
    const height = Math.min(Math.max(scale, CLOSEST), this.whole.height * 1.6);
    const width = height * ratio;
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    middle.x = Math.min(Math.max(middle.x, this.whole.x), this.whole.x + this.whole.width);
    middle.y = Math.min(Math.max(middle.y, this.whole.y), this.whole.y + this.whole.height);
    this.box = { x: middle.x - width / 2, y: middle.y - height / 2, width, height };
    this.paintBox();
  }

  /** Show the box: at once by moving what is painted, and painted anew a moment later. */
  paintBox() {
    if (this.painting) return;
    this.painting = true;
    requestAnimationFrame(() => {
      this.painting = false;
      clearTimeout(this.settling);
      if (!this.painted || performance.now() - this.paintedAt > REPAINT) this.settle();
      else {
        const size = this.place.getBoundingClientRect();
        const scale = this.painted.width / this.box.width;
        const [x, y] = [
          ((this.painted.x - this.box.x) / this.box.width) * size.width,
          ((this.painted.y - this.box.y) / this.box.height) * size.height,
        ];
        for (const picture of [this.printed, this.svg])
          picture.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
        this.settling = setTimeout(() => this.settle(), REPAINT / 2);
      }
      this.place.dispatchEvent(new Event("moved"));
    });
  }

  settle() {
    const { x, y, width, height } = this.box;
    this.painted = { x, y, width, height };
    for (const picture of [this.printed, this.svg]) {
      picture.style.transform = "";
      picture.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    }
    this.place.classList.toggle("far", height > 2600);
    this.paintedAt = performance.now();
  }

  zoom(factor, at = null) {
    const { x, y, width, height } = this.box;
    const point = at ?? { x: x + width / 2, y: y + height / 2 };
    this.show({
      x: point.x - (point.x - x) * factor,
      y: point.y - (point.y - y) * factor,
      width: width * factor,
      height: height * factor,
    });
  }

  pan(across, down) {
    this.show({ ...this.box, x: this.box.x + across, y: this.box.y + down });
  }

  /** Move the map only as far as a hex needs to be seen. */
  reveal(hex, margin = 110) {
    const point = this.centres.get(hex);
    if (!point) return;
    const box = { ...this.box };
    box.x = Math.min(Math.max(box.x, point.x + margin - box.width), point.x - margin);
    box.y = Math.min(Math.max(box.y, point.y + margin - box.height), point.y - margin);
    if (box.x !== this.box.x || box.y !== this.box.y) this.show(box);
  }

  pointAt(event) {
    const size = this.place.getBoundingClientRect();
    return {
      x: this.box.x + ((event.clientX - size.left) / size.width) * this.box.width,
      y: this.box.y + ((event.clientY - size.top) / size.height) * this.box.height,
    };
  }

  /** Where a hex is in the window, in pixels from the corner of the map. */
  pixelOf(hex) {
    const point = this.centres.get(hex);
    const size = this.place.getBoundingClientRect();
    return {
      x: ((point.x - this.box.x) / this.box.width) * size.width,
      y: ((point.y - this.box.y) / this.box.height) * size.height,
    };
  }

  hexAt(point) {
    const column = Math.round((point.x - this.centres.get(101).x) / 90) + 1;
    let best = 0;
    let nearest = 64 * 64;
    for (const each of [column - 1, column, column + 1]) {
      const first = this.centres.get(each * 100 + 1);
      if (!first) continue;
      const row = Math.round((point.y - first.y) / 104) + 1;
      for (const hex of [each * 100 + row - 1, each * 100 + row, each * 100 + row + 1]) {
        const centre = this.centres.get(hex);
        if (!centre) continue;
        const away = (centre.x - point.x) ** 2 + (centre.y - point.y) ** 2;
        if (away < nearest) {
          nearest = away;
          best = hex;
        }
      }
    }
    return best;
  }

  // What is laid on it

  /** @param {Map<number, import("./picture.js").Stack>} stacks */
  drawStacks(stacks) {
    this.stacks = stacks;
    this.layers.stacks.replaceChildren(...[...stacks.values()].map((stack) => this.stackOf(stack)));
    this.closeFan();
  }

  stackOf(stack) {
    const centre = this.centres.get(stack.hex);
    if (!centre) return s("g");
    const below = Math.min(stack.count, MOST_SHOWN) - 1;
    const group = s("g", {
      class: `stack ${stack.side}`,
      "data-hex": stack.hex,
      transform: `translate(${centre.x - 2 * below} ${centre.y - 2 * below + 3})`,
    });
    for (let depth = below; depth > 0; depth -= 1) {
      const unit = stack.pieces[Math.min(depth, stack.pieces.length - 1)]?.unit;
      group.append(s("use", { href: `#k-${this.paintOf(unit)}`, x: STEP * depth, y: STEP * depth }));
    }
    group.append(this.counter(stack.pieces[0]));
    if (stack.count > 1) {
      const at = 30 + STEP * below;
      group.append(
        s("circle", { class: "count", cx: at, cy: at - 2, r: 11 }),
        s("text", { class: "count", x: at, y: at + 3 }, String(stack.count)),
      );
    }
    return group;
  }

  paintOf(unit) {
    return this.printed.getElementById(`u-${unit}`)?.getAttribute("data-paint") ?? "other";
  }

  /** One counter around 0, 0, with the strength that is left. */
  counter(piece) {
    const group = s("g", { class: "counter" });
    if (!piece) {
      group.append(s("use", { href: "#k-other" }));
      return group;
    }
    const unit = this.catalog.units.get(piece.unit);
    group.append(s("use", { href: unit ? `#u-${piece.unit}` : "#k-other" }));
    if (unit && piece.strength !== null && piece.strength !== (unit.strength ?? 0)) {
      const low = unit.kind === "KIND_AFV" ? 21 : 18;
      group.append(
        s("circle", { class: "worn", cy: low, r: 11 }),
        s("text", { class: "worn", y: low + 7 }, String(piece.strength)),
      );
    }
    if (isDeployed(piece)) group.append(s("path", { class: "deployed", d: "M-29 15h14l-7 12z" }));
    if (isIsolated(piece)) group.append(s("circle", { class: "isolated", cx: 32, cy: -32, r: 6 }));
    return group;
  }

  drawFixtures(view) {
    this.layers.bridges.replaceChildren(
      ...(view.bridges ?? []).flatMap((bridge) => {
        const { x, y } = this.centres.get(bridge.hex);
        const place = this.stacks.has(bridge.hex)
          ? { transform: `translate(${x} ${y + 41})scale(.55)` }
          : { x, y };
        return [
          s("use", { href: "#bridge", class: "halo", ...place }),
          s("use", { href: "#bridge", ...place }),
        ];
      }),
    );
    this.layers.bunkers.replaceChildren(
      ...this.catalog.bunkers.flatMap((bunker, index) => {
        const left = view.bunkers?.[index] ?? 0;
        if (!left) return [];
        const { x, y } = this.centres.get(bunker.hex);
        return [
          s(
            "g",
            { transform: `translate(${x - 42} ${y + 24})` },
            s("path", { d: BUNKER }),
            s("text", { y: 6 }, String(left)),
          ),
        ];
      }),
    );
    const places = new Map(
      [...(view.own ?? []), ...(view.enemy ?? []).flatMap((e) => e.revealed ?? [])].map((unit) => [
        unit.unit,
        unit.hex,
      ]),
    );
    this.layers.attacks.replaceChildren(
      ...(view.assaults ?? []).flatMap((assault) => [
        this.ring(assault.hex),
        ...[...new Set((assault.units ?? []).map((unit) => places.get(unit)))]
          .filter(Boolean)
          .map((from) => this.arrow(from, assault.hex)),
      ]),
    );
  }

  ring(hex, kind = "target") {
    const { x, y } = this.centres.get(hex);
    return s("path", { class: kind, d: HEX, transform: `translate(${x} ${y})scale(.92)` });
  }

  arrow(from, to) {
    const [start, end] = [this.centres.get(from), this.centres.get(to)];
    const [x, y] = [end.x - start.x, end.y - start.y];
    const shape = [
      [34, -6],
      [54, -6],
      [54, -15],
      [74, 0],
      [54, 15],
      [54, 6],
      [34, 6],
    ];
    const path = shape
      .map(
        ([along, aside]) =>
          `${start.x + (x * along - y * aside) / 100} ` + `${start.y + (y * along + x * aside) / 100}`,
      )
      .join("L");
    return s("path", { class: "arrow", d: `M${path}z` });
  }

  /**
   * Colour hexes: `hexes` have a `hex`, and perhaps `text`, `kind` (the class of the shape) and `side`.
   */
  drawHexes(layer, hexes) {
    this.layers[layer].replaceChildren(
      ...hexes
        .filter((each) => this.centres.has(each.hex))
        .map((each) => {
          const { x, y } = this.centres.get(each.hex);
          if (each.kind === "hatch") {
            return s("use", { href: each.side === "german" ? "#z2" : "#z1", x, y, class: each.side });
          }
          return s(
            "g",
            { transform: `translate(${x} ${y})`, class: `cell ${each.kind ?? ""} ${each.side ?? ""}` },
            s("path", { d: HEX }),
            each.text ? s("text", { y: each.low ? 46 : 10 }, each.text) : null,
          );
        }),
    );
  }

  /** Draft orders: `lines` of hexes with a `kind`, `ghosts` of units. */
  drawPlans(lines, ghosts) {
    const shapes = lines
      .filter((line) => line.hexes.length > 1)
      .map((line) => {
        const points = line.hexes.map((hex) => this.centres.get(hex)).filter(Boolean);
        const path = `M${points.map((point) => `${point.x} ${point.y}`).join("L")}`;
        const end = points.at(-1);
        return s(
          "g",
          { class: `plan ${line.kind}` },
          s("path", { d: path, class: "edge" }),
          s("path", { d: path }),
          s("circle", { cx: end.x, cy: end.y, r: 11 }),
        );
      });
    const counters = ghosts
      .filter((ghost) => this.centres.has(ghost.hex))
      .map((ghost, index) => {
        const { x, y } = this.centres.get(ghost.hex);
        const shift = (index % 3) * 6;
        const group = this.counter({ unit: ghost.unit, strength: null, status: 0 });
        group.setAttribute("transform", `translate(${x + shift} ${y - shift})scale(.82)`);
        group.classList.add("ghost");
        return group;
      });
    this.layers.plans.replaceChildren(...shapes, ...counters);
  }

  /** A path to see before it is ordered. */
  drawTrail(hexes) {
    const points = hexes.map((hex) => this.centres.get(hex)).filter(Boolean);
    this.layers.marks.querySelector(".trail")?.remove();
    if (points.length > 1) {
      this.layers.marks.append(
        s("path", { class: "trail", d: `M${points.map((point) => `${point.x} ${point.y}`).join("L")}` }),
      );
    }
  }

  /** Frames around hexes: selected, wrong, spoken of. */
  drawMarks(marks) {
    this.layers.marks.replaceChildren(
      ...marks
        .filter((mark) => this.centres.has(mark.hex))
        .map((mark) => {
          const { x, y } = this.centres.get(mark.hex);
          return s(
            "g",
            { class: `mark ${mark.kind}`, transform: `translate(${x} ${y})` },
            s("path", { d: HEX }),
            mark.kind === "wrong" ? s("text", { x: 38, y: -22 }, "!") : null,
          );
        }),
    );
  }

  /** Put the cursor on a hex. */
  setCursor(hex, quiet = false) {
    if (!this.centres.has(hex)) return;
    this.hex = hex;
    const { x, y } = this.centres.get(hex);
    this.layers.cursor.replaceChildren(
      s("path", { class: "halo", d: HEX, transform: `translate(${x} ${y})` }),
      s("path", { d: HEX, transform: `translate(${x} ${y})` }),
    );
    if (!quiet) {
      this.reveal(hex);
      this.act.seek(hex);
    }
  }

  // The fan

  /** Spread the counters of a stack; `chosen` are marked. */
  openFan(hex, { pinned = false, chosen = new Set() } = {}) {
    const stack = this.stacks.get(hex);
    if (!stack || (stack.count < 2 && !pinned)) {
      if (!pinned) this.closeFan();
      return;
    }
    if (this.pinned && this.pinned !== hex && !pinned) return;
    if (pinned) this.pinned = hex;
    const across = Math.min(stack.count, 5);
    const rows = Math.ceil(stack.count / across);
    const scale = Math.max(this.box.height / 1000, 0.8);
    const [wide, high] = [across * 74 + 10, rows * 74 + 10];
    const centre = this.centres.get(hex);
    const half = (wide * scale) / 2;
    const x = Math.min(Math.max(centre.x, this.box.x + half), this.box.x + this.box.width - half);
    const above = centre.y - 64 - high * scale > this.box.y;
    const y = above ? centre.y - 58 - high * scale : centre.y + 58;
    const group = s(
      "g",
      { class: "spread", transform: `translate(${x} ${y})scale(${scale})` },
      s("rect", { x: -wide / 2, y: 0, width: wide, height: high, rx: 8 }),
    );
    for (let index = 0; index < stack.count; index += 1) {
      const piece = stack.pieces[index] ?? null;
      const counter = this.counter(piece);
      counter.setAttribute(
        "transform",
        `translate(${-wide / 2 + 42 + (index % across) * 74} ` + `${42 + Math.floor(index / across) * 74})`,
      );
      counter.setAttribute("data-unit", piece?.unit ?? "");
      if (!piece) counter.append(s("text", { class: "unknown", y: 10 }, "?"));
      if (piece) {
        counter.append(
          s(
            "title",
            {},
            this.catalog.label(piece.unit) + (piece.strength === null ? "" : `, strength ${piece.strength}`),
          ),
        );
        if (chosen.has(piece.unit))
          counter.append(s("rect", { class: "chosen", x: -35, y: -35, width: 70, height: 70, rx: 6 }));
      }
      group.append(counter);
    }
    this.layers.fan.replaceChildren(group);
  }

  closeFan() {
    this.pinned = 0;
    this.layers.fan.replaceChildren();
  }

  // Hands on it

  listen() {
    const { place } = this;
    const pointers = new Map();
    let moved = false;
    let gap = 0;
    place.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (pointers.size === 1) moved = false;
      gap = 0;
    });
    place.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) {
        this.hover(event);
        return;
      }
      const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
      if (!moved && Math.hypot(dx, dy) < 6) return;
      if (!moved) {
        moved = true;
        place.setPointerCapture(event.pointerId);
      }
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const size = place.getBoundingClientRect();
      const unit = this.box.width / size.width;
      if (pointers.size === 1) {
        this.pan(-dx * unit, -dy * unit);
        return;
      }
      const [one, two] = [...pointers.values()];
      const now = Math.hypot(one.x - two.x, one.y - two.y);
      if (gap) {
        this.zoom(gap / now, this.pointAt({ clientX: (one.x + two.x) / 2, clientY: (one.y + two.y) / 2 }));
      }
      gap = now;
    });
    const end = (event) => {
      pointers.delete(event.pointerId);
      gap = 0;
    };
    place.addEventListener("pointerup", end);
    place.addEventListener("pointercancel", end);
    place.addEventListener("pointerleave", () => {
      if (!this.pinned) this.closeFan();
    });
    place.addEventListener("click", (event) => {
      if (moved) {
        moved = false;
        return;
      }
      const unit = event.target.closest?.("[data-unit]")?.getAttribute("data-unit");
      if (event.target.closest?.(".spread")) {
        if (unit) this.act.unit(unit, event.shiftKey || event.ctrlKey || event.metaKey);
        return;
      }
      const hex = this.hexAt(this.pointAt(event));
      if (!hex) return;
      this.setCursor(hex, true);
      this.act.choose(hex, event.shiftKey || event.ctrlKey || event.metaKey);
    });
    place.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(1.0015 ** Math.max(-240, Math.min(240, event.deltaY)), this.pointAt(event));
      },
      { passive: false },
    );
    place.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.show(this.box)).observe(place);
  }

  hover(event) {
    if (event.target.closest?.(".spread")) return;
    const hex = this.hexAt(this.pointAt(event));
    if (hex === this.hovered) return;
    this.hovered = hex;
    if (!this.pinned) {
      if (hex && this.stacks.has(hex)) this.openFan(hex);
      else this.closeFan();
    }
    this.act.seek(hex, true);
  }

  key(event) {
    const arrows = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const way = arrows[event.key];
    if (way) {
      if (event.shiftKey) this.pan(way[0] * this.box.width * 0.2, way[1] * this.box.height * 0.2);
      else {
        const first = [...this.stacks.keys()][0] ?? 101;
        const next = this.hex ? this.hex + way[0] * 100 + way[1] : first;
        this.setCursor(this.centres.has(next) ? next : this.hex || first);
      }
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.hex) this.act.choose(this.hex, event.shiftKey);
    } else if (event.key === "Escape") this.act.cancel();
    else if (event.key === "+" || event.key === "=") this.zoom(0.75);
    else if (event.key === "-") this.zoom(1.33);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }
}

/** The hexes a unit can reach, for `drawHexes`. */
export function reachCells(reach) {
  return [...reach.values()].map((each) => ({
    hex: each.hex,
    text: movement(each.cost),
    low: true,
    kind: `reach${each.mayEnd ? "" : " pass"}${each.underFire ? " fire" : ""}${each.ice ? " ice" : ""}${each.stops ? " stop" : ""}`,
  }));
}

export { SIDE_COLOURS, RED, hexName };
