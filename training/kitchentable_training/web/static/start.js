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
  const made = await post("/api/tables", { ...settings, token });
  token = newToken();
  goTo(made);
}

/**
 * Go to a table. Where nobody plays, it is watched from its beginning.
 *
 * @param {{id: string, people: boolean}} made
 */
export function goTo({ id, people }) {
  location.assign(`/table/${id}${people ? "" : "#k=0&play=1"}`);
}

function newToken() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
