// What can be saved of the board: a turn as a picture, a stretch as a film.
import { iconButton } from "dohyo/elements.js";
import { createFilm } from "dohyo/film.js";
import { picture, png, save } from "dohyo/picture.js";

const MAX_NAMES = 8; // below a picture

/**
 * @param {object} options
 * @param {object} options.content see dohyo/web/content.py
 * @param {import("dohyo/seats.js").Seat[]} options.seats
 * @param {Function} options.say
 * @param {ReturnType<import("dohyo/player.js").createPlayer>} options.player
 * @param {HTMLElement} options.host what the board is in
 * @param {(position: number, progress: number) => void} options.draw
 * @param {number} options.pace turns a second
 * @param {() => [string[], string]} options.words where in the match we are, and what happens there
 * @param {(position: number) => number} options.numberOf the number of the turn that leads to a position
 * @param {(words: string) => void} options.announce
 */
export function createSaving({ content, seats, say, player, host, draw, pace, words, numberOf, announce }) {
  /** A picture of what is drawn, with a line for the match, one for the bots, and one for what happens. */
  function taken(side) {
    const colours = { ground: colourOf("--paper"), ink: colourOf("--ink") };
    const names = seats.slice(0, MAX_NAMES).map(({ number, short }) => `${number}: ${short}`);
    const [place, deed] = words();
    const match = [content.title, ...seedWords(content.header, say), ...place];
    return picture(host.querySelector("svg"), [match.join(" \u00b7 "), names.join("  "), deed], colours, side);
  }

  function saveAs(blob, what, ending) {
    const name = `${content.game}-${content.header.seed ?? "match"}-${what}.${ending}`;
    save(blob, name);
    announce(say("viewer.saved", { name }));
  }

  /** Nothing moves, and nothing is half way. */
  function rest() {
    player.pause();
    player.seek(player.turn);
  }

  async function savePicture() {
    rest();
    saveAs(await png(await taken()), player.turn ? numberOf(player.turn) : "start", "png");
  }

  function shoot(position, progress, side) {
    player.seek(position);
    draw(position, progress);
    return taken(side);
  }

  function end(blob, ends) {
    rest();
    if (blob) saveAs(blob, ends.map(numberOf).join("-"), "gif");
  }

  const film = createFilm({ say, numberOf, pace, now: () => [player.turn, player.last], shoot, onEnd: end });
  const showFilm = () => {
    rest();
    film.show();
  };
  return {
    node: film.node,
    buttons: [
      iconButton("picture", say("viewer.picture"), savePicture),
      iconButton("film", say("viewer.film"), showFilm, { class: "film-button" }),
    ],
  };
}

/** The seed in words, if the page has it: a page for one seat has not. */
export function seedWords({ seed }, say) {
  return seed === undefined ? [] : [say("viewer.seed", { seed })];
}

const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
