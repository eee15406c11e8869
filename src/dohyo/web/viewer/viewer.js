// The viewer as a whole: it lays the page out and ties its parts to one player.
// `start.js` says what a game's `view.js` exports. Frames are the game's, made in Python.
import { addressOf, copy, readAddress, replaceAddress } from "dohyo/address.js";
import { createAnalyse } from "dohyo/analyse.js";
import { createCards } from "dohyo/cards.js";
import { createCharts } from "dohyo/charts.js";
import { createControls } from "dohyo/controls.js";
import { frames, inputs } from "dohyo/decode.js";
import { refuseFiles } from "dohyo/drop.js";
import { adopt, element, iconButton, setText } from "dohyo/elements.js";
import { createFaults, faultCounter } from "dohyo/faults.js";
import { about, createHelp } from "dohyo/help.js";
import { listen, shortcuts } from "dohyo/keyboard.js";
import { collectMarks, isHidden, laneEnds, ownTurns } from "dohyo/marks.js";
import { createNotice } from "dohyo/notice.js";
import { createOverlay } from "dohyo/overlay.js";
import { createPanel } from "dohyo/panel.js";
import { createPlayer } from "dohyo/player.js";
import { createSaving } from "dohyo/saving.js";
import { looks } from "dohyo/seats.js";
import { createBanner, createStandings } from "dohyo/standings.js";
import { createSteady, stay } from "dohyo/steady.js";
import { createTimeline } from "dohyo/timeline.js";
import { createVariation } from "dohyo/variation.js";
import { viewChoice } from "dohyo/view_choice.js";
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
  const last = content.turns.length;
  const first = content.header.first ?? 0; // the number of the first turn: after position p, turn first + p is played
  const numberOf = (position) => first + position - 1;
  const views = content.views.map((one) => ({ seat: one.seat, frames: null, content: one }));
  const framesOf = (one) => (one.frames ??= frames(one.content));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let current = views[0];
  let followed = null;
  let sentInputs = null;
  let shownTurn = null;
  let cameFrom = null; // how far down the page was where a variation was asked for

  if (view.style) adopt(view.style);
  const host = element("div", { class: "board", role: "img" });
  const scene = view.create(host, { seats, say });
  let marks = collectMarks(content, framesOf(current), framesOf(current), view, seats, say);
  const tell = (position) => (position ? say("viewer.turn", { turn: numberOf(position) }) : say("viewer.start"));
  const player = createPlayer({ last, pace: view.pace, moments: () => marks, still: () => calm.matches, onDraw: draw, onChange: changed });

  const notice = createNotice();
  const announce = notice.show;
  const timeline = createTimeline({
    seats,
    last,
    first,
    marks,
    ends: laneEnds(framesOf(views[0]), scene, seats),
    say,
    tell,
    onSeek: toMatch,
  });
  const controls = createControls({ player, toMark, say });
  const cards = createCards({ seats, say, onFollow: follow });
  const panel = createPanel({
    game: content.game,
    seats,
    turns: () => shownNow().turns,
    varying: () => variation.now !== null,
    sign: (position) => variation.sign(position),
    first,
    last: content.result.last ?? [],
    only: content.only ?? null,
    hiddenFrom: (turn, seat) => (isHidden(shownNow().frames[turn + 1], seat) ? seats[current.seat].label : null),
    say,
    onToggle: () => changed(),
    inputs: () => (sentInputs ??= inputs(content.inputs)),
    elsewhere: content.inputs.elsewhere ?? null,
  });
  const told = (position, seat) => !isHidden(shownNow().frames[position], seat);
  const faultsUntil = faultCounter(content.turns);
  const onSeek = toMatch;
  const onToggle = () => changed();
  const variation = createVariation({ say, onLeave: backToMatch });
  const steady = createSteady({ cards: cards.node, panel: panel.node });
  const tellNow = (position) =>
    variation.isVaried(position) ? `${tell(position)}, ${say("viewer.of-variation")}` : tell(position);
  const charts = createCharts({ content, view, seats, first, say, tell, onSeek, onToggle, onLine: showVariation, onCopy: copyCommand });
  const faults = createFaults({ turns: content.turns, first, seats, say, now: () => player.turn, onSeek, onToggle });
  const overlay = createOverlay({ seats, board: () => scene.board });
  const banner = createBanner({ seats, result: content.result, say });
  banner.addEventListener("click", () => {
    banner.hidden = true;
  });
  let awaited = null; // what the address named before there was an analysis, and what was shown instead
  if (content.served) charts.offer(createAnalyse({ note: content.served.note, say, onFound: showAnalysis }));
  const standings = createStandings({ seats, standings: content.standings, result: content.result, say });
  const table = shortcuts({
    player,
    toMark,
    follow,
    unfollow: () => (variation.now ? backToMatch() : follow(followed)),
    nextView: views.length > 1 && nextView,
    toggleAnnotations: overlay.toggle,
    toggleInputs: panel.toggleInputs,
    showHelp: () => help.show(),
  });
  const help = createHelp({ table, legend: view.legend ?? [], content, seats, say });
  const saving = createSaving({ content, seats, say, player, host, draw, pace: view.pace, words: wordsNow, numberOf, announce });
  const count = element("span", { class: "count" });
  const caption = element("span", { class: "caption" });
  const spoken = element("div", { class: "unseen", "aria-live": "polite" });
  const choice = viewChoice({ views, seats, say, onChoose: (at) => show(views[at]) });

  root.replaceChildren(
    element(
      "div",
      { class: "viewer" },
      element(
        "header",
        {},
        element("span", { class: "ring", "aria-hidden": "true" }),
        element("h1", {}, content.title),
        about(content, say),
        ...(choice ? [choice.node] : []),
        iconButton("link", say("viewer.copy-link"), copyLink),
        ...saving.buttons,
        iconButton("help", say("viewer.help"), () => help.show()),
      ),
      // A square board is seen to its last row; a broad one has room above.
      element("main", { class: view.broad ? "stage broad" : "stage" }, host, ...(view.broad ? [banner] : [])),
      element("aside", {}, ...(view.broad ? [] : [banner]), cards.node, standings, panel.node, charts.node, faults.node),
      element("footer", {}, element("div", { class: "telling" }, count, caption), controls.node, variation.node, timeline.node),
      spoken,
      notice.node,
      help.node,
      saving.node,
    ),
  );

  /** The frames and the moves on the board: the match's, or those of a variation. */
  function shownNow() {
    return variation.now ?? { frames: framesOf(current), turns: content.turns };
  }

  function draw(turn, progress) {
    const { frames: all, turns } = shownNow();
    scene.draw(all[turn], turn ? all[turn - 1] : null, progress, turns[turn - 1] ?? []);
    timeline.update(Math.min(last, turn - 1 + progress), Math.min(last, turn), tellNow(turn));
    if (turn !== shownTurn) showTurn(turn);
    else overlay.fit();
    if (!variation.now) banner.hidden = !(turn === last && progress === 1);
    else if (view.broad) banner.hidden = true; // it lies over the board; beside it, it stays, marked as the match's
  }

  /** Show the better line of a turning point instead of the match, from the position before it. */
  function enterVariation(point) {
    steady.hold();
    variation.enter(point, framesOf(current), content.turns);
    charts.mark(variation.now.point);
    timeline.vary([variation.now.base, variation.now.last]);
    shownTurn = null;
    player.limit(variation.now.last, variation.now.base);
    player.seek(variation.now.base);
  }

  /** Play it. */
  function showVariation(point) {
    cameFrom ??= scrollY;
    enterVariation(point);
    host.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" }); // on a phone it is far above
    setText(spoken, variation.now.text);
    player.play();
  }

  /** To the match, at the turn that was varied. */
  function leaveVariation() {
    if (!variation.now) return;
    const { base } = variation.now;
    charts.mark(null);
    variation.leave();
    timeline.vary(null);
    steady.release();
    cameFrom = null;
    shownTurn = null;
    player.limit(last);
    player.seek(base + 1);
  }

  /** The same by the key or the button: back to where the variation was asked for, on the page too. */
  function backToMatch() {
    const [top, hadFocus] = [cameFrom, variation.node.contains(document.activeElement)];
    const button = charts.mark(variation.now.point);
    const panels = button?.closest("aside");
    const isScrolled = panels && getComputedStyle(panels).overflowY === "auto";
    if (top !== null && !isScrolled) scrollTo({ top });
    stay(button, isScrolled ? panels : document.scrollingElement, leaveVariation);
    if (hadFocus) button?.focus({ preventScroll: true });
  }

  /** Go to a position of the match. */
  function toMatch(position) {
    leaveVariation();
    player.seek(position);
  }

  function showTurn(turn) {
    shownTurn = turn;
    const { frames: all, turns } = shownNow();
    const frame = all[turn];
    const words = scene.describe(frame);
    const where = { turn: numberOf(turn), last: numberOf(last) };
    const isVaried = variation.show(turn);
    setText(count, isVaried ? tell(turn) : turn ? say("viewer.turn-of", where) : say("viewer.start"));
    setText(caption, words);
    host.setAttribute("aria-label", `${tellNow(turn)}: ${words}`);
    const movers = new Set((turns[turn - 1] ?? []).map((move) => move.seat));
    cards.update(
      seats.map(({ number }) => ({ ...statusOf(frame, turn, number), moved: movers.has(number) })),
      followed,
    );
    if (!variation.now) standings.hidden = turn !== last; // in a variation it stays, marked as the match's
    const [shown, moves] = panel.show(turn, followed);
    overlay.show(moves.filter(({ seat }) => told(shown + 1, seat)));
    charts.update(Math.min(turn, variation.now?.base ?? last)); // they show the match, and are marked so in a variation
  }

  /** How a seat fares; and as `trouble` from when on its program is no longer asked, and how many faults it has had. */
  function statusOf(frame, turn, seat) {
    const status = scene.status(frame, seat);
    if (!told(turn, seat)) return status;
    const played = Math.min(turn, variation.now?.base ?? last); // what was before a variation counts in it too
    const { stopped } = content.standings.find((line) => line.seat === seat);
    const trouble = [];
    if (stopped !== null && numberOf(played) >= stopped) trouble.push(say("viewer.stopped", { turn: stopped }));
    const count = faultsUntil(played, seat);
    if (count) trouble.push(say("viewer.faults", { count }));
    return { ...status, trouble: trouble.join(" \u00b7 ") };
  }

  /** At rest: say where we are aloud, and in the page's address. While playing both would be a flood. */
  function changed() {
    controls.update();
    if (player.playing) return;
    const turn = player.turn;
    setText(
      spoken,
      `${tellNow(turn)}: ${scene.describe(shownNow().frames[turn])}${!variation.now && turn === last ? ` ${banner.textContent}` : ""}`,
    );
    const address = here();
    if (location.hash !== address && (address !== "#t=start" || location.hash)) replaceAddress(address);
  }

  function toMark(direction) {
    const now = player.turn;
    const mine = followed === null ? marks.map((mark) => mark.at) : ownTurns(content.turns, followed);
    const wanted = variation.now ? [variation.now.base] : mine;
    const ahead = direction > 0 ? wanted.find((at) => at > now) : wanted.findLast((at) => at < now);
    player.seek(ahead ?? (direction > 0 ? player.last : 0));
  }

  function follow(seat) {
    if (seat !== null && seat >= seats.length) return;
    followed = seat === followed ? null : seat;
    scene.follow?.(followed);
    charts.follow(followed);
    changed();
    showTurn(player.turn);
  }

  function show(one) {
    leaveVariation();
    current = one;
    shownTurn = null;
    marks = collectMarks(content, framesOf(views[0]), framesOf(one), view, seats, say);
    timeline.remark(marks);
    charts.show(framesOf(one), one.seat);
    faults.show(told);
    choice?.choose(views.indexOf(one));
    player.redraw();
    changed();
  }

  function nextView() {
    show(views[(views.indexOf(current) + 1) % views.length]);
  }

  /** The match was analysed while the page is open; a variation is one of an analysis that is no longer shown. */
  function showAnalysis(analysis) {
    leaveVariation();
    content.analysis = analysis;
    panel.reserve(analysis);
    charts.show(framesOf(current), current.seat);
    const line = awaited && here() === awaited.shown ? awaited.address : "";
    awaited = null;
    if (line) {
      replaceAddress(line);
      toAddress();
    }
  }

  /** What can be opened and closed, by the names that the address has for it. */
  const boxes = () => new Map([...charts.panels, ["faults", faults.node]]);
  const openNow = () => [
    ...[...boxes()].flatMap(([name, box]) => (box.open ? [name] : [])),
    ...(panel.inputsOpen() ? ["input"] : []),
  ];

  /** The address of what is shown. */
  function here() {
    const open = openNow();
    return addressOf({
      turn: player.turn ? numberOf(player.turn) : null,
      seat: followed,
      view: current === views[0] ? null : current.seat,
      line: variation.now?.point ?? null,
      open: open.length === boxes().size && !panel.inputsOpen() ? null : open,
    });
  }

  function toAddress() {
    const { turn, seat, view: eyes, line, open } = readAddress(location.hash); // what follows changes the address
    leaveVariation();
    const one = views.find((each) => each.seat === eyes) ?? views[0];
    if (one !== current) show(one);
    const wanted = seat !== null && seat < seats.length ? seat : null;
    if (wanted !== followed) follow(wanted ?? followed);
    if (open !== null) for (const [name, box] of boxes()) box.open = open.includes(name);
    if (open !== null) panel.openInputs(open.includes("input"));
    const point = line && charts.lineOf(line.turn, line.seat);
    if (point) {
      player.seek(point.at - 1); // what is beside the board keeps the size that it has here
      enterVariation(point);
    }
    player.seek(turn === null ? 0 : turn - first + 1);
  }

  async function copyLink() {
    const link = location.href.replace(/#.*$/, "") + here();
    announce(say((await copy(link)) ? "viewer.copied" : "viewer.not-copied"));
  }

  async function copyCommand(command) {
    announce(say((await copy(command)) ? "viewer.command-copied" : "viewer.command-not-copied"));
  }

  /** What a picture says of the turn that is shown: where it is, and what happens. */
  function wordsNow() {
    const turn = player.turn;
    return [[tell(turn), ...variation.words(turn)], scene.describe(shownNow().frames[turn])];
  }

  panel.reserve(content.analysis);
  charts.show(framesOf(current), current.seat);
  faults.show(told);
  const given = location.hash;
  toAddress();
  // The analysis of a served page comes later: a line of it that the address names is shown then, if nobody has moved.
  if (content.served && readAddress(given).line) awaited = { address: given, shown: here() };
  listen(table);
  refuseFiles((file) => announce(say("viewer.one-match", { file: file || "FILE" })));
  addEventListener("hashchange", toAddress);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    timeline.paint();
    scene.redraw?.();
  });
  return {
    player,
    get marks() {
      return marks;
    },
    /** Go to the position after `turn` turns at once, and stay there. */
    seek(turn) {
      player.pause();
      toMatch(turn);
    },
    show: (at) => show(views[at]),
    draw,
    drawn: () => scene.drawn(),
    charts: () => charts.drawn(),
    /** Whether nothing moves. */
    get resting() {
      return !player.playing && player.position === player.turn;
    },
    get frame() {
      return shownNow().frames[player.turn];
    },
    /** The frames and moves of the variation that is shown; null for the match. */
    get variation() {
      return variation.now;
    },
  };
}
