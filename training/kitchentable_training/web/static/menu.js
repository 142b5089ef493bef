/** A small menu at a place in the drawing where there is more than one thing to choose. */

import { byId, el, fill, placeBeside } from "./dom.js";

/** @import {Legal} from "./types.js" */

/**
 * Let the user choose among actions; Escape or a click elsewhere leaves all as it was.
 *
 * @param {Element} at
 * @param {Legal[]} choices
 * @param {(action: string) => void} choose
 * @param {string} [note] what the place means
 */
export function openMenu(at, choices, choose, note) {
  const menu = byId("menu");
  const items = choices.map(({ action, name, words }) =>
    el(
      "button",
      {
        role: "menuitem",
        "data-action": action,
        onclick: () => {
          menu.hidePopover();
          choose(action);
        },
      },
      el("b", {}, name),
      words ? el("span", {}, words) : null,
    ),
  );
  fill(menu, note && el("p", { class: "about" }, note), ...items);
  menu.onkeydown = (event) => walk(event, items);
  menu.ontoggle = (event) => {
    const closed = /** @type {ToggleEvent} */ (event).newState === "closed";
    const inside =
      menu.contains(document.activeElement) || document.activeElement === document.body;
    if (closed && inside && at.isConnected)
      /** @type {SVGElement} */ (at).focus({ preventScroll: true });
  };
  menu.showPopover();
  placeBeside(menu, at.getBoundingClientRect(), false);
  items[0].focus({ preventScroll: true });
}

/** Close the menu, if it is open: what it offered is past. */
export function closeMenu() {
  const menu = byId("menu");
  if (menu.matches(":popover-open")) menu.hidePopover();
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement[]} items
 */
function walk(event, items) {
  const steps = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1 });
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const now = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  items[(now + step + items.length) % items.length].focus();
}
