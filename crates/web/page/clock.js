// The clocks of a timed game. They run only while the game does: not while it is paused, looked back at, or without a connection.

import { keep } from "./game.js";
import { paintClocks } from "./strips.js";

/** Time between two looks at the clock, in milliseconds. */
const TICK = 100;
/** An engine uses at most one part in so many of its time for a move. */
const PARTS = 30;

export class Clock {
  #table;
  #timer = null;
  /** When the clock of the player to move was looked at last; null while it stands still. */
  #since = null;
  #player = 1;

  constructor(table) {
    this.#table = table;
  }

  /** Whether time passes for the player to move. */
  get #runs() {
    const { game, at, finished, atEnd, online } = this.#table;
    return Boolean(game.clock && at && !finished && atEnd && online && !game.paused && game.moves.length > 0);
  }

  /** Lets the clock run if it should, and stand still if it should not. */
  run() {
    this.#look();
    clearInterval(this.#timer);
    this.#since = this.#runs ? performance.now() : null;
    this.#player = this.#table.at?.to_move ?? 1;
    this.#timer = this.#runs ? setInterval(() => this.#look(), TICK) : null;
    paintClocks(this.#table);
  }

  /** A move was made after `old`: who made it is given the increment. */
  moved(old) {
    const { game, at } = this.#table;
    if (!game.clock || old.id !== game.id) return;
    const mover = at.last?.mover;
    const { clock } = game;
    if (mover && game.moves.length > 1) game.clock = { ...clock, left: { ...clock.left, [mover]: clock.left[mover] + clock.increment } };
  }

  /** Seconds that an engine may think: by its level, and where it has none, by its clock. */
  allowed(player, seconds, simulations) {
    const { clock } = this.#table.game;
    if (!clock) return seconds;
    const share = Math.max(0.05, clock.left[player] / PARTS + 0.8 * clock.increment);
    return simulations ? share : Math.min(seconds ?? share, share);
  }

  #look() {
    const { game } = this.#table;
    if (this.#since === null || !game.clock) return;
    const now = performance.now();
    const player = this.#player;
    const left = Math.max(0, game.clock.left[player] - (now - this.#since) / 1000);
    this.#since = now;
    game.clock = { ...game.clock, left: { ...game.clock.left, [player]: left } };
    paintClocks(this.#table);
    if (left > 0) return;
    this.#since = null;
    keep(game);
    this.#table.end(player, "time");
  }
}

/** Seconds as a clock shows them. */
export function clockText(seconds) {
  if (seconds < 10) return `0:0${seconds.toFixed(1)}`;
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** "5+3" as a clock of 5 minutes and 3 seconds a move; null for no clock. */
export function readClock(text) {
  if (!text.trim()) return null;
  const found = /^\s*(\d+(?:\.\d+)?)\s*(?:\+\s*(\d+))?\s*$/.exec(text);
  const [base, increment] = found ? [60 * Number(found[1]), Number(found[2] ?? 0)] : [0, 0];
  if (!found || base <= 0 || base > 36_000 || increment > 3600) throw new Error(`Clock: "${text}" is not a time: expected minutes and seconds per move, as in 5+3.`);
  return { base, increment, left: { 1: base, 2: base } };
}
