// The form for a hand-in: files and folders that are chosen, or dropped anywhere on the page, and what is in them.
const form = document.getElementById("hand-in-form");
const LEFT_BEHIND = /(^|\/)(\.git|\.hg|\.svn|__pycache__|__MACOSX|\.DS_Store|\.idea|\.vscode|\._[^/]*)(\/|$)/;
const SHOWN = 12; // files that are listed by name
const NOT_READ = 100; // entries of a dropped folder that a browser gives at once

if (form) {
  const [single, folder] = [form.elements.file, form.elements.folder];
  const zone = form.querySelector(".drop");
  const chosen = document.getElementById("chosen");
  const most = { files: Number(form.dataset.mostFiles), bytes: Number(form.dataset.mostBytes) };
  let dropped = []; // [path, file] of a folder that was dropped

  const own = () => [...folder.files].map((file) => [file.webkitRelativePath || file.name, file]);
  const wanted = () => (dropped.length ? dropped : own()).filter(([path]) => !LEFT_BEHIND.test(path));

  /** Say what will be sent, and what is wrong with it. */
  const tell = () => {
    const files = wanted();
    const bytes = files.reduce((sum, [, file]) => sum + file.size, 0);
    const wrong = files.length > most.files ? form.dataset.many : bytes > most.bytes ? form.dataset.large : "";
    const said = wrong || form.dataset.found;
    folder.setCustomValidity(wrong);
    chosen.hidden = files.length === 0;
    chosen.classList.toggle("amiss", Boolean(wrong));
    chosen.firstElementChild.textContent = said
      .replace("{count}", files.length)
      .replace("{size}", (bytes / 1e6).toFixed(1))
      .replace("{most}", most.files);
    const lines = files.slice(0, SHOWN).map(([path]) => path);
    if (files.length > SHOWN) lines.push("…");
    chosen.lastElementChild.replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  };

  /** Propose a name after what was chosen. */
  const name = (path) => {
    const field = form.elements.bot;
    if (!field.value) field.value = path.split("/")[0].replace(/\.[^.]*$/, "").slice(0, 30);
    field.focus();
  };

  single.addEventListener("change", () => {
    if (!single.files.length) return;
    folder.value = "";
    dropped = [];
    tell();
  });
  folder.addEventListener("change", () => {
    single.value = "";
    dropped = [];
    tell();
    if (folder.files.length) name(own()[0][0]);
  });
  form.addEventListener("formdata", ({ formData }) => {
    const files = wanted();
    formData.delete("folder");
    for (const [path, file] of files) formData.append("folder", file, path);
  });

  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  document.addEventListener("dragleave", () => zone.classList.remove("over"));
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const files = event.dataTransfer.files;
    folder.value = "";
    if (entries.some((entry) => entry.isDirectory) || files.length > 1) {
      single.value = "";
      dropped = [];
      for (const entry of entries) await collect(entry, entry.name, dropped, most.files + 1);
      if (dropped.length) name(dropped[0][0]);
    } else if (files.length) {
      dropped = [];
      single.files = files;
      name(files[0].name);
    }
    tell();
  });
}

/** Put the files of what was dropped into a list, with their paths; no more than are needed to see that it is too much. */
async function collect(entry, path, into, enough) {
  if (into.length >= enough || LEFT_BEHIND.test(path)) return;
  if (entry.isFile) {
    into.push([path, await new Promise((resolve, reject) => entry.file(resolve, reject))]);
    return;
  }
  const reader = entry.createReader();
  for (let read = NOT_READ; read && into.length < enough; ) {
    const inside = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    for (const each of inside) await collect(each, `${path}/${each.name}`, into, enough);
    read = inside.length;
  }
}
