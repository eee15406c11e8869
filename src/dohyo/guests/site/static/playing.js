// The page on which somebody plays at a site: the board is in a frame without the site's origin (board-frame.js), and
// what one does with it is here, by the same modules as in a page of `dohyo play --browser`.
import { boardInFrame } from "dohyo/framed.js";
import { play } from "dohyo/playing.js";

const content = JSON.parse(document.getElementById("playing").textContent);
const mark = document.querySelector('input[name="_csrf_token"]').value;
window.dohyo = play(document.getElementById("play"), { ...content, headers: { "X-CSRFToken": mark } }, boardInFrame);
