/** The rules of a new game: one field a parameter. */

import { byId, el, span } from "./dom.js";
import { same } from "./players.js";
import { sentence } from "./words.js";

/** @import {GameChoice, Param, Value} from "./types.js" */

const FIRST = 2; // parameters that are seen at once; the others are under "More rules"

export class ParamsForm {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Param[]} all of the game's */
    this.params = [];
    /** @type {Map<string, {param: Param, read: () => Value, write: (value: Value) => void}>} */
    this.fields = new Map();
    for (const id of ["params", "more-params"]) {
      byId(id).addEventListener("change", () => {
        this.#count();
        changed();
      });
    }
    // What is wrong must be seen, to be told.
    byId("more-params").addEventListener(
      "invalid",
      () => byId("more-rules").setAttribute("open", ""),
      true,
    );
  }

  /**
   * Ask for the parameters of a game.
   *
   * @param {GameChoice} game
   */
  show(game) {
    this.fields.clear();
    // What cannot be chosen is not asked for.
    const asked = game.params.filter(({ values, low, high }) =>
      values ? values.length > 1 : low !== high,
    );
    const made = asked.map((param) => this.#field(param));
    byId("params").replaceChildren(...made.slice(0, FIRST));
    byId("more-params").replaceChildren(...made.slice(FIRST));
    byId("more-rules").hidden = made.length <= FIRST;
    byId("rules").hidden = made.length === 0;
    this.params = game.params;
    this.#count();
  }

  /** @returns {Record<string, Value>} */
  values() {
    return Object.fromEntries(
      this.params.map((one) => [one.name, this.fields.get(one.name)?.read() ?? one.default]),
    );
  }

  /**
   * Fill in parameters, as far as they are asked for.
   *
   * @param {Record<string, Value>} values
   */
  fill(values) {
    for (const [name, field] of this.fields) if (name in values) field.write(values[name]);
    this.#count();
    this.changed();
  }

  /** Say how many of the folded rules are not the usual ones. */
  #count() {
    const folded = [...this.fields.values()].slice(FIRST);
    const count = folded.filter(({ param, read }) => !same(param.default, read())).length;
    byId("changed").textContent = count ? `(${count} changed)` : "";
  }

  /** @param {Param} param */
  #field(param) {
    const id = `param-${param.name}`;
    const about = `${id}-about`;
    if (same(param.values, [false, true])) return this.#checkbox(param, id, about);
    const input = param.values ? this.#select(param, id, about) : this.#number(param, id, about);
    return el(
      "div",
      { class: "field" },
      el("label", { for: id }, sentence(param.label)),
      input,
      hint(about, param),
    );
  }

  /**
   * @param {Param} param
   * @param {string} id
   * @param {string} about
   */
  #checkbox(param, id, about) {
    const input = el("input", { type: "checkbox", id, "aria-describedby": about });
    input.checked = param.default === true;
    this.fields.set(param.name, {
      param,
      read: () => input.checked,
      write: (value) => (input.checked = value === true),
    });
    return el(
      "div",
      { class: "field" },
      el("label", { class: "check" }, input, ` ${sentence(param.label)}`),
      hint(about, param),
    );
  }

  /**
   * @param {Param} param
   * @param {string} id
   * @param {string} about
   */
  #select(param, id, about) {
    const option = (/** @type {Value} */ value, /** @type {string} */ words) =>
      el("option", { value: JSON.stringify(value) }, words);
    const select = el(
      "select",
      { id, "aria-describedby": about },
      ...(param.values ?? []).map((value, i) => option(value, param.words[i])),
    );
    const write = (/** @type {Value} */ value) => {
      select.value = JSON.stringify(value);
      if (select.value) return;
      // It is possible but not offered, as of a trained player: it is offered from now on.
      select.append(option(value, [value].flat().join(", ").replaceAll("_", " ") || "none"));
      select.value = JSON.stringify(value);
    };
    write(param.default);
    this.fields.set(param.name, { param, read: () => JSON.parse(select.value), write });
    return select;
  }

  /**
   * @param {Param} param
   * @param {string} id
   * @param {string} about
   */
  #number(param, id, about) {
    const range = { min: param.low, max: param.high, step: 1 };
    const input = el("input", {
      type: "number",
      id,
      required: true,
      "aria-describedby": about,
      ...range,
    });
    input.value = String(param.default);
    this.fields.set(param.name, {
      param,
      // What is out of bounds is not followed, say by as many seats; the browser complains of it.
      read: () => Math.min(Math.max(Number(input.value), param.low ?? 0), param.high ?? Infinity),
      write: (value) => (input.value = String(value)),
    });
    return input;
  }
}

/**
 * @param {string} id
 * @param {Param} param
 */
function hint(id, { about, low, high }) {
  const range = low !== null && high !== null && span(low, high);
  return el("p", { class: "hint", id }, [about, range].filter(Boolean).join("; "));
}
