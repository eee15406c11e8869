// A chart over the turns of a match: a line for each seat, bands where a value is uncertain, lines for limits. A press
// on it goes to that turn. It is drawn as SVG in a box of 1000 x 100 units, which the page stretches.
import { element, setText, svg } from "dohyo/elements.js";

const WIDE = 1000;
const HIGH = 100;
const MAX_POINTS = 800; // of a line; of more, the lowest and the highest of each stretch are drawn
const MARGIN = 4; // units above and below the values
const MAX_TOLD = 6; // series whose values are told in words,
const MAX_NAMED = 2; // and so many by name, more by seat

/**
 * @typedef {object} Series
 * @property {number} seat whose it is: the line is drawn stronger while that seat is followed
 * @property {string} label what it is called in words
 * @property {string} colour
 * @property {[number, number][]} points [position, value] in the order of positions
 * @property {[number, number][]} [drawn] what is drawn instead, where that is not the same; told are the points
 * @property {[number, number, number][]} [band] [position, low, high]: between which the value may be
 *
 * @param {object} options
 * @param {string} options.title
 * @param {number} options.last the last position; positions are the player's, from 0
 * @param {Series[]} options.series
 * @param {{value: number, label: string}[]} [options.limits] drawn as dashed lines across
 * @param {[number, number] | null} [options.range] the lowest and highest value; found from what is drawn if none
 * @param {boolean} [options.log] whether the scale is logarithmic
 * @param {{at: number, seat: number, value: number, label: string}[]} [options.dots] points that stand out
 * @param {(value: number) => string} options.format a value in words
 * @param {(position: number) => string} options.tell a position in words
 * @param {(position: number) => void} options.onSeek
 * @returns {{node: HTMLElement, update: (position: number) => void, follow: (seat: number | null) => void,
 *   drawn: () => object}} `update` shows where we are, `drawn` says what is drawn, for tests
 */
