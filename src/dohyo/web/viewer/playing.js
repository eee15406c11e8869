// A match that a person plays: the board as the person's seat sees it, the panel to act by, what was played, the clock.
// The match itself is elsewhere, see dohyo/match/people/sitting.py: this asks for what is new, and sends what was chosen.
import { createActing } from "dohyo/acting.js";
import { adopt, element, setText } from "dohyo/elements.js";
import { createPicking } from "dohyo/picking.js";
import { badge, looks } from "dohyo/seats.js";
import { speaker, visible } from "dohyo/words.js";

const MAX_LOG = 200; // lines of what was played that stay in the page
const AGAIN = 1500; // milliseconds until a server is asked again that did not answer
const MOVE = 260; // milliseconds for a step to be seen

/**
 * Show a match, and let it be played.
 * @param {HTMLElement} root what was in it is replaced
 * @param {object} content see dohyo/web/playing.py
 * @param {(content: object, say: Function, seats: object[], onPick: Function) => object} makeBoard see `boardHere`
 */
export function play(root, content, makeBoard) {
  const say = speaker(content.words);
  const seats = looks(content.seats);
  const acting = createActing({ say, onAct: (text) => send({ act: text }), onMarks: (marks) => board.mark(marks) });
  const board = makeBoard({ content, say, seats, onPick: (cell) => acting.pick(cell) });
  const page = layOut(root, { content, say, seats, board, acting, send });
  const seen = { version: -1, epoch: 0, count: 0, eyes: null };
  let ask = null;
  let offered = [];
  let ends = null; // when the person's time is over
  let ticking = 0; // what moves the clock on
  let isOver = false;

  async function post(body) {
    const headers = { "Content-Type": "application/json", ...content.headers };
    return fetch(content.address, { method: "POST", headers, body: JSON.stringify(body) });
  }

  /** Ask for what is new until the match is over. */
  async function follow() {
    while (!isOver) {
      try {
        const answer = await post({ told: seen });
        if (answer.status === 404) return lost("viewer.play-gone");
        if (!answer.ok) throw new Error(String(answer.status));
        await take(await answer.json());
        if (content.pause) await pause(content.pause);
      } catch {
        page.tell(say("viewer.play-no-answer"));
        await pause(AGAIN);
      }
    }
  }

  function lost(key) {
    isOver = true;
    acting.show([], { busy: true, note: say(key) });
    page.ended(null, say(key));
  }

  async function take(state) {
    if (state.version === seen.version) return;
    if (state.epoch !== seen.epoch || state.eyes !== seen.eyes) {
      board.forget();
      if (state.first === 0 || state.epoch !== seen.epoch) page.clearLog();
    }
    Object.assign(seen, { version: state.version, epoch: state.epoch, count: state.count, eyes: state.eyes });
    for (const step of state.steps) {
      const told = await board.step(step);
      if (step.turn !== undefined) page.log(step, told);
    }
    await board.settle(state.steps.length > 3 ? 0 : MOVE);
    if (state.ask?.now) board.now(state.ask.now);
    page.status(board.status(), state.ask ? [state.ask.seat] : []);
    if (state.over || state.closed) return over(state);
    question(state.ask);
  }

  function question(next) {
    const isNew = next && next.number !== ask?.number;
    ask = next;
    page.offer(ask);
    if (!ask) {
      ends = null;
      acting.show(offered, { busy: true, note: say("viewer.play-thinking") });
      return;
    }
    ends = ask.left === null ? null : performance.now() + 1000 * ask.left;
    if (!isNew) return;
    offered = ask.choices;
    const key = content.people.length > 1 ? "viewer.play-turn-of" : "viewer.play-turn";
    acting.show(offered, { note: say(key, { name: seats[ask.seat].label, turn: ask.turn }) });
    tick();
    if (!matchMedia("(pointer: coarse)").matches) acting.focus(); // on a phone a keyboard would cover the board
  }

  function over(state) {
    isOver = true;
    ends = null;
    const told = outcome(state, content, seats, say);
    acting.show([], { busy: true, note: told });
    page.ended(state, told);
  }

  /** Send what the person wants. What is refused says why, and changes nothing. */
  async function send(wish) {
    if (!ask) return;
    const [name] = Object.keys(wish);
    if (name === "hint") acting.say(say("viewer.play-hint-wait"));
    try {
      const answer = await post({ [name]: { number: ask.number, line: wish[name] || "" } });
      const told = await answer.json();
      if (told.said) acting.say(visible(told.said));
    } catch {
      acting.say(say("viewer.play-no-answer"));
    }
  }

  function tick() {
    page.clock(ends === null ? null : Math.max(0, Math.ceil((ends - performance.now()) / 1000)));
    clearTimeout(ticking); // of an earlier question
    if (ends !== null) ticking = setTimeout(tick, 250);
  }

  follow();
  return {
    seen,
    acting,
    board,
    get ask() {
      return ask;
    },
    get over() {
      return isOver;
    },
  };
}

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** How it ended, for the person who played. */
function outcome(state, content, seats, say) {
  const { over } = state;
  if (state.failed) return visible(state.failed);
  if (!over || over.unfinished) return say("viewer.unfinished");
  const places = content.people.map((seat) => over.places[seat]);
  const reason = visible(over.reason);
  if (content.people.length !== 1) {
    const winner = over.winner === null ? say("viewer.draw") : say("viewer.wins", { name: seats[over.winner].label });
    return `${winner} \u00b7 ${reason}`;
  }
  const isShared = over.places.filter((place) => place === places[0]).length > 1;
  const key = places[0] > 1 ? "viewer.play-lost" : isShared ? "viewer.play-drawn" : "viewer.play-won";
  return `${say(key, { place: places[0] })} \u00b7 ${reason}`;
}

