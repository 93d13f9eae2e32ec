/** What happened, in words, each die explained. A telling is a list of text, dice and hexes. */

import { h } from "./dom.js";
import { capital, enumWords, fire, hexName, movement, pip, plural, sideName, sideOf } from "./words.js";

const POOLS = { POOL_SOVIET: "Soviet", POOL_GERMAN: "German", POOL_VELIKIYE_LUKI: "Velikiye Luki" };
const QUIET = new Set(["decisionReached", "supplyTraced", "phaseBegan", "stackArranged"]);
const COMBAT = new Set(["moraleChecked", "unitShaken", "unitHalted", "retreatRequired"]);
const FIRE = ["conventionalFired", "antitankFired", "barrageFired"];
const PLACES = {
  unitPlaced: ["", "hex"],
  unitMoved: ["start", "path"],
  unitRailed: ["start", "path"],
  unitStopped: ["", "hex"],
  iceTested: ["start", "end"],
  unitWithdrew: ["start", "hex"],
  unitPursued: ["start", "hex"],
  unitRetreated: ["start", "path"],
  unitAdvanced: ["start", "hex"],
  unitEliminated: ["hex", ""],
  unitExited: ["hex", ""],
};
const OWN = new Set([
  "unitRepaired",
  "strengthLost",
  "unitReplaced",
  "stackArranged",
  "brigadeRefitted",
  "equipmentAbandoned",
  "unitDeployed",
]);
const DEEDS = {
  unitPlaced: "set up",
  unitMoved: "march",
  unitRailed: "move by rail",
  unitStopped: "stop",
  iceTested: "cross ice",
  unitWithdrew: "leave before the assault",
  unitPursued: "pursue",
  unitRetreated: "retreat",
  unitAdvanced: "advance",
  unitEliminated: "are gone",
  unitExited: "leave the map",
  unitReplaced: "are replaced",
  stackArranged: "are put in order",
  brigadeRefitted: "are refitted",
};

/**
 * What a side may hear of events at a table of its own, where no arbiter has done it before.
 * @param {any[]} events GameEvents @param {string} viewer "" hears everything
 * @param {Set<string>} known enemy units it saw before or after
 */
export function hush(events, viewer, known, catalog) {
  if (!viewer) return events.map((event) => ({ event }));
  const fought = new Set(known);
  for (const { whiteDeath } of events) {
    const [kind, fact] = Object.entries(whiteDeath)[0];
    if (COMBAT.has(kind)) fought.add(fact.unit);
    if (kind === "assaultDeclared") (fact.units ?? []).forEach((unit) => fought.add(unit));
    if (FIRE.includes(kind)) fought.add(fact.target);
    if (kind === "antitankFired" && fact.phase === "PHASE_MOVEMENT")
      (fact.firers ?? []).forEach((unit) => fought.add(unit));
  }
  const may = (unit) => catalog.side(unit) === viewer || fought.has(unit);
  const told = [];
  for (const event of events) {
    const [kind, fact] = Object.entries(event.whiteDeath)[0];
    if (kind in PLACES && !may(fact.unit)) {
      const [from, to] = PLACES[kind].map(
        (field) => (Array.isArray(fact[field]) ? fact[field].at(-1) : fact[field]) ?? 0,
      );
      const last = told.at(-1)?.concealed;
      if (last && last.kind === kind && last.start === from && last.hex === to) last.count += 1;
      else told.push({ concealed: { kind, start: from, hex: to, count: 1 } });
    } else if (OWN.has(kind) && fact.unit && !may(fact.unit)) {
      continue;
    } else if (kind === "strengthLost" && catalog.side(fact.unit) !== viewer && fact.cause === "CAUSE_ICE") {
      continue;
    } else if (
      fact.firers ||
      kind === "supplyTraced" ||
      kind === "reserveRolled" ||
      kind === "commandosTested"
    ) {
      const copy = { ...fact };
      for (const field of ["firers", "units", "isolated", "supplied"]) {
        if (copy[field]) copy[field] = copy[field].filter(may);
      }
      told.push({ event: { whiteDeath: { [kind]: copy } } });
    } else told.push({ event });
  }
  return told;
}

const die = (value, about = "") =>
  h("span", { class: "die", role: "img", "aria-label": `die ${value}`, title: about }, pip(value));
const dice = (values) => (values ?? []).map((value) => die(value));

/** A hex that can be pressed to see it. */
export const at = (hex) =>
  hex
    ? h(
        "button",
        { type: "button", class: "hex", "data-go": hex, "aria-label": `show hex ${hexName(hex)}` },
        hexName(hex),
      )
    : "off the map";

function modifiers(list) {
  return (list ?? []).map((each) =>
    h(
      "span",
      { class: "modifier", title: each.clause },
      ` ${each.value >= 0 ? "+" : "−"}${Math.abs(each.value ?? 0)} ${each.name}`,
    ),
  );
}

/**
 * One happening as children of a list item, or null if it is not worth a line.
 * @param {{event?: any, concealed?: any}} happening
 */
