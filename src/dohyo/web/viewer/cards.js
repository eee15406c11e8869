// One card for each seat: its bot, and how it is doing. A click on a card follows that bot through the match.
import { element, setText } from "dohyo/elements.js";
import { badge } from "dohyo/seats.js";

/** What tells a bot from others of its name, if anything does. */
const language = ({ told }) => (told ? [element("span", { class: "language" }, ` ${told}`)] : []);

/**
 * @param {object} options
 * @param {import("dohyo/seats.js").Seat[]} options.seats
 * @param {Function} options.say
 * @param {(seat: number) => void} options.onFollow
 */
export function createCards({ seats, say, onFollow }) {
  const cards = seats.map((seat) => {
    const status = element("span", { class: "status" });
    const trouble = element("span", { class: "trouble" });
    const node = element(
      "button",
      {
        type: "button",
        class: "card",
        "aria-pressed": "false",
        title: say("viewer.follow", { name: seat.name }),
        click: () => onFollow(seat.number),
      },
      badge(seat, 2),
      element(
        "span",
        { class: "who" },
        element("span", { class: "name" }, element("bdi", {}, seat.name), ...language(seat)),
        status,
        trouble,
      ),
    );
    node.style.setProperty("--seat", seat.colour);
    return { node, status, trouble };
  });
  return {
    node: element(
      "div",
      { class: "cards", role: "group", "aria-label": say("viewer.bots") },
      ...cards.map(({ node }) => node),
    ),
    /**
     * @param {{text: string, out: boolean, trouble?: string, moved: boolean}[]} states one a seat
     * @param {number | null} followed
     */
    update(states, followed) {
      states.forEach(({ text, out, trouble = "", moved }, number) => {
        const { node, status, trouble: bad } = cards[number];
        setText(status, text);
        setText(bad, trouble);
        node.classList.toggle("out", out);
        node.classList.toggle("moved", moved);
        node.setAttribute("aria-pressed", String(number === followed));
      });
    },
  };
}
