// The players: a token each, with its number, facing, stun and name.
import { set, svg } from "dohyo/elements.js";
import { short } from "dohyo/words.js";
import { SQUARES } from "game/floor.js";

const TOKEN = 0.6; // its radius
const PIPS = 3; // as many marks of stun as can be shown
const NAME_LENGTH = 14;
export const ANGLES = { U: 0, R: 90, D: 180, L: 270 };
export const STEPS = { U: [0, -1], R: [1, 0], D: [0, 1], L: [-1, 0] };

export function createPlayers(seats) {
  const players = seats.map(makePlayer);
  return {
    nodes: [...players.map(({ node }) => node), ...players.map(({ label }) => label)],
    /** Find each name a place; the boxes of players and names, in squares, as half sizes around (x, y). */
    arrange(frame) {
      const boxes = players.map((_, seat) => tokenBox(frame.players[seat]));
      const names = players.map((player, seat) => {
        if (!boxes[seat]) return null;
        const others = boxes.filter((box) => box && box !== boxes[seat]);
        const ways = frame.players[seat].row > 15 ? [true] : frame.players[seat].row < 2 ? [false] : [false, true];
        const choices = ways.map((above) => nameBox(player, frame.players[seat], above));
        return choices.find((box) => !others.some((other) => overlap(box, other))) ?? choices[0];
      });
      names.forEach((box, seat) => {
        if (box) players[seat].apart = box.apart;
      });
      return [...boxes, ...names].filter(Boolean);
    },
    /** Leave out each name that would hide one of the `numbers` or other signs, or move it to the other side of its token. */
    makeRoom(frame, numbers) {
      players.forEach((player, seat) => {
        const own = frame.players[seat];
        if (own.row === null) return;
        const isFree = (box) => !numbers.some((number) => overlap(box, number));
        const tokens = frame.players.filter((other) => other !== own).map(tokenBox).filter(Boolean);
        const now = { x: nameX(player, own.column + 0.5), y: own.row + 0.3 + player.apart, wide: reach(player), high: 0.3 };
        player.unnamed = !isFree(now);
        if (!player.unnamed) return;
        const other = nameBox(player, own, player.apart > 0);
        if (!isFree(other) || tokens.some((token) => overlap(other, token)) || other.y < 0.2 || other.y > SQUARES) return;
        Object.assign(player, { apart: other.apart, unnamed: false });
      });
    },
    draw(from, frame, progress) {
      players.forEach((player, seat) => drawPlayer(player, seat, from, frame, progress));
    },
    drawn: (scene) => players.map((player) => readPlayer(player, scene)),
  };
}

function makePlayer(seat) {
  const pointer = svg("path", { d: "M-.36-.82Q0-.94.36-.82L0-1.3z", class: "pointer", fill: seat.colour });
  const turning = svg("g", {}, pointer);
  const y = seat.middle * TOKEN;
  const number = svg("text", { y, dy: ".36em", class: "number", fill: seat.ink }, String(seat.number));
  const pips = Array.from({ length: PIPS }, () => svg("path", { d: "M0-.21.21 0 0 .21-.21 0z", class: "pip" }));
  const halo = svg("circle", { r: 1.02, class: "halo" });
  const token = svg("path", { d: seat.shape, fill: seat.colour, class: "token", transform: `scale(${TOKEN})` });
  const node = svg("g", {}, halo, turning, token, number, ...pips);
  const label = svg("text", { class: "label" }, short(seat.short, NAME_LENGTH));
  return { node, turning, pips, halo, label, width: 0, apart: 0, unnamed: false };
}

