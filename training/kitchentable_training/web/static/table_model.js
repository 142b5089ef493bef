/** One table as the server tells it: who sits, what was decided, how it looked at any moment. */

import { get, isLost, post, wordsOf } from "./api.js";
import { Names } from "./words.js";

/** @import {Decision, Frame, TableInfo} from "./types.js" */

const MOST_FRAMES = 80; // kept, so that stepping back and forth is quick
const HIDDEN_EVERY = 10_000; // milliseconds
const RETRY = 3000; // milliseconds
// The server tells at once how the table stands, and again every few seconds (see `app.py`).
const FIRST_NEWS = 4000; // milliseconds until they should have arrived
const NEXT_NEWS = 15_000; // milliseconds
const LISTEN_ANEW = 60_000; // milliseconds

/**
 * Events: `change` (what is known of the table has changed), `online`, `offline`, `held up` (the
 * server answers, but its news do not arrive), `refused` (with the reason as detail: the table is
 * gone, say).
 */
export class TableModel extends EventTarget {
  /** @type {TableInfo} */
  info;
  /** @type {Names} */
  names;
  /** @type {Decision[]} */
  decisions = [];
  /** @type {Map<string, Frame>} */
  #frames = new Map();
  /** @type {Promise<void> | null} */
  #refreshing = null;
  #again = false;
  /** @type {EventSource | null} */
  #source = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** @type {{frame: Frame, tall: boolean} | null} the answer to the last decision */
  #fresh = null;
  #playing = false; // whether a decision is on its way, whose answer tells more than the news
  #news = 0; // the changes of the table that are known of
  #due = 0; // until when news should have arrived
  #since = 0; // since when this page listens

  /** @param {string} id */
  constructor(id) {
    super();
    this.path = `/api/tables/${encodeURIComponent(id)}`;
    this.info = /** @type {TableInfo} */ ({});
    this.names = new Names([]);
  }

  get moves() {
    return this.info.moves;
  }

  /** Whether nothing more will happen. */
  get ended() {
    return this.info.over || this.info.kind === "replay" || Boolean(this.info.failed);
  }

  /** Whether the table may be looked at: until the game is over, by those who sit at it. */
  get mayLook() {
    return this.info.may_see_all || this.info.my_seat !== null;
  }

  /** Whether this browser sits at the table and the game goes on. */
  get playing() {
    return this.info.my_seat !== null && !this.ended;
  }

  /**
   * Ask how the table stands. Calls while one is under way are answered by one more.
   *
   * @returns {Promise<void>}
   */
  refresh() {
    if (this.#refreshing) {
      this.#again = true;
      return this.#refreshing;
    }
    this.#refreshing = this.#refresh().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #refresh() {
    do {
      this.#again = false;
      const before = this.info;
      const info = await get(`${this.path}?since=${this.decisions.length}`, {
        quiet: Boolean(before.id),
      });
      this.#learn(info);
    } while (this.#again);
    this.dispatchEvent(new Event("change"));
  }

  /** @param {TableInfo} info */
  #learn(info) {
    const before = this.info;
    // An answer that was on its way when a later one came.
    if (before.id && info.moves < before.moves) return;
    // When the game is over, what was hidden is shown, and a player that sits down has a name:
    // frames are asked for again.
    const told = ({ may_see_all, seats }) => JSON.stringify([may_see_all, seats]);
    if (told(before) !== told(info)) this.#frames.clear();
    this.#fresh = null;
    this.info = info;
    this.names = new Names(info.seats);
    for (const decision of info.decisions) this.decisions[decision.k] = decision;
  }

