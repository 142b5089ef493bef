/** The page of a run that is training: asks for what its log has more, and shows it. */

import { get, wordsOf } from "./api.js";
import { byId } from "./dom.js";
import { Chart } from "./results_chart.js";
import { SI } from "./results_axis.js";

/**
 * A line of the log: figures by the names of their columns, as in progress.jsonl.
 * @typedef {Record<string, number | null>} Line
 *
 * What the server answers with.
 * @typedef {object} Progress
 * @property {"training now" | "stopped" | "finished"} state
 * @property {number} steps
 * @property {number} total
 * @property {number} seats
 * @property {boolean} team
 * @property {number | null} fair the win rate among equals
 * @property {string} changed when the log was last written to
 * @property {string} problem
 * @property {number} first how many lines come before these; 0: all that was known is void
 * @property {number} next
 * @property {number} seal
 * @property {Line[]} lines
 *
 * @typedef {import("./results_chart.js").Series} Series
 */

const WAIT = { "training now": 3000, stopped: 15000 }; // milliseconds from one question to the next
const TROUBLE_WAIT = 10000;
const SPEED_OVER = 10; // lines
const percent = (/** @type {number} */ value) => `${(100 * value).toFixed(1)} %`;
const points = (/** @type {number} */ value) => value.toFixed(2).replace("-", "\u2212");
const digits = (/** @type {number} */ value) => value.toPrecision(3).replace("-", "\u2212");

const page = byId("live");
const address = `/api/runs/${encodeURIComponent(page.dataset.name ?? "")}/progress`;
/** @type {Line[]} */
let lines = [];
let known = { next: 0, seal: 0 };
let timer = 0;
let asking = false;
/** @type {Chart[]} */
let charts = [];

/**
 * Return the curve of a column, or none where it was never logged.
 *
 * @param {string} key
 * @param {Partial<Series>} [options]
 * @param {number} [sign]
 */
function curve(key, options = {}, sign = 1) {
  const found = lines.filter((line) => line.step !== null && typeof line[key] === "number");
  const at = found.map(
    (line) => /** @type {[number, number]} */ ([line.step, sign * Number(line[key])]),
  );
  return at.length ? [{ name: key.slice(key.indexOf("/") + 1), points: at, ...options }] : [];
}

/**
 * Return the curves of all columns whose names begin alike, the learner's own and that of all games
 * first.
 *
 * @param {string} prefix
 * @param {Partial<Series>} [options]
 */
function curves(prefix, options = {}) {
  const keys = new Set(
    lines.flatMap((line) => Object.keys(line).filter((key) => key.startsWith(prefix))),
  );
  const late = (/** @type {string} */ key) =>
    Number(![`${prefix}all`, `${prefix}learner`].includes(key));
  const names = [...keys].sort((a, b) => late(a) - late(b) || a.localeCompare(b));
  return names.flatMap((key) => curve(key, options));
}

/** Steps a second of playing and learning, from one line to the next. */
function speeds() {
  const timed = lines.filter(
    (line) => line.step !== null && typeof line["time/seconds"] === "number",
  );
  const at = timed.slice(1).flatMap((line, i) => {
    const seconds = Number(line["time/seconds"]) - Number(timed[i]["time/seconds"]);
    const steps = Number(line.step) - Number(timed[i].step);
    return seconds > 0 && steps > 0
      ? [/** @type {[number, number]} */ ([line.step, steps / seconds])]
      : [];
  });
  return at.length ? [{ name: "steps a second", points: at, smooth: true }] : [];
}

/** How often the learner agreed with the player it imitated, by lesson: no steps pass meanwhile. */
function agreement() {
  const found = lines
    .map((line) => line["imitation/agreement"])
    .filter((one) => typeof one === "number");
  const at = found.map((one, i) => /** @type {[number, number]} */ ([i + 1, Number(one)]));
  return at.length ? [{ name: "agreement", points: at, marks: at.length < 30 }] : [];
}

