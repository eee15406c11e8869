// Shoot-Em-Up, drawn as SVG. One unit of length is one square of the board; (0, 0) is its upper left corner.
// Everything that happens is said by the frame (see frame.py); no rule is known here.
import { set, svg } from "dohyo/elements.js";
import { createFloor, EDGE, SQUARES } from "game/floor.js";
import { createHits } from "game/hits.js";
import { createRobots } from "game/robots.js";
import { createShots } from "game/shots.js";

export { style } from "game/look.js";
export const pace = 3;
export const marks = { hit: "tick", near: "dot", died: "down", left: "down", failed: "down" };
export const untold = ["near"]; // neither robot knows
export const score = { word: "shoot-em-up.chart.hits", of: (frame, seat) => frame.robots[seat].hits };
export const legend = [
  ["+ \u2013", "shoot-em-up.sign.shot"],
  ["\u00b7", "shoot-em-up.sign.weak"],
  ["\u25cf\u25cb\u25cb", "shoot-em-up.sign.hits"],
  ["\u25ef", "shoot-em-up.sign.gun"],
  ["\u25b8", "shoot-em-up.sign.from"],
  ["\u2503", "shoot-em-up.sign.line-hit"],
  ["\u25cf", "shoot-em-up.sign.line-near"],
  ["\u25bc", "shoot-em-up.sign.line-end"],
  ["\u2715", "viewer.sign.fault"],
];

/**
 * @param {HTMLElement} host
 * @param {{seats: import("dohyo/seats.js").Seat[], say: Function}} options
 */
export function create(host, { seats, say }) {
  const side = SQUARES + 2 * EDGE;
  const scene = svg("svg", { viewBox: `${-EDGE} ${-EDGE} ${side} ${side}` });
  const floor = createFloor();
  const shots = createShots(seats);
  const robots = createRobots(seats);
  const hits = createHits();
  scene.append(...floor.nodes, hits.under, ...shots.nodes, ...robots.nodes, hits.over);
  host.append(scene);
  let shown = null;

  return {
    board: { node: scene, rows: SQUARES, columns: SQUARES, at: (row, column) => [column + 0.5, row + 0.5] },
    draw(frame, previous, progress) {
      const from = previous ?? frame;
      if (frame !== shown) {
        shown = frame;
        const blind = frame.robots.some(({ x }) => x === null);
        set(scene, "class", blind ? "shoot-em-up blind" : "shoot-em-up");
        shots.show(frame, from);
        hits.show(frame);
      }
      shots.draw(progress);
      robots.draw(from, frame, progress);
      hits.draw(progress);
    },
    status: (frame, seat) => status(frame.robots[seat], say),
    describe: (frame) => describe(frame, seats, say),
    drawn: () => ({ robots: robots.drawn(scene), shots: shots.drawn(scene), ...hits.drawn(scene) }),
  };
}

function status({ hits, ready, lost }, say) {
  const words = [say("shoot-em-up.hit-count", { hits: hits ?? "?" })];
  if (lost) words.push(say(`shoot-em-up.lost-${lost}`));
  else if (ready !== null) words.push(say(ready ? "shoot-em-up.may-shoot" : "shoot-em-up.charging"));
  return { text: words.join(" \u00b7 "), out: lost !== null };
}

/** What happened, as one sentence. */
function describe(frame, seats, say) {
  if (frame.mover === null) return say("shoot-em-up.says.begin");
  const told = frame.marks.flatMap((mark) => consequence(mark, frame.line !== null, seats, say));
  const ended = frame.marks.some(([kind]) => kind === "left" || kind === "failed");
  const acted = ended || (frame.line === null && told.length) ? [] : [deed(frame, seats[frame.mover].label, say)];
  return [...acted, ...told].join(" \u00b7 ");
}

function deed({ line, marks: happened }, name, say) {
  if (line === null) return say("shoot-em-up.says.unseen", { name });
  const [kind, dx, dy] = line.split(" ");
  const direction = say(`shoot-em-up.direction.${dx},${dy}`);
  if (kind === "S") {
    const [, , power] = happened.find(([what]) => what === "shot");
    return say(power ? "shoot-em-up.says.shoots" : "shoot-em-up.says.shoots-weakly", { name, direction });
  }
  return say(dx === "0" && dy === "0" ? "shoot-em-up.says.stays" : "shoot-em-up.says.moves", { name, direction });
}

/** What came of it; nothing for what the deed has said already. Where a hit came from is news to whoever sees no more. */
function consequence([kind, seat, dx, dy], isSeen, seats, say) {
  if (kind === "shot") return [];
  const name = seats[seat].label;
  if (kind !== "hit" || isSeen) return [say(`shoot-em-up.says.${kind}`, { name })];
  return [say("shoot-em-up.says.hit-from", { name, direction: say(`shoot-em-up.from.${dx},${dy}`) })];
}
