// The table at which a game is played: asks the server about every position, lets people and engines move, shows it all.

import { Board } from "./board.js";
import { familyOf } from "./boards/index.js";
import { byId, eachFrame } from "./dom.js";
import { Search } from "./engine.js";
import { fresh, fromLink, keep, linkOf, placeOf, restored } from "./game.js";
import { levelOf } from "./levels.js";
import { Panel } from "./panel.js";
import { set, settings } from "./settings.js";
import { paintStrips } from "./strips.js";
import { title } from "./spec.js";
import { paintBar, paintGraph } from "./views/values.js";

export class Table {
  #link;
  #board;
  #asked = 0;
  #previewing = null;
  #repaint = eachFrame(() => this.#paintSearch());

  constructor(link, catalogue) {
    this.#link = link;
    this.catalogue = catalogue;
    this.game = restored();
    this.at = null;
    this.analysing = false;
    this.player = new Search(link, "play", (search) => this.#played(search));
    this.analysis = new Search(link, "analyse", () => this.#analysed());
    this.solver = new Search(link, "solve", () => this.#solved());
    this.#board = new Board(byId("board"), (text) => this.play(text));
    this.panel = new Panel(this);
    this.#listen();
    this.refresh();
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

  /** Whose turn it is to move here, if it is a person's. */
  get personMoves() {
    return Boolean(this.at && !this.finished && (!this.atEnd || this.game.seats[this.at.to_move] === "human"));
  }

  /** A new game, or one from elsewhere. */
  begin(game) {
    this.player.stop();
    this.#forget();
    this.game = { ...fresh(), ...game };
    return this.refresh();
  }

  #forget() {
    this.analysis.stop();
    this.analysis.clear();
    this.solver.stop();
    this.solver.clear();
  }

  /** Asks the server about the position looked at, and shows it. */
  async refresh({ arrives = false } = {}) {
    const mine = ++this.#asked;
    this.#previewing = null;
    let answer;
    try {
      answer = await this.#link.ask({ do: "position", at: placeOf(this.game) });
    } catch (error) {
      if (mine !== this.#asked) return;
      this.say(error.message);
      // A game that cannot be shown, as from a broken link, gives way to one that can.
      if (!this.at) {
        byId("position-error").textContent = error.message;
        this.game = fresh();
        this.refresh();
      }
      return;
    }
    if (mine !== this.#asked) return;
    this.at = answer.position;
    this.game.game = this.at.game;
    if (this.finished) {
      const { winner } = this.at.outcome;
      this.game.values[this.game.ply] = { value: winner ? (winner === 1 ? 1 : -1) : 0, proven: true };
    }
    keep(this.game);
    byId("bench").dataset.moves = this.game.moves.length;
    byId("bench").dataset.ply = this.game.ply;
    document.title = `${title(this.game.game)} · plyproof`;
    byId("position").value = this.at.position;
    if (byId("position-error").dataset.for !== linkOf(this.game)) byId("position-error").textContent = "";
    this.#paint(this.at, { arrives, legal: this.personMoves ? this.at.legal : [] });
    this.panel.paint();
    if (this.analysing) this.#analyse();
    this.#repaint();
    this.#letEngineMove();
  }

  /** Draws a position on the board. */
  #paint(at, { arrives, legal }) {
    const { family, game } = this;
    const before = at.last ? family.parse({ position: at.last.before, board: at.last.board, to_move: at.last.mover }) : null;
    const startMover = game.start ? (/ (o|2)( |$)/.test(game.start) ? 2 : 1) : 1;
    this.#board.show({
      family,
      board: family.parse(at),
      before,
      key: game.game,
      label: `Board of ${title(game.game)}`,
      legal: legal.filter((text) => text !== "pass"),
      last: at.last,
      flip: game.flipped,
      arrives,
      options: { kanji: settings.kanji, moves: game.moves.slice(0, game.ply), firstMover: startMover },
    });
    byId("pass").hidden = !legal.includes("pass");
    paintStrips(this);
  }

  /** Plays a move where we look; what was played after it is gone. */
  play(text) {
    const { game } = this;
    game.moves = [...game.moves.slice(0, game.ply), text];
    game.ply += 1;
    for (const ply of Object.keys(game.values)) if (Number(ply) >= game.ply) delete game.values[ply];
    this.#leave();
    return this.refresh({ arrives: true });
  }

  /** Looks at another position of the game. */
  go(ply) {
    const { game } = this;
    const next = Math.max(0, Math.min(game.moves.length, ply));
    if (next === game.ply) return;
    const arrives = next === game.ply + 1;
    game.ply = next;
    this.#leave();
    this.player.stop();
    this.refresh({ arrives });
  }

  /** Takes back the last move; against an engine, back to the person's turn. */
  async takeBack() {
    const { game } = this;
    if (!game.ply) return;
    this.player.stop();
    this.#leave();
    const engines = [1, 2].filter((seat) => game.seats[seat] === "engine").length;
    if (engines === 2) game.paused = true;
    do {
      game.ply -= 1;
      const answer = await this.#link.ask({ do: "position", at: placeOf(game) }).catch(() => null);
      if (!answer || engines !== 1 || game.seats[answer.position.to_move] === "human") break;
    } while (game.ply > 0);
    game.moves.length = game.ply;
    for (const ply of Object.keys(game.values)) if (Number(ply) > game.ply) delete game.values[ply];
    // Back at the start of a game that the engine opens, it would move again at once.
    await this.refresh();
  }

  #leave() {
    this.analysis.stop();
    this.analysis.clear();
    this.solver.stop();
    this.solver.clear();
    this.panel.forget();
  }

  #letEngineMove() {
    const { game, at } = this;
    if (this.finished || !this.atEnd || game.paused || game.seats[at.to_move] !== "engine") {
      this.player.stop();
      return;
    }
    const { agent, simulations, seconds } = levelOf(game);
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    this.player.start(placeOf(game), at.to_move, { agent, simulations, seconds, seed });
    paintStrips(this);
  }

