// What the bots did in a turn: moves, times, faults, what they wrote besides, and what they had been sent.
import { element } from "dohyo/elements.js";
import { faultName } from "dohyo/faults.js";
import { badge } from "dohyo/seats.js";
import { duration, visible } from "dohyo/words.js";

const MAX_LINES = 400; // of a text, before a button has to be pressed for the rest
const LONG = 200; // characters of a line of input that is broken

const MAX_ROOM = 2; // moves for which there is room at least where a variation can be played

/**
 * @param {object} options
 * @param {string} options.game
 * @param {import("dohyo/seats.js").Seat[]} options.seats
 * @param {() => object[][]} options.turns the moves by turn: the replay's, perhaps with a variation's behind them
 * @param {number} options.first the number of the first turn
 * @param {object[]} options.last what came from seats after their last turn
 * @param {number | null} options.only the seat for whose author the page was made; null for everybody
 * @param {() => boolean} options.varying whether that is so
 * @param {(position: number) => Node[]} options.sign what stands behind the title of the turn before a position
 * @param {(turn: number, seat: number) => string | null} options.hiddenFrom whom a seat's part in a turn is kept from
 * @param {() => Map<number, string[]>[]} options.inputs what was sent, by turn and seat
 * @param {((seat: number) => string) | null} options.elsewhere what to type to see inputs that the page has not
 * @param {Function} options.say
 * @param {() => void} options.onToggle called when inputs are shown or hidden
 */
