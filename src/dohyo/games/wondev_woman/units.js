// The units: a token each, in its player's shape and colour, with "u" and the unit's number: cards have the player's.
import { set, svg } from "dohyo/elements.js";
import { rise } from "game/towers.js";

const TOKEN = 0.25; // its radius
const MOVING = 0.55; // the part of a turn in which units move

export function createUnits(seats, units) {
  const tokens = units.map((own, seat) => own.map((_, unit) => makeToken(seats[seat], unit)));
  return {
    nodes: tokens.flat().map(({ node }) => node),
    draw(from, frame, progress) {
      tokens.forEach((own, seat) => own.forEach((token, unit) => drawToken(token, seat, unit, from, frame, progress)));
    },
    drawn: (scene) => tokens.map((own) => own.map((token) => readToken(token, scene))),
  };
}

function makeToken(seat, unit) {
  const halo = svg("circle", { r: TOKEN * 1.5, class: "halo" });
  const shape = svg("path", { d: seat.shape, fill: seat.colour, class: "token", transform: `scale(${TOKEN})` });
  const y = seat.middle * TOKEN;
  const number = svg("text", { y, dy: ".36em", class: "number", fill: seat.ink }, `u${unit}`);
  const cross = svg("path", { d: "M-.2-.2.2.2M-.2.2.2-.2", class: "gone" });
  return { node: svg("g", {}, halo, shape, number, cross), halo, cross };
}

function drawToken({ node, halo, cross }, seat, unit, from, frame, progress) {
  const old = from.units[seat][unit];
  const now = frame.units[seat][unit];
  const [start, goal] = ends(frame, seat, unit, old, now);
  const gone = !goal || (!now && progress === 1);
  set(node, "display", gone ? "none" : "inline");
  if (gone) return;
  const part = ease(Math.min(1, progress / MOVING));
  const [x, y] = start.map((at, axis) => at + (goal[axis] - at) * part);
  const height = (frameOf, [column, row]) => rise(frameOf.heights[row][column]);
  const level = height(from, start) + (height(from, goal) - height(from, start)) * part;
  const moves = start[0] !== goal[0] || start[1] !== goal[1];
  const hop = moves ? 0.16 * Math.sin(Math.PI * part) : 0;
  set(node, "transform", `translate(${(x + 0.5).toFixed(3)} ${(y + 0.5 - level - hop).toFixed(3)})`);
  set(node, "opacity", (old ? (now ? 1 : 1 - progress) : previousKnown(from, frame) ? 1 : progress).toFixed(3));
  set(node, "class", frame.out[seat] ? "unit out" : "unit");
  set(cross, "display", frame.out[seat] ? "inline" : "none");
  set(halo, "display", acted(frame, seat, unit) ? "inline" : "none");
}

/** Where a token comes from and where it goes: one that comes out of the fog, or goes into it, from or to what is known. */
function ends({ marks }, seat, unit, old, now) {
  const move = marks.find(([kind, who, which]) => kind === "move" && who === seat && which === unit);
  const push = marks.find(([kind, , , who, which]) => kind === "push" && who === seat && which === unit);
  const goal = now ?? push?.[6] ?? move?.[4] ?? old;
  return [old ?? move?.[3] ?? goal, goal];
}

const previousKnown = (from, frame) => from === frame;

const acted = ({ marks }, seat, unit) =>
  marks.some(([kind, who, which]) => ["move", "push", "cancel"].includes(kind) && who === seat && which === unit);

const ease = (part) => part * part * (3 - 2 * part);

/** Where a token really is on the page, in cells and without the height it stands on; null when it is not to be seen. */
function readToken({ node, halo }, scene) {
  if (node.getAttribute("display") === "none") return null;
  const { e, f } = scene.getScreenCTM().inverse().multiply(node.getScreenCTM());
  const x = Math.round((e - 0.5) * 100) / 100;
  const up = Math.ceil(f - 0.501) - (f - 0.5); // a unit is drawn higher by what it stands on
  return {
    x,
    y: Math.ceil(f - 0.501),
    up: Math.round(up * 100) / 100,
    out: node.getAttribute("class") === "unit out",
    acted: halo.getAttribute("display") !== "none",
  };
}