  /** News of the search for the engine's move. */
  #played(search) {
    if (search.error) {
      this.say(search.error);
      this.game.paused = true;
      this.panel.paint();
      return;
    }
    const { stopped, best } = search.head;
    if (stopped && stopped !== "asked" && best && this.atEnd && search.id === this.player.id && search.place) {
      const found = search.firstValue();
      if (found) this.game.values[this.game.ply] ??= found;
      search.place = null;
      this.play(best);
    } else {
      paintStrips(this);
    }
  }

  #analysed() {
    const found = this.analysis.firstValue();
    if (found) this.game.values[this.game.ply] = found;
    this.#repaint();
  }

  #solved() {
    const found = this.solver.head.stopped ? this.solver.firstValue() : null;
    if (found?.proven) this.game.values[this.game.ply] = found;
    this.#repaint();
  }

  /** Searches the position looked at, for as long as the server allows. */
  #analyse() {
    if (this.finished) {
      this.analysis.stop();
      return;
    }
    this.analysis.start(placeOf(this.game), this.at.to_move, { agent: settings.agent });
  }

  toggleEngine(on = !this.analysing) {
    this.analysing = on;
    if (on) this.#analyse();
    else this.analysis.stop();
    this.#repaint();
  }

  chooseAgent(agent) {
    set("agent", agent);
    if (this.analysing) this.#analyse();
  }

  /** Shows the board some moves ahead, or, with nothing, as it is. */
  async preview(line) {
    this.#previewing = line;
    byId("board").classList.toggle("preview", Boolean(line));
    if (!line) {
      this.#paint(this.at, { arrives: false, legal: this.personMoves ? this.at.legal : [] });
      this.#repaint();
      return;
    }
    const mine = this.#asked;
    const answer = await this.#link.ask({ do: "position", at: placeOf(this.game, line) }).catch(() => null);
    if (answer && mine === this.#asked && this.#previewing === line) {
      this.#board.overlay([]);
      this.#paint(answer.position, { arrives: false, legal: [] });
    }
  }

  /** What changes with every update of a search. */
  #paintSearch() {
    const { analysis, game } = this;
    if (!this.at) return;
    const live = this.analysing ? analysis.firstValue() : null;
    paintBar(live ?? game.values[game.ply] ?? null, this.family, game.flipped);
    paintGraph(byId("graph"), game, (ply) => this.go(ply));
    this.panel.paintSearch();
    if (!this.#previewing) this.#board.overlay(settings.overlay && (this.analysing || analysis.id) && !this.finished ? overlayOf(analysis) : []);
  }

  tab(name) {
    this.panel.tab(name);
  }

  focusBoard() {
    this.#board.focus();
  }

  flip() {
    this.game.flipped = !this.game.flipped;
    this.refresh();
  }

  seat(player, who) {
    this.game.seats[player] = who;
    this.game.paused = false;
    this.refresh();
  }

  repaint() {
    this.#repaint();
  }

  /** A sentence that goes away by itself. */
  say(text) {
    const toast = byId("toast");
    toast.textContent = text;
    toast.classList.add("shown");
    clearTimeout(this.hush);
    this.hush = setTimeout(() => toast.classList.remove("shown"), 6000);
  }

  news(search) {
    for (const known of [this.player, this.analysis, this.solver]) known.hear(search);
  }

  failed(role, message, id) {
    const search = { play: this.player, analyse: this.analysis, solve: this.solver }[role];
    if (search) search.fail(message, id);
    else this.say(message);
    this.#repaint();
  }

  /** The line to the server is back: what ran for us there has ended with the old one. */
  connected() {
    if (!this.at) return;
    this.#leave();
    this.refresh();
  }

  #listen() {
    const click = (id, work) => byId(id).addEventListener("click", work);
    click("first", () => this.go(0));
    click("back", () => this.go(this.game.ply - 1));
    click("forward", () => this.go(this.game.ply + 1));
    click("last", () => this.go(this.game.moves.length));
    click("take-back", () => this.takeBack());
    click("flip", () => this.flip());
    click("pass", () => this.play("pass"));
    click("pause", () => {
      this.game.paused = !this.game.paused;
      this.refresh();
    });
    click("kanji", () => {
      set("kanji", !settings.kanji);
      this.refresh();
    });
    click("copy", () => this.#copy(byId("position").value, "The position is copied."));
    click("share", () => this.#copy(`${location.origin}/#${linkOf(this.game)}`, "The link is copied: it holds the game, the position and the moves."));
    byId("position-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.setUp(byId("position").value);
    });
    addEventListener("hashchange", () => {
      const linked = fromLink(location.hash);
      if (linked && linkOf(linked) !== linkOf(this.game)) this.begin({ ...linked, seats: { 1: "human", 2: "human" } });
    });
  }

  /** Starts from a pasted position of the same game. */
  async setUp(text) {
    const error = byId("position-error");
    const game = { ...this.game, start: text.trim(), moves: [], ply: 0, values: {}, paused: false };
    try {
      await this.#link.ask({ do: "position", at: placeOf(game) });
    } catch (wrong) {
      error.textContent = wrong.message;
      error.dataset.for = linkOf(this.game);
      return;
    }
    error.textContent = "";
    this.begin(game);
  }

  async #copy(text, said) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(said);
    } catch {
      this.say(text);
    }
  }
}

/** The moves worth drawing: the best few by visits, and what is decided. */
function overlayOf(search) {
  const moves = search.moves();
  const most = Math.max(1, ...moves.map((row) => row.visits));
  const total = moves.reduce((sum, row) => sum + row.visits, 0) || 1;
  return moves
    .filter((row, index) => index < 5 || (row.verdict === "win" && index < 12))
    .filter((row) => row.visits > most / 50 || row.verdict)
    .map((row) => ({
      text: row.move,
      share: row.visits / most,
      best: row.move === search.head.best,
      verdict: row.verdict,
      label: `${Math.round((100 * row.visits) / total)}`,
    }));
}
