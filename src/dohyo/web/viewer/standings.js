// How the match ended: a line beside the board, and the table of places.
import { element } from "dohyo/elements.js";
import { badge } from "dohyo/seats.js";
import { ofMatch } from "dohyo/variation.js";
import { duration } from "dohyo/words.js";

const MAX_NAMES = 6; // of those who share the first place, over the board

/** What is said beside the board once the match is over. */
export function createBanner({ seats, result, say }) {
  const winner = result.winner === null || result.winner === undefined ? null : seats[result.winner];
  const verdict = element("strong", {});
  if (winner) verdict.append(badge(winner, 1.5), element("bdi", {}, say("viewer.wins", { name: winner.label })));
  else verdict.append(result.unfinished ? say("viewer.unfinished") : shared(seats, result.places, say));
  return element("div", { class: "banner", hidden: true }, verdict, element("span", {}, say(result.reason)), ofMatch(say));
}

/** Who shares the first place, of more than there is room for with how many more; a draw only where all are level. */
function shared(seats, places, say) {
  const names = seats.filter((_, seat) => places[seat] === 1).map(({ label }) => label);
  if (names.length === seats.length && seats.length > 1) return say("viewer.draw");
  const told = names.slice(0, MAX_NAMES).map((name) => `\u2068${name}\u2069`).join(say("viewer.comma"));
  const more = names.length - MAX_NAMES;
  return say(more > 0 ? "viewer.first-and-more" : "viewer.first", { names: told, more });
}

/** The table of places with each bot's faults and think times. */
export function createStandings({ seats, standings, result, say }) {
  const scored = standings.some((line) => line.score !== null);
  const head = ["viewer.place", "viewer.bot", ...(scored ? ["viewer.score"] : []), "viewer.think"];
  const row = (line) => {
    const seat = seats[line.seat];
    const bad = (words) => element("div", { class: "bad" }, words);
    const faults = Object.entries(line.faults).map(
      ([kind, count]) => `${say(`fault.${kind}`)}${count > 1 ? ` \u00d7${count}` : ""}`,
    );
    return element(
      "tr",
      { class: line.seat === result.winner ? "winner" : null },
      element("td", { class: "place" }, line.place === null ? "\u2013" : String(line.place)),
      element(
        "th",
        { scope: "row" },
        element("div", { class: "bot" }, badge(seat, 1.6), element("bdi", { class: "name" }, seat.name)),
        element("div", { class: "quiet" }, line.fate),
        ...(faults.length ? [bad(faults.join(say("viewer.comma")))] : []),
        ...(line.stopped === null ? [] : [bad(say("viewer.stopped", { turn: line.stopped }))]),
        ...(line.ended === null
          ? []
          : [element("div", { class: "quiet" }, say("viewer.ended", { turn: line.ended }))]),
      ),
      ...(scored ? [element("td", { class: "number" }, line.score === null ? "\u2013" : String(line.score))] : []),
      element(
        "td",
        { class: "number" },
        duration(line.median),
        ...(line.worst === null
          ? []
          : [element("div", { class: "quiet" }, say("viewer.worst", { time: duration(line.worst) }))]),
      ),
    );
  };
  const table = element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...head.map((key) => element("th", { scope: "col" }, say(key))))),
    element("tbody", {}, ...standings.map(row)),
  );
  const reason = element("p", { class: "reason" }, say(result.reason));
  return element(
    "section",
    { class: "standings", hidden: true },
    element("h2", {}, element("span", {}, say("viewer.standings")), ofMatch(say)),
    reason,
    element("div", { class: "wide" }, table),
  );
}