export function tell(happening, catalog) {
  if (happening.concealed) return concealed(happening.concealed);
  const [kind, fact] = Object.entries(happening.event?.whiteDeath ?? {})[0] ?? [];
  if (!kind || QUIET.has(kind)) return null;
  const unit = (id) => h("b", {}, catalog.label(id));
  const units = (ids) => (ids ?? []).map((id, index) => [index ? ", " : "", unit(id)]);
  const one = unit(fact.unit);
  const words = TELLINGS[kind];
  return words
    ? words(fact, { unit, units, one, catalog })
    : [capital(kind.replace(/([A-Z])/g, " $1").toLowerCase())];
}

function concealed(fact) {
  const kind = fact.kind.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
  const count = fact.count ?? 1;
  return [
    `${plural(count, "enemy unit")}: ${DEEDS[kind] ?? enumWords(fact.kind, "")}`,
    fact.start ? [" from ", at(fact.start)] : "",
    fact.hex ? [fact.start ? " to " : " in ", at(fact.hex)] : "",
  ];
}

function shot(fact, { unit, units }, name, result) {
  return [
    `${name} at `,
    unit(fact.target),
    fact.firers?.length ? [" by ", units(fact.firers)] : "",
    `: fire ${fire(fact.value)} against ${fire(fact.defence)}, `,
    fact.column
      ? [`column ${fact.column}, `, die(fact.die), ` ${fact.die} → `, h("em", {}, result)]
      : h("em", {}, "below the table, no effect"),
  ];
}

const morale = (modifier) =>
  modifier === -1 || (modifier === undefined && false)
    ? "no effect"
    : `morale check${modifier ? ` +${modifier}` : ""} (MC${modifier ?? 0})`;

