// Pictures one after the other as an animated GIF (GIF89a). Of each picture only what has changed since the one before is
// written, in one palette for all of them.

const MAX_CODES = 4096;
const COLOURS = 256;
const CLEAR_PIXEL = 255; // the palette's last place: a pixel that stays as it was
const NEAR = 20; // colours no further apart than this, in each channel, share a place of the palette

/**
 * The commonest colours of some pictures, none very near to another, as [red, green, blue].
 * @param {Uint8ClampedArray[]} pictures red, green, blue and opacity of each pixel
 */
export function paletteOf(pictures) {
  const counts = new Map();
  for (const pixels of pictures)
    for (let at = 0; at < pixels.length; at += 4) {
      const colour = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
  const common = [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour);
  const palette = [];
  for (let apart = NEAR; palette.length < CLEAR_PIXEL && apart >= 0; apart -= NEAR / 2) {
    for (const colour of common) {
      if (palette.length === CLEAR_PIXEL) break;
      const parts = [colour >> 16, (colour >> 8) & 255, colour & 255];
      if (palette.every((other) => parts.some((part, at) => Math.abs(part - other[at]) > apart))) palette.push(parts);
    }
  }
  return palette;
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number[][]} palette at most 255 colours
 * @returns {{add: (pixels: Uint8ClampedArray, seconds: number) => void, blob: () => Blob}} `add` puts one more picture at
 *   the end, to be seen for so long
 */
export function createGif(width, height, palette) {
  const parts = [head(width, height, palette)];
  const nearest = finder(palette);
  let before = null;

  return {
    add(pixels, seconds) {
      const now = new Uint8Array(width * height);
      for (let at = 0; at < now.length; at++) now[at] = nearest(pixels[4 * at], pixels[4 * at + 1], pixels[4 * at + 2]);
      parts.push(frame(now, before, width, height, Math.round(seconds * 100)));
      before = now;
    },
    blob: () => new Blob([...parts, Uint8Array.of(0x3b)], { type: "image/gif" }),
  };
}

function head(width, height, palette) {
  const table = new Uint8Array(3 * COLOURS);
  palette.forEach((colour, at) => table.set(colour, 3 * at));
  const forever = [0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0];
  return Uint8Array.of(...text("GIF89a"), ...short(width), ...short(height), 0xf7, 0, 0, ...table, ...forever);
}

/** One picture: the smallest rectangle that has changed, in which what is as before is left clear. */
function frame(now, before, width, height, hundredths) {
  const { left, top, right, bottom } = changed(now, before, width, height);
  const [wide, high] = [right - left + 1, bottom - top + 1];
  const cut = new Uint8Array(wide * high);
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const at = (top + y) * width + left + x;
      cut[y * wide + x] = before !== null && before[at] === now[at] ? CLEAR_PIXEL : now[at];
    }
  const control = [0x21, 0xf9, 4, 0b101, ...short(hundredths), CLEAR_PIXEL, 0];
  const place = [0x2c, ...short(left), ...short(top), ...short(wide), ...short(high), 0];
  return new Blob([Uint8Array.of(...control, ...place, 8), ...blocks(packed(cut))]);
}

function changed(now, before, width, height) {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let at = 0; at < now.length; at++) {
    if (before !== null && before[at] === now[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), y];
  }
  return right < 0 ? { left: 0, top: 0, right: 0, bottom: 0 } : { left, top, right, bottom };
}

/** Pixels by the method of Lempel, Ziv and Welch, in codes that grow from 9 to 12 bits. */
function packed(pixels) {
  const [clear, end] = [COLOURS, COLOURS + 1];
  const bytes = [];
  let [held, count] = [0, 0]; // bits that fill no byte yet
  let [known, next, size] = [new Map(), end + 1, 9];
  const put = (code) => {
    held |= code << count;
    for (count += size; count >= 8; count -= 8, held >>>= 8) bytes.push(held & 255);
  };
  put(clear);
  let row = pixels[0]; // the code of the pixels that are matched so far
  for (let at = 1; at < pixels.length; at++) {
    const longer = (row << 8) | pixels[at];
    const code = known.get(longer);
    if (code !== undefined) {
      row = code;
      continue;
    }
    put(row);
    if (next === MAX_CODES) {
      put(clear);
      [known, next, size] = [new Map(), end + 1, 9];
    } else {
      if (next === 1 << size) size++; // a reader knows this code one step later
      known.set(longer, next++);
    }
    row = pixels[at];
  }
  put(row);
  put(end);
  if (count) bytes.push(held & 255);
  return Uint8Array.from(bytes);
}

/** In pieces of at most 255 bytes, each behind its length. */
function blocks(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255);
    parts.push(Uint8Array.of(piece.length), piece);
  }
  return [...parts, Uint8Array.of(0)];
}

/** From a colour to the place of the nearest one in the palette. */
function finder(palette) {
  const known = new Map();
  return (red, green, blue) => {
    const colour = (red << 16) | (green << 8) | blue;
    let best = known.get(colour);
    if (best === undefined) {
      let least = Infinity;
      palette.forEach(([r, g, b], at) => {
        const far = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
        if (far < least) [least, best] = [far, at];
      });
      known.set(colour, best);
    }
    return best;
  };
}

const short = (number) => [number & 255, number >> 8];
const text = (words) => [...words].map((letter) => letter.charCodeAt(0));
