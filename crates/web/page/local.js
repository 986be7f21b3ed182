// The engine in this browser, in place of a server: one worker answers questions, and each search has a worker of its own,
// which is ended with it.

import { note } from "./notice.js";

const bytes = () => fetch("plyproof.wasm");
// A server that does not know the kind of the file has it compiled from its bytes.
const compiled = WebAssembly.compileStreaming(bytes()).catch(async () => WebAssembly.compile(await (await bytes()).arrayBuffer()));
compiled.catch((error) => note(`The engine could not be loaded: ${error.message}. A reload may help.`));

/** A worker; `broke(why)` is called if the engine fails in it, as for want of memory. */
function spawn(hear, broke) {
  const worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = ({ data }) => hear(JSON.parse(data));
  worker.onerror = (event) => {
    event.preventDefault();
    worker.terminate();
    broke("The engine failed in the browser, perhaps for want of memory.");
  };
  compiled.then((module) => worker.postMessage({ module }), () => {});
  return worker;
}

/** Texts of certificates by their keys. */
const certificates = new Map();
const addresses = new Map();

export const certificateFile = (key) => new Blob([certificates.get(key) ?? ""], { type: "text/plain" });

export function certificateAddress(key) {
  if (!addresses.has(key)) addresses.set(key, URL.createObjectURL(certificateFile(key)));
  return addresses.get(key);
}

/** Checks a certificate, plain or gzipped, in a worker of its own. */
export async function check(file, game, rules) {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const packed = head[0] === 0x1f && head[1] === 0x8b;
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const certificate = await new Response(stream).text();
  const began = performance.now();
  return new Promise((resolve) => {
    const worker = spawn((answer) => {
      worker.terminate();
      resolve({ ...answer, seconds: (performance.now() - began) / 1000 });
    }, (error) => resolve({ error, refused: true }));
    worker.postMessage({ request: { call: "verify", certificate, ...(rules ? { game, rules } : {}) } });
  });
}

/** Takes the place of the connection to a server. */
export class LocalLink {
  #next = 1;
  #waiting = new Map();
  #desk = this.#newDesk();
  /** The worker of each search, by its role; those that are ready for the next one. */
  #searches = new Map();
  open = false;

  constructor({ news, failed, status }) {
    Object.assign(this, { news, failed, status });
    this.ask({ do: "hello" }).then(() => {
      this.open = true;
      status(true);
    });
  }

  /** The worker that answers questions; after a failure another one takes its place. */
  #newDesk() {
    return spawn((answer) => this.#hear(answer), (why) => {
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      this.#desk = this.#newDesk();
      for (const { reject } of waiting) reject(new Error(why));
    });
  }

  id() {
    return this.#next++;
  }

  ask(message) {
    const id = this.id();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#desk.postMessage({ request: { call: "tab", message: { ...message, id } }, id });
    });
  }

  send(message) {
    if (message.do === "search") this.#search(message);
    else if (message.do === "stop") this.#end(message.role);
  }

  #search(message) {
    this.#end(message.role);
    const worker = spawn((news) => {
      if (this.#searches.get(message.role) !== worker) return;
      if (news.certificate) {
        certificates.set(news.certificate.key, news.certificate.text);
        addresses.delete(news.certificate.key);
      } else if (news.search) {
        worker.last = news.search;
        this.news(news.search);
      } else if (news.error) {
        this.failed(message.role, news.error, message.id);
      }
      if (news.over !== undefined) {
        this.#searches.delete(message.role);
        worker.terminate();
      }
    }, (why) => {
      if (this.#searches.get(message.role) !== worker) return;
      this.#searches.delete(message.role);
      this.failed(message.role, why, message.id);
    });
    this.#searches.set(message.role, worker);
    worker.search = message.id;
    worker.postMessage({ request: { call: "tab", message } });
  }

  /** Ends a search: what it has told is all there is. */
  #end(role) {
    const worker = this.#searches.get(role);
    if (!worker) return;
    this.#searches.delete(role);
    worker.terminate();
    this.news({ id: worker.search, role, head: { stopped: "cancelled" } });
  }

  #hear(answer) {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.error) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer);
  }
}
