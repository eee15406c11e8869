// The robots: a token each, in its seat's shape and colour, a ring that says whether its gun is ready, a pip for a hit.
import { set, svg } from "dohyo/elements.js";
import { squareOf } from "game/floor.js";

const TOKEN = 0.26; // its radius
const RING = 0.4;
const ROUND = 2 * Math.PI * RING;
const MOVING = 0.7; // the part of a turn in which robots move
const APART = 0.17; // how far two robots on one square are drawn from its middle
const LIVES = 3;

export function createRobots(seats) {
  const robots = seats.map(makeRobot);
  return {
    nodes: robots.map(({ node }) => node),
    draw(from, frame, progress) {
      const shared = [from, frame].map(isShared);
      robots.forEach((robot, p) => drawRobot(robot, p, from, frame, shared, progress));
    },
    drawn: (scene) => robots.map((robot) => readRobot(robot, scene)),
  };
}

function makeRobot(seat) {
  const ring = svg("circle", { r: RING, class: "gun-back" });
  const gun = svg("circle", { r: RING, class: "gun", stroke: seat.colour, transform: "rotate(-90)" });
  const halo = svg("circle", { r: RING + 0.09, class: "halo" });
  const shape = svg("path", { d: seat.shape, fill: seat.colour, class: "token", transform: `scale(${TOKEN})` });
  const y = seat.middle * TOKEN;
  const number = svg("text", { y, dy: ".36em", class: "number", fill: seat.ink }, String(seat.number));
  const pips = Array.from({ length: LIVES }, (_, at) => {
    const angle = (at - 1) * 0.62 + Math.PI / 2; // below the token, on the ring
    return svg("circle", { r: 0.1, cx: RING * Math.cos(angle) * -1, cy: RING * Math.sin(angle), class: "pip" });
  });
  const cross = svg("path", { d: "M-.28-.28.28.28M-.28.28.28-.28", class: "gone" });
  const body = svg("g", {}, halo, ring, gun, shape, number, ...pips, cross);
  return { node: svg("g", { class: "robot" }, body), body, halo, gun, pips, cross };
}

const isShared = ({ robots: [one, other] }) => one.x !== null && one.x === other.x && one.y === other.y;

function drawRobot({ node, body, halo, gun, pips, cross }, p, from, frame, shared, progress) {
  const old = from.robots[p];
  const now = frame.robots[p];
  set(node, "display", now.x === null ? "none" : "inline");
  if (now.x === null) return;
  const [x, y] = goalOf(frame, p, now);
  const part = ease(Math.min(1, progress / MOVING));
  const start = old.lost === "left" ? [x, y] : [old.x, old.y]; // once it has left the board it stays where it went
  const [left, top] = [start[0] + (x - start[0]) * part, start[1] + (y - start[1]) * part];
  set(node, "transform", `translate(${(left + 0.5).toFixed(3)} ${(top + 0.5).toFixed(3)})`);
  const apart = (p ? 1 : -1) * APART * (shared[0] + (shared[1] - shared[0]) * part);
  set(body, "transform", `translate(${apart.toFixed(3)} ${apart.toFixed(3)})`);
  set(halo, "display", frame.mover === p ? "inline" : "none");
  const charge = (old.ready ? 1 : 0) + ((now.ready ? 1 : 0) - (old.ready ? 1 : 0)) * progress;
  set(gun, "stroke-dasharray", `${(ROUND * charge).toFixed(3)} ${ROUND.toFixed(3)}`);
  const hits = progress < 0.5 ? old.hits : now.hits;
  pips.forEach((pip, at) => set(pip, "class", at < hits ? "pip hit" : "pip"));
  const lost = now.lost !== null && progress > 0.6;
  set(node, "class", lost ? "robot lost" : "robot");
  set(cross, "display", lost ? "inline" : "none");
}

/** The square that a robot goes to; off the board for one that leaves it. */
function goalOf({ marks }, p, { x, y }) {
  const left = marks.find(([kind, seat]) => kind === "left" && seat === p);
  return left ? [x + left[2], y + left[3]] : [x, y];
}

const ease = (part) => part * part * (3 - 2 * part);

function readRobot({ node, halo, gun, pips, cross }, scene) {
  if (node.getAttribute("display") === "none") return null;
  return {
    ...squareOf(node, scene),
    hits: pips.filter((pip) => pip.getAttribute("class") === "pip hit").length,
    ready: Number(gun.getAttribute("stroke-dasharray").split(" ")[0]) > 0.99 * ROUND,
    acted: halo.getAttribute("display") !== "none",
    lost: cross.getAttribute("display") !== "none",
  };
}
