// Inside of a board's frame: draws the turns that the page around it hands in (see board.js), one after the other.
import { apply } from "dohyo/decode.js";
import { adopt, element, setText } from "dohyo/elements.js";
import { createPicking } from "dohyo/picking.js";
import { badge, looks } from "dohyo/seats.js";
import { speaker } from "dohyo/words.js";
import * as view from "game/view.js";

const FAST = 8; // turns that wait: whoever is further behind hurries
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const host = document.getElementById("board");
const line = document.getElementById("seats");
let scene = null;
let status = [];
let fared = null; // the frame by which the seats' lines say how they fare
let turns = []; // what is shown: {frame, moves}
let at = 0; // the turn on the board
let since = 0; // when it began to move there
let plays = false;
let hurries = false; // of a live match, who is behind catches up
let rate = view.pace ?? 4;
// Of a board on which somebody plays: which cell was pointed at is for the page around it.
const picking = createPicking({
  host,
  board: () => scene?.board,
  onPick: (cell) => parent.postMessage({ pick: cell }, "*"),
});

if (view.style) adopt(view.style);

const acts = {
  /** Another match begins. */
  begin({ names, words, live, bare }) {
    const seats = looks(names.map((name) => ({ name })));
    host.replaceChildren();
    scene = view.create(host, { seats, say: speaker(words) });
    status = seats.map((seat) => {
      const told = element("span");
      const node = element("div", {}, badge(seat, 1.3), element("b", {}, element("bdi", {}, seat.name)), told);
      return { node, told };
    });
    line.replaceChildren(...status.map(({ node }) => node));
    line.hidden = Boolean(bare); // the page around it has them
    turns = [];
    fared = null;
    at = 0;
    hurries = Boolean(live);
    rate = view.pace ?? 4;
  },
  /** A whole match, or the turns that are new. */
  turns({ first, changes, moves, more }) {
    const begins = !turns.length;
    if (first) turns.push({ frame: first, moves: [] });
    for (const [number, change] of (changes ?? []).entries())
      turns.push({ frame: apply(turns[turns.length - 1].frame, change), moves: moves[number] });
    turns.push(...(more ?? []));
    if (calm && hurries) at = turns.length - 1;
    if (begins || calm) draw(1);
  },
  /** A step of a match that somebody plays, at once; what happened is told. */
  step({ frame, moves, now }) {
    const from = turns.length ? turns[turns.length - 1].frame : null;
    turns = [{ frame, moves }];
    at = 0;
    scene.draw(frame, from, 1, moves);
    picking.redraw();
    const fares = status.map((_, seat) => scene.status(frame, seat));
    parent.postMessage(now ? { status: fares } : { told: scene.describe(frame), status: fares }, "*");
  },
  /** Cells that can be pointed at. */
  marks(marks) {
    picking.mark(marks);
  },
  play({ on }) {
    if (on && !hurries && at >= turns.length - 1) at = 0;
    plays = on;
    since = performance.now();
  },
  go({ to }) {
    at = Math.max(0, Math.min(to === "last" ? turns.length - 1 : to, turns.length - 1));
    draw(1);
  },
};

function draw(progress) {
  if (!scene || !turns.length) return;
  const { frame, moves } = turns[at];
  scene.draw(frame, at ? turns[at - 1].frame : null, at ? progress : 1, moves);
  if (frame !== fared) {
    fared = frame; // as soon as a turn begins to be drawn: the board has its words by then
    for (const [seat, { node, told }] of status.entries()) {
      const { text, out } = scene.status(frame, seat);
      setText(told, text);
      node.classList.toggle("out", Boolean(out));
    }
  }
  if (progress < 1) return;
  parent.postMessage({ at, of: turns.length - 1 }, "*");
}

function step(now) {
  if (plays && at < turns.length - 1) {
    const speed = rate * (hurries ? Math.max(1, (turns.length - at) / FAST) : 1);
    const progress = Math.min(1, ((now - since) * speed) / 1000);
    if (progress >= 1) {
      at += 1;
      since = now;
      draw(1);
    } else if (!calm) {
      at += 1; // the way to the next turn
      draw(progress);
      at -= 1;
    }
  } else since = now;
  requestAnimationFrame(step);
}

addEventListener("message", ({ data, source }) => {
  if (source !== parent || typeof data !== "object") return;
  for (const [name, told] of Object.entries(data)) if (Object.hasOwn(acts, name)) acts[name](told);
});
addEventListener("resize", () => {
  scene?.redraw?.();
  draw(1);
});
requestAnimationFrame(step);
parent.postMessage({ ready: true }, "*");
