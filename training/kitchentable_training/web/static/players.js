/** The players that may sit at a table or be asked, as options of a select. */

import { el } from "./dom.js";

/** @import {Checkpoint, Choices, GameChoice, Value} from "./types.js" */

const ROLLOUTS = [100, 500, 2000];
const SECONDS = [1, 5];

/**
 * The table with these parameters among those that a trained player knows, or undefined. What the
 * form does not ask for is left to the server.
 *
 * @param {Checkpoint} checkpoint
 * @param {GameChoice} game
 * @param {Record<string, Value>} params
 */
export function tableFor(checkpoint, game, params) {
  if (checkpoint.game !== game.name) return undefined;
  return checkpoint.tables.find((table) =>
    game.params.every(({ name }) => same(table.params[name], params[name])),
  );
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The strongest scripted player of a game.
 *
 * @param {GameChoice} game
 */
export function strongestScripted(game) {
  return game.scripted[game.scripted.length - 1];
}

/**
 * Whether a search beats the scripted players at a table.
 *
 * @param {GameChoice} game
 * @param {Record<string, Value>} params
 */
export function searchWins(game, params) {
  const wins = game.search_wins;
  return wins !== null && Object.keys(wins).every((name) => same(wins[name], params[name]));
}

/**
 * @param {Choices} choices
 * @param {GameChoice} game
 * @param {Record<string, Value>} params
 * @returns {HTMLOptGroupElement[]}
 */
export function playerOptions(choices, game, params) {
  const trained = choices.checkpoints.filter((one) => tableFor(one, game, params));
  const guides = trained.filter((one) => one.searches);
  const searches = [
    ...ROLLOUTS.map((n) => option(`search:rollouts=${n}`, `search, ${n} rollouts`)),
    ...SECONDS.map((n) => option(`search:seconds=${n}`, `search, ${n} s`)),
    ...guides.map(({ name }) =>
      option(`search:value=${name}:rollouts=200`, `search with ${name}, 200 rollouts`),
    ),
  ];
  return [
    group(
      "Trained",
      trained.map(({ name }) => option(name)),
    ),
    scriptedOptions(game),
    ownOptions(choices),
    group("Search", searches),
  ].filter((one) => one.children.length > 0);
}

/** @param {Choices} choices */
export function ownOptions({ own }) {
  return group(
    "The host's own",
    own.map((name) => option(name)),
  );
}

/** @param {GameChoice} game */
export function scriptedOptions(game) {
  const best = strongestScripted(game);
  return group(
    "Scripted",
    game.scripted
      .toReversed()
      .map((name) => option(name, name === best ? `${name} (strongest script)` : name)),
  );
}

/**
 * @param {string} label
 * @param {HTMLOptionElement[]} options
 */
export function group(label, options) {
  return el("optgroup", { label }, ...options);
}

/**
 * @param {string} value
 * @param {string} [text]
 */
export function option(value, text = value) {
  return el("option", { value }, text);
}
