// The drawing of a game that brings none: every field of the state by its shape, as SVG. One unit of length is one cell.
// Numbers stand in a list, rows and grids as cells below their names; what belongs to the seats has a line for each.
// A value that names an owner is drawn in that seat's shape and colour, any other one as its sign or number.
// Frames are made in dohyo/one_file/drawing.py, or they are a game's own: then what has a shape in them is drawn.
import { set, svg } from "dohyo/elements.js";

export const pace = 2.5;
export const marks = new Proxy({}, { get: () => "tick" });
export const score = { word: "viewer.general.score", of: (frame, seat) => frame.scores?.[seat] ?? null };
export const legend = [
  ["\u25a2", "viewer.general.changed"],
  ["?", "viewer.general.unseen"],
  ["\u2715", "viewer.sign.fault"],
];
export const style = `
.general { --cell: #efe6d4; --cell-dark: #cfb48c; --edge: #cdbfa6; --ink-of: #271e17; --soft: #6b5d50; --ring: #b0361a; --veil: #ddd0b8; --tint: 62%;
  display: block; width: 100%; height: 100%; }
.general .cell { fill: var(--cell); stroke: var(--edge); stroke-width: .03; }
.general .cell.dark { fill: var(--cell-dark); }
.general .cell.veiled { fill: var(--veil); }
.general .owner { stroke: #16181c; stroke-width: .08; }
.general .change { fill: none; stroke: var(--ring); stroke-width: .08; }
.general text { font-family: system-ui, "Hiragino Sans", "Noto Sans CJK JP", sans-serif; fill: var(--ink-of); text-anchor: middle; dominant-baseline: central; }
.general .value { font-weight: 600; }
.general .nothing { fill: var(--edge); }
.general .white, .general .black { stroke-width: .035; paint-order: stroke; font-family: "DejaVu Sans", "Segoe UI Symbol", "Noto Sans Symbols2", system-ui, sans-serif; }
.general .white { fill: #fffdf7; stroke: #16181c; }
.general .black { fill: #16181c; stroke: #fffdf7; }
.general .name { text-anchor: start; fill: var(--soft); font-size: calc(var(--unit) * .42px); }
.general .number { text-anchor: start; font-size: calc(var(--unit) * .5px); font-weight: 650; }
.general .number.changed { fill: var(--ring); }
.general .edge { fill: var(--soft); font-size: calc(min(var(--unit), 1) * .36px); }
@media (prefers-color-scheme: dark) {
  .general { --cell: #2e2721; --cell-dark: #5b4a3a; --edge: #54483d; --ink-of: #f0e7da; --soft: #b3a594; --ring: #ff9a76; --veil: #453b31; --tint: 34%; }
}
`;

// Unicode's white chess pieces are outlines, which look black on a dark page: all are drawn filled, white or black.
const FIGURES = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [
    String.fromCodePoint(0x2654 + at),
    [at < 6 ? "white" : "black", `${String.fromCodePoint(0x265a + (at % 6))}\ufe0e`],
  ]),
);
const HEAD = 0.75; // of a block: the height of its name
const GAP = 0.7; // between blocks
const EDGE = 0.5; // the room for row and column numbers, or for a seat's sign
const LINE = 0.75; // the height of a number in the list
const MAX_IN_LINE = 12; // cells of a row
const LETTER = 0.27; // the width of a letter, about

/**
 * @param {HTMLElement} host
 * @param {{seats: import("dohyo/seats.js").Seat[], say: Function}} options
 */
export function create(host, { seats, say }) {
  const scene = svg("svg", { class: "general", viewBox: "0 0 1 1" });
  host.append(scene);
  let blocks = null;
  let board;

  // What people call a field; by default its name, with blanks.
  const labelOf = (name, field) => (field.label ? say(field.label) : name.replaceAll("_", " "));

  return {
    get board() {
      return board;
    },
    draw(frame, previous) {
      const fields = fieldsOf(frame);
      if (blocks === null) {
        blocks = layOut(scene, fields, seats, labelOf);
        board = boardOf(scene, blocks);
      }
      const changed = new Set(changesOf(frame, previous, fields).map(([name, at]) => `${name} ${at}`));
      for (const block of blocks) block.draw(fields, changed);
    },
    status(frame, seat) {
      const points = score.of(frame, seat);
      const words = points === null ? null : say("viewer.general.points", { score: plain(points) });
      return { text: words ?? "", out: false };
    },
    describe: (frame) => describe(frame, seats, say),
    drawn: () => (blocks ?? []).flatMap((block) => block.read()),
  };
}

