/** Both sides' tracks: a strip above the map and the ledger in its tab. */

import { h } from "./dom.js";
import { decisionWords, enumWords, SIDES, sideName, sideOf, small } from "./words.js";

const POOLS = ["Soviet", "German", "Velikiye Luki"];
const WEATHER = { frost: "❄ frost", thaw: "☂ thaw", snow: "❅ snow" };
const pair = (values, index) => values?.[index] ?? 0;

function item(name, value, title = "") {
  return h("div", { class: "track", title }, h("dt", {}, name), h("dd", {}, value));
}

/** The strip. */
export function strip(table) {
  const { view, catalog } = table;
  if (!view) return [];
  const phasing = sideOf(view.phasing);
  const impulse = pair(view.impulses, SIDES.indexOf(phasing));
  const weather = enumWords(view.weather, "WEATHER_");
  return [
    h(
      "dl",
      {},
      item("Turn", [
        `${view.turn ?? 0}`,
        h("small", {}, ` of ${catalog.scenario.firstTurn}–${catalog.scenario.lastTurn}`),
      ]),
      item("Weather", WEATHER[weather] ?? weather),
      item(
        "Impulse",
        phasing
          ? [
              h("span", { class: `flag ${phasing}` }, sideName(phasing)),
              impulse ? ` ${impulse}` : "",
              view.declared
                ? h("small", {}, ` ${enumWords(view.kind, "IMPULSE_KIND_")}, ${view.declared} MP`)
                : "",
            ]
          : "–",
      ),
      item(
        "MP left",
        SIDES.map((side, index) => [
          h("span", { class: `flag ${side}` }, side[0].toUpperCase()),
          ` ${pair(view.points, index)} `,
        ]),
      ),
      item(
        "Supply",
        POOLS.map((name, index) => [
          h("span", { class: `flag ${index === 0 ? "soviet" : "german"}` }, ["S", "G", "VL"][index]),
          ` ${pair(view.supply, index)} `,
        ]),
        "Supply points: Soviet, German, Velikiye Luki",
      ),
      item("Victory", [`${view.score?.points ?? 0} `, h("small", {}, view.score?.level ?? "")]),
    ),
  ];
}

const row = (name, ...cells) =>
  h(
    "tr",
    {},
    h("th", { scope: "row" }, name),
    cells.map((cell) => h("td", {}, cell)),
  );

/** A row of boxes like the printed track. */
function boxes(side, points) {
  return h(
    "ol",
    { class: `boxes ${side}`, "aria-label": `${sideName(side)}: ${points} of 10 movement points left` },
    Array.from({ length: 11 }, (_, box) => h("li", { class: box === points ? "here" : "" }, String(box))),
  );
}

/** The ledger: movement points, supply, arrivals, victory points line by line. */
export function ledger(table) {
  const { view, catalog } = table;
  if (!view) return [];
  const arrivals = (catalog.message.arrivals ?? []).filter(
    (each) => each.turn > (view.turn ?? 0) && each.turn <= (view.turn ?? 0) + 2,
  );
  return [
    h("h2", {}, "Movement points left this turn"),
    SIDES.map((side, index) =>
      h(
        "div",
        { class: "boxrow" },
        h("span", { class: `flag ${side}` }, sideName(side)),
        boxes(side, pair(view.points, index)),
      ),
    ),
    h("h2", {}, "Tracks"),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          SIDES.map((side) => h("th", { scope: "col" }, sideName(side))),
        ),
      ),
      h(
        "tbody",
        {},
        row("Impulses this turn", ...SIDES.map((_, index) => pair(view.impulses, index))),
        row("Supply points", pair(view.supply, 0), [
          pair(view.supply, 1),
          h("small", {}, ` and ${pair(view.supply, 2)} in Velikiye Luki`),
        ]),
        row("Replacement points", ...SIDES.map((_, index) => pair(view.replacements, index))),
        row("Moved by rail (SP)", ...SIDES.map((_, index) => pair(view.railMoved, index))),
      ),
    ),
    h(
      "p",
      {},
      `Waits for: ${table.decision.side ? `${sideName(table.decision.side)}, ` : ""}${small(decisionWords(table.decision.kind))}`,
    ),
    h("h2", {}, `Victory points: ${view.score?.points ?? 0} (${view.score?.level ?? "–"})`),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "What"),
          h("th", { scope: "col" }, "Count"),
          h("th", { scope: "col" }, "Points"),
        ),
      ),
      h(
        "tbody",
        {},
        (view.score?.lines ?? []).map((line) => row(line.name, line.count ?? 0, line.points ?? 0)),
      ),
    ),
    h(
      "p",
      { class: "quiet" },
      "Levels: ",
      (catalog.scenario.victory?.levels ?? []).map(
        (level, index) =>
          `${index ? ", " : ""}${level.name}${level.lowest !== undefined ? ` from ${level.lowest}` : ""}`,
      ),
    ),
    arrivals.length
      ? [
          h("h2", {}, "To come"),
          h(
            "ul",
            {},
            arrivals.map((each) =>
              h(
                "li",
                {},
                `Turn ${each.turn}, ${sideName(sideOf(each.side))}: ${each.supply ?? 0} supply, ${each.replacements ?? 0} replacements`,
              ),
            ),
          ),
        ]
      : null,
  ];
}
