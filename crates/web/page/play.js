// The table at which a game is played: asks the server about every position, and lets people and engines move.
//
// `game` and `at`, the position looked at, belong together: both change at once, when the server has confirmed the
// position. Until then nobody may move, and if no answer comes, everything is as it was.

import { familyOf } from "./boards/index.js";
import { byId } from "./dom.js";
import { Search } from "./engine.js";
import { PEOPLE, continued, cutTo, fresh, keep, linkOf, loses, placeOf, readLink, remembered } from "./game.js";
import { levelOf } from "./levels.js";
import { listenControls } from "./controls.js";
import { note, say } from "./notice.js";
import { opening } from "./opening.js";
import { Panel } from "./panel.js";
import { Scene } from "./scene.js";
import { set, settings } from "./settings.js";
import { paintStrips } from "./strips.js";
import { Replaced } from "./undo.js";

/** Nobody reacts to the engine's move faster than this, in milliseconds: a click within it was meant for the position before. */
const SETTLE = 200;
/** The page says that it waits for an answer that takes longer than this, in milliseconds. */
const LATE = 500;

export class Table {
  #link;
  /** The number of the last question where to go: answers to earlier ones are out of date. */
  #asked = 0;
  /** What waits for an answer: `change(game)` is the game after it; `making` where it is more than a look elsewhere. */
  #pending = null;
  /** The engine has just moved. */
  #settling = false;
  /** A game that could not be opened because the connection was lost. */
  #wanted = null;

