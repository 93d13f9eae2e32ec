/** Where the page begins: the lobby, or a table. */

import { link } from "./connect.js";
import { byId, h, put, say } from "./dom.js";
import { lobby } from "./lobby.js";
import { Play } from "./play.js";

let play = null;

/** Sit down at a table that `opening` opens. */
async function sit(opening) {
  const place = byId("lobby");
  place.querySelector(".opening")?.remove();
  const told = h("p", { class: "opening busy", role: "status" }, "Setting the table…");
  place.prepend(told);
  try {
    const table = await opening();
    const response = await fetch(`/board/${encodeURIComponent(table.catalog.scenario.id)}.svg`);
    if (!response.ok) throw new Error(await response.text());
    const svg = await response.text();
    told.remove();
    place.hidden = true;
    byId("table").hidden = false;
    document.body.classList.add("playing");
    play = new Play(table, svg);
    byId("board").focus();
  } catch (error) {
    told.className = "opening problem";
    told.setAttribute("role", "alert");
    told.textContent = error.message;
    console.warn(error);
  }
}

async function home() {
  play?.close();
  play = null;
  document.body.classList.remove("playing");
  byId("table").hidden = true;
  byId("lobby").hidden = false;
  byId("title").textContent = "The referee for hex wargames";
  try {
    await lobby(sit);
  } catch (error) {
    put(byId("lobby"), h("p", { class: "problem", role: "alert" }, error.message));
  }
}

link.addEventListener("down", () => {
  byId("link").textContent = "Connection lost, trying again…";
  document.body.classList.add("down");
  say("Connection lost, trying again", true);
});
link.addEventListener("up", () => {
  byId("link").textContent = "Connected again";
  document.body.classList.remove("down");
  say("Connected again");
  setTimeout(() => {
    if (byId("link").textContent === "Connected again") byId("link").textContent = "";
  }, 4000);
});
byId("home").addEventListener("click", home);
home();
