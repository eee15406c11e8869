// Inside of the board's frame: draws the turns that the page around it hands in, each for as long as it says.
import { adopt } from "dohyo/elements.js";
import { looks } from "dohyo/seats.js";
import { speaker } from "dohyo/words.js";
import * as view from "game/view.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const host = document.getElementById("board");
let scene = null;
let seats = 0;
let shown = null; // what is on the board, or on its way there: {frame, previous, moves, seconds}
let since = 0;
let told = true; // how the seats fare in it: as soon as it begins to be drawn, as the board has its words by then
let moves = false; // it is on its way there

if (view.style) adopt(view.style);

const acts = {
  /** Another match begins. */
  begin({ names, words }) {
    host.replaceChildren();
    scene = view.create(host, { seats: looks(names.map((name) => ({ name }))), say: speaker(words) });
    seats = names.length;
    shown = null;
  },
  /** A turn happens, within so many seconds; at once with none. */
  turn(next) {
    shown = next;
    since = performance.now();
    told = false;
    moves = true;
    if (!next.seconds || calm.matches) draw(1);
  },
};

function draw(progress) {
  if (!scene || !shown) return;
  const { frame, previous, moves: made } = shown;
  scene.draw(frame, previous, previous ? progress : 1, made);
  moves &&= progress < 1;
  if (told) return;
  told = true;
  const status = Array.from({ length: seats }, (_, seat) => scene.status(frame, seat));
  parent.postMessage({ status: status.map(({ text, out }) => ({ text, out: Boolean(out) })), caption: scene.describe(frame) }, "*");
}

function step(now) {
  if (shown && moves) draw(Math.min(1, (now - since) / (1000 * shown.seconds)));
  requestAnimationFrame(step);
}

addEventListener("message", ({ data, source }) => {
  if (source !== parent || typeof data !== "object" || data === null) return;
  for (const [name, value] of Object.entries(data)) if (Object.hasOwn(acts, name)) acts[name](value);
});
addEventListener("resize", () => {
  scene?.redraw?.();
  draw(1);
});
matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => {
  scene?.redraw?.();
  draw(1);
});
requestAnimationFrame(step);
parent.postMessage({ ready: true }, "*");
