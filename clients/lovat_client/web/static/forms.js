/**
 * Forms for the decisions that are answered without moving on the map. A form is
 * `{node, order(), chooseHex?(hex), cells?()}`; `order` gives the inside of the game's Order.
 */

import { h } from "./dom.js";
import { fire, hexName, movement, plural } from "./words.js";

const KIND_WORDS = {
  IMPULSE_KIND_ACTION: "Action: move, assault, barrage",
  IMPULSE_KIND_PASS: "Pass: barrage and rail only",
};
const POOLS = { POOL_SOVIET: "Soviet", POOL_GERMAN: "German", POOL_VELIKIYE_LUKI: "Velikiye Luki" };

const field = (label, input, hint = "") =>
  h("label", { class: "field" }, h("span", {}, label), input, hint ? h("small", {}, hint) : null);
const number = (least, most, value, more = {}) =>
  h("input", { type: "number", min: least, max: most, value, ...more });
const option = (value, label, chosen = false) => h("option", { value, selected: chosen }, label);
const nothing = (text) => h("p", { class: "quiet" }, text);
const check = (label, value, checked = false) => {
  const box = h("input", { type: "checkbox", value });
  box.checked = checked;
  return { box, node: h("label", { class: "check" }, box, " ", label) };
};

/** @returns {{node: any, order: () => any, chooseHex?: (hex: number) => boolean, cells?: () => any[]}} */
export function formFor(kind, listing, catalog, change) {
  const make = FORMS[kind];
  return make ? make(listing ?? {}, catalog, change) : { node: nothing(""), order: () => ({}) };
}

