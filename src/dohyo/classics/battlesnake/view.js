// Battlesnake, drawn as SVG: one board with snakes and food. One unit of length is one place; (0, 0) is the upper left
// corner. Everything that happens is said by the frame (see frame.py); no rule is known here.
import { set, svg } from "dohyo/elements.js";

export const pace = 5;
export const marks = { out: "cross" };
export const score = {
  word: "battlesnake.chart.length",
  of: (frame, seat) => (frame.snakes[seat].out ? null : frame.snakes[seat].length),
};
export const legend = [
  ["\u25cf", "battlesnake.sign.head"],
  ["\u25c6", "battlesnake.sign.food"],
  ["\u25a8", "battlesnake.sign.hazard"],
  ["\u2715", "battlesnake.sign.out"],
  ["\u2715", "viewer.sign.fault"],
];
export const style = `
.battlesnake { --place: #efe6d4; --other: #e8ddc8; --edge: #cdbfa6; --food: #b0361a; --line: #16181c; --hazard: #7a4fa3; display: block; width: 100%; height: 100%; }
.battlesnake .place { fill: var(--place); }
.battlesnake .place.other { fill: var(--other); }
.battlesnake .hazard { fill: var(--hazard); fill-opacity: .35; }
.battlesnake .hazard-lines { stroke: var(--hazard); stroke-width: .09; }
.battlesnake .frame { fill: none; stroke: var(--edge); stroke-width: .06; }
.battlesnake .food { fill: var(--food); stroke: var(--line); stroke-width: .05; }
.battlesnake .body { fill: none; stroke-linecap: round; stroke-linejoin: round; }
.battlesnake .under { stroke: var(--line); stroke-width: .66; }
.battlesnake .over { stroke-width: .54; }
.battlesnake .head { stroke: var(--line); stroke-width: .14; }
.battlesnake .fallen { fill: none; stroke-width: .16; stroke-linecap: round; }
.battlesnake text { font: 700 .44px system-ui, sans-serif; text-anchor: middle; dominant-baseline: central; }
@media (prefers-color-scheme: dark) {
  .battlesnake { --place: #2e2721; --other: #352d26; --edge: #54483d; --food: #ff9a76; --line: #0d0b09; --hazard: #b48be0; }
}
`;

const SIZE = 11;
const HEAD = 0.42; // half of its width

/**
 * @param {HTMLElement} host
 * @param {{seats: import("dohyo/seats.js").Seat[], say: Function}} options
 */
export function create(host, { seats, say }) {
  const scene = svg("svg", { viewBox: `-.3 -.3 ${SIZE + 0.6} ${SIZE + 0.6}`, class: "battlesnake" });
  const hazards = places().map(([row, column]) => createHazard(row, column));
  const food = places().map(([row, column]) => createFood(row, column));
  const snakes = seats.map(createSnake);
  scene.append(
    ...places().map(([row, column]) =>
      svg("rect", { x: column, y: row, width: 1, height: 1, class: (row + column) % 2 ? "place other" : "place" }),
    ),
    ...hazards.map(({ node }) => node),
    svg("rect", { x: 0, y: 0, width: SIZE, height: SIZE, class: "frame" }),
    ...food.map(({ node }) => node),
    ...snakes.map(({ trunk }) => trunk),
    ...snakes.map(({ head }) => head),
    ...snakes.map(({ fallen }) => fallen),
  );
  host.append(scene);

  return {
    board: { node: scene, rows: SIZE, columns: SIZE, at: (row, column) => [column + 0.5, row + 0.5] },
    draw(frame, previous, progress) {
      show(food, frame.food);
      show(hazards, frame.hazards);
      snakes.forEach((snake, seat) => drawSnake(snake, seat, frame, previous, progress));
    },
    status: (frame, seat) => ({
      text: say(frame.snakes[seat].out ? "battlesnake.out" : "battlesnake.fares", frame.snakes[seat]),
      out: frame.snakes[seat].out,
    }),
    describe: (frame) => describe(frame, seats, say),
    drawn: () => ({
      food: shown(food),
      hazards: shown(hazards),
      snakes: snakes.map(readSnake),
    }),
  };
}

