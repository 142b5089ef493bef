/** A button for everything that may be done now. */

import { byId, el } from "./dom.js";
import { actionName, parts, title } from "./words.js";

/** @import {Frame, Legal} from "./types.js" */

const MANY = 12; // if there are more, all that are of a kind are put together
const ALIKE = 3; // so many that mean the same, each of another thing, are put together anyway
const KEYS = 9;

export class ActionsView {
  /**
   * @param {(action: string) => void} choose
   * @param {(action: string, on: boolean) => void} light marks the action's place in the drawing
   */
  constructor(choose, light) {
    this.box = byId("actions");
    this.choose = choose;
    this.light = light;
    /** @type {string[]} in the order shown */
    this.order = [];
  }

  /**
   * @param {Frame} frame
   * @param {boolean} mayAct
   */
  render(frame, mayAct) {
    this.box.hidden = !mayAct;
    this.order = [];
    this.sending(false);
    if (!mayAct) {
      this.box.replaceChildren();
      return;
    }
    const many = frame.legal.length > MANY;
    this.box.classList.toggle("many", many);
    const kinds = group(frame.legal).map((one) => {
      const pattern = common(one);
      const together = one.length >= ALIKE && pattern !== null;
      return together || (many && one.length > 1)
        ? this.#grouped(one, pattern ?? "")
        : this.#listed(one);
    });
    this.box.replaceChildren(...kinds);
  }

  /**
   * Show whether a choice is on its way.
   *
   * @param {boolean} on
   */
  sending(on) {
    if (on) this.box.setAttribute("aria-busy", "true");
    else this.box.removeAttribute("aria-busy");
  }

  /** @param {Legal[]} group */
  #listed(group) {
    return el("div", { class: "kind" }, ...group.map((one) => this.#button(one, false)));
  }

  /**
   * @param {Legal[]} group
   * @param {string} about what they all mean
   */
  #grouped(group, about) {
    const { kind } = parts(group[0].action);
    return el(
      "fieldset",
      { class: "kind" },
      el("legend", {}, el("b", {}, title(kind)), about && ` ${about}`),
      ...group.map((one) => this.#button(one, true)),
    );
  }

  /**
   * @param {Legal} one
   * @param {boolean} short whether what it means stands above the group
   */
  #button({ action, words }, short) {
    this.order.push(action);
    const key = this.order.length;
    const name = title(actionName(action));
    const light = (/** @type {boolean} */ on) => () => this.light(action, on);
    return el(
      "button",
      {
        type: "button",
        "data-action": action,
        "aria-label": short ? `${name}: ${words}` : null,
        "aria-keyshortcuts": key <= KEYS ? String(key) : null,
        title: short ? words : null,
        onclick: () => this.choose(action),
        onmouseenter: light(true),
        onmouseleave: light(false),
        onfocus: (/** @type {FocusEvent} */ { target }) =>
          this.light(action, /** @type {Element} */ (target).matches(":focus-visible")),
        onblur: light(false),
      },
      key <= KEYS ? el("kbd", { "aria-hidden": "true" }, String(key)) : null,
      short ? shortName(action) : el("b", {}, name),
      !short && words ? el("span", {}, words) : null,
    );
  }
}

/**
 * An action's name under that of its kind; a number alone would be taken for the key beside it.
 *
 * @param {string} action
 */
function shortName(action) {
  const { kind, what } = parts(action);
  const before = /^\d/.test(what) && el("span", { class: "of" }, `${kind.replaceAll("_", " ")} `);
  return el("b", {}, before, what.replaceAll("_", " ") || actionName(action));
}

/**
 * Put actions of a kind together, in the order of their first ones.
 *
 * @param {Legal[]} legal
 * @returns {Legal[][]}
 */
function group(legal) {
  /** @type {Map<string, Legal[]>} */
  const kinds = new Map();
  for (const one of legal) {
    const { kind } = parts(one.action);
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  return [...kinds.values()];
}

/**
 * The words of all actions of a kind, with "…" for what they are about, if but for that they are
 * the same; else null.
 *
 * @param {Legal[]} group
 */
function common(group) {
  const [{ action, words }] = group;
  const { what } = parts(action);
  for (let at = words.indexOf(what); what && at >= 0; at = words.indexOf(what, at + 1)) {
    const [before, after] = [words.slice(0, at), words.slice(at + what.length)];
    if (group.every((one) => one.words === before + parts(one.action).what + after)) {
      return `${before}…${after}`;
    }
  }
  return null;
}
