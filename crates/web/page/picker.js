// Which move is meant: clicks on cells are compared with the ways in which each legal move can be clicked.

const textsOf = (fits) => [...new Set(fits.map(({ text }) => text))];

export class Picker {
  /** The keys clicked so far. */
  path = [];
  #moves = [];

  /** `play(text)` when a move is meant, `ask(texts)` when several are, `changed()` when the path is another. */
  constructor(play, ask, changed) {
    this.play = play;
    this.ask = ask;
    this.changed = changed;
  }

  /** Other legal moves: each with its ways, lists of keys to be clicked one after the other. */
  offer(moves) {
    this.#moves = moves.flatMap(({ text, ways }) => ways.map((way) => ({ text, way })));
    this.path = [];
  }

  #fits(path) {
    return this.#moves.filter(({ way }) => path.every((key, index) => way[index] === key));
  }

  begins = (key) => key !== null && this.#fits([key]).length > 0;

  /** Whether one click on this key is a whole move, and not also the beginning of a longer one. */
  finishes = (key) => key !== null && this.#whole([key]).length > 0;

  /** The moves that are made by clicks along a path, which no other move goes on from. */
  #whole(path) {
    const fits = this.#fits(path);
    return fits.every(({ way }) => way.length === path.length) ? fits : [];
  }

  /** The moves that end where the path does although others go on from there. */
  stops() {
    const { path } = this;
    if (!path.length) return [];
    return textsOf(this.#fits(path).filter(({ way }) => way.length === path.length));
  }

  reset() {
    this.path = [];
    this.changed();
  }

  restart(key) {
    this.path = [key];
    this.changed();
  }

  /** One click. */
  step(key) {
    if (key === null) return;
    const longer = [...this.path, key];
    const fits = this.#fits(longer);
    if (!fits.length) {
      // Not a target: it may be the beginning of another move. The same cell again puts it back, or stops there.
      const again = this.path.at(-1) === key;
      const stops = again ? this.stops() : [];
      if (stops.length) {
        this.#finish(stops);
        return;
      }
      this.path = !again && this.begins(key) ? [key] : [];
      if (this.path.length && this.finishes(key)) this.#finish(textsOf(this.#fits([key])));
      else this.changed();
      return;
    }
    this.path = longer;
    const whole = this.#whole(longer);
    if (whole.length) this.#finish(textsOf(whole));
    else this.changed();
  }

  #finish(texts) {
    if (texts.length > 1) this.ask(texts);
    else this.answer(texts[0]);
  }

  /** The move that was meant, or null for none of them. */
  answer(text) {
    this.path = [];
    this.changed();
    if (text !== null) this.play(text);
  }

  /** What can be clicked: keys that begin a move, keys that go on from the path. */
  targets() {
    const first = new Set(this.#moves.map(({ way }) => way[0]));
    const next = new Set(this.#fits(this.path).map(({ way }) => way[this.path.length]).filter(Boolean));
    return { first, next, path: this.path };
  }
}
