// Boards in a page: each is a frame (board-frame.js) that draws, and this hands it a match, and the buttons' wishes.
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const HOLD = 3000; // milliseconds for which the end of a match stays, before it plays again

/**
 * A board of the page.
 * @param {HTMLElement} root with a frame in it, perhaps a button, and where the match comes from in its data
 */
export class Board {
  constructor(root) {
    this.root = root;
    this.frame = root.querySelector("iframe");
    this.button = root.querySelector("button[data-pause]");
    this.progress = root.querySelector("progress");
    this.playing = !calm;
    this.timer = 0;
    this.names = null; // of a match that is being played
    this.isShown = true; // to the last turn that is known
    this.onShown = () => {};
    this.ready = new Promise((resolve) => {
      addEventListener("message", ({ data, source }) => {
        if (source !== this.frame.contentWindow) return;
        if (data.ready) resolve();
        else this.#moved(Number(data.at), Number(data.of));
      });
      // It may have been there before this script was; asked for once more, it says so again.
      if (this.frame.dataset.src) this.frame.src = this.frame.dataset.src;
    });
    if (this.button) {
      this.button.hidden = false;
      this.button.addEventListener("click", () => this.play(!this.playing));
    }
  }

  tell(message) {
    this.frame.contentWindow.postMessage(message, "*");
  }

  play(on) {
    clearTimeout(this.timer);
    this.playing = on;
    if (this.button) this.button.textContent = on ? this.button.dataset.pause : this.button.dataset.play;
    this.tell({ play: { on } });
  }

  /** A whole match from the server: its names, or null. Who wants no motion sees its end, and may let it play. */
  async show(address) {
    const [answer] = await Promise.all([fetch(address), this.ready]);
    if (!answer.ok) return null;
    const { names, words, first, changes, moves } = await answer.json();
    if (!first) return null;
    this.names = null;
    this.isShown = false;
    this.tell({ begin: { names, words }, turns: { first, changes, moves } });
    if (calm) this.tell({ go: { to: "last" } });
    this.play(!calm);
    return names;
  }

  /** A match that is being played: `words` are the game's sentences, its turns follow. */
  begin({ words }) {
    this.words = words;
    this.names = null;
    this.isShown = true;
  }

  /** Turns that are new, of the seats with these names. */
  async more({ names, turns }) {
    await this.ready;
    if (!this.names) {
      this.names = names;
      this.tell({ begin: { names, words: this.words, live: true }, play: { on: true } });
    }
    this.isShown = false;
    this.tell({ turns: { more: turns } });
  }

  #moved(at, of) {
    if (this.progress) {
      this.progress.max = Math.max(1, of);
      this.progress.value = at;
    }
    if (at < of) {
      this.isShown = false;
      return;
    }
    if (!this.isShown) this.onShown();
    this.isShown = true;
    if (!this.playing || this.names) return;
    if (this.root.dataset.again === undefined) this.play(false);
    else this.timer = setTimeout(() => this.play(true), HOLD);
  }
}

for (const root of document.querySelectorAll(".board[data-frames]")) {
  const board = new Board(root);
  board.show(root.dataset.frames);
}