function drawPlayer(player, seat, from, frame, progress) {
  const now = frame.players[seat];
  const fall = frame.marks.find(([kind, who]) => kind === "fall" && who === seat);
  const gone = now.row === null && (!fall || progress === 1);
  set(player.node, "display", gone ? "none" : "inline");
  set(player.label, "display", gone || fall || player.unnamed ? "none" : "inline");
  if (gone) return;
  const goal = fall ? { row: fall[2], column: fall[3] } : now;
  const [x, y] = between(from.players[seat], goal, progress * (fall ? 2 : 1));
  const lean = leaning(frame, seat, progress);
  const drop = fall ? Math.max(0, 2 * progress - 1) ** 2 : 0; // first the step, then the fall
  const where = `translate(${(x + lean[0]).toFixed(3)} ${(y + lean[1]).toFixed(3)})`;
  set(player.node, "transform", `${where} rotate(${(50 * drop).toFixed(1)}) scale(${(1 - 0.6 * drop).toFixed(3)})`);
  set(player.node, "opacity", (1 - drop).toFixed(3));
  set(player.node, "class", now.stun ? "player stunned" : "player");
  set(player.turning, "transform", `rotate(${turned(from.players[seat].facing, now.facing, progress).toFixed(1)})`);
  set(player.halo, "display", frame.mover === seat && !frame.ignored ? "inline" : "none");
  drawStun(player, now);
  set(player.label, "x", nameX(player, x).toFixed(3));
  set(player.label, "y", (y + player.apart).toFixed(3));
}

/** Whether the pips stand above the token: they keep away from where the player faces. */
const stunAbove = (facing) => facing !== "U";

function drawStun({ pips }, { stun, facing }) {
  pips.forEach((pip, at) => {
    set(pip, "display", at < stun ? "inline" : "none");
    set(
      pip,
      "transform",
      `translate(${((at - (stun - 1) / 2) * 0.44).toFixed(2)} ${stunAbove(facing) ? -0.94 : 0.88})`,
    );
  });
}

/** Half the width of a name, measured once it can be. */
function reach(player) {
  player.width ||= player.label.getComputedTextLength();
  return Math.min(SQUARES, player.width) / 2;
}

const nameX = (player, x) => Math.max(reach(player), Math.min(SQUARES - reach(player), x));

function tokenBox({ row, column }) {
  return row === null ? null : { x: column + 0.5, y: row + 0.5, wide: 0.8, high: 0.8 };
}

/** A name above or below its token, beyond the pointer or the pips where they are on that side. */
function nameBox(player, { row, column, facing, stun }, above) {
  const pointed = facing === (above ? "U" : "D");
  const pipped = stun > 0 && stunAbove(facing) === above;
  const down = pointed ? 1.86 : pipped ? 1.62 : 1.24; // to the line that the letters stand on
  const apart = above ? 0.34 - down : down;
  return { x: nameX(player, column + 0.5), y: row + 0.3 + apart, wide: reach(player), high: 0.3, apart };
}

function overlap(one, other) {
  return Math.abs(one.x - other.x) < one.wide + other.wide && Math.abs(one.y - other.y) < one.high + other.high;
}

function between(old, now, progress) {
  const part = ease(Math.min(1, progress));
  const [row, column] = old.row === null ? [now.row, now.column] : [old.row, old.column];
  return [column + (now.column - column) * part + 0.5, row + (now.row - row) * part + 0.5];
}

/** A player that could not step leans against what was in the way. */
function leaning({ marks, letter }, seat, progress) {
  const blocked = marks.some(([kind, who]) => kind === "blocked" && who === seat);
  return blocked ? STEPS[letter].map((step) => 0.28 * step * Math.sin(Math.PI * progress)) : [0, 0];
}

function turned(old, now, progress) {
  const way = ((ANGLES[now] - ANGLES[old] + 540) % 360) - 180;
  return ANGLES[old] + way * ease(Math.min(1, 2 * progress));
}

const ease = (part) => part * part * (3 - 2 * part);

/** Where an element really is on the page, in squares of the board. */
export function onBoard(node, scene) {
  return scene.getScreenCTM().inverse().multiply(node.getScreenCTM());
}

/** The square in whose middle an element is, to a hundredth. */
export function squareOf(node, scene) {
  const { e, f } = onBoard(node, scene);
  return { row: Math.round((f - 0.5) * 100) / 100, column: Math.round((e - 0.5) * 100) / 100 };
}

/** What a player shows, read from its elements; null when it is not on the board. */
function readPlayer({ node, label, turning, pips }, scene) {
  if (node.getAttribute("display") === "none") return null;
  const { a, b } = onBoard(turning, scene);
  const degrees = (Math.round((Math.atan2(b, a) * 180) / Math.PI) + 360) % 360;
  const facing = Object.keys(ANGLES).find((letter) => ANGLES[letter] === degrees) ?? degrees;
  const stun = pips.filter((pip) => pip.getAttribute("display") !== "none").length;
  return { ...squareOf(node, scene), facing, stun, name: label.textContent };
}
