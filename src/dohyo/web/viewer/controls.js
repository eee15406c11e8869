// The buttons under the board.
import { element, icon, iconButton, keepFocus } from "dohyo/elements.js";
import { MOMENTS, SPEEDS } from "dohyo/player.js";

/**
 * @param {object} options
 * @param {ReturnType<import("dohyo/player.js").createPlayer>} options.player
 * @param {(direction: number) => void} options.toMark go to the next mark, or the one before
 * @param {Function} options.say
 */
export function createControls({ player, toMark, say }) {
  const button = (name, key, act) => iconButton(name, say(key), act);
  const play = button("play", "viewer.play", () => player.toggle());
  play.classList.add("play");
  const speed = element(
    "select",
    {
      "aria-label": say("viewer.speed"),
      title: say("viewer.speed"),
      change: () => player.setSpeed(speed.value === MOMENTS ? MOMENTS : Number(speed.value)),
    },
    ...SPEEDS.map((value) => element("option", { value }, `${value}\u00d7`)),
    element("option", { value: MOMENTS }, say("viewer.moments")),
  );
  const atStart = [
    button("start", "viewer.to-start", () => player.seek(0)),
    button("previousMark", "viewer.previous-mark", () => toMark(-1)),
    button("previous", "viewer.previous", () => player.step(-1)),
  ];
  const atEnd = [
    button("next", "viewer.next", () => player.step(1)),
    button("nextMark", "viewer.next-mark", () => toMark(1)),
    button("end", "viewer.to-end", () => player.seek(player.last)),
  ];
  const node = element(
    "div",
    { class: "controls", role: "group", "aria-label": say("viewer.controls") },
    ...atStart,
    play,
    ...atEnd,
    speed,
  );
  keepFocus(node);
  let shown = null;
  return {
    node,
    update() {
      speed.value = String(player.speed);
      play.disabled = player.last === 0;
      // While playing, no end is reached: the position runs on without another call of this.
      const at = player.playing ? null : player.turn;
      for (const one of atStart) one.disabled = at === 0;
      for (const one of atEnd) one.disabled = at === player.last;
      if (shown === player.playing) return;
      shown = player.playing;
      const label = say(shown ? "viewer.pause" : "viewer.play");
      play.replaceChildren(icon(shown ? "pause" : "play"));
      play.setAttribute("aria-label", label);
      play.title = label;
    },
  };
}
