// A few words over the page that go away by themselves.
import { element } from "dohyo/elements.js";

const SHOWN = 2500; // milliseconds

export function createNotice() {
  const node = element("div", { class: "notice", role: "status", hidden: true });
  let timer = 0;
  return {
    node,
    show(words) {
      node.textContent = words;
      node.hidden = false;
      clearTimeout(timer);
      timer = setTimeout(() => (node.hidden = true), SHOWN);
    },
  };
}
