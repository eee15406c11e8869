// The floor: 36 blocks over a void, with what is painted on them, and numbers where one falls or comes back.
import { set, setText, svg } from "dohyo/elements.js";

export const SQUARES = 18;
const BLOCKS = 6;
const WIDTH = 3; // squares of a block
export const HALF = 1.44; // half a drawn block: a little less than half a block, so that gaps show
const GONE_FOR = 20; // for the outline of a block that comes back: how far on it is

// Cracks over a block, of which more and more are shown as its fall comes near.
const CRACKS = [
  "M-1.44-.3L-.8-.1-.5-.5-.1-.2",
  "M-.1-.2L.3-.55.6-.35 1-.8 1.44-.75M-.1-.2L-.2.4-.6.75-.5 1.44",
  "M-.2.4L.5.6.8.35 1.44.7M-.8-.1L-1 .7-1.44.9M.3-.55L.1-1-.2-1.44",
];

// Where on a block its number may stand, the best place first.
const SPOTS = [
  [0, 0],
  [0.5, -0.92],
  [-0.5, -0.92],
  [0.5, 0.95],
  [-0.5, 0.95],
  [0.5, 0],
  [-0.5, 0],
];

/** The middle of a block, in squares. */
export function centre(block) {
  return [(block % BLOCKS) * WIDTH + WIDTH / 2, Math.floor(block / BLOCKS) * WIDTH + WIDTH / 2];
}

/** The outline of a drawn block around (0, 0). */
export function outline(properties) {
  return svg("rect", { x: -HALF, y: -HALF, width: 2 * HALF, height: 2 * HALF, rx: 0.16, ...properties });
}

export function createFloor() {
  const blocks = Array.from({ length: BLOCKS * BLOCKS }, (_, number) => makeBlock(number));
  const around = (more) => ({ x: -more, y: -more, width: SQUARES + 2 * more, height: SQUARES + 2 * more });
  const nodes = [
    svg("defs", {}, svg("clipPath", { id: "drop-block-tile" }, outline({}))),
    svg("rect", { ...around(0.1), class: "void" }),
    ...coordinates(),
    svg("rect", { ...around(0.32), rx: 0.5, class: "bales" }),
    svg("rect", { ...around(0.32), rx: 0.5, class: "seams", pathLength: 48 }),
    ...blocks.map(({ node }) => node),
  ];
  return {
    nodes,
    numbers: blocks.map(({ countdown }) => countdown),
    /** Find each number a place where nothing hides it. `taken` are boxes: {x, y, wide, high}, half sizes.
     *  Returns the boxes of the numbers that are shown. */
    arrange(frame, taken) {
      const falls = frame.marks.filter(([kind]) => kind === "fall");
      const aims = new Set(frame.marks.filter(([kind]) => kind === "aim").map(([, , block]) => block));
      const all = [
        ...taken,
        ...falls.map(([, , row, column]) => ({ x: column + 0.5, y: row + 0.4, wide: 0.6, high: 0.9 })),
      ];
      blocks.forEach((block, number) => {
        const own = aims.has(number) ? [{ x: block.x, y: block.y, wide: 0.4, high: 0.5 }] : [];
        block.spot = freeSpot(block, [...all, ...own]);
      });
      return blocks.filter((_, number) => frame.blocks[number]).map(numberBox);
    },
    draw(from, frame, progress) {
      blocks.forEach((block, number) => drawBlock(block, from.blocks[number], frame.blocks[number], progress));
    },
    drawn: () => blocks.map(readBlock),
  };
}

/** Numbers of rows and columns at the edge, as the bots are told them. */
function coordinates() {
  const text = (x, y, number) => svg("text", { x, y, dy: ".36em", class: "coordinate" }, String(number));
  return Array.from({ length: SQUARES }, (_, at) => [text(at + 0.5, -0.87, at), text(-0.87, at + 0.5, at)]).flat();
}

