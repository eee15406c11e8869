// Drop-Block, drawn as SVG. One unit is one square of the board; (0, 0) is the board's upper left corner.
// Everything that happens is said by the frame (see frame.py); no rule is known here.
import { svg } from "dohyo/elements.js";
import { createFloor, SQUARES } from "game/floor.js";
import { createMarks } from "game/happenings.js";
import { createPlayers } from "game/players.js";

export { style } from "game/look.js";
export const pace = 5;
export const marks = { attack: "tick", fall: "down" };
export const legend = [
  ["\u25bc 4", "drop-block.sign.falling"],
  ["\u25b2 12", "drop-block.sign.gone"],
  ["\u25c6\u25c6", "drop-block.sign.stun"],
  ["\u00bb", "drop-block.sign.attack"],
  ["\u2715", "drop-block.sign.fall"],
  ["\u2503", "drop-block.sign.line"],
  ["\u25bc", "drop-block.sign.end"],
  ["\u2715", "viewer.sign.fault"],
];

const EDGE = 1.15; // around the board: the straw bales, and the numbers of rows and columns

/**
 * @param {HTMLElement} host
 * @param {{seats: import("dohyo/seats.js").Seat[], say: Function}} options
 */
export function create(host, { seats, say }) {
  const side = SQUARES + 2 * EDGE;
  const scene = svg("svg", { viewBox: `${-EDGE} ${-EDGE} ${side} ${side}`, class: "drop-block" });
  const floor = createFloor();
  const players = createPlayers(seats);
  const happenings = createMarks(seats);
  scene.append(...floor.nodes, happenings.under, ...floor.numbers, ...players.nodes, happenings.over);
  host.append(scene);
  let shown = null;

  return {
    board: { node: scene, rows: SQUARES, columns: SQUARES, at: (row, column) => [column + 0.5, row + 0.5] },
    draw(frame, previous, progress) {
      if (frame !== shown) {
        shown = frame;
        happenings.show(frame);
        players.makeRoom(frame, [...floor.arrange(frame, players.arrange(frame)), ...happenings.boxes()]);
      }
      const from = previous ?? frame;
      floor.draw(from, frame, progress);
      players.draw(from, frame, progress);
      happenings.draw(progress);
    },
    status: (frame, seat) => status(frame.players[seat], say),
    describe: (frame) => describe(frame, seats, say),
    drawn: () => ({
      blocks: floor.drawn(scene),
      players: players.drawn(scene),
      ...happenings.drawn(scene),
    }),
  };
}

function status({ stun, fell }, say) {
  if (fell !== null)
    return { text: say(fell < 0 ? "drop-block.absent" : "drop-block.fell", { turn: fell }), out: true };
  return { text: stun ? say("drop-block.stunned", { turns: stun }) : say("drop-block.standing"), out: false };
}

/** What happened, as one sentence. */
function describe(frame, seats, say) {
  if (frame.mover === null) return say("drop-block.says.begin");
  const falls = frame.marks
    .filter(([kind]) => kind === "fall")
    .map(([, seat]) => say("drop-block.says.falls", { name: seats[seat].label }));
  const what = deed(frame);
  if (what === "gone" && falls.length) return falls.join(" \u00b7 ");
  const direction = say(`drop-block.direction.${frame.players[frame.mover].facing}`);
  return [say(`drop-block.says.${what}`, { name: seats[frame.mover].label, direction }), ...falls].join(" \u00b7 ");
}

function deed({ ignored, letter, mover, marks: happened, players, turn }) {
  const { fell } = players[mover];
  if (ignored) return fell !== null && fell < turn - 1 ? "gone" : "stunned";
  if (letter === "A") return "attacks";
  if (letter === "N") return "waits";
  return happened.some(([kind]) => kind === "blocked") ? "turns" : "moves";
}
