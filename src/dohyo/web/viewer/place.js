// The page's address, and what is shown: each follows the other.
import { addressOf, readAddress, replaceAddress } from "dohyo/address.js";

/**
 * @param {object} options
 * @param {ReturnType<import("dohyo/match.js").createMatch>} options.match
 * @param {ReturnType<import("dohyo/player.js").createPlayer>} options.player
 * @param {ReturnType<import("dohyo/parts.js").createParts>} options.parts
 * @param {ReturnType<import("dohyo/varying.js").createVarying>} options.varying
 * @param {ReturnType<import("dohyo/looking.js").createLooking>} options.looking
 */
export function createPlace({ match, player, parts, varying, looking }) {
  const { charts, faults, panel } = parts;
  let awaited = null; // what the address named before there was an analysis, and what was shown instead

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
      turn: player.turn ? match.numberOf(player.turn) : null,
      seat: match.followed,
      view: match.view === match.views[0] ? null : match.view.seat,
      line: match.variation.now?.point ?? null,
      open: open.length === boxes().size && !panel.inputsOpen() ? null : open,
    });
  }

  /** See and follow whom the address names. */
  function lookAs(eyes, seat) {
    const one = match.views.find((each) => each.seat === eyes) ?? match.views[0];
    if (one !== match.view) looking.look(one);
    const wanted = seat !== null && seat < match.seats.length ? seat : null;
    if (wanted !== match.followed) looking.follow(wanted ?? match.followed);
  }

  function openOnly(names) {
    for (const [name, box] of boxes()) box.open = names.includes(name);
    panel.openInputs(names.includes("input"));
  }

  /** Show what the page's address says. */
  function toAddress() {
    const { turn, seat, view: eyes, line, open } = readAddress(location.hash); // what follows changes the address
    varying.leave();
    lookAs(eyes, seat);
    if (open !== null) openOnly(open);
    const point = line && charts.lineOf(line.turn, line.seat);
    if (point) {
      player.seek(point.at - 1); // what is beside the board keeps the size that it has here
      varying.enter(point);
    }
    player.seek(match.positionOf(turn));
  }

  return {
    toAddress,
    /** What can be sent to somebody, who then sees the same. */
    link: () => location.href.replace(/#.*$/, "") + here(),
    /** Let the address say what is shown; that a match is at its start needs no address. */
    write() {
      const address = here();
      if (location.hash !== address && (address !== "#t=start" || location.hash)) replaceAddress(address);
    },
    /** The analysis of a served page comes later: a line of it that an address names is shown then, if nobody has moved. */
    expectLine(address) {
      if (readAddress(address).line) awaited = { address, shown: here() };
    },
    /** Show the line that was awaited. */
    arrived() {
      const line = awaited && here() === awaited.shown ? awaited.address : "";
      awaited = null;
      if (!line) return;
      replaceAddress(line);
      toAddress();
    },
  };
}
