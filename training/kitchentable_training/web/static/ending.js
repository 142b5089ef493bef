/** How the game ended, and what can be done with a game that everything may be seen of. */

import { get, post, remove, wordsOf } from "./api.js";
import { byId, deleteButton, el, fill } from "./dom.js";
import { shareLink } from "./share.js";
import { goTo } from "./start.js";

/** @import {TableModel} from "./table_model.js" */
/** @import {Playback} from "./playback.js" */
/** @import {Frame} from "./types.js" */

export class EndingView {
  /**
   * @param {TableModel} model
   * @param {Playback} playback
   * @param {(text: string) => void} complain
   */
  constructor(model, playback, complain) {
    this.model = model;
    this.playback = playback;
    this.complain = complain;
    this.box = byId("ending");
    this.tools = byId("tools");
    this.toolsFor = "";
    this.leaving = false; // for the next game
  }

  /** @param {Frame} frame */
  render(frame) {
    const { info } = this.model;
    this.box.hidden = !frame.over;
    if (frame.over) {
      const lines = (frame.result ?? "The game is over.").split("\n").filter((line) => line.trim());
      this.box.replaceChildren(
        el("h2", {}, lines[0]),
        el("ul", {}, ...lines.slice(1).map((line) => el("li", {}, line.trim()))),
        el(
          "div",
          { class: "row" },
          info.kind === "table" &&
            el(
              "button",
              { id: "play-again", class: "primary", onclick: () => this.#again() },
              info.my_seat === null ? "Another game" : "Play again",
            ),
          el(
            "button",
            { id: "from-start", onclick: () => this.playback.start(0, true) },
            "Watch from the start",
          ),
          info.my_name !== null &&
            el("span", { class: "hint" }, "Others who play again join your table."),
        ),
      );
    }
    this.#offerTools();
  }

  #offerTools() {
    const { info } = this.model;
    const kind = `${info.may_see_all} ${info.can_delete}`;
    if (kind === this.toolsFor) return;
    this.toolsFor = kind;
    const { may_see_all: whole, can_delete: own } = info;
    fill(
      this.tools,
      whole && el("button", { id: "share", onclick: () => this.#share() }, "Share this position"),
      whole &&
        el(
          "a",
          { class: "button", id: "download", href: `${this.model.path}/transcript`, download: "" },
          "Download the transcript",
        ),
      own && deleteButton("delete", " this table", () => this.#delete()),
      el("div", { id: "shared", role: "status" }),
    );
    this.tools.hidden = !whole && !own;
  }

  async #delete() {
    try {
      await remove(this.model.path);
      location.assign("/");
    } catch (error) {
      this.complain(wordsOf(error));
    }
  }

  async #share() {
    try {
      const { link } = await get(`${this.model.path}/link?k=${this.playback.k}`);
      await shareLink(byId("shared"), "shared-link", "Link to this position", link);
    } catch (error) {
      this.complain(wordsOf(error));
    }
  }

  /** Another deal, with the same rules and seats: people who played together meet there. */
  async #again() {
    if (this.leaving) return;
    this.leaving = true;
    try {
      goTo(await post(`${this.model.path}/again`, {}));
    } catch (error) {
      this.leaving = false;
      this.complain(wordsOf(error));
    }
  }
}
