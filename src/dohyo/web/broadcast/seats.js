// Who plays: names and signs, how each fares, chances where they are known.
import { element, setText } from "dohyo/elements.js";
import { badge, looks } from "dohyo/seats.js";
import { short } from "dohyo/words.js";

const MAX_TEXT = 40;

/** @param {HTMLElement} host */
export function createSeats(host, say) {
  let cards = [];
  const bar = element("div", { class: "chances", role: "img" });
  const row = element("div", { class: "cards" });
  host.append(row, bar);

  function standing({ place, elo }) {
    const figure = typeof elo === "number" ? String(Math.round(elo)) : elo;
    return [place === null ? null : `#${place}`, figure].filter(Boolean).join(" \u00b7 ");
  }

  return {
    begin(seats) {
      const seen = looks(seats);
      cards = seen.map((seat, number) => {
        const about = element("span", { class: "about" });
        const fares = element("span", { class: "fares" });
        const chance = element("b", { class: "chance" });
        setText(about, standing(seats[number]));
        const name = element("b", { class: "name" }, element("bdi", {}, short(seats[number].name, MAX_TEXT)));
        const node = element("div", { class: "card" }, badge(seat, 1.5), name, about, fares);
        const part = element("span", { class: "part" }, chance);
        part.style.setProperty("--seat", seat.colour);
        part.style.setProperty("--on-seat", seat.ink);
        return { node, about, fares, part, chance, seat: seats[number] };
      });
      row.replaceChildren(...cards.map(({ node }) => node));
      row.dataset.count = String(Math.min(cards.length, 5));
      row.classList.toggle("many", cards.length > 2);
      bar.replaceChildren(...cards.map(({ part }) => part));
      this.chances(null);
    },
    /** The standings have moved: those who play say the same as their lines there. */
    standings({ rows }) {
      const known = new Map(rows.map((row) => [row.entrant, row]));
      for (const { about, seat } of cards) {
        const row = known.get(seat.entrant);
        if (row) setText(about, standing({ place: row.place, elo: row.rated ? row.figure : seat.elo }));
      }
    },
    /** How each fares, by what draws the game. */
    status(told) {
      for (const [seat, { node, fares }] of cards.entries()) {
        setText(fares, short(String(told[seat]?.text ?? ""), MAX_TEXT));
        node.classList.toggle("out", Boolean(told[seat]?.out));
      }
    },
    /** Each seat's chance; null where nothing is known. */
    chances(chances) {
      bar.classList.toggle("known", Boolean(chances));
      if (chances) host.classList.add("odds"); // from now on there is room for them
      if (!chances) return;
      const percent = chances.map((chance) => Math.round(100 * chance));
      for (const [seat, { part, chance }] of cards.entries()) {
        part.style.flexGrow = String(Math.max(0.5, percent[seat] ?? 0));
        setText(chance, percent[seat] >= 8 ? `${percent[seat]}%` : "");
      }
      bar.setAttribute("aria-label", `${say("broadcast.chances")}: ${percent.map((one) => `${one} %`).join(", ")}`);
    },
    /** Who is placed first, once it is over. */
    end(places) {
      for (const [seat, { node }] of cards.entries()) node.classList.toggle("won", places[seat] === 1);
    },
  };
}
