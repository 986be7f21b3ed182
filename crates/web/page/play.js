// The table at which a game is played: asks the server about every position, and lets people and engines move.
//
// `game` and `at`, the position looked at, belong together: both change at once, when the server has confirmed the
// position. Until then nobody may move, and if no answer comes, everything is as it was.

import { familyOf } from "./boards/index.js";
import { byId, download } from "./dom.js";
import { fileGame, fileName } from "./files.js";
import { Search } from "./engine.js";
import { PEOPLE, continued, cutTo, fresh, keep, learn, lineOf, linkOf, loses, newId, nodeOf, placeOf, readLink, remembered, valueOf } from "./game.js";
import { isMain, lineThrough, movesTo, noted, promoted, without } from "./gametree.js";
import { Clock } from "./clock.js";
import { Editor } from "./editor.js";
import { Questions } from "./questions.js";
import { Review } from "./review.js";
import { levelOf } from "./levels.js";
import { listenControls } from "./controls.js";
import { note, say } from "./notice.js";
import { opening } from "./opening.js";
import { Panel } from "./panel.js";
import { textOf } from "./rulefiles/gallery.js";
import { isFile } from "./rulefiles/known.js";
import { Scene } from "./scene.js";
import { set, settings } from "./settings.js";
import { parseSpec } from "./spec.js";
import { paintStrips } from "./strips.js";
import { Replaced } from "./undo.js";

/** Nobody reacts to the engine's move faster than this, in milliseconds: a click within it was meant for the position before. */
const SETTLE = 200;
/** Where nobody asked for less motion, an engine takes at least so long for its move, in milliseconds: people want to see it. */
const PACE = 450;
/** The page says that it waits for an answer that takes longer than this, in milliseconds. */
const LATE = 500;

export class Table extends Questions {
  /** The number of the last question where to go: answers to earlier ones are out of date. */
  #asked = 0;
  /** What waits for an answer: `change(game)` is the game after it; `making` where it is more than a look elsewhere. */
  #pending = null;
  /** The engine has just moved. */
  #settling = false;
  /** Whether this tab had a game before it was loaded. */
  #kept = false;
  /** A game that could not be opened because the connection was lost. */
  #wanted = null;

