/** A chart of curves: drawn as SVG, read with the pointer or the arrow keys, last values as a table. */

import { el } from "./dom.js";
import { SI, nearest, smoothed, ticks } from "./results_axis.js";

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {[number, number][]} points in the order of their x
 * @property {boolean} [smooth] whether a running mean is drawn over the faint curve
 * @property {boolean} [marks] whether each point is marked
 *
 * @typedef {object} Options
 * @property {(value: number) => string} format of values
 * @property {number} [low] end of the axis; else as the values want it
 * @property {number} [high]
 * @property {number} [end] of the x axis, if the curves do not go beyond it
 * @property {string} [over] what x counts
 * @property {{value: number, name: string} | null} [line] drawn across
 */

const KINDS = 8; // of colors and dashes in results.css
const MARGIN = { left: 58, right: 14, top: 10, bottom: 38 };
const NEAR = 24; // pixels from a tick within which no other is written

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export class Chart {
  /**
   * @param {string} title
   * @param {() => Series[]} read returns what is to be drawn now
   * @param {Options} options
   */
  constructor(title, read, options) {
    this.title = title;
    this.read = read;
    this.options = options;
    /** @type {Series[]} */
    this.series = [];
    /** @type {number | null} the x that is being read */
    this.at = null;
    this.scale = scale([], options, 0, 0);
    /** @type {SVGElement | null} where the values are read */
    this.guide = null;
    this.box = el("div", { class: "plot" });
    this.told = el("p", { class: "values", "aria-hidden": "true" });
    this.table = el("table", { class: "last" });
    this.element = el(
      "figure",
      { class: "chart" },
      el("figcaption", {}, title),
      this.box,
      this.told,
      this.table,
    );
    this.#listen();
    new ResizeObserver(() => this.#draw()).observe(this.box);
  }

  /** Draw what there is now. */
  update() {
    this.series = this.read();
    this.element.hidden = this.series.length === 0;
    this.#draw();
    this.#fillTable();
  }

  // --- Drawing -------------------------------------------------------------------------------------

  #draw() {
    const width = this.box.clientWidth;
    if (!width || !this.series.length) return;
    const height = Math.round(Math.min(320, Math.max(220, width * 0.5)));
    this.scale = scale(this.series, this.options, width, height);
    this.guide = svg("g", { class: "guide" });
    const picture = svg("svg", {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      "aria-hidden": "true",
    });
    picture.append(
      ...this.#axes(width, height),
      ...this.#across(width),
      ...this.#curves(),
      this.guide,
    );
    this.box.replaceChildren(picture);
    this.#tell();
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  #axes(width, height) {
    const { bottom, top, first, last } = this.scale;
    const right = width - MARGIN.right;
    const floor = height - MARGIN.bottom;
    const parts = [];
    for (const value of ticks(bottom, top, (floor - MARGIN.top) / 36)) {
      const y = this.scale.y(value);
      parts.push(svg("line", { class: "grid", x1: MARGIN.left, x2: right, y1: y, y2: y }));
      parts.push(
        svg("text", { x: MARGIN.left - 8, y: y + 4, "text-anchor": "end" }, this.#short(value)),
      );
    }
    for (const value of ticks(first, last, (right - MARGIN.left) / 90)) {
      const anchor = this.scale.x(value) > right - NEAR ? "end" : "middle";
      parts.push(
        svg(
          "text",
          {
            x: anchor === "end" ? right : this.scale.x(value),
            y: floor + 18,
            "text-anchor": anchor,
          },
          SI(value),
        ),
      );
    }
    parts.push(svg("line", { class: "axis", x1: MARGIN.left, x2: right, y1: floor, y2: floor }));
    const over = this.options.over ?? "steps of the learner";
    parts.push(
      svg("text", { x: (MARGIN.left + right) / 2, y: height - 3, "text-anchor": "middle" }, over),
    );
    return parts;
  }

  /** @param {number} value of a tick */
  #short(value) {
    return this.options.high === 1
      ? `${Math.round(100 * value)} %`
      : SI(value).replace("-", "\u2212");
  }

  /** @param {number} width */
  #across(width) {
    const { line } = this.options;
    if (!line) return [];
    const y = this.scale.y(line.value);
    const right = width - MARGIN.right;
    return [
      svg("line", { class: "across", x1: MARGIN.left, x2: right, y1: y, y2: y }),
      svg("text", { x: right, y: y - 5, "text-anchor": "end" }, line.name),
    ];
  }

  #curves() {
    return this.series.flatMap((one, i) => {
      const kind = `series-${i % KINDS}`;
      const drawn = one.smooth ? smoothed(one.points) : one.points;
      const parts = [];
      if (drawn !== one.points)
        parts.push(svg("path", { class: `curve faint ${kind}`, d: this.#path(one.points) }));
      parts.push(svg("path", { class: `curve ${kind}`, d: this.#path(drawn) }));
      if (one.marks || one.points.length === 1) {
        parts.push(
          ...one.points.map(([x, y]) =>
            svg("circle", {
              class: `mark ${kind}`,
              cx: this.scale.x(x),
              cy: this.scale.y(y),
              r: 3,
            }),
          ),
        );
      }
      return parts;
    });
  }

  /** @param {[number, number][]} points */
  #path(points) {
    return points
      .map(
        ([x, y], i) =>
          `${i ? "L" : "M"}${this.scale.x(x).toFixed(1)} ${this.scale.y(y).toFixed(1)}`,
      )
      .join("");
  }

  // --- Reading values ------------------------------------------------------------------------------

  #listen() {
    const box = this.box;
    const { over = "steps" } = this.options;
    for (const [name, value] of Object.entries({
      tabindex: "0",
      role: "slider",
      "aria-label": `${this.title}: ${over} to read`,
    })) {
      box.setAttribute(name, value);
    }
    const point = (/** @type {PointerEvent} */ event) => {
      if (this.series.length)
        this.#read(this.scale.back(event.clientX - box.getBoundingClientRect().left));
    };
    box.addEventListener("pointermove", point);
    box.addEventListener("pointerdown", point);
    box.addEventListener("pointerleave", () => document.activeElement !== box && this.#read(null));
    box.addEventListener(
      "focus",
      () => this.at === null && this.#read(this.#places().at(-1) ?? null),
    );
    box.addEventListener("blur", () => this.#read(null));
    box.addEventListener("keydown", (event) => this.#key(event));
  }

  /** All x at which there is something to read. */
  #places() {
    return [...new Set(this.series.flatMap((one) => one.points.map(([x]) => x)))].sort(
      (a, b) => a - b,
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const places = this.#places();
    const now = places.findIndex((x) => x >= (this.at ?? Infinity));
    const here = now < 0 ? places.length - 1 : now;
    const page = Math.max(1, Math.round(places.length / 10));
    const moves = /** @type {Record<string, number>} */ ({
      ArrowLeft: here - 1,
      ArrowDown: here - 1,
      ArrowRight: here + 1,
      ArrowUp: here + 1,
      PageDown: here - page,
      PageUp: here + page,
      Home: 0,
      End: places.length - 1,
    });
    if (event.key === "Escape") this.#read(null);
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.#read(places[Math.min(places.length - 1, Math.max(0, moves[event.key]))] ?? null);
  }

  /** @param {number | null} x */
  #read(x) {
    const places = this.#places().map((place) => /** @type {[number, number]} */ ([place, 0]));
    this.at = x === null || !places.length ? null : places[nearest(places, x)][0];
    this.#tell();
  }

  /** Show the values at the place that is being read. */
  #tell() {
    const { first, last } = this.scale;
    const { over = "steps", format } = this.options;
    const at = this.at;
    this.guide?.replaceChildren();
    this.box.setAttribute("aria-valuemin", String(first));
    this.box.setAttribute("aria-valuemax", String(last));
    this.box.setAttribute("aria-valuenow", String(at ?? last));
    if (at === null || !this.guide) {
      this.told.replaceChildren();
      this.box.removeAttribute("aria-valuetext");
      return;
    }
    const x = this.scale.x(at);
    const floor = this.scale.y(this.scale.bottom);
    this.guide.append(svg("line", { x1: x, x2: x, y1: MARGIN.top, y2: floor }));
    const values = this.series.map((one, i) => {
      const [, value] = one.points[nearest(one.points, at)];
      return { kind: `series-${i % KINDS}`, name: one.name, value: format(value) };
    });
    const where = over === "steps" ? `${at.toLocaleString("en")} steps` : `${over} ${at}`;
    this.told.replaceChildren(
      el("b", {}, where),
      ...values.map((one) =>
        el("span", { class: one.kind }, `${one.name} `, el("b", {}, one.value)),
      ),
    );
    this.box.setAttribute(
      "aria-valuetext",
      `${where}: ${values.map((one) => `${one.name} ${one.value}`).join(", ")}`,
    );
  }

  // --- Names and last values -----------------------------------------------------------------------

  #fillTable() {
    const { format } = this.options;
    const rows = this.series.map((one, i) => {
      const values = one.points.map(([, y]) => y);
      const cells = [values[values.length - 1], ...extremes(values)].map((value) =>
        el("td", {}, format(value)),
      );
      return el("tr", {}, el("th", { scope: "row" }, this.#sample(i), one.name), ...cells);
    });
    const heads = ["", "last", "lowest", "highest"].map((name) => el("th", { scope: "col" }, name));
    const caption = el("caption", { class: "hidden" }, `${this.title}: last values`);
    this.table.replaceChildren(
      caption,
      el("thead", {}, el("tr", {}, ...heads)),
      el("tbody", {}, ...rows),
    );
  }

  /** @param {number} i which series */
  #sample(i) {
    const picture = svg("svg", { class: "sample", viewBox: "0 0 34 10", "aria-hidden": "true" });
    picture.append(svg("path", { class: `curve series-${i % KINDS}`, d: "M1 5H33" }));
    return picture;
  }
}

/**
 * Return the ends of the axes, and what leads from values to places and back.
 *
 * @param {Series[]} series
 * @param {Options} options
 * @param {number} width
 * @param {number} height
 */
function scale(series, { low, high, end = 0, line }, width, height) {
  const all = series.flatMap((one) => one.points);
  const values = [...all.map(([, y]) => y), ...(line ? [line.value] : [])];
  const [least, most] = extremes(values.length ? values : [0]);
  const room = 0.06 * (most - least) || 0.5 * Math.abs(most) || 1;
  const bottom = low ?? least - room;
  const top = Math.max(high ?? most + room, bottom + 1e-9);
  const first = Math.min(0, ...all.slice(0, 1).map(([x]) => x));
  const last = Math.max(
    end,
    all.reduce((a, [x]) => Math.max(a, x), first + 1),
  );
  const [w, h] = [width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom];
  return {
    bottom,
    top,
    first,
    last,
    x: (/** @type {number} */ x) => MARGIN.left + (w * (x - first)) / (last - first),
    y: (/** @type {number} */ y) => MARGIN.top + h * (1 - (y - bottom) / (top - bottom)),
    back: (/** @type {number} */ px) => first + ((px - MARGIN.left) / w) * (last - first),
  };
}

/**
 * Return the least and the most of values, of which there is one at least.
 *
 * @param {number[]} values
 */
function extremes(values) {
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
}