export function createChart({ title, last, series, limits = [], range = null, log = false, dots = [], format, tell, onSeek }) {
  const scale = createScale(series, limits, range, log);
  const xOf = (position) => (last ? position / last : 0) * WIDE;
  const yOf = (value) => MARGIN + (1 - scale.part(value)) * (HIGH - 2 * MARGIN);
  const at = ([position, value]) => `${xOf(position).toFixed(1)} ${yOf(value).toFixed(2)}`;

  const bands = series.map(({ band, colour }) =>
    svg("path", { d: band?.length ? outline(band, at) : "", fill: colour, class: "chart-band" }),
  );
  const lines = series.map(({ points, drawn = points, colour }) =>
    svg("path", { d: path(thinned(drawn, last), at), stroke: colour, class: "chart-line" }),
  );
  const across = limits.map(({ value }) =>
    svg("path", { d: `M0 ${yOf(value).toFixed(2)}H${WIDE}`, class: "chart-limit" }),
  );
  const needle = svg("path", { d: `M0 0V${HIGH}`, class: "chart-needle" });
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": inWords() },
    ...bands,
    ...across,
    ...lines,
    needle,
  );
  const spots = dots.map(({ at: position, value, label, seat }) => {
    const spot = element("span", { class: "chart-dot", title: label });
    place(spot, xOf(position), yOf(value));
    spot.style.background = series.find((one) => one.seat === seat)?.colour ?? "";
    return spot;
  });
  const names = [...limits.map((limit) => limitName(limit, yOf(limit.value))), ...scaleNames(scale, limits, format)];
  const plot = element("div", { class: "chart-plot" }, drawing, ...spots, ...names);
  const told = element("span", { class: "chart-told" });
  const node = element("div", { class: "chart" }, told, plot);
  let now = 0;
  let followed = null;

  function inWords() {
    const parts = series
      .filter(({ points }) => points.length)
      .slice(0, 10)
      .map(({ label, points }) => `${label}: ${format(points.at(-1)[1])}`);
    return `${title}. ${parts.join(", ")}`;
  }

  /** The values at a position, of the seat that is followed or of those that have one there. */
  function tellValues(position) {
    const own = series.filter(({ seat }) => followed === null || seat === followed);
    const values = own.map((one) => [one, latest(one.points, position)]);
    const fresh = values.filter(([, point]) => point?.[0] === position);
    const shown = (fresh.length ? fresh : values.filter(([, point]) => point)).slice(0, MAX_TOLD);
    const name = ({ seat, label }) => (shown.length > MAX_NAMED ? `${seat}:` : label);
    const parts = shown.map(([one, point]) => `${name(one)} ${format(point[1])}`);
    setText(told, [tell(position), ...parts].join(" \u00b7 "));
  }

  const positionOf = (event) => {
    const { left, width } = drawing.getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.round(((event.clientX - left) / width) * last)));
  };
  let dragging = false;
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    dragging = true;
    plot.setPointerCapture(event.pointerId);
    onSeek(positionOf(event));
  });
  plot.addEventListener("pointermove", (event) => {
    const position = positionOf(event);
    if (dragging) onSeek(position);
    tellValues(position);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"])
    plot.addEventListener(end, () => {
      dragging = false;
      tellValues(now);
    });

  return {
    node,
    update(position) {
      now = position;
      needle.setAttribute("transform", `translate(${xOf(position).toFixed(1)} 0)`);
      tellValues(position);
    },
    follow(seat) {
      followed = seat;
      series.forEach((one, number) => {
        const pale = seat !== null && one.seat !== seat;
        lines[number].classList.toggle("pale", pale);
        bands[number].classList.toggle("pale", pale);
      });
      tellValues(now);
    },
    drawn: () => ({
      lines: lines.map((line) => (line.getAttribute("d").match(/[ML]/g) ?? []).length),
      bands: bands.filter((band) => band.getAttribute("d")).length,
      limits: across.length,
      dots: spots.length,
      told: told.textContent,
      needle: Number(/\((\S+)/.exec(needle.getAttribute("transform") ?? "(0")[1]) / WIDE,
    }),
  };
}

/** From values to parts of the height: 0 is the lowest, 1 the highest. */
function createScale(series, limits, range, log) {
  const values = [...limits.map(({ value }) => value)];
  for (const { points, band } of series) {
    for (const [, value] of points) values.push(value);
    for (const [, low, high] of band ?? []) values.push(low, high);
  }
  const counted = log ? values.filter((value) => value > 0) : values;
  let [low, high] = range ?? [lowest(counted), highest(counted)];
  if (log && !range) low = 10 ** Math.floor(Math.log10(low));
  if (low === high) [low, high] = log ? [low, low * 10] : [Math.min(0, low), Math.max(1, high)];
  const on = log ? (value) => Math.log(Math.max(low, value)) : (value) => value;
  return { low, high, part: (value) => Math.max(0, Math.min(1, (on(value) - on(low)) / (on(high) - on(low)))) };
}

const lowest = (values) => values.reduce((least, value) => Math.min(least, value), values[0] ?? 1);
const highest = (values) => values.reduce((most, value) => Math.max(most, value), values[0] ?? 1);

/** A line's points, or the lowest and the highest of each stretch where there are too many to be seen. */
function thinned(points, last) {
  if (points.length <= MAX_POINTS) return points;
  const stretches = new Map();
  for (const point of points) {
    const stretch = Math.floor((point[0] / (last || 1)) * (MAX_POINTS / 2));
    const known = stretches.get(stretch) ?? [point, point];
    stretches.set(stretch, [point[1] < known[0][1] ? point : known[0], point[1] > known[1][1] ? point : known[1]]);
  }
  return [...stretches.values()].flatMap((pair) => pair.toSorted(([one], [other]) => one - other));
}

const path = (points, at) => points.map((point, number) => `${number ? "L" : "M"}${at(point)}`).join("");

function outline(band, at) {
  const above = band.map(([position, , high]) => [position, high]);
  const below = band.map(([position, low]) => [position, low]).toReversed();
  return `${path([...above, ...below], at)}Z`;
}

/** The last point up to a position. */
function latest(points, position) {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle][0] <= position) low = middle + 1;
    else high = middle;
  }
  return points[low - 1];
}

function place(node, x, y) {
  node.style.left = `${(x / WIDE) * 100}%`;
  node.style.top = `${(y / HIGH) * 100}%`;
}

function limitName({ label }, y) {
  const node = element("span", { class: y < HIGH / 4 ? "chart-name under" : "chart-name" }, label);
  node.style.top = `${y}%`;
  return node;
}

function scaleNames({ low, high }, limits, format) {
  const isNamed = limits.some(({ value }) => value === high);
  return [
    ...(isNamed ? [] : [element("span", { class: "chart-end" }, format(high))]),
    element("span", { class: "chart-end low" }, format(low)),
  ];
}
