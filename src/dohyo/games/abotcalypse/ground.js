// The rocks: a path for each column, made of the runs of rocks in it.
import { set, svg } from "dohyo/elements.js";

export const SQUARES = 100;

export function createGround() {
  const columns = Array.from({ length: SQUARES }, () => svg("path", { class: "rocks" }));
  return {
    node: svg("g", {}, ...columns),
    draw(frame) {
      frame.columns.forEach((runs, x) => {
        set(columns[x], "d", (runs ?? []).map((run) => outline(x, run)).join(""));
        set(columns[x], "class", runs ? "rocks" : "rocks unseen");
      });
    },
    /** For each column its runs of rocks, read from the path. */
    drawn: () => columns.map((path) => [...path.getAttribute("d").matchAll(/M\d+ (\d+)h1v-(\d+)h-1z/g)].map(readRun)),
  };
}

const outline = (x, [low, high]) => `M${x} ${SQUARES - low}h1v-${high - low + 1}h-1z`;

function readRun([, bottom, height]) {
  const low = SQUARES - Number(bottom);
  return [low, low + Number(height) - 1];
}
