// What is worth a mark on the time line, and which turns are a seat's own.

/** Whether a frame is of a view that is not told what a seat does and says. */
export function isHidden(frame, seat) {
  return frame.hidden?.includes(seat) ?? false;
}

/** What is worth a mark: the game's highlights and every fault, in the order of turns; of those that are hidden from
 *  the view with the frames `own`, what it is told itself. */
export function collectMarks(content, all, own, view, seats, say) {
  const marks = [];
  const label = (seat, words) => `${seats[seat].label}${say("viewer.colon")}${words}`;
  all.forEach((frame, at) => {
    const told = (seat) => !isHidden(own[at], seat);
    for (const [kind, seat] of frame.highlights ?? []) {
      if (own !== all && view.untold?.includes(kind)) continue;
      if (!told(seat) && !own[at].highlights.some(([what, who]) => what === kind && who === seat)) continue;
      marks.push({
        at,
        seat,
        kind,
        shape: view.marks[kind],
        label: label(seat, say(`${content.game}.mark.${kind}`)),
      });
    }
    for (const move of ((at && content.turns[at - 1]) || []).filter(({ seat }) => told(seat)))
      for (const fault of (move.faults ?? []).filter(({ note }) => !note))
        marks.push({
          at,
          seat: move.seat,
          kind: "fault",
          shape: "cross",
          label: label(move.seat, say(`fault.${fault.kind}`)),
        });
  });
  return marks;
}

/** Where each seat's part in the match ends. */
export function laneEnds(all, scene, seats) {
  return seats.map(({ number }) => {
    const end = all.findIndex((frame) => scene.status(frame, number).out);
    return end < 0 ? all.length - 1 : end;
  });
}

export function ownTurns(turns, seat) {
  return turns.flatMap((moves, turn) => (moves.some((move) => move.seat === seat) ? [turn + 1] : []));
}