// --- what a frame says

/** Its fields by name, each with `shape` and `values`; of a frame without them, whatever is a number or a row of some. */
function fieldsOf(frame) {
  if (frame.fields) return frame.fields;
  const found = {};
  for (const [name, value] of Object.entries(frame.state ?? frame)) {
    const shape = shapeOf(value);
    if (shape) found[name] = { shape, values: [value].flat(3) };
  }
  return found;
}

function shapeOf(value) {
  if (!Array.isArray(value)) return typeof value === "number" ? [] : null;
  const inner = value.map(shapeOf);
  if (!value.length || inner.some((shape) => shape === null || String(shape) !== String(inner[0]))) return null;
  return inner[0].length > 2 ? null : [value.length, ...inner[0]];
}

function changesOf(frame, previous, fields) {
  if (frame.changed) return frame.changed;
  const before = previous ? fieldsOf(previous) : fields;
  return Object.entries(fields).flatMap(([name, { values }]) =>
    values.flatMap((value, at) => (before[name]?.values[at] === value ? [] : [[name, at]])),
  );
}

function describe(frame, seats, say) {
  const done = (frame.actions ?? [])
    .map((action, seat) => [action, seat])
    .filter(([action]) => action !== null && action !== undefined)
    .map(([action, seat]) => say("viewer.general.plays", { name: seats[seat].label, action }));
  return done.length ? done.join(" \u00b7 ") : say("viewer.general.beginning");
}

const plain = (value) => (Number.isInteger(value) ? String(value) : String(Math.round(value * 1000) / 1000));

function textOf(field, value) {
  if (value === null) return "?";
  if (field.signs && value >= 0 && value < field.signs.length) return field.signs[value];
  return plain(value);
}

// --- where things are

/** Every field as a block, put beside and below each other so that all of it is about as wide as it is high. */
function layOut(scene, fields, seats, labelOf) {
  const entries = Object.entries(fields);
  const single = entries.filter(([, { shape }]) => !shape.length).map(([name]) => name);
  const unit = unitOf(entries.map(([, { shape }]) => shape));
  scene.style.setProperty("--unit", unit);
  const cells = entries
    .filter(([, { shape }]) => shape.length)
    .flatMap(([name, field]) => cellBlocks(name, labelOf(name, field), field, seats, unit));
  const blocks = [...cells, ...(single.length ? [numberBlock(single, single.map((name) => labelOf(name, fields[name])), unit)] : [])];
  const widest = Math.max(1, ...blocks.map(({ width }) => width));
  const total = blocks.reduce((sum, { width }) => sum + width + GAP, 0);
  let best = null;
  for (let tried = 0; tried <= 40; tried += 1) {
    const placed = shelves(blocks, widest + ((total - widest) * tried) / 40);
    if (!best || Math.max(placed.width, placed.height) < Math.max(best.width, best.height)) best = placed;
  }
  blocks.forEach((block, at) => {
    const [x, y] = best.places[at];
    block.x = x;
    block.y = y;
    set(block.node, "transform", `translate(${x} ${y})`);
    scene.append(block.node);
  });
  set(scene, "viewBox", `-.3 -.3 ${best.width + 0.6} ${best.height + 0.6}`);
  return blocks;
}

/** How large names and numbers are beside the cells: they fit to the largest of the fields. */
function unitOf(shapes) {
  const side = Math.max(0, ...shapes.flatMap((shape) => shape.slice(-2).map((length) => Math.min(length, 24))));
  return side ? Math.min(2, Math.max(0.55, side / 9)) : 1;
}

function shelves(blocks, limit) {
  const places = [];
  let [x, y, high, width] = [0, 0, 0, 0];
  for (const block of blocks) {
    if (x && x + block.width > limit + 1e-9) [x, y, high] = [0, y + high + GAP, 0];
    places.push([x, y]);
    x += block.width + GAP;
    high = Math.max(high, block.height);
    width = Math.max(width, x - GAP);
  }
  return { places, width, height: y + high };
}

