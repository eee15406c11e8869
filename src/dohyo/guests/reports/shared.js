// What the pages of a site have in common, put into each of them: style, modules, sentences, the page's own script.
//
// A plain script and no module: a browser loads no module from a file beside a page that is opened from a disk. What
// it adds has the nonce by which the page allowed this script itself.
{
  const { nonce } = document.currentScript;
  const add = (name, text, properties) => {
    document.head.append(Object.assign(document.createElement(name), { textContent: text, nonce, ...properties }));
  };
  add("link", "", { rel: "icon", href: common.icon });
  add("style", common.style);
  add("script", common.imports, { type: "importmap" });
  add("script", common.words, { type: "application/json", id: "words" });
  document.addEventListener("DOMContentLoaded", () => add("script", common.start, { type: "module" }));
}
