// The page's own script: unpack what the page carries, and show it.
import { unpack } from "dohyo/decode.js";
import { mount } from "dohyo/viewer.js";
import * as view from "game/view.js";

const root = document.getElementById("viewer");
try {
  const content = await unpack(document.getElementById("replay").textContent);
  // At hand in the browser's console, and for tests: dohyo.seek(120), dohyo.drawn(), ...
  window.dohyo = mount(root, content, view);
} catch (error) {
  root.append(String(error)); // below the sentence that says what a browser has to bring
  throw error;
}