/** Where annotations are drawn: the first grid. */
function boardOf(scene, blocks) {
  const grid = blocks.find((block) => block.isGrid);
  if (!grid) return undefined;
  const at = (row, column) => [grid.x + EDGE + column + 0.5, grid.y + grid.head + EDGE + row + 0.5];
  return { node: scene, rows: grid.rows, columns: grid.columns, at };
}

// --- blocks

/** The single numbers, a line for each. */
function numberBlock(names, shown, unit) {
  const left = (Math.max(...shown.map(lengthOf)) * LETTER + 0.4) * unit;
  const line = LINE * unit;
  const values = names.map((name, at) => svg("text", { x: left, y: (at + 0.5) * line, class: "number" }));
  const labels = shown.map((label, at) => svg("text", { x: 0, y: (at + 0.5) * line, class: "name" }, label));
  return {
    node: svg("g", {}, ...labels, ...values),
    width: left + 1.6 * unit,
    height: names.length * line,
    draw(fields, changed) {
      names.forEach((name, at) => {
        const text = textOf(fields[name], fields[name].values[0]);
        if (values[at].textContent !== text) values[at].textContent = text;
        set(values[at], "class", changed.has(`${name} 0`) ? "number changed" : "number");
      });
    },
    read: () => names.map((name, at) => readText(name, 0, values[at], values[at].getAttribute("class"))),
  };
}

/** A row or a grid, or several: a block for each layer; what has a row for each seat is one block, with their signs. */
function cellBlocks(name, label, field, seats, unit) {
  const { shape } = field;
  if (shape.length === 3) {
    const size = shape[1] * shape[2];
    return Array.from({ length: shape[0] }, (_, layer) => {
      const owner = field.bySeat ? seats[layer] : null;
      if (field.bySeat && !owner) return null;
      const title = owner ? `${label} \u00b7 ${owner.label}` : `${label} ${layer}`;
      return cellBlock(name, field, { title, rows: shape[1], columns: shape[2], first: layer * size, isGrid: true, seats, unit });
    }).filter(Boolean);
  }
  if (field.bySeat) {
    const columns = shape[1] ?? 1;
    const [rows, faces] = [Math.min(shape[0], seats.length), field.faces === true];
    return [cellBlock(name, field, { title: label, rows, columns, first: 0, signed: true, faces, seats, unit })];
  }
  if (shape.length === 2) return [cellBlock(name, field, { title: label, rows: shape[0], columns: shape[1], first: 0, isGrid: true, seats, unit })];
  const columns = field.edges ? shape[0] : Math.min(shape[0], MAX_IN_LINE);
  return [cellBlock(name, field, { title: label, rows: Math.ceil(shape[0] / columns), columns, first: 0, count: shape[0], seats, unit })];
}

