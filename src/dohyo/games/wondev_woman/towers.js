// The cells: each a tower of up to three storeys, every one a little smaller than the one below, and a dome on top of
// those that are out of play. The number of the height stands on it too.
import { set, setText, svg } from "dohyo/elements.js";

const HALVES = [0.48, 0.42, 0.355, 0.29]; // half the width of the ground and of each storey
const RISE = 0.05; // how far up each storey is drawn: its front side shows below it
const DOME = 4;
const TURNING = 0.55; // when in a turn the moving is over and the building begins

export function createTowers(heights) {
  const towers = heights.map((row, y) => row.map((height, x) => (height === null ? null : makeTower(x, y))));
  const all = towers.flat().filter(Boolean);
  const rows = (read) => towers.map((row) => row.map((tower) => tower && read(tower)));
  return {
    nodes: all.map(({ node }) => node),
    numbers: all.map(({ number }) => number),
    fogs: all.map(({ fog }) => fog),
    draw(from, frame, progress) {
      for (const tower of all) {
        const { x, y } = tower;
        drawTower(tower, from.heights[y][x], frame.heights[y][x], progress);
        set(tower.fog, "display", frame.seen[y][x] ? "none" : "inline");
      }
    },
    /** The height that each tower shows, by its storeys and by its number, which must agree. */
    heights: () => rows(readHeight),
    seen: () => rows(({ fog }) => fog.getAttribute("display") === "none"),
  };
}

/** How far above the ground's middle a unit stands that is on a tower of this height. */
export const rise = (height) => RISE * Math.min(height, DOME - 1);

function slab(half, properties) {
  return svg("rect", { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 0.07, ...properties });
}

function makeTower(x, y) {
  const storeys = [1, 2, 3].map((level) =>
    svg(
      "g",
      { class: `storey level${level}` },
      slab(HALVES[level], { class: "side", transform: `translate(0 ${RISE})` }),
      slab(HALVES[level], { class: "top" }),
    ),
  );
  const dome = svg(
    "g",
    { class: "storey dome" },
    svg("circle", { r: 0.25, class: "side" }),
    svg("path", { d: "M-.15-.06A.16.16 0 0 1-.02-.17", class: "shine" }),
  );
  const where = `translate(${x + 0.5} ${y + 0.5})`;
  const number = svg("text", { class: "height", dy: ".36em" });
  return {
    x,
    y,
    storeys: [...storeys, dome],
    number,
    node: svg("g", { transform: where, class: "tower" }, slab(HALVES[0], { class: "ground" }), ...storeys, dome),
    fog: slab(0.5, { class: "fog", transform: where }),
  };
}

/** A tower on its way from one height to the next: a storey comes down from above. */
function drawTower({ x, y, storeys, number }, old, height, progress) {
  const part = Math.max(0, Math.min(1, (progress - TURNING) / (1 - TURNING)));
  const now = part > 0 ? height : old;
  storeys.forEach((storey, at) => {
    const level = at + 1;
    const fresh = level > old && level === height && part < 1;
    set(storey, "display", level <= now ? "inline" : "none");
    set(storey, "opacity", fresh ? (part ** 0.5).toFixed(3) : 1);
    const size = fresh ? 1 + 0.5 * (1 - part) ** 2 : 1;
    set(storey, "transform", `translate(0 ${(-rise(level)).toFixed(3)}) scale(${size.toFixed(3)})`);
  });
  const corner = HALVES[Math.min(now, 3)] - 0.12;
  set(number, "display", now ? "inline" : "none");
  set(number, "class", now === DOME ? "height on-dome" : "height");
  set(number, "transform", `translate(${x + 0.5 - (now === DOME ? 0 : corner)} ${y + 0.5 - rise(now) - (now === DOME ? 0 : corner)})`);
  setText(number, String(now));
}

function readHeight({ storeys, number }) {
  const seen = (node) => node.getAttribute("display") !== "none" && Number(node.getAttribute("opacity") ?? 1) === 1;
  const storeysSeen = storeys.filter(seen).length;
  const told = seen(number) ? Number(number.textContent) : 0;
  return told === storeysSeen ? told : `${storeysSeen} storeys, told as ${told}`;
}
