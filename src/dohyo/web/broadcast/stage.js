// The board's frame, and the turns of the match that is shown: drawn one after the other as they come, or looked at again
// while the broadcast is paused.
import { apply } from "dohyo/decode.js";

const MAX_TURNS = 3000; // of a match that can be looked at again: of a longer one the last
const BEHIND = 12; // turns that wait to be drawn: whoever is further behind is at the last one at once

/**
 * @param {HTMLIFrameElement} frame
 * @param {object} options
 * @param {Record<string, string>} options.words
 * @param {(told: {status: object[], caption: string}) => void} options.onShown
 */
export function createStage(frame, { words, onShown }) {
  const ready = new Promise((resolve) => {
    addEventListener("message", ({ data, source }) => {
      if (source !== frame.contentWindow || typeof data !== "object" || data === null) return;
      if (data.ready) resolve();
      else if (Array.isArray(data.status)) onShown({ status: data.status, caption: String(data.caption ?? "") });
    });
    frame.src = frame.dataset.src; // now: what it says is heard
  });
  const tell = (message) => ready.then(() => frame.contentWindow.postMessage(message, "*"));
  let turns = []; // {frame, moves, turn}
  let last = null; // the frame of the newest turn
  let waiting = []; // places in `turns` to be drawn
  let at = -1;
  let timer = 0;
  let seconds = 0;

  function show(place, time) {
    at = place;
    const { frame: now, moves } = turns[place];
    tell({ turn: { frame: now, previous: place ? turns[place - 1].frame : null, moves, seconds: time } });
  }

  function next() {
    timer = 0;
    if (!waiting.length) return;
    if (waiting.length > BEHIND || document.hidden) waiting = waiting.slice(-1);
    show(waiting.shift(), 0.9 * seconds);
    if (waiting.length) timer = setTimeout(next, 1000 * seconds);
  }

  return {
    get turn() {
      return turns[at]?.turn ?? null;
    },
    get kept() {
      return turns.length;
    },
    /** Another match begins. */
    begin(names) {
      clearTimeout(timer);
      timer = 0;
      turns = [];
      waiting = [];
      last = null;
      at = -1;
      tell({ begin: { names, words } });
    },
    /** Turns happen, so many a second; `still` where nothing is to be drawn now. */
    add({ rate, turns: more }, still) {
      seconds = 1 / Math.max(rate, 0.2);
      for (const { change, moves, turn } of more) {
        last = apply(last, change);
        turns.push({ frame: last, moves, turn });
        if (!still) waiting.push(turns.length - 1);
      }
      const gone = Math.max(0, turns.length - MAX_TURNS);
      if (gone) {
        turns = turns.slice(gone);
        waiting = waiting.map((place) => place - gone).filter((place) => place >= 0);
        at = Math.max(-1, at - gone);
      }
      seconds = Math.min(seconds, 1 / Math.max(1, more.length / 2));
      if (waiting.length && !timer) next();
    },
    /** Another turn of this match, without motion. */
    step(by) {
      clearTimeout(timer);
      timer = 0;
      waiting = [];
      if (turns.length) show(Math.max(0, Math.min(turns.length - 1, at + by)), 0);
    },
    /** Be where the match is. */
    catchUp() {
      waiting = [];
      if (turns.length) show(turns.length - 1, 0);
    },
  };
}
