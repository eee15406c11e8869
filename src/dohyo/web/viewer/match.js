// The match as the page shows it: the numbers of its turns, by whose eyes it is seen, which seat is followed, and the
// variation that may be on the board instead.
import { frames } from "dohyo/decode.js";
import { isHidden } from "dohyo/marks.js";

/**
 * @param {object} options
 * @param {object} options.content see dohyo/web/content.py
 * @param {import("dohyo/seats.js").Seat[]} options.seats
 * @param {ReturnType<import("dohyo/variation.js").createVariation>} options.variation
 * @param {Function} options.say
 */
export function createMatch({ content, seats, variation, say }) {
  const first = content.header.first ?? 0;
  const last = content.turns.length;
  const views = content.views.map((one) => ({ seat: one.seat, frames: null, content: one }));
  const framesOf = (one) => (one.frames ??= frames(one.content));
  const numberOf = (position) => first + position - 1;
  const tell = (position) => (position ? say("viewer.turn", { turn: numberOf(position) }) : say("viewer.start"));

  const match = {
    content,
    seats,
    variation,

    /** The number of the first turn: after position p, turn first + p is played. */
    first,
    /** The last position. */
    last,
    numberOf,
    /** The position behind a turn with that number; the start for null. */
    positionOf: (number) => (number === null ? 0 : number - first + 1),
    /** What a position of the match is called. */
    tell,
    /** The same of what is on the board, which may be a variation's. */
    tellNow: (position) =>
      variation.isVaried(position) ? `${tell(position)}, ${say("viewer.of-variation")}` : tell(position),

    views,
    framesOf,
    /** By whose eyes it is seen: one of the views. */
    view: views[0],
    /** The number of the seat that is followed; null for none. */
    followed: null,
    /** The match's own frames in the view that is shown. */
    get frames() {
      return framesOf(match.view);
    },
    /** The frames and the moves on the board: the match's, or those of a variation. */
    get onBoard() {
      return variation.now ?? { frames: match.frames, turns: content.turns };
    },
    /** Whether the view is told what a seat does and says up to a position of what is on the board. */
    isTold: (position, seat) => !isHidden(match.onBoard.frames[position], seat),
    /** From whom a seat's part in a turn is kept; null where it is told. */
    hiddenFrom: (turn, seat) => (match.isTold(turn + 1, seat) ? null : seats[match.view.seat].label),
    /** The position up to which what is shown at `position` was played in the match. */
    playedUntil: (position) => Math.min(position, variation.now?.base ?? last),
  };
  return match;
}
