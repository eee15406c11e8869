// The parts of the viewer. Each shows one thing; what the person does with it is one of the viewer's acts.
import { createAnalyse } from "dohyo/analyse.js";
import { createCards } from "dohyo/cards.js";
import { createCharts } from "dohyo/charts.js";
import { createControls } from "dohyo/controls.js";
import { elsewhere, inputs } from "dohyo/decode.js";
import { createFaults } from "dohyo/faults.js";
import { createHelp } from "dohyo/help.js";
import { shortcuts } from "dohyo/keyboard.js";
import { laneEnds } from "dohyo/marks.js";
import { createNotice } from "dohyo/notice.js";
import { createOnward } from "dohyo/onward.js";
import { createOverlay } from "dohyo/overlay.js";
import { createPanel } from "dohyo/panel.js";
import { createSaving } from "dohyo/saving.js";
import { createBanner, createStandings } from "dohyo/standings.js";
import { createTelling } from "dohyo/telling.js";
import { createTimeline } from "dohyo/timeline.js";
import { viewChoice } from "dohyo/view_choice.js";

/**
 * @typedef {object} Acts what can be done with the viewer
 * @property {(turn: number, progress: number) => void} draw
 * @property {() => void} changed called at each change of what is shown, or opened
 * @property {(position: number) => void} toMatch
 * @property {(direction: number) => void} toMark
 * @property {(seat: number | null) => void} follow
 * @property {() => void} unfollow
 * @property {(view: object) => void} look by other eyes
 * @property {() => void} nextView
 * @property {(point: object) => void} showVariation
 * @property {(analysis: object) => void} showAnalysis
 * @property {(command: string) => void} copyCommand
 *
 * @param {object} options
 * @param {ReturnType<import("dohyo/match.js").createMatch>} options.match
 * @param {object} options.view the game's view.js
 * @param {object} options.scene the game's, see start.js
 * @param {HTMLElement} options.host what the board is in
 * @param {ReturnType<import("dohyo/player.js").createPlayer>} options.player
 * @param {object[]} options.marks see marks.js
 * @param {Acts} options.acts looked at when something is done, not before
 * @param {Function} options.say
 */
export function createParts({ match, view, scene, host, player, marks, acts, say }) {
  const { content, seats, variation, first, last, tell } = match;
  const { result } = content;
  const onSeek = (position) => acts.toMatch(position);
  const onToggle = () => acts.changed();
  const notice = createNotice();
  const ends = laneEnds(match.framesOf(match.views[0]), scene, seats);
  const parts = {
    notice,
    variation,
    timeline: createTimeline({ seats, last, first, marks, ends, say, tell, onSeek }),
    controls: createControls({ player, toMark: (direction) => acts.toMark(direction), say }),
    cards: createCards({ seats, say, onFollow: (seat) => acts.follow(seat) }),
    panel: panelOf(match, say, onToggle),
    charts: chartsOf(match, view, say, { onSeek, onToggle, acts }),
    faults: createFaults({ turns: content.turns, first, seats, say, now: () => player.turn, onSeek, onToggle }),
    overlay: createOverlay({ seats, board: () => scene.board }),
    banner: bannerOf(match, say),
    standings: createStandings({ seats, standings: content.standings, result, say }),
    telling: createTelling({ match, scene, host, say }),
    choice: viewChoice({ views: match.views, seats, say, onChoose: (at) => acts.look(match.views[at]) }),
  };
  const table = tableOf(match, player, parts, acts);
  const help = createHelp({ table, legend: view.legend ?? [], content, seats, say });
  const saving = savingOf(match, view, { host, player, parts, acts, say });
  const onward = content.served?.bots ? createOnward({ match, now: () => player.turn, say }) : null;
  return Object.assign(parts, { table, help, saving, onward });
}

/** What the bots did. */
function panelOf(match, say, onToggle) {
  const { content, variation } = match;
  let sent = null; // unpacked when somebody looks
  return createPanel({
    game: content.game,
    seats: match.seats,
    turns: () => match.onBoard.turns,
    varying: () => variation.now !== null,
    sign: variation.sign,
    first: match.first,
    last: content.result.last ?? [],
    only: content.only ?? null,
    hiddenFrom: match.hiddenFrom,
    say,
    onToggle,
    inputs: () => (sent ??= inputs(content.inputs)),
    elsewhere: content.inputs.elsewhere ?? elsewhere(content.inputs),
  });
}

/** The charts, with a button that analyses the match where a server can. */
function chartsOf({ content, seats, first, tell }, view, say, { onSeek, onToggle, acts }) {
  const onLine = (point) => acts.showVariation(point);
  const onCopy = (command) => acts.copyCommand(command);
  const charts = createCharts({ content, view, seats, first, say, tell, onSeek, onToggle, onLine, onCopy });
  const { served } = content;
  if (served?.note !== undefined) charts.offer(createAnalyse({ note: served.note, say, onFound: (analysis) => acts.showAnalysis(analysis) }));
  return charts;
}

/** Who won; a click takes it away. */
function bannerOf({ content, seats }, say) {
  const banner = createBanner({ seats, result: content.result, say });
  banner.addEventListener("click", () => {
    banner.hidden = true;
  });
  return banner;
}

/** The keys. */
function tableOf(match, player, parts, acts) {
  return shortcuts({
    player,
    toMark: (direction) => acts.toMark(direction),
    follow: (seat) => acts.follow(seat),
    unfollow: () => acts.unfollow(),
    nextView: match.views.length > 1 && (() => acts.nextView()),
    toggleAnnotations: parts.overlay.toggle,
    toggleInputs: parts.panel.toggleInputs,
    showHelp: () => parts.help.show(),
  });
}

/** Pictures and films. */
function savingOf({ content, seats, numberOf }, view, { host, player, parts, acts, say }) {
  const words = () => parts.telling.words(player.turn);
  const draw = (turn, progress) => acts.draw(turn, progress);
  const announce = parts.notice.show;
  return createSaving({ content, seats, say, player, host, draw, pace: view.pace, words, numberOf, announce });
}
