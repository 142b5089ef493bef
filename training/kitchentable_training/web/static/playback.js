/** Which decision is shown, and how the page moves through a game by itself. */

/** Events: `show` (another decision is to be shown), `state` (it plays or has stopped). */
export class Playback extends EventTarget {
  /** the decision before which the table is shown */
  k = 0;
  /** the furthest decision that was shown: what comes later is not told yet */
  reached = 0;
  /** decisions so far */
  moves = 0;
  /** whether no more decisions will come */
  ended = false;
  /** whether it goes on by itself as far as there are decisions */
  running = false;
  /** milliseconds that a decision is shown */
  delay = 0;
  #mine = -1;
  #shownAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  get atNow() {
    return this.k === this.moves;
  }

  /**
   * Start somewhere.
   *
   * @param {number} k
   * @param {boolean} running
   */
  start(k, running) {
    this.running = running;
    this.#show(k);
  }

  /**
   * Go where the user wants to. At the newest decision of a game that goes on, follow it.
   *
   * @param {number} k
   */
  goTo(k) {
    const to = Math.min(Math.max(k, 0), this.moves);
    this.running = to === this.moves && !this.ended;
    if (to === this.k) this.dispatchEvent(new Event("state"));
    else this.#show(to);
    this.#schedule();
  }

  /** Play from here, from the start if this is the end, or stop. */
  toggle() {
    this.running = !(this.running && !(this.atNow && this.ended));
    if (this.running && this.atNow && this.ended) this.#show(0);
    this.dispatchEvent(new Event("state"));
    this.#schedule(true);
  }

  /** @param {number} delay */
  setDelay(delay) {
    this.delay = delay;
    this.#schedule();
  }

  /**
   * The table has changed.
   *
   * @param {number} moves
   * @param {boolean} ended
   */
  update(moves, ended) {
    this.moves = moves;
    this.ended = ended;
    this.#schedule();
  }

  /**
   * This user has made decision `k`: what it leads to is shown, without delay.
   *
   * @param {number} k
   */
  played(k) {
    this.#mine = k;
    this.running = true;
    this.#schedule();
  }

  /** The page shows the decision: the time for which it stays begins. */
  shown() {
    this.reached = Math.max(this.reached, this.k);
    this.#shownAt = performance.now();
    this.#schedule();
  }

  stop() {
    this.running = false;
    clearTimeout(this.#timer);
    this.dispatchEvent(new Event("state"));
  }

  /** @param {number} k */
  #show(k) {
    clearTimeout(this.#timer);
    this.#shownAt = Infinity; // until it is shown
    this.k = k;
    this.dispatchEvent(new Event("show"));
  }

  /** @param {boolean} [atOnce] whether the user has just asked for it */
  #schedule(atOnce = false) {
    clearTimeout(this.#timer);
    if (!this.running || this.#shownAt === Infinity) return;
    if (this.atNow) {
      if (this.ended) this.stop();
      return;
    }
    const due = this.k === this.#mine || atOnce ? 0 : this.delay;
    const wait = Math.max(0, this.#shownAt + due - performance.now());
    const next = this.delay === 0 ? this.moves : this.k + 1;
    this.#timer = setTimeout(() => this.#show(next), wait);
  }
}