const FORMS = {
  declare_impulse(listing) {
    const choices = listing.declarations ?? [];
    const points = number(0, 99, choices[0]?.most ?? 1, { id: "points", inputmode: "numeric" });
    const radios = choices.map((each, index) => {
      const input = h("input", {
        type: "radio",
        name: "kind",
        value: each.kind,
        id: `kind-${each.kind}`,
        onchange: () => {
          points.value = each.most ?? 0;
        },
      });
      input.checked = index === 0;
      return {
        input,
        node: h(
          "label",
          { class: "check" },
          input,
          " ",
          KIND_WORDS[each.kind] ?? each.kind,
          h("small", {}, ` ${each.least ?? 0} to ${each.most ?? 0} MP`),
        ),
      };
    });
    return {
      node: h(
        "div",
        {},
        h(
          "fieldset",
          {},
          h("legend", {}, "Kind"),
          radios.map((each) => each.node),
        ),
        field("Movement points", points),
      ),
      order: () => ({
        declareImpulse: {
          points: Math.max(0, Number(points.value) || 0),
          kind: radios.find((each) => each.input.checked)?.input.value ?? "IMPULSE_KIND_ACTION",
        },
      }),
    };
  },

  sustain_garrison(listing) {
    const yes = check(
      "Spend one point of the city's supply: nobody in it is isolated this turn",
      "",
      listing.maySustain,
    );
    yes.box.disabled = !listing.maySustain;
    return { node: yes.node, order: () => ({ sustainGarrison: { spend: yes.box.checked } }) };
  },

  set_up(listing, catalog, change) {
    const standard = check("The documented set-up of the scenario", "", true);
    const options = listing.placements ?? [];
    const places = new Map(
      (catalog.scenario.standardSetUp ?? [])
        .filter((each) => options.some((one) => one.unit === each.unit))
        .map((each) => [each.unit, each.hex]),
    );
    let chosen = "";
    const list = h("select", {
      size: 10,
      "aria-label": "Unit to place",
      onchange: () => {
        chosen = list.value;
        change();
      },
    });
    const fillList = () =>
      list.replaceChildren(
        ...options.map((each) =>
          option(
            each.unit,
            `${catalog.label(each.unit)}: ${places.has(each.unit) ? hexName(places.get(each.unit)) : "not placed"}`,
            each.unit === chosen,
          ),
        ),
      );
    fillList();
    const byHand = h(
      "div",
      { hidden: true },
      h("p", {}, "Choose a unit, then press one of the hexes shown on the map."),
      list,
    );
    standard.box.addEventListener("change", () => {
      byHand.hidden = standard.box.checked;
      change();
    });
    return {
      node: h("div", {}, standard.node, byHand),
      order: () => ({
        setUp: standard.box.checked
          ? { standard: true }
          : { placements: [...places].map(([unit, hex]) => ({ unit, hex })) },
      }),
      chooseHex(hex) {
        if (standard.box.checked || !chosen) return false;
        places.set(chosen, hex);
        fillList();
        change();
        return true;
      },
      ghosts: () => (standard.box.checked ? [] : [...places].map(([unit, hex]) => ({ unit, hex }))),
      cells: () =>
        standard.box.checked || !chosen
          ? []
          : (options.find((each) => each.unit === chosen)?.hexes ?? []).map((hex) => ({
              hex,
              kind: "reach",
            })),
    };
  },

  distribute_losses(listing, catalog) {
    const standard = check("The documented distribution", "", true);
    const inputs = [];
    const byHand = h(
      "div",
      { hidden: true },
      (listing.losses ?? []).map((loss) =>
        h(
          "fieldset",
          {},
          h("legend", {}, `${loss.formation}, ${loss.kind}: ${plural(loss.points ?? 0, "strength point")}`),
          (loss.units ?? []).map((unit) => {
            const input = number(0, loss.points, 0);
            inputs.push({ unit, input });
            return field(catalog.label(unit), input);
          }),
          (loss.hexes ?? []).map((hex) => {
            const input = number(0, loss.points, 0);
            inputs.push({ hex, input });
            return field(`Bunker ${hexName(hex)}`, input);
          }),
        ),
      ),
    );
    standard.box.addEventListener("change", () => {
      byHand.hidden = standard.box.checked;
    });
    return {
      node: h("div", {}, standard.node, byHand),
      order() {
        if (standard.box.checked) return { distributeLosses: { standard: true } };
        const lost = inputs.filter((each) => Number(each.input.value));
        return {
          distributeLosses: {
            casualties: lost
              .filter((each) => each.unit)
              .map((each) => ({ unit: each.unit, points: Number(each.input.value) })),
            bunkers: lost
              .filter((each) => each.hex)
              .map((each) => ({ hex: each.hex, points: Number(each.input.value) })),
          },
        };
      },
    };
  },

  refit(listing) {
    const choice = h(
      "select",
      {},
      option("", "None"),
      (listing.refits ?? []).map((each) => option(each, each)),
    );
    return { node: field("Brigade", choice), order: () => ({ refit: { brigade: choice.value } }) };
  },

  replace(listing, catalog) {
    const units = (listing.replacements ?? []).map((each) => {
      const points = number(0, each.most ?? 0, 0);
      const hexes = each.hexes ?? [];
      const hex = h(
        "select",
        { "aria-label": "Where it is rebuilt" },
        hexes.map((one) => option(one, hexName(one))),
      );
      return {
        each,
        points,
        hex: hexes.length ? hex : null,
        node: h(
          "div",
          { class: "rowed" },
          field(catalog.label(each.unit), points, `at most ${each.most ?? 0}`),
          hexes.length ? hex : null,
        ),
      };
    });
    const repairs = (listing.repairs ?? []).map((unit) => check(`Repair ${catalog.label(unit)}`, unit));
    return {
      node: h(
        "div",
        {},
        units.length || repairs.length ? null : nothing("Nobody can take any."),
        units.map((one) => one.node),
        repairs.map((one) => one.node),
      ),
      order: () => ({
        replace: {
          replacements: units
            .filter((one) => Number(one.points.value))
            .map((one) => ({
              unit: one.each.unit,
              points: Number(one.points.value),
              ...(one.hex ? { hex: Number(one.hex.value) } : {}),
            })),
          repairs: repairs.filter((one) => one.box.checked).map((one) => one.box.value),
        },
      }),
    };
  },

  retreat_before_combat(listing, catalog) {
    const rows = (listing.withdrawals ?? []).map((each) => ({
      each,
      choice: h(
        "select",
        {},
        option("", "stays"),
        (each.hexes ?? []).map((hex) => option(hex, `goes to ${hexName(hex)}`)),
      ),
    }));
    return {
      node: h(
        "div",
        {},
        rows.map((row) => field(catalog.label(row.each.unit), row.choice)),
      ),
      order: () => ({
        retreatBeforeCombat: {
          withdrawals: rows
            .filter((row) => row.choice.value)
            .map((row) => ({ unit: row.each.unit, hex: Number(row.choice.value) })),
        },
      }),
    };
  },

  pursue(listing, catalog) {
    const rows = (listing.pursuits ?? []).map((each) => ({
      each,
      units: (each.units ?? []).map((unit) => check(catalog.label(unit), unit)),
      target: h(
        "select",
        { "aria-label": "Assaults from there" },
        (each.targets ?? []).map((hex) => option(hex, hexName(hex))),
      ),
    }));
    return {
      node: h(
        "div",
        {},
        rows.map((row) =>
          h(
            "fieldset",
            {},
            h("legend", {}, `Into ${hexName(row.each.hex)}`),
            row.units.map((unit) => unit.node),
            field("and assault", row.target),
          ),
        ),
      ),
      order: () => ({
        pursue: {
          pursuits: rows
            .filter((row) => row.units.some((unit) => unit.box.checked))
            .map((row) => ({
              hex: row.each.hex,
              units: row.units.filter((unit) => unit.box.checked).map((unit) => unit.box.value),
              target: Number(row.target.value),
            })),
        },
      }),
    };
  },

  barrage(listing, catalog) {
    const rows = (listing.barrages ?? []).map((each) => ({
      each,
      choice: h(
        "select",
        {},
        option("", "does not fire"),
        (each.hexes ?? []).map((hex, index) =>
          option(
            hex,
            `${hexName(hex)}: ${fire(each.values?.[index])}` +
              `${each.observed?.[index] ? "" : ", unobserved"}`,
          ),
        ),
      ),
    }));
    const rockets = (listing.fullRockets ?? []).map((pool) =>
      check(`${POOLS[pool]}: pay the third point for rockets`, pool),
    );
    return {
      node: h(
        "div",
        {},
        rows.length
          ? h("p", {}, "Press a marked hex to have every gun in reach fire at it, or choose gun by gun.")
          : nothing("No gun has anything to fire at."),
        rows.map((row) => field(catalog.label(row.each.unit), row.choice)),
        rockets.map((one) => one.node),
      ),
      chooseHex(hex) {
        const able = rows.filter((row) => (row.each.hexes ?? []).includes(hex));
        const all = able.length && able.every((row) => Number(row.choice.value) === hex);
        for (const row of able) row.choice.value = all ? "" : String(hex);
        return able.length > 0;
      },
      cells: () =>
        [...new Set(rows.flatMap((row) => row.each.hexes ?? []))].map((hex) => ({ hex, kind: "aim" })),
      order() {
        const fires = new Map();
        for (const row of rows) {
          if (!row.choice.value) continue;
          const hex = Number(row.choice.value);
          fires.set(hex, [...(fires.get(hex) ?? []), row.each.unit]);
        }
        return {
          barrage: {
            fires: [...fires].map(([hex, units]) => ({ hex, units })),
            fullRockets: rockets.filter((one) => one.box.checked).map((one) => one.box.value),
          },
        };
      },
    };
  },

  defensive_fire: (listing, catalog) => fires(listing, catalog, "defensiveFire"),
  assault_fire: (listing, catalog) => fires(listing, catalog, "assaultFire"),

  retreat(listing, catalog) {
    const rows = (listing.retreats ?? []).map((each) => ({
      each,
      choice: h(
        "select",
        {},
        option("", "by standing orders"),
        (each.paths ?? []).map((path, index) =>
          option(index, `${hexName(each.hex)} → ${(path.hexes ?? []).map(hexName).join(" → ")}`),
        ),
        each.paths?.length ? null : option("none", "it has nowhere to go"),
      ),
    }));
    return {
      node: h(
        "div",
        {},
        rows.map((row) => field(catalog.label(row.each.unit), row.choice)),
      ),
      order: () => ({
        retreat: {
          routes: rows
            .filter((row) => row.choice.value !== "")
            .map((row) => ({
              unit: row.each.unit,
              path: row.choice.value === "none" ? [] : row.each.paths[Number(row.choice.value)].hexes,
            })),
        },
      }),
    };
  },

  advance(listing, catalog) {
    const rows = (listing.advances ?? []).map((each) => ({
      each,
      units: (each.units ?? []).map((unit) => check(catalog.label(unit), unit)),
    }));
    return {
      node: h(
        "div",
        {},
        h("p", { class: "quiet" }, "A hex with nobody chosen is left to the standing orders."),
        rows.map((row) =>
          h(
            "fieldset",
            {},
            h("legend", {}, `Into ${hexName(row.each.hex)}`),
            row.units.map((unit) => unit.node),
          ),
        ),
      ),
      order: () => ({
        advance: {
          occupations: rows
            .filter((row) => row.units.some((unit) => unit.box.checked))
            .map((row) => ({
              hex: row.each.hex,
              units: row.units.filter((unit) => unit.box.checked).map((unit) => unit.box.value),
            })),
        },
      }),
    };
  },
};

