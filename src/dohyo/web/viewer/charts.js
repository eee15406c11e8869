// The charts beside the board: chances to win (where the match was analysed), score (where the game has one), think
// time with the limit, and the values that bots wrote. Each is a panel that can be closed.
import { createChart } from "dohyo/chart.js";
import { course, roundOf } from "dohyo/course.js";
import { element, icon } from "dohyo/elements.js";
import { badge } from "dohyo/seats.js";
import { duration, visible } from "dohyo/words.js";

/**
 * @param {object} options
 * @param {object} options.content see dohyo/web/content.py
 * @param {object} options.view the game's view.js, whose `score` says which number of a frame is a seat's score
 * @param {import("dohyo/seats.js").Seat[]} options.seats
 * @param {number} options.first the number of the first turn
 * @param {Function} options.say
 * @param {(position: number) => string} options.tell
 * @param {(position: number) => void} options.onSeek
 * @param {() => void} options.onToggle called when a panel is opened or closed
 * @param {(point: object) => void} options.onLine called to play the better line of a turning point: {at, seat, text, line}
 * @param {(text: string) => void} options.onCopy
 */
export function createCharts({ content, view, seats, first, say, tell, onSeek, onToggle, onLine, onCopy }) {
  const node = element("div", { class: "charts" });
  const panels = new Map(); // by name; a panel stays open or closed when the eyes change
  const last = content.turns.length;
  let charts = [];
  let position = 0;
  let followed = null;
  let offered = null;

  function panel(name, title, ...children) {
    const known = panels.get(name);
    const box = element("details", { class: "chart-panel", open: known?.open ?? true });
    box.append(element("summary", {}, title), ...children);
    box.addEventListener("toggle", onToggle);
    panels.set(name, box);
    node.append(box);
  }

  function add(name, title, options, ...below) {
    const chart = createChart({ title, last, tell, onSeek, ...options });
    charts.push({ name, chart });
    panel(name, title, chart.node, ...below);
  }

  /** All of it anew, for one pair of eyes: `seat` (null for everybody), who sees these frames. */
  function show(frames, seat) {
    node.replaceChildren();
    charts = [];
    const told = (at, who) => !frames[at].hidden?.includes(who);
    addChances(seat);
    addOffered();
    addScore(frames);
    addValues(told);
    addTimes(told);
    for (const name of [...panels.keys()]) if (!node.contains(panels.get(name))) panels.delete(name);
    update(position);
    follow(followed);
  }

  function addChances(seat) {
    const analysis = [content.analysis ?? []].flat().find((one) => (one.seat ?? null) === seat);
    if (!analysis && content.command) addCommand(content.command);
    if (!analysis) return;
    const round = roundOf(content.turns);
    const series = seats.map((one) => {
      const own = analysis.chances.map((all, at) => [at, all?.[one.number]]).filter(([, chance]) => chance);
      const points = own.map(([at, [chance]]) => [at, chance]);
      const band = own.map(([at, [, low, high]]) => [at, low, high]);
      return { ...lineOf(one), points, drawn: course(points, round), band: course(band, round) };
    });
    const after = ({ turn }) => turn - first + 1;
    const points = analysis.points ?? [];
    const dots = points.map((point) => ({
      at: after(point),
      seat: point.seat,
      value: series[point.seat].drawn.find(([at]) => at === after(point))?.[1] ?? 0.5,
      label: visible(point.text),
    }));
    const list = points.map((point) => turningPoint(point, () => onSeek(after(point))));
    const note = analysis.note ? [element("p", { class: "quiet chart-note" }, visible(analysis.note))] : [];
    const below = list.length ? [element("h3", {}, say("viewer.turning-points")), element("ol", { class: "jumps" }, ...list)] : [];
    const format = (chance) => `${Math.round(100 * chance)}\u00a0%`;
    add("chances", say("viewer.chances"), { series, dots, range: [0, 1], format }, ...note, ...below);
  }

  function turningPoint(point, onPress) {
    const { turn, seat, text, action, line } = point;
    const better = action ? [element("span", { class: "quiet" }, say("viewer.better", { action: visible(action) }))] : [];
    const words = [element("span", {}, visible(text)), ...better];
    const item = jump([badge(seats[seat], 1.5)], words, say("viewer.turn", { turn }), onPress);
    const play = () => onLine({ ...point, at: turn - first + 1 });
    if (line) item.append(element("button", { type: "button", class: "small play-line", click: play }, icon("play"), say("viewer.play-line")));
    return item;
  }

  /** How to get an analysis: it takes the rules, which are in Python and not in the page. */
  function addCommand(command) {
    const shown = visible(command);
    const copy = element("button", { type: "button", class: "small", click: () => onCopy(shown) }, say("viewer.copy"));
    const line = element("div", { class: "row" }, element("code", { class: "command" }, shown), copy);
    panel("chances", say("viewer.chances"), element("p", { class: "quiet" }, say("viewer.not-analysed")), line);
  }

  function addScore(frames) {
    if (!view.score) return;
    const series = seats.map((seat) => ({
      ...lineOf(seat),
      points: frames.map((frame, at) => [at, view.score.of(frame, seat.number)]).filter(([, score]) => score !== null),
    }));
    if (series.some(({ points }) => points.length)) add("score", say(view.score.word), { series, format: number });
  }

  /** Below the chances, or in their place, what has the match analysed. */
  function addOffered() {
    const box = panels.get("chances");
    if (offered && node.contains(box)) box.append(offered);
    else if (offered) panel("chances", say("viewer.chances"), offered);
  }

  function addTimes(told) {
    const series = seats.map((seat) => ({
      ...lineOf(seat),
      points: pointsOf(seat.number, told, (move) => move.seconds ?? null),
    }));
    if (!series.some(({ points }) => points.length)) return;
    const limit = content.header.clock?.turn;
    const limits = limit ? [{ value: limit, label: say("viewer.limit", { time: duration(limit) }) }] : [];
    add("time", say("viewer.think"), { series, limits, log: true, format: duration });
  }

  /** A chart for each name that a bot gave to a number. */
  function addValues(told) {
    for (const name of content.values ?? []) {
      const value = (move) => move.annotations?.findLast(([kind, what]) => kind === "value" && what === name)?.[2] ?? null;
      const series = seats.map((seat) => ({ ...lineOf(seat), points: pointsOf(seat.number, told, value) }));
      const shown = series.filter(({ points }) => points.length);
      if (shown.length) add(`value-${name}`, visible(name), { series: shown, format: number });
    }
  }

  /** What a number of a seat's moves was, by position. */
  function pointsOf(seat, told, read) {
    return content.turns.flatMap((moves, turn) => {
      const move = moves.find((one) => one.seat === seat);
      const value = move && told(turn + 1, seat) ? read(move) : null;
      return value === null ? [] : [[turn + 1, value]];
    });
  }

  function update(turn) {
    position = turn;
    for (const { name, chart } of charts) if (panels.get(name).open) chart.update(turn);
  }

  function follow(seat) {
    followed = seat;
    for (const { chart } of charts) chart.follow(seat);
  }

  node.addEventListener("toggle", () => update(position), true); // what was closed has not followed the match
  return {
    node,
    /** From the next `show` on, stand beside the chances: an element that has the match analysed. */
    offer: (one) => (offered = one),
    panels,
    show,
    update,
    follow,
    drawn: () => Object.fromEntries(charts.map(({ name, chart }) => [name, chart.drawn()])),
  };
}

const lineOf = ({ number: seat, label, colour }) => ({ seat, label, colour });

/** A number in words, of at most five digits. */
function number(value) {
  return String(Number(value.toPrecision(5)));
}

/** A line that goes to a turn when it is pressed. */
export function jump(signs, words, place, onPress) {
  const button = element(
    "button",
    { type: "button", class: "jump", click: onPress },
    ...signs,
    element("span", { class: "jump-words" }, ...words),
    element("span", { class: "quiet number" }, place),
  );
  return element("li", {}, button);
}
