// The time line: a lane for each seat, drawn for as long as it lives, with marks for the turns that are worth a look.
import { element } from "dohyo/elements.js";

const MAX_LANES = 8; // more seats share one lane
const LANE = 12; // pixels
const EDGE = 20; // pixels left and right of the first and last position
const FONT = "10px system-ui, sans-serif";
const SCALE = 16; // pixels below the lanes, for the numbers of turns

/**
 * @typedef {{at: number, seat: number, kind: string, shape: string, label: string}} Mark
 *
 * @param {object} options
 * @param {import("dohyo/seats.js").Seat[]} options.seats
 * @param {number} options.last the last position
 * @param {number} options.first the number of the first turn
 * @param {Mark[]} options.marks
 * @param {number[]} options.ends the position at which each seat's lane ends
 * @param {Function} options.say
 * @param {(position: number) => string} options.tell a position in words
 * @param {(position: number) => void} options.onSeek
 */
export function createTimeline({ seats, last, first, marks: atFirst, ends, say, tell, onSeek }) {
  const lanes = seats.length <= MAX_LANES ? seats.length : 1;
  const laneOf = (seat) => (lanes === 1 ? 0 : seat);
  const height = lanes * LANE + SCALE;
  const canvas = element("canvas", { class: "lanes", "aria-hidden": "true" });
  const needle = element("div", { class: "needle", "aria-hidden": "true" });
  const hint = element("div", { class: "hint", "aria-hidden": "true", hidden: true });
  const range = element("input", {
    type: "range",
    min: 0,
    max: last,
    step: 1,
    value: 0,
    class: "unseen",
    "aria-label": say("viewer.timeline"),
    input: () => onSeek(Number(range.value)),
  });
  const stretch = element("div", { class: "stretch", "aria-hidden": "true", hidden: true });
  const node = element("div", { class: "timeline" }, range, canvas, stretch, needle, hint);
  node.style.height = `${height}px`;
  let marks = atFirst;
  let width = 0;
  let now = 0;
  let varied = null;

  const xOf = (position) => EDGE + (last ? position / last : 0) * (width - 2 * EDGE);
  const positionAt = (event) => {
    const x = event.clientX - node.getBoundingClientRect().left;
    return Math.max(0, Math.min(last, Math.round(((x - EDGE) / (width - 2 * EDGE)) * last)));
  };

  function paint() {
    width = node.clientWidth;
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(node);
    const colours = {
      ink: style.getPropertyValue("--ink"),
      quiet: style.getPropertyValue("--quiet"),
      line: style.getPropertyValue("--line"),
    };
    paintLanes(pen, colours);
    for (const mark of marks) paintMark(pen, mark, colours);
    paintScale(pen, colours);
    move(now);
  }

  function paintLanes(pen, colours) {
    pen.lineCap = "round";
    for (let lane = 0; lane < lanes; lane++) {
      const y = lane * LANE + LANE / 2;
      pen.lineWidth = 2;
      pen.strokeStyle = colours.line;
      stroke(pen, [
        [EDGE, y],
        [width - EDGE, y],
      ]);
      if (lanes > 1) {
        pen.fillStyle = colours.quiet;
        pen.textBaseline = "middle";
        pen.font = FONT;
        pen.fillText(String(lane), 4, y + 1);
        pen.strokeStyle = seats[lane].colour;
        stroke(pen, [
          [EDGE, y],
          [xOf(ends[lane]), y],
        ]);
      }
    }
  }

  function paintMark(pen, mark, colours) {
    const x = xOf(mark.at);
    const y = laneOf(mark.seat) * LANE + LANE / 2;
    pen.fillStyle = seats[mark.seat].colour;
    pen.strokeStyle = colours.ink;
    SHAPES[mark.shape](pen, x, y);
  }

  function paintScale(pen, colours) {
    pen.font = FONT;
    pen.textBaseline = "bottom";
    pen.fillStyle = colours.quiet;
    const most = Math.max(2, Math.floor(width / 64));
    const every =
      [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000].find((step) => last / step <= most) ??
      10 ** Math.ceil(Math.log10(last / most));
    for (let turn = Math.ceil(first / every) * every; turn < first + last; turn += every) {
      pen.textAlign = "center";
      pen.fillText(String(turn), xOf(turn - first + 1), height - 1);
    }
  }

  /** Show where we are. */
  function move(position) {
    now = position;
    needle.style.transform = `translateX(${xOf(position)}px)`;
    if (varied === null) return;
    stretch.style.left = `${xOf(varied[0])}px`;
    stretch.style.width = `${xOf(Math.min(last, varied[1])) - xOf(varied[0])}px`;
  }

  let dragging = false;
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    dragging = true;
    node.setPointerCapture(event.pointerId);
    onSeek(positionAt(event));
  });
  node.addEventListener("pointermove", (event) => {
    if (dragging) onSeek(positionAt(event));
    showHint(event);
  });
  for (const end of ["pointerup", "pointercancel"])
    node.addEventListener(end, () => {
      dragging = false;
      hint.hidden = true;
    });
  node.addEventListener("pointerleave", () => {
    hint.hidden = true;
  });

  function showHint(event) {
    const at = positionAt(event);
    const reach = Math.max(0, Math.round((3 / Math.max(1, width)) * last)); // marks three pixels away count
    const near = marks.filter((mark) => Math.abs(mark.at - at) <= reach).slice(0, 4);
    hint.replaceChildren(tell(at), ...near.map((mark) => element("span", {}, mark.label)));
    hint.hidden = false;
    const half = hint.offsetWidth / 2;
    hint.style.transform = `translateX(${Math.max(half, Math.min(width - half, xOf(at))) - half}px)`;
  }

  new ResizeObserver(paint).observe(node);
  return {
    node,
    paint,
    /** Show other marks. */
    remark(others) {
      marks = others;
      paint();
    },
    /** Mark where a variation takes the place of the match, [from, to]; null for none. */
    vary(ends) {
      varied = ends;
      stretch.hidden = ends === null;
      move(now);
    },
    /** @param {number} position where we are, perhaps between two turns; @param {number} turn the whole number;
     *  @param {string} words the turn in words */
    update(position, turn, words) {
      move(position);
      if (Number(range.value) !== turn) range.value = turn;
      range.setAttribute("aria-valuetext", words);
    },
  };
}

function stroke(pen, points) {
  pen.beginPath();
  points.forEach(([x, y], at) => (at ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.stroke();
}

function fill(pen, points) {
  pen.beginPath();
  points.forEach(([x, y], at) => (at ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
  pen.fill();
  pen.stroke();
}

/** How a kind of mark looks; a game's `marks` names one of these for each of its kinds. */
const SHAPES = {
  tick(pen, x, y) {
    pen.fillRect(x - 1, y - 5, 2, 10);
  },
  down(pen, x, y) {
    pen.lineWidth = 1;
    fill(pen, [
      [x - 5, y - 4],
      [x + 5, y - 4],
      [x, y + 5],
    ]);
  },
  up(pen, x, y) {
    pen.lineWidth = 1;
    fill(pen, [
      [x - 5, y + 4],
      [x + 5, y + 4],
      [x, y - 5],
    ]);
  },
  dot(pen, x, y) {
    pen.lineWidth = 1;
    pen.beginPath();
    pen.arc(x, y, 3.5, 0, 7);
    pen.fill();
    pen.stroke();
  },
  cross(pen, x, y) {
    pen.lineWidth = 2;
    stroke(pen, [
      [x - 4, y - 4],
      [x + 4, y + 4],
    ]);
    stroke(pen, [
      [x - 4, y + 4],
      [x + 4, y - 4],
    ]);
  },
};
