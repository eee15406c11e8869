// Shoot-Em-Up's simplest robot: any action that does not leave the board. A place to start from.

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

// -1, 0 or 1.
const step = () => Math.floor(chance() * 3) - 1;
const isOnBoard = (number) => 0 <= number && number <= 9;

// Choose what to do on square (x, y): kind "M" to move, "S" to shoot. Your own ideas go here.
function choose(x, y) {
  for (;;) {
    const [kind, dx, dy] = [chance() < 0.5 ? "M" : "S", step(), step()];
    if (kind === "M" ? isOnBoard(x + dx) && isOnBoard(y + dy) : dx !== 0 || dy !== 0) return [kind, dx, dy];
  }
}

let [x, y] = [0, 0];
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [what, ...numbers] = line.split(" ");
  // Won, lost: another combat may follow. D is what a person wants shown, and here is nothing to show.
  if ("WLD".includes(what[0])) return;
  if (what === "P") [x, y] = numbers.map(Number); // a combat begins, and this is our square
  // H and N say whether the opponent has just hit us, and from where. This robot does not mind.
  const [kind, dx, dy] = choose(x, y);
  if (kind === "M") [x, y] = [x + dx, y + dy];
  console.log(kind, dx, dy);
});
