/* Search for questions as people type them (docs/decisions/0020): Zensical's search wants all words in one section,
 * and takes a similar word for one that it does not know. Here small words are left out; so are unknown ones, if there
 * are others; and where no section has all words, those with some of them are shown.
 * It stands between the page and the search's worker, and passes on whatever it does not know. */
"use strict";
(() => {
  const INDEX = 0, QUERY = 2, RESULT = 3; // kinds of messages
  const SMALL = new Set(("a an and are as at be been but by can could did do does don't for from get gets had has have " +
    "how i i'm if in into is isn't it its it's me my no not of on or our should so than that the their them then there " +
    "these they this those to too was we were what what's when where which who why will with would you your").split(" "));
  const Plain = window.Worker;

  /** The words of a query that say what it is about; all of them where none does. */
  function telling(input, known) {
    const words = input.trim().split(/[\s,;?!"]+/).filter(Boolean);
    const large = words.filter((word) => !SMALL.has(word.toLowerCase().replace("\u2019", "'")));
    const usable = large.filter(known);
    return usable.length ? usable : large.length ? large : words;
  }

  /** The same query for sections with any of the words, in the worker's own form. */
  function anyOf(words) {
    let start = 0;
    const operands = words.flatMap((word) => word.split(/[\s\-_,:!=[\]()\\"`/]+|\.(?!\d)/)).filter(Boolean)
      .map((word, index) => {
        const range = { start, end: start + word.length, value: index };
        start = range.end + 1;
        return { type: "value", data: { field: "*", value: { type: "prefix", data: word }, range } };
      });
    return { type: "operator", data: { operator: "or", operands } };
  }

  /** A worker that looks for questions; in all else the plain one. */
  function Asking(url, options) {
    const worker = new Plain(url, options);
    const facade = {
      onmessage: null, onerror: null, onmessageerror: null,
      terminate: () => worker.terminate(),
    };
    let text = "", latest = null, waiting = 0;
    const known = (word) => word.toLowerCase().split(/[\s\-_,:!=[\]()\\"`/]+|\.(?!\d)/).filter(Boolean)
      .every((part) => text.includes(" " + part));
    facade.postMessage = (message) => {
      if (message.type === INDEX) {
        text = " " + message.data.items.map((item) => `${item.title} ${item.text}`).join(" ")
          .toLowerCase().replace(/[\s\-_,:!=[\]()\\"`/<>.]+/g, " ");
      } else if (message.type === QUERY) {
        waiting += 1;
        latest = null;
        if (typeof message.data.input === "string" && message.data.input.trim() && !message.data.page) {
          const words = telling(message.data.input, known);
          latest = { message, words };
          message = { ...message, data: { ...message.data, input: words.join(" ") } };
        }
      }
      worker.postMessage(message);
    };
    worker.onmessage = (event) => {
      if (event.data.type === RESULT) {
        waiting -= 1;
        if (!waiting && latest && !event.data.data.items.length && latest.words.length > 1) {
          const { message, words } = latest;
          latest = null;
          waiting += 1;
          worker.postMessage({ ...message, data: { ...message.data, input: anyOf(words) } });
          return;
        }
      }
      facade.onmessage?.(event);
    };
    worker.onerror = (event) => facade.onerror?.(event);
    worker.onmessageerror = (event) => facade.onmessageerror?.(event);
    return facade;
  }

  if (document.documentElement.lang === "en") {
    window.Worker = function (url, options) {
      return /\/workers\/search\./.test(String(url)) ? Asking(url, options) : new Plain(url, options);
    };
  }
})();
