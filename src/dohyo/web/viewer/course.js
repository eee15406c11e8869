// The course of a value that swings with whose turn it is. Where players move in turn, whoever is to move is often judged
// better off, and the swing hides the course. Averaged over one round of the players it is gone, and a step stays one.

const MAX_ROUND = 8; // turns; more players than that do not swing

/** How many turns one round of the players takes: mostly after how many a seat moves again. */
export function roundOf(turns) {
  const before = new Map();
  const gaps = [];
  turns.forEach((moves, turn) => {
    for (const { seat } of moves) {
      if (before.has(seat)) gaps.push(turn - before.get(seat));
      before.set(seat, turn);
    }
  });
  return gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? 1;
}

/**
 * Values averaged over a round: each with as many on its left as on its right, towards the ends with fewer.
 * @param {[number, ...number[]][]} points [position, value, ...], one for each position; with gaps they stay as they are
 * @param {number} round
 */
export function course(points, round) {
  const isWhole = points.every(([position], at) => position === points[0][0] + at);
  if (!isWhole || round < 2 || round > MAX_ROUND) return points;
  return points.map(([position, ...values], at) => {
    const width = Math.min(round, 2 * at, 2 * (points.length - 1 - at));
    return [position, ...values.map((value, which) => (width < 2 ? value : mean(points, at, width, which + 1)))];
  });
}

/** The mean of `width` values around one; of an even number the two at the ends count half. */
function mean(points, at, width, which) {
  const half = Math.floor(width / 2);
  let sum = 0;
  for (let off = -half; off <= half; off++) {
    const isHalf = width % 2 === 0 && Math.abs(off) === half;
    sum += points[at + off][which] * (isHalf ? 0.5 : 1);
  }
  return sum / width;
}
