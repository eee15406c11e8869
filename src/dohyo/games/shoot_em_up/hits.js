// Hits: a flash around the robot, and an arrowhead on the side that the shot came from. Of the other robot that is all
// that one knows, so where only one is to be seen a dashed line says where the shooter must have been.
import { set, svg } from "dohyo/elements.js";
import { fade, SQUARES, squareOf } from "game/floor.js";

const SPARKS = 8;

export function createHits() {
  const under = svg("g", {});
  const over = svg("g", {});
  let flashes = [];
  let arrows = [];
  let lines = [];
  return {
    under,
    over,
    show({ marks, robots }) {
      const fresh = marks.filter(([kind, seat]) => kind === "hit" && robots[seat].x !== null);
      const isFresh = (p) => fresh.some(([, seat]) => seat === p);
      const alone = robots.some(({ x }) => x === null);
      const told = robots.flatMap((robot, p) => (robot.hit && robot.x !== null ? [{ robot, p }] : []));
      flashes = fresh.map(([, seat]) => flash(robots[seat]));
      arrows = told.map(({ robot, p }) => ({ node: arrow(robot), seat: p, fresh: isFresh(p) }));
      lines = (alone ? told : []).map(({ robot, p }) => ({ node: line(robot), fresh: isFresh(p) }));
      under.replaceChildren(...lines.map(({ node }) => node));
      over.replaceChildren(...flashes, ...arrows.map(({ node }) => node));
    },
    draw(progress) {
      for (const node of flashes) {
        const part = Math.max(0, (progress - 0.3) / 0.7);
        set(node.firstChild, "transform", `scale(${(0.4 + 0.9 * part).toFixed(3)})`);
        fade(node, set, part > 0 ? 1.2 - 0.75 * part : 0);
      }
      for (const { node, fresh } of [...arrows, ...lines]) fade(node, set, fresh ? 3 * progress - 1 : 1);
    },
    drawn: (scene) => ({
      flashes: flashes.map((node) => squareOf(node, scene)),
      arrows: arrows.map(({ node, seat }) => ({ seat, ...squareOf(node, scene), toward: toward(node, scene) })),
      lines: lines.length,
    }),
  };
}

const at = ({ x, y }) => `translate(${x + 0.5} ${y + 0.5})`;
const angle = ([dx, dy]) => (Math.atan2(dy, dx) * 180) / Math.PI;

/** Sparks around a robot. */
function flash(robot) {
  const spark = (_, n) => {
    const turn = (n * 2 * Math.PI) / SPARKS;
    const [x, y] = [Math.cos(turn), Math.sin(turn)];
    return `M${(0.42 * x).toFixed(3)} ${(0.42 * y).toFixed(3)}L${(0.62 * x).toFixed(3)} ${(0.62 * y).toFixed(3)}`;
  };
  const d = Array.from({ length: SPARKS }, spark).join("");
  return svg("g", { transform: at(robot) }, svg("g", {}, svg("path", { d, class: "flash" })));
}

/** An arrowhead beside a robot, pointing at it from where the shot came. */
function arrow(robot) {
  const d = "M.78-.17.52 0 .78.17Z";
  return svg(
    "g",
    { transform: at(robot) },
    svg("path", { d, class: "arrow", transform: `rotate(${angle(robot.hit)})` }),
  );
}

/** Where the shooter must have been: from the robot to the edge of the board. */
function line({ x, y, hit: [dx, dy] }) {
  const room = (place, step) => (step > 0 ? SQUARES - 1 - place : step < 0 ? place : SQUARES);
  const far = Math.min(room(x, dx), room(y, dy));
  const d = `M${x + 0.5} ${y + 0.5}L${x + 0.5 + dx * far} ${y + 0.5 + dy * far}`;
  return svg("path", { d, class: "somewhere" });
}

/** The direction in which an arrow really lies from its robot. */
function toward(node, scene) {
  const inner = node.firstChild;
  const { a, b } = scene.getScreenCTM().inverse().multiply(inner.getScreenCTM());
  const turn = Math.round(Math.atan2(b, a) / (Math.PI / 4));
  const sign = (number) => Math.round(number * 1.2);
  return [sign(Math.cos((turn * Math.PI) / 4)), sign(Math.sin((turn * Math.PI) / 4))];
}
