// Where one is in the match, in the page's address: #t=20&seat=1&view=0&line=18.1&open=time,input
//
//   t      the number of the turn, or "start"
//   seat   who is followed, absent for nobody
//   view   by whose eyes, absent for everybody's
//   line   whose better line is played instead of the match, absent for the match: the turning point's turn and seat
//   open   the panels that are open, absent if they are those that are open at first

/**
 * @typedef {{turn: number | null, seat: number | null, view: number | null, open: string[] | null,
 *   line: {turn: number, seat: number} | null}} Place
 */

/** @returns {Place} what an address says; what it does not say, or not rightly, is null */
export function readAddress(address) {
  const parts = new URLSearchParams(address.replace(/^#/, ""));
  const whole = (name) => (/^\d{1,9}$/.test(parts.get(name) ?? "") ? Number(parts.get(name)) : null);
  const open = parts.get("open");
  const line = /^(\d{1,9})\.(\d{1,9})$/.exec(parts.get("line") ?? "");
  return {
    turn: whole("t"),
    seat: whole("seat"),
    view: whole("view"),
    line: line && { turn: Number(line[1]), seat: Number(line[2]) },
    open: open === null ? null : open.split(","),
  };
}

/** @param {Place} place */
export function addressOf({ turn, seat, view, line, open }) {
  const parts = [`t=${turn ?? "start"}`];
  if (seat !== null) parts.push(`seat=${seat}`);
  if (view !== null) parts.push(`view=${view}`);
  if (line !== null) parts.push(`line=${line.turn}.${line.seat}`);
  if (open !== null) parts.push(`open=${open.map(encodeURIComponent).join(",")}`);
  return `#${parts.join("&")}`;
}

/** Some browsers do not let a file's address be changed: then it stays as it is. */
export function replaceAddress(address) {
  try {
    history.replaceState(null, "", address);
  } catch {
    // Nothing is lost but a link.
  }
}

/** Copy a text; whether that worked. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.className = "unseen"; // nothing on the page moves for it
    field.value = text;
    document.body.append(field);
    field.select();
    const worked = document.execCommand("copy"); // where a page has no clipboard: from a disk, or without https
    field.remove();
    return worked;
  }
}
