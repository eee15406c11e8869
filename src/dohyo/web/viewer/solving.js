// The page on which puzzles are solved: a board, what is asked, the panel to act by, what is said of an answer.
// A puzzle and what is said come from the server, see dohyo/series/puzzles/telling.py; nothing of the solution is here.
import { createActing } from "dohyo/acting.js";
import { element, setText } from "dohyo/elements.js";
import { badge, looks } from "dohyo/seats.js";
import { speaker, visible } from "dohyo/words.js";

const MOVE = 260; // milliseconds for an answer to be seen moving

/**
 * Show puzzles, one after the other.
 * @param {HTMLElement} root what was in it is replaced
 * @param {object} content {title, words, below: where the server is asked, games: [{title, href, here}], headers}
 * @param {(options: object) => object} makeBoard see `boardHere` in playing.js
 */
export async function solve(root, content, makeBoard) {
  const say = speaker(content.words);
  const acting = createActing({ say, onAct: answer, onMarks: (marks) => board?.mark(marks) });
  const page = layOut(root, { content, say, acting, again, solution, next: () => next() });
  let board = null;
  let puzzle = null;
  let waits = false;
  let moving = null; // an answer that is still seen moving; nothing waits for it but what is drawn next

  async function post(what, body) {
    const headers = { "Content-Type": "application/json", ...content.headers };
    const told = await fetch(content.below + what, { method: "POST", headers, body: JSON.stringify(body) });
    if (!told.ok) throw new Error(String(told.status));
    return told.json();
  }

  /** Ask the server, one question at a time; where it is gone, that is said. */
  async function ask(what, body, take) {
    if (waits) return;
    waits = true;
    try {
      const told = await post(what, body);
      page.tell("");
      await take(told);
    } catch (error) {
      if (!(error instanceof TypeError) && !/^\d+$/.test(error.message)) throw error;
      page.tell(say("viewer.puzzle-gone"));
    } finally {
      waits = false;
    }
  }

  const next = () => ask("next", { after: puzzle?.id ?? "" }, begin);

  async function begin(told) {
    await moving;
    const seats = looks(told.names.map((name) => ({ name })));
    if (puzzle?.names.length !== told.names.length) {
      board = makeBoard({ content: { ...content, seats }, say, seats, onPick: (cell) => acting.pick(cell) });
      page.place(board);
    }
    puzzle = told;
    page.begin(puzzle, seats[puzzle.seat]);
    await set();
  }

  /** The position as it is asked, with all that can be done in it. */
  async function set() {
    await moving;
    board.forget();
    board.step({ frame: puzzle.frame, moves: [] });
    acting.show([...puzzle.choices], { note: puzzle.aim });
    if (!matchMedia("(pointer: coarse)").matches) acting.focus(); // on a phone a keyboard would cover the board
  }

  function answer(text) {
    return ask("answer", { id: puzzle.id, action: text.slice(0, 200) }, (told) => {
      if (told.counts) show(told);
      else acting.say(visible(told.said) || say("viewer.puzzle-not-legal"));
    });
  }

  function show(told) {
    acting.show([], { busy: true, note: puzzle.aim });
    page.told(told);
    if (!told.frame) return;
    board.step({ frame: told.frame, moves: [] });
    moving = board.settle(MOVE);
  }

  function again() {
    page.forget();
    set();
  }

  function solution() {
    return ask("solution", { id: puzzle.id }, show);
  }

  await next();
  return {
    acting,
    next,
    get puzzle() {
      return puzzle;
    },
  };
}

/** Where the parts of the page lie. */
function layOut(root, { content, say, acting, again, solution, next }) {
  const button = (key, click) => element("button", { type: "button", click }, say(key));
  const buttons = {
    again: button("viewer.puzzle-again", again),
    solution: button("viewer.puzzle-show", solution),
    next: button("viewer.puzzle-next", next),
  };
  const stage = element(root.closest("main") ? "div" : "main", { class: stageClass(false) });
  const count = element("p", { class: "quiet puzzle-count" });
  const who = element("p", { class: "puzzle-who" });
  const verdict = element("strong", {});
  const why = element("p", {});
  const result = element("div", { class: "puzzle-result", role: "status" }, verdict, why);
  const tell = element("p", { class: "bad", role: "alert" });
  const standing = element("dl", { class: "puzzle-standing" });
  const source = element("p", { class: "quiet" });
  const links = content.games.map(({ title, href, here }) =>
    here ? element("b", { "aria-current": "page" }, title) : element("a", { href }, title),
  );
  root.replaceChildren(
    element(
      "div",
      { class: "viewer playing puzzles" },
      element(
        "header",
        {},
        element("span", { class: "ring", "aria-hidden": "true" }),
        element("h1", {}, say("viewer.puzzle-title", { game: content.title })),
        count,
      ),
      stage,
      element(
        "aside",
        {},
        who,
        acting.node,
        result,
        element("div", { class: "row puzzle-row" }, buttons.next, buttons.again, buttons.solution),
        tell,
        standing,
        source,
        links.length > 1 ? element("nav", { class: "puzzle-games", "aria-label": say("viewer.puzzle-games") }, ...links) : "",
      ),
    ),
  );

  function stand({ streak, rating, hard }) {
    const facts = [
      ["viewer.puzzle-streak", streak === null ? "" : String(streak)],
      ["viewer.puzzle-rating", rating],
      ["viewer.puzzle-hard", hard],
    ];
    standing.replaceChildren(
      ...facts
        .filter(([, value]) => value)
        .flatMap(([name, value]) => [element("dt", {}, say(name)), element("dd", {}, value)]),
    );
  }

  function forget() {
    setText(verdict, "");
    setText(why, "");
    result.className = "puzzle-result";
    buttons.again.hidden = true;
    buttons.solution.hidden = false;
  }

  return {
    tell: (text) => setText(tell, text),
    forget,
    place(board) {
      stage.className = stageClass(board.broad);
      stage.replaceChildren(board.node);
    },
    begin(puzzle, seat) {
      forget();
      setText(count, say("viewer.puzzle-count", { tried: puzzle.tried, of: puzzle.of }));
      who.replaceChildren(badge(seat, 1.5), " ", say("viewer.puzzle-you", { name: seat.label }));
      setText(source, visible(puzzle.source) + (puzzle.again ? ` ${say("viewer.puzzle-seen")}` : ""));
      stand(puzzle);
    },
    /** What is said of an answer. The next thing that one does has the focus: the next puzzle, or another try. */
    told(answer) {
      setText(verdict, visible(answer.said));
      setText(why, visible(answer.why));
      const isWrong = answer.counts && !answer.solved;
      result.className = `puzzle-result ${isWrong ? "wrong" : "right"}`;
      buttons.again.hidden = !isWrong;
      buttons.solution.hidden = !isWrong;
      stand(answer);
      (isWrong ? buttons.again : buttons.next).focus({ preventScroll: true });
    },
  };
}

const stageClass = (broad) => (broad ? "stage broad" : "stage");
