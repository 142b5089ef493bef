/** The points and places of all seats. */

import { byId, el } from "./dom.js";

/** @import {Names} from "./words.js" */
/** @import {Frame} from "./types.js" */

/**
 * @param {Frame} frame
 * @param {Names} names
 */
export function renderScores(frame, names) {
  const alone = names.seats.length === 1; // then there are no places
  byId("scores").classList.toggle("alone", alone);
  const body = byId("scores").querySelector("tbody");
  const rows = names.seats.map((seat, i) => {
    const acts = frame.mover === i && !frame.over;
    return el(
      "tr",
      { class: acts ? "acts" : null },
      el(
        "th",
        { scope: "row" },
        seat.short,
        names.more(i) && el("span", { class: "hint" }, ` ${names.more(i)}`),
        acts ? el("span", { class: "tag" }, "to act") : null,
      ),
      el("td", {}, String(frame.scores[i])),
      el("td", {}, String(frame.ranks[i])),
    );
  });
  body?.replaceChildren(...rows);
}
