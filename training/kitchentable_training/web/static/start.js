/** Making a table, and going there. */

import { post } from "./api.js";

/** @import {Settings} from "./types.js" */

let token = newToken();

/**
 * Make a table and go there. If the answer is lost, trying again leads to the same table.
 *
 * @param {Settings} settings
 */
export async function startTable(settings) {
  const { id } = await post("/api/tables", { ...settings, token });
  token = newToken();
  const people = settings.seats.some((seat) => seat === "me" || seat === "open");
  // Where nobody plays, it is watched from its beginning.
  location.assign(`/table/${id}${people ? "" : "#k=0&play=1"}`);
}

function newToken() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