const TELLINGS = {
  unitPlaced: (f, t) => [t.one, " is set up in ", at(f.hex)],
  turnBegan: (f) => [h("strong", {}, `Turn ${f.turn}`)],
  weatherRolled: (f) => [
    "Weather: ",
    die(f.die),
    ` ${f.die} gives `,
    h("em", {}, enumWords(f.weather, "WEATHER_")),
  ],
  garrisonRolled: (f) =>
    f.die
      ? [
          "Garrison release: ",
          die(f.die),
          ` ${f.die}, ${f.needed ?? 0} or less needed → `,
          h("em", {}, f.released ? "released" : "it stays"),
        ]
      : ["The garrison ", f.released ? "is released" : "stays"],
  townGarrisonsReleased: () => ["The garrisons of Isotcha and Nowossokoljniki are released"],
  supplyReceived: (f) => [
    `${POOLS[f.pool]} supply: ${f.due ?? 0} due`,
    f.dice?.length ? [" by air ", dice(f.dice)] : "",
    ` → ${f.received ?? 0} received`,
  ],
  replacementsReceived: (f) => [`${sideName(sideOf(f.side))}: ${plural(f.points ?? 0, "replacement point")}`],
  garrisonSustained: (f) => [
    `Velikiye Luki is bought out of isolation for ${plural(f.points ?? 0, "supply point")}`,
  ],
  impulseBegan: (f) => [h("strong", {}, `${sideName(sideOf(f.side))} impulse ${f.impulse}`)],
  unitReplaced: (f, t) => [
    t.one,
    ` takes ${plural(f.points, "replacement point")}`,
    f.hex ? [" in ", at(f.hex)] : "",
  ],
  unitRepaired: (f, t) => [t.one, " is repaired by one strength point"],
  impulseDeclared: (f) => [
    `${sideName(sideOf(f.side))} declares ${enumWords(f.kind, "IMPULSE_KIND_")} of ${f.points ?? 0} MP`,
  ],
  unitMoved: (f, t) => [
    t.one,
    " marches ",
    f.start ? ["from ", at(f.start), " "] : "",
    "to ",
    at(f.path?.at(-1)),
    ` for ${movement(f.cost)} MP`,
  ],
  unitRailed: (f, t) => [t.one, " goes by rail from ", at(f.start), " to ", at(f.path?.at(-1))],
  unitStopped: (f, t) => [t.one, " has to stop in ", at(f.hex), ` [${f.clause}]`],
  iceTested: (f, t) => [
    t.one,
    " on the ice to ",
    at(f.end),
    ": ",
    die(f.die),
    ` ${f.die} → `,
    h("em", {}, f.die === 1 ? "it breaks, 1 strength point lost" : "it bears"),
  ],
  commandosTested: (f, t) => [
    "Commandos in ",
    at(f.hex),
    ": ",
    die(f.die),
    ` ${f.die}`,
    f.led ? ` − ${f.led}` : "",
    " → ",
    h("em", {}, f.discovered ? "discovered" : "not discovered"),
    f.units?.length ? [" (", t.units(f.units), ")"] : "",
  ],
  unitDeployed: (f, t) => [t.one, " deploys"],
  bridgeBuilt: (f, t) => [f.unit ? t.one : "An enemy unit", " builds a bridge in ", at(f.hex)],
  bridgeDestroyed: (f, t) => [f.unit ? t.one : "An enemy unit", " destroys the bridge in ", at(f.hex)],
  assaultDeclared: (f, t) => [
    "Assault of ",
    at(f.hex),
    " by ",
    t.units(f.units),
    f.charge?.length ? [", mounted charge: ", t.units(f.charge)] : "",
  ],
  supplySpent: (f) => [
    `${POOLS[f.pool]} pool spends ${plural(f.points ?? 0, "supply point")} for ${f.highIntensity ? "high-intensity defensive support" : "attacks"}`,
  ],
  unitWithdrew: (f, t) => [t.one, " leaves ", at(f.start), " for ", at(f.hex), " before the assault"],
  unitPursued: (f, t) => [t.one, " follows into ", at(f.hex), " and assaults ", at(f.target)],
  conventionalFired: (f, t) =>
    shot(f, t, "Fire", (f.modifier ?? 0) < 0 ? "no effect" : morale(f.modifier ?? 0)),
  antitankFired: (f, t) =>
    shot(
      f,
      t,
      f.phase === "PHASE_MOVEMENT" ? "Antitank fire at the moving" : "Antitank fire",
      f.hits ? plural(f.hits, "hit") : "miss",
    ),
  barrageFired: (f, t) => [
    "Barrage of ",
    at(f.hex),
    " at ",
    t.unit(f.target),
    `: fire ${fire(f.value)}, `,
    f.column ? `column ${f.column}, ` : "",
    die(f.die),
    ` ${f.die}`,
    modifiers(f.modifiers),
    " → ",
    h("em", {}, f.hits ? plural(f.hits, "hit") : "no effect"),
  ],
  bunkerBarraged: (f) => [
    "Barrage of the bunker in ",
    at(f.hex),
    `: fire ${fire(f.value)}, `,
    f.column ? `column ${f.column}, ` : "",
    die(f.die),
    ` ${f.die}`,
    modifiers(f.modifiers),
    " → ",
    h("em", {}, f.hits ? plural(f.hits, "hit") : "no effect"),
  ],
  strengthLost: (f, t) => [
    t.one,
    ` loses ${plural(f.points, "strength point")} (${enumWords(f.cause, "CAUSE_")}${f.isolated ? ", isolated" : ""})`,
  ],
  unitEliminated: (f, t) => [t.one, " is eliminated in ", at(f.hex)],
  bunkerReduced: (f) => ["The bunker in ", at(f.hex), ` loses ${plural(f.points, "strength point")}`],
  bunkerDestroyed: (f) => ["The bunker in ", at(f.hex), f.captured ? " is captured" : " is destroyed"],
  moraleChecked: (f, t) => {
    const total =
      (f.dice ?? []).reduce((a, b) => a + b, 0) + (f.modifiers ?? []).reduce((a, b) => a + (b.value ?? 0), 0);
    return [
      "Morale of ",
      t.one,
      ` (${enumWords(f.cause, "CAUSE_")}): `,
      dice(f.dice),
      ` ${(f.dice ?? []).join(" + ")}`,
      modifiers(f.modifiers),
      ` = ${total} against ${f.morale ?? 0} → `,
      h("em", {}, enumWords(f.result, "MORALE_RESULT_")),
    ];
  },
  unitShaken: (f, t) => [t.one, " is shaken: no defensive fire this impulse"],
  unitHalted: (f, t) => [t.one, " is halted: no assault this impulse"],
  retreatRequired: (f, t) => [t.one, " must retreat from ", at(f.hex), f.routed ? " (rout)" : ""],
  unitRetreated: (f, t) => [
    t.one,
    " retreats from ",
    at(f.start),
    " to ",
    at(f.path?.at(-1) ?? f.start),
    f.throughZone ? " through a zone of control" : "",
  ],
  hexVacated: (f) => [at(f.hex), " stands empty and may be occupied"],
  unitAdvanced: (f, t) => [t.one, " advances from ", at(f.start), " into ", at(f.hex)],
  railroadScored: (f) => [`Railroad towns: ${plural(f.points ?? 0, "victory point")}`],
  impulseEnded: (f) => [`The ${sideName(sideOf(f.side))} impulse ends`],
  turnEnded: (f) => [`Turn ${f.turn} ends`],
  gameEnded: (f) => [h("strong", {}, `The game is over: ${f.points ?? 0} victory points, ${f.level}`)],
  reserveRolled: (f) => [
    `${f.formation}: `,
    f.die ? [die(f.die), ` ${f.die} → `] : "",
    h("em", {}, f.received ? "received" : "not received"),
  ],
  brigadeRefitted: (f) => [`${f.brigade} is refitted and returns on turn ${f.due}`],
  equipmentAbandoned: (f, t) => [t.one, " abandons its equipment"],
  unitExited: (f, t) => [t.one, " leaves the map in ", at(f.hex)],
};
