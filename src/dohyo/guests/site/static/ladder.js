// A ladder's page: standings that move while it is open, and files that are dropped anywhere on the page.
const EACH = 4000; // milliseconds between two looks

const standings = document.getElementById("standings");
if (standings) {
  setInterval(async () => {
    if (document.hidden || standings.contains(document.activeElement)) return; // nobody's focus is taken away
    try {
      const answer = await fetch(standings.dataset.from);
      if (!answer.ok) return;
      // Our own server's markup, with everything of strangers escaped.
      const made = new DOMParser().parseFromString(await answer.text(), "text/html");
      standings.replaceChildren(...made.body.childNodes);
    } catch {
      // The server is away for a moment: the next look will tell.
    }
  }, EACH);
}

const zone = document.querySelector(".drop");
if (zone) {
  const input = zone.querySelector("input");
  const over = (event) => {
    event.preventDefault();
    zone.classList.add("over");
  };
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", () => zone.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    const name = document.querySelector("input[name=bot]");
    if (!name.value) name.value = input.files[0].name.replace(/\.[^.]*$/, "").slice(0, 30);
    name.focus();
  });
}
