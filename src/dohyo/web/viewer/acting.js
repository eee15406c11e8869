// The panel by which a person chooses an action: cells of the board that are pointed at, a list in words, a line to type.
// It knows no game. What can be chosen comes as a list of {text, words, cells} (see dohyo/match/choices.py): the line as
// a bot would answer it, what it does in the reader's words, and the cells, [column, row], by which it is pointed at.
import { element, setText } from "dohyo/elements.js";
import { visible } from "dohyo/words.js";

const MAX_SHOWN = 60; // of the list; a filter finds the others
const MAX_SINGLE = 24; // choices that are listed one by one; more are offered by their beginning, if they share some
const WORD = /[^\s,\u3001]+[\s,\u3001]*/g;

const same = ([column, row], [otherColumn, otherRow]) => column === otherColumn && row === otherRow;
const begins = (cells, picked) => picked.every((cell, at) => at < cells.length && same(cell, cells[at]));
const holds = (cells, picked) => picked.every((cell) => cells.some((other) => same(cell, other)));

/**
 * Which of the choices are meant by cells that were pointed at, one after the other: those whose own cells begin so;
 * where there are none, those that have all of them.
 * @param {{cells: number[][]}[]} choices
 * @param {number[][]} picked
 */
export function meant(choices, picked) {
  if (!picked.length) return choices;
  const first = choices.filter(({ cells }) => begins(cells, picked));
  return first.length ? first : choices.filter(({ cells }) => holds(cells, picked));
}

/** The only choice in a column, where each is pointed at by one cell: a piece that falls is pointed at anywhere. */
function inColumn(choices, [column]) {
  if (!choices.every(({ cells }) => cells.length <= 1)) return null;
  const found = choices.filter(({ cells }) => cells.length && cells[0][0] === column);
  return found.length === 1 ? found[0] : null;
}

/**
 * Choices that begin alike, on the board and in words: what is left to choose in each is the last cell.
 * @param {{words: string, cells: number[][]}[]} choices
 * @param {number[][]} picked
 * @returns {{label: string, cells: number[][], choices: object[]}[] | null} null where few, or not all, begin so
 */
export function grouped(choices, picked) {
  if (choices.length <= MAX_SINGLE) return null;
  const byStart = new Map();
  for (const choice of choices) {
    const cells = choice.cells.slice(0, -1);
    if (cells.length <= picked.length) return null;
    const key = cells.join(" ");
    if (!byStart.has(key)) byStart.set(key, { cells, choices: [] });
    byStart.get(key).choices.push(choice);
  }
  const groups = [...byStart.values()].map((group) => ({ ...group, label: beginning(group.choices) }));
  return groups.length > 1 && groups.length < choices.length && groups.every(({ label }) => label) ? groups : null;
}

/** The words with which all of these choices begin. */
function beginning(choices) {
  const [first, ...others] = choices.map(({ words }) => words.match(WORD) ?? []);
  let end = 0;
  while (end < first.length && others.every((words) => words[end] === first[end])) end += 1;
  return first.slice(0, end).join("");
}

/** Whether something stands in the text or the words of a choice. */
function fits({ text, words }, part) {
  return text.toLowerCase().includes(part) || words.toLowerCase().includes(part);
}

/**
 * @param {object} options
 * @param {Function} options.say
 * @param {(text: string) => void} options.onAct with the line of what was chosen, or what was typed
 * @param {(marks: {open: number[][], picked: number[][]}) => void} [options.onMarks] which cells can be pointed at now
 */
