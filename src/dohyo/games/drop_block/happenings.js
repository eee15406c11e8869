// What happened in the turn: the blocks that an attack aimed at, a step that was not possible, falls.
import { set, svg } from "dohyo/elements.js";
import { centre, outline } from "game/floor.js";
import { ANGLES, squareOf, STEPS } from "game/players.js";

export function createMarks(seats) {
  const under = svg("g", {}); // below the players
  const over = svg("g", {});
  let aims = [];
  let walls = [];
  let falls = [];
  let boxes = [];
  return {
    under,
    over,
    show({ marks, letter }) {
      const of = (kind, make) => marks.filter(([what]) => what === kind).map(make);
      const attack = marks.find(([kind]) => kind === "attack");
      aims = of("aim", ([, seat, block]) => aim(seats[seat], block, attack[2]));
      boxes = of("aim", ([, , block]) => around(centre(block)));
      walls = of("blocked", ([, , row, column]) => wall(row, column, letter));
      falls = of("fall", ([, seat, row, column]) => fallen(seats[seat], row, column));
      under.replaceChildren(...aims, ...walls);
      over.replaceChildren(...falls);
    },
    /** Where chevrons are, in squares, as half sizes around (x, y): no name may hide them. */
    boxes: () => boxes,
    /** One aim after the other, outward; a cross when the fall is nearly over. */
    draw(progress) {
      aims.forEach((node, at) => fade(node, progress * (aims.length + 1) - at));
      for (const node of walls) fade(node, 2 * progress);
      for (const node of falls) fade(node, 3 * progress - 2);
    },
    drawn: (scene) => ({
      aims: aims.map((node) => squareOf(node, scene)),
      falls: falls.map((node) => ({ seat: Number(node.textContent), ...squareOf(node, scene) })),
      blocked: walls.length,
    }),
  };
}

function fade(node, opacity) {
  set(node, "opacity", Math.max(0, Math.min(1, opacity)).toFixed(2));
}

const around = ([x, y]) => ({ x, y, wide: 0.65, high: 0.65 });

/** Chevrons over a block, in the direction of the attack. */
function aim(seat, block, facing) {
  const [x, y] = centre(block);
  const d = "M-.48.04 0-.4.48.04M-.48.46 0 .02.48.46";
  const chevrons = svg(
    "g",
    { transform: `rotate(${ANGLES[facing]})` },
    svg("path", { d, class: "chevron edge" }),
    svg("path", { d, class: "chevron", stroke: seat.colour }),
  );
  const border = outline({ class: "aimed", stroke: seat.colour });
  return svg("g", { transform: `translate(${x} ${y})` }, border, chevrons);
}

/** A bar at the edge that could not be crossed, before the square (row, column). */
function wall(row, column, facing) {
  const [across, along] = STEPS[facing];
  const where = `translate(${column + 0.5 - 0.5 * across} ${row + 0.5 - 0.5 * along}) rotate(${ANGLES[facing]})`;
  return svg("path", { d: "M-.5 0H.5", class: "wall", transform: where });
}

/** A cross where a player fell. */
function fallen(seat, row, column) {
  const d = "M-.5-.5.5.5M-.5.5.5-.5";
  return svg(
    "g",
    { transform: `translate(${column + 0.5} ${row + 0.5})` },
    svg("path", { d, class: "cross edge" }),
    svg("path", { d, class: "cross", stroke: seat.colour }),
    svg("text", { y: -0.92, dy: ".3em", class: "who" }, String(seat.number)),
  );
}
