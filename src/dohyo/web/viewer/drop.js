// A file that is dropped onto the page. A page cannot show another replay: the frames are made by the rules, in Python,
// and the rules are not in the page. So it says how a page of that replay is made, instead of being left for the file.

const NAME = /^[\w.+-]+$/; // of a file that a command line takes as it is

/** @param {(name: string) => void} onFile called with the name of a file that was dropped, if a command can name it */
export function refuseFiles(onFile) {
  const isFile = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (isFile(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    const name = event.dataTransfer.files[0]?.name ?? "";
    onFile(NAME.test(name) && !name.startsWith("-") ? name : "");
  });
}
