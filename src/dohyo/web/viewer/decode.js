// From what travels to what is drawn: inflate, then apply differences (see dohyo/web/differences.py).

/**
 * The JSON value in a text of base64 over raw deflate.
 * @param {string} packed
 * @returns {Promise<any>}
 */
export async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.trim()), (character) => character.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(inflated).text());
}

/**
 * The value that a difference makes of an old one. The old one is left as it is; what did not change is shared.
 * @param {any} old
 * @param {object | any[]} change {name: difference} changes members, [value] replaces, [] removes
 */
export function apply(old, change) {
  if (Array.isArray(change)) return change[0];
  const members = Object.entries(change);
  if (members.length === 0) return old;
  const changed = Array.isArray(old) ? old.slice() : { ...old };
  for (const [name, inner] of members) {
    const removed = Array.isArray(inner) && inner.length === 0;
    if (!removed) changed[name] = apply(changed[name], inner);
    else if (Array.isArray(changed)) changed.length = Number(name);
    else delete changed[name];
  }
  return changed;
}

/**
 * Every frame of a view: before the first turn, then after each.
 * @param {{first: object, changes: object[]} | {read: () => object[]}} view with `read` where it travelled in columns
 * @returns {object[]}
 */
export function frames(view) {
  if (view.read) return view.read();
  const all = [view.first];
  for (const change of view.changes) all.push(apply(all[all.length - 1], change));
  return all;
}

/**
 * What to type to see what a seat was sent, where a page has not that, but the name of the file that has it.
 * @param {{replay?: string}} inputs
 * @returns {((seat: number) => string) | null}
 */
export function elsewhere({ replay }) {
  return replay ? (seat) => `dohyo replay ${replay} --inputs ${seat}` : null;
}

/**
 * What each seat was sent, turn by turn: lines of text by seat.
 * @param {object[] | {read: () => Map<number, string[]>[]}} changes with `read` where they travelled in columns
 * @returns {Map<number, string[]>[]}
 */
export function inputs(changes) {
  if (!Array.isArray(changes)) return changes.read();
  const latest = new Map();
  return changes.map((turn) => {
    const sent = new Map();
    for (const [seat, change] of Object.entries(turn)) {
      latest.set(seat, apply(latest.get(seat) ?? [], change));
      sent.set(Number(seat), latest.get(seat));
    }
    return sent;
  });
}
