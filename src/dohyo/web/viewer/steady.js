// Nothing beside the board moves when a variation begins, plays or ends: what may change its size there, the cards and
// what the bots did, keeps the size that it has until it is let go.

/**
 * @param {object} options
 * @param {HTMLElement} options.cards its children are the cards
 * @param {HTMLElement} options.panel
 */
export function createSteady({ cards, panel }) {
  let held = [];

  function keep(node, isTight) {
    const { height } = node.getBoundingClientRect();
    held.push([node, height, isTight]);
  }

  return {
    hold() {
      if (held.length) return;
      for (const card of cards.children) keep(card, linesOf(card.querySelector(".status")) < 2);
      keep(panel, false);
      for (const [node, height, isTight] of held) {
        node.style.height = `${height}px`;
        node.classList.add("held");
        node.classList.toggle("tight", isTight);
      }
    },
    release() {
      for (const [node] of held) {
        node.style.height = "";
        node.classList.remove("held", "tight");
      }
      held = [];
    },
  };
}

/** Change something while `node` stays where it is on the screen, if `scroller`, which it is in, can be scrolled so far. */
export function stay(node, scroller, change) {
  const before = node?.getBoundingClientRect().top;
  change();
  if (node) scroller.scrollTop += node.getBoundingClientRect().top - before;
}

function linesOf(node) {
  const high = Number.parseFloat(getComputedStyle(node).lineHeight) || 16;
  return Math.round(node.getBoundingClientRect().height / high);
}
