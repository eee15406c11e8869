// Shots: a beam to the edge of the board, which fades and leaves a mark in each square that it crossed. The marks stay,
// paler, while the other robot acts, and are gone when the shooter acts again.
import { set, svg } from "dohyo/elements.js";
import { fade, squareOf } from "game/floor.js";

const FLYING = 0.35; // the part of a turn in which the beam grows
const PALE = 0.55; // marks of a shot that was shot before this turn
const SIGNS = ["M-.2 0H.2M0-.2V.2", "M-.2 0H.2"]; // plus and minus, as the program arena prints them
const WEAK = "M-.02 0H.02";

export function createShots(seats) {
  const layers = seats.map(() => svg("g", {}));
  let shots = [];
  return {
    nodes: layers.toReversed(),
    show(frame, from) {
      shots = frame.robots.map((robot, p) => robot.shot && makeShot(robot, seats[p], p, frame.mover === p));
      // What was a mark until now goes while its robot acts.
      const going = from.robots.map(({ shot }, p) => (shot && frame.mover === p && frame !== from ? shot : null));
      const last = going.map((shot, p) => (shot ? leaving(shot, seats[p], p) : null));
      layers.forEach((layer, p) => {
        const nodes = [shots[p]?.beam, ...(shots[p]?.signs ?? []), ...(last[p] ?? [])];
        layer.replaceChildren(...nodes.filter(Boolean));
      });
      shots.going = last.filter(Boolean).flat();
    },
    draw(progress) {
      for (const shot of shots) if (shot) drawShot(shot, progress);
      for (const sign of shots.going) fade(sign, set, PALE * (1 - 3 * progress));
    },
    drawn: (scene) =>
      shots.map(
        (shot) =>
          shot && {
            power: shot.power,
            fresh: shot.fresh,
            squares: shot.signs.map((sign) => squareOf(sign, scene)),
          },
      ),
  };
}

function makeShot({ x, y, shot: { power, squares } }, seat, p, fresh) {
  const signs = squares.map((square) => makeSign(square, seat, p, power));
  const [u, v] = squares.at(-1) ?? [x, y];
  const beam = svg("path", {
    d: `M${x + 0.5} ${y + 0.5}L${u + 0.5} ${v + 0.5}`,
    class: power ? "beam" : "beam weak",
    stroke: seat.colour,
    pathLength: 1,
  });
  return { beam, signs, power, fresh };
}

function makeSign([x, y], seat, p, power) {
  const d = power ? SIGNS[p % SIGNS.length] : WEAK;
  const edge = svg("path", { d, class: "sign edge" });
  return svg("g", { transform: `translate(${x + 0.5} ${y + 0.5})` }, edge, svg("path", { d, class: "sign", stroke: seat.colour }));
}

const leaving = ({ power, squares }, seat, p) => squares.map((square) => makeSign(square, seat, p, power));

function drawShot({ beam, signs, fresh }, progress) {
  if (!fresh) {
    set(beam, "display", "none");
    for (const sign of signs) fade(sign, set, 1 - (1 - PALE) * progress);
    return;
  }
  const flown = Math.min(1, progress / FLYING);
  set(beam, "display", flown > 0 && progress < 1 ? "inline" : "none");
  set(beam, "stroke-dasharray", `${flown.toFixed(3)} 1`);
  fade(beam, set, 1 - (progress - FLYING) / (1 - FLYING));
  signs.forEach((sign, at) => fade(sign, set, flown * (signs.length + 1) - at));
}
