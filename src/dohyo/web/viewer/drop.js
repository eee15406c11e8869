// A file that is dropped onto the page. A page cannot show another replay: the frames are made by the rules, in Python,
// and the rules are not in the page. So it says how a page of that replay is made, instead of being left for the file.

/** @param {() => void} onFile called when a file was dropped */
export function refuseFiles(onFile) {
  const isFile = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (isFile(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    onFile();
  });
}
