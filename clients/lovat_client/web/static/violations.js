/** Broken rules in words, each at its place. */

import { rules } from "./connect.js";
import { button, h } from "./dom.js";
import { at } from "./tell.js";
import { placeOf } from "./orders.js";
import { plural } from "./words.js";

/** A clause that says, when pressed, how the server reads it. */
function clauseButton(clause) {
  const reading = h("span", { class: "reading", role: "status" });
  return [
    button(
      clause,
      async () => {
        if (reading.textContent) {
          reading.textContent = "";
          return;
        }
        try {
          const found = await rules("DescribeRule", { clause }, { patience: 4000 });
          reading.textContent = `${found.rule}: ${found.reading}`;
        } catch (error) {
          reading.textContent = error.message;
        }
      },
      { class: "clause", title: "What does this clause say?" },
    ),
    reading,
  ];
}

/** One violation as a list item. */
export function violationItem(violation, order, word = "") {
  const place = placeOf(violation, order);
  return h(
    "li",
    { class: "violation" },
    violation.clause ? clauseButton(violation.clause) : null,
    " ",
    h("span", { class: "message" }, violation.message),
    word ? h("span", { class: "where" }, ` (${word})`) : null,
    place.hex ? [" ", at(place.hex)] : null,
  );
}

/** A whole refusal. @param {any[]} violations */
export function refusal(violations, order, { title = "Refused", wordOf = () => "" } = {}) {
  if (!violations.length) return null;
  return h(
    "div",
    { class: "refusal", role: "group", "aria-label": "Broken rules" },
    h("h3", {}, `${title}: ${plural(violations.length, "rule")} broken`),
    h(
      "ul",
      {},
      violations.map((violation) => violationItem(violation, order, wordOf(violation))),
    ),
  );
}

/** The same as one text, for the live region. */
export function spoken(violations) {
  return `Refused. ${violations.map((violation) => violation.message).join(" ")}`;
}
