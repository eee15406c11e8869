// Wondev Woman, drawn as SVG. One unit of length is one cell of the board; (0, 0) is its upper left corner.
// Everything that happens is said by the frame (see frame.py); no rule is known here.
import { svg } from "dohyo/elements.js";
import { createBubble } from "game/bubble.js";
import { createMarks } from "game/happenings.js";
import { createTowers } from "game/towers.js";
import { createUnits } from "game/units.js";

export { style } from "game/look.js";
export const pace = 2.5;
export const marks = { score: "tick", push: "dot", out: "down" };
export const score = { word: "viewer.score", of: (frame, seat) => frame.scores[seat] };
export const legend = [
  ["1 2 3", "wondev-woman.sign.height"],
  ["\u25cf 4", "wondev-woman.sign.dome"],
  ["+1", "wondev-woman.sign.score"],
  ["\u279c", "wondev-woman.sign.push"],
  ["\u2715", "wondev-woman.sign.cancel"],
  ["\u2591", "wondev-woman.sign.fog"],
  ["\u2503", "wondev-woman.sign.line-score"],
  ["\u25cf", "wondev-woman.sign.line-push"],
  ["\u25bc", "wondev-woman.sign.line-out"],
  ["\u2715", "viewer.sign.fault"],
];

const EDGE = 0.55; // around the board, for the numbers of rows and columns

/**
 * @param {HTMLElement} host
 * @param {{seats: import("dohyo/seats.js").Seat[], say: Function}} options
 */
export function create(host, { seats, say }) {
  const scene = svg("svg", { class: "wondev-woman" });
  host.append(scene);
  let parts = null; // made with the first frame, which says how large the board is
  let shown = null;

  function build({ heights, units }) {
    const size = heights.length;
    const side = size + 2 * EDGE;
    scene.setAttribute("viewBox", `${-EDGE} ${-EDGE} ${side} ${side}`);
    parts = {
      towers: createTowers(heights),
      units: createUnits(seats, units),
      happenings: createMarks(seats),
      bubble: createBubble(size),
    };
    const { towers, units: pieces, happenings, bubble } = parts;
    scene.append(...coordinates(size), ...towers.nodes, happenings.under, ...pieces.nodes, ...towers.numbers);
    scene.append(...towers.fogs, happenings.over, bubble.node);
  }

  return {
    get board() {
      const size = shown?.heights.length ?? 0;
      return { node: scene, rows: size, columns: size, at: (row, column) => [column + 0.5, row + 0.5] };
    },
    draw(frame, previous, progress, moves = []) {
      if (!parts) build(frame);
      const from = previous ?? frame;
      if (frame !== shown) {
        shown = frame;
        parts.happenings.show(frame);
        parts.bubble.show(frame, moves, seats);
      }
      parts.towers.draw(from, frame, progress);
      parts.units.draw(from, frame, progress);
      parts.happenings.draw(progress);
    },
    status: (frame, seat) => status(frame, seat, say),
    describe: (frame) => describe(frame, seats, say),
    drawn: () => ({
      heights: parts.towers.heights(),
      seen: parts.towers.seen(),
      units: parts.units.drawn(scene),
      message: parts.bubble.drawn(),
      ...parts.happenings.drawn(scene),
    }),
  };
}

/** Numbers of rows and columns at the edge, as the bots are told them. */
function coordinates(size) {
  const text = (x, y, number) => svg("text", { x, y, dy: ".36em", class: "coordinate" }, String(number));
  return Array.from({ length: size }, (_, at) => [text(at + 0.5, -0.27, at), text(-0.27, at + 0.5, at)]).flat();
}

function status({ scores, out }, seat, say) {
  const words = [say("wondev-woman.score", { score: scores[seat] ?? "?" })];
  if (out[seat]) words.push(say("wondev-woman.out"));
  return { text: words.join(" \u00b7 "), out: out[seat] };
}

/** What happened, as one sentence. */
function describe(frame, seats, say) {
  if (frame.mover === null) return say("wondev-woman.says.begin");
  const name = seats[frame.mover].label;
  const gone = frame.marks.find(([kind]) => kind === "out");
  if (gone) return say(`wondev-woman.says.${gone[2]}`, { name });
  const happened = (kind) => frame.marks.some(([what]) => what === kind);
  const words = [deed(frame, name, say)];
  if (happened("score")) words.push(say("wondev-woman.says.scores"));
  if (happened("cancel")) words.push(say("wondev-woman.says.cancelled"));
  return words.join(" \u00b7 ");
}

function deed({ action, marks: happened }, name, say) {
  if (action === null) {
    const seen = happened.some(([kind]) => kind === "push" || kind === "move");
    return say(seen ? "wondev-woman.says.seen" : "wondev-woman.says.hidden", { name });
  }
  const [kind, unit, ...directions] = action.split(" ");
  const [first, second] = directions.map((direction) => say(`wondev-woman.direction.${direction}`));
  const key = kind === "PUSH&BUILD" ? "wondev-woman.says.pushes" : "wondev-woman.says.moves";
  return say(key, { name, unit, first, second });
}
