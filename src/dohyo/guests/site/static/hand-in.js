// What becomes of a hand-in, as it happens: its state in words, and its match on the board while it is played.
const PATIENCE = 3000; // milliseconds for a match that is over to be shown to its end before the page is made anew
const page = document.getElementById("follow");
const told = document.getElementById("told");
const state = document.getElementById("state");
const board = document.getElementById("board");
const waiting = []; // frames that were not drawn yet
let scene = null;
let last = null;
let rate = 4; // turns a second
let over = false;

const events = new EventSource(page.dataset.from);
events.addEventListener("state", ({ data }) => {
  if (data in page.dataset) state.textContent = page.dataset[data];
  state.className = `state ${data}`;
});
events.addEventListener("match", ({ data }) => begin(JSON.parse(data)));
events.addEventListener("turns", ({ data }) => {
  const { names, turns } = JSON.parse(data);
  waiting.push(...turns.map((turn) => ({ ...turn, names })));
});
events.addEventListener("done", () => {
  events.close();
  over = true;
  if (!waiting.length) location.reload();
  else setTimeout(() => location.reload(), PATIENCE);
});
events.addEventListener("error", () => {
  if (!over) told.textContent = page.dataset.unsure;
});

/** Load the game's drawing, and draw one frame after the other. */
async function begin({ words }) {
  const [view, { looks }, { speaker }, { adopt }] = await Promise.all([
    import("game/view.js"),
    import("dohyo/seats.js"),
    import("dohyo/words.js"),
    import("dohyo/elements.js"),
  ]);
  if (view.style) adopt(view.style);
  rate = Math.max(rate, view.pace ?? rate);
  told.textContent = page.dataset.live;
  board.hidden = false;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let since = performance.now();
  const draw = (now) => {
    if (waiting.length) {
      scene ??= view.create(board, { seats: looks(waiting[0].names.map((name) => ({ name }))), say: speaker(words) });
      const speed = rate * Math.max(1, waiting.length / 8); // who is behind hurries
      const progress = Math.min(1, ((now - since) * speed) / 1000);
      const { frame, moves } = waiting[0];
      scene.draw(frame, last, calm || last === null ? 1 : progress, moves);
      if (progress >= 1) {
        last = waiting.shift().frame;
        since = now;
      }
    }
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}
