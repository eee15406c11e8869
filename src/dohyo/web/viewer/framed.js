// The board of a page that a site gives: in a frame without the site's origin, since what draws a game may be a
// stranger's. It is handed in each step, and tells which cell was pointed at (see board-frame.js of the site).
import { element } from "dohyo/elements.js";

const WAIT = 3000; // milliseconds for the frame to draw a step

/** The board in a frame: each step is handed in, and it says what happened, how seats fare, and what was pointed at. */
export const boardInFrame = ({ content, onPick }) => {
  const node = element("iframe", { sandbox: "allow-scripts", title: content.title });
  let status = [];
  let waiting = null; // called with what the frame tells of a step
  let isBegun = false;
  const ready = new Promise((resolve) => {
    addEventListener("message", ({ data, source }) => {
      if (source !== node.contentWindow || typeof data !== "object" || data === null) return;
      if (data.ready) resolve();
      if (Array.isArray(data.pick)) onPick(data.pick.map(Number));
      if (Array.isArray(data.status)) status = data.status.map(({ text, out }) => ({ text: String(text), out: Boolean(out) }));
      if (typeof data.told === "string" && waiting) {
        waiting(data.told);
        waiting = null;
      }
    });
    node.src = content.board;
  });
  const tell = (message) => node.contentWindow.postMessage(message, "*");
  const names = content.seats.map(({ name }) => name);

  return {
    node,
    broad: true,
    async mark(marks) {
      await ready;
      tell({ marks });
    },
    forget() {
      isBegun = false;
    },
    async step({ frame, moves }) {
      await ready;
      if (!isBegun) tell({ begin: { names, words: content.words, bare: true } });
      isBegun = true;
      const told = new Promise((resolve) => {
        waiting = resolve;
        setTimeout(() => resolve(""), WAIT);
      });
      tell({ step: { frame, moves } });
      return told;
    },
    settle: async () => {},
    now(frame) {
      tell({ step: { frame, moves: [], now: true } });
    },
    status: () => status,
  };
};
