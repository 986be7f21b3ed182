// What the page knows of one search: put together from the updates of the server, and told to whoever shows it.

/** A search with a role: "play", "analyse" or "solve". */
export class Search {
  #link;
  #role;
  #changed;
  #view = { moves: 40, why: false, nodes: [] };

  /** `changed(search)` is called after every update. */
  constructor(link, role, changed) {
    this.#link = link;
    this.#role = role;
    this.#changed = changed;
    this.clear();
  }

  clear() {
    this.id = null;
    this.running = false;
    this.error = null;
    this.head = {};
    this.rows = new Map();
    this.nodes = new Map();
    this.mover = null;
    this.place = null;
  }

  /** Searches a place where `mover` is to move. */
  start(place, mover, { agent, simulations = null, seconds = null, seed = 1 }) {
    this.clear();
    this.id = this.#link.id();
    this.running = true;
    this.mover = mover;
    this.place = place;
    this.agent = agent;
    this.#link.send({ do: "search", id: this.id, role: this.#role, at: place, agent, simulations, seconds, seed, view: this.#view });
    this.#changed(this);
  }

  get role() {
    return this.#role;
  }

  /** Ends the search; what it found stays. With `wait`, it goes on until the last news are there. */
  stop(wait = false) {
    if (this.running) this.#link.send({ do: "stop", role: this.#role });
    if (!wait) this.running = false;
  }

  /** What is to be seen from now on: so many moves, the terms of each choice, these nodes of the tree. */
  look(view) {
    this.#view = { ...this.#view, ...view };
    if (this.id !== null) this.#link.send({ do: "watch", role: this.#role, view: this.#view });
  }

  /** An update of the server. */
  hear(news) {
    if (news.id !== this.id) return;
    Object.assign(this.head, news.head);
    for (const row of news.rows ?? []) this.rows.set(row[0], readRow(row));
    for (const node of news.nodes ?? []) this.nodes.set(node.path.join(" "), node);
    if (this.head.stopped) this.running = false;
    this.#changed(this);
  }

  fail(message, id) {
    if (id !== undefined && id !== null && id !== this.id) return;
    this.running = false;
    this.error = message;
    this.#changed(this);
  }

  /** The moves, best first: proven wins, then by visits, those proven lost last where nothing else is known. */
  moves() {
    const key = (row) => (row.least === 1 ? 1e15 : row.visits - (row.rank ?? 0) * 1e-6 - (row.most === -1 ? 1e-3 : 0));
    return [...this.rows.values()].sort((a, b) => key(b) - key(a));
  }

  /** The value for the player to move from -1 to 1, and whether it is proven; none if nothing is known. */
  value() {
    const known = { win: 1, draw: 0, loss: -1 }[this.head.value];
    if (known !== undefined) return { value: known, proven: true };
    const best = this.rows.get(this.head.best) ?? this.moves()[0];
    if (!best || !best.visits) return null;
    return { value: Math.min(best.most, Math.max(best.least, best.mean)), proven: false };
  }

  /** The same for player 1. */
  firstValue() {
    const found = this.value();
    return found && { ...found, value: this.mover === 2 ? -found.value : found.value };
  }
}

const VERDICTS = new Map([[1, "win"], [0, "draw"], [-1, "loss"]]);

function readRow([move, visits, mean, pn, dpn, rank, least, most, atMost, added]) {
  // What selection adds up: the sum, and its terms in the order of `head.terms`.
  const [score, ...terms] = added ?? [];
  const verdict = least === most ? VERDICTS.get(least) : null;
  return { move, visits, mean, atMost, pn, dpn, rank, least, most, verdict, score, terms: added ? terms : null };
}