  constructor(link, catalogue) {
    super(link);
    this.catalogue = catalogue;
    const kept = remembered();
    this.game = kept ?? fresh();
    this.#kept = Boolean(kept);
    this.clock = new Clock(this);
    this.at = null;
    this.analysing = false;
    this.replaced = new Replaced();
    this.player = new Search(link, "play", (search) => this.#played(search));
    this.analysis = new Search(link, "analyse", (search) => this.#learnt(search.firstValue(), search.agent));
    this.compare = new Search(link, "compare", () => this.scene.repaint());
    this.hint = new Search(link, "hint", (search) => this.#hinted(search));
    this.review = new Review(this, link);
    this.solver = new Search(link, "solve", (search) => this.#learnt(search.head.stopped ? search.firstValue() : null, search.agent));
    this.scene = new Scene(this);
    this.panel = new Panel(this);
    this.editor = new Editor(this);
    listenControls(this);
  }

  /** Opens what the address names, or else the game that this tab had. */
  openAddress() {
    const { game: linked, why } = readLink(location.hash);
    const same = linked && this.#kept && linkOf(linked) === linkOf(this.game);
    return this.begin(same ? this.game : (linked ?? this.game), why);
  }

  /** The address names another game, or another position of this one. */
  follows(hash) {
    const { game, why } = readLink(hash);
    if (game && linkOf(game) !== linkOf(this.game)) {
      const { moves } = this.game;
      const inside = game.game === this.game.game && game.start === this.game.start && game.moves.length === moves.length && game.moves.every((move, index) => move === moves[index]);
      if (inside) this.go(game.ply);
      else this.begin(game);
    } else if (why) {
      this.begin(this.game, why);
    }
  }

  get family() {
    return familyOf(this.game.game, this.game.rules);
  }

  get finished() {
    return Boolean(this.result);
  }

  /** {winner, reason} once the game is over: by the rules, or because somebody resigned or ran out of time. */
  get result() {
    const { outcome } = this.at ?? {};
    if (outcome) return { ...outcome, reason: null };
    return (this.atEnd && this.game.ended) || null;
  }

  get atEnd() {
    return this.game.ply === this.game.moves.length;
  }

  get online() {
    return this.link.open;
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
    if (!game.rules && isFile(game.game)) game.rules = await textOf(parseSpec(game.game).name);
    if (mine !== this.#asked) return;
    let opened;
    try {
      opened = await opening(game, (at) => this.ask(at));
    } catch (error) {
      if (mine !== this.#asked) return;
      this.#stayed(error);
      this.#wanted = game;
      return;
    }
    if (mine !== this.#asked) return;
    note(opened.why ?? why);
    this.opened = true;
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
      answer = await this.ask(placeOf(change(this.game)));
    } catch (error) {
      if (mine === this.#asked) this.#stayed(silent ? null : error, by);
      return error;
    }
    if (mine !== this.#asked) return null;
    this.#pending = null;
    this.editor.stop();
    this.#leave();
    const old = this.game;
    this.at = answer.position;
    this.game = { ...change(old), game: this.at.game };
    lineOf(this.game);
    if (old.id !== this.game.id) this.review.stop();
    if (by) this.clock.moved(old);
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
    if (by === "person") say(`The ${count === 1 ? "move that followed is" : `${count} moves that followed are`} kept as a variation.`);
  }

  /** The server has confirmed another position: shows it, and lets whoever is to move think. */
  #arrived({ arrives, by }) {
    const { at, game } = this;
    const error = byId("position-error");
    if (error.dataset.for !== linkOf(game)) error.textContent = "";
    if (at.outcome) {
      const { winner } = at.outcome;
      learn(game, { value: winner ? (winner === 1 ? 1 : -1) : 0, proven: true });
    }
    if (by === "engine") this.#settle();
    this.scene.show({ arrives });
    if (this.analysing) this.#analyse();
    this.#letEngineMove();
    this.clock.run();
    this.onChange?.(game);
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

  /** Adds a line as a variation after these moves, and goes to its first move. */
  showLine(moves, line) {
    if (!this.at || this.#pending?.making || !line.length) return;
    this.#change((now) => ({ ...continued({ ...now, moves, ply: moves.length }, line), ended: null, paused: true }), { making: true, swapped: () => {} });
  }

  /** Another variation at the move that we look at: the next one, or the one before. */
  sibling(by) {
    const { game } = this;
    const id = nodeOf(game);
    const siblings = game.tree[game.tree[id].parent].children;
    const next = id ? siblings[siblings.indexOf(id) + by] : undefined;
    if (next !== undefined) this.goTo(next);
  }

  /** Saves the game with its variations as a file. */
  async exportGame(format) {
    try {
      download(fileName(this.game, format), await this.writeFile([fileGame(this.game, this.#result)], format));
    } catch (error) {
      say(error.message);
    }
  }

  /** The result as files have it. */
  get #result() {
    if (!this.finished) return "*";
    return { 1: "1-0", 2: "0-1" }[this.result.winner] ?? "1/2-1/2";
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

  /** Goes to a node of the tree: the line through it becomes the one that we follow. */
  goTo(id) {
    const { tree } = this.game;
    if (!this.at || this.#pending?.making || !tree[id]) return;
    const line = lineThrough(tree, id);
    const ply = movesTo(tree, id).length;
    const same = line.length === this.game.moves.length && line.every((move, index) => move === this.game.moves[index]);
    if (same) this.go(ply);
    else this.#change((now) => ({ ...now, moves: line, ply, ended: null }), { making: true, swapped: () => {}, arrives: ply === this.game.ply + 1 });
  }

  /** Puts the variation that we are in one place further up. */
  promote() {
    const { game } = this;
    this.#edit({ ...game, tree: promoted(game.tree, nodeOf(game)) });
  }

  /** Deletes the move that we look at, with all that follows. */
  remove() {
    const { game } = this;
    const id = nodeOf(game);
    if (!id || !this.at || this.#pending) return;
    const tree = without(game.tree, id);
    this.#change((now) => ({ ...cutTo(now, now.ply - 1), tree, paused: true }), { making: true, swapped: (old) => this.replaced.add(old) });
  }

  /** Says something about the move that we look at: {comment} or {mark}. */
  annotate(notes) {
    const { game } = this;
    this.game = { ...game, tree: noted(game.tree, nodeOf(game), notes) };
    keep(this.game);
    this.panel.paint();
    this.onChange?.(this.game);
  }

  /** Another tree with the same line. */
  #edit(next) {
    if (!this.at || this.#pending) return;
    this.replaced.add(this.game);
    this.game = next;
    this.scene.show();
    this.onChange?.(next);
  }

  /** Whether the position looked at belongs to a variation. */
  get inVariation() {
    return !isMain(this.game.tree, nodeOf(this.game));
  }

  /** The game ends because somebody gave up or ran out of time. */
  end(loser, reason) {
    if (!this.at || this.finished) return;
    this.#quietEngine();
    this.game = { ...this.game, ply: this.game.moves.length, ended: { winner: 3 - loser, reason } };
    this.scene.show();
    this.clock.run();
    this.onChange?.(this.game);
  }

  /** The person gives up; with two people the one who is to move. */
  resign() {
    if (!this.at || this.finished || !this.atEnd) return;
    const people = [1, 2].filter((seat) => this.game.seats[seat] === "human");
    if (people.length) this.end(people.length === 1 ? people[0] : this.at.to_move, "resignation");
  }

  /** The same players once more, with the other one to begin. */
  rematch() {
    const { game } = this;
    const swap = ({ 1: a, 2: b }) => ({ ...(b !== undefined && { 1: b }), ...(a !== undefined && { 2: a }) });
    const clock = game.clock && { ...game.clock, left: { 1: game.clock.base, 2: game.clock.base } };
    const next = { ...fresh(game.game, game.start, game.rules), level: game.level, custom: game.custom, engines: swap(game.engines ?? {}), seats: swap(game.seats), clock };
    next.flipped = next.seats[1] === "engine" && next.seats[2] === "human";
    this.begin(next);
  }

  /** Asks for a good move. */
  askHint() {
    if (!this.mayMove) return;
    this.hint.start(placeOf(this.game), this.at.to_move, { agent: "plyproof", simulations: 20_000, seconds: 2 });
  }

  #hinted(search) {
    if (search.error) say(search.error);
    else if (search.head.stopped && search.head.best) this.scene.point(search.head.best);
    this.panel.paintHint(search.running);
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
    const error = await this.#change((now) => ({ ...cutTo(now, 0), start: text.trim(), tree: fresh().tree, id: newId(), headers: [], clock: null, paused: false }), { making: true, silent: true });
    shown.textContent = error?.message ?? "";
    shown.dataset.for = error ? linkOf(this.game) : "";
  }

  #leave() {
    for (const search of [this.analysis, this.compare, this.hint, this.solver]) {
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
    const { agent, simulations, seconds } = levelOf(game, at.to_move);
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    this.player.began = performance.now();
    this.player.hurried = false;
    this.player.start(placeOf(game), at.to_move, { agent, simulations, seconds: this.clock.allowed(at.to_move, seconds, simulations), seed });
    paintStrips(this);
  }

  /** News of the search for the engine's move. */
  #played(search) {
    const { stopped, best } = search.head;
    const over = stopped && (stopped !== "cancelled" || this.player.hurried);
    if (search.error) {
      this.game.paused = true;
      this.scene.show();
    } else if (over && best) {
      this.#learnt(search.firstValue(), search.agent);
      const wait = this.#calm ? 0 : PACE - (performance.now() - this.player.began);
      const { id } = search;
      const move = () => id === this.player.id && this.#change((now) => continued(now, [best]), { arrives: true, making: true, by: "engine" });
      if (wait > 0) setTimeout(move, wait);
      else move();
    } else if (over) {
      search.fail("it found no move with what it may use for one");
    } else {
      paintStrips(this);
    }
  }

  get #calm() {
    return !settings.pace || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** Lets the engine move now, with what it has found. */
  moveNow() {
    if (!this.player.running || !this.player.head.best) return;
    this.player.hurried = true;
    this.player.stop(true);
  }

  /** A search values the position looked at. What is proven is not given up for a guess. */
  #learnt(found, agent) {
    const { game } = this;
    if (found && (found.proven || !valueOf(game)?.proven)) learn(game, { ...found, agent });
    this.scene.repaint();
  }

  /** Searches the position looked at, for as long as the server allows. */
  #analyse() {
    for (const [search, agent] of [[this.analysis, settings.agent], [this.compare, settings.second]]) {
      if (this.at?.outcome || !agent) search.stop();
      else if (this.at) search.start(placeOf(this.game), this.at.to_move, { agent });
    }
  }

  /** Shows a tab of the panel. */
  tab(name) {
    this.panel.tab(name);
  }

  toggleEngine(on = !this.analysing) {
    this.analysing = on;
    if (on) this.#analyse();
    else for (const search of [this.analysis, this.compare]) search.stop();
    this.scene.repaint();
  }

  /** The agent of the analysis, or the second one beside it ("" for none). */
  chooseAgent(agent, which = "agent") {
    set(which, agent);
    if (which === "second" && !agent) {
      this.compare.stop();
      this.compare.clear();
    } else if (this.analysing) this.#analyse();
    this.scene.repaint();
  }

  preview(line) {
    this.scene.preview(line, (at) => this.ask(at));
  }

  flip() {
    this.game.flipped = !this.game.flipped;
    this.scene.show();
  }

  /** Who sits where: a person, or an engine with a level. */
  seat(player, who, engine = null) {
    const engines = { ...this.game.engines, ...(engine && { [player]: engine }) };
    this.game = { ...this.game, engines, seats: { ...this.game.seats, [player]: who } };
    this.pause(false);
  }

  /** Lets the engine rest, or go on. */
  pause(on) {
    this.game.paused = on;
    this.#quietEngine();
    this.scene.show();
    if (this.at) this.#letEngineMove();
    this.clock.run();
  }

  get #searches() {
    return [this.player, this.analysis, this.compare, this.hint, this.review.search, this.solver];
  }

  news(search) {
    for (const known of this.#searches) known.hear(search);
  }

  failed(role, message, id) {
    const search = this.#searches.find((known) => known.role === role);
    if (search) search.fail(message, id);
    else if (!this.refuse(id, message)) say(message);
    this.scene.repaint();
  }

  /** The connection is back: what ran for us on the server has ended with the old one. */
  connected() {
    if (this.#wanted) this.begin(this.#wanted);
    else if (this.at && !this.#pending) this.#change((now) => now);
  }

  disconnected() {
    this.review.stop();
    this.clock.run();
    this.scene.offer();
  }
}
