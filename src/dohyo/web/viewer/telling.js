// What is said of a position in words: below the board, aloud, and in pictures.
import { element, setText } from "dohyo/elements.js";

/**
 * @param {object} options
 * @param {ReturnType<import("dohyo/match.js").createMatch>} options.match
 * @param {object} options.scene the game's, see start.js
 * @param {HTMLElement} options.host what the board is in
 * @param {Function} options.say
 */
export function createTelling({ match, scene, host, say }) {
  const count = element("span", { class: "count" });
  const caption = element("span", { class: "caption" });
  const spoken = element("div", { class: "unseen", "aria-live": "polite" });
  const happens = (position) => scene.describe(match.onBoard.frames[position]);

  function countOf(position, isVaried) {
    if (isVaried) return match.tell(position);
    if (!position) return say("viewer.start");
    return say("viewer.turn-of", { turn: match.numberOf(position), last: match.numberOf(match.last) });
  }

  return {
    node: element("div", { class: "telling" }, count, caption),
    spoken,
    /** Say below the board where we are and what happens; `isVaried` where it was not played. */
    show(position, isVaried) {
      const words = happens(position);
      setText(count, countOf(position, isVaried));
      setText(caption, words);
      host.setAttribute("aria-label", `${match.tellNow(position)}${say("viewer.colon")}${words}`);
    },
    /** Say something to who hears the page. */
    say: (words) => setText(spoken, words),
    /** Say where we are to who hears the page; `more` behind it. */
    sayPlace: (position, more) => setText(spoken, `${match.tellNow(position)}${say("viewer.colon")}${happens(position)}${more}`),
    /** What a picture says of a position: where it is, and what happens. */
    words: (position) => [[match.tell(position), ...match.variation.words(position)], happens(position)],
  };
}
