// The better line of a turning point, played on the board instead of the match. Its frames are made by the rules, in
// Python, as the match's are. It takes the place of the match's turns from one position on, so the keys and the buttons
// work in it as in the match; a bar says that it is a variation, and leads back.
import { frames } from "dohyo/decode.js";
import { element, setText } from "dohyo/elements.js";
import { visible } from "dohyo/words.js";

/**
 * @param {object} options
 * @param {Function} options.say
 * @param {() => void} options.onLeave called when the button that leads back is pressed
 */
export function createVariation({ say, onLeave }) {
  const words = element("span", { class: "variation-words" });
  const back = element("button", { type: "button", class: "small", click: onLeave }, say("viewer.back-to-match"), " ");
  back.append(element("kbd", {}, "Esc"));
  const node = element("div", { class: "variation", hidden: true }, words, back);
  let now = null;

  return {
    node,
    /** What is shown: the match up to position `base`, then the variation up to `last`; null for the match alone. */
    get now() {
      return now;
    },
    /** Show the better line of a turning point, {at, text, line}; `all` and `turns` are the match's in this view. */
    enter(point, all, turns) {
      const base = point.at - 1;
      const own = frames(point.line);
      now = {
        base,
        last: base + own.length,
        frames: [...all.slice(0, base + 1), ...own],
        turns: [...turns.slice(0, base), ...point.line.turns.map((moves) => moves.map((move) => ({ ...move, varied: true })))],
        text: say("viewer.variation", { text: visible(point.text) }),
      };
      setText(words, now.text);
    },
    leave() {
      now = null;
      node.hidden = true;
      document.documentElement.classList.remove("varied");
    },
    /** Say whether what is on the board now was played; whether it was not. */
    show(position) {
      const isVaried = now !== null && position > now.base;
      node.hidden = now === null;
      document.documentElement.classList.toggle("varied", isVaried);
      return isVaried;
    },
    /** What a picture says of it. */
    words: (position) => (now !== null && position > now.base ? [now.text] : []),
  };
}
