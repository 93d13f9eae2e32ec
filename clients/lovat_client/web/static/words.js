/** Values in the words of a player. */

export const SIDES = ["soviet", "german"];
const MOVEMENT_POINT = 120;
const FIRE_POINT = 8;

/** "SIDE_SOVIET" -> "soviet". */
export const sideOf = (name) => (name || "").replace("SIDE_", "").toLowerCase();
export const indexOf = (side) => SIDES.indexOf(side);
export const otherSide = (side) => SIDES[1 - indexOf(side)];
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const sideName = (side) => (side ? capital(side) : "Spectator");

/** An enum value in words: enumWords("WEATHER_FROST", "WEATHER_") -> "frost". */
export const enumWords = (value, prefix) =>
  (value || "").replace(prefix, "").replaceAll("_", " ").toLowerCase();

/** A printed hex number. */
export const hexName = (hex) => (hex ? String(hex).padStart(4, "0") : "off the map");

const SMALL = {
  "1/2": "½",
  "1/3": "⅓",
  "2/3": "⅔",
  "1/4": "¼",
  "3/4": "¾",
  "1/8": "⅛",
  "3/8": "⅜",
  "5/8": "⅝",
  "7/8": "⅞",
  "1/6": "⅙",
  "5/6": "⅚",
};

function mixed(value, unit) {
  const whole = Math.floor(value / unit);
  let [rest, below] = [value % unit, unit];
  for (let divisor = 2; divisor <= rest;) {
    if (rest % divisor === 0 && below % divisor === 0) {
      rest /= divisor;
      below /= divisor;
    } else divisor += 1;
  }
  if (!rest) return String(whole);
  const part = SMALL[`${rest}/${below}`] ?? `${whole ? " " : ""}${rest}/${below}`;
  return whole ? `${whole}${part}` : part;
}

/** Movement in MP, given in 1/120 MP. */
export const movement = (value) => mixed(value || 0, MOVEMENT_POINT);
/** Fire in points, given in eighths. */
export const fire = (value) => mixed(value || 0, FIRE_POINT);

export const DECISIONS = {
  set_up: "Set up your units",
  distribute_losses: "Divide the losses to date",
  sustain_garrison: "Buy Velikiye Luki out of isolation?",
  refit: "Refit a tank brigade?",
  replace: "Hand out replacements and repairs",
  declare_impulse: "Declare an impulse",
  move_and_declare: "Move, and declare assaults",
  retreat_before_combat: "Ski troops may leave before the assault",
  pursue: "Ski troops may pursue",
  barrage: "Barrage",
  defensive_fire: "Defensive fire",
  assault_fire: "Assault fire",
  retreat: "Retreat beaten units",
  advance: "Advance into vacated hexes",
  game_over: "The game is over",
};
export const decisionWords = (kind) => DECISIONS[kind] ?? capital((kind || "").replaceAll("_", " "));
/** The first letter small: "Buy Velikiye Luki" -> "buy Velikiye Luki". */
export const small = (text) => text.charAt(0).toLowerCase() + text.slice(1);
export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

const PIPS = ["", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];
export const pip = (die) => PIPS[die] ?? String(die);
