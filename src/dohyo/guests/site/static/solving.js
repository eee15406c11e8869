// The page on which puzzles are solved at a site: the board is in a frame without the site's origin (board-frame.js), and
// what one does with it is here, by the same modules as in a page of `dohyo puzzles --browser`.
import { boardInFrame } from "dohyo/framed.js";
import { solve } from "dohyo/solving.js";

const content = JSON.parse(document.getElementById("puzzles").textContent);
const mark = document.querySelector('input[name="_csrf_token"]').value;
window.dohyo = await solve(document.getElementById("play"), { ...content, headers: { "X-CSRFToken": mark } }, boardInFrame);
