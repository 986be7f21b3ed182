// The connection to the server: questions with answers, and news of searches. It comes back by itself when it is lost.

const RETRY = [200, 500, 1000, 2000, 4000];

export class Link {
  #socket = null;
  #next = 1;
  #waiting = new Map();
  #unsent = [];
  #tries = 0;

  /** `news(search)` hears of every update of a search, `failed(role, message, id)` of every search that went wrong, `status(open)` of the line. */
  constructor({ news, failed, status }) {
    this.news = news;
    this.failed = failed;
    this.status = status;
    this.#open();
  }

  /** A number that no other question or search of this tab has. */
  id() {
    return this.#next++;
  }

  /** Asks and resolves to the answer; rejects with the server's words. */
  ask(message) {
    const id = this.id();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.send({ ...message, id });
    });
  }

  /** Says something that is not answered. */
  send(message) {
    const text = JSON.stringify(message);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    else this.#unsent.push(text);
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.status(true);
      for (const text of this.#unsent.splice(0)) socket.send(text);
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the connection to the server was lost"));
      this.#waiting.clear();
      this.status(false);
      const pause = RETRY[Math.min(this.#tries++, RETRY.length - 1)];
      setTimeout(() => this.#open(), pause);
    };
  }

  #hear(message) {
    if (message.search) {
      this.news(message.search);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (waiting && message.error) waiting.reject(new Error(message.error));
    else if (waiting) waiting.resolve(message);
    else if (message.error) this.failed(message.role ?? null, message.error, message.id);
  }
}
