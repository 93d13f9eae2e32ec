// Plays a seat of a match at a Lovat arbiter: marches a few units, and leaves fire, retreats and
// advances to the standing orders. It knows the contract in proto/ and nothing else.

import { randomInt, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    arbiter: { type: "string", default: process.env.LOVAT_ARBITER ?? "127.0.0.1:50052" },
    player: { type: "string", default: "Node" },
    decisions: { type: "string", default: "0" }, // leave after so many; 0 for none
    proto: { type: "string", default: fileURLToPath(new URL("../../../proto", import.meta.url)) },
  },
});

const definition = loadSync("lovat/play/v1/match_service.proto", {
  includeDirs: [given.proto],
  keepCase: true, // fields are named as in the .proto
  longs: String,
  enums: String,
  defaults: true, // fields that were not sent have their default
});
const { play, white_death } = grpc.loadPackageDefinition(definition).lovat;
const flags = white_death.v1.MarkFlag.type.value;
const mayNotEnd = flags.find(({ name }) => name === "MARK_FLAG_MAY_NOT_END").number;
const client = new play.v1.MatchService(given.arbiter, grpc.credentials.createInsecure());
const metadata = new grpc.Metadata();

// One call. What nobody answered is asked again for half a minute: with the same request_id that
// changes nothing twice.
async function call(method, request) {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      return await new Promise((resolve, reject) => {
        client[method](request, metadata, { deadline: end }, (error, response) =>
          error ? reject(error) : resolve(response),
        );
      });
    } catch (error) {
      if (error.code !== grpc.status.UNAVAILABLE || Date.now() > end) throw error;
      await pause(300);
    }
  }
}

// The token of the seat is in LOVAT_TOKEN; without one a free seat of an open match is taken.
async function takeSeat(matchId) {
  let token = process.env.LOVAT_TOKEN;
  if (!token) {
    if (!matchId) throw new Error("expected a token in LOVAT_TOKEN, or the id of an open match");
    const request = { match_id: matchId, player: given.player, request_id: randomUUID() };
    ({ token } = await call("JoinMatch", request));
  }
  metadata.set("authorization", `Bearer ${token}`);
}

const anyOf = (list) => list[randomInt(list.length)];

// The hexes entered on the way to one: a listing names for every hex the one before it.
function pathTo(option, end) {
  const before = new Map(option.hexes.map((hex, index) => [hex, option.previous[index]]));
  const path = [end];
  while (before.has(before.get(path[0]))) path.unshift(before.get(path[0]));
  return path;
}

function marches(listing, most) {
  const actions = [];
  const units = listing.units.filter((option) => option.hexes.length > 0);
  for (let tries = 0; tries < most && units.length > 0; tries += 1) {
    const [option] = units.splice(randomInt(units.length), 1);
    const ends = option.hexes.filter((_, index) => !(option.marks[index] & mayNotEnd));
    if (ends.length === 0) continue;
    actions.push({ march: { units: [option.unit], path: pathTo(option, anyOf(ends)) } });
  }
  return actions;
}

// Answers to a decision, from bold to safe. Most kinds have an empty order, which does nothing or
// leaves it to the standing orders.
function answers(kind, listing) {
  switch (kind) {
    case "set_up":
    case "distribute_losses":
      return [{ standard: true }];
    case "sustain_garrison":
      return [{ spend: listing.may_sustain }, { spend: false }];
    case "declare_impulse": {
      const option = anyOf(listing.declarations);
      const points = Math.min(option.most, option.least + randomInt(4));
      return [{ kind: option.kind, points }, { kind: option.kind, points: option.least }];
    }
    case "move_and_declare":
      return [6, 3, 1, 0].map((most) => ({ actions: marches(listing, most) }));
    default:
      return [{}];
  }
}

// Answers the pending decision; false if the match has gone on by itself meanwhile.
async function decide(turn) {
  const { kind } = turn.decision;
  let violations = [];
  for (const answer of answers(kind, turn.listing.white_death)) {
    let response;
    try {
      response = await call("SubmitOrders", {
        order: { white_death: { [kind]: answer } },
        expected_version: turn.version,
        request_id: randomUUID(),
      });
    } catch (error) {
      if ([grpc.status.ABORTED, grpc.status.FAILED_PRECONDITION].includes(error.code)) return false;
      throw error;
    }
    ({ violations } = response);
    if (violations.length === 0) return true;
    console.log(`refused: [${violations[0].clause}] ${violations[0].message}`);
  }
  throw new Error(`nothing answers ${kind}: ${violations[0].message}`);
}

async function playSeat() {
  await takeSeat(positionals[0]);
  const most = Number(given.decisions) || Infinity;
  let decisions = 0;
  let turn = await call("GetTurn", {});
  console.log(`${turn.side} in match ${turn.match.match_id}, ${turn.match.scenario}`);
  while (turn.match.state !== "MATCH_STATE_OVER" && decisions < most) {
    if (turn.match.state === "MATCH_STATE_RUNNING" && turn.decision.side === turn.side) {
      console.log(`version ${turn.version}: ${turn.decision.kind}`);
      if (await decide(turn)) decisions += 1;
    } else {
      await nextEvent(turn.sequence);
    }
    turn = await call("GetTurn", {});
  }
  console.log(`decisions: ${decisions}`);
  if (turn.match.result) {
    const { ending, winner, score } = turn.match.result;
    console.log(`over: ${ending} ${winner} ${score.white_death.points} ${score.white_death.level}`);
  }
}

// Waits for the next event of the match, or for the stream to break: then the turn is asked again.
async function nextEvent(sequence) {
  const stream = client.WatchMatch({ after_sequence: sequence }, metadata);
  try {
    for await (const _ of stream) break;
  } catch (error) {
    if (error.code !== grpc.status.UNAVAILABLE) throw error;
  } finally {
    stream.cancel();
  }
}

try {
  await playSeat();
} catch (error) {
  console.error(`error: ${error.details || error.message}`);
  process.exitCode = 1;
} finally {
  client.close();
}
