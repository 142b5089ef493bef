/** The list of decisions, which is also the way to jump to one. */

import { byId, el } from "./dom.js";

/** @import {TableModel} from "./table_model.js" */
/** @import {Decision} from "./types.js" */

export class LogView {
  /**
   * @param {TableModel} model
   * @param {(k: number) => void} goTo
   */
  constructor(model, goTo) {
    this.model = model;
    this.list = byId("log");
    this.box = byId("log-box");
    /** @type {number[]} the decisions that an advisor disputes */
    this.disputed = [];
    /** who sits where in the rows that are shown */
    this.who = "";
    this.list.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      if (button) goTo(Number(button.dataset.k));
    });
  }

  /**
   * Show the decisions up to where the page has been, and mark one.
   *
   * @param {number} reached
   * @param {number} k the decision before which the table is shown
   */
  render(reached, k) {
    const decisions = this.model.decisions.slice(0, reached);
    const who = this.model.names.seats.map(({ short }) => short).join();
    if (who !== this.who) this.list.replaceChildren();
    this.who = who;
    while (this.list.children.length > decisions.length) this.list.lastElementChild?.remove();
    const rows = decisions.slice(this.list.children.length).map((one) => this.#row(one));
    this.list.append(...rows);
    byId("no-log").hidden = decisions.length > 0;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = /** @type {HTMLElement | null} */ (
      this.list.children[Math.min(k, reached - 1)] ?? null
    );
    if (k < reached) row?.firstElementChild?.setAttribute("aria-current", "step");
    if (row) scrollTo(this.box, row);
  }

  /**
   * Mark decisions that an advisor disputes.
   *
   * @param {number[]} disputed
   */
  mark(disputed) {
    this.disputed = disputed;
    for (const button of this.list.querySelectorAll("button")) this.#mark(button);
  }

  /** @param {HTMLButtonElement} button */
  #mark(button) {
    const marked = this.disputed.includes(Number(button.dataset.k));
    button.classList.toggle("disputed", marked);
    button.title = marked ? "The advisor would have played differently" : "";
  }

  /** @param {Decision} decision */
  #row({ k, seat, name }) {
    const before = this.model.decisions[k - 1];
    const same = before !== undefined && before.seat === seat;
    const who = el("span", { class: same ? "hidden" : "who" }, this.model.names.short(seat));
    const button = el(
      "button",
      { "data-k": k },
      el("span", { class: "number" }, String(k + 1)),
      el("span", {}, who, ` ${name}`),
    );
    this.#mark(button);
    return el("li", { class: same ? "same" : null }, button);
  }
}

/**
 * Bring a row into view within its box alone: the page stays where it is.
 *
 * @param {HTMLElement} box
 * @param {HTMLElement} row
 */
function scrollTo(box, row) {
  const top = row.offsetTop; // within the box, for it is positioned
  if (top < box.scrollTop) box.scrollTop = top;
  const bottom = top + row.offsetHeight;
  if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}
