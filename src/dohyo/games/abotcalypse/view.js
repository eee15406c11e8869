// aBOTcalypse from the side, drawn as SVG. One unit is one square; y grows upwards on the board, downwards here.
// Everything that happens is said by the frame (see frame.py); no rule is known here.
import { set, svg } from "dohyo/elements.js";
import { createBots } from "game/bots.js";
import { createGround, SQUARES } from "game/ground.js";
import { createMarks } from "game/happenings.js";
import { createMeteors } from "game/meteors.js";

export { style } from "game/look.js";
export const pace = 8;
export const broad = true;
export const marks = { died: "down" };
export const legend = [
  ["\u25a0", "abotcalypse.sign.rock"],
  ["\u25cf", "abotcalypse.sign.meteor"],
  ["\u2508", "abotcalypse.sign.throw"],
  ["\u2737", "abotcalypse.sign.hit"],
  ["\u2715", "abotcalypse.sign.death"],
  ["\u25a1", "abotcalypse.sign.window"],
  ["\u25bc", "abotcalypse.sign.line-death"],
  ["\u2715", "viewer.sign.fault"],
];

const EDGE = 2; // around the board
const SIGHT = 20; // squares that a bot sees in each direction
const CLOSE = 2 * SIGHT + 7; // squares shown around a bot that is followed
const HEADROOM = 40; // rows shown above the highest rock or bot at least: as many turns a meteor is seen coming
const MIN_ROWS = 60;
const STEP = 10; // rows and columns: what is shown grows by so many, instead of a little in every turn
const NARROW = 600; // pixels: on a phone only the columns around the living bots are shown, so that these can be seen
const ASIDE = 12; // columns beside them
const MIN_COLUMNS = 50;

/**
 * @param {HTMLElement} host
 * @param {{seats: import("dohyo/seats.js").Seat[], say: Function}} options
 */
export function create(host, { seats, say }) {
  // Where the page has room for more than the view box, more of the sky is seen.
  const scene = svg("svg", { class: "abotcalypse", preserveAspectRatio: "xMidYMax meet" });
  const sky = svg("rect", { width: SQUARES, height: SQUARES, class: "sky" });
  const floor = svg("rect", { y: SQUARES, width: SQUARES, height: EDGE, class: "floor" });
  const sight = svg("rect", { class: "sight" });
  const ground = createGround();
  const meteors = createMeteors();
  const bots = createBots(seats);
  const happenings = createMarks(seats, say);
  scene.append(sky, floor, ground.node, sight, meteors.node, happenings.under, ...bots.nodes, happenings.over);
  host.append(scene);
  let followed = null;
  let last = null; // what was drawn last: the followed bot may change at rest

  function draw(frame, previous, progress) {
    if (frame !== last?.frame) happenings.show(frame);
    last = { frame, previous, progress };
    const from = previous ?? frame;
    ground.draw(progress < 0.5 && previous ? from : frame);
    meteors.draw(frame, previous ? progress : 1);
    const [width, height] = look(from, frame, progress);
    const pixels = Math.min(room.width / width, room.height / height) || 1;
    scene.style.setProperty("--pixel", `${(1 / pixels).toFixed(3)}px`);
    bots.draw(from, frame, progress, followed, pixels);
    happenings.draw(progress);
  }

  const room = { width: 0, height: 0 };
  new ResizeObserver(([{ contentRect }]) => {
    Object.assign(room, { width: contentRect.width, height: contentRect.height });
    if (last) draw(last.frame, last.previous, last.progress);
  }).observe(host);

  /** All columns, or what is around the bot that is followed: sets the view box and returns its width and height. */
  function look(from, frame, progress) {
    const at = followed === null ? null : bots.at(followed, from, frame, progress);
    set(sight, "display", at ? "inline" : "none");
    set(scene, "class", at ? "abotcalypse near" : "abotcalypse");
    if (!at) {
      const between = (before, after) => before + (after - before) * progress;
      const spans = [from, frame].map((one) => columns(one, room.width < NARROW));
      const [left, right] = [0, 1].map((end) => between(spans[0][end], spans[1][end]));
      const width = right - left;
      const part = width / (SQUARES + 2 * EDGE); // of the columns, and so of the rows
      const height = between(...[from, frame].map((one) => rows(one, part))) + EDGE;
      const top = (SQUARES + EDGE - height).toFixed(2);
      set(scene, "viewBox", `${left.toFixed(2)} ${top} ${width.toFixed(2)} ${height.toFixed(2)}`);
      return [width, height];
    }
    const [x, y] = at;
    const left = Math.max(-1, x - SIGHT);
    const right = Math.min(SQUARES + 1, x + SIGHT + 1);
    const top = Math.min(SQUARES + 1, y + SIGHT + 1);
    const bottom = Math.max(-1, y - SIGHT);
    for (const [name, value] of Object.entries({ x: left, y: SQUARES - top, width: right - left, height: top - bottom }))
      set(sight, name, value.toFixed(2));
    const within = (middle) => Math.max(-EDGE, Math.min(SQUARES + EDGE - CLOSE, middle - CLOSE / 2));
    set(scene, "viewBox", `${within(x + 0.5).toFixed(2)} ${within(SQUARES - y - 0.5).toFixed(2)} ${CLOSE} ${CLOSE}`);
    return [CLOSE, CLOSE];
  }

  return {
    board: { node: scene, rows: SQUARES, columns: SQUARES, at: (row, column) => [column + 0.5, SQUARES - row - 0.5] },
    draw,
    follow(seat) {
      followed = seat;
      if (last) draw(last.frame, last.previous, last.progress);
    },
    status: (frame, seat) => status(frame.bots[seat], say),
    describe: (frame) => describe(frame, seats, say),
    drawn: () => ({
      columns: ground.drawn(),
      bots: bots.drawn(scene),
      meteors: meteors.drawn(scene),
      ...happenings.drawn(scene),
      sight: sight.getAttribute("display") === "none" ? null : ["x", "y", "width", "height"].map((name) => Number(sight.getAttribute(name))),
    }),
  };
}

