/** The drawing of the table, and the places in it that can be clicked. */

import { byId } from "./dom.js";
import { openMenu } from "./menu.js";
import { explain, hide } from "./tooltip.js";

/** @import {Frame, Legal} from "./types.js" */

const LIT = "lit";

export class PictureView {
  /** @param {(action: string) => void} choose */
  constructor(choose) {
    this.box = byId("picture");
    this.choose = choose;
    /** @type {Map<string, Element>} by action */
    this.spots = new Map();
  }

  /**
   * Show a frame.
   *
   * @param {Frame} frame
   * @param {string} label what a screen reader says of it
   * @param {boolean} mayAct
   */
  render(frame, label, mayAct) {
    const svg = parse(frame.svg);
    const [, , width, height] = (svg.getAttribute("viewBox") ?? "0 0 3 2").split(" ").map(Number);
    this.box.style.setProperty("--ratio", String(width / height));
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", label);
    this.spots.clear();
    for (const spot of svg.querySelectorAll(".spot")) {
      if (mayAct) this.#dress(spot, frame.legal);
      else spot.remove();
    }
    for (const note of svg.querySelectorAll(".note")) explain(note, true);
    hide();
    for (const text of svg.querySelectorAll("text")) text.setAttribute("aria-hidden", "true");
    this.box.replaceChildren(svg);
  }

  /**
   * Mark the place of an action, as if the mouse were over it.
   *
   * @param {string} action
   * @param {boolean} on
   */
  light(action, on) {
    this.spots.get(action)?.classList.toggle(LIT, on);
  }

  /**
   * @param {Element} spot
   * @param {Legal[]} legal
   */
  #dress(spot, legal) {
    const named = (spot.getAttribute("data-actions") ?? "").split(" ");
    const choices = legal.filter(({ action }) => named.includes(action));
    if (!choices.length) {
      spot.remove();
      return;
    }
    for (const { action } of choices) this.spots.set(action, spot);
    const note = spot.getAttribute("data-note") ?? "";
    const words = choices.map(({ name, words: said }) => said || name);
    spot.setAttribute("role", "button");
    spot.setAttribute("tabindex", "0");
    spot.setAttribute("aria-label", [words.join("; or "), note].filter(Boolean).join(". "));
    if (choices.length > 1) spot.setAttribute("aria-haspopup", "menu");
    if (note) explain(spot, false);
    let touched = false;
    spot.addEventListener("pointerdown", (event) => {
      touched = /** @type {PointerEvent} */ (event).pointerType === "touch";
    });
    const press = () => {
      // A finger cannot ask without pressing: it is told first, and chooses then.
      if (touched && note) openMenu(spot, choices, this.choose, note);
      else if (choices.length === 1) this.choose(choices[0].action);
      else openMenu(spot, choices, this.choose);
    };
    spot.addEventListener("click", press);
    spot.addEventListener("keydown", (event) => {
      const { key } = /** @type {KeyboardEvent} */ (event);
      if (key !== "Enter" && key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      press();
    });
  }
}

/**
 * Read a drawing; it becomes part of the page only if it is one.
 *
 * @param {string} text
 * @returns {SVGSVGElement}
 */
function parse(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.localName !== "svg") throw new Error("The drawing cannot be read.");
  return document.importNode(/** @type {SVGSVGElement} */ (/** @type {unknown} */ (root)), true);
}
