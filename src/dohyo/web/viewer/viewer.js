// The viewer as a whole: it makes the match and its parts, says what can be done with them, and shows what the page's
// address names. `start.js` says what a game's `view.js` exports. Frames are the game's, made in Python.
import { copy } from "dohyo/address.js";
import { createDrawing } from "dohyo/drawing.js";
import { hearFiles, openReplay } from "dohyo/drop.js";
import { adopt, element } from "dohyo/elements.js";
import { listen } from "dohyo/keyboard.js";
import { layOut } from "dohyo/layout.js";
import { createLooking, marksOf } from "dohyo/looking.js";
import { createMatch } from "dohyo/match.js";
import { createParts } from "dohyo/parts.js";
import { createPlace } from "dohyo/place.js";
import { createPlayer } from "dohyo/player.js";
import { looks } from "dohyo/seats.js";
import { createStatus } from "dohyo/status.js";
import { createVariation } from "dohyo/variation.js";
import { createVarying } from "dohyo/varying.js";
import { speaker } from "dohyo/words.js";

/**
 * Show a match.
 * @param {HTMLElement} root what was in it is replaced
 * @param {object} content see dohyo/web/content.py
 * @param {object} view the game's view.js
 */
export function mount(root, content, view) {
  const say = speaker(content.words);
  const seats = looks(content.seats);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const still = () => calm.matches;
  const acts = {}; // see parts.js; the parts need them only when somebody does something

  if (view.style) adopt(view.style);
  const host = element("div", { class: "board", role: "img" });
  const scene = view.create(host, { seats, say });
  const variation = createVariation({ say, onLeave: () => varying.back() });
  const match = createMatch({ content, seats, variation, say });
  const marks = marksOf(match, view, say);
  const player = createPlayer({
    last: match.last,
    pace: view.pace,
    moments: () => looking.marks,
    still,
    onDraw: (turn, progress) => drawing.draw(turn, progress),
    onChange: () => changed(),
  });
  const parts = createParts({ match, view, scene, host, player, marks, acts, say });
  const drawing = createDrawing({ match, view, scene, parts, statusOf: createStatus({ match, scene, say }) });
  const varying = createVarying({ match, player, parts, drawing, host, still });
  const looking = createLooking({ match, view, scene, player, marks, parts, drawing, varying, changed, say });
  const place = createPlace({ match, player, parts, varying, looking });

  /** At rest: say where we are aloud, and in the page's address. While playing both would be a flood. */
  function changed() {
    parts.controls.update();
    if (player.playing) return;
    const isOver = !variation.now && player.turn === match.last;
    parts.telling.sayPlace(player.turn, isOver ? ` ${parts.banner.textContent}` : "");
    place.write();
  }

  Object.assign(acts, actsOf({ match, player, parts, drawing, varying, looking, place, say }), { changed });
  layOut(root, { content, view, say, host, parts, onCopyLink: acts.copyLink });
  begin({ match, parts, place });
  listenToAll({ content, scene, parts, place, say });
  return handle({ match, scene, player, parts, drawing, looking, acts });
}

/** What can be done with the viewer: see parts.js. */
function actsOf({ match, player, parts, drawing, varying, looking, place, say }) {
  const { charts, notice, panel } = parts;
  return {
    draw: drawing.draw,
    toMark: looking.toMark,
    follow: looking.follow,
    unfollow: () => (match.variation.now ? varying.back() : looking.follow(match.followed)),
    look: looking.look,
    nextView: looking.nextView,
    showVariation: varying.play,
    /** Go to a position of the match. */
    toMatch(position) {
      varying.leave();
      player.seek(position);
    },
    /** The match was analysed while the page is open; a variation is one of an analysis that is no longer shown. */
    showAnalysis(analysis) {
      varying.leave();
      match.content.analysis = analysis;
      panel.reserve(analysis);
      charts.show(match.frames, match.view.seat);
      place.arrived();
    },
    async copyLink() {
      notice.show(say((await copy(place.link())) ? "viewer.copied" : "viewer.not-copied"));
    },
    async copyCommand(command) {
      notice.show(say((await copy(command)) ? "viewer.command-copied" : "viewer.command-not-copied"));
    },
  };
}

/** Show what the address names. */
function begin({ match, parts, place }) {
  const { content } = match;
  parts.panel.reserve(content.analysis);
  parts.charts.show(match.frames, match.view.seat);
  parts.faults.show(match.isTold);
  const given = location.hash;
  place.toAddress();
  if (content.served) place.expectLine(given);
}

/** Hear the keyboard, the address and the colours, until the page is left. */
function listenToAll({ content, scene, parts, place, say }) {
  listen(parts.table);
  hearFiles((name, file) => {
    if (content.served && file) openReplay(file, parts.notice.show, say);
    else parts.notice.show(say("viewer.one-match", { file: name || "FILE" }));
  });
  addEventListener("hashchange", place.toAddress);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    parts.timeline.paint();
    scene.redraw?.();
  });
}

/** What the browser's console has at hand, and tests. */
function handle({ match, scene, player, parts, drawing, looking, acts }) {
  return {
    player,
    get marks() {
      return looking.marks;
    },
    /** Go to the position after `turn` turns at once, and stay there. */
    seek(turn) {
      player.pause();
      acts.toMatch(turn);
    },
    show: (at) => looking.look(match.views[at]),
    draw: drawing.draw,
    drawn: () => scene.drawn(),
    charts: () => parts.charts.drawn(),
    /** Whether nothing moves. */
    get resting() {
      return !player.playing && player.position === player.turn;
    },
    get frame() {
      return match.onBoard.frames[player.turn];
    },
    /** The frames and moves of the variation that is shown; null for the match. */
    get variation() {
      return match.variation.now;
    },
  };
}
