// A command to copy, for what the page cannot do itself. It stands in one place of the page, as one node.
import { element } from "dohyo/elements.js";
import { visible } from "dohyo/words.js";

/**
 * A sentence that says what the command does, the command, and a button that copies it as it is.
 * @param {object} options
 * @param {string} options.about
 * @param {string} options.command
 * @param {Function} options.say
 * @param {(text: string) => void} options.onCopy
 */
export function createCommand({ about, command, say, onCopy }) {
  const copy = element("button", { type: "button", class: "small", click: () => onCopy(command) }, say("viewer.copy"));
  copy.setAttribute("aria-label", say("viewer.copy-command"));
  const line = element("div", { class: "row" }, element("code", { class: "command" }, ...words(visible(command))), copy);
  return element("div", { class: "asking" }, element("p", { class: "quiet" }, about), line);
}

/** The words of a line, each of which stays whole where there is room for it; an option always does. */
function words(line) {
  const parts = line.split(/( +)/).filter((part) => part !== "");
  return parts.map((part) => (part.startsWith(" ") ? part : element("span", { class: part.startsWith("-") ? "option" : null }, part)));
}