  constructor(link, catalogue) {
    this.#link = link;
    this.catalogue = catalogue;
    const kept = remembered();
    this.game = kept ?? fresh();
    this.at = null;
    this.analysing = false;
    this.replaced = new Replaced();
    this.player = new Search(link, "play", (search) => this.#played(search));
    this.analysis = new Search(link, "analyse", (search) => this.#learnt(search.firstValue(), search.agent));
    this.solver = new Search(link, "solve", (search) => this.#learnt(search.head.stopped ? search.firstValue() : null, search.agent));
    this.scene = new Scene(this);
    this.panel = new Panel(this);
    listenControls(this);
    const { game: linked, why } = readLink(location.hash);
    const same = linked && kept && linkOf(linked) === linkOf(kept);
    this.begin(same ? kept : (linked ?? this.game), why);
  }

  get family() {
    return familyOf(this.game.game);
  }

  get finished() {
    return Boolean(this.at?.outcome);
  }

  get atEnd() {
    return this.game.ply === this.game.moves.length;
  }

  get online() {
    return this.#link.open;
  }

  /** Whether an answer of the server is long in coming. */
  get waiting() {
    return Boolean(this.#pending?.late);
  }

  get personsTurn() {
    return Boolean(this.at && !this.finished && this.game.seats[this.at.to_move] === "human");
  }

  /** Whether a person may move now. */
  get mayMove() {
    return this.personsTurn && this.online && !this.#pending && !this.#settling;
  }

  /** The moves that a person may make now. */
  get legal() {
    return this.mayMove ? this.at.legal : [];
  }

  /** A new game, or one from elsewhere, as far as it is legal. `why` says what was wrong with another one in its place. */
  async begin(given, why = null) {
    const game = { ...fresh(), ...given };
    const mine = this.#hold(() => game, true);
    let opened;
    try {
      opened = await opening(game, (at) => this.#ask(at));
    } catch (error) {
      if (mine !== this.#asked) return;
      this.#stayed(error);
      this.#wanted = game;
      return;
    }
    if (mine !== this.#asked) return;
    note(opened.why ?? why);
    if (opened.game) {
      const error = await this.#change(() => opened.game, { making: true });
      if (error?.lost) this.#wanted = game;
    } else if (this.at) {
      // The game on the board stays, and the address names it again.
      this.#stayed();
      keep(this.game);
    } else if (linkOf(game) !== linkOf(fresh())) {
      await this.begin(linkOf(game) === linkOf(this.game) ? fresh() : this.game, opened.why);
    }
  }

  #ask(at) {
    return this.#link.ask({ do: "position", at });
  }

  /** From here on nobody may move until an answer has come. Returns the number of the question. */
  #hold(change, making) {
    this.#quietEngine();
    this.#settling = false;
    this.#wanted = null;
    const pending = { change, making, late: false };
    this.#pending = pending;
    setTimeout(() => {
      if (pending !== this.#pending || !this.at) return;
      pending.late = true;
      paintStrips(this);
    }, LATE);
    this.scene.offer();
    return ++this.#asked;
  }

  /**
   * Changes the game once the server has confirmed the position: `change(game)` is the game after it. Resolves to the
   * error if it was not confirmed, which is said unless `silent`. `by` is who makes a move; `swapped(old)` is called in
   * place of keeping the game that is replaced.
   */
  async #change(change, { arrives = false, making = false, by = null, swapped = null, silent = false } = {}) {
    const mine = this.#hold(change, making);
    let answer;
    try {
      answer = await this.#ask(placeOf(change(this.game)));
    } catch (error) {
      if (mine === this.#asked) this.#stayed(silent ? null : error, by);
      return error;
    }
    if (mine !== this.#asked) return null;
    this.#pending = null;
    this.#leave();
    const old = this.game;
    this.at = answer.position;
    this.game = { ...change(old), game: this.at.game };
    if (swapped) swapped(old);
    else if (loses(old, this.game)) this.#keepReplaced(old, by);
    this.#arrived({ arrives, by });
    return null;
  }

  /** The answer was no, or there was none: all is as it was. */
  #stayed(error = null, by = null) {
    this.#pending = null;
    if (!this.at) return;
    if (by === "engine" && !error.lost) this.player.fail(error.message);
    else if (error) say(error.message);
    this.scene.offer();
    this.#letEngineMove();
  }

  #keepReplaced(old, by) {
    this.replaced.add(old);
    const count = old.moves.length - this.game.ply + 1;
    if (by === "person") say(`${count === 1 ? "A later move was" : `${count} later moves were`} replaced. Undo brings the game back.`);
  }

  /** The server has confirmed another position: shows it, and lets whoever is to move think. */
  #arrived({ arrives, by }) {
    const { at, game } = this;
    const error = byId("position-error");
    if (error.dataset.for !== linkOf(game)) error.textContent = "";
    if (this.finished) {
      const { winner } = at.outcome;
      game.values[game.ply] = { value: winner ? (winner === 1 ? 1 : -1) : 0, proven: true };
    }
    if (by === "engine") this.#settle();
    this.scene.show({ arrives });
    if (this.analysing) this.#analyse();
    this.#letEngineMove();
  }

  #settle() {
    const asked = this.#asked;
    this.#settling = true;
    setTimeout(() => {
      if (asked !== this.#asked) return;
      this.#settling = false;
      this.scene.offer();
    }, SETTLE);
  }

  /** A person plays a move where we look. The one that was played there anyway is a step forward. */
  play(text) {
    const { game } = this;
    if (!this.legal.includes(text)) return;
    if (game.moves[game.ply] === text) this.go(game.ply + 1);
    else this.#change((now) => continued(now, [text]), { arrives: true, making: true, by: "person" });
  }

  /** Puts a line of moves into the game, for people to step through. */
  follow(line) {
    if (this.at && !this.#pending) this.#change((now) => ({ ...continued(now, line), seats: PEOPLE }), { arrives: true, making: true });
  }

  /** Looks at another position of the game. */
  go(ply) {
    const { game } = this;
    const next = Math.max(0, Math.min(game.moves.length, ply));
    if (!this.at || this.#pending?.making || next === this.#heading) return;
    this.#change((now) => ({ ...now, ply: next }), { arrives: next === game.ply + 1 });
  }

  /** Looks some moves further on, or back, than the last question leads. */
  step(by) {
    this.go(this.#heading + by);
  }

  get #heading() {
    return (this.#pending?.change(this.game) ?? this.game).ply;
  }

  /** Takes back the last move; against an engine, back to the person's turn. */
  takeBack() {
    const { game, at } = this;
    if (!at || !game.ply || this.#pending) return;
    const engines = [1, 2].filter((seat) => game.seats[seat] === "engine").length;
    // Players take turns. Back at the start of a game that the engine opens, it moves again at once.
    const both = engines === 1 && game.seats[at.last.mover] === "engine" && game.ply > 1;
    const ply = game.ply - (both ? 2 : 1);
    this.#change((now) => ({ ...cutTo(now, ply), paused: now.paused || engines === 2 }), { making: true });
  }

  /** Brings back the game that was replaced last. */
  undo() {
    this.#bring(this.replaced.back, (old) => this.replaced.wentBack(old));
  }

  /** Takes the last "Undo" back. */
  redo() {
    this.#bring(this.replaced.forth, (old) => this.replaced.wentForth(old));
  }

  async #bring(game, swapped) {
    if (!this.at || !game || this.#pending?.making) return;
    const error = await this.#change(() => game, { making: true, swapped });
    if (error && !error.lost) this.replaced.drop(game);
    this.panel.paint();
  }

  /** Starts from a pasted position of the same game. */
  async setUp(text) {
    const shown = byId("position-error");
    if (!this.at) return;
    const error = await this.#change((now) => ({ ...cutTo(now, 0), start: text.trim(), values: {}, paused: false }), { making: true, silent: true });
    shown.textContent = error?.message ?? "";
    shown.dataset.for = error ? linkOf(this.game) : "";
  }

  #leave() {
    for (const search of [this.analysis, this.solver]) {
      search.stop();
      search.clear();
    }
    this.panel.forget();
  }

  #quietEngine() {
    this.player.stop();
    this.player.clear();
  }

  #letEngineMove() {
    const { game, at } = this;
    if (this.player.running) this.#quietEngine();
    if (this.#pending || !this.online || this.finished || !this.atEnd || game.paused || game.seats[at.to_move] !== "engine") return;
    const { agent, simulations, seconds } = levelOf(game);
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    this.player.start(placeOf(game), at.to_move, { agent, simulations, seconds, seed });
    paintStrips(this);
  }

  /** News of the search for the engine's move. */
  #played(search) {
    const { stopped, best } = search.head;
    const over = stopped && stopped !== "cancelled";
    if (search.error) {
      this.game.paused = true;
      this.scene.show();
    } else if (over && best) {
      this.#learnt(search.firstValue(), search.agent);
      this.#change((now) => continued(now, [best]), { arrives: true, making: true, by: "engine" });
    } else if (over) {
      search.fail("it found no move with what it may use for one");
    } else {
      paintStrips(this);
    }
  }

  /** A search values the position looked at. What is proven is not given up for a guess. */
  #learnt(found, agent) {
    const { game } = this;
    if (found && (found.proven || !game.values[game.ply]?.proven)) game.values[game.ply] = { ...found, agent };
    this.scene.repaint();
  }

  /** Searches the position looked at, for as long as the server allows. */
  #analyse() {
    if (this.finished) this.analysis.stop();
    else if (this.at) this.analysis.start(placeOf(this.game), this.at.to_move, { agent: settings.agent });
  }

  toggleEngine(on = !this.analysing) {
    this.analysing = on;
    if (on) this.#analyse();
    else this.analysis.stop();
    this.scene.repaint();
  }

  chooseAgent(agent) {
    set("agent", agent);
    if (this.analysing) this.#analyse();
    this.scene.repaint();
  }

  preview(line) {
    this.scene.preview(line, (at) => this.#ask(at));
  }

  flip() {
    this.game.flipped = !this.game.flipped;
    this.scene.show();
  }

  seat(player, who) {
    this.game.seats = { ...this.game.seats, [player]: who };
    this.pause(false);
  }

  /** Lets the engine rest, or go on. */
  pause(on) {
    this.game.paused = on;
    this.#quietEngine();
    this.scene.show();
    if (this.at) this.#letEngineMove();
  }

  news(search) {
    for (const known of [this.player, this.analysis, this.solver]) known.hear(search);
  }

  failed(role, message, id) {
    const search = { play: this.player, analyse: this.analysis, solve: this.solver }[role];
    if (search) search.fail(message, id);
    else say(message);
    this.scene.repaint();
  }

  /** The connection is back: what ran for us on the server has ended with the old one. */
  connected() {
    if (this.#wanted) this.begin(this.#wanted);
    else if (this.at && !this.#pending) this.#change((now) => now);
  }

  disconnected() {
    this.scene.offer();
  }
}
