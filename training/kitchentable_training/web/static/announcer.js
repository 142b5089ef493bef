/** What is said to users of a screen reader, who do not see what has changed. */

import { byId } from "./dom.js";

/** @import {TableModel} from "./table_model.js" */
/** @import {Playback} from "./playback.js" */
/** @import {Frame} from "./types.js" */

const MOST = 5; // decisions told one by one
const BRIEF = 1000; // milliseconds; decisions shown for less are told only together, at the end

export class Announcer {
  /** @param {TableModel} model */
  constructor(model) {
    this.model = model;
    this.box = byId("announcer");
    this.told = -1; // decisions told so far; none: the page has just been opened
  }

  /**
   * @param {Frame} frame
   * @param {Playback} playback
   * @param {boolean} mayAct
   */
  tell(frame, playback, mayAct) {
    const { situation } = frame;
    const passing = playback.running && !playback.atNow && playback.delay < BRIEF;
    if (passing && this.told >= 0) return;
    const said = [];
    if (playback.running || mayAct || frame.over) said.push(...this.#news(frame.k));
    else said.push(`${frame.k} of ${playback.moves} decisions.`);
    this.told = frame.k;
    if (mayAct) said.push(`Your turn. ${situation}`);
    else if (!playback.running || frame.over) said.push(situation);
    if (said.length) this.box.textContent = said.join(" ");
  }

  /**
   * What others did since something was told last.
   *
   * @param {number} k
   */
  #news(k) {
    if (this.told < 0 || this.told >= k) return [];
    const { decisions, info, names } = this.model;
    return decisions
      .slice(Math.max(this.told, k - MOST), k)
      .filter(({ seat }) => seat !== info.my_seat)
      .map(({ seat, name }) => `${names.short(seat)}: ${name}.`);
  }
}
