// The charts beside the board: chances to win (where the match was analysed), score (where the game has one), think
// time with the limit, and the values that bots wrote. Each is a panel that can be closed.
import { createChart } from "dohyo/chart.js";
import { createCommand } from "dohyo/command.js";
import { course, roundOf } from "dohyo/course.js";
import { element } from "dohyo/elements.js";
import { createFacts, createPoints, sentence } from "dohyo/points.js";
import { ofMatch } from "dohyo/variation.js";
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
 * @param {(point: object) => void} options.onLine called to play the better line of a turning point, see points.js
 * @param {(text: string) => void} options.onCopy called with a command to copy
 */
export function createCharts({ content, view, seats, first, say, tell, onSeek, onToggle, onLine, onCopy }) {
  const node = element("div", { class: "charts" });
  const panels = new Map(); // by name; a panel stays open or closed when the eyes change
  const last = content.turns.length;
  let charts = [];
  let turningPoints = null;
  let position = 0;
  let followed = null;
  let offered = null;

  function panel(name, title, ...children) {
    const known = panels.get(name);
    const box = element("details", { class: "chart-panel", open: known?.open ?? true });
    const words = element("span", { class: "panel-words" }, ...[title].flat());
    box.append(element("summary", {}, words, ofMatch(say)), ...children);
    box.addEventListener("toggle", onToggle);
    panels.set(name, box);
    node.append(box);
  }

  /** A chart; `aside` is said behind its title. */
  function add(name, title, options, aside = null, ...below) {
    const whole = aside === null ? title : `${title} \u00b7 ${aside}`;
    const chart = createChart({ title: whole, last, tell, onSeek, ...options });
    charts.push({ name, chart });
    panel(name, aside === null ? title : [title, element("span", { class: "quiet" }, ` \u00b7 ${aside}`)], chart.node, ...below);
  }

  /** All of it anew, for one pair of eyes: `seat` (null for everybody), who sees these frames. */
  function show(frames, seat) {
    node.replaceChildren();
    charts = [];
    turningPoints = null;
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
    turningPoints = createPoints({ analysis, seats, first, say, onSeek, onLine });
    const dots = turningPoints.points.map((point) => ({
      at: point.at,
      seat: point.seat,
      value: series[point.seat].drawn.find(([at]) => at === point.at)?.[1] ?? 0.5,
      label: sentence(point.text),
    }));
    const note = analysis.note ? [element("p", { class: "quiet chart-note" }, visible(analysis.note))] : [];
    const format = (chance) => `${Math.round(100 * chance)}\u00a0%`;
    const basis = analysis.basis ? visible(analysis.basis) : null;
    const below = [...note, ...turningPoints.nodes, ...createFacts({ analysis, seats, first, say, onSeek })];
    add("chances", say("viewer.chances"), { series, dots, range: [0, 1], format }, basis, ...below);
  }

  /** How to get an analysis: it takes the rules, which are in Python and not in the page. */
  function addCommand(command) {
    panel("chances", say("viewer.chances"), createCommand({ about: say("viewer.not-analysed"), command, say, onCopy }));
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
    add("time", say("viewer.think"), { series, limits, log: true, format: duration }, say("viewer.log-scale"));
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
    /** The turning point of a seat in a turn that has a better line, for these eyes; undefined for none. */
    lineOf: (turn, seat) => turningPoints?.find(turn, seat),
    /** Say which line is played, {turn, seat}, or null; the button that plays it. */
    mark: (point) => turningPoints?.mark(point) ?? null,
    drawn: () => Object.fromEntries(charts.map(({ name, chart }) => [name, chart.drawn()])),
  };
}

const lineOf = ({ number: seat, label, colour }) => ({ seat, label, colour });

/** A number in words, of at most five digits. */
function number(value) {
  return String(Number(value.toPrecision(5)));
}
