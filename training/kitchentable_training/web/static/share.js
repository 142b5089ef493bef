/** Links that people pass on. */

import { byId, el } from "./dom.js";

/**
 * Show a link, and copy it if the browser lets it be.
 *
 * @param {HTMLElement} box
 * @param {string} id of the field with the link
 * @param {string} what the link is: "Invitation"
 * @param {string} path without the host
 */
export async function shareLink(box, id, what, path) {
  const address = location.origin + path;
  const field = el("input", { readonly: true, id, "aria-label": what, value: address });
  const copied = await navigator.clipboard?.writeText(address).then(
    () => true,
    () => false,
  );
  box.replaceChildren(
    el("p", {}, copied ? `${what} copied:` : `Copy this link (${what.toLowerCase()}):`),
    field,
  );
  /** @type {HTMLInputElement} */ (byId(id)).select();
}

/** Whether other machines cannot open links with this page's host. */
export function isLocal() {
  return ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
}
