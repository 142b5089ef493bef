/** What a player thinks of a decision: probabilities, visits of a search, values. */

import { get, isAbort, wordsOf } from "./api.js";
import { byId, el, fill, fillSelect, showText } from "./dom.js";
import { playerOptions } from "./players.js";
import { playerName } from "./words.js";

/** @import {Analysis} from "./analysis.js" */
/** @import {TableModel} from "./table_model.js" */
/** @import {Choices, Frame, Thought, Thoughts, Value} from "./types.js" */

const SHORT = 8; // actions shown at first
const WHO_SAT_THERE = "";
const OPEN = "kitchentable-thoughts"; // whether the panel was left open

export class ThoughtsView {
  /**
   * @param {TableModel} model
   * @param {Analysis} analysis
   */
  constructor(model, analysis) {
    this.model = model;
    this.analysis = analysis;
    this.panel = /** @type {HTMLDetailsElement} */ (byId("thoughts"));
    this.select = /** @type {HTMLSelectElement} */ (byId("thoughts-by"));
    this.title = byId("thoughts-title");
    this.told = byId("thoughts-told");
    this.list = byId("thoughts-list");
    /** @type {Frame | null} */
    this.frame = null;
    /** @type {AbortController | null} */
    this.asking = null;
    this.whole = false;
    this.panel.open = localStorage.getItem(OPEN) === "yes";
    this.panel.addEventListener("toggle", () => {
      localStorage.setItem(OPEN, this.panel.open ? "yes" : "no");
      this.#ask();
    });
    this.select.addEventListener("change", () => this.#ask());
  }

  /**
   * Offer who may be asked.
   *
   * @param {Choices} choices
   * @param {Record<string, Value>} params of the table
   */
  offer(choices, params) {
    const open = this.model.info.may_see_all;
    const first = el("option", { value: WHO_SAT_THERE }, open ? "whoever sat there" : "nobody");
    const game = choices.games.find(({ name }) => name === this.model.info.game);
    const chosen = this.select.value;
    const players = game ? playerOptions(choices, game, params) : [];
    fillSelect(this.select, [first, ...players]);
    // After a game of one's own, advice is what there is to see.
    const played = open && this.model.info.my_seat !== null;
    if (played && !chosen) this.select.value = this.select.options[1]?.value ?? "";
    this.#ask();
  }

  /** @param {Frame} frame */
  update(frame) {
    this.frame = frame;
    const mine = this.model.info.my_seat !== null && frame.mover === this.model.info.my_seat;
    this.panel.hidden = !(this.model.info.may_see_all || mine);
    this.title.textContent = frame.over ? "Analysis" : "Advice and thoughts";
    this.#ask();
  }

  async #ask() {
    this.asking?.abort();
    const { frame } = this;
    if (!frame || this.panel.hidden || !this.panel.open) return;
    const by = this.select.value;
    // Nobody's numbers stand under another name.
    this.#tell("");
    if (by !== this.analysis.done) this.analysis.clear();
    if (this.model.info.over && by) this.analysis.ask(by);
    if (frame.over) {
      if (!by) this.#tell("Choose a player to ask.");
      return;
    }
    if (by === WHO_SAT_THERE && !this.model.info.may_see_all) {
      this.#tell("Choose a player to ask for advice.");
      return;
    }
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.list.setAttribute("aria-busy", "true");
    const query = by ? `?${new URLSearchParams({ by })}` : "";
    try {
      this.#show(await get(`${this.model.path}/thoughts/${frame.k}${query}`, { signal }), frame);
    } catch (error) {
      if (!isAbort(error)) this.#tell(wordsOf(error));
    }
  }

  /** @param {string} text */
  #tell(text) {
    this.list.removeAttribute("aria-busy");
    this.list.replaceChildren();
    showText(this.told, text);
  }

  /**
   * @param {Thoughts} thoughts
   * @param {Frame} frame
   */
  #show(thoughts, frame) {
    const { actions } = thoughts;
    this.#tell(inWords(thoughts));
    const played = frame.next?.action ?? null;
    const rows = this.whole ? actions : shortened(actions, played);
    const more =
      rows.length < actions.length &&
      el(
        "button",
        {
          class: "quiet",
          onclick: () => {
            this.whole = true;
            this.#show(thoughts, frame);
            /** @type {HTMLElement | null} */ (
              this.list.querySelector(`tbody tr:nth-child(${SHORT + 1})`)
            )?.focus();
          },
        },
        `Show all ${actions.length}`,
      );
    fill(this.list, table(thoughts, rows, played), more);
  }
}

/** @param {Thoughts} thoughts */
function inWords({ by, choice, value, actions }) {
  const player = playerName(by);
  if (actions.length === 1) return `The only legal action: ${actions[0].name}.`;
  const values = value === null ? "" : ` It expects a reward of ${signed(value)}.`;
  const name = actions.find(({ action }) => action === choice)?.name ?? choice;
  return `${player} would choose: ${name}.${values}`;
}

/**
 * The most preferred actions, and the one that was played.
 *
 * @param {Thought[]} actions
 * @param {string | null} played
 */
function shortened(actions, played) {
  return actions.filter(({ action }, i) => i < SHORT || action === played);
}

/**
 * @param {Thoughts} thoughts
 * @param {Thought[]} rows
 * @param {string | null} played
 */
function table(thoughts, rows, played) {
  const has = (/** @type {"probability" | "visits" | "value"} */ name) =>
    thoughts.actions.some((one) => one[name] !== null);
  const total = thoughts.actions.reduce((sum, { visits }) => sum + (visits ?? 0), 0);
  const shown = { probability: has("probability"), visits: has("visits"), value: has("value") };
  const head = [
    "action",
    shown.probability && "probability",
    shown.visits && "visits",
    shown.value && "value",
  ];
  const body = rows.map((one) =>
    el(
      "tr",
      { class: one.action === played ? "played" : null, tabindex: -1 },
      el(
        "th",
        { scope: "row", title: one.words },
        one.name,
        one.action === played && el("span", { class: "tag" }, "played"),
        one.action === thoughts.choice && el("span", { class: "tag strong" }, "its choice"),
      ),
      shown.probability && bar(one.probability ?? 0, percent(one.probability)),
      shown.visits && bar((one.visits ?? 0) / (total || 1), String(one.visits ?? 0)),
      shown.value && el("td", {}, one.value === null ? "" : signed(one.value)),
    ),
  );
  return el(
    "table",
    { class: "bars" },
    el(
      "thead",
      {},
      el("tr", {}, ...head.map((name) => name && el("th", { scope: "col", class: name }, name))),
    ),
    el("tbody", {}, ...body),
  );
}

/**
 * @param {number} part from 0 to 1
 * @param {string} text
 */
function bar(part, text) {
  const cell = el("td", { class: "bar" }, el("span", {}, text));
  cell.style.setProperty("--part", `${(100 * part).toFixed(1)}%`);
  return cell;
}

/** @param {number | null} part */
function percent(part) {
  return part === null ? "" : `${(100 * part).toFixed(part > 0 && part < 0.1 ? 1 : 0)}%`;
}

/** @param {number} value */
function signed(value) {
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`;
}
