// The meteors, each with a trail along the way it came.
import { set, svg } from "dohyo/elements.js";
import { SQUARES } from "game/ground.js";

const TRAIL = 5; // turns that a trail reaches back

export function createMeteors() {
  const node = svg("g", {});
  const meteors = [];

  function make() {
    const trails = [TRAIL, TRAIL / 2].map(() => svg("path", { class: "trail" }));
    const meteor = svg("g", {}, ...trails, svg("circle", { r: 0.75, class: "meteor" }));
    meteors.push({ node: meteor, trails });
    node.append(meteor);
  }

  return {
    node,
    draw(frame, progress) {
      while (meteors.length < frame.meteors.length) make();
      meteors.forEach(({ node: meteor, trails }, at) => {
        const now = frame.meteors[at];
        set(meteor, "display", now ? "inline" : "none");
        if (!now) return;
        const [x, y, across, upward] = now;
        const entering = y === SQUARES - 1; // only at its very first place
        const back = entering ? 0 : 1 - progress;
        set(meteor, "opacity", entering ? progress.toFixed(2) : 1);
        set(
          meteor,
          "transform",
          `translate(${(x - across * back + 0.5).toFixed(3)} ${(SQUARES - (y - upward * back) - 0.5).toFixed(3)})`,
        );
        const turns = Math.min(TRAIL, upward ? (SQUARES - 1 - y) / -upward : TRAIL);
        trails.forEach((trail, half) => {
          const long = turns / (half + 1);
          set(trail, "d", `M0 0L${(-across * long).toFixed(2)} ${(upward * long).toFixed(2)}`);
        });
      });
    },
    /** Where the meteors are, to a hundredth of a square. */
    drawn: (scene) =>
      meteors
        .filter(({ node: meteor }) => getComputedStyle(meteor).display !== "none")
        .map(({ node: meteor }) => squareOf(meteor, scene)),
  };
}

/** The square of the board in whose middle an element really is on the page. */
export function squareOf(node, scene) {
  const { e, f } = scene.getScreenCTM().inverse().multiply(node.getScreenCTM());
  return [e - 0.5, SQUARES - 0.5 - f].map((value) => Math.round(value * 100) / 100);
}
