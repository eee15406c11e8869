// A list of what there is to go to: one line each.
import { element } from "dohyo/elements.js";

/**
 * A line that goes to a turn when it is pressed.
 * @param {Node[]} signs before the words
 * @param {(Node | string)[]} words
 * @param {string | null} place where it is, at the end of the line
 * @param {() => void} onPress
 */
export function jump(signs, words, place, onPress) {
  const button = element(
    "button",
    { type: "button", class: "jump", click: onPress },
    ...signs,
    element("span", { class: "jump-words" }, ...words),
    ...(place === null ? [] : [element("span", { class: "quiet number" }, place)]),
  );
  return element("li", {}, button);
}
