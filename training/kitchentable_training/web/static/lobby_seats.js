/** Who sits where at a new table. */

import { byId, el, fill, fillSelect, showText } from "./dom.js";
import {
  group,
  option,
  ownOptions,
  scriptedOptions,
  searchWins,
  strongestScripted,
  tableFor,
} from "./players.js";
import { sentence } from "./words.js";

/** @import {Checkpoint, Choices, GameChoice} from "./types.js" */
/** @import {ParamsForm} from "./lobby_params.js" */

const ME = "me";
const OPEN = "open";
const SEARCH = "search";
const USUAL = { rollouts: 200, seconds: 1 };

/**
 * @typedef {object} Row
 * @property {HTMLSelectElement} select
 * @property {SearchFields} search
 * @property {HTMLParagraphElement} strength
 * @property {HTMLLIElement} row
 * @property {string} before
 */

export class SeatsForm {
  /**
   * @param {Choices} choices
   * @param {ParamsForm} params
   * @param {() => void} changed
   */
  constructor(choices, params, changed) {
    this.choices = choices;
    this.params = params;
    this.changed = changed;
    /** @type {Row[]} */
    this.rows = [];
    this.game = choices.games[0];
  }

  get hasPeople() {
    return this.specs().some((spec) => spec === ME || spec === OPEN);
  }

  /** Whether somebody else may sit down. */
  get hasOpen() {
    return this.specs().includes(OPEN);
  }

  /** @returns {string[]} */
  specs() {
    return this.rows.map(({ select, search }) =>
      select.value === SEARCH ? search.spec() : select.value,
    );
  }

  /**
   * Show as many seats as the game has, with the players that fit.
   *
   * @param {GameChoice} game
   */
  update(game) {
    const same = game === this.game && this.rows.length > 0;
    this.game = game;
    const number = Number(this.params.values().num_players);
    const kept = same ? this.rows.map(({ select }) => select.value) : [];
    while (this.rows.length > number) this.rows.pop()?.row.remove();
    while (this.rows.length < number) this.#add(this.rows.length);
    this.rows.forEach((row, i) => {
      this.#offer(row);
      this.#set(row, kept[i] ?? (i === 0 ? ME : strongestScripted(game)));
    });
    byId("preset-strongest").textContent =
      number === 1 ? "Only me" : "Strongest opponents";
    this.#remark();
  }

