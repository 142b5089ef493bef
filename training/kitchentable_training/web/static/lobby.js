/** The first page: a new game, the tables there are, and saved games. */

import { get, rulesPath, wordsOf } from "./api.js";
import { byId, el, plural, span } from "./dom.js";
import { ParamsForm } from "./lobby_params.js";
import { SeatsForm } from "./lobby_seats.js";
import { listTables } from "./lobby_tables.js";
import { startTable } from "./start.js";
import { offerTranscripts } from "./transcript.js";

/** @import {Choices, GameChoice, Settings} from "./types.js" */

const EASIEST = "diddly"; // what is chosen at first, if it is there

class Lobby {
  /** @param {Choices} choices */
  constructor(choices) {
    this.choices = choices;
    this.params = new ParamsForm(() => this.changed());
    this.seats = new SeatsForm(choices, this.params, () => this.named());
    this.seed = /** @type {HTMLInputElement} */ (byId("seed"));
    this.game = choices.games.find(({ name }) => name === EASIEST) ?? choices.games[0];
  }

  open() {
    const { games } = this.choices;
    byId("games").append(...games.map((game) => this.#card(game)));
    byId("new-game").addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
    byId("preset-strongest").addEventListener("click", () => this.seats.againstStrongest());
    byId("preset-watch").addEventListener("click", () => this.seats.allBots());
    this.choose(this.game);
  }

  /** @param {GameChoice} game */
  #card(game) {
    const input = el("input", {
      type: "radio",
      name: "game",
      value: game.name,
      onchange: () => this.choose(game),
    });
    input.checked = game === this.game;
    return el(
      "label",
      { class: "game" },
      input,
      el("b", {}, game.title),
      el("span", { class: "hint" }, seatsOf(game)),
    );
  }

  /** @param {GameChoice} game */
  choose(game) {
    this.game = game;
    byId("game-about").textContent = game.about;
    this.params.show(game);
    this.changed();
  }

  /** The rules have changed: other seats, other players. */
  changed() {
    const rules = byId("how-to-play");
    rules.textContent = `How to play ${this.game.title}`;
    rules.setAttribute("href", rulesPath(this.game.name, this.params.values()));
    this.seats.update(this.game);
    this.named();
  }

  /** Say on the button what it does. Where others may sit down, nobody chooses the deal. */
  named() {
    this.seed.disabled = this.seats.hasOpen;
    if (this.seed.disabled) this.seed.value = "";
    byId("start").textContent = this.seats.hasPeople ? "Play" : "Watch";
    byId("form-error").textContent = "";
  }

  async start() {
    const button = /** @type {HTMLButtonElement} */ (byId("start"));
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    byId("form-error").textContent = "";
    try {
      await startTable(this.settings());
    } catch (error) {
      byId("form-error").textContent = wordsOf(error);
    } finally {
      button.removeAttribute("aria-disabled");
    }
  }

  /** @returns {Settings} */
  settings() {
    const seed = this.seed.value.trim();
    if (seed && !/^\d+$/.test(seed))
      throw new Error("The seed must be a whole number; leave it empty for a random one.");
    return {
      game: this.game.name,
      params: this.params.values(),
      seats: this.seats.specs(),
      seed: seed ? Number(seed) : null,
    };
  }
}

/** @param {GameChoice} game */
function seatsOf(game) {
  const { values, low, high } = game.params.find(({ name }) => name === "num_players") ?? {};
  const least = values ? Number(values[0]) : (low ?? 1);
  const most = values ? Number(values[values.length - 1]) : (high ?? least);
  return least === most ? plural(least, "seat") : `${span(least, most)} seats`;
}

offerTranscripts();
listTables();
try {
  new Lobby(await get("/api/choices")).open();
} catch (error) {
  byId("form-error").textContent = wordsOf(error);
}
