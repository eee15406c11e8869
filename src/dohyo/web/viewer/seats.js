// How seats look, in every game: a colour, a shape and a number, so that nobody has to rely on colour alone.
import { svg } from "dohyo/elements.js";
import { short, visible } from "dohyo/words.js";

// Okabe and Ito's colours, which stay distinct with every common colour blindness; dark and light alternate.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#8d8379"];

// Silhouettes around (0, 0), of about the same area as a circle of radius 1; where the number's middle is.
const SHAPES = [
  { d: "M0-1A1 1 0 1 1 0 1A1 1 0 1 1 0-1z", middle: 0 },
  { d: "M-.7-.92H.7Q.92-.92.92-.7V.7Q.92.92.7.92H-.7Q-.92.92-.92.7V-.7Q-.92-.92-.7-.92z", middle: 0 },
  { d: "M-.16-1.12Q0-1.34.16-1.12L1.18.66Q1.3.94 1 .96H-1Q-1.3.94-1.18.66z", middle: 0.3 },
  {
    d: "M-.14-1.17Q0-1.3.14-1.17L1.17-.14Q1.3 0 1.17.14L.14 1.17Q0 1.3-.14 1.17L-1.17.14Q-1.3 0-1.17-.14z",
    middle: 0,
  },
  { d: "M-.5-.96H.5L1.08 0 .5.96H-.5L-1.08 0z", middle: 0 },
  { d: "M0-1.1L1.08-.3.68.92H-.68L-1.08-.3z", middle: 0.06 },
  { d: "M-1.18-.66Q-1.3-.94-1-.96H1Q1.3-.94 1.18-.66L.16 1.12Q0 1.34-.16 1.12z", middle: -0.3 },
  { d: "M-.4-1H.4V-.4H1V.4H.4V1H-.4V.4H-1V-.4H-.4z", middle: 0 },
];

/**
 * @typedef {object} Seat
 * @property {number} number
 * @property {string} name as the replay has it: a stranger's text
 * @property {string} short the same, of at most 20 characters
 * @property {string} label the same, with its language or its number where other seats bear that name
 * @property {string} told its language where another program bears that name, else empty
 * @property {string} colour
 * @property {string} ink the colour of text on it
 * @property {string} shape a path around (0, 0)
 * @property {number} middle where the shape's number stands, below (0, 0)
 */

/**
 * @param {{name: string}[]} seats
 * @returns {Seat[]}
 */
export function looks(seats) {
  const shorts = seats.map((seat) => short(seat.name, 20));
  return seats.map((seat, number) => {
    const colour = COLOURS[number] ?? farColour(number);
    const shape = SHAPES[number % SHAPES.length];
    const named = seats.filter((_, other) => shorts[other] === shorts[number]);
    const alike = named.filter((other) => other.language === seat.language);
    const told = alike.length < named.length ? short(seat.language ?? "", 20) : ""; // programs in other languages
    const apart = [told, ...(told && alike.length === 1 ? [] : [number])].filter((word) => word !== "").join(", ");
    return {
      number,
      name: visible(seat.name).replace(/\s+/g, " "),
      language: seat.language,
      digest: seat.digest,
      short: shorts[number],
      label: named.length === 1 ? shorts[number] : `${shorts[number]} (${apart})`,
      told,
      colour,
      ink: luminance(colour) > 0.179 ? "#000000" : "#ffffff",
      shape: shape.d,
      middle: shape.middle,
    };
  });
}

/** A seat's sign: its shape in its colour with its number. */
export function badge(seat, size = 1) {
  const number = svg(
    "text",
    { y: seat.middle, dy: ".36em", class: "badge-number", fill: seat.ink },
    String(seat.number),
  );
  if (seat.number > 9) number.setAttribute("font-size", ".85");
  const shape = svg("path", { d: seat.shape, fill: seat.colour, class: "badge-shape" });
  return svg(
    "svg",
    { viewBox: "-1.4 -1.4 2.8 2.8", class: "badge", "aria-hidden": "true", width: `${size}em`, height: `${size}em` },
    shape,
    number,
  );
}

/** Colours for the many: the golden angle keeps neighbours apart, and lightness goes up and down. */
function farColour(number) {
  const hue = (number * 137.508) % 360;
  const light = [0.42, 0.62, 0.52][number % 3];
  const part = (offset) => {
    const k = (offset + hue / 30) % 12;
    const value = light - 0.6 * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

/** Relative luminance, as WCAG defines it. */
export function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