  /** The user against the strongest player that has been measured at such a table. */
  againstStrongest() {
    const values = this.params.values();
    const wins = searchWins(this.game, values);
    const best = this.#trained().find(
      (one) => tableFor(one, this.game, values)?.beats_scripted || (wins && one.searches),
    );
    const guide = best?.searches ? best.name : undefined;
    const alone = best?.name ?? strongestScripted(this.game);
    const strongest = wins || guide ? SEARCH : alone;
    this.rows.forEach((row, i) => {
      row.search.reset(guide);
      this.#set(row, i === 0 ? ME : strongest);
    });
    this.#remark();
    this.changed();
  }

  /** Players everywhere: the shipped ones in turn, with the rules that they know. */
  allBots() {
    const shipped = this.choices.checkpoints.filter(
      ({ shipped: ours, game }) => ours && game === this.game.name,
    );
    const knows = (/** @type {Checkpoint} */ one) => tableFor(one, this.game, this.params.values());
    if (shipped.length && !shipped.some(knows)) this.params.fill(shipped[0].tables[0].params);
    const names = shipped.filter(knows).map(({ name }) => name);
    if (!names.length) names.push(strongestScripted(this.game));
    this.rows.forEach((row, i) => this.#set(row, names[i % names.length]));
    this.#remark();
    this.changed();
  }

  #trained() {
    return this.choices.checkpoints.filter((one) => tableFor(one, this.game, this.params.values()));
  }

  /** @param {number} seat */
  #add(seat) {
    const id = `seat-${seat}`;
    const about = `${id}-strength`;
    const select = el("select", { id, "data-seat": seat, "aria-describedby": about });
    const search = new SearchFields(seat, this.choices, () => {
      this.#remark();
      this.changed();
    });
    const strength = el("p", { id: about, class: "hint" });
    const row = el(
      "li",
      {},
      el("label", { for: id }, `Seat ${seat + 1}`),
      el("div", { class: "who" }, select, search.box, strength),
    );
    const one = { select, search, strength, row, before: "" };
    select.addEventListener("change", () => this.#chosen(one));
    this.rows.push(one);
    byId("seat-list").append(row);
  }

  /** @param {Row} row */
  #offer({ select, search }) {
    const values = this.params.values();
    const trained = this.choices.checkpoints.filter(({ game }) => game === this.game.name);
    const fitting = trained.filter((one) => tableFor(one, this.game, values));
    const others = trained.filter((one) => !fitting.includes(one));
    const groups = [
      group("People", [option(ME, "Me"), option(OPEN, "Another person, invited by you")]),
      group(
        "Trained for this table",
        fitting.map(({ name, about }) => option(name, `${name}: ${about}`)),
      ),
      scriptedOptions(this.game),
      ownOptions(this.choices),
      group("Search", [option(SEARCH, "search …")]),
      group(
        "Trained for other rules",
        others.map(({ name, about }) => option(name, `${name}: ${about}`)),
      ),
    ];
    select.replaceChildren(...groups.filter(({ children }) => children.length > 0));
    search.offer(fitting);
  }

  /**
   * @param {Row} row
   * @param {string} spec
   */
  #set(row, spec) {
    const known = [...row.select.options].some(({ value }) => value === spec);
    row.select.value = known ? spec : strongestScripted(this.game);
    row.before = row.select.value;
    row.search.show(row.select.value === SEARCH);
  }

  /** @param {Row} row */
  #chosen(row) {
    const { value } = row.select;
    // One seat is mine at most: whoever was here goes where I sat.
    if (value === ME) {
      const mine = this.rows.find((other) => other !== row && other.select.value === ME);
      if (mine) this.#set(mine, row.before);
    }
    this.#set(row, value);
    this.#remark();
    this.changed();
  }

  /** Say how strong trained players are, and which one does not know these rules, if any. */
  #remark() {
    const values = this.params.values();
    for (const row of this.rows) showText(row.strength, this.#strength(row));
    for (const row of this.rows) {
      const chosen = this.choices.checkpoints.find(({ name }) => name === row.select.value);
      if (chosen && !tableFor(chosen, this.game, values)) {
        this.#offerParams(chosen, row);
        return;
      }
    }
    this.#note("");
  }

  /**
   * How strong a trained player is at this table, or the one that guides a search.
   *
   * @param {Row} row
   */
  #strength({ select, search }) {
    const guide = select.value === SEARCH ? search.value.value : "";
    const player = this.choices.checkpoints.find(({ name }) => name === (guide || select.value));
    const words = player && tableFor(player, this.game, this.params.values())?.strength;
    return words && (guide ? `${guide} alone ${words}` : sentence(words));
  }

  /**
   * @param {Checkpoint} checkpoint
   * @param {Row} row
   */
  #offerParams(checkpoint, row) {
    const take = () => {
      this.params.fill(checkpoint.tables[0].params);
      const seat = this.rows.includes(row) ? row : this.rows[this.rows.length - 1];
      this.#set(seat, checkpoint.name);
      this.#remark();
      this.changed();
    };
    const words = `${checkpoint.name} was trained for ${checkpoint.about}; your rules differ. `;
    const button = el("button", { id: "take-params", onclick: take }, "Use its rules");
    this.#note(words, button);
  }

  /**
   * @param {string} words
   * @param {HTMLElement} [button]
   */
  #note(words, button) {
    const note = byId("seat-note");
    fill(note, words, button);
    note.hidden = !words;
  }
}

/** How long a search takes, and whose judgment it uses. */
class SearchFields {
  /**
   * @param {number} seat
   * @param {Choices} choices
   * @param {() => void} changed
   */
  constructor(seat, { limits }, changed) {
    this.limits = limits;
    const label = (/** @type {string} */ text) => ({ "aria-label": `${text}, seat ${seat + 1}` });
    this.number = el("input", { type: "number", class: "short", ...label("Size of the search") });
    this.unit = el("select", label("Unit of the search"), option("rollouts"), option("seconds"));
    this.value = el("select", label("Value used by the search"));
    const hint = el("span", { class: "hint" }, "More is stronger but slower.");
    this.box = el("div", { class: "search" }, this.number, this.unit, this.value, hint);
    this.unit.addEventListener("change", () => this.#setUnit());
    this.box.addEventListener("change", changed);
    this.reset();
  }

  /** @param {boolean} on */
  show(on) {
    this.box.hidden = !on;
    this.number.disabled = !on; // else a size out of bounds, which nobody sees, keeps the form back
  }

  /**
   * As large as usual.
   *
   * @param {string} guide the trained player that it asks; "": none
   */
  reset(guide = "") {
    this.unit.value = "rollouts";
    this.value.value = guide;
    this.#setUnit();
  }

  /** @param {Checkpoint[]} fitting */
  offer(fitting) {
    const guides = fitting.filter(({ searches }) => searches);
    fillSelect(this.value, [
      option("", "without a network"),
      ...guides.map(({ name }) => option(name, `guided by ${name}`)),
    ]);
    this.value.hidden = guides.length === 0;
  }

  spec() {
    const value = this.value.value ? `:value=${this.value.value}` : "";
    return `${SEARCH}${value}:${this.unit.value}=${this.number.value}`;
  }

  #setUnit() {
    const unit = /** @type {"rollouts" | "seconds"} */ (this.unit.value);
    this.number.max = String(this.limits[unit]);
    this.number.min = unit === "seconds" ? "0.1" : "1";
    this.number.step = unit === "seconds" ? "0.1" : "1";
    this.number.value = String(USUAL[unit]);
  }
}
