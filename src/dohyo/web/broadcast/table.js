// The standings: lines that move to where they belong, with an arrow for some time.
import { element, setText } from "dohyo/elements.js";
import { short } from "dohyo/words.js";

const MOVES = 700; // milliseconds
const ARROW = 12000; // milliseconds for which an arrow stays

/** @param {HTMLElement} host */
export function createTable(host, count, say) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  host.setAttribute("role", "list");
  addEventListener("resize", () => all && place(false));
  const rows = new Map(); // by entrant: {node, place, arrow, ...}
  const narrow = matchMedia("(max-width: 900px)");
  let playing = new Set();
  let all = null; // what was told last

  function made(entrant) {
    const place = element("b", { class: "place" });
    const name = element("span", { class: "name" });
    const arrow = element("span", { class: "arrow" });
    const figure = element("span", { class: "figure" });
    const node = element("div", { class: "row", role: "listitem" }, place, name, arrow, figure);
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

  return {
    get count() {
      return rows.size;
    },
    show(told) {
      const isFirst = !all;
      all = told;
      place(!isFirst);
      if (isFirst) place(false); // now it is known how high a line is
      const { played, total } = told;
      setText(count, say(total === null ? "broadcast.played-open" : "broadcast.played", { played, total }));
    },
    /** Who plays on the board now. */
    play(entrants) {
      playing = new Set(entrants);
      if (all) place();
    },
  };

  /** The lines that there is room for: the first ones, and those of who plays now. */
  function seen() {
    const room = narrow.matches ? Infinity : Math.max(3, Math.floor(host.clientHeight / (rowHeight() || 1)));
    if (all.rows.length <= room) return all.rows;
    const rest = all.rows.slice(room).filter(({ entrant }) => playing.has(entrant));
    return [...all.rows.slice(0, Math.max(1, room - rest.length)), ...rest];
  }

  function rowHeight() {
    return host.firstElementChild?.offsetHeight ?? 0;
  }

  function place(moves = true) {
    const lines = seen();
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
      fill(row, line);
      if (host.children[at] !== row.node) host.insertBefore(row.node, host.children[at] ?? null);
      row.node.classList.toggle("plays", playing.has(line.entrant));
    }
    for (const { node } of moves && !calm.matches ? rows.values() : []) {
      const by = (before.get(node) ?? node.offsetTop) - node.offsetTop;
      const way = [{ transform: `translateY(${by}px)` }, { transform: "none" }];
      if (by) node.animate(way, { duration: MOVES, easing: "ease-in-out" });
    }
  }

  function fill(row, { place: at, name, figure }) {
    setText(row.place, at === null ? "\u2013" : String(at));
    setText(row.name, short(name, 40));
    setText(row.figure, figure);
    if (row.at !== null && at !== null && row.at !== at) point(row, row.at - at);
    row.at = at;
  }
}
