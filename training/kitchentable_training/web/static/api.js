/** Talking to the server: JSON both ways, errors as sentences, a busy sign when it takes long. */

import { sentence } from "./words.js";

const BUSY_DELAY = 300; // milliseconds before the busy sign shows
const SERVER_IS_AWAY = [502, 503, 504]; // what a proxy answers then
const NO_ANSWER = "The server is not responding.";

/** What the server refused, in its own words. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

let waiting = 0;

/**
 * Show that something is going on for as long as `work` takes, if that is long.
 *
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
async function busy(work) {
  waiting += 1;
  const sign = /** @type {HTMLElement} */ (document.getElementById("busy"));
  const timer = setTimeout(() => {
    sign.hidden = false;
  }, BUSY_DELAY);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    waiting -= 1;
    if (waiting === 0) sign.hidden = true;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<any>}
 */
async function request(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(0, NO_ANSWER);
  }
  if (SERVER_IS_AWAY.includes(response.status)) throw new ApiError(0, NO_ANSWER);
  if (response.status === 204) return null;
  const answer = await response.json().catch((error) => {
    if (isAbort(error)) throw error;
    return null;
  });
  if (!response.ok) {
    throw new ApiError(response.status, answer?.error ?? `The server answered with status ${response.status}.`);
  }
  return answer;
}

/**
 * @param {string} path
 * @param {{signal?: AbortSignal, quiet?: boolean}} [options] quiet: without the busy sign
 */
export function get(path, { signal, quiet = false } = {}) {
  const work = request(path, { signal });
  return quiet ? work : busy(work);
}

/**
 * @param {string} path
 * @param {unknown} body
 */
export function post(path, body) {
  return busy(
    request(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

/** @param {string} path */
export function remove(path) {
  return busy(request(path, { method: "DELETE", headers: { "Content-Type": "application/json" } }));
}

/**
 * Whether an error is only that a request was given up.
 *
 * @param {unknown} error
 */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/**
 * Whether an error is that the server does not answer.
 *
 * @param {unknown} error
 */
export function isLost(error) {
  return error instanceof ApiError && error.status === 0;
}

/**
 * The words of an error, as a sentence for people.
 *
 * @param {unknown} error
 */
export function wordsOf(error) {
  const words = error instanceof Error ? error.message : String(error);
  return sentence(words) + (/[.!?]$/.test(words) ? "" : ".");
}

/**
 * Return the address of the rules of a game with certain parameters, for people.
 *
 * @param {string} game
 * @param {Record<string, unknown>} params
 */
export function rulesPath(game, params) {
  return `/rules/${game}?params=${encodeURIComponent(JSON.stringify(params))}`;
}
