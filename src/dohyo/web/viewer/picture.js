// A picture of a turn: the board as it is drawn, with lines below it that say what match and turn it is.
const SIDE = 1200; // pixels of the longer side of the board
const LINE = 34; // pixels of a line of words
const EDGE = 20;
const LETTERS = 24;
const LEAST = 600; // a side of less has words of the size that belongs to this one
const FONT = '"Hiragino Sans", "Noto Sans CJK JP", "Noto Sans JP", system-ui, sans-serif';

// What style sheets say of a drawing. A picture has none, so that each element gets it as an attribute.
const LOOK = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-dashoffset"],
  ...["stroke-linecap", "stroke-linejoin", "opacity", "display", "visibility", "font-size", "font-weight"],
  ...["font-family", "text-anchor", "paint-order", "vector-effect"],
];

/**
 * @param {SVGSVGElement} drawing the board
 * @param {string[]} words a line each, below the board
 * @param {{ground: string, ink: string}} colours
 * @param {number} [side] pixels of the longer side of the board
 * @returns {Promise<HTMLCanvasElement>}
 */
export async function picture(drawing, words, { ground, ink }, side = SIDE) {
  const { width, height } = drawing.getBoundingClientRect();
  const size = [width, height].map((length) => 2 * Math.round((length * side) / Math.max(width, height) / 2));
  const [edge, line, font] = [EDGE, LINE, LETTERS].map((length) => 2 * Math.ceil((length * Math.max(side, LEAST)) / SIDE / 2));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source(drawing, size))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = size[0] + 2 * edge;
  canvas.height = size[1] + 3 * edge + line * words.length;
  const pen = canvas.getContext("2d", { willReadFrequently: side !== SIDE });
  pen.fillStyle = ground;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, edge, edge, ...size);
  pen.fillStyle = ink;
  pen.textBaseline = "top";
  words.forEach((text, number) => {
    pen.font = `${number ? 400 : 650} ${font}px ${FONT}`;
    pen.fillText(text, edge, size[1] + 2 * edge + line * number, size[0]);
  });
  return canvas;
}

/** A picture as a file. */
export function png(canvas) {
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}

/** The drawing as a file of its own, with no style sheet. */
function source(drawing, [width, height]) {
  const copied = drawing.cloneNode(true);
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  [copied, ...copied.querySelectorAll("*")].forEach((node, at) => {
    const style = getComputedStyle(originals[at]);
    for (const name of LOOK) node.setAttribute(name, style.getPropertyValue(name));
    node.removeAttribute("style");
    node.removeAttribute("class");
  });
  copied.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copied.setAttribute("width", width);
  copied.setAttribute("height", height);
  copied.removeAttribute("display");
  return new XMLSerializer().serializeToString(copied);
}

/** Let the browser save a file. */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
