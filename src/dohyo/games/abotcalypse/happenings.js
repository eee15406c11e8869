// What happened in the turn: throws and where they ended, hits, deaths with their cause.
import { set, svg } from "dohyo/elements.js";
import { SQUARES } from "game/ground.js";
import { squareOf } from "game/meteors.js";

const STEPS = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];
const FREE = 8; // squares that a throw which hits nothing is followed
const MAX_WORDS = 12; // causes told on the board in one turn

export function createMarks(seats, say) {
  const under = svg("g", {});
  const over = svg("g", {});
  let throws = [];
  let hits = [];
  let deaths = [];
  return {
    under,
    over,
    show(frame) {
      const { marks } = frame;
      const all = (wanted, make) => marks.flatMap((mark, at) => (mark[0] === wanted ? [make(mark, at)] : []));
      throws = all("throw", ([, seat, direction], at) => thrown(frame, seats[seat], direction, marks.slice(at + 1)));
      hits = all("hit", ([, x, y, cause]) => spark(x, y, cause));
      deaths = all("died", ([, seat, cause]) => fallen(frame.bots[seat], seats[seat], say(`abotcalypse.cause.${cause}`)));
      deaths.slice(MAX_WORDS).forEach((node) => node.lastChild.setAttribute("display", "none"));
      under.replaceChildren(...throws, ...hits);
      over.replaceChildren(...deaths);
    },
    /** A throw after the moves, then what is hit, then who died of it. */
    draw(progress) {
      for (const node of throws) fade(node, 3 * progress - 1);
      for (const node of hits) fade(node, 3 * progress - 1.5);
      for (const node of deaths) fade(node, 3 * progress - 2);
    },
    drawn: (scene) => ({
      throws: throws.map((node) => Number(node.dataset.seat)),
      hits: hits.map((node) => squareOf(node, scene)),
      deaths: deaths.map((node) => ({
        seat: Number(node.dataset.seat),
        at: squareOf(node, scene),
        cause: node.lastChild.textContent,
      })),
    }),
  };
}

function fade(node, opacity) {
  set(node, "opacity", Math.max(0, Math.min(1, opacity)).toFixed(2));
}

/** The way of a throw: to what it hit, which the marks up to the next throw tell; else some squares on. */
function thrown(frame, seat, direction, later) {
  const { x, y } = frame.bots[seat.number];
  const next = later.findIndex(([kind]) => kind === "throw");
  const own = next < 0 ? later : later.slice(0, next);
  const hit = own.find(([kind, , second, third]) => (kind === "hit" ? third : kind === "died" && second) === "throw");
  let goal = STEPS[direction].map((step, axis) => [x, y][axis] + FREE * step);
  if (hit?.[0] === "hit") goal = [hit[1], hit[2]];
  if (hit?.[0] === "died") goal = [frame.bots[hit[1]].x, frame.bots[hit[1]].y];
  const [ends, starts] = [goal, [x, y]].map(([across, up]) => `${across + 0.5} ${SQUARES - up - 0.5}`);
  const line = svg("path", { d: `M${starts}L${ends}`, class: "throw", stroke: seat.colour });
  const node = svg("g", { "data-seat": seat.number }, line);
  if (hit) {
    const [across, up] = goal;
    node.append(svg("circle", { cx: across + 0.5, cy: SQUARES - up - 0.5, r: 0.5, class: "stone" }));
  }
  return node;
}

/** A star where something was hit. */
function spark(x, y, cause) {
  const d = "M0-1.5.35-.5 1.3-.75.6 0 1.3.75.35.5 0 1.5-.35.5-1.3.75-.6 0-1.3-.75-.35-.5z";
  return svg("path", { d, class: `hit by-${cause}`, transform: `translate(${x + 0.5} ${SQUARES - y - 0.5})` });
}

/** A cross where a bot died, and why. */
function fallen({ x, y }, seat, cause) {
  const d = "M-1-1 1 1M-1 1 1-1";
  const near = x < 12 ? "start" : x > 87 ? "end" : "middle";
  return svg(
    "g",
    { transform: `translate(${x + 0.5} ${SQUARES - y - 0.5})`, "data-seat": seat.number },
    svg("path", { d, class: "cross edge" }),
    svg("path", { d, class: "cross", stroke: seat.colour }),
    svg("text", { y: -2, dy: `${-1.05 * (seat.number % 3)}em`, class: "cause", "text-anchor": near }, cause),
  );
}