/** From which column to which one, with the edges: all of them, or on a narrow page those around the living bots. */
function columns(frame, isNarrow) {
  const all = [-EDGE, SQUARES + EDGE];
  const at = frame.bots.filter(({ alive, x }) => alive && x !== null).map(({ x }) => x);
  if (!isNarrow || !at.length) return all;
  const first = Math.floor((Math.min(...at) - ASIDE) / STEP) * STEP;
  const end = Math.ceil((Math.max(...at) + 1 + ASIDE) / STEP) * STEP;
  const wide = Math.min(all[1] - all[0], Math.max(MIN_COLUMNS, end - first));
  const left = Math.max(all[0], Math.min(all[1] - wide, (first + end - wide) / 2));
  return [left, left + wide];
}

/** How many rows to show, from the floor up, where a part of the columns is shown: the meteors above are far from
 * everything that they may hit. */
function rows(frame, part) {
  const rocks = frame.columns.map((runs) => runs?.at(-1)?.[1] ?? 0);
  const highest = Math.max(0, ...rocks, ...frame.bots.filter(({ alive, y }) => alive && y !== null).map(({ y }) => y));
  const wanted = Math.max(MIN_ROWS * part, Math.ceil((highest + HEADROOM * part) / STEP) * STEP);
  return Math.min(SQUARES + EDGE, wanted);
}

function status({ x, y, alive, died }, say) {
  if (!alive && died) {
    const [turn, cause] = died;
    return { text: say("abotcalypse.died-in", { turn, cause: say(`abotcalypse.cause.${cause}`) }), out: true };
  }
  return { text: x === null ? say("abotcalypse.lives") : say("abotcalypse.lives-at", { x, y }), out: !alive };
}

/** What happened, as one sentence: deaths first, else what most bots did. */
function describe(frame, seats, say) {
  const living = frame.bots.filter(({ alive }) => alive).length;
  const words = frame.marks
    .filter(([kind]) => kind === "died")
    .slice(0, 3)
    .map(([, seat, cause]) => say(`abotcalypse.says.${cause}`, { name: seats[seat].label }));
  words.push(say("abotcalypse.says.living", { living, bots: frame.bots.length }));
  return words.join(" \u00b7 ");
}
