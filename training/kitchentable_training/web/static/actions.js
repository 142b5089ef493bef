/** A button for everything that may be done now; what the drawing offers too is in a list that folds. */

import { byId, el, fill, plural } from "./dom.js";
import { parts, sentence } from "./words.js";

/** @import {Frame, Legal} from "./types.js" */

const MANY = 12; // if there are more, all that are of a kind are put together
const ALIKE = 3; // so many that mean the same, each of another thing, are put together anyway
const KEYS = 9;
const OPEN = "kitchentable-choices"; // whether the list was left open, by size of the screen
const PHONE = matchMedia("(max-width: 699px)");

export class ActionsView {
  /**
   * @param {(action: string | null) => void} choose null: take back a letter
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
   * @param {Map<string, Element>} spots the places in the drawing, by action
   */
  render(frame, mayAct, spots) {
    this.box.hidden = !mayAct;
    this.order = [];
    this.sending(false);
    if (!mayAct) {
      this.box.replaceChildren();
      return;
    }
    const many = frame.legal.length > MANY;
    const drawn = frame.legal.filter(({ action }) => spots.has(action));
    const others = frame.legal.filter(({ action }) => !spots.has(action));
    fill(
      this.box,
      drawn.length > 0 && this.#list(drawn, many),
      ...this.#kinds(others, many),
      frame.drafted > 0 && this.#takeBack(),
    );
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

  /**
   * What can be clicked in the drawing too: on small screens, it does not take the drawing's room.
   *
   * @param {Legal[]} legal
   * @param {boolean} many
   */
  #list(legal, many) {
    const key = `${OPEN}${PHONE.matches ? "-phone" : ""}`;
    const list = el(
      "details",
      { class: many ? "all many" : "all" },
      el("summary", {}, `${plural(legal.length, "choice")} in the picture`),
      el("div", {}, ...this.#kinds(legal, many)),
    );
    list.open = (localStorage.getItem(key) ?? (PHONE.matches ? "no" : "yes")) === "yes";
    list.addEventListener("toggle", () => localStorage.setItem(key, list.open ? "yes" : "no"));
    return list;
  }

  /**
   * @param {Legal[]} legal
   * @param {boolean} many
   */
  #kinds(legal, many) {
    return group(legal).map((one) => {
      const pattern = common(one);
      const together = one.length >= ALIKE && pattern !== null;
      return together || (many && one.length > 1)
        ? this.#grouped(one, pattern ?? "")
        : el("div", { class: "kind" }, ...one.map((single) => this.#button(single, false)));
    });
  }

  #takeBack() {
    return el(
      "button",
      { id: "take-back", onclick: () => this.choose(null) },
      "Take back the last letter",
    );
  }

  /**
   * @param {Legal[]} group
   * @param {string} about what they all mean
   */
  #grouped(group, about) {
    return el(
      "fieldset",
      { class: "kind" },
      about ? el("legend", {}, sentence(about)) : null,
      ...group.map((one) => this.#button(one, true)),
    );
  }

  /**
   * @param {Legal} one
   * @param {boolean} short whether what it means stands above the group
   */
  #button({ action, name, words }, short) {
    this.order.push(action);
    const key = this.order.length;
    const said = sentence(words || name);
    const what = parts(action).what.replaceAll("_", " ");
    const light = (/** @type {boolean} */ on) => () => this.light(action, on);
    return el(
      "button",
      {
        "data-action": action,
        "aria-label": short ? said : null,
        "aria-keyshortcuts": key <= KEYS ? String(key) : null,
        title: short ? said : null,
        onclick: () => this.choose(action),
        onmouseenter: light(true),
        onmouseleave: light(false),
        onfocus: (/** @type {FocusEvent} */ { target }) =>
          this.light(action, /** @type {Element} */ (target).matches(":focus-visible")),
        onblur: light(false),
      },
      key <= KEYS ? el("kbd", { "aria-hidden": "true" }, String(key)) : null,
      // A number alone would be taken for the key beside it.
      short ? el("b", {}, /^[\d,]*$/.test(what) ? name : what) : el("span", {}, said),
    );
  }
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
