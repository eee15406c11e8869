// The keyboard. The help shows the same table.

/**
 * @typedef {{keys: string[], shown: string[], word: string, act: (event: KeyboardEvent) => void}} Shortcut
 *
 * @param {object} does what the viewer can do
 * @returns {Shortcut[]}
 */
export function shortcuts(does) {
  const { player, toMark, follow, unfollow, nextView, toggleAnnotations, toggleInputs, showHelp } = does;
  const digits = [..."0123456789"];
  return [
    { keys: [" ", "k"], shown: ["Space", "K"], word: "viewer.key.play", act: () => player.toggle() },
    {
      keys: ["ArrowRight", "ArrowLeft"],
      shown: ["\u2190", "\u2192"],
      word: "viewer.key.step",
      act: (event) => arrow(player, event),
    },
    { keys: [], shown: ["Shift \u2190", "Shift \u2192"], word: "viewer.key.ten" },
    {
      keys: ["n", "p"],
      shown: ["P", "N"],
      word: "viewer.key.mark",
      act: (event) => toMark(event.key.toLowerCase() === "n" ? 1 : -1),
    },
    {
      keys: ["Home", "End"],
      shown: ["Home", "End"],
      word: "viewer.key.ends",
      act: (event) => player.seek(event.key === "Home" ? 0 : player.last),
    },
    {
      keys: ["+", "=", "-"],
      shown: ["\u2212", "+"],
      word: "viewer.key.speed",
      act: (event) => player.faster(event.key === "-" ? -1 : 1),
    },
    {
      keys: digits,
      shown: ["0", "\u2026", "9"],
      word: "viewer.key.follow",
      act: (event) => follow(Number(event.key)),
    },
    { keys: ["Escape"], shown: ["Esc"], word: "viewer.key.unfollow", act: unfollow },
    { keys: ["i"], shown: ["I"], word: "viewer.key.input", act: toggleInputs },
    { keys: ["a"], shown: ["A"], word: "viewer.key.annotations", act: toggleAnnotations },
    ...(nextView ? [{ keys: ["v"], shown: ["V"], word: "viewer.key.view", act: nextView }] : []),
    { keys: ["?", "h"], shown: ["?"], word: "viewer.key.help", act: showHelp },
  ];
}

function arrow(player, event) {
  const by = event.key === "ArrowRight" ? 1 : -1;
  if (event.shiftKey) player.seek(player.turn + 10 * by);
  else player.step(by);
}

/** Listen, until the page is left. Keys that belong to what has the focus are left to it. */
export function listen(table) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (belongsToFocus(event)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const shortcut = table.find(({ keys }) => keys.includes(key));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.act(event);
  });
}

function belongsToFocus({ target, key }) {
  if (target.closest("select")) return key !== "Escape" && !/^[?nphkia]$/i.test(key);
  return Boolean(target.closest("button, summary, a")) && (key === " " || key === "Enter");
}
