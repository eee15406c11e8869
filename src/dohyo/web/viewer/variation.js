// The better line of a turning point, played on the board instead of the match. Its frames are made by the rules, in
// Python, as the match's are. It takes the place of the match's turns from one position on, so the keys and the buttons
// work in it as in the match; a bar says that it is a variation, and leads back. Whatever beside the board still shows
// the match is marked as that.
import { frames } from "dohyo/decode.js";
import { element, keepFocus, setText } from "dohyo/elements.js";
import { visible } from "dohyo/words.js";

/**
 * @param {object} options
 * @param {Function} options.say
 * @param {() => void} options.onLeave called when the button that leads back is pressed
 */
export function createVariation({ say, onLeave }) {
  const back = element("button", { type: "button", class: "small", click: onLeave }, say("viewer.back-to-match"), " ");
  back.append(element("kbd", { "aria-hidden": "true" }, "Esc"));
  const words = element("span", { class: "variation-words" }, say("viewer.of-variation"));
  const node = element("div", { class: "variation", role: "group", "aria-label": say("viewer.of-variation") }, words, back);
  const classes = document.documentElement.classList;
  let now = null;
  keepFocus(node);

  const isVaried = (position) => now !== null && position > now.base;

  return {
    node,
    /** What is shown: the match up to position `base`, then the variation up to `last`; null for the match alone. */
    get now() {
      return now;
    },
    isVaried,
    /** Show the better line of a turning point, {at, turn, seat, text, line}; `all` and `turns` are the match's in this view. */
    enter(point, all, turns) {
      const base = point.at - 1;
      const own = frames(point.line);
      now = {
        base,
        last: base + own.length,
        point: { turn: point.turn, seat: point.seat },
        frames: [...all.slice(0, base + 1), ...own],
        turns: [...turns.slice(0, base), ...point.line.turns.map((moves) => moves.map((move) => ({ ...move, varied: true })))],
        text: say("viewer.variation", { text: visible(point.text) }),
      };
      node.title = now.text;
      classes.add("with-variation");
    },
    leave() {
      now = null;
      classes.remove("with-variation", "varied");
    },
    /** Mark the board where what is on it was not played; whether it was not. */
    show(position) {
      classes.toggle("varied", isVaried(position));
      return isVaried(position);
    },
    /** Behind the title of what the bots did: whether that was played. */
    sign(position) {
      if (now === null) return [];
      return isVaried(position) ? [element("span", { class: "pill of-variation" }, say("viewer.of-variation"))] : [ofMatch(say)];
    },
    /** What a picture says of it. */
    words: (position) => (isVaried(position) ? [now.text] : []),
  };
}

/** A mark of what shows the match: to be seen while a variation is on the board. It takes its room all the time. */
export function ofMatch(say) {
  return element("span", { class: "pill of-match" }, say("viewer.of-match"));
}
