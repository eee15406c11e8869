// From columns to what is drawn: see dohyo/web/columns.py, and dohyo/web/report/compact.py for a match in columns.

const ZERO = 80; // the character of 0

/**
 * The values of a node.
 * @param {any[]} node
 * @param {number} count how many
 * @param {any[]} [reference] as many known values
 * @param {any[]} [rows] as many others
 * @returns {any[]}
 */
export function values(node, count, reference, rows) {
  const [kind, first, second] = node;
  const each = (make) => Array.from({ length: count }, (_, at) => make(at));
  switch (kind) {
    case "=":
      return each(() => first);
    case "-":
      return each(() => undefined);
    case "i":
      return whole(first, second);
    case "d":
      return values(second, count).map((number) => number / 10 ** first);
    case "b":
      return values(first, count).map(Boolean);
    case "s":
      return values(second, count).map((at) => first[at]);
    case "t": {
      const places = first.map((one, at) => values(one, count, part(reference, at), rows));
      return each((at) => places.map((place) => place[at]));
    }
    case "l": {
      const ends = values(first, count);
      for (let at = 1; at < count; at++) ends[at] += ends[at - 1];
      const all = values(second, count ? ends[count - 1] : 0);
      return each((at) => all.slice(at ? ends[at - 1] : 0, ends[at]));
    }
    case "o":
      return objects(first, count, reference);
    case "v": {
      const hidden = values(first, count);
      return each((at) => (hidden[at] ? null : reference[at]));
    }
    case "m":
      return mixed(values(first, count), second, reference);
    case "@":
      return rows.map((row) => first.reduce((value, name) => value[name], row) ?? second);
    default:
      return first;
  }
}

function whole(order, numbers) {
  const all = Array.from(numbers, (one) => (typeof one === "string" ? one.charCodeAt(0) - ZERO : one));
  for (let time = 0; time < order; time++) for (let at = 1; at < all.length; at++) all[at] += all[at - 1];
  return all;
}

function objects(members, count, reference) {
  const all = Array.from({ length: count }, () => ({}));
  for (const [name, node] of Object.entries(members)) {
    const own = values(node, count, part(reference, name));
    for (let at = 0; at < count; at++) if (own[at] !== undefined) all[at][name] = own[at];
  }
  return all;
}

function mixed(kinds, nodes, reference) {
  const groups = nodes.map((node, kind) => {
    const known = reference?.filter((_, at) => kinds[at] === kind);
    return values(node, kinds.filter((one) => one === kind).length, known).values();
  });
  return kinds.map((kind) => groups[kind].next().value);
}

function part(reference, at) {
  return reference?.map((value) => value?.[at]);
}

/**
 * What a page of a site carries, as `decode.js` and the viewer take it; frames and inputs are made when they are asked.
 * @param {object} content
 * @returns {{views: object[], turns: object[][], inputs: {read: () => Map<number, string[]>[]}}}
 */
export function expand({ views, turns, inputs }) {
  let everybody = null;
  const common = () => (everybody ??= values(views[0].frames, views[0].count));
  return {
    views: views.map((view, at) => ({
      seat: view.seat,
      read: at ? () => values(view.frames, view.count, common()) : common,
    })),
    turns: values(turns.moves, turns.count),
    inputs: { read: () => sent(inputs, turns.count, common()) },
  };
}

function sent(inputs, count, frames) {
  const all = Array.from({ length: count }, () => new Map());
  for (const { seat, asked, count: times, first, further } of inputs) {
    const is = values(asked, count);
    const at = Array.from({ length: count }, (_, turn) => turn).filter((turn) => is[turn]);
    const rows = at.map((turn) => frames[turn]);
    const beginnings = values(first, times, undefined, rows);
    const rest = values(further, times);
    at.forEach((turn, time) => all[turn].set(seat, [...beginnings[time], ...rest[time]].map(line)));
  }
  return all;
}

function line(words) {
  return Array.isArray(words) ? words.join(" ") : words;
}
