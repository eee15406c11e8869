// The bots: a token each with its number. On the whole board, where a square is a few pixels, a token stands above its
// bot like the head of a pin, large enough to be read, and the bot's own square has its colour.
import { set, svg } from "dohyo/elements.js";
import { SQUARES } from "game/ground.js";
import { squareOf } from "game/meteors.js";

const MOVING = 0.5; // the part of a turn in which bots move
const CLOSE = 0.85; // how large tokens are where a part of the board is shown, in squares
const FEW = 24; // so many bots have room for large tokens
const PIXELS = { close: 8, few: 14, many: 6.5 }; // the least radius of a token on the screen
const LOWEST = 1.35; // how far a seat's shape reaches below its middle, in radii
const MAX_LIFTED = 3; // tokens above each other, where bots are near to each other

export function createBots(seats) {
  const bots = seats.map((seat) => {
    const token = svg("path", { d: seat.shape, fill: seat.colour, class: "token" });
    const y = seat.middle;
    const number = svg("text", { y, dy: ".36em", class: "number", fill: seat.ink }, String(seat.number));
    const square = svg("rect", { x: -0.5, y: -0.5, width: 1, height: 1, fill: seat.colour, class: "own-square" });
    const stems = ["stem edge", "stem"].map((name) => svg("path", { class: name, stroke: seat.colour }));
    const pin = svg("g", {}, ...stems, square);
    const large = svg("g", {}, token, number);
    return { node: svg("g", {}, pin, large), pin, stems, large };
  });
  const lifts = createLifts();

  /** The radius of a token in squares; a square has `pixels` on the screen. */
  const radius = (followed, pixels) => {
    if (followed !== null) return Math.max(CLOSE, PIXELS.close / pixels);
    const many = seats.length > FEW;
    return Math.max(many ? 0.85 : 1.3, (many ? PIXELS.many : PIXELS.few) / pixels);
  };

  return {
    nodes: bots.map(({ node }) => node),
    at: (seat, from, frame, progress) => way(from.bots[seat], frame.bots[seat], progress),
    /** @param {number} pixels how large a square is on the screen */
    draw(from, frame, progress, followed, pixels) {
      const scale = radius(followed, pixels);
      const lifted = followed === null ? [from, frame].map((one) => lifts(one, scale)) : null;
      bots.forEach(({ node, pin, stems, large }, seat) => {
        const old = from.bots[seat];
        const now = frame.bots[seat];
        const at = way(old, now, progress);
        const leaves = old.alive && !now.alive;
        const shown = at && (now.alive || (leaves && progress < 1));
        set(node, "display", shown ? "inline" : "none");
        if (!shown) return;
        set(node, "transform", `translate(${(at[0] + 0.5).toFixed(3)} ${(SQUARES - at[1] - 0.5).toFixed(3)})`);
        set(node, "opacity", leaves ? (1 - progress).toFixed(2) : 1);
        set(node, "class", seat === followed ? "contender followed" : "contender");
        const [before, after] = lifted?.map((one) => one[seat]) ?? [0, 0];
        const lift = before + (after - before) * eased(progress);
        set(pin, "display", lifted ? "inline" : "none");
        const wide = 1.2 * scale - 1; // at the edge of the board a token leans inwards
        const aside = lifted ? Math.max(wide, Math.min(SQUARES - 1 - wide, at[0])) - at[0] : 0;
        const head = `${aside.toFixed(2)} ${(-lift).toFixed(2)}`;
        for (const stem of stems) set(stem, "d", `M0 0L${head}`);
        set(large, "transform", `translate(${head}) scale(${scale.toFixed(3)})`);
      });
    },
    /** Where each bot is, null for one that is not to be seen. */
    drawn: (scene) =>
      bots.map(({ node }) => (getComputedStyle(node).display === "none" ? null : squareOf(node, scene))),
  };
}

/** How far above its bot each token stands in a frame at rest: above the square, and above tokens that are near. */
function createLifts() {
  let known = new WeakMap();
  let knownRadius = null;

  function work(frame, radius) {
    const placed = [];
    return frame.bots.map(({ x, y, alive }) => {
      const lowest = LOWEST * radius + 0.7;
      if (x === null || !alive) return lowest;
      const near = placed.filter(([other]) => Math.abs(other - x) < 1.7 * radius);
      const free = (lift) => near.every(([, height]) => Math.abs(height - y - lift) >= 1.7 * radius);
      const tries = Array.from({ length: MAX_LIFTED }, (_, at) => lowest + 1.9 * radius * at);
      const lift = tries.find(free) ?? tries[0];
      placed.push([x, y + lift]);
      return lift;
    });
  }

  return (frame, radius) => {
    if (radius !== knownRadius) known = new WeakMap();
    knownRadius = radius;
    if (!known.has(frame)) known.set(frame, work(frame, radius));
    return known.get(frame);
  };
}

/** Where a bot is on its way; null where that is not known. */
function way(old, now, progress) {
  if (now.x === null) return null;
  const start = old.x === null ? now : old;
  return [start.x + (now.x - start.x) * eased(progress), start.y + (now.y - start.y) * eased(progress)];
}

/** How far a movement is: bots start and stop gently. */
function eased(progress) {
  const part = Math.min(1, progress / MOVING);
  return part * part * (3 - 2 * part);
}
