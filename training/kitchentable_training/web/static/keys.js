/** Keys of the table's page. */

import { byId } from "./dom.js";

/** @import {Playback} from "./playback.js" */

const OFF = "kitchentable-keys-off";

/**
 * @param {Playback} playback
 * @param {(number: number) => void} chooseNumber from 1
 * @param {() => void} takeBack
 */
export function listenToKeys(playback, chooseNumber, takeBack) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("keys"));
  const on = /** @type {HTMLInputElement} */ (byId("keys-on"));
  on.checked = localStorage.getItem(OFF) !== "yes";
  on.addEventListener("change", () => localStorage.setItem(OFF, on.checked ? "no" : "yes"));
  byId("show-keys").addEventListener("click", () => dialog.showModal());
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => playback.goTo(playback.k - 1),
    ArrowRight: () => playback.goTo(playback.k + 1),
    Home: () => playback.goTo(0),
    End: () => playback.goTo(playback.moves),
    " ": () => byId("step-play").click(),
    Backspace: takeBack,
    "?": () => dialog.showModal(),
  };
  for (let number = 1; number <= 9; number += 1) keys[String(number)] = () => chooseNumber(number);
  document.addEventListener("keydown", (event) => {
    if (!on.checked || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
      return;
    if (dialog.open || takesKey(event)) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    if (!event.repeat || event.key.startsWith("Arrow")) act();
  });
}

/**
 * Whether what has the focus needs the key itself.
 *
 * @param {KeyboardEvent} event
 */
function takesKey({ key, target }) {
  if (!(target instanceof Element)) return false;
  if (target.closest("select, input:not([type=checkbox]), textarea, [role=menu]")) return true;
  if (key === " ") return target.closest("button, a, summary, input, [role=button]") !== null;
  // A box that scrolls, as the table in words, is scrolled by these.
  return (key === "Home" || key === "End") && target.closest("pre, .log-box") !== null;
}
