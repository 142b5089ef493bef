/** The words that tell what is going on, and whose turn it is. */

import { byId, el, fill, showText } from "./dom.js";
/** @import {TableModel} from "./table_model.js" */
/** @import {Frame} from "./types.js" */

const WHOLE = "kitchentable-whole-texts"; // whether they are unfolded on small screens

export class StatusView {
  /** @param {TableModel} model */
  constructor(model) {
    this.model = model;
    this.situation = byId("situation");
    this.fold = byId("unfold");
    this.whole = localStorage.getItem(WHOLE) === "yes";
    this.fold.addEventListener("click", () => {
      this.whole = !this.whole;
      localStorage.setItem(WHOLE, this.whole ? "yes" : "no");
      this.#folded();
    });
    new ResizeObserver(() => this.#folded()).observe(this.situation);
  }

  /**
   * @param {Frame} frame
   * @param {boolean} mayAct
   * @param {boolean} clickable whether there is something to choose in the drawing
   */
  render(frame, mayAct, clickable) {
    const { info } = this.model;
    const words = this.#turn(frame, mayAct);
    const how = mayAct && clickable && "click in the picture or choose from the list";
    fill(byId("turn"), how ? `${words}: ` : words, how && el("span", { class: "hint" }, how));
    document.title = words ? `${words}: ${info.title}` : info.title;
    this.say(frame.situation);
    const { next } = frame;
    showText(byId("decided"), next && `Played: ${next.name}`);
  }

  /** @param {string} situation */
  say(situation) {
    this.situation.textContent = situation;
    this.#folded();
  }

  /**
   * @param {Frame} frame
   * @param {boolean} mayAct
   */
  #turn({ over, mover }, mayAct) {
    if (mayAct) return "Your turn";
    if (over) return "The end";
    if (mover === null) return "";
    const { info, names } = this.model;
    return mover === info.my_seat ? "Your decision" : `${names.short(mover)} to act`;
  }

  /** Fold a long text where the style sheet says so, and offer the rest of it. */
  #folded() {
    const { situation, fold } = this;
    situation.classList.add("folded");
    const long = situation.scrollHeight > situation.clientHeight + 1;
    situation.classList.toggle("folded", !this.whole);
    fold.hidden = !long;
    fold.textContent = this.whole ? "Less" : "More";
    fold.setAttribute("aria-expanded", String(this.whole));
  }
}