/** @param {Progress} about */
function makeCharts(about) {
  const teams = about.seats === 1 ? "player" : "team";
  const wins = about.team
    ? `evaluation: win rate of each ${teams}`
    : "evaluation: win rate on duplicate deals";
  const mates = about.team ? "teammate" : "opponent";
  const alone = about.seats === 1 ? "" : ` by ${mates}`;
  const equals =
    about.fair === null || about.seats === 1 ? null : { value: about.fair, name: "equals" };
  const share = { format: percent, low: 0, high: 1 };
  const end = about.total;
  return [
    new Chart(wins, () => curves("evaluation/", { marks: true }), { ...share, end, line: equals }),
    new Chart(
      `training: mean payoff of a game${alone}`,
      () => curves("payoff/", { smooth: true }),
      { format: points, end },
    ),
    new Chart("value loss", () => curve("train/value_loss", { name: "loss", smooth: true }), {
      format: digits,
      end,
      low: 0,
    }),
    new Chart(
      "policy entropy",
      () => curve("train/entropy_loss", { name: "entropy", smooth: true }, -1),
      { format: digits, end, low: 0 },
    ),
    new Chart("steps a second (playing and learning)", speeds, { format: SI, end, low: 0 }),
    new Chart("head start: agreement with the player it imitates", agreement, {
      ...share,
      over: "lesson",
    }),
  ];
}

/** @param {Progress} found */
function take(found) {
  if (found.first === 0) lines = found.lines;
  else lines.push(...found.lines);
  const grown = found.first !== known.next || found.lines.length > 0;
  known = { next: found.next, seal: found.seal };
  if (!charts.length) {
    charts = makeCharts(found);
    byId("charts").replaceChildren(...charts.map((chart) => chart.element));
  }
  if (grown) for (const chart of charts) chart.update();
}

/** @param {Progress} found */
function showFacts(found) {
  const steps = Number(lines.at(-1)?.step ?? 0);
  const bar = /** @type {HTMLProgressElement} */ (byId("bar"));
  bar.max = Math.max(found.total, 1);
  bar.value = Math.min(steps, found.total);
  byId("steps").textContent =
    `${steps.toLocaleString("en")} of ${found.total.toLocaleString("en")}`;
  const training = found.state === "training now";
  const speed = recentSpeed();
  byId("speed").textContent = speed ? Math.round(speed).toLocaleString("en") : "\u2013";
  const left = Math.max(0, found.total - steps);
  byId("left").textContent = timeLeft(training, left, speed);
  byId("changed").textContent = moment(new Date(found.changed));
  const state = byId("state");
  if (state.textContent !== found.state) state.textContent = found.state; // is read aloud
  state.classList.toggle("on", training);
}

/**
 * @param {boolean} training
 * @param {number} left steps
 * @param {number} speed
 */
function timeLeft(training, left, speed) {
  if (!training) return "\u2013";
  if (left === 0) return "last evaluation";
  return speed ? `about ${duration(left / speed)}` : "\u2013";
}

function recentSpeed() {
  const timed = lines.filter((line) => typeof line["time/seconds"] === "number").slice(-SPEED_OVER);
  const [from, to] = [timed[0], timed.at(-1)];
  if (!from || !to) return 0;
  const seconds = Number(to["time/seconds"]) - Number(from["time/seconds"]);
  return seconds > 0 ? (Number(to.step) - Number(from.step)) / seconds : 0;
}

/** @param {number} seconds */
function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** @param {Date} when */
function moment(when) {
  const time = when.toLocaleTimeString("en", { hourCycle: "h23" });
  const today = when.toDateString() === new Date().toDateString();
  return today
    ? time
    : `${when.toLocaleDateString("en", { day: "numeric", month: "short" })}, ${time.slice(0, 5)}`;
}

/** @param {string} text */
function showTrouble(text) {
  const box = byId("trouble");
  if (box.textContent !== text) box.textContent = text;
  box.hidden = !text;
}

/** Ask what is new, show it, and ask again later, unless the run has finished. */
async function ask() {
  if (asking) return;
  asking = true;
  clearTimeout(timer);
  let wait = TROUBLE_WAIT;
  try {
    const found = /** @type {Progress} */ (
      await get(`${address}?since=${known.next}&seal=${known.seal}`, { quiet: true })
    );
    take(found);
    showFacts(found);
    showTrouble(found.problem);
    wait = found.state === "finished" ? 0 : WAIT[found.state];
  } catch (error) {
    showTrouble(`${wordsOf(error)} Trying again every ${TROUBLE_WAIT / 1000} seconds.`);
  } finally {
    asking = false;
  }
  if (wait && !document.hidden) timer = window.setTimeout(ask, wait);
  page.dataset.polling = String(Boolean(wait));
}

document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (!document.hidden && page.dataset.polling !== "false") void ask();
});
void ask();
