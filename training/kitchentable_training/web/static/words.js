/** Names of seats, players and actions as people read them. */

/** @import {Seat, Value} from "./types.js" */

const MOST_NAMED = 10; // items of a list

/**
 * A player's name in words: `search:value=X:rollouts=200` is "search with X, 200 rollouts".
 *
 * @param {string} spec
 */
export function playerName(spec) {
  const [kind, ...rest] = spec.split(":");
  if (kind === "open") return "open seat";
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
 * A parameter's value in words.
 *
 * @param {Value} value
 */
export function valueName(value) {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (!Array.isArray(value)) return String(value).replaceAll("_", " ");
  const more = value.length > MOST_NAMED ? ` … (${value.length})` : "";
  return (value.slice(0, MOST_NAMED).join(", ") + more || "none").replaceAll("_", " ");
}

/**
 * A name for people: `min_turns_before_out` is "Min turns before out".
 *
 * @param {string} name
 */
export function title(name) {
  const words = name.replaceAll("_", " ");
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

/**
 * An action's short name: `slot:3` is "slot 3".
 *
 * @param {string} action
 */
export function actionName(action) {
  const { kind, what } = parts(action);
  return `${kind} ${what}`.replaceAll("_", " ").trim();
}

/** Who sits where, in words. */
export class Names {
  /** @param {Seat[]} seats */
  constructor(seats) {
    this.seats = seats;
    this.players = seats.map((seat) =>
      seat.mine ? "you" : seat.open ? "open seat" : playerName(seat.name),
    );
  }

  /**
   * `player_1 (expert)`
   *
   * @param {number} seat
   */
  full(seat) {
    return `${this.seats[seat].agent} (${this.players[seat]})`;
  }

  /**
   * The player alone, where that tells who it is.
   *
   * @param {number} seat
   */
  short(seat) {
    const player = this.players[seat];
    const alone = this.players.filter((other) => other === player).length === 1;
    return alone && player !== "?" ? player : this.full(seat);
  }

  /**
   * Put the players' names behind `player_0` and the like, where none stands already.
   *
   * @param {string} text
   */
  inText(text) {
    return text.replace(/\bplayer_(\d+)\b(?! \()/g, (agent, seat) =>
      this.seats[Number(seat)] ? this.full(Number(seat)) : agent,
    );
  }
}
