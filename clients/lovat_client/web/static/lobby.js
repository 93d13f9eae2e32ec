/** The first page: a new game, a kept one, a replay, a match at an arbiter. */

import { catalogs, matches, replayOf, CallError } from "./connect.js";
import { Catalog } from "./catalog.js";
import { button, byId, h, put } from "./dom.js";
import { LocalTable, MatchTable, ReplayTable, requestId } from "./tables.js";
import { readReplay } from "./replay_file.js";
import { capital, enumWords, sideName, SIDES } from "./words.js";

const SEATS = "lovat-seats";
const seatsKept = () => JSON.parse(localStorage.getItem(SEATS) ?? "{}");
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const field = (label, input, hint = "") =>
  h("label", { class: "field" }, h("span", {}, label), input, hint ? h("small", {}, hint) : null);

/** @param {(opening: () => Promise<any>) => Promise<void>} sit opens a table */
export async function lobby(sit) {
  const place = byId("lobby");
  const bots = document.body.dataset.bots.split(" ").filter(Boolean);
  const hasArbiter = document.body.dataset.arbiter === "yes";
  put(place, h("p", { class: "quiet" }, "Asking the server which games it has…"));
  const { scenarios = [] } = await catalogs("ListScenarios", {});
  const first = scenarios.find((each) => each.id === "purkayevs-attack") ?? scenarios[0];
  const scenario = () =>
    h(
      "select",
      {},
      scenarios.map((each) =>
        h("option", { value: each.id, selected: each === first }, each.title || each.id),
      ),
    );
  put(
    place,
    newGame(sit, scenario(), bots),
    replayCard(sit),
    hasArbiter
      ? arbiterCard(sit, scenario())
      : h(
          "section",
          { class: "card" },
          h("h2", {}, "At an arbiter"),
          h(
            "p",
            { class: "quiet" },
            "Start the page with --arbiter HOST:PORT to play or watch hosted matches here.",
          ),
        ),
  );
  if (LocalTable.isKept) {
    place.prepend(
      h(
        "section",
        { class: "card wide" },
        h("h2", {}, "A game is kept in this browser"),
        h(
          "div",
          { class: "acts" },
          button("Go on with it", () => sit(() => LocalTable.restored()), {
            class: "primary",
            id: "restore",
          }),
          button("Forget it", (event) => {
            LocalTable.forget();
            event.target.closest("section").remove();
          }),
        ),
      ),
    );
  }
}

function newGame(sit, scenario, bots) {
  const seat = (side, chosen) =>
    h(
      "select",
      { id: `seat-${side}` },
      h("option", { value: "human" }, "a person here"),
      bots.map((name) => h("option", { value: name, selected: name === chosen }, `the bot “${name}”`)),
    );
  const [soviet, german] = [seat("soviet", ""), seat("german", bots.includes("greedy") ? "greedy" : "")];
  const seed = h("input", {
    type: "text",
    maxlength: 64,
    id: "seed",
    placeholder: "none: the server draws a secret",
  });
  const free = h("input", { type: "checkbox", id: "free" });
  const options = h("div", { id: "options" });
  const listOptions = async () => {
    const catalog = await Catalog.of(scenario.value).catch(() => null);
    put(
      options,
      (catalog?.message.options ?? []).map(({ name, clause, description, defaultValue = false }) =>
        h(
          "label",
          { class: "check" },
          h("input", { type: "checkbox", name: camel(name), checked: defaultValue }),
          ` ${description} [${clause}]`,
        ),
      ),
    );
  };
  scenario.addEventListener("change", () => options.hasChildNodes() && listOptions());
  scenario.id = "scenario";
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "A game at this table"),
    field("Scenario", scenario),
    field("Soviet", soviet),
    field("German", german),
    h(
      "details",
      { ontoggle: () => options.hasChildNodes() || listOptions() },
      h("summary", {}, "More"),
      field("Seed of the dice", seed, "The same seed gives the same dice."),
      h("label", { class: "check" }, free, " Both sides set up by orders"),
      options,
    ),
    button(
      "Begin",
      () =>
        sit(() =>
          LocalTable.create({
            scenario: scenario.value,
            seed: seed.value.trim(),
            freeSetUp: free.checked,
            seats: { soviet: soviet.value, german: german.value },
            options: Object.fromEntries(
              [...options.querySelectorAll("input:checked")].map((box) => [box.name, true]),
            ),
          }),
        ),
      { class: "primary", id: "begin" },
    ),
    h(
      "p",
      { class: "quiet" },
      "Two people here pass the screen to each other. The browser keeps the whole position, so play with people you trust; for others there is the arbiter.",
    ),
  );
}

