// What happened in the turn: the way of a unit, a push, a point, work that came to nothing.
import { set, svg } from "dohyo/elements.js";

export function createMarks(seats) {
  const under = svg("g", {}); // below the units
  const over = svg("g", {});
  let ways = [];
  let pushes = [];
  let points = [];
  let cancels = [];
  return {
    under,
    over,
    show({ marks, units }) {
      const of = (wanted) => marks.filter(([kind]) => kind === wanted);
      ways = of("move").flatMap(([, seat, , from, to]) => (from && to ? [way(seats[seat], from, to)] : []));
      pushes = of("push").map(([, seat, , , , from, to]) => push(seats[seat], from, to));
      points = of("score").flatMap(([, seat, unit]) => (units[seat][unit] ? [point(seats[seat], units[seat][unit])] : []));
      cancels = of("cancel").map(([, seat, , cell]) => cancel(seats[seat], cell));
      under.replaceChildren(...ways, ...pushes);
      over.replaceChildren(...cancels, ...points);
    },
    draw(progress) {
      for (const node of [...ways, ...pushes]) fade(node, 2 * progress);
      for (const node of cancels) fade(node, 3 * progress - 1.5);
      for (const node of points) {
        fade(node, 4 * progress - 2);
        set(node.firstChild, "transform", `translate(0 ${(0.2 * (1 - progress)).toFixed(3)})`);
      }
    },
    drawn: (scene) => ({
      pushes: pushes.map((node) => cellOf(node, scene)),
      points: points.map((node) => cellOf(node, scene)),
      cancels: cancels.map((node) => cellOf(node, scene)),
    }),
  };
}

const middle = ([x, y]) => [x + 0.5, y + 0.5];

function fade(node, opacity) {
  set(node, "opacity", Math.max(0, Math.min(1, opacity)).toFixed(2));
}

/** A line along which a unit went. */
function way(seat, from, to) {
  const [[x, y], [u, v]] = [middle(from), middle(to)];
  return svg("path", { d: `M${x} ${y}L${u} ${v}`, class: "way", stroke: seat.colour });
}

/** An arrow along which a unit was pushed. */
function push(seat, [x, y], [u, v]) {
  const d = "M.1 0H.62M.44-.2.66 0 .44.2";
  const turned = svg(
    "g",
    { transform: `rotate(${(Math.atan2(v - y, u - x) * 180) / Math.PI})` },
    svg("path", { d, class: "push edge" }),
    svg("path", { d, class: "push", stroke: seat.colour }),
  );
  return svg("g", { transform: `translate(${x + 0.5} ${y + 0.5})` }, turned);
}

/** A point, beside the unit that scored it. */
function point(seat, [x, y]) {
  const text = svg("text", { x: 0.32, y: -0.4, dy: ".36em", class: "point", fill: seat.colour }, "+1");
  return svg("g", { transform: `translate(${x + 0.5} ${y + 0.5})` }, svg("g", {}, text));
}

/** A dashed cross where nothing was built, or nobody could be pushed, because of somebody who was not seen. */
function cancel(seat, [x, y]) {
  const d = "M-.26-.26.26.26M-.26.26.26-.26";
  return svg(
    "g",
    { transform: `translate(${x + 0.5} ${y + 0.5})` },
    svg("path", { d, class: "cancel edge" }),
    svg("path", { d, class: "cancel", stroke: seat.colour }),
  );
}

function cellOf(node, scene) {
  const { e, f } = scene.getScreenCTM().inverse().multiply(node.getScreenCTM());
  return [e, f].map((at) => Math.round((at - 0.5) * 100) / 100);
}
