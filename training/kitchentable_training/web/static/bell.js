/** A sound when it is this user's turn and the page is not looked at. */

import { byId } from "./dom.js";

const OFF = "kitchentable-sound-off";
const [PITCH, LOUD, LONG] = [660, 0.15, 0.35]; // hertz, part of the loudest, seconds

export class Bell {
  constructor() {
    this.mine = true; // so that opening a page rings nothing
    const on = /** @type {HTMLInputElement} */ (byId("sound-on"));
    on.checked = localStorage.getItem(OFF) !== "yes";
    on.addEventListener("change", () => localStorage.setItem(OFF, on.checked ? "no" : "yes"));
    this.on = on;
  }

  /** @param {boolean} mine whether it is this user's turn */
  update(mine) {
    if (mine && !this.mine && this.on.checked && !document.hasFocus()) ring();
    this.mine = mine;
  }
}

/** Browsers let only pages sound that were clicked before; others stay silent. */
function ring() {
  const audio = new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = PITCH;
  volume.gain.setValueAtTime(LOUD, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + LONG);
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => audio.close();
  tone.start();
  tone.stop(audio.currentTime + LONG);
}
