// What is to be seen of the table: the position on the board, and beside it what searches say of it.

import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { byId, eachFrame } from "./dom.js";
import { keep, lineOf, placeOf, valueOf, valuesOf } from "./game.js";
import { overlayOf } from "./overlay.js";
import { settings } from "./settings.js";
import { title } from "./spec.js";
import { sound } from "./sounds.js";
import { paintStrips } from "./strips.js";
import { paintCard } from "./views/card.js";
import { paintBar, paintGraph } from "./views/values.js";

/** A pass has a button of its own. */
const withoutPass = (moves) => moves.filter((text) => text !== "pass");

export class Scene {
  #table;
  #board;
  /** The moves ahead that the board shows in place of the position, if any, and the number of the last question for some. */
  #ahead = null;
  #asked = 0;

  constructor(table) {
    this.#table = table;
    const play = (text) => table.play(text);
    this.#board = new Board(byId("board"), new Choices(byId("choices"), play), play);
  }

  focus() {
    this.#board.focus();
  }

  /** Keeps the game as it is, and shows it. `arrives` animates the last move. */
  show({ arrives = false, draft = null } = {}) {
    const { game, at, panel, legal } = this.#table;
    if (!at) return;
    if (draft) {
      this.#paint({ ...at, position: draft, last: null }, { arrives: false, legal: [] });
      return;
    }
    keep(game);
    byId("bench").dataset.moves = game.moves.length;
    byId("bench").dataset.ply = game.ply;
    document.title = `${title(game.game)} · plyproof`;
    byId("position").value = at.position;
    this.#look(null);
    this.#pointed = null;
    this.#paint(at, { arrives, legal });
    if (arrives && at.last) sound(at);
    panel.paint();
    paintCard(this.#table);
    this.repaint();
  }

  /** Shows a move as an arrow, until the position changes. */
  point(move) {
    this.#pointed = move;
    this.repaint();
  }
  #pointed = null;

  /** Lets the position be edited, square by square: `clicked(cell)` is called; null ends it. */
  edit(clicked) {
    this.#board.edit(clicked);
  }

  /** Draws a position on the board. */
  #paint(at, { arrives, legal }) {
    const { family, game } = this.#table;
    const before = at.last ? family.parse({ position: at.last.before, board: at.last.board, to_move: at.last.mover }) : null;
    const startMover = game.start ? (/ (o|2)( |$)/.test(game.start) ? 2 : 1) : 1;
    this.#board.show({
      family,
      board: family.parse(at),
      before,
      key: game.game,
      label: `Board of ${title(game.game)}`,
      legal: withoutPass(legal),
      all: withoutPass(at.legal),
      last: at.last,
      winner: at.outcome?.winner ?? null,
      flip: game.flipped,
      arrives,
      options: { kanji: settings.kanji, moves: game.moves.slice(0, game.ply), firstMover: startMover },
    });
    byId("pass").hidden = !legal.includes("pass");
    paintStrips(this.#table);
  }

  /** Who may move has changed, but not the position. */
  offer() {
    const { at, legal } = this.#table;
    if (!at || this.#ahead) return;
    this.#board.offer(withoutPass(legal), withoutPass(at.legal));
    byId("pass").hidden = !legal.includes("pass");
    paintStrips(this.#table);
    this.#table.panel.paintHint();
    this.repaint();
  }

  #look(line) {
    this.#asked += 1;
    this.#ahead = line;
    byId("board").classList.toggle("preview", Boolean(line));
  }

  /** Shows the board some moves ahead, or, with nothing, as it is. `ask(place)` asks the server about a position. */
  async preview(line, ask) {
    const { at, game, legal } = this.#table;
    if (!at || (!line && !this.#ahead)) return;
    this.#look(line);
    if (!line) {
      this.#paint(at, { arrives: false, legal });
      this.repaint();
      return;
    }
    const mine = this.#asked;
    const answer = await ask(placeOf(game, line)).catch(() => null);
    if (answer && mine === this.#asked) {
      this.#board.overlay([]);
      this.#paint(answer.position, { arrives: false, legal: [] });
    }
  }

  /** Shows what changes with every update of a search, at most once a frame. */
  repaint = eachFrame(() => {
    const { analysis, analysing, at, family, finished, game, panel } = this.#table;
    if (!at) return;
    const known = valueOf(game);
    // While an agent searches, the guess of another one does not count; what was proven stays true.
    const holds = known && (known.proven || !analysing || known.agent === analysis.agent);
    paintBar(holds ? known : null, family, game.flipped);
    paintGraph(byId("graph"), game, family.names, valuesOf(game), lineOf(game), (ply) => this.#table.go(ply));
    panel.paintSearch();
    if (this.#ahead) return;
    const hint = this.#pointed ? [{ text: this.#pointed, share: 1, best: true, verdict: null, label: "?" }] : null;
    this.#board.overlay(hint ?? (settings.overlay && (analysing || analysis.id) && !finished ? overlayOf(analysis) : []));
  });
}
