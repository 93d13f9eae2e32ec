/** Replay files (`.replay.jsonl`): read with their chain checked, and written. */

const FIRST = "0".repeat(64);
const SEAL = /^(\{.*),"chain":"([0-9a-f]{64})"\}$/s;

/** "order_path" -> "orderPath" in every name of a value. Names of unit ids are values, not names. */
export function camel(value) {
  if (Array.isArray(value)) return value.map(camel);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase()),
      camel(inner),
    ]),
  );
}

async function chained(chain, body) {
  if (!globalThis.crypto?.subtle) return null; // only on https and localhost
  const bytes = new TextEncoder().encode(`${chain}\n${body}`);
  const sum = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {string} text
 * @returns {Promise<{header: any, records: any[], sealed: boolean}>} `sealed`: the chain was checked
 */
export async function readReplay(text) {
  const lines = text.split("\n").filter((line) => line);
  let chain = FIRST;
  let header = null;
  let sealed = true;
  let ended = false;
  const records = [];
  for (const [index, line] of lines.entries()) {
    const match = SEAL.exec(line);
    if (!match) throw new Error(`line ${index + 1}: this is no sealed line of a replay file`);
    const expected = await chained(chain, match[1]);
    if (expected === null) sealed = false;
    else if (expected !== match[2]) throw new Error(`line ${index + 1}: the line is not as it was written`);
    chain = match[2];
    const value = JSON.parse(`${match[1]}}`);
    if (value.header) {
      if (value.header.format !== 1) throw new Error(`format ${value.header.format} is unknown`);
      header = camel(value.header);
    } else if (value.record) records.push(camel(value.record));
    else if (value.end) ended = true;
  }
  if (!header) throw new Error("this is no replay file: it has no header");
  if (!ended) throw new Error("the file ends before its closing line");
  return { header, records, sealed };
}

/** A file of a game so far. @returns {Promise<string>} */
export async function writeReplay(first, start, records) {
  const header = {
    format: 1,
    game: first.game,
    scenario: first.scenario,
    ruleset_version: first.rulesetVersion,
    catalog_hash: first.catalogHash,
    checksum: first.checksum,
    start,
  };
  const end = { records: records.length, checksum: records.at(-1)?.checksumAfter ?? first.checksum };
  let chain = FIRST;
  const lines = [];
  for (const value of [{ header }, ...records.map((record) => ({ record })), { end }]) {
    const body = JSON.stringify(value).slice(0, -1);
    chain = await chained(chain, body);
    if (chain === null) throw new Error("this browser makes no checksums on a page without https");
    lines.push(`${body},"chain":"${chain}"}`);
  }
  return `${lines.join("\n")}\n`;
}
