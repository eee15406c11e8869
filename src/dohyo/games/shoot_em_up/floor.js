// The board: ten by ten squares, with the numbers that the robots' programs are told.
import { svg } from "dohyo/elements.js";

export const SQUARES = 10;
export const EDGE = 1; // around the board: for the numbers, and for a robot that has left it

export function createFloor() {
  const ground = svg("rect", { x: 0, y: 0, width: SQUARES, height: SQUARES, class: "ground" });
  const inner = Array.from({ length: SQUARES - 1 }, (_, at) => at + 1);
  const lines = inner.map((at) => `M${at} 0V${SQUARES}M0 ${at}H${SQUARES}`).join("");
  const text = (x, y, number) => svg("text", { x, y, dy: ".36em", class: "coordinate" }, String(number));
  const numbers = Array.from({ length: SQUARES }, (_, at) => [
    text(at + 0.5, -0.4, at),
    text(-0.4, at + 0.5, at),
  ]).flat();
  return { nodes: [ground, svg("path", { d: lines, class: "grid" }), ...numbers] };
}

/** Where something really is on the page, in squares from the middle of (0, 0). */
export function squareOf(node, scene) {
  const { e, f } = scene.getScreenCTM().inverse().multiply(node.getScreenCTM());
  return { x: round(e - 0.5), y: round(f - 0.5) };
}

export const round = (number) => Math.round(number * 100) / 100 + 0;

export function fade(node, set, opacity) {
  set(node, "opacity", Math.max(0, Math.min(1, opacity)).toFixed(2));
}
