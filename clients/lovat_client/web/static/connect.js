/** The Connect protocol with protobuf JSON over fetch: unary calls and server streams. */

/** Why a call failed: `code` is the Connect name of a gRPC status ("not_found"). */
export class CallError extends Error {
  /** @param {string} rpc @param {string} code @param {string} message */
  constructor(rpc, code, message) {
    super(message || code);
    this.rpc = rpc;
    this.code = code;
  }
}

/** Tells "down" when calls get no answer and "up" when they do again. */
export const link = new EventTarget();

const PATIENCE = 120000;
const ABSENT = new Set(["unavailable"]);
let isDown = false;

function tell(down) {
  if (down === isDown) return;
  isDown = down;
  link.dispatchEvent(new Event(down ? "down" : "up"));
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

function headers(kind, token) {
  const found = { "content-type": kind, "connect-protocol-version": "1" };
  if (token) found.authorization = `Bearer ${token}`;
  return found;
}

/**
 * Call a method. What nobody answered is asked again: calls of the rules are pure, and those of the
 * arbiter that change something carry a request id.
 * @param {string} service full name
 * @param {string} method
 * @param {object} request protobuf JSON
 * @param {{token?: string, signal?: AbortSignal, patience?: number}} [options]
 * @returns {Promise<any>}
 */
export async function call(service, method, request, options = {}) {
  const end = Date.now() + (options.patience ?? PATIENCE);
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await once(service, method, request, options);
      tell(false);
      return answer;
    } catch (error) {
      const absent = error instanceof CallError ? ABSENT.has(error.code) : error instanceof TypeError;
      if (!absent) {
        if (error instanceof CallError) tell(false);
        throw error;
      }
      tell(true);
      if (Date.now() > end) throw new CallError(method, "unavailable", "the server does not answer");
      await pause(Math.min(300 * 1.5 ** attempt, 2000), options.signal);
    }
  }
}

async function once(service, method, request, { token, signal }) {
  const response = await fetch(`/${service}/${method}`, {
    method: "POST",
    headers: headers("application/json", token),
    signal,
    body: JSON.stringify(request),
  });
  const text = await response.text();
  if (response.ok) return text ? JSON.parse(text) : {};
  throw failure(method, response.status, text);
}

function failure(method, status, text) {
  try {
    const told = JSON.parse(text);
    if (told.code) return new CallError(method, told.code, told.message);
  } catch {
    /* no answer of the protocol */
  }
  if (status === 404) {
    return new CallError(method, "unimplemented", `this server does not have ${method} yet`);
  }
  const code = status === 502 || status === 503 || status === 504 ? "unavailable" : "unknown";
  return new CallError(method, code, `${method}: HTTP status ${status}`);
}

/**
 * Read a server stream. Ends with it; throws if it breaks.
 * @param {string} service @param {string} method @param {object} request
 * @param {{token?: string, signal?: AbortSignal}} [options]
 */
export async function* stream(service, method, request, options = {}) {
  const message = new TextEncoder().encode(JSON.stringify(request));
  const body = new Uint8Array(5 + message.length);
  new DataView(body.buffer).setUint32(1, message.length);
  body.set(message, 5);
  const response = await fetch(`/${service}/${method}`, {
    method: "POST",
    headers: headers("application/connect+json", options.token),
    signal: options.signal,
    body,
  });
  if (!response.ok) throw failure(method, response.status, await response.text());
  tell(false);
  const reader = response.body.getReader();
  let held = new Uint8Array(0);
  try {
    for (;;) {
      while (held.length >= 5) {
        const length = new DataView(held.buffer, held.byteOffset).getUint32(1);
        if (held.length < 5 + length) break;
        const flags = held[0];
        const told = JSON.parse(new TextDecoder().decode(held.subarray(5, 5 + length)) || "{}");
        held = held.slice(5 + length);
        if (flags & 2) {
          if (told.error) throw new CallError(method, told.error.code, told.error.message);
          return;
        }
        yield told;
      }
      const { value, done } = await reader.read();
      if (done) throw new CallError(method, "unavailable", "the stream broke off");
      const more = new Uint8Array(held.length + value.length);
      more.set(held);
      more.set(value, held.length);
      held = more;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

const RULES = "lovat.rules.v1.RulesService";
const CATALOG = "lovat.rules.v1.CatalogService";
const MATCH = "lovat.play.v1.MatchService";
const BOTS = "lovat.web.v1.BotService";

export const rules = (method, request, options) => call(RULES, method, request, options);
export const catalogs = (method, request, options) => call(CATALOG, method, request, options);
export const matches = (method, request, options) => call(MATCH, method, request, options);
export const watch = (request, options) => stream(MATCH, "WatchMatch", request, options);
export const replayOf = (request, options) => stream(MATCH, "GetReplay", request, options);
export const bot = (name, request, options) => call(BOTS, name, request, options);
