/** The odds of fire and assaults before they are ordered, as the server counts them: exact chances. */

import { CallError } from "./connect.js";
import { button, h } from "./dom.js";
import { at } from "./tell.js";
import { enumWords, fire, hexName } from "./words.js";

const FIRES = {
  FIRE_KIND_CONVENTIONAL: "",
  FIRE_KIND_ANTITANK: "antitank",
  FIRE_KIND_SUPPORT: "support",
  FIRE_KIND_BARRAGE: "barrage",
  FIRE_KIND_BUNKER: "bunker",
};

/**
 * A button that shows and hides the odds of an order.
 * @param {string} id of the button
 * @param {any} table @param {() => any} order the Order as it stands @param {number} [hex] of only this hex
 */
export function oddsButton(id, table, order, hex = 0) {
  const place = h("div", { class: "odds", "aria-live": "polite" });
  return [
    button(
      "Odds",
      async () => {
        if (place.childNodes.length) {
          place.replaceChildren();
          return;
        }
        place.textContent = "…";
        try {
          const answer = await table.preview(order());
          if (answer.violations?.length) {
            place.replaceChildren(
              h(
                "p",
                { class: "problem" },
                `No odds while the order is not legal: ${answer.violations[0].message}`,
              ),
            );
            return;
          }
          place.replaceChildren(...preview(answer.preview?.whiteDeath ?? {}, hex, table.catalog));
        } catch (error) {
          place.textContent =
            error instanceof CallError && error.code === "unimplemented"
              ? "This server does not count odds for this table."
              : error.message;
        }
      },
      { class: "small", id },
    ),
    place,
  ];
}

/** @param {import("./movement.js").Movement} movement @param {number} index of the assault */
export function odds(movement, index) {
  const { hex } = movement.draft.assaults[index];
  return oddsButton(`odds-${hex}`, movement.table, () => movement.draft.order(), hex);
}

const percent = (fraction) => {
  const value = Number(fraction?.decimal ?? 0) * 100;
  return `${value.toFixed(value && value < 1 ? 2 : value % 1 ? 1 : 0)}%`;
};
const mean = (fraction) => Number(fraction?.decimal ?? 0).toFixed(2);

function preview(answer, hex, catalog) {
  const hexes = (answer.hexes ?? []).filter((each) => !hex || each.hex === hex);
  if (!hexes.length) return [h("p", { class: "quiet" }, "Nothing would be fired at.")];
  return [
    answer.uncertainMovement
      ? h(
          "p",
          { class: "quiet" },
          "Dice of the movement come first; these odds take it that none goes against the mover.",
        )
      : null,
    ...hexes.map((each) => ofHex(each, catalog)),
  ].filter(Boolean);
}

function ofHex(each, catalog) {
  if (each.unknown) {
    return h(
      "p",
      { class: "quiet" },
      "What is in ",
      at(each.hex),
      " is hidden from you: its odds are shown once the assault is declared and the stack is seen.",
    );
  }
  return h(
    "div",
    {},
    h(
      "p",
      {},
      at(each.hex),
      ": ",
      h("b", {}, `${percent(each.vacated)} vacated`),
      each.repelled ? `, ${percent(each.repelled)} repelled` : "",
      `; expected losses ${mean(each.attackerLoss)} of the attacker, ${mean(each.defenderLoss)} of the defender`,
    ),
    each.truncated
      ? h("p", { class: "quiet" }, "The assault after the defensive fire has too many cases to be counted.")
      : null,
    (each.fires ?? []).map((one) => ofFire(one, catalog)),
  );
}

function ofFire(one, catalog) {
  return h(
    "details",
    { open: true },
    h("summary", {}, `${enumWords(one.phase, "PHASE_")}: expected loss ${mean(one.expectedLoss)}`),
    h(
      "details",
      {},
      h("summary", {}, "Who fires"),
      h(
        "ul",
        {},
        (one.firers ?? []).map((firer) =>
          h(
            "li",
            {},
            `${firer.unit ? catalog.label(firer.unit) : "bunker"} ${FIRES[firer.kind] ?? ""}: ${fire(firer.factor)} × ${firer.strength ?? 0}`,
            (firer.factors ?? []).map((factor) =>
              h(
                "span",
                { title: factor.clause },
                ` × ${factor.numerator}/${factor.denominator} ${factor.name}`,
              ),
            ),
            ` = ${fire(firer.value)}`,
          ),
        ),
      ),
    ),
    (one.targets ?? []).map((target) => ofTarget(target, catalog)),
    (one.bunkers ?? []).map((bunker) =>
      h(
        "p",
        {},
        `Bunker of ${bunker.strength}: ${percent(bunker.destroyed)} destroyed, expected loss ${mean(bunker.expectedLoss)}`,
      ),
    ),
  );
}

function ofTarget(target, catalog) {
  const plus = (list) =>
    (list ?? []).map((each) =>
      h(
        "span",
        { title: each.clause, class: "modifier" },
        ` ${(each.value ?? 0) >= 0 ? "+" : "−"}${Math.abs(each.value ?? 0)} ${each.name}`,
      ),
    );
  const volley = target.volleys?.[0];
  return h(
    "div",
    { class: "target-odds" },
    h(
      "p",
      {},
      h("b", {}, catalog.label(target.unit)),
      ` strength ${target.strength ?? 0}: `,
      (volley?.attacks ?? []).map((attack, index) => [
        index ? ", then " : "",
        attack.column
          ? `${fire(attack.value)}${attack.defence ? ` against ${fire(attack.defence)}` : ""}, column ${attack.column}`
          : `${fire(attack.value)}, below the table`,
        plus(attack.modifiers),
      ]),
      target.conditions?.length ? ["; morale ", target.morale ?? 0, plus(target.conditions)] : "",
    ),
    target.defences?.length
      ? h(
          "p",
          { class: "quiet" },
          "Defence: ",
          target.defences.map((each) =>
            h("span", { title: each.clause }, `${fire(each.value)} ${each.name}  `),
          ),
        )
      : null,
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["Loses", "and then", "Chance"].map((words) => h("th", { scope: "col" }, words)),
        ),
      ),
      h(
        "tbody",
        {},
        [...(target.results ?? [])]
          .sort((a, b) => Number(b.chance?.decimal) - Number(a.chance?.decimal))
          .map((result) =>
            h(
              "tr",
              {},
              h("td", {}, String(result.lost ?? 0)),
              h("td", {}, result.outcome ? enumWords(result.outcome, "OUTCOME_") : "no check"),
              h("td", { title: result.chance?.exact }, percent(result.chance), short(result.chance)),
            ),
          ),
      ),
    ),
  );
}

const short = (fraction) =>
  fraction?.exact && fraction.exact.length < 12 ? h("small", {}, ` ${fraction.exact}`) : null;

export { hexName };
