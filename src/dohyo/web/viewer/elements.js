// Making elements. Text only ever enters as text: nothing here, or anywhere in the viewer, reads markup.

/**
 * @param {string} tag
 * @param {Record<string, any>} properties attributes; a function is a listener, false or null leaves one out
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function element(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/**
 * The same for SVG.
 * @returns {SVGElement}
 */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== false && value !== null && value !== undefined)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

const ICONS = {
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M6 4.5h4.2v15H6zM13.8 4.5H18v15h-4.2z",
  next: "M8.5 5l7 7-7 7",
  previous: "M15.5 5l-7 7 7 7",
  end: "M5.5 5l7 7-7 7M18 5v14",
  start: "M18.5 5l-7 7 7 7M6 5v14",
  nextMark: "M4 12h9M9 7.5l4.5 4.5L9 16.5M18.5 6.5v11",
  previousMark: "M20 12h-9M15 7.5L10.5 12l4.5 4.5M5.5 6.5v11",
  onward: "M5 5v14M9 12h10M14 6.5l5.5 5.5-5.5 5.5",
  help: "M8.8 9.2a3.3 3.3 0 1 1 5 2.9c-1.2.7-1.8 1.3-1.8 2.6M12 18.3v.1",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1",
  picture: "M4 8h3.5l1.5-2.5h6L16.5 8H20v11H4zM12 10a3.2 3.2 0 1 0 .1 0",
  film: "M4 6h16v12H4zM8 6v12M16 6v12M4 10h4M4 14h4M16 10h4M16 14h4",
  close: "M6 6l12 12M18 6L6 18",
};
const SOLID = new Set(["play", "pause"]);

/** An icon of the viewer, drawn in the colour of the text around it. */
export function icon(name) {
  const path = svg("path", { d: ICONS[name] });
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: SOLID.has(name) ? "icon solid" : "icon", "aria-hidden": "true" },
    path,
  );
}

/** A button with an icon; its label is for screen readers and shown as a hint. */
export function iconButton(name, label, onClick, properties = {}) {
  return element(
    "button",
    { type: "button", "aria-label": label, title: label, click: onClick, ...properties },
    icon(name),
  );
}

/** A press of the mouse on a button in `node` leaves the focus where it was: the space bar then plays as before. */
export function keepFocus(node) {
  node.addEventListener("mousedown", (event) => {
    if (event.target.closest("button")) event.preventDefault();
  });
}

/** Set an attribute only when it changes: drawing is called many times a second. */
export function set(node, name, value) {
  const text = String(value);
  node.drawn ??= {};
  if (node.drawn[name] !== text) {
    node.drawn[name] = text;
    node.setAttribute(name, text);
  }
}

/** Have the page styled by one more sheet. */
export function adopt(style) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Set an element's text only when it changes. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
