/** Small helpers that make elements. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. `on...` attributes are listeners; `true` sets an empty attribute, `false`, null and
 * undefined none.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...any} children nodes, text, or lists of them
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element; arguments as of `h`. @returns {SVGElement} */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  return document.getElementById(id);
}

/** Put other children into an element, keeping the focus on what has the same id. */
export function put(element, ...children) {
  const held = document.activeElement;
  const id = held && element.contains(held) ? held.id : "";
  element.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== false && child !== undefined),
  );
  if (id) byId(id)?.focus({ preventScroll: true });
}

/** Say something to a screen reader. @param {string} text @param {boolean} [urgent] */
export function say(text, urgent = false) {
  const place = byId(urgent ? "alarm" : "live");
  place.textContent = "";
  setTimeout(() => {
    place.textContent = text;
  }, 30);
}

/** A button. @param {string|Node} label @param {() => void} act @param {Record<string, any>} [more] */
export function button(label, act, more = {}) {
  return h("button", { type: "button", onclick: act, ...more }, label);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child);
  }
  return element;
}
