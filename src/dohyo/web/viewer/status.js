// How a seat fares: what the game says of it, and what became of its program.
import { faultCounter } from "dohyo/faults.js";

/**
 * @param {object} options
 * @param {ReturnType<import("dohyo/match.js").createMatch>} options.match
 * @param {object} options.scene the game's, see start.js
 * @param {Function} options.say
 * @returns {(position: number, seat: number) => {text: string, out: boolean, trouble?: string}} `trouble` tells from when
 *   on its program is no longer asked, and how many faults it has had; not of a seat that is hidden
 */
export function createStatus({ match, scene, say }) {
  const { content } = match;
  const faultsUntil = faultCounter(content.turns);

  function stoppedSince(seat, played) {
    const { stopped } = content.standings.find((line) => line.seat === seat);
    return stopped !== null && match.numberOf(played) >= stopped ? [say("viewer.stopped", { turn: stopped })] : [];
  }

  function faultsOf(seat, played) {
    const count = faultsUntil(played, seat);
    return count ? [say("viewer.faults", { count })] : [];
  }

  return (position, seat) => {
    const status = scene.status(match.onBoard.frames[position], seat);
    if (!match.isTold(position, seat)) return status;
    const played = match.playedUntil(position); // what was before a variation counts in it too
    return { ...status, trouble: [...stoppedSince(seat, played), ...faultsOf(seat, played)].join(" \u00b7 ") };
  };
}
