/** The tables that there are: to go on, to sit down, to look at. */

import { get, post, remove, wordsOf } from "./api.js";
import { byId, deleteButton, el, fill, plural, showText } from "./dom.js";
import { playerName } from "./words.js";

/** @import {TableRow} from "./types.js" */

const EVERY = 5000; // milliseconds between two looks
const SHORT = 8; // tables shown at first
let shown = "";
let whole = false;
let lost = false; // whether the last look failed, which is what the error says then

/** Show the tables, and look again from time to time. */
export function listTables() {
  update();
  setInterval(() => {
    if (!document.hidden) update();
  }, EVERY);
}

async function update() {
  try {
    const { tables } = await get("/api/tables", { quiet: true });
    if (lost) showText(byId("tables-error"), "");
    lost = false;
    const now = JSON.stringify(tables);
    if (now === shown) return;
    shown = now;
    render(tables);
  } catch (error) {
    lost = true;
    showText(byId("tables-error"), wordsOf(error));
  }
}

/** @param {TableRow[]} tables */
function render(tables) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const key = byId("tables").contains(focused) ? focused?.id : null;
  const armed = byId("tables").querySelector("[data-sure]")?.id;
  // Those that wait for this user come first; the order is kept otherwise.
  const sorted = tables.toSorted((one, other) => urgency(other) - urgency(one));
  const rows = (whole ? sorted : sorted.slice(0, SHORT)).map(row);
  const more = rows.length < tables.length && el("li", {}, moreButton(tables));
  fill(byId("tables"), ...rows, more);
  byId("no-tables").hidden = tables.length > 0;
  if (armed) document.getElementById(armed)?.click(); // another table has changed: it stays armed
  if (!key) return;
  const next = document.getElementById(key) ?? byId("tables").querySelector("a");
  next?.focus({ preventScroll: true });
}

/** @param {TableRow} table */
function urgency({ my_turn: turn, mine, over, failed, open }) {
  if (over || failed) return 0;
  return turn ? 3 : mine ? 2 : open.length ? 1 : 0;
}

/** @param {TableRow[]} tables */
function moreButton(tables) {
  const show = () => {
    whole = true;
    render(tables);
    /** @type {HTMLElement | null} */ (
      byId("tables").querySelector(`li:nth-child(${SHORT + 1}) a`)
    )?.focus();
  };
  return el(
    "button",
    { id: "all-tables", class: "quiet", onclick: show },
    `Show all ${tables.length}`,
  );
}

/** @param {TableRow} table */
function row(table) {
  const seats = table.seats.map(playerName).join(" · ");
  return el(
    "li",
    { class: table.my_turn ? "mine" : null },
    el(
      "a",
      { href: `/table/${table.id}`, id: `open-${table.id}` },
      el("b", {}, table.title),
      el("span", { class: table.my_turn ? "tag strong" : "tag" }, state(table)),
      table.open.length > 0 &&
        el("span", { class: "tag strong" }, plural(table.open.length, "free seat")),
      el("span", { class: "hint" }, `${table.about}, ${when(table.created)}`),
      el("span", { class: "seats" }, seats),
    ),
    el("div", { class: "row" }, ...sitButtons(table), table.can_delete && deletion(table)),
  );
}

/** @param {TableRow} table */
function state({ kind, over, failed, my_turn: turn, moves }) {
  if (kind === "replay") return "replay";
  if (over) return "over";
  if (failed) return "stopped";
  return turn ? "your turn" : plural(moves, "decision");
}

/** @param {TableRow} table */
function sitButtons({ id, mine, open }) {
  if (mine) return [];
  const sit = async (/** @type {number} */ seat) => {
    await post(`/api/tables/${id}/sit`, { seat });
    location.assign(`/table/${id}`);
  };
  return open
    .slice(0, 1)
    .map((seat) =>
      el("button", { id: `sit-${id}`, onclick: () => attempt(sit(seat)) }, "Sit down"),
    );
}

/** @param {TableRow} table */
function deletion({ id, title }) {
  const what = el("span", { class: "hidden" }, ` ${title}`);
  return deleteButton(`delete-${id}`, what, () =>
    attempt(remove(`/api/tables/${id}`).then(update)),
  );
}

/** @param {Promise<unknown>} work */
async function attempt(work) {
  showText(byId("tables-error"), "");
  await work.catch((error) => showText(byId("tables-error"), wordsOf(error)));
}

/** @param {string} created */
function when(created) {
  return new Date(created).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
