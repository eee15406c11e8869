// A file that is dropped onto the page. A page cannot show another replay: the frames are made by the rules, in Python,
// and the rules are not in the page. So a page that a server of ours gives has it make the page of that replay, and goes
// there; any other says how such a page is made, instead of being left for the file.

const NAME = /^[\w.+-]+$/; // of a file that a command line takes as it is

/** @param {(name: string, file: File | null) => void} onFile called with what was dropped: its name, if a command can name it */
export function hearFiles(onFile) {
  const isFile = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (isFile(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    const file = event.dataTransfer.files[0] ?? null;
    const name = file?.name ?? "";
    onFile(NAME.test(name) && !name.startsWith("-") ? name : "", file);
  });
}

/**
 * Have the server make a page of this replay, and go there. See dohyo/web/served.
 * @param {File} file
 * @param {(words: string) => void} onRefused called with why there is none
 */
export async function openReplay(file, onRefused, say) {
  const address = `/${location.pathname.split("/")[1]}/replay`;
  try {
    const headers = { "Content-Type": "application/octet-stream" };
    const answer = await fetch(address, { method: "POST", headers, body: file });
    const told = await answer.json();
    if (answer.ok) location.assign(told.page);
    else onRefused(told.none);
  } catch {
    onRefused(say("viewer.not-opened"));
  }
}
