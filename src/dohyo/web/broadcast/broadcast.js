// The page of a broadcast: it hears what is told, and hands it to its parts. Nothing has to be pressed; space pauses, the
// arrow keys go turn by turn then, F fills the screen.
import { element, setText } from "dohyo/elements.js";
import { short, speaker } from "dohyo/words.js";
import { createLines } from "./lines.js";
import { createSeats } from "./seats.js";
import { createStage } from "./stage.js";
import { createTable } from "./table.js";

const MAX_WAITING = 4000; // events that are kept while it is paused: after more it goes on by itself
const at = (id) => document.getElementById(id);
const { events, words } = JSON.parse(at("told").textContent);
const say = speaker(words);
const seats = createSeats(at("seats"), say);
const lines = createLines(at("lines"), say);
const table = createTable(at("rows"), at("count"), say);
const stage = createStage(at("frame"), { words, onShown });
let match = null;
let paused = false;
let waiting = []; // what was told since

function onShown({ status, caption }) {
  seats.status(status);
  setText(at("caption"), short(caption, 240));
  where();
}

function where() {
  const kind = match && (match.live ? "live" : match.film ? "replayed" : "just-played");
  const told = [kind && say(`broadcast.${kind}`), match && say("broadcast.match", { number: match.number })];
  if (stage.turn !== null) told.push(say("broadcast.turn", { turn: stage.turn }));
  setText(at("where"), told.filter(Boolean).join(" \u00b7 "));
  at("where").classList.toggle("live", Boolean(match?.live));
}

const acts = {
  match(told) {
    if (match?.number === told.number) lines.clear(); // the stream was lost, and tells it once more
    else lines.part();
    match = told;
    at("broadcast").classList.add("shows");
    at("broadcast").classList.remove("over");
    seats.begin(told.seats);
    table.play(told.seats.map(({ entrant }) => entrant));
    stage.begin(told.seats.map(({ name }) => name));
    setText(at("caption"), "");
    where();
  },
  turns: (told, still) => stage.add(told, still),
  chances: ({ chances }) => seats.chances(chances),
  line: (told) => lines.add(told),
  end({ places }) {
    seats.end(places);
    at("broadcast").classList.add("over");
  },
  table(told) {
    table.show(told);
    seats.standings(told);
  },
  next({ matches }) {
    const shown = matches.map((names) => {
      const [name, other] = names.map((one) => short(one, 30));
      const key = names.length === 2 ? "broadcast.versus" : "broadcast.many";
      return element("li", {}, say(key, { name, other, count: names.length - 1 }));
    });
    at("coming").replaceChildren(...shown);
    at("next").classList.toggle("empty", !shown.length);
  },
  quiet() {
    match = null;
    at("broadcast").classList.remove("shows");
    where();
  },
};

function hear(name, data) {
  const told = JSON.parse(data);
  if (!paused) acts[name](told, false);
  else {
    if (name === "match") waiting = [];
    waiting.push([name, told]);
    if (waiting.length > MAX_WAITING) pause(false);
  }
}

function pause(on) {
  paused = on;
  setText(at("state"), on ? say("broadcast.paused") : "");
  if (on) return;
  for (const [name, told] of waiting) acts[name](told, true);
  waiting = [];
  stage.catchUp();
}

const stream = new EventSource(events);
for (const name of Object.keys(acts)) stream.addEventListener(name, ({ data }) => hear(name, data));
stream.addEventListener("open", () => setText(at("state"), paused ? say("broadcast.paused") : ""));
stream.addEventListener("error", () => {
  setText(at("state"), say("broadcast.lost"));
  if (stream.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 5000 + 5000 * Math.random());
});
stream.addEventListener("off", () => {
  stream.close();
  setTimeout(() => location.reload(), 1000);
});
stream.addEventListener("bye", () => {
  stream.close();
  setText(at("state"), say("broadcast.ended"));
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " ") pause(!paused);
  else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    if (!paused) pause(true);
    stage.step(event.key === "ArrowLeft" ? -1 : 1);
  } else if (event.key === "f" || event.key === "F") {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.();
  } else return;
  event.preventDefault();
});

// For tests, and the browser's console: how much is kept.
window.dohyo = {
  get kept() {
    return { turns: stage.kept, lines: lines.count, rows: table.count, waiting: waiting.length };
  },
};
