/** After the game: the decisions at which an advisor would have played differently. */

import { get, isAbort, wordsOf } from "./api.js";
import { byId, el, plural } from "./dom.js";
import { playerName } from "./words.js";

/** @import {TableModel} from "./table_model.js" */
/** @import {Decision, Thoughts} from "./types.js" */

const MOST = 5; // decisions shown
const LEAST = 0.005; // differences that are shown as 0 are none

/** @typedef {{decision: Decision, thoughts: Thoughts, lost: number}} Dispute */

export class Analysis {
  /**
   * @param {TableModel} model
   * @param {(k: number) => void} goTo
   * @param {(disputed: number[]) => void} mark
   */
  constructor(model, goTo, mark) {
    this.model = model;
    this.goTo = goTo;
    this.mark = mark;
    this.box = byId("analysis");
    /** @type {string | null} who was asked; null: somebody who could not be */
    this.done = "";
    /** @type {AbortController | null} */
    this.asking = null;
  }

  /** Forget what was found: it is somebody else's. */
  clear() {
    this.asking?.abort();
    this.done = "";
    this.box.replaceChildren();
    this.mark([]);
  }

  /**
   * Ask a player about all decisions, of this user or, in games of others, of everybody.
   *
   * @param {string} by
   */
  async ask(by) {
    if (by === this.done) return;
    this.clear();
    this.done = by;
    this.asking = new AbortController();
    const { signal } = this.asking;
    const { my_seat: mine } = this.model.info;
    const decisions = this.model.decisions.filter(({ seat }) => mine === null || seat === mine);
    /** @type {Dispute[]} */
    const disputes = [];
    try {
      for (const [i, decision] of decisions.entries()) {
        this.#tell(`${playerName(by)} is looking at decision ${i + 1} of ${decisions.length} …`);
        const query = new URLSearchParams({ by });
        const path = `${this.model.path}/thoughts/${decision.k}?${query}`;
        const thoughts = await get(path, { signal, quiet: true });
        disputes.push({ decision, thoughts, lost: disagreement(thoughts, decision.action) });
      }
      this.#show(by, disputes);
    } catch (error) {
      if (isAbort(error)) return;
      this.done = null; // so that the player is asked again
      this.#tell(wordsOf(error));
    }
  }

  /** @param {string} text */
  #tell(text) {
    this.box.replaceChildren(el("p", { class: "hint" }, text));
  }

  /**
   * @param {string} by
   * @param {Dispute[]} disputes
   */
  #show(by, disputes) {
    const found = disputes.filter(({ lost }) => lost > LEAST);
    const shown = found.toSorted((one, other) => other.lost - one.lost).slice(0, MOST);
    this.mark(shown.map(({ decision }) => decision.k));
    const player = playerName(by);
    const total = plural(disputes.length, "decision");
    const whose = this.model.info.my_seat === null ? "" : "your ";
    // A scripted player says what it would play, but not how much better that is.
    const ranked = found.some(({ thoughts }) => thoughts.kind !== "scripted");
    const order = ranked ? "most clearly" : "first";
    const rest = found.length > MOST ? `, ${order} at` : "";
    const head = found.length
      ? `${player} would have played differently at ${found.length} of ${whose}${total}${rest}:`
      : `${player} would have played the same at all ${whose}${total}.`;
    this.box.replaceChildren(
      el("p", {}, head),
      el("ol", { class: "disputes" }, ...shown.map((one) => el("li", {}, this.#row(one)))),
    );
  }

  /** @param {Dispute} dispute */
  #row({ decision, thoughts }) {
    const { k, seat, name } = decision;
    const { by, choice, actions } = thoughts;
    const instead = actions.find(({ action }) => action === choice)?.name;
    const mover = this.model.info.my_seat === null ? `${this.model.names.short(seat)}: ` : "";
    return el(
      "button",
      { class: "quiet", "data-k": k, onclick: () => this.goTo(k) },
      el("span", { class: "number" }, String(k + 1)),
      el("span", {}, `${mover}${name}; ${playerName(by)}: ${instead}`),
    );
  }
}

/**
 * How much a player prefers its choice: by value, else by probability; a scripted player either
 * agrees or does not.
 *
 * @param {Thoughts} thoughts
 * @param {string} played
 */
function disagreement({ choice, actions, kind }, played) {
  if (choice === played) return 0;
  const [best, mine] = [choice, played].map((name) => actions.find((one) => one.action === name));
  if (kind === "policy") return (best?.probability ?? 0) - (mine?.probability ?? 0);
  if (kind === "scripted") return 1;
  return (best?.value ?? 0) - (mine?.value ?? 0);
}
