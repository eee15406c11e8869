// Connect four, drawn as SVG. One unit of length is one cell; (0, 0) is the board's upper left corner.
// Everything that happens is said by the frame (see frame.py); no rule is known here.
import { set, svg } from "dohyo/elements.js";

export const pace = 2.5;
export const marks = { four: "tick", "give-up": "down" };
export const legend = [
  ["\u25ce", "connect-four.sign.last"],
  ["\u25cf\u25cf\u25cf\u25cf", "connect-four.sign.four"],
  ["\u2503", "connect-four.sign.line-four"],
  ["\u25bc", "connect-four.sign.line-out"],
  ["\u2715", "viewer.sign.fault"],
];
export const style = `
.connect-four { --wall: #59616d; --hole: #f4f1ea; --text: #4a4a4a; --ring: #ffffff; display: block; width: 100%; height: 100%; }
.connect-four .wall { fill: var(--wall); }
.connect-four .hole { fill: var(--hole); }
.connect-four .stone { stroke: #16181c; stroke-width: .08; }
.connect-four .ring { fill: none; stroke: var(--ring); stroke-width: .07; }
.connect-four .ring.four { stroke-width: .13; }
.connect-four text { font: 600 .34px system-ui, sans-serif; text-anchor: middle; }
.connect-four .coordinate { fill: var(--text); }
@media (prefers-color-scheme: dark) {
  .connect-four { --wall: #4a6079; --hole: #141b24; --text: #b4bcc8; }
}
`;

const COLUMNS = 7;
const ROWS = 6;
const STONE = 0.38; // its radius
const FALLING = 0.7; // the part of a turn in which a stone falls

/**
 * @param {HTMLElement} host
 * @param {{seats: import("dohyo/seats.js").Seat[], say: Function}} options
 */
export function create(host, { seats, say }) {
  const scene = svg("svg", { viewBox: `-.2 -.9 ${COLUMNS + 0.4} ${ROWS + 1.7}`, class: "connect-four" });
  const wall = svg("rect", { x: -0.1, y: -0.1, width: COLUMNS + 0.2, height: ROWS + 0.2, rx: 0.25, class: "wall" });
  const cells = places().map(([column, row]) => createCell(column, row, seats));
  scene.append(wall, ...cells.map(({ hole }) => hole), ...cells.map(({ node }) => node), ...coordinates());
  host.append(scene);

  return {
    board: { node: scene, rows: ROWS, columns: COLUMNS, at: (row, column) => [column + 0.5, row + 0.5] },
    draw(frame, previous, progress) {
      for (const cell of cells) drawCell(cell, frame, progress);
    },
    status: (frame, seat) => ({
      text: say("connect-four.stones", { stones: frame.rows.flat().filter((owner) => owner === seat).length }),
      out: frame.marks.some(([kind, who]) => kind === "give-up" && who === seat),
    }),
    describe: (frame) => describe(frame, seats, say),
    drawn: () => cells.map((cell) => readCell(cell, scene)).filter((stone) => stone !== null),
  };
}

const places = () =>
  Array.from({ length: COLUMNS * ROWS }, (_, at) => [at % COLUMNS, Math.floor(at / COLUMNS)]);

/** The columns' numbers, as the bots say them. */
const coordinates = () =>
  Array.from({ length: COLUMNS }, (_, column) =>
    svg("text", { x: column + 0.5, y: ROWS + 0.5, class: "coordinate" }, String(column)),
  );

function createCell(column, row, seats) {
  const hole = svg("circle", { cx: column + 0.5, cy: row + 0.5, r: 0.42, class: "hole" });
  const stones = seats.map((seat) =>
    svg(
      "g",
      {},
      svg("path", { d: seat.shape, fill: seat.colour, class: "stone", transform: `scale(${STONE})` }),
      svg("text", { y: seat.middle * STONE, dy: ".36em", fill: seat.ink }, String(seat.number)),
    ),
  );
  const ring = svg("circle", { r: 0.46, class: "ring" });
  const node = svg("g", {}, ...stones, ring);
  return { column, row, hole, node, stones, ring };
}

function drawCell(cell, frame, progress) {
  const { column, row, node, stones, ring } = cell;
  const isHere = ([x, y]) => x === column && y === row;
  const isLast = frame.marks.some(([kind, , ...at]) => kind === "drop" && isHere(at));
  const isInLine = frame.line.some(isHere);
  const owner = frame.rows[row][column];
  const fallen = isLast ? Math.min(1, progress / FALLING) ** 2 : 1;
  const y = -0.5 + (row + 1) * fallen;
  set(node, "transform", `translate(${column + 0.5} ${y.toFixed(3)})`);
  stones.forEach((stone, seat) => set(stone, "display", seat === owner ? "inline" : "none"));
  set(ring, "class", isInLine ? "ring four" : "ring");
  set(ring, "display", isLast || (isInLine && fallen === 1) ? "inline" : "none");
}

/** Where a stone really is on the page, whose it is, and its ring; null for a cell without one. */
function readCell({ node, stones, ring }, scene) {
  const owner = stones.findIndex((stone) => stone.getAttribute("display") !== "none");
  if (owner < 0) return null;
  const { e, f } = scene.getScreenCTM().inverse().multiply(node.getScreenCTM());
  const rings = ring.getAttribute("display") === "none" ? "" : ring.getAttribute("class");
  return { owner, x: Math.round((e - 0.5) * 100) / 100, y: Math.round((f - 0.5) * 100) / 100, ring: rings };
}

/** What happened, as one sentence. */
function describe(frame, seats, say) {
  if (frame.mover === null) return say("connect-four.says.begin");
  const happened = (what) => frame.marks.some(([kind]) => kind === what);
  const deed = happened("give-up") ? "gives-up" : happened("four") ? "connects" : "drops";
  return say(`connect-four.says.${deed}`, { name: seats[frame.mover].label, column: frame.action });
}