export function createActing({ say, onAct, onMarks = () => {} }) {
  let choices = [];
  let picked = [];
  let busy = true;

  const note = element("p", { class: "act-note", role: "status" });
  const typed = element("input", {
    type: "text",
    class: "act-line",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: 200,
    "aria-label": say("viewer.act-line"),
    placeholder: say("viewer.act-line"),
    input: () => drawList(),
    keydown: onLineKey,
  });
  const go = element("button", { type: "button", class: "act-go", click: () => enter() }, say("viewer.act-go"));
  const path = element("p", { class: "act-path", hidden: true });
  const list = element("ul", { class: "act-list", keydown: onListKey, "aria-label": say("viewer.act-list") });
  const more = element("p", { class: "quiet act-more", hidden: true });
  const row = element("div", { class: "row act-row" }, typed, go);
  const node = element("section", { class: "acting", "aria-label": say("viewer.act") }, note, row, path, list, more);

  /** The choices that are left by what is picked and typed; `loose`: also those that have all words of it, in any order. */
  const filtered = (loose) => {
    const wanted = typed.value.trim().toLowerCase();
    const found = meant(choices, picked);
    if (!wanted) return found;
    const having = (parts) => found.filter((choice) => parts.every((part) => fits(choice, part)));
    const whole = having([wanted]);
    return whole.length || !loose ? whole : having(wanted.split(/[\s,]+/));
  };

  function drawList() {
    const found = busy ? [] : filtered(true);
    const groups = typed.value.trim() ? null : grouped(found, picked);
    list.replaceChildren(...(groups ? groups.map(groupItem) : found.slice(0, MAX_SHOWN).map(item)));
    more.hidden = Boolean(groups) || found.length <= MAX_SHOWN;
    setText(more, say("viewer.act-more", { count: found.length - MAX_SHOWN }));
  }

  function item(choice) {
    const own = choice.words === choice.text ? [] : [element("code", {}, visible(choice.text))];
    const act = () => choose(choice.text);
    return element("li", {}, element("button", { type: "button", click: act }, element("span", {}, visible(choice.words)), ...own));
  }

  /** One press for what begins alike: then the list and the board offer how it goes on. */
  function groupItem({ label, cells, choices: own }) {
    if (own.length === 1) return item(own[0]);
    const open = () => {
      picked = cells;
      redraw();
      list.querySelector("button")?.focus();
    };
    const words = element("span", {}, `${visible(label)}\u2026`);
    return element("li", {}, element("button", { type: "button", class: "act-group", click: open }, words, element("code", {}, String(own.length))));
  }

  function drawMarks() {
    const found = busy ? [] : meant(choices, picked);
    const next = found.flatMap(({ cells }) => (begins(cells, picked) ? cells.slice(picked.length, picked.length + 1) : []));
    onMarks({ open: next.filter((cell, at) => next.findIndex((other) => same(cell, other)) === at), picked: busy ? [] : picked });
    path.hidden = busy || !picked.length;
    const shown = picked.map(([column, at]) => say("viewer.act-cell", { row: at, column })).join(" \u203a ");
    const clear = element("button", { type: "button", class: "small", click: () => forget(true) }, say("viewer.act-clear"));
    path.replaceChildren(element("span", {}, shown), clear);
  }

  function redraw() {
    drawList();
    drawMarks();
  }

  function choose(text) {
    if (!busy) onAct(text);
  }

  function forget(stays = false) {
    picked = [];
    redraw();
    if (stays) typed.focus();
  }

  /** What stands in the line: an action, by its text or its words, or the only one that is left; else what was typed. */
  function enter() {
    const wanted = typed.value.trim();
    const found = filtered(false);
    const exact = meant(choices, picked).find(({ text, words }) => text === wanted || words === wanted);
    if (exact) choose(exact.text);
    else if (found.length === 1 && (wanted || picked.length)) choose(found[0].text);
    else if (wanted && found.length) setText(note, say("viewer.act-many", { count: found.length }));
    else if (wanted) choose(wanted);
  }

  function onLineKey(event) {
    if (event.key === "Enter") enter();
    else if (event.key === "ArrowDown") list.querySelector("button")?.focus();
    else if (event.key === "Escape" && (typed.value || picked.length)) {
      typed.value = "";
      forget();
    } else return;
    event.preventDefault();
  }

  function onListKey(event) {
    const buttons = [...list.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined && event.key !== "Escape") return;
    event.preventDefault();
    if (to === undefined || to < 0) typed.focus();
    else buttons[Math.min(to, buttons.length - 1)]?.focus();
  }

  return {
    node,
    /** Offer these choices. While `busy`, nothing can be chosen; `told` is said above the list. */
    show(offered, { busy: isBusy = false, note: told = "" } = {}) {
      const hadFocus = list.contains(document.activeElement);
      if (offered !== choices) {
        picked = [];
        if (!isBusy) typed.value = "";
      }
      choices = offered;
      busy = isBusy;
      typed.readOnly = go.disabled = busy;
      setText(note, told);
      redraw();
      if (hadFocus) typed.focus();
    },
    /** Say something, such as why a line was not taken; what was typed stays. */
    say(told) {
      setText(note, told);
    },
    /** A cell of the board was pointed at. What it leads to is done at once where nothing else can be meant. */
    pick(cell) {
      if (busy) return;
      const wanted = [[...picked, cell], [cell]].find((cells) => meant(choices, cells).length);
      if (!wanted) {
        const only = inColumn(choices, cell);
        if (only) choose(only.text);
        else if (picked.length) forget();
        return;
      }
      picked = wanted;
      const found = meant(choices, picked);
      redraw();
      if (found.length === 1 && found[0].cells.length <= picked.length) choose(found[0].text);
    },
    focus: () => typed.focus({ preventScroll: true }),
  };
}
