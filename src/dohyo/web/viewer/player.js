// Where in the match we are, and how time passes.
//
// A position is a number from 0 (before the first turn) to `last` (after the last one). At a whole number p the frame
// p is shown at rest; between p - 1 and p, turn p - 1 is happening: frame p is drawn with that progress.

const STEP_SECONDS = 0.28; // how long one step takes when it is not part of playing
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
export const MOMENTS = "moments"; // a speed: 1 around what is worth a look, and quickly over all that lies between
const BEFORE = 3; // turns before a mark that are played at speed 1 then, and
const AFTER = 2; // turns after it
const QUICKLY = 40;

/**
 * @param {object} options
 * @param {number} options.last the last position
 * @param {number} options.pace turns per second at speed 1
 * @param {() => {at: number}[]} options.moments what is worth a look, in the order of turns
 * @param {() => boolean} options.still whether nothing may move by itself between two frames
 * @param {(turn: number, progress: number) => void} options.onDraw
 * @param {() => void} options.onChange called when playing, speed or the position at rest changes
 */
export function createPlayer({ last: atFirst, pace, moments, still, onDraw, onChange }) {
  let last = atFirst;
  let first = 0; // from where it plays anew at the end
  let position = 0;
  let goal = null; // the whole number that a step is on its way to
  let playing = false;
  let speed = 1;
  let before = null; // the time of the last picture, in milliseconds
  let waiting = 0; // the number of the picture that was asked for, 0 for none

  const here = () => Math.ceil(position - 1e-9);

  function draw() {
    const turn = here();
    const part = 1 - (turn - position);
    onDraw(turn, still() ? 1 : part);
  }

  function ask() {
    if (!waiting) waiting = requestAnimationFrame(picture);
  }

  function picture(now) {
    waiting = 0;
    const seconds = before === null ? 0 : Math.min((now - before) / 1000, 0.25);
    before = now;
    if (playing) advance(seconds);
    else if (goal !== null) approach(seconds);
    draw();
    if (playing || goal !== null) ask();
    else before = null;
  }

  /** Where playing is after so many seconds; a quick stretch ends where a slow one begins. */
  function ahead(seconds) {
    if (speed !== MOMENTS) return position + seconds * pace * speed;
    const next = Math.min(last, ...moments().filter(({ at }) => at + AFTER > position).map(({ at }) => at));
    if (next - BEFORE <= position) return position + seconds * pace;
    return Math.min(next - BEFORE, position + seconds * pace * QUICKLY);
  }

  function advance(seconds) {
    position = Math.min(last, ahead(seconds));
    if (position === last) {
      playing = false;
      onChange();
    }
  }

  function approach(seconds) {
    const way = goal - position;
    const reach = (seconds / STEP_SECONDS) * Math.max(1, Math.abs(way));
    if (Math.abs(way) <= reach || still()) {
      position = goal;
      goal = null;
    } else position += Math.sign(way) * reach;
  }

  const player = {
    get last() {
      return last;
    },
    /** Let another position be the last one, and one from where it plays anew; stops playing. */
    limit(end, begin = 0) {
      last = end;
      first = begin;
      playing = false;
      goal = null;
      position = Math.min(position, last);
    },
    /** The position at rest, or the one that is being approached. */
    get turn() {
      return goal ?? here();
    },
    /** Where we are now, perhaps between two turns. */
    get position() {
      return position;
    },
    get playing() {
      return playing;
    },
    get speed() {
      return speed;
    },
    play() {
      if (last === 0) return;
      if (position >= last) position = first;
      goal = null;
      playing = true;
      ask();
      onChange();
    },
    pause() {
      if (!playing) return;
      playing = false;
      goal = here(); // finish the turn that is happening
      ask();
      onChange();
    },
    toggle() {
      if (playing) player.pause();
      else player.play();
    },
    /** Go there at once. Playing goes on from there. */
    seek(turn) {
      goal = null;
      position = Math.max(0, Math.min(last, Math.round(turn)));
      draw();
      onChange();
    },
    /** One turn on or back, with what happens in it to be seen; stops playing. */
    step(by) {
      const from = goal ?? (by > 0 ? here() : Math.floor(position + 1e-9));
      playing = false;
      if (goal !== null) position = goal; // a second step does not wait for the first
      goal = Math.max(0, Math.min(last, from + by));
      ask();
      onChange();
    },
    setSpeed(value) {
      speed = value;
      onChange();
    },
    faster(by) {
      const at = SPEEDS.indexOf(speed === MOMENTS ? 1 : speed) + by;
      if (SPEEDS[at] !== undefined) player.setSpeed(SPEEDS[at]);
    },
    redraw: draw,
  };
  return player;
}
