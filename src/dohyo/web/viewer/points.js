// The turning points of an analysis, below its chart: what to say of each, a press that leads to its turn, and a button
// that plays its better line.
import { element, icon, keepFocus } from "dohyo/elements.js";
import { jump } from "dohyo/jumps.js";
import { badge } from "dohyo/seats.js";
import { visible } from "dohyo/words.js";

/**
 * @param {object} options
 * @param {object} options.analysis see dohyo/web/content.py
 * @param {import("dohyo/seats.js").Seat[]} options.seats
 * @param {number} options.first the number of the first turn
 * @param {Function} options.say
 * @param {(position: number) => void} options.onSeek
 * @param {(point: object) => void} options.onLine called to play the better line of one: {at, turn, seat, text, line}
 */
export function createPoints({ analysis, seats, first, say, onSeek, onLine }) {
  const points = (analysis.points ?? []).map((point) => ({ ...point, at: point.turn - first + 1 }));
  const entries = points.map((point) => ({ point, ...entry(point) }));
  const list = element("ol", { class: "jumps points", "aria-label": say("viewer.turning-points") });
  list.append(...entries.map(({ item }) => item));
  keepFocus(list);

  function entry(point) {
    const { seat, text, action, basis, line, at, turn } = point;
    const more = [];
    if (action) more.push(element("span", { class: "quiet" }, say("viewer.better", { action: visible(action) })));
    if (basis) more.push(element("span", { class: "quiet basis" }, visible(basis)));
    const words = [element("span", {}, sentence(text)), ...more];
    const item = jump([badge(seats[seat], 1.5)], words, null, () => onSeek(at));
    if (!line) return { item, play: null };
    const label = say("viewer.play-line-of", { turn, name: seats[seat].label });
    const properties = { type: "button", class: "small play-line", "aria-label": label, click: () => onLine(point) };
    const play = element("button", properties, icon("play"), say("viewer.play-line"));
    item.append(play);
    return { item, play };
  }

  return {
    points,
    nodes: points.length
      ? [
          element("h3", {}, say("viewer.turning-points")),
          ...(analysis.points_note ? [element("p", { class: "quiet chart-note" }, visible(analysis.points_note))] : []),
          list,
        ]
      : [],
    /** The one of a seat in a turn that has a better line; undefined for none. */
    find: (turn, seat) => points.find((point) => point.line && point.turn === turn && point.seat === seat),
    /** Say which line is played, {turn, seat}; null for none. The button that plays it. */
    mark(now) {
      let button = null;
      for (const { point, item, play } of entries) {
        const isNow = now !== null && play !== null && point.turn === now.turn && point.seat === now.seat;
        if (isNow) item.setAttribute("aria-current", "true");
        else item.removeAttribute("aria-current");
        if (isNow) button = play;
      }
      return button;
    },
  };
}

/**
 * What the game itself counted: a line each, with a press that leads to its turn where it is about one.
 * @param {object} options as those of `createPoints`
 * @returns {HTMLElement[]}
 */
export function createFacts({ analysis, seats, first, say, onSeek }) {
  const facts = analysis.facts ?? [];
  if (!facts.length) return [];
  const title = say("viewer.facts");
  const lines = facts.map(({ turn, seat, text }) => {
    const words = [element("span", {}, visible(text))];
    if (turn !== null) return jump([badge(seats[seat], 1.5)], words, null, () => onSeek(turn - first + 1));
    return element("li", { class: "fact" }, badge(seats[seat], 1.5), ...words);
  });
  const list = element("ul", { class: "jumps points facts", "aria-label": title }, ...lines);
  keepFocus(list);
  return [element("h3", {}, title), list];
}

/** A sentence of the analysis; a number stays with its percent sign. */
export function sentence(text) {
  return visible(text).replace(/(\d) %/g, "$1\u00a0%");
}