const places = () => Array.from({ length: SIZE * SIZE }, (_, at) => [Math.floor(at / SIZE), at % SIZE]);

/** Show those of the signs whose places are among these. */
function show(signs, at) {
  const wanted = new Set(at.map(String));
  for (const { place, node } of signs) set(node, "display", wanted.has(String(place)) ? "inline" : "none");
}

/** The places of the signs that are shown. */
const shown = (signs) =>
  signs.filter(({ node }) => node.getAttribute("display") === "inline").map(({ place }) => place);

/** A tinted place with two slanting lines: it can be told without its colour. */
function createHazard(row, column) {
  const field = svg("rect", { x: column, y: row, width: 1, height: 1, class: "hazard" });
  const lines = svg("path", { d: `M${column} ${row + 0.5}l.5-.5M${column + 0.5} ${row + 1}l.5-.5`, class: "hazard-lines" });
  return { place: [row, column], node: svg("g", {}, field, lines) };
}

function createFood(row, column) {
  const d = "M0-.27L.27 0 0 .27-.27 0z";
  return { place: [row, column], node: svg("path", { d, class: "food", transform: `translate(${column + 0.5} ${row + 0.5})` }) };
}

function createSnake(seat) {
  const under = svg("polyline", { class: "body under" });
  const over = svg("polyline", { class: "body over", stroke: seat.colour });
  const head = svg(
    "g",
    {},
    svg("path", { d: seat.shape, fill: seat.colour, class: "head", transform: `scale(${HEAD})` }),
    svg("text", { y: seat.middle * HEAD, fill: seat.ink }, String(seat.number)),
  );
  const fallen = svg("path", { d: "M-.26-.26L.26.26M.26-.26L-.26.26", class: "fallen", stroke: seat.colour });
  return { trunk: svg("g", {}, under, over), under, over, head, fallen };
}

function drawSnake(snake, seat, frame, previous, progress) {
  const { body } = frame.snakes[seat];
  const display = body.length ? "inline" : "none";
  set(snake.trunk, "display", display);
  set(snake.head, "display", display);
  const end = frame.fallen.find(([who]) => who === seat);
  set(snake.fallen, "display", end ? "inline" : "none");
  if (end) set(snake.fallen, "transform", `translate(${end[2] + 0.5} ${end[1] + 0.5})`);
  if (!body.length) return;
  const points = onTheWay(body, previous?.snakes[seat].body, progress).map(([row, column]) => [column + 0.5, row + 0.5]);
  const text = points.map(([x, y]) => `${x.toFixed(3)},${y.toFixed(3)}`).join(" ");
  set(snake.under, "points", text);
  set(snake.over, "points", text);
  set(snake.head, "transform", `translate(${points[0].map((at) => at.toFixed(3)).join(" ")})`);
}

/** The places of a body between two turns: the head comes out of its old place, the tail goes to its new one. */
function onTheWay(body, before, progress) {
  if (!before?.length || progress >= 1) return body;
  const between = (from, to) => from.map((at, k) => at + (to[k] - at) * progress);
  const tail = before[before.length - 1];
  return [between(before[0], body[0]), ...body.slice(1), between(tail, body[body.length - 1])];
}

/** Where a snake really is on the page, by its line; and whether its end is marked. */
function readSnake({ trunk, over, fallen }) {
  const points = trunk.getAttribute("display") === "none" ? "" : over.getAttribute("points");
  const body = points ? points.split(" ").map((point) => point.split(",").map((at) => Number(at) - 0.5).reverse()) : [];
  return { body, fallen: fallen.getAttribute("display") === "inline" };
}

/** What happened, as one sentence. */
function describe(frame, seats, say) {
  if (frame.turn === 0) return say("battlesnake.says.begin");
  const says = (key, seat) => say(`battlesnake.says.${key}`, { name: seats[seat].label });
  const told = [...frame.fallen.map(([seat]) => says("out", seat)), ...frame.ate.map((seat) => says("eats", seat))];
  return told.length ? told.join(" \u00b7 ") : say("battlesnake.says.moves");
}
