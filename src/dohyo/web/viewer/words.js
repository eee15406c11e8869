// Sentences and the text of strangers.

/**
 * Whoever speaks the page's language: say("viewer.turn", {turn: 3}). A key that is not there is said as it is.
 * @param {Record<string, string>} words
 */
export function speaker(words) {
  const say = (key, details = {}) =>
    (words[key] ?? key).replace(/\{(\w+)\}/g, (place, name) => (name in details ? String(details[name]) : place));
  say.knows = (key) => Object.hasOwn(words, key);
  return say;
}

// Controls (C0, DEL, C1), the marks that change the direction or the presence of text, letters that are drawn as nothing.
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/g;

/** A stranger's text with everything in it to be seen: what has no picture is written as most languages escape it. */
export function visible(text) {
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`;
  });
}

/** One line of at most `most` characters. */
export function short(text, most = 24) {
  const line = [...visible(text).replace(/\s+/g, " ").trim()];
  return line.length > most ? `${line.slice(0, most - 1).join("")}\u2026` : line.join("");
}

/** A time in seconds, as a person reads it. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "\u2013";
  if (seconds >= 1) return `${seconds.toFixed(2)}\u00a0s`;
  const milliseconds = seconds * 1000;
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : 1)}\u00a0ms`;
}
