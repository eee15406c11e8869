// The faults of the match: one line for each kind of a seat, with how often it happened. A press goes to its next turn.
import { element, keepFocus } from "dohyo/elements.js";
import { jump } from "dohyo/jumps.js";
import { badge } from "dohyo/seats.js";
import { ofMatch } from "dohyo/variation.js";
import { visible } from "dohyo/words.js";

const SIGNALS = new Set(["killed"]); // kinds whose status is the number of a signal

/** What kind of fault it was, in words, with the exit status or the signal. */
export function faultName(fault, say) {
  // A server without a connection is not a program that has closed its output.
  const own = ["no-connection", "resigned"].includes(fault.code); // such a code has a word of its own
  const words = say(`fault.${own ? fault.code : fault.kind}`);
  if (fault.status === undefined || fault.status === null) return words;
  const key = SIGNALS.has(fault.kind) ? "viewer.signal" : "viewer.status";
  return `${words}, ${say(key, { status: fault.status })}`;
}

/**
 * @param {object} options
 * @param {object[][]} options.turns the replay's moves
 * @param {number} options.first the number of the first turn
 * @param {import("dohyo/seats.js").Seat[]} options.seats
 * @param {Function} options.say
 * @param {() => number} options.now the position that is shown
 * @param {(position: number) => void} options.onSeek
 * @param {() => void} options.onToggle called when the list is opened or closed
 */
export function createFaults({ turns, first, seats, say, now, onSeek, onToggle }) {
  const list = element("ol", { class: "jumps" });
  const title = element("span", { class: "panel-words" });
  const colon = say("viewer.colon");
  keepFocus(list);
  const node = element("details", { class: "chart-panel faults", open: true }, element("summary", {}, title, ofMatch(say)), list);
  node.addEventListener("toggle", onToggle);

  function entry({ seat, fault, said, positions }) {
    const words = [element("strong", {}, faultName(fault, say))];
    const told = [fault.status === undefined || !said ? fault.detail : "", said].filter(Boolean); // the status is told
    if (told.length > 0) words.push(colon, element("bdi", {}, visible(told.join(colon))));
    const place = [say("viewer.turn", { turn: first + positions[0] - 1 })];
    if (positions.length > 1) place.unshift(say("viewer.times", { count: positions.length }));
    const next = () => onSeek(positions.find((at) => at > now()) ?? positions[0]);
    return jump([badge(seats[seat], 1.5)], words, place.join(" \u00b7 "), next);
  }

  return {
    node,
    /** The faults of those seats that one is told of: `told(position, seat)`. */
    show(told) {
      const groups = collect(turns, told);
      const count = groups.reduce((sum, { positions }) => sum + positions.length, 0);
      title.replaceChildren(say("viewer.faults", { count }));
      list.replaceChildren(...groups.map(entry));
      node.hidden = groups.length === 0;
    },
  };
}

/** From a position and a seat to how many faults the seat has had by then. */
export function faultCounter(turns) {
  const positions = new Map();
  turns.forEach((moves, turn) => {
    for (const move of moves)
      for (const fault of move.faults ?? []) {
        if (!positions.has(move.seat)) positions.set(move.seat, []);
        if (!fault.note) positions.get(move.seat).push(turn + 1);
      }
  });
  return (position, seat) => (positions.get(seat) ?? []).filter((at) => at <= position).length;
}

/** The same fault of a seat, once, with every position at which it happened. */
function collect(turns, told) {
  const groups = new Map();
  turns.forEach((moves, turn) => {
    for (const move of moves.filter(({ seat }) => told(turn + 1, seat)))
      for (const fault of (move.faults ?? []).filter(({ note }) => !note)) {
        const key = [move.seat, fault.kind, fault.code ?? "", fault.status ?? ""].join(" ");
        if (!groups.has(key)) groups.set(key, { seat: move.seat, fault, said: move.said, positions: [] });
        groups.get(key).positions.push(turn + 1);
      }
  });
  return [...groups.values()];
}
