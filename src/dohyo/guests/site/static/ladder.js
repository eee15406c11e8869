// A ladder's page: standings that move while it is open.
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
