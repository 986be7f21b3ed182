// The connection to the server: questions with answers, and news of searches. It comes back by itself when it is lost.

const RETRY = [200, 500, 1000, 2000, 4000];
/** A server that leaves a question unanswered for this long is taken for gone, in milliseconds. */
const PATIENCE = 20_000;
/** The server takes no longer message than this, in bytes. */
const LONGEST = 128 * 1024;

export class Link {
  #socket = null;
  #next = 1;
  /** Questions without an answer: {resolve, reject, text, timer} by id. */
  #waiting = new Map();
  #tries = 0;

  /** `news(search)` hears of every update of a search, `failed(role, message, id)` of every search that went wrong, `status(open)` of the line. */
  constructor({ news, failed, job, status }) {
    this.news = news;
    this.job = job;
    this.failed = failed;
    this.status = status;
    this.#connect();
  }

  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** A number that no other question or search of this tab has. */
  id() {
    return this.#next++;
  }

  /**
   * Asks and resolves to the answer. Rejects with the server's words, or with an error whose `lost` is true if the
   * connection is gone: then nobody knows whether the server heard the question, and it is not asked again.
   */
  ask(message) {
    const id = this.id();
    const text = JSON.stringify({ ...message, id });
    return new Promise((resolve, reject) => {
      if (new TextEncoder().encode(text).length > LONGEST) {
        reject(new Error("This is larger than the server takes in one piece, 128 kB."));
        return;
      }
      if (!this.open && this.#tries) {
        reject(lost());
        return;
      }
      const socket = this.#socket;
      const timer = setTimeout(() => this.#lose(socket), PATIENCE);
      this.#waiting.set(id, { resolve, reject, text, timer });
      // Before the page is connected for the first time, questions wait for it.
      if (this.open) this.#socket.send(text);
    });
  }

  /** Says something that is not answered. Without a connection it is dropped: searches begin anew with the next one. */
  send(message) {
    if (this.open) this.#socket.send(JSON.stringify(message));
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      for (const { text } of this.#waiting.values()) socket.send(text);
      this.status(true);
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#hear(JSON.parse(event.data));
    };
    socket.onclose = () => this.#lose(socket);
  }

  /** Gives a connection up: every question fails, and another connection is tried after a pause. */
  #lose(socket) {
    if (!socket || socket !== this.#socket) return;
    this.#socket = null;
    socket.close();
    const pause = RETRY[Math.min(this.#tries++, RETRY.length - 1)];
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject, timer } of waiting) {
      clearTimeout(timer);
      reject(lost());
    }
    this.status(false);
    setTimeout(() => this.#connect(), pause);
  }

  #hear(message) {
    if (message.search) {
      this.news(message.search);
      return;
    }
    if (message.job) {
      this.job(message.job);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    clearTimeout(waiting?.timer);
    if (waiting && message.error) waiting.reject(new Error(message.error));
    else if (waiting) waiting.resolve(message);
    else if (message.error) this.failed(message.role ?? null, message.error, message.id);
  }
}

const lost = () => Object.assign(new Error("There is no connection to the server. Try again when it is back."), { lost: true });
