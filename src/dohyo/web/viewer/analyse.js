// The button that has the match analysed, by the server that gives the page; see dohyo/web/served.
import { element, setText } from "dohyo/elements.js";
import { visible } from "dohyo/words.js";

const CHOICES = [5, 20, 60, 180, 600]; // seconds
const USUAL = 20;

/**
 * @param {object} options
 * @param {string} options.note what to know before
 * @param {Function} options.say
 * @param {(analysis: object[]) => void} options.onFound
 * @returns {HTMLElement}
 */
export function createAnalyse({ note, say, onFound }) {
  const address = `${location.pathname}/analysis`;
  let running = null; // what stops it

  const about = element("p", { class: "quiet" }, say("viewer.analyse-about"));
  const remark = element("p", { class: "quiet" }, visible(note));
  const seconds = element(
    "select",
    { class: "small", "aria-label": say("viewer.analyse-seconds") },
    ...CHOICES.map((one) => element("option", { value: one, selected: one === USUAL }, time(one))),
  );
  const button = element("button", { type: "button", class: "small", click: start }, say("viewer.analyse"));
  const choice = element("div", { class: "row" }, seconds, button);
  const bar = element("progress", { "aria-label": say("viewer.analyse") });
  const stop = element("button", { type: "button", class: "small", click: () => running.abort() }, say("viewer.analyse-stop"));
  const course = element("div", { class: "row", hidden: true }, bar, stop);
  const words = element("p", { class: "quiet", role: "status" });
  const node = element("div", { class: "analyse" }, about, remark, choice, course, words);
  remark.hidden = !note;

  function time(one) {
    return one < 60 ? say("viewer.analyse-second", { count: one }) : say("viewer.analyse-minute", { count: one / 60 });
  }

  async function start() {
    running = new AbortController();
    const { signal } = running;
    show(true);
    setText(words, "");
    bar.removeAttribute("value");
    stop.focus();
    try {
      const body = JSON.stringify({ seconds: Number(seconds.value) });
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(address, { method: "POST", headers, body, signal });
      const last = await follow(answer.body, signal);
      if (last?.done) await find(signal);
      else setText(words, last?.none ? visible(last.none) : say("viewer.analyse-lost"));
    } catch {
      setText(words, signal.aborted ? "" : say("viewer.analyse-lost"));
    }
    const hadFocus = node.contains(document.activeElement);
    show(false);
    if (hadFocus) button.focus();
    running = null;
  }

  function show(isRunning) {
    course.hidden = !isRunning;
    choice.hidden = isRunning;
  }

  /** Show how far it is, until it is over; the last line. */
  async function follow(body, signal) {
    const reader = body.pipeThrough(new TextDecoderStream(), { signal }).getReader();
    let rest = "";
    let line = null;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return rest ? JSON.parse(rest) : line;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const text of lines) tell((line = JSON.parse(text)));
    }
  }

  function tell({ told, done, of }) {
    if (!told) return;
    setText(words, visible(told));
    if (of) [bar.max, bar.value] = [of, done];
  }

  /** Fetch the last analysis, if there is one. */
  async function find(signal) {
    const answer = await fetch(address, { signal });
    if (answer.status !== 200) return;
    const found = await answer.json();
    about.hidden = true;
    setText(button, say("viewer.analyse-again"));
    setText(words, visible(found.note));
    onFound(found.analysis);
  }

  addEventListener("pagehide", () => running?.abort());
  find().catch(() => setText(words, say("viewer.analyse-lost")));
  return node;
}
