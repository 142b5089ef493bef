/** The buttons, the slider and the choices under the drawing. */

import { byId, el, fillSelect } from "./dom.js";

/** @import {Playback} from "./playback.js" */
/** @import {TableModel} from "./table_model.js" */

const SPEED = "kitchentable-speed";

export class TransportView {
  /**
   * @param {TableModel} model
   * @param {Playback} playback
   * @param {(view: string) => void} changeView
   */
  constructor(model, playback, changeView) {
    this.model = model;
    this.playback = playback;
    this.slider = /** @type {HTMLInputElement} */ (byId("slider"));
    this.speed = /** @type {HTMLSelectElement} */ (byId("speed"));
    this.view = /** @type {HTMLSelectElement} */ (byId("view"));
    this.#listen(changeView);
    this.speed.value = readSpeed(this.speed);
    playback.delay = Number(this.speed.value);
  }

  /** @param {(view: string) => void} changeView */
  #listen(changeView) {
    const { playback } = this;
    whenOn("step-first", () => playback.goTo(0));
    whenOn("step-back", () => playback.goTo(playback.k - 1));
    whenOn("step-play", () => playback.toggle());
    whenOn("step-forward", () => playback.goTo(playback.k + 1));
    whenOn("step-last", () => playback.goTo(playback.moves));
    this.slider.addEventListener("input", () => playback.goTo(Number(this.slider.value)));
    this.speed.addEventListener("change", () => {
      localStorage.setItem(SPEED, this.speed.value);
      playback.setDelay(Number(this.speed.value));
    });
    this.view.addEventListener("change", () => changeView(this.view.value));
  }

  /** Offer the seats to look from, if more than one may be chosen. */
  offerViews() {
    const { info, names } = this.model;
    byId("view-label").hidden = !info.may_see_all;
    fillSelect(this.view, [
      el("option", { value: "all" }, "all cards open"),
      el("option", { value: "mover" }, "the player to act"),
      ...info.seats.map((seat, i) => el("option", { value: seat.agent }, names.full(i))),
    ]);
  }

  render() {
    const { playback, model } = this;
    this.slider.max = String(playback.moves);
    this.slider.value = String(playback.k);
    const place = `${playback.k} of ${playback.moves}`;
    this.slider.setAttribute("aria-valuetext", `${place} decisions`);
    byId("place").textContent = place;
    setOff("step-first", playback.k === 0);
    setOff("step-back", playback.k === 0);
    setOff("step-forward", playback.atNow);
    setOff("step-last", playback.atNow && (playback.running || playback.ended));
    setOff("step-play", playback.moves === 0 || (model.playing && playback.atNow));
    const plays =
      playback.running && !(playback.atNow && playback.ended) && !(model.playing && playback.atNow);
    const button = byId("step-play");
    button.setAttribute("aria-label", plays ? "Pause" : "Play");
    button.querySelector("use")?.setAttribute("href", plays ? "#i-pause" : "#i-play");
  }
}

/**
 * Switch a button off so that it keeps the focus if it has it.
 *
 * @param {string} id
 * @param {boolean} off
 */
function setOff(id, off) {
  byId(id).setAttribute("aria-disabled", String(off));
}

/**
 * @param {string} id
 * @param {() => void} act what the button does, unless it is off
 */
function whenOn(id, act) {
  const button = byId(id);
  button.addEventListener("click", () => button.ariaDisabled !== "true" && act());
}

/** @param {HTMLSelectElement} select */
function readSpeed(select) {
  const kept = localStorage.getItem(SPEED);
  if (kept && [...select.options].some(({ value }) => value === kept)) return kept;
  return calm() ? "0" : select.value;
}

/** Whether the user wants little to move. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