/** Fire in each assaulted hex: by the standing orders, or shot by shot. */
function fires(listing, catalog, name) {
  const rows = (listing.fires ?? []).map((each) => {
    const byHand = check("Divide this fire by hand", "");
    const shots = (each.targets ?? []).map((target) => ({
      target,
      value: number(0, 999, 0, { step: "0.125" }),
    }));
    const weapons = (each.firers ?? [])
      .filter((firer) => firer.choice)
      .map((firer) => check(`${catalog.label(firer.unit)} fires at AFV`, firer.unit));
    const support = (each.support ?? []).map((one) => ({
      one,
      ...check(`${catalog.label(one.unit)} supports ${hexName(one.stack)} with ${fire(one.value)}`, one.unit),
    }));
    const quarters = h(
      "select",
      { "aria-label": "Controlling headquarters" },
      option("", "no headquarters named"),
      (each.headquarters ?? []).map((one) => option(one, one)),
    );
    const sum = (key) =>
      fire((each.bunker ?? 0) + (each.firers ?? []).reduce((all, firer) => all + (firer[key] ?? 0), 0));
    const detail = h(
      "div",
      { hidden: true },
      h(
        "p",
        { class: "quiet" },
        `Conventional fire at most ${sum("conventional")}, antitank fire at most ${sum("antitank")}, support apart.`,
      ),
      shots.map((shot) =>
        field(
          `${catalog.label(shot.target.unit)}${shot.target.afv ? " (antitank)" : ""}`,
          shot.value,
          `defence ${fire(shot.target.defence)}`,
        ),
      ),
      weapons.map((one) => one.node),
      support.map((one) => one.node),
      each.headquarters?.length ? quarters : null,
    );
    byHand.box.addEventListener("change", () => {
      detail.hidden = !byHand.box.checked;
    });
    return {
      each,
      byHand,
      shots,
      weapons,
      support,
      quarters,
      node: h(
        "fieldset",
        {},
        h("legend", {}, `Fire in ${hexName(each.hex)}`),
        h(
          "p",
          {},
          `${plural(each.firers?.length ?? 0, "unit")}${each.bunker ? " and a bunker" : ""} at ${plural(each.targets?.length ?? 0, "target")}`,
        ),
        byHand.node,
        detail,
      ),
    };
  });
  const intensity = (listing.highIntensity ?? []).map((pool) =>
    check(`${POOLS[pool]}: pay for printed support`, pool),
  );
  const shotsOf = (row, afv) =>
    row.shots
      .filter((shot) => Boolean(shot.target.afv) === afv && Number(shot.value.value) > 0)
      .map((shot) => ({ target: shot.target.unit, value: Math.round(Number(shot.value.value) * 8) }));
  return {
    node: h(
      "div",
      {},
      h("p", { class: "quiet" }, "Fire that is not divided by hand follows the standing orders."),
      rows.map((row) => row.node),
      intensity.map((one) => one.node),
    ),
    order: () => ({
      [name]: {
        fires: rows
          .filter((row) => row.byHand.box.checked)
          .map((row) => ({
            hex: row.each.hex,
            conventional: shotsOf(row, false),
            antitank: shotsOf(row, true),
            antitankWeapons: row.weapons.filter((one) => one.box.checked).map((one) => one.box.value),
            support: row.support
              .filter((one) => one.box.checked)
              .map((one) => ({ unit: one.one.unit, stack: one.one.stack })),
            headquarters: row.quarters.value,
          })),
        ...(name === "defensiveFire"
          ? { highIntensity: intensity.filter((one) => one.box.checked).map((one) => one.box.value) }
          : {}),
      },
    }),
  };
}

