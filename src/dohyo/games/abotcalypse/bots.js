// The bots: a token each with its number; larger than a square, so that they are found on a board of 10000.
import { set, svg } from "dohyo/elements.js";
import { SQUARES } from "game/ground.js";
import { squareOf } from "game/meteors.js";

const MOVING = 0.5; // the part of a turn in which bots move
const CLOSE = 0.85; // how large tokens are where a part of the board is shown
const FEW = 24; // so many bots have room for large tokens

export function createBots(seats) {
  const size = seats.length > FEW ? 0.85 : 1.45;
  const bots = seats.map((seat) => {
    const token = svg("path", { d: seat.shape, fill: seat.colour, class: "token" });
    const y = seat.middle;
    const number = svg("text", { y, dy: ".36em", class: "number", fill: seat.ink }, String(seat.number));
    const large = svg("g", {}, token, number);
    return { node: svg("g", {}, large), large };
  });
  return {
    nodes: bots.map(({ node }) => node),
    at: (seat, from, frame, progress) => way(from.bots[seat], frame.bots[seat], progress),
    draw(from, frame, progress, followed) {
      const scale = followed === null ? size : CLOSE;
      bots.forEach(({ node, large }, seat) => {
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
        set(large, "transform", `scale(${scale})`);
      });
    },
    /** Where each bot is, null for one that is not to be seen. */
    drawn: (scene) =>
      bots.map(({ node }) => (getComputedStyle(node).display === "none" ? null : squareOf(node, scene))),
  };
}

/** Where a bot is on its way; null where that is not known. */
function way(old, now, progress) {
  if (now.x === null) return null;
  const start = old.x === null ? now : old;
  const part = Math.min(1, progress / MOVING);
  const eased = part * part * (3 - 2 * part);
  return [start.x + (now.x - start.x) * eased, start.y + (now.y - start.y) * eased];
}
