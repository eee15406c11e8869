// Drop-Block's simplest player: any of the six letters. A place to start from.

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

// What the 13 lines of a turn say.
function readTurn(lines) {
  return {
    me: Number(lines[0]), // which of the four players I am: 0, 1, 2 or 3
    turn: Number(lines[1]),
    blocks: lines.slice(2, 8).map((line) => line.split(" ").map(Number)),
    players: lines.slice(8, 12).map((line) => {
      const [row, column, facing, stun] = line.split(" ");
      return { row: Number(row), column: Number(column), facing, stun: Number(stun) };
    }),
  };
}

// Choose what to do: U, R, D or L to move, A to attack, N for nothing. Your own ideas go here.
function choose(turn) {
  return "URDLAN"[Math.floor(chance() * 6)];
}

let lines = [];
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  lines.push(line.trim());
  if (line.trim() === "EOD") {
    console.log(choose(readTurn(lines)));
    lines = [];
  }
});
console.log("READY"); // within a second of the start
