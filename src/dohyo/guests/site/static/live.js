// The matches of a ladder as they are played. A board shows one to its end; what began meanwhile waits, the newest only.
import { Board } from "./board.js";

const page = document.getElementById("live");
if (page) {
  const { dataset } = page;
  const what = document.getElementById("what");
  const which = document.getElementById("which");
  const board = new Board(page.querySelector(".board"));
  let shown = null; // the match on the board: {number, names, words, turns}
  let next = null; // the one that waits: the same, or only {number} of one that was stored
  let busy = false;
  let resting = false; // the ladder plays nothing at the moment
  let newest = null; // the number of the match that was stored last

  const caption = (key, match) => {
    what.textContent = dataset[key];
    what.classList.toggle("on-air", key === "live");
    which.hidden = !match;
    if (!match) return;
    which.textContent = match.names ? match.names.join(" \u2013 ") : `#${match.number}`;
    which.href = `${dataset.matches}${match.number}`;
  };

  const begin = (match) => {
    shown = match;
    next = null;
    busy = true;
    if (match.words) {
      caption("live", match);
      board.begin(match);
      if (match.turns.length) board.more(match);
    } else {
      board.show(`${dataset.matches}${match.number}/frames`).then((names) => {
        match.known = names;
        if (shown === match) caption(resting ? "rests" : "played", { ...match, names });
        busy = Boolean(names) && busy;
      });
    }
  };

  board.onShown = () => {
    // A match that is played slowly is shown as far as it is known, and goes on: it is over when another one begins.
    busy = false;
    if (resting) rest();
    if (next) setTimeout(() => !busy && next && begin(next), 1500);
  };

  /** Nothing is played any more: the match that was played last is on the board, and nothing is called live. */
  const rest = () => {
    if (busy || next) return;
    if (newest !== null && newest !== shown?.number) begin({ number: newest });
    else if (shown) caption("rests", { ...shown, names: shown.names ?? shown.known });
    else caption("rests", null);
  };

  const offer = (match) => {
    if (busy) next = match;
    else begin(match);
  };

  const events = new EventSource(dataset.events);
  events.addEventListener("match", ({ data }) => {
    resting = false;
    document.getElementById("resting").hidden = true;
    offer({ ...JSON.parse(data), turns: [] });
  });
  events.addEventListener("turns", ({ data }) => {
    const { names, turns } = JSON.parse(data);
    const of = next?.words ? next : shown?.words ? shown : null;
    if (!of) return;
    if (of === next) of.turns.push(...turns);
    else {
      busy = true;
      board.more({ names, turns });
    }
  });
  events.addEventListener("played", ({ data }) => {
    const { number } = JSON.parse(data);
    newest = number;
    if (number === shown?.number) return;
    if (!shown || (!shown.words && !busy)) begin({ number });
  });
  events.addEventListener("rests", ({ data }) => {
    resting = JSON.parse(data);
    document.getElementById("resting").hidden = !resting;
    if (resting) rest();
  });
  events.addEventListener("off", () => {
    events.close();
    location.reload();
  });
  events.addEventListener("error", () => {
    if (!shown) what.textContent = dataset.unsure;
  });
}
