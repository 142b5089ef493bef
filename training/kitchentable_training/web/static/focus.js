/** Keeps the keyboard's focus where it makes sense when what had it is replaced. */

import { byId } from "./dom.js";

const PLACES = ["#actions", "#picture", "#menu", "#ending"]; // what is made anew with every frame

/**
 * Do something that replaces parts of the page; then give the focus to the same action if it is
 * still there, else to the first one, else to the words that say what is going on.
 *
 * @param {() => void} replace
 */
export function keepFocus(replace) {
  const before = document.activeElement;
  const place = PLACES.find((one) => before?.closest(one));
  const waiting = before === byId("situation");
  const names = actionsOf(before);
  replace();
  if (!place && !waiting) return;
  const inside = place === "#picture" ? byId("picture") : byId("actions");
  const selector = "button[data-action], .spot[tabindex]";
  const offered = [
    ...inside.querySelectorAll(selector),
    ...byId("actions").querySelectorAll(selector),
  ];
  const same = offered.find((one) => actionsOf(one).some((name) => names.includes(name)));
  const next = byId("actions").hidden
    ? byId("situation")
    : (same ?? offered[0] ?? byId("situation"));
  /** @type {HTMLElement} */ (next).focus({ preventScroll: true });
}

/** @param {Element | null} element */
function actionsOf(element) {
  const data =
    element instanceof HTMLElement || element instanceof SVGElement ? element.dataset : {};
  return (data.action ?? data.actions ?? "").split(" ").filter(Boolean);
}
