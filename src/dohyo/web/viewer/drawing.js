// What is drawn at a moment, and what all parts show of a turn.

/**
 * @param {object} options
 * @param {ReturnType<import("dohyo/match.js").createMatch>} options.match
 * @param {object} options.view the game's view.js
 * @param {object} options.scene the game's, see start.js
 * @param {ReturnType<import("dohyo/parts.js").createParts>} options.parts
 * @param {(position: number, seat: number) => object} options.statusOf see status.js
 */
export function createDrawing({ match, view, scene, parts, statusOf }) {
  const { last, seats, variation } = match;
  const { banner, cards, charts, overlay, panel, standings, telling, timeline } = parts;
  let shown = null; // the turn that the parts show

  function draw(turn, progress) {
    const { frames, turns } = match.onBoard;
    scene.draw(frames[turn], turn ? frames[turn - 1] : null, progress, turns[turn - 1] ?? []);
    timeline.update(Math.min(last, turn - 1 + progress), Math.min(last, turn), match.tellNow(turn));
    if (turn !== shown) showTurn(turn);
    else overlay.fit();
    if (!variation.now) banner.hidden = !(turn === last && progress === 1);
    else if (view.broad) banner.hidden = true; // it lies over the board; beside it, it stays, marked as the match's
  }

  function showTurn(turn) {
    shown = turn;
    const { turns } = match.onBoard;
    telling.show(turn, variation.show(turn));
    const movers = new Set((turns[turn - 1] ?? []).map((move) => move.seat));
    cards.update(
      seats.map(({ number }) => ({ ...statusOf(turn, number), moved: movers.has(number) })),
      match.followed,
    );
    if (!variation.now) standings.hidden = turn !== last; // in a variation it stays, marked as the match's
    const [played, moves] = panel.show(turn, match.followed);
    overlay.show(moves.filter(({ seat }) => match.isTold(played + 1, seat)));
    charts.update(match.playedUntil(turn)); // they show the match, and are marked so in a variation
  }

  return {
    draw,
    showTurn,
    /** Let the next picture show its turn anew, whichever it is. */
    forget() {
      shown = null;
    },
  };
}
