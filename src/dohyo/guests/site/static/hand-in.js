// What becomes of a hand-in, as it happens: its state in words, and its match on the board while it is played.
import { Board } from "./board.js";

const PATIENCE = 3000; // milliseconds for a match that is over to be shown to its end before the page is made anew
const page = document.getElementById("follow");
const told = document.getElementById("told");
const state = document.getElementById("state");
const board = new Board(document.getElementById("board"));
let over = false;

const events = new EventSource(page.dataset.from);
events.addEventListener("state", ({ data }) => {
  if (data in page.dataset) state.textContent = page.dataset[data];
  state.className = `state ${data}`;
  const key = `told${data[0].toUpperCase()}${data.slice(1)}`;
  if (board.root.hidden && page.dataset[key]) told.textContent = page.dataset[key];
});
events.addEventListener("match", ({ data }) => {
  told.textContent = page.dataset.live;
  board.root.hidden = false;
  board.begin(JSON.parse(data));
});
events.addEventListener("turns", ({ data }) => board.more(JSON.parse(data)));
events.addEventListener("done", () => {
  events.close();
  over = true;
  if (board.isShown) location.reload();
  else setTimeout(() => location.reload(), PATIENCE);
});
events.addEventListener("error", () => {
  if (!over) told.textContent = page.dataset.unsure;
});