  /**
   * How the table looked before decision `k`.
   *
   * @param {number} k
   * @param {string} view empty: what fits
   * @param {boolean} tall
   * @param {{signal?: AbortSignal, quiet?: boolean}} [options]
   * @returns {Promise<Frame>}
   */
  async frame(k, view, tall, options = {}) {
    const key = `${k} ${view} ${tall}`;
    const kept = this.#frames.get(key);
    if (kept) return kept;
    if (!view && this.#fresh?.frame.k === k && this.#fresh.tall === tall) return this.#fresh.frame;
    const query = new URLSearchParams({ tall: tall ? "1" : "0" });
    if (view) query.set("view", view);
    /** @type {Frame} */
    const frame = await get(`${this.path}/frames/${k}?${query}`, options);
    // The newest one will change: what is decided there is not known yet.
    if (frame.k < frame.moves || this.ended) this.#keep(key, frame);
    return frame;
  }

  /**
   * @param {string} key
   * @param {Frame} frame
   */
  #keep(key, frame) {
    this.#frames.set(key, frame);
    for (const old of this.#frames.keys()) {
      if (this.#frames.size <= MOST_FRAMES) break;
      this.#frames.delete(old);
    }
  }

  /**
   * Play an action as decision `k`, or take back a letter.
   *
   * @param {string | null} action null: take back the last letter
   * @param {Frame} at where it is decided
   * @param {boolean} tall
   * @returns {Promise<Frame>} how the table looks then, before others act
   */
  async play(action, { k, drafted }, tall) {
    this.#playing = true;
    try {
      const { table, frame } = await post(`${this.path}/play`, { action, k, drafted, tall });
      this.#learn(table);
      this.#news = Math.max(this.#news, table.changes); // the news may come after the answer
      if (this.info.changes === table.changes) this.#fresh = { frame, tall };
      this.dispatchEvent(new Event("change"));
      return frame;
    } finally {
      this.#playing = false;
      this.#lookIfNew();
    }
  }

  #lookIfNew() {
    if (!this.#playing && this.#source && this.#news !== this.info.changes) this.#look();
  }

  /**
   * Hear of everything that happens at the table; comes back by itself after a lost connection.
   *
   * A browser has few connections for all its pages together: a hidden page, and one whose game is
   * over, holds none. A hidden page asks from time to time, to say in its title whose turn it is.
   */
  listen() {
    document.addEventListener("visibilitychange", () => this.#attend());
    this.addEventListener("change", () => {
      if (!this.ended) return;
      this.#leave();
      this.dispatchEvent(new Event("online")); // nothing is missing any more
    });
    this.#attend();
  }

  #attend() {
    this.#leave();
    if (this.ended) return;
    if (document.hidden) {
      this.#timer = setInterval(() => this.#look(), HIDDEN_EVERY);
      return;
    }
    this.#due = Date.now() + FIRST_NEWS;
    this.#connect();
    this.#timer = setInterval(() => this.#watch(), RETRY);
  }

  #leave() {
    this.#source?.close();
    this.#source = null;
    clearInterval(this.#timer);
  }

  /** Go on a little later. */
  #retry() {
    this.#leave();
    this.#timer = setTimeout(() => this.#attend(), RETRY);
  }

  #connect() {
    this.#source?.close();
    this.#since = Date.now();
    const source = new EventSource(`${this.path}/events`);
    this.#source = source;
    let told = "";
    source.addEventListener("message", (event) => {
      this.#due = Date.now() + NEXT_NEWS;
      this.dispatchEvent(new Event("online"));
      if (event.data === told) return;
      told = event.data;
      this.#news = JSON.parse(told).changes;
      this.#lookIfNew();
    });
    source.addEventListener("error", () => {
      // The browser tries again, unless it was refused: then the server says why.
      if (source.readyState === EventSource.CLOSED) this.#ask();
      else this.dispatchEvent(new Event("offline"));
    });
  }

  /** Where no news arrive, ask: the connection may be dead, or a proxy may hold them back. */
  #watch() {
    if (Date.now() < this.#due) return;
    if (Date.now() > this.#since + LISTEN_ANEW) this.#connect();
    this.#ask();
  }

  async #ask() {
    const due = this.#due;
    const answered = await this.#look();
    if (answered && !this.ended && this.#due === due) this.dispatchEvent(new Event("held up"));
  }

  /** @returns {Promise<boolean>} whether the server has answered */
  async #look() {
    try {
      await this.refresh();
    } catch (error) {
      if (isLost(error)) {
        this.dispatchEvent(new Event("offline"));
        this.#retry();
      } else {
        this.#leave();
        this.dispatchEvent(new CustomEvent("refused", { detail: wordsOf(error) }));
      }
      return false;
    }
    // It is as before: too many pages were listening, say.
    if (this.#source?.readyState === EventSource.CLOSED) this.#retry();
    return true;
  }
}
