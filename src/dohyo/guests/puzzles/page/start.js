import { unpack } from "dohyo/decode.js";
import { boardHere } from "dohyo/playing.js";
import { solve } from "dohyo/solving.js";
import * as view from "game/view.js";

const root = document.getElementById("puzzles");
try {
  const content = await unpack(document.getElementById("content").textContent);
  window.dohyo = await solve(root, content, boardHere(view));
} catch (error) {
  root.append(String(error)); // below the sentence that says what a browser has to bring
  throw error;
}
