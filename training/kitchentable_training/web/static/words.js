/** Names of seats, players and actions as people read them. */

/** @import {Seat, Value} from "./types.js" */

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
  return Array.isArray(value) ? listName(value, 10) : String(value).replaceAll("_", " ");
}

/**
 * @param {(string | number)[]} values
 * @param {number} most that are named
 */
function listName(values, most) {
  if (values.length === 0) return "none";
  const named = values.slice(0, most).map((one) => String(one).replaceAll("_", " "));
  const more = values.length > most ? ` … (${values.length})` : "";
  return named.join(", ") + more;
}

/**
 * The rules of a table in words: `diddly_v0 (num_players=2, cards=9, open=True)` is "seats 2, cards
 * 9, open yes".
 *
 * @param {string} about
 */
export function rulesIn(about) {
  const inside = /^\w+ \((.*)\)$/.exec(about)?.[1] ?? about;
  return inside
    .replace(/\[(.*?)\]/g, (_, list) => listName(list.match(/[^', ]+/g) ?? [], 4))
    .replace(/\bTrue\b/g, "yes")
    .replace(/\bFalse\b/g, "no")
    .replaceAll("num_players", "seats")
    .replaceAll("=", " ")
    .replaceAll("_", " ");
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
