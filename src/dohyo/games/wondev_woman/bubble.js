// What the mover said behind its action, in a bubble below the board.
import { set, setText, svg } from "dohyo/elements.js";
import { short } from "dohyo/words.js";

const MOST = 44; // characters
const HIGH = 0.36;

export function createBubble(size) {
  const box = svg("rect", { height: HIGH, y: -HIGH / 2, rx: 0.12, class: "bubble" });
  const text = svg("text", { dy: ".36em", class: "saying" });
  const node = svg("g", { display: "none", transform: `translate(${size / 2} ${size + 0.27})` }, box, text);
  return {
    node,
    /** `moves` are the replay's of this turn; a seat that does not see the action does not hear the words either. */
    show(frame, moves, seats) {
      const said = moves.find((move) => move.seat === frame.mover && move.message);
      const heard = said && frame.action !== null;
      set(node, "display", heard ? "inline" : "none");
      if (!heard) return;
      setText(text, short(said.message, MOST));
      const wide = Math.min(size, text.getComputedTextLength() + 0.3);
      set(box, "x", -wide / 2);
      set(box, "width", wide);
      set(box, "stroke", seats[frame.mover].colour);
    },
    drawn: () => (node.getAttribute("display") === "none" ? null : text.textContent),
  };
}