function makeBlock(number) {
  const [x, y] = centre(number);
  const cracks = CRACKS.map((d) => svg("path", { d, class: "crack" }));
  const lines = `M-.5 ${-HALF}V${HALF}M.5 ${-HALF}V${HALF}M${-HALF}-.5H${HALF}M${-HALF} .5H${HALF}`;
  const slab = svg(
    "g",
    { class: "slab" },
    outline({ y: -HALF + 0.13, class: "side" }),
    outline({ class: "top" }),
    svg("path", { d: lines, class: "grid" }),
    svg("g", { "clip-path": "url(#drop-block-tile)" }, ...paint(x, y)),
    ...cracks,
  );
  const ghost = outline({ class: "ghost" });
  const arrow = svg("path", {});
  const text = svg("text", { dy: ".36em", x: 0.2 });
  const countdown = svg("g", {}, arrow, text);
  const node = svg("g", { transform: `translate(${x} ${y})` }, ghost, slab);
  return { node, slab, ghost, cracks, countdown, arrow, text, x, y, spot: SPOTS[0] };
}

/** The ring and the two lines of a sumo floor, as far as they run over the block around (x, y). */
function paint(x, y) {
  const ring = svg("circle", { cx: 9 - x, cy: 9 - y, r: 7.5, class: "paint" });
  const lines = svg("path", { d: `M${7.5 - x} ${7.7 - y}v2.6M${10.5 - x} ${7.7 - y}v2.6`, class: "paint" });
  return [ring, lines];
}

/** A block on its way from one value to the next. */
function drawBlock(block, old, value, progress) {
  const falling = old > 0 && value < 0;
  const returning = old < 0 && value >= 0;
  const here = progress < 0.5 ? old : value;
  const stage = falling ? 3 : here <= 0 ? 0 : here > 8 ? 1 : here > 2 ? 2 : 3;
  let size = 1;
  let opacity = value < 0 ? 0 : 1;
  if (falling) [size, opacity] = [1 - 0.45 * progress ** 2, 1 - progress ** 2];
  if (returning) [size, opacity] = [0.6 + 0.4 * overshoot(progress), Math.min(1, 2 * progress)];
  const shake = stage === 3 && progress < 1 ? 0.05 * Math.sin(progress * 25) : 0;
  set(block.slab, "display", opacity > 0 ? "inline" : "none");
  set(block.slab, "opacity", opacity.toFixed(3));
  set(block.slab, "transform", `translate(${shake.toFixed(3)} ${stage ? 0.07 : 0}) scale(${size.toFixed(3)})`);
  set(block.slab, "class", `slab stage${stage}`);
  block.cracks.forEach((crack, at) => set(crack, "display", at < stage ? "inline" : "none"));
  set(block.ghost, "display", here < 0 ? "inline" : "none");
  set(block.ghost, "transform", `scale(${(0.45 + 0.5 * Math.max(0, 1 + here / GONE_FOR)).toFixed(3)})`);
  drawCountdown(block, here);
}

function drawCountdown({ countdown, arrow, text, x, y, spot }, value) {
  set(countdown, "display", value ? "inline" : "none");
  if (!value) return;
  const left = Math.abs(value) > 9 ? -0.96 : -0.7;
  set(countdown, "class", value < 0 ? "countdown gone" : "countdown");
  set(countdown, "transform", `translate(${x + spot[0]} ${y + spot[1]})`);
  setText(text, String(Math.abs(value)));
  set(arrow, "d", value < 0 ? `M${left} .2h.44l-.22-.4z` : `M${left}-.2h.44l-.22.4z`);
}

const numberBox = ({ x, y, spot }) => ({ x: x + spot[0], y: y + spot[1], wide: 0.85, high: 0.4 });

/** The best place for a number: the first that nothing covers, else the one that is covered least. */
function freeSpot(block, taken) {
  const room = ([x, y]) => {
    const gaps = taken.map((box) => {
      const across = Math.abs(block.x + x - box.x) - box.wide - 0.85;
      const along = Math.abs(block.y + y - box.y) - box.high - 0.4;
      return Math.max(across, along);
    });
    return Math.min(0, ...gaps);
  };
  const rooms = SPOTS.map(room);
  return SPOTS[rooms.indexOf(Math.max(...rooms))];
}

const overshoot = (part) => 1 + 2.2 * (part - 1) ** 3 + 1.2 * (part - 1) ** 2;

/** What a block shows, read from its elements. */
function readBlock({ slab, cracks, text, countdown, arrow }) {
  const seen = (node) => node.getAttribute("display") !== "none";
  const number = seen(countdown) ? Number(text.textContent) : 0;
  const pointsUp = arrow.getAttribute("d")?.endsWith("l-.22-.4z");
  const solid = seen(slab) && Number(slab.getAttribute("opacity")) === 1;
  return { value: pointsUp ? -number : number, solid, cracked: seen(slab) && cracks.some(seen) };
}
