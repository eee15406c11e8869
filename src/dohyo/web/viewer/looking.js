// By whose eyes the match is seen, and which seat is followed: changing it.
import { collectMarks, ownTurns } from "dohyo/marks.js";

/** The match's marks in the view that is shown. */
export function marksOf(match, view, say) {
  return collectMarks(match.content, match.framesOf(match.views[0]), match.frames, view, match.seats, say);
}

/**
 * @param {object} options
 * @param {ReturnType<import("dohyo/match.js").createMatch>} options.match
 * @param {object} options.view the game's view.js
 * @param {object} options.scene the game's, see start.js
 * @param {ReturnType<import("dohyo/player.js").createPlayer>} options.player
 * @param {object[]} options.marks those of the view that is shown at first; see marks.js
 * @param {ReturnType<import("dohyo/parts.js").createParts>} options.parts
 * @param {ReturnType<import("dohyo/drawing.js").createDrawing>} options.drawing
 * @param {ReturnType<import("dohyo/varying.js").createVarying>} options.varying
 * @param {() => void} options.changed
 * @param {Function} options.say
 */
export function createLooking({ match, view, scene, player, marks: atFirst, parts, drawing, varying, changed, say }) {
  const { content, seats, variation, views } = match;
  const { charts, choice, faults, timeline } = parts;
  let marks = atFirst;

  /** Follow a seat, or nobody if it is followed already. */
  function follow(seat) {
    if (seat !== null && seat >= seats.length) return;
    match.followed = seat === match.followed ? null : seat;
    scene.follow?.(match.followed);
    charts.follow(match.followed);
    changed();
    drawing.showTurn(player.turn);
  }

  /** See the match by the eyes of one of its views. */
  function look(one) {
    varying.leave();
    match.view = one;
    drawing.forget();
    marks = marksOf(match, view, say);
    timeline.remark(marks);
    charts.show(match.frames, one.seat);
    faults.show(match.isTold);
    choice?.choose(views.indexOf(one));
    player.redraw();
    changed();
  }

  /** The positions that are worth a look: a variation's begin, the turns of who is followed, or the marks. */
  function worthy() {
    if (variation.now) return [variation.now.base];
    return match.followed === null ? marks.map((mark) => mark.at) : ownTurns(content.turns, match.followed);
  }

  return {
    get marks() {
      return marks;
    },
    follow,
    look,
    nextView: () => look(views[(views.indexOf(match.view) + 1) % views.length]),
    /** To the next position that is worth a look, or the one before; to the end if there is none. */
    toMark(direction) {
      const now = player.turn;
      const wanted = worthy();
      const ahead = direction > 0 ? wanted.find((at) => at > now) : wanted.findLast((at) => at < now);
      player.seek(ahead ?? (direction > 0 ? player.last : 0));
    },
  };
}
