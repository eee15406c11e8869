// Wondev Woman's simplest player: any of the legal actions, in every league. A place to start from.

const crypto = require("crypto");
const readline = require("readline");

// Dohyo gives every bot a seed of its own, so that a match can be played again exactly; without one, each run differs.
// Math.random takes no seed, so here are a few lines that make numbers from 0 to 1 out of one (mulberry32).
let state = Number(process.env.DOHYO_SEED ?? crypto.randomInt(2 ** 31));
function chance() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

// What the lines of a turn say; nothing while some of them are still to come.
function readTurn(lines, size, units) {
  const head = size + 2 * units + 1;
  if (lines.length < head || lines.length < head + Number(lines[head - 1])) return null;
  const places = lines.slice(size, head - 1).map((line) => line.split(" ").map(Number));
  return {
    rows: lines.slice(0, size), // a digit is a cell's height, a dot a hole; 4 is out of play
    mine: places.slice(0, units), // [x, y] of each unit
    theirs: places.slice(units), // [-1, -1] for one that is not seen
    actions: lines.slice(head),
  };
}

// Choose one of the actions, such as "MOVE&BUILD 0 N SW". Your own ideas go here.
function choose(turn) {
  if (turn.actions.length === 0) return "ACCEPT-DEFEAT no way to go"; // whatever is said now, the player is out
  return turn.actions[Math.floor(chance() * turn.actions.length)]; // a text behind it is shown to those who watch
}

const first = []; // the size and the units a player: these two lines come once, before the first turn
let lines = [];
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  if (first.length < 2) {
    first.push(Number(line));
    return;
  }
  lines.push(line.trim());
  const turn = readTurn(lines, ...first);
  if (turn) {
    console.log(choose(turn));
    lines = [];
  }
});