const CHOICES = [
  ["CHOICE_UNSPECIFIED", "as the rules server does by default"],
  ["CHOICE_NEVER", "never"],
  ["CHOICE_ALWAYS", "whenever it is legal"],
];

/** The standing orders of a side. @param {any} standing @param {(standing: any) => void} keep */
export function standingForm(standing, keep) {
  const held = { ...standing };
  const choice = (name, label, options) =>
    field(
      label,
      h(
        "select",
        {
          onchange: (event) => {
            held[name] = event.target.value;
            keep({ ...held });
          },
        },
        options.map(([value, words]) => option(value, words, (held[name] ?? options[0][0]) === value)),
      ),
    );
  return h(
    "div",
    { class: "standing" },
    choice("fire", "Fire", [
      ["FIRE_POLICY_UNSPECIFIED", "for the highest expected loss"],
      ["FIRE_POLICY_EVEN", "evenly on every target"],
    ]),
    choice("highIntensity", "Pay for printed support", CHOICES),
    choice("withdraw", "Ski troops leave before an assault", CHOICES),
    choice("pursue", "Ski troops pursue", CHOICES),
    choice("advance", "Advance into vacated hexes", CHOICES),
    choice("sustain", "Buy Velikiye Luki out of isolation", CHOICES),
  );
}

export { movement };
