// From the match to a variation, and back: what is on the board changes, and all that is beside it stays in its place.
import { createSteady, stay } from "dohyo/steady.js";

/**
 * @param {object} options
 * @param {ReturnType<import("dohyo/match.js").createMatch>} options.match
 * @param {ReturnType<import("dohyo/player.js").createPlayer>} options.player
 * @param {ReturnType<import("dohyo/parts.js").createParts>} options.parts
 * @param {ReturnType<import("dohyo/drawing.js").createDrawing>} options.drawing
 * @param {HTMLElement} options.host what the board is in
 * @param {() => boolean} options.still whether nothing may move by itself
 */
export function createVarying({ match, player, parts, drawing, host, still }) {
  const { variation } = match;
  const { cards, charts, panel, telling, timeline } = parts;
  const steady = createSteady({ cards: cards.node, panel: panel.node });
  let cameFrom = null; // how far down the page was where a variation was asked for

  /** Show the better line of a turning point instead of the match, from the position before it. */
  function enter(point) {
    steady.hold();
    variation.enter(point, match.frames, match.content.turns);
    charts.mark(variation.now.point);
    timeline.vary([variation.now.base, variation.now.last]);
    drawing.forget();
    player.limit(variation.now.last, variation.now.base);
    player.seek(variation.now.base);
  }

  /** To the match, at the turn that was varied. */
  function leave() {
    if (!variation.now) return;
    const { base } = variation.now;
    charts.mark(null);
    variation.leave();
    timeline.vary(null);
    steady.release();
    cameFrom = null;
    drawing.forget();
    player.limit(match.last);
    player.seek(base + 1);
  }

  return {
    enter,
    leave,
    /** Enter it, and play it. */
    play(point) {
      cameFrom ??= scrollY;
      enter(point);
      host.scrollIntoView({ block: "nearest", behavior: still() ? "auto" : "smooth" }); // on a phone it is far above
      telling.say(variation.now.text);
      player.play();
    },
    /** Leave it by the key or the button: back to where it was asked for, on the page too. */
    back() {
      const [top, hadFocus] = [cameFrom, variation.node.contains(document.activeElement)];
      const button = charts.mark(variation.now.point);
      const panels = button?.closest("aside");
      const isScrolled = panels && getComputedStyle(panels).overflowY === "auto";
      if (top !== null && !isScrolled) scrollTo({ top });
      stay(button, isScrolled ? panels : document.scrollingElement, leave);
      if (hadFocus) button?.focus({ preventScroll: true });
    },
  };
}
