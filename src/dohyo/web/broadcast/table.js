// The standings: lines that move to where they belong, with an arrow for some time.
import { element, setText } from "dohyo/elements.js";
import { short } from "dohyo/words.js";

const MOVES = 700; // milliseconds
const ARROW = 12000; // milliseconds for which an arrow stays

/** @param {HTMLElement} host */
export function createTable(host, count, say) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const rows = new Map(); // by entrant: {node, place, arrow, ...}
  let playing = new Set();

  function made(entrant) {
    const place = element("b", { class: "place" });
    const name = element("span", { class: "name" });
    const arrow = element("span", { class: "arrow" });
    const figure = element("span", { class: "figure" });
    const node = element("div", { class: "row" }, place, name, arrow, figure);
    const row = { node, place, name, arrow, figure, at: null, timer: 0 };
    rows.set(entrant, row);
    return row;
  }

  function point(row, by) {
    clearTimeout(row.timer);
    setText(row.arrow, by > 0 ? `\u25b2${by}` : `\u25bc${-by}`);
    row.arrow.className = by > 0 ? "arrow up" : "arrow down";
    row.arrow.setAttribute("aria-label", say(by > 0 ? "broadcast.rose" : "broadcast.fell", { count: Math.abs(by) }));
    row.timer = setTimeout(() => {
      setText(row.arrow, "");
      row.arrow.removeAttribute("aria-label");
    }, ARROW);
  }

  function mark() {
    for (const [entrant, { node }] of rows) node.classList.toggle("plays", playing.has(entrant));
  }

  return {
    get count() {
      return rows.size;
    },
    show({ rows: lines, played, total }) {
      const before = new Map([...rows.values()].map(({ node }) => [node, node.offsetTop]));
      const here = new Set(lines.map(({ entrant }) => entrant));
      for (const [entrant, row] of rows)
        if (!here.has(entrant)) {
          clearTimeout(row.timer);
          row.node.remove();
          rows.delete(entrant);
        }
      for (const [at, line] of lines.entries()) {
        const row = rows.get(line.entrant) ?? made(line.entrant);
        setText(row.place, line.place === null ? "\u2013" : String(line.place));
        setText(row.name, short(line.name, 40));
        setText(row.figure, line.figure);
        if (row.at !== null && line.place !== null && row.at !== line.place) point(row, row.at - line.place);
        row.at = line.place;
        if (host.children[at] !== row.node) host.insertBefore(row.node, host.children[at] ?? null);
      }
      if (!calm.matches)
        for (const { node } of rows.values()) {
          const by = (before.get(node) ?? node.offsetTop) - node.offsetTop;
          if (by) node.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: MOVES, easing: "ease-in-out" });
        }
      mark();
      setText(count, total === null ? say("broadcast.played-open", { played }) : say("broadcast.played", { played, total }));
    },
    /** Who plays on the board now. */
    play(entrants) {
      playing = new Set(entrants);
      mark();
    },
  };
}
