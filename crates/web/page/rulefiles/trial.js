// The board beside the editor: the game that the text describes, to be tried at once, alone or against a small search.

import { Board } from "../board.js";
import { familyOf } from "../boards/index.js";
import { Choices } from "../choices.js";
import { el, put } from "../dom.js";

/** What answers where the engine plays. */
const AGENT = "mcts";
const SIMULATIONS = 600;

export class Trial {
  #table;
  #board;
  #at = null;
  #game = null;
  #moves = [];
  #asked = 0;
  #answers = false;
  #flip = false;
  #status = el("p", { class: "status", role: "status" });
  #back = el("button", { type: "button", id: "trial-back", on: { click: () => this.#takeBack() }, text: "Take back" });
  #again = el("button", { type: "button", id: "trial-again", on: { click: () => this.#go([]) }, text: "Start over" });
  #engine = el("button", { type: "button", id: "trial-engine", "aria-pressed": "false", title: "A small search answers your moves", on: { click: () => this.#toggle() }, text: "Play here" });
  #turn = el("button", { type: "button", id: "trial-flip", on: { click: () => this.#turned() }, text: "Turn" });

  constructor(table) {
    this.#table = table;
    const host = el("div", { class: "boardhost", id: "trial-board" });
    const choices = el("div", { class: "choices", role: "group", "aria-label": "Moves of the game to choose from", hidden: true });
    const play = (text) => this.#play(text);
    this.#board = new Board(host, new Choices(choices, play, "trial-choices"), play);
    this.node = el("section", { class: "trial", "aria-label": "The game", hidden: true }, host, choices, this.#status,
      el("p", { class: "buttons left" }, this.#engine, this.#back, this.#again, this.#turn));
  }

  /** Another game, {game, rules}, at its first position; the moves made so far are made again as far as that is possible. */
  async open(game, position) {
    const renewed = this.#game && this.#game.game === game.game;
    this.#game = game;
    this.node.hidden = false;
    if (renewed && this.#moves.length && (await this.#go(this.#moves))) return;
    this.#asked += 1;
    this.#moves = [];
    this.#show(position, false);
  }

  /** Goes to the position after these moves; whether there is one. */
  async #go(moves) {
    const mine = ++this.#asked;
    const game = this.#game;
    try {
      const at = await this.#table.describe({ ...game, start: null, moves });
      if (mine !== this.#asked) return true;
      const arrives = moves.length === this.#moves.length + 1;
      this.#moves = moves;
      this.#show(at, arrives);
      return true;
    } catch (error) {
      if (mine === this.#asked) this.#status.textContent = error.message;
      return false;
    }
  }

  #show(at, arrives) {
    this.#at = at;
    const family = familyOf(this.#game.game, this.#game.rules);
    const before = at.last ? family.parse({ position: at.last.before, board: at.last.board, to_move: at.last.mover }) : null;
    this.#board.show({
      family, board: family.parse(at), before, key: `${this.#game.game} ${this.#game.rules}`, label: "Board of the rules", legal: at.legal, all: at.legal,
      last: at.last, winner: at.outcome?.winner ?? null, flip: this.#flip, arrives, options: {},
    });
    const { names } = family;
    this.#status.textContent = at.outcome
      ? at.outcome.winner ? `${names[at.outcome.winner]} wins after ${this.#moves.length} moves.` : `Drawn after ${this.#moves.length} moves.`
      : `${names[at.to_move]} to move · ${at.legal.length} legal ${at.legal.length === 1 ? "move" : "moves"}`;
    this.node.dataset.moves = this.#moves.length;
    this.#back.disabled = !this.#moves.length;
    this.#again.disabled = !this.#moves.length;
  }

  async #play(text) {
    const mover = this.#at.to_move;
    if (!(await this.#go([...this.#moves, text]))) return;
    // A player may move several times in a row.
    while (this.#answers && !this.#at.outcome && this.#at.to_move !== mover) {
      const mine = this.#asked;
      const place = { ...this.#game, start: null, moves: this.#moves };
      const found = await this.#table.smallTree(place, AGENT, SIMULATIONS, this.#moves.length + 1).catch(() => null);
      if (!found?.report.best || mine !== this.#asked || !(await this.#go([...this.#moves, found.report.best]))) return;
    }
  }

  #takeBack() {
    this.#go(this.#moves.slice(0, this.#answers && this.#moves.length > 1 ? -2 : -1));
  }

  #toggle() {
    this.#answers = !this.#answers;
    this.#engine.setAttribute("aria-pressed", String(this.#answers));
  }

  #turned() {
    this.#flip = !this.#flip;
    if (this.#at) this.#show(this.#at, false);
  }
}