export function createPanel({ game, seats, turns, varying, sign, first, last, only, hiddenFrom, inputs, elsewhere, say, onToggle }) {
  const title = element("h2", { class: "panel-title" });
  const moves = element("div", { class: "moves" });
  const node = element("section", { class: "panel", "aria-label": say("viewer.moves") }, title, moves);
  let open = false; // whether inputs are shown: stays as it is from turn to turn

  /** Show what happened before a position, or the latest move of the seat that is followed; the turn and its moves. */
  function show(position, followed) {
    const turn = followed === null ? position - 1 : latest(position - 1, followed);
    const own = (turns()[turn] ?? []).filter((move) => followed === null || move.seat === followed);
    title.replaceChildren(...heading(turn, position));
    const focus = spotOf(moves, document.activeElement);
    moves.replaceChildren(...own.map((move) => entry(move, turn)));
    if (position === turns().length && !varying()) {
      const rest = last.filter((move) => followed === null || move.seat === followed);
      if (rest.length)
        moves.append(element("h3", {}, say("viewer.after-last")), ...rest.map((move) => entry(move, null)));
      if (rest.some((move) => move.stderr && !move.faults?.length))
        moves.append(element("p", { class: "quiet" }, say("viewer.input-over")));
    }
    if (!moves.childElementCount)
      moves.append(element("p", { class: "quiet" }, say(position ? "viewer.no-moves" : "viewer.not-begun")));
    if (focus) focusAgain(moves, focus);
    return [turn, own];
  }

  /** The last turn up to this one in which the seat had a move; -1 for none. */
  function latest(turn, seat) {
    let at = turn;
    while (at >= 0 && !turns()[at].some((move) => move.seat === seat)) at--;
    return at;
  }

  function heading(turn, position) {
    if (turn < 0) return [element("span", {}, say("viewer.start")), ...sign(0)];
    const words = [say("viewer.turn", { turn: first + turn })];
    if (turn !== position - 1)
      words.push(element("span", { class: "quiet" }, ` ${say("viewer.now", { turn: first + position - 1 })}`));
    return [element("span", {}, ...words), ...sign(turn + 1)];
  }

  function entry(move, turn) {
    const seat = seats[move.seat];
    const head = element(
      "div",
      { class: "move-head" },
      element("div", { class: "bot" }, badge(seat, 1.6), element("bdi", { class: "name" }, seat.name)),
    );
    const unaware = hiddenFrom(turn ?? turns().length - 1, move.seat);
    if (unaware !== null) {
      const words = element("p", { class: "quiet" }, say("viewer.hidden", { name: unaware }));
      return article(seat, head, words);
    }
    if (move.action) head.append(action(move));
    if (move.seconds !== undefined)
      head.append(element("span", { class: "time", title: say("viewer.think") }, duration(move.seconds)));
    const node = article(seat, head);
    for (const fault of move.faults ?? []) node.append(verdict(fault));
    if (move.reply !== undefined) node.append(written("viewer.reply", move.reply));
    if (move.comments || move.comments_dropped)
      node.append(written("viewer.comments", move.comments ?? "", move.comments_dropped));
    if (move.stderr || move.stderr_dropped)
      node.append(written("viewer.stderr", move.stderr ?? "", move.stderr_dropped));
    if (move.varied && open) node.append(element("p", { class: "quiet" }, say("viewer.not-asked")));
    if (turn !== null && !move.varied && (only === null || only === move.seat)) node.append(sent(move.seat, turn));
    return node;
  }

  function article(seat, ...children) {
    return element("article", { class: "move", "aria-label": seat.label, "data-seat": seat.number }, ...children);
  }

  function action(move) {
    const key = `${game}.action.${move.action}`;
    const word = say.knows(key) ? [element("span", { class: "quiet" }, say(key))] : [];
    return element("span", { class: "deed" }, element("code", { class: "action" }, visible(move.action)), ...word);
  }

  function verdict(fault) {
    const words = [element("strong", {}, faultName(fault, say))];
    if (fault.detail) words.push(say("viewer.colon"), element("bdi", {}, visible(fault.detail)));
    if (fault.note) words.push(" (", say("viewer.fault-note"), ")");
    const node = element("p", { class: fault.note ? "quiet" : "fault" }, ...words);
    if (fault.measured) node.append(element("span", { class: "quiet measured" }, visible(fault.measured)));
    return node;
  }

  /** What a bot wrote. */
  function written(key, text, dropped = 0) {
    const label = element("div", { class: "label" }, say(key));
    if (dropped) label.append(element("span", { class: "quiet" }, ` ${say("viewer.dropped", { bytes: dropped })}`));
    return element("div", { class: "written" }, label, ...lines(visible(text), say(key)));
  }

  function lines(text, name) {
    const all = text.split("\n");
    const box = element("pre", { tabindex: 0, role: "region", "aria-label": name }, all.slice(0, MAX_LINES).join("\n"));
    if (all.length <= MAX_LINES) return [box];
    const more = element(
      "button",
      {
        type: "button",
        class: "small",
        click: () => {
          box.textContent = text;
          more.remove();
        },
      },
      say("viewer.all-lines", { lines: all.length }),
    );
    return [box, more];
  }

  /** What the seat had been sent, behind a line to press. */
  function sent(seat, turn) {
    const summary = element("summary", {}, say("viewer.input"));
    const details = element("details", { class: "sent" }, summary);
    details.open = open;
    const fill = () => {
      if (details.open && details.childElementCount === 1) details.append(...input(seat, turn));
    };
    details.addEventListener("toggle", () => {
      const changed = open !== details.open;
      open = details.open;
      fill();
      if (changed) onToggle();
    });
    fill();
    return details;
  }

  function input(seat, turn) {
    if (elsewhere) return [element("p", { class: "quiet" }, say("viewer.input-elsewhere", { command: elsewhere(seat) }))];
    const text = inputs()[turn]?.get(seat);
    if (!text) return [element("p", { class: "quiet" }, say("viewer.no-input"))];
    const before = earlier(seat, turn) ?? text;
    const name = { role: "region", "aria-label": say("viewer.input") };
    const long = text.some((line) => line.length > LONG) ? " long" : "";
    const box = element("pre", { tabindex: 0, class: `input${long}`, ...name });
    text.forEach((line, at) => {
      if (at === text.length - 1 && line === "") return;
      const shown = `${visible(line)}\n`;
      box.append(line === before[at] ? shown : element("mark", {}, shown));
    });
    const copy = element(
      "button",
      { type: "button", class: "small", click: () => copyText(text.join("\n"), box) },
      say("viewer.copy"),
    );
    return [box, element("div", { class: "row" }, copy, element("span", { class: "quiet" }, say("viewer.changed")))];
  }

  function earlier(seat, turn) {
    for (let at = turn - 1; at >= 0; at--) if (inputs()[at].has(seat)) return inputs()[at].get(seat);
    return null;
  }

  function openInputs(wanted) {
    open = wanted;
    for (const details of moves.querySelectorAll("details")) details.open = open;
    onToggle();
  }

  /** Have room for the moves of each turn of an analysis's better lines, so that a variation fits. */
  function reserve(analysis) {
    const turns = [analysis ?? []].flat().flatMap(({ points = [] }) => points.flatMap(({ line }) => line?.turns ?? []));
    const most = Math.max(0, ...turns.map((moves) => moves.length));
    if (most) node.style.setProperty("--moves", Math.min(most, MAX_ROOM));
  }

  return {
    node,
    show,
    reserve,
    inputsOpen: () => open,
    openInputs,
    toggleInputs: () => openInputs(!open),
  };
}

/** What has the focus in the list of moves: of which seat, and which of its things of that kind; null for nothing. */
function spotOf(moves, node) {
  const article = moves.contains(node) ? node.closest("article") : null;
  if (!article) return null;
  return { seat: article.dataset.seat, tag: node.tagName, at: [...article.querySelectorAll(node.tagName)].indexOf(node) };
}

/** The same again after the list was made anew, or what comes nearest to it. */
function focusAgain(moves, { seat, tag, at }) {
  const article = [...moves.querySelectorAll("article")].find((one) => one.dataset.seat === seat) ?? moves;
  (article.querySelectorAll(tag)[at] ?? article.querySelector("summary"))?.focus({ preventScroll: true });
}

/** Copy a text; where the browser refuses, select it, so that a key can. */
function copyText(text, box) {
  const select = () => getSelection().selectAllChildren(box);
  if (navigator.clipboard) navigator.clipboard.writeText(text).catch(select);
  else select();
}
