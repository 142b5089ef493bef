/** Scales of charts: round ticks, short numbers, running means. */

const TINY = 1e-12;

/**
 * Return round values from about `low` to about `high`.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} count about how many
 */
export function ticks(low, high, count) {
  const rough = Math.max((high - low) / Math.max(count, 1), TINY);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((one) => one * power >= rough * 0.999) ?? 10) * power;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i += 1) {
    found.push(Number((i * step).toPrecision(12)));
  }
  return found;
}

/**
 * Write a large number shortly: 20k, 1.5M.
 *
 * @param {number} value
 */
export function SI(value) {
  const size = Math.abs(value);
  for (const [unit, letter] of /** @type {[number, string][]} */ ([
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ])) {
    if (size >= unit) return `${Number((value / unit).toPrecision(3))}${letter}`;
  }
  return String(Number(value.toPrecision(3)));
}

/**
 * Return running means over about a thirtieth of the values, fewer at the ends.
 *
 * @param {[number, number][]} points
 * @returns {[number, number][]}
 */
export function smoothed(points) {
  const half = Math.floor(points.length / 60);
  if (half === 0) return points;
  const sums = [0];
  for (const [, value] of points) sums.push(sums[sums.length - 1] + value);
  return points.map(([x], i) => {
    const from = Math.max(0, i - half);
    const to = Math.min(points.length, i + half + 1);
    return [x, (sums[to] - sums[from]) / (to - from)];
  });
}

/**
 * Return the place of the point whose x is nearest.
 *
 * @param {[number, number][]} points in the order of their x
 * @param {number} x
 */
export function nearest(points, x) {
  let [low, high] = [0, points.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle][0] < x) low = middle + 1;
    else high = middle;
  }
  return low > 0 && x - points[low - 1][0] < points[low][0] - x ? low - 1 : low;
}