/** Where the parts of the page lie. */
function layOut(root, { content, say, seats, board, acting, send }) {
  const cards = seats.map((seat) => {
    const told = element("span", { class: "quiet" });
    const you = content.people.includes(seat.number) ? element("b", {}, say("viewer.play-you")) : "";
    const node = element("li", {}, badge(seat, 1.3), element("bdi", {}, seat.label), you, told);
    return { node, told };
  });
  const log = element("ol", { class: "play-log", "aria-label": say("viewer.moves"), tabindex: 0 });
  const clock = element("p", { class: "play-clock", hidden: true });
  const tell = element("p", { class: "bad", role: "alert" });
  const button = (key, wish, properties = {}) =>
    element("button", { type: "button", click: () => send(wish), ...properties }, say(key));
  const hint = button("viewer.play-hint", { hint: "" });
  const back = button("viewer.play-back", { back: "" });
  const resign = element("button", { type: "button", click: () => sure.showModal() }, say("viewer.play-resign"));
  const sure = element(
    "dialog",
    { class: "sheet", "aria-label": say("viewer.play-resign") },
    element("p", {}, say("viewer.play-sure")),
    element(
      "div",
      { class: "row" },
      element("button", { type: "button", click: () => (sure.close(), send({ resign: "" })) }, say("viewer.play-resign")),
      element("button", { type: "button", click: () => sure.close() }, say("viewer.play-on")),
    ),
  );
  const end = element("div", { class: "play-end", hidden: true });
  root.replaceChildren(
    element(
      "div",
      { class: "viewer playing" },
      element("header", {}, element("span", { class: "ring", "aria-hidden": "true" }), element("h1", {}, content.title), clock),
      element(root.closest("main") ? "div" : "main", { class: board.broad ? "stage broad" : "stage" }, board.node),
      element(
        "aside",
        {},
        acting.node,
        element("div", { class: "row play-wishes" }, hint, back, resign),
        tell,
        end,
        element("ul", { class: "play-seats" }, ...cards.map(({ node }) => node)),
        element("h2", {}, say("viewer.moves")),
        log,
      ),
      sure,
    ),
  );
  return {
    tell: (text) => setText(tell, text),
    clearLog: () => log.replaceChildren(),
    log({ turn }, told) {
      log.prepend(element("li", { value: turn }, element("span", { class: "quiet" }, String(turn)), " ", told));
      while (log.children.length > MAX_LOG) log.lastChild.remove();
    },
    status(told, asked) {
      told.forEach(({ text, out }, seat) => {
        setText(cards[seat].told, text);
        cards[seat].node.classList.toggle("out", Boolean(out));
        cards[seat].node.classList.toggle("moves", asked.includes(seat));
      });
    },
    clock(left) {
      clock.hidden = left === null;
      if (left !== null) setText(clock, say("viewer.play-left", { seconds: left }));
      clock.classList.toggle("bad", left !== null && left <= 5);
    },
    offer(ask) {
      setText(tell, "");
      hint.hidden = ask ? !ask.hint : hint.hidden;
      hint.disabled = resign.disabled = !ask;
      back.disabled = !ask?.back;
      back.hidden = !content.back;
    },
    ended(state, told) {
      for (const each of [hint, back, resign]) each.hidden = true;
      clock.hidden = true;
      end.hidden = false;
      const look = state?.replay && element("a", { class: "button", href: state.replay }, say("viewer.play-look"));
      const again = content.again && element("a", { class: "button", href: content.again }, say("viewer.play-again"));
      end.replaceChildren(element("strong", {}, told), element("div", { class: "row" }, look || "", again || ""));
      (look || again)?.focus();
    },
  };
}

/**
 * The board in this page, drawn by the game's view.js.
 * @param {object} view
 */
export const boardHere = (view) => ({ say, seats, onPick }) => {
  if (view.style) adopt(view.style);
  const node = element("div", { class: "board", role: "img" });
  const scene = view.create(node, { seats, say });
  const picking = createPicking({ host: node, board: () => scene.board, onPick });
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let frame = null;
  let last = null; // the step that is to be seen moving

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => scene.redraw?.());
  return {
    node,
    broad: view.broad,
    mark: picking.mark,
    place: picking.place,
    forget() {
      frame = last = null;
    },
    /** A step of the match; what happened, as one sentence. */
    step({ frame: next, moves }) {
      last = { from: frame, to: next, moves };
      frame = next;
      scene.draw(next, last.from, 1, moves);
      const told = scene.describe(next);
      node.setAttribute("aria-label", told);
      return told;
    },
    /** Let the last step be seen moving. */
    async settle(time) {
      const { from, to, moves } = last ?? {};
      last = null;
      if (!to) return;
      const begun = performance.now();
      for (let part = still || !from ? 1 : 0; from && part < 1; part = (performance.now() - begun) / time) {
        scene.draw(to, from, Math.min(1, part), moves);
        await new Promise(requestAnimationFrame);
      }
      scene.draw(to, from, 1, moves);
      picking.redraw();
    },
    /** What is seen now, after the dice. */
    now(next) {
      scene.draw(next, frame, 1, []);
      frame = next;
      picking.redraw();
    },
    status: () => (frame ? seats.map(({ number }) => scene.status(frame, number)) : []),
    drawn: () => scene.drawn(),
  };
};
