/* Search for questions as people type them (docs/decisions/0020): Zensical's search wants all words in one section,
 * and takes a similar word for one that it does not know. On the English site small words are left out; so are unknown
 * ones, if there are others; and where no section has all words, those with some of them are shown. On each site guides
 * stand before what few look for: changes, decisions, the project's own affairs, the modules of the Python API.
 * It stands between the page and the search's worker, and passes on whatever it does not know. */
"use strict";
(() => {
  const INDEX = 0, QUERY = 2, RESULT = 3; // kinds of messages
  const BEST = 60; // results among which guides are put first; more come behind them, in the search's own order
  const LATER = new RegExp("^(architecture|benchmarks|changelog|code_of_conduct|contributing|decisions/|deprecation|doors|" +
    "governance|licences|packaging|reference/python|roadmap|security-policy)");
  const SMALL = new Set(("a an and are as at be been but by can could did do does don't for from get gets had has have " +
    "how i i'm if in into is isn't it its it's me my no not of on or our should so than that the their them then there " +
    "these they this those to too was we were what what's when where which who why will with would you your").split(" "));
  const isEnglish = document.documentElement.lang === "en";
  const Plain = window.Worker;

  /** Where a page stands on the site: its address without what all of the site's pages have in common. */
  function place(address) {
    const base = String(window.__md_scope);
    return String(new URL(address, base)).slice(base.length);
  }

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

  /** A worker that looks for questions, and puts guides first; in all else the plain one. */
  function Asking(url, options) {
    const worker = new Plain(url, options);
    const facade = {
      onmessage: null, onerror: null, onmessageerror: null,
      terminate: () => worker.terminate(),
    };
    let text = "", isLater = [], waiting = 0;
    let latest = null; // what was asked for last, while its first results are awaited: {message, words, isWhole}
    const known = (word) => word.toLowerCase().split(/[\s\-_,:!=[\]()\\"`/]+|\.(?!\d)/).filter(Boolean)
      .every((part) => text.includes(" " + part));
    const ask = (message) => {
      waiting += 1;
      worker.postMessage(message);
    };
    facade.postMessage = (message) => {
      if (message.type === QUERY) {
        const { input, page } = message.data;
        latest = null;
        if (typeof input === "string" && input.trim() && !page) {
          const words = isEnglish ? telling(input, known) : [];
          if (words.length) message = { ...message, data: { ...message.data, input: words.join(" ") } };
          latest = { message, words, isWhole: false };
        }
        ask(message);
        return;
      }
      if (message.type === INDEX) {
        isLater = message.data.items.map(({ location }) => LATER.test(place(location)));
        text = " " + message.data.items.map((item) => `${item.title} ${item.text}`).join(" ")
          .toLowerCase().replace(/[\s\-_,:!=[\]()\\"`/<>.]+/g, " ");
      }
      worker.postMessage(message);
    };

    /** What else has to be asked before the page is told these results; none if that is all. */
    function onward({ items, pagination }) {
      const { message, words, isWhole } = latest;
      if (!items.length && words.length > 1) {
        latest.words = [];
        latest.message = { ...message, data: { ...message.data, input: anyOf(words) } };
        return latest.message;
      }
      if (isWhole || !pagination.next) return null;
      latest.isWhole = true;
      return { ...latest.message, data: { ...latest.message.data, page: { ...pagination.next, size: BEST, from: 0 } } };
    }

    worker.onmessage = (event) => {
      if (event.data.type === RESULT) {
        waiting -= 1;
        if (!waiting && latest) {
          const more = onward(event.data.data);
          if (more) {
            ask(more);
            return;
          }
          event.data.data.items.sort((one, other) => isLater[one.id] - isLater[other.id]);
          latest = null;
        }
      }
      facade.onmessage?.(event);
    };
    worker.onerror = (event) => facade.onerror?.(event);
    worker.onmessageerror = (event) => facade.onmessageerror?.(event);
    return facade;
  }

  window.Worker = function (url, options) {
    return /\/workers\/search\./.test(String(url)) ? Asking(url, options) : new Plain(url, options);
  };
})();
