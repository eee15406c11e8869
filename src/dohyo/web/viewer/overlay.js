// What bots drew on the board (see dohyo/match/telling/annotations.py), over any game's drawing. A scene that can be drawn on has
//
//   board   {node, rows, columns, at(row, column)}: its SVG, how many rows and columns there are, and where the middle of
//           a square is in the units of the SVG's view box, of which a square is one wide; all may be read anew at
//           each drawing
//
// Row and column are those that the board has at its edge. What is not on the board is not drawn.
import { svg } from "dohyo/elements.js";
import { short } from "dohyo/words.js";

const MARK = 0.44; // half the side of a mark, in squares
const LETTERS = 0.42; // the height of words, in squares
const LEAST = { mark: 5, letters: 12, line: 2 }; // pixels on the screen
const MOST = { letters: 17, line: 4.5 };
const MAX_LETTERS = 40;

/**
 * @param {object} options
 * @param {import("dohyo/seats.js").Seat[]} options.seats
 * @param {() => {node: SVGElement, rows: number, columns: number, at: Function} | undefined} options.board
 */
export function createOverlay({ seats, board }) {
  const layer = svg("g", { class: "annotations" });
  let drawn = []; // [annotation, seat]
  let hidden = false;
  let scale = 0; // pixels of a square

  function draw() {
    const on = board();
    const shapes = on && !hidden ? drawn.flatMap(([annotation, seat]) => shape(annotation, seats[seat], on, scale)) : [];
    layer.replaceChildren(...shapes);
  }

  return {
    /** Show what these moves say; it stays until the next call. */
    show(moves) {
      const said = moves.flatMap((move) => (move.annotations ?? []).map((annotation) => [annotation, move.seat]));
      if (!said.length && !drawn.length) return;
      drawn = said;
      scale = 0;
      this.fit();
    },
    /** Draw again if the board has another size on the screen by now. */
    fit() {
      const on = board();
      if (!on || (!drawn.length && !layer.childElementCount)) return;
      if (on.node.lastElementChild !== layer) on.node.append(layer);
      const now = on.node.getScreenCTM()?.a || 1;
      if (Math.abs(now - scale) < 0.01 * now) return;
      scale = now;
      draw();
    },
    toggle() {
      hidden = !hidden;
      draw();
    },
  };
}

/** The elements of an annotation; none for a value, and for what is not on the board. */
function shape([kind, ...rest], seat, on, scale) {
  const least = (part, pixels, most = Infinity) => Math.max(Math.min(part, most / scale), pixels / scale);
  const inside = (row, column) => row > -1 && column > -1 && row < on.rows && column < on.columns;
  if (kind === "mark" && inside(...rest)) return [mark(on.at(...rest), rest[2] ?? seat.colour, least)];
  if (kind === "text" && inside(...rest)) return [words(on.at(...rest), rest[2], least)];
  if (kind !== "arrow" || !inside(rest[0], rest[1]) || !inside(rest[2], rest[3])) return [];
  return [arrow(on.at(rest[0], rest[1]), on.at(rest[2], rest[3]), rest[4] ?? seat.colour, least)];
}

function mark([x, y], colour, least) {
  const half = least(MARK, LEAST.mark);
  const box = { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: half / 5 };
  const look = { fill: colour, "fill-opacity": 0.3, stroke: colour, "stroke-width": least(0.08, LEAST.line) };
  return svg("rect", { ...box, ...look, class: "mark" });
}

function arrow([x, y], [u, v], colour, least) {
  const long = Math.hypot(u - x, v - y) || 1;
  const head = Math.min(least(0.32, 4 * LEAST.line), long / 2);
  const [across, along] = [(u - x) / long, (v - y) / long];
  const wing = (side) =>
    `${(u - head * (across + 0.6 * side * along)).toFixed(3)} ${(v - head * (along - 0.6 * side * across)).toFixed(3)}`;
  const d = `M${x} ${y}L${u} ${v}M${wing(1)}L${u} ${v}L${wing(-1)}`;
  const wide = least(0.1, LEAST.line, MOST.line);
  const line = (stroke, width) =>
    svg("path", { d, fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });
  return svg("g", { class: "arrow-of-bot" }, line("#fffaf0", 1.9 * wide), line(colour, wide));
}

function words([x, y], text, least) {
  const size = least(LETTERS, LEAST.letters, MOST.letters);
  const look = { "font-size": `${size}px`, "font-weight": 650, "font-family": "system-ui, sans-serif" };
  const edge = { fill: "#1c1512", stroke: "#fffaf0", "stroke-width": size / 4, "paint-order": "stroke" };
  const place = { x, y, dy: ".36em", "text-anchor": "middle", "stroke-linejoin": "round" };
  const node = svg("text", { ...place, ...edge, class: "words-of-bot" }, short(text, MAX_LETTERS));
  for (const [name, value] of Object.entries(look)) node.style.setProperty(name, value);
  return node;
}
