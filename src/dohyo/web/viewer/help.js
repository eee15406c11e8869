// The sheet over the page: the keys, what the signs mean, and the facts about the match.
import { element, iconButton } from "dohyo/elements.js";
import { seedWords } from "dohyo/saving.js";
import { badge } from "dohyo/seats.js";
import { visible } from "dohyo/words.js";

/**
 * @param {object} options
 * @param {import("dohyo/keyboard.js").Shortcut[]} options.table
 * @param {[string, string][]} options.legend the game's signs: what it looks like, key of the word for it
 * @param {object} options.content
 * @param {import("dohyo/seats.js").Seat[]} options.seats
 * @param {Function} options.say
 */
export function createHelp({ table, legend, content, seats, say }) {
  const keys = table.map(({ shown, word }) =>
    pair(
      shown.map((key) => element("kbd", {}, key)),
      say(word),
    ),
  );
  const signs = legend.map(([sign, key]) => pair([element("span", { class: "sign" }, sign)], say(key)));
  const node = element(
    "dialog",
    { class: "help sheet", "aria-label": say("viewer.help") },
    iconButton("close", say("viewer.close"), () => node.close(), { class: "close" }),
    element("h2", {}, say("viewer.keys")),
    element("dl", {}, ...keys.flat()),
    ...(signs.length ? [element("h2", {}, say("viewer.signs")), element("dl", {}, ...signs.flat())] : []),
    element("h2", {}, say("viewer.about")),
    element("dl", { class: "facts" }, ...facts(content, say).flat(), ...bots(seats).flat()),
  );
  node.addEventListener("click", (event) => {
    if (event.target === node) node.close(); // beside the sheet
  });
  return { node, show: () => node.showModal() };
}

function pair(term, description) {
  return [element("dt", {}, ...term), element("dd", {}, description)];
}

/** A clock, as it is written on the command line: its seconds, for a turn or for the match, and what is not usual. */
export function clockName(clock) {
  const isWholeMatch = !clock.turn && Boolean(clock.bank); // the default values are left out of a header
  const time = isWholeMatch ? matchTime(clock) : `${clock.turn}\u00a0s`;
  const keys = ["mode", "bank", "increment", "moves", "grace", "strikes", "wall", "ready"];
  const told = isWholeMatch ? ["bank", "increment", "moves"] : [];
  const more = keys.filter((key) => clock[key] !== undefined && !told.includes(key));
  const words = [clock.preset, ...more.map((key) => `${key}=${clock[key]}`)].filter(Boolean);
  return `${time}${words.length > 0 ? ` (${words.join(", ")})` : ""}`;
}

/** Time for a whole match, as at chess: 10+0.1, or 40/90+0 for every 40 moves. */
function matchTime({ bank, increment = 0, moves = 0 }) {
  return `${moves ? `${moves}/` : ""}${bank}+${increment}`;
}

/** Seed and clock, which an author wants to see without asking. */
export function about({ header }, say) {
  const words = seedWords(header, say);
  if (header.clock) words.push(visible(clockName(header.clock)));
  return element("p", { class: "about" }, words.join(" \u00b7 "));
}

/** What the replay's header tells, in words. */
function facts({ title, header }, say) {
  const { clock, setup, seed, software, rules, sandbox } = header;
  const chosen = Object.entries(setup).filter(([, value]) => value !== null);
  const list = [
    ["viewer.fact.game", `${title}, ${say("viewer.fact.rules", { version: rules })}`],
    ["viewer.fact.seed", seed],
    ["viewer.fact.clock", clock && clockName(clock)],
    [
      "viewer.fact.setup",
      chosen.map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`).join(" "),
    ],
    ["viewer.fact.sandbox", sandbox],
    ["viewer.fact.software", software],
  ];
  return list
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([key, value]) => pair([say(key)], visible(String(value))));
}

/** Each bot with its language and the beginning of its content's digest. */
function bots(seats) {
  return seats.map((seat) => {
    const about = [visible(seat.language), seat.digest && `sha256 ${visible(seat.digest).slice(0, 12)}`]
      .filter(Boolean)
      .join(", ");
    return [
      element("dt", {}, badge(seat, 1.5)),
      element("dd", {}, element("bdi", {}, seat.name), about && element("span", { class: "quiet" }, ` ${about}`)),
    ];
  });
}