function cellBlock(name, field, { title, rows, columns, first, count = rows * columns, isGrid = false, signed = false, faces = false, seats, unit }) {
  const head = HEAD * unit;
  const lettered = !isGrid && field.edges ? field.edges[1] : null; // columns that have names, of what is no grid
  const side = isGrid || signed ? (signed ? 1 : EDGE) : 0;
  const top = isGrid || lettered ? EDGE : 0;
  const below = faces && lettered ? EDGE : 0; // where two sit face to face, each reads the names on the own side
  // A seat's row: of two that face each other, that of seat 1 is above, and turned round.
  const rowOf = (row) => (faces ? rows - 1 - row : row);
  const columnOf = (row, column) => (faces && rowOf(row) === 0 ? columns - 1 - column : column);
  const node = svg("g", {}, svg("text", { x: 0, y: head / 2, class: "name" }, title));
  const edge = (x, y, text) => node.append(svg("text", { x, y, class: "edge" }, String(text)));
  if (isGrid) {
    const [letters, numbers] = [field.edges?.[1], field.edges?.[0]].map((edges) => (at) => edges?.[at] ?? at);
    for (let column = 0; column < columns; column += 1) edge(side + column + 0.5, head + top / 2, letters(column));
    for (let row = 0; row < rows; row += 1) edge(side / 2, head + top + row + 0.5, numbers(row));
  }
  if (lettered) {
    const first = head + top / 2;
    const last = head + top + rows + below / 2;
    for (let column = 0; column < columns; column += 1) {
      edge(side + columnOf(faces ? 1 : 0, column) + 0.5, first, lettered[column] ?? "");
      if (faces) edge(side + column + 0.5, last, lettered[column] ?? "");
    }
  }
  if (signed)
    for (let row = 0; row < rows; row += 1)
      node.append(pieceOf(seats[row], 0.4, head + top + rowOf(row) + 0.5, 0.3, seats[row].number));
  const cells = Array.from({ length: count }, (_, at) => {
    const row = Math.floor(at / columns);
    const [across, down] = [columnOf(row, at % columns), rowOf(row)];
    const isDark = field.checkered === true && (across + down) % 2 === 1;
    return createCell(side + across, head + top + down, { isGrid, isDark, seats });
  });
  node.append(...cells.map((cell) => cell.node));
  return {
    node,
    rows,
    columns,
    isGrid,
    head,
    width: Math.max(side + columns, lengthOf(title) * LETTER * unit),
    height: head + top + rows + below,
    draw(fields, changed) {
      const now = fields[name];
      cells.forEach((cell, at) => cell.draw(now, now.values[first + at], changed.has(`${name} ${first + at}`)));
    },
    read: () => cells.map((cell, at) => cell.read(name, first + at)),
  };
}

/** A seat's shape with a text on it. */
function pieceOf(seat, x, y, size, text) {
  const words = svg("text", { y: seat.middle * size, "font-size": `${size * 1.15}px`, class: "value" }, String(text));
  words.style.fill = seat.ink;
  const shape = svg("path", { d: seat.shape, fill: seat.colour, class: "owner", transform: `scale(${size})` });
  return svg("g", { transform: `translate(${x} ${y})` }, shape, words);
}

function createCell(x, y, { isGrid, isDark, seats }) {
  const usual = isDark ? "cell dark" : "cell";
  const ground = svg("rect", { x, y, width: 1, height: 1, class: usual });
  const text = svg("text", { x: x + 0.5, y: y + 0.5, class: "value" });
  const ring = svg("rect", { x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88, rx: 0.12, class: "change", display: "none" });
  const node = svg("g", {}, ground, text, ring);
  let piece = null;
  let shown = null;
  return {
    node,
    draw(field, value, changed) {
      set(ring, "display", changed ? "inline" : "none");
      if (shown === value) return;
      shown = value;
      piece?.remove();
      const words = textOf(field, value);
      const owner = field.owners && value > 0 ? seats[value - 1] : null;
      piece = owner ? pieceOf(owner, x + 0.5, y + 0.5, 0.36, field.signs ? words : owner.number) : null;
      if (piece) ring.before(piece);
      const figure = field.pieces?.[value];
      text.textContent = piece || (field.owners && value === 0) ? "" : (FIGURES[figure]?.[1] ?? figure ?? words);
      set(text, "class", value === 0 && isGrid ? "value nothing" : `value ${FIGURES[figure]?.[0] ?? ""}`.trim());
      set(text, "font-size", `${figure ? 0.8 : Math.min(0.5, 1.5 / Math.max(1, words.length))}px`);
      set(ground, "class", value === null ? "cell veiled" : usual);
      ground.style.fill = isGrid && !field.owners && !field.pieces && value > 0 ? tint(value) : "";
    },
    read: (name, at) => readText(name, at, piece?.querySelector("text") ?? text, ring.getAttribute("display") === "inline" ? "changed" : ""),
  };
}

/** How long a text is drawn, in letters of Latin: those of Chinese and Japanese are twice as wide. */
const lengthOf = (text) => [...text].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 1.8 : 1), 0);

const readText = (name, at, node, kind) => ({ name, at, text: node.textContent, changed: kind.includes("changed") });

/** A colour for a value, light or dark as the page is; the golden angle keeps neighbours apart. */
const tint = (value) => `color-mix(in oklab, hsl(${Math.round((value * 137.508 + 40) % 360)} 55% 55%) var(--tint), var(--cell))`;
