// Reveals standings place by place, from the last one: by the button, or by a key.
const lines = [...document.querySelectorAll("#reveal li")].reverse();
const next = document.getElementById("next");
const undo = document.getElementById("undo");
const everybody = document.getElementById("everybody");
let shown = 0;

/** Show the places that are revealed; the newest is in the middle of the screen. */
function draw() {
  lines.forEach((line, at) => {
    line.classList.toggle("covered", at >= shown);
    line.classList.toggle("newest", at === shown - 1);
    line.setAttribute("aria-hidden", String(at >= shown));
  });
  const isOver = shown === lines.length;
  next.hidden = isOver;
  undo.disabled = shown === 0;
  everybody.hidden = !isOver;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  lines[Math.max(0, shown - 1)].scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
}

function step(by) {
  shown = Math.min(lines.length, Math.max(0, shown + by));
  draw();
}

if (next) {
  next.addEventListener("click", () => step(1));
  undo.addEventListener("click", () => step(-1));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
    if (isButton && (event.key === " " || event.key === "Enter")) return; // it does what it says
    if ([" ", "Enter", "ArrowUp", "ArrowRight", "PageDown"].includes(event.key)) step(1);
    else if (["ArrowDown", "ArrowLeft", "PageUp", "Backspace"].includes(event.key)) step(-1);
    else return;
    event.preventDefault();
  });
  draw();
}
