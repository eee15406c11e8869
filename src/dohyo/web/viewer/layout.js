// Where the parts of the viewer lie on the page.
import { element, iconButton } from "dohyo/elements.js";
import { about } from "dohyo/help.js";

/**
 * Lay the parts out; what was in `root` is replaced.
 * @param {HTMLElement} root
 * @param {object} options
 * @param {object} options.content see dohyo/web/content.py
 * @param {object} options.view the game's view.js
 * @param {Function} options.say
 * @param {HTMLElement} options.host what the board is in
 * @param {object} options.parts see parts.js
 * @param {() => void} options.onCopyLink
 */
export function layOut(root, { content, view, say, host, parts, onCopyLink }) {
  const { banner, cards, charts, choice, faults, help, onward, panel, saving, standings, telling } = parts;
  const { controls, notice, timeline, variation } = parts;
  root.replaceChildren(
    element(
      "div",
      { class: "viewer" },
      element(
        "header",
        {},
        element("span", { class: "ring", "aria-hidden": "true" }),
        element("h1", {}, content.title),
        about(content, say),
        ...(choice ? [choice.node] : []),
        ...(onward ? [onward.button] : []),
        iconButton("link", say("viewer.copy-link"), onCopyLink),
        ...saving.buttons,
        iconButton("help", say("viewer.help"), help.show),
      ),
      // A square board is seen to its last row; a broad one has room above.
      element("main", { class: view.broad ? "stage broad" : "stage" }, host, ...(view.broad ? [banner] : [])),
      element("aside", {}, ...(view.broad ? [] : [banner]), cards.node, standings, panel.node, charts.node, faults.node),
      element("footer", {}, telling.node, controls.node, variation.node, timeline.node),
      telling.spoken,
      notice.node,
      help.node,
      saving.node,
      ...(onward ? [onward.node] : []),
    ),
  );
}
