// The page's own script: unpack what the page carries, and show it.
//
// A game's `view.js` exports
//
//   pace                     turns a second at speed 1
//   marks                    {kind: "tick" | "down" | "up" | "dot" | "cross"}: how its highlights look on the time line
//   untold                   kinds of highlights that no seat's own view is told of (may be left out)
//   legend                   [[sign, key of a word]]: what the help explains (may be left out)
//   style                    a style sheet of its own (may be left out)
//   score                    {word, of(frame, seat)}: what is plotted as score, null where it is not known (may be left out)
//   broad                    whether the board takes all the room there is, not a square (may be left out)
//   create(host, {seats, say})  makes the scene inside `host`, and returns
//     draw(frame, previous, progress, moves)  the way from `previous` (none at the start) to `frame`, progress from
//                            0 to 1; `moves` are the turn's, with what a bot said as `message`
//     describe(frame)        what happened, as one sentence
//     status(frame, seat)    {text, out}: how a seat fares, and whether its part is over
//     drawn()                what the scene shows, read from the scene itself: for tests
//     board                  where its squares are, for what bots draw: see overlay.js (may be left out)
//     follow(seat)           which seat is followed now, null for none (may be left out)
//     redraw()               everything anew, after a change of size or colours (may be left out)
//
// where `seats` is made by `seats.js` and `say` by `words.js`.
import { expand } from "dohyo/columns.js";
import { unpack } from "dohyo/decode.js";
import { mount } from "dohyo/viewer.js";
import * as view from "game/view.js";

const root = document.getElementById("viewer");
try {
  const content = await unpack(document.getElementById("replay").textContent);
  const words = document.getElementById("words"); // of a site, whose pages have them in common
  if (words) Object.assign(content, expand(content), { words: JSON.parse(words.textContent) });
  // At hand in the browser's console, and for tests: dohyo.seek(120), dohyo.drawn(), ...
  window.dohyo = mount(root, content, view);
} catch (error) {
  root.append(String(error)); // below the sentence that says what a browser has to bring
  throw error;
}
