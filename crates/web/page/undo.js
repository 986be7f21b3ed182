// Games that another one has taken the place of, kept for this tab: a stray click loses nothing, not even over a reload.

import { isGame, readKept, writeKept } from "./game.js";

const KEPT = "plyproof.replaced";
/** Games kept at most. */
const MOST = 20;

export class Replaced {
  #past = [];
  #future = [];

  constructor() {
    const kept = readKept(KEPT);
    if (Array.isArray(kept?.past)) this.#past = kept.past.filter(isGame);
    if (Array.isArray(kept?.future)) this.#future = kept.future.filter(isGame);
  }

  /** The game that "Undo" brings back; none if nothing was replaced. */
  get back() {
    return this.#past.at(-1) ?? null;
  }

  /** The game that "Redo" brings back. */
  get forth() {
    return this.#future.at(-1) ?? null;
  }

  /** Keeps a game that gives way to another. */
  add(game) {
    this.#past = [...this.#past, game].slice(-MOST);
    this.#future = [];
    this.#keep();
  }

  /** "Undo" has put the last game in the place of `game`. */
  wentBack(game) {
    this.#past.pop();
    this.#future.push(game);
    this.#keep();
  }

  /** "Redo" has put the next game in the place of `game`. */
  wentForth(game) {
    this.#future.pop();
    this.#past.push(game);
    this.#keep();
  }

  /** Forgets a game that cannot be shown. */
  drop(game) {
    this.#past = this.#past.filter((kept) => kept !== game);
    this.#future = this.#future.filter((kept) => kept !== game);
    this.#keep();
  }

  #keep() {
    writeKept(KEPT, { past: this.#past, future: this.#future });
  }
}
