// A stretch of the match as an animated GIF: which turns is asked for, then each is drawn on the board as when playing, and
// taken as a picture.
import { element, iconButton } from "dohyo/elements.js";
import { createGif, paletteOf } from "dohyo/gif.js";

export const MAX_TURNS = 300; // of a film
const SIDE = 480; // pixels of the longer side of the board
const SMOOTH = 60; // turns up to which a film shows the way from turn to turn
const STEPS = 4; // pictures of a turn then
const SAMPLES = 8; // pictures from which the colours are taken
const REST = 1.5; // seconds for which the last picture stays

/**
 * @param {object} options
 * @param {Function} options.say
 * @param {(position: number) => number} options.numberOf the number of the turn that leads to a position
 * @param {number} options.pace turns a second
 * @param {() => [number, number]} options.now the position that is shown, and the last one
 * @param {(position: number, progress: number) => Promise<HTMLCanvasElement>} options.shoot draws a moment; its picture
 * @param {(blob: Blob | null, positions: [number, number]) => void} options.onEnd called with the film; none if it was given up
 */
export function createFilm({ say, numberOf, pace, now, shoot, onEnd }) {
  const first = numberOf(1);
  const field = (key) => {
    const input = element("input", { type: "number", step: 1, required: true });
    return [input, element("label", {}, element("span", {}, say(key)), input)];
  };
  const [from, fromLabel] = field("viewer.film-from");
  const [to, toLabel] = field("viewer.film-to");
  const told = element("p", { class: "quiet", role: "status" });
  const start = element("button", { type: "button", class: "small", click: () => run() }, say("viewer.film-start"));
  const node = element(
    "dialog",
    { class: "sheet film", "aria-label": say("viewer.film") },
    iconButton("close", say("viewer.close"), () => node.close(), { class: "close" }),
    element("h2", {}, say("viewer.film")),
    element("div", { class: "row" }, fromLabel, toLabel, start),
    told,
  );
  let running = 0; // the number of the film that is being made; 0 for none
  let isMaking = false; // also while one that was given up ends: both would draw on the board
  node.addEventListener("close", () => {
    running = 0;
  });

  function show() {
    const [position, last] = now();
    const begin = Math.max(1, Math.min(position, last - 20));
    for (const input of [from, to]) Object.assign(input, { min: numberOf(1), max: numberOf(last) });
    from.value = String(numberOf(begin));
    to.value = String(numberOf(Math.min(last, begin + 20)));
    start.disabled = last === 0 || isMaking;
    told.textContent = say("viewer.film-about", { most: MAX_TURNS });
    node.showModal();
  }

  async function run() {
    const [begin, end] = [from, to].map((input) => Number(input.value) - first + 1);
    const length = end - begin + 1;
    if (!from.checkValidity() || !to.checkValidity() || length < 1 || length > MAX_TURNS) {
      told.textContent = say("viewer.film-wrong", { first, last: numberOf(now()[1]), most: MAX_TURNS });
      return;
    }
    const mine = Date.now();
    running = mine;
    start.disabled = true;
    isMaking = true;
    let blob = null;
    try {
      blob = await made(begin, end, (done) => {
        if (running !== mine) return false;
        told.textContent = say("viewer.film-making", { done, of: length });
        return true;
      });
    } finally {
      isMaking = start.disabled = false;
    }
    if (running === mine) node.close(); // the sheet may be open again, for the next one
    onEnd(blob, [begin, end]);
  }

  /** The film of some turns; none if `goOn`, which is told how many are done, says so. */
  async function made(begin, end, goOn) {
    const length = end - begin + 1;
    const samples = [];
    for (let at = 0; at < Math.min(SAMPLES, length); at++) {
      if (!goOn(0)) return null;
      samples.push(pixels(await shoot(begin + Math.round((at * (length - 1)) / Math.max(1, SAMPLES - 1)), 1, SIDE)));
    }
    const steps = length > SMOOTH ? 1 : STEPS;
    const { width, height } = samples[0];
    const gif = createGif(width, height, paletteOf(samples.map(({ data }) => data)));
    for (let turn = begin; turn <= end; turn++) {
      if (!goOn(turn - begin)) return null;
      for (let step = 1; step <= steps; step++) {
        const rests = turn === end && step === steps;
        const picture = pixels(await shoot(turn, step / steps, SIDE));
        gif.add(picture.data, rests ? REST : Math.max(0.04, 1 / pace / steps));
      }
    }
    return gif.blob();
  }

  return { node, show };
}

const pixels = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
