// What is said, the newest first: sentences of the reader's language, made of keys and values.
import { element } from "dohyo/elements.js";

const MAX_LINES = 24;
const MAX_SAID = 300; // characters

/** A message's sentence. */
export function sentence({ key, values }, say) {
  const filled = Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [
      name,
      value !== null && typeof value === "object" ? sentence(value, say) : `\u2068${value}\u2069`,
    ]),
  );
  return say(key, filled);
}

/** @param {HTMLElement} list */
export function createLines(list, say) {
  return {
    get count() {
      return list.childElementCount;
    },
    add({ said, kind, turn }) {
      const text = sentence(said, say).slice(0, MAX_SAID);
      const when = turn === null || turn === undefined ? "" : say("broadcast.turn", { turn });
      list.prepend(element("li", { class: `line ${kind}` }, element("small", {}, when), element("span", {}, text)));
      while (list.childElementCount > MAX_LINES) list.lastElementChild.remove();
    },
    clear: () => list.replaceChildren(),
    /** A match begins: what was said before is of another one. */
    part() {
      for (const line of list.children) line.classList.add("before");
    },
  };
}
