// From columns to what is drawn: a page may carry its match in columns, which take little room (`expand`). What each kind
// of node means stands where it is read, in `values`.

import { elsewhere } from "dohyo/decode.js";

const ZERO = 80; // the character of 0
const FAR = 126; // of a number that is no character

/**
 * The values of a node.
 * @param {any[]} node
 * @param {number} count how many
 * @param {any[]} [reference] as many known values
 * @param {any[]} [rows] as many others
 * @returns {any[]}
 */
export function values(node, count, reference, rows) {
  const [kind, first, second, third] = node;
  const each = (make) => Array.from({ length: count }, (_, at) => make(at));
  switch (kind) {
    case "=":
      return each(() => first);
    case "-":
      return each(() => undefined);
    case "i":
      return whole(first, second, third);
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
      const lengths = values(first, count);
      return arrays(lengths, values(second, sum(lengths)));
    }
    case "k":
      return things(values(first, count), second, third);
    case "p": {
      const lengths = values(first, count);
      return arrays(lengths, values(second, sum(lengths))).map((places, at) => places.map((one) => reference[at][one]));
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

function whole(order, numbers, far = []) {
  const others = far.values();
  const read = (code) => (code === FAR ? others.next().value : code - ZERO);
  const all = Array.from(numbers, (one) => (typeof one === "string" ? read(one.charCodeAt(0)) : one));
  for (let time = 0; time < order; time++) for (let at = 1; at < all.length; at++) all[at] += all[at - 1];
  return all;
}

function sum(numbers) {
  return numbers.reduce((all, one) => all + one, 0);
}

function arrays(lengths, all) {
  let end = 0;
  return lengths.map((length) => all.slice(end, (end += length)));
}

/** Arrays of things that stay for some time, each behind those that were there before it. */
function things(come, times, elements) {
  const stays = values(times, sum(come)).values();
  const births = come.flatMap((count, at) => Array.from({ length: count }, () => [at, stays.next().value]));
  const all = values(elements, sum(births.map(([, times]) => times))).values();
  const rows = come.map(() => []);
  for (const [birth, times] of births) for (let at = birth; at < birth + times; at++) rows[at].push(all.next().value);
  return rows;
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
 * @returns {{views: object[], turns: object[][], inputs: {read: () => Map<number, string[]>[], elsewhere?: Function}}}
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
    inputs: Array.isArray(inputs)
      ? { read: () => sent(inputs, turns.count, common()) }
      : { read: () => [], elsewhere: elsewhere(inputs) },
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
