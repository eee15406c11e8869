// The own script of a page on which somebody plays: unpack what it carries, and begin.
import { unpack } from "dohyo/decode.js";
import { boardHere, play } from "dohyo/playing.js";
import * as view from "game/view.js";

const root = document.getElementById("viewer");
try {
  window.dohyo = play(root, await unpack(document.getElementById("replay").textContent), boardHere(view));
} catch (error) {
  root.append(String(error));
  throw error;
}