function replayCard(sit) {
  const file = h("input", {
    type: "file",
    accept: ".jsonl,.json",
    id: "replay-file",
    onchange: () => {
      const [chosen] = file.files;
      if (chosen) sit(async () => ReplayTable.open(await readReplay(await chosen.text())));
    },
  });
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "A replay"),
    field(
      "Replay file (.replay.jsonl)",
      file,
      "lovat demo writes one. The server plays it again, die by die, as you move the slider.",
    ),
  );
}

function arbiterCard(sit, scenario) {
  const list = h("div", { id: "matches" });
  const player = h("input", {
    type: "text",
    maxlength: 80,
    id: "player",
    value: localStorage.getItem("lovat-player") ?? "",
  });
  const problem = h("p", { class: "problem", role: "alert" });
  const act = (work) => async () => {
    problem.textContent = "";
    try {
      await work();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const named = () => {
    const name = player.value.trim();
    if (!name) throw new CallError("", "invalid_argument", "Say your name first.");
    localStorage.setItem("lovat-player", name);
    return name;
  };
  const join = async (matchId, side, invitation = "") => {
    const answer = await matches("JoinMatch", {
      matchId,
      side,
      invitation,
      player: named(),
      requestId: requestId(),
    });
    localStorage.setItem(SEATS, JSON.stringify({ ...seatsKept(), [matchId]: answer.token }));
    await sit(() => MatchTable.open(matchId, answer.token));
  };
  const refresh = act(async () => {
    const { matches: found = [] } = await matches("ListMatches", { pageSize: 20 }, { patience: 5000 });
    put(
      list,
      found.length
        ? h(
            "ul",
            { class: "matches" },
            found.map((match) => row(match)),
          )
        : h("p", { class: "quiet" }, "No match is listed."),
    );
  });
  const row = (match) => {
    const token = seatsKept()[match.matchId];
    const free = (match.seats ?? []).filter((seat) => !seat.taken);
    return h(
      "li",
      {},
      h("b", {}, match.name || match.scenario),
      ` ${enumWords(match.state, "MATCH_STATE_")}: `,
      (match.seats ?? [])
        .map((seat) => `${sideName(seat.side)} ${seat.taken ? seat.player : "(free)"}`)
        .join(", "),
      " ",
      token ? button("Take my seat", () => sit(() => MatchTable.open(match.matchId, token))) : null,
      match.open
        ? free.map((seat) =>
            button(
              `Join as ${sideName(seat.side)}`,
              act(() => join(match.matchId, seat.side)),
            ),
          )
        : null,
      button("Watch", () => sit(() => MatchTable.open(match.matchId, "")), { "data-watch": match.matchId }),
      match.state === "MATCH_STATE_OVER"
        ? button("Replay", () => sit(() => replayOfMatch(match.matchId)))
        : null,
    );
  };
  const side = h(
    "select",
    {},
    SIDES.map((each) => h("option", { value: each }, capital(each))),
  );
  const create = act(async () => {
    const answer = await matches("CreateMatch", {
      scenario: scenario.value,
      standardSetUp: true,
      open: true,
      name: `${named()}'s match`,
      requestId: requestId(),
    });
    await join(answer.match.matchId, side.value);
  });
  const id = h("input", { type: "text", placeholder: "match id", "aria-label": "Match id" });
  const secret = h("input", {
    type: "text",
    placeholder: "invitation or seat token",
    "aria-label": "Invitation or seat token",
    autocomplete: "off",
  });
  refresh();
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "At an arbiter"),
    field("Your name", player),
    list,
    h("div", { class: "acts" }, button("Look again", refresh)),
    problem,
    h(
      "details",
      {},
      h("summary", {}, "Open a match"),
      field("Scenario", scenario),
      field("Your side", side),
      button("Open it", create, { class: "primary", id: "open-match" }),
    ),
    h(
      "details",
      {},
      h("summary", {}, "I have an invitation or a token"),
      h("div", { class: "rowed" }, id, secret),
      h(
        "div",
        { class: "acts" },
        button(
          "Join by invitation",
          act(() => join(id.value.trim(), "", secret.value.trim())),
        ),
        button("Sit down with a token", () =>
          sit(() => MatchTable.open(id.value.trim(), secret.value.trim())),
        ),
      ),
    ),
  );
}

async function replayOfMatch(matchId) {
  let header = null;
  const records = [];
  for await (const item of replayOf({ matchId })) {
    if (item.header) header = item.header;
    else if (item.entry) records.push(item.entry.record);
  }
  const { start } = header;
  return ReplayTable.open({
    header: { scenario: header.match.scenario, start, checksum: start.position?.checksum },
    records,
    sealed: true,
  });
}
