// Play on from the turn on the board: a sheet to choose who sits where. A server plays it, see dohyo/web/served/playing.py.
import { element, iconButton, setText } from "dohyo/elements.js";
import { visible } from "dohyo/words.js";

/**
 * @param {object} options
 * @param {ReturnType<import("dohyo/match.js").createMatch>} options.match
 * @param {() => number} options.now the position on the board
 * @param {Function} options.say
 */
export function createOnward({ match, now, say }) {
  const { content, seats } = match;
  const { bots, person } = content.served;
  const option = (value, text, selected) => element("option", { value, selected }, visible(text));
  const choices = seats.map((seat) => {
    const own = bots.includes(seat.name) ? seat.name : bots[0];
    const select = element("select", {}, option(person, say("viewer.from-me"), false), ...bots.map((bot) => option(bot, bot, bot === own)));
    const label = say("viewer.from-seat", { seat: seat.number, name: seat.label });
    return { select, row: element("label", { class: "from-seat" }, element("span", {}, label), select) };
  });
  const why = element("p", { class: "bad", role: "alert" });
  const where = element("p", {});
  const begin = element("button", { type: "button", class: "small", click: () => start() }, say("viewer.from-begin"));
  const node = element(
    "dialog",
    { class: "sheet from", "aria-label": say("viewer.from") },
    iconButton("close", say("viewer.close"), () => node.close(), { class: "close" }),
    element("h2", {}, say("viewer.from")),
    where,
    element("p", { class: "quiet" }, say("viewer.from-about")),
    ...choices.map(({ row }) => row),
    why,
    element("div", { class: "row" }, begin),
  );
  node.addEventListener("click", (event) => {
    if (event.target === node) node.close();
  });

  async function start() {
    const turn = match.first + match.playedUntil(now());
    const body = JSON.stringify({ turn, seats: choices.map(({ select }) => select.value) });
    const headers = { "Content-Type": "application/json" };
    begin.disabled = true;
    try {
      const answer = await fetch(content.served.from ?? `${location.pathname}/from`, { method: "POST", headers, body });
      const told = await answer.json();
      if (answer.ok) location.assign(told.page);
      else setText(why, visible(told.none));
    } catch {
      setText(why, say("viewer.not-opened"));
    }
    begin.disabled = false;
  }

  function show() {
    const position = match.playedUntil(now());
    setText(where, match.tell(position));
    setText(why, "");
    // Whoever is followed, else who did not win, is replaced by the reader.
    const { winner } = content.result;
    const loser = seats.find(({ number }) => number !== winner)?.number ?? 0;
    const mine = match.followed ?? loser;
    if (!choices.some(({ select }) => select.value === person)) choices[mine].select.value = person;
    node.showModal();
  }

  return { node, button: iconButton("onward", say("viewer.from"), show, { class: "from-button" }) };
}
