/** The name that others see at a table of several people; the browser remembers it. */

import { post, wordsOf } from "./api.js";
import { byId } from "./dom.js";

/** @import {TableModel} from "./table_model.js" */

const KEPT = "kitchentable-name";

export class Naming {
  /** @param {TableModel} model */
  constructor(model) {
    this.model = model;
    this.form = byId("naming");
    this.field = /** @type {HTMLInputElement} */ (byId("my-name"));
    /** @type {string | null} */
    this.shown = null;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save(this.field.value.trim());
    });
    this.field.addEventListener("input", () => this.#say(""));
  }

  /** Show the name as the table has it; at a new table, give the one that was used before. */
  render() {
    const { ended } = this.model;
    const name = ended ? null : this.model.info.my_name;
    this.form.hidden = name === null;
    if (name === this.shown) return;
    const first = this.shown === null;
    this.shown = name;
    this.field.value = name ?? "";
    const kept = localStorage.getItem(KEPT);
    if (first && name === "" && kept) this.#send(kept).catch(() => {});
  }

  /** @param {string} name */
  async #save(name) {
    try {
      await this.#send(name);
      localStorage.setItem(KEPT, name);
      this.#say(name ? "Saved" : "Removed");
    } catch (error) {
      this.#say(wordsOf(error));
    }
  }

  /** @param {string} name */
  #send(name) {
    return post(`${this.model.path}/name`, { name });
  }

  /** @param {string} words */
  #say(words) {
    byId("name-saved").textContent = words;
  }
}
