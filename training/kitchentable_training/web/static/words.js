/** Names of seats, players and actions as people read them. */

/** @import {Seat} from "./types.js" */

/**
 * A player's name in words: `search:value=X:rollouts=200` is "search with X, 200 rollouts".
 *
 * @param {string} spec
 */
export function playerName(spec) {
  const [kind, ...rest] = spec.split(":");
  if (kind !== "search") return spec;
  const options = Object.fromEntries(rest.map((part) => part.split("=")));
  const { value, rollouts, seconds, ...others } = options;
  const words = [value ? `search with ${value}` : "search"];
  if (rollouts) words.push(`${rollouts} rollouts`);
  if (seconds) words.push(`${seconds} s`);
  words.push(...Object.entries(others).map(([name, what]) => `${name} ${what}`));
  return words.join(", ");
}

/**
 * Words with an upper-case letter at their beginning.
 *
 * @param {string} words
 */
export function sentence(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * What stands before an action's colon, and after it.
 *
 * @param {string} action
 */
export function parts(action) {
  const [kind, ...rest] = action.split(":");
  return { kind, what: rest.join(":") };
}

/** Who sits where, in words. */
export class Names {
  /** @param {Seat[]} seats */
  constructor(seats) {
    this.seats = seats;
  }

  /**
   * "You", "expert" or "Player 3"
   *
   * @param {number} seat
   */
  short(seat) {
    return this.seats[seat].short;
  }

  /**
   * What the short name does not say: the settings of a search, say.
   *
   * @param {number} seat
   */
  more(seat) {
    const { short, name, mine, open } = this.seats[seat];
    if (open) return "free seat";
    const player = playerName(name);
    return mine || short.startsWith(player) || short.startsWith("Player ") ? "" : player;
  }

  /**
   * `search (search, 200 rollouts)`
   *
   * @param {number} seat
   */
  full(seat) {
    const more = this.more(seat);
    return this.short(seat) + (more && ` (${more})`);
  }
}
