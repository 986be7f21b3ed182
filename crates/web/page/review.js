// A review of the whole line: every position is searched, one after the other, and each move is judged by what it cost.

import { Search } from "./engine.js";
import { keep, lineOf, rulesWith } from "./game.js";
import { along, lineThrough } from "./gametree.js";

/** The agent that judges. */
const REVIEWER = "plyproof";
/** What a search of one position may use. */
const BUDGETS = { quick: { simulations: 1000, seconds: 2 }, thorough: { simulations: 20_000, seconds: 10 } };
const ORDER = { loss: -1, draw: 0, win: 1 };

export class Review {
  #table;
  #ids = [];
  #at = 0;
  #budget = BUDGETS.quick;
  /** What is known of each position of the line, for the player to move there. */
  #looks = [];
  running = false;

  constructor(table, link) {
    this.#table = table;
    this.search = new Search(link, "review", (search) => this.#heard(search));
  }

  /** Share of the positions that were looked at. */
  get share() {
    return this.#ids.length ? this.#at / this.#ids.length : 0;
  }

  /** Looks at the line from its start; what was said about it by an earlier review is replaced. */
  start(depth = "quick") {
    const { game, at } = this.#table;
    if (!at || !game.moves.length) return;
    this.#ids = lineOf(game);
    this.#budget = BUDGETS[depth];
    [this.#at, this.#looks, this.running] = [0, [], true];
    this.#next();
  }

  stop() {
    if (!this.running) return;
    this.running = false;
    this.search.stop();
    this.#table.panel.paint();
  }

  async #next() {
    const { game } = this.#table;
    if (!this.running) return;
    if (this.#at === this.#ids.length) {
      this.running = false;
      keep(game);
      this.#table.scene.show();
      this.#table.onChange?.(game);
      return;
    }
    const place = { ...rulesWith(game), start: game.start, moves: game.moves.slice(0, this.#at) };
    const at = await this.#table.describe(place).catch(() => null);
    if (!this.running) return;
    if (!at) this.stop();
    else if (at.outcome) this.#found(overBy(at), at.last.mover);
    else this.search.start(place, at.to_move, { agent: REVIEWER, ...this.#budget });
  }

  #heard(search) {
    if (!this.running) return;
    if (search.error) this.stop();
    else if (search.head.stopped && search.head.stopped !== "cancelled") this.#found(lookOf(search), search.mover);
  }

  /** Notes what is known of a position, and judges the move that led to it. */
  #found(look, mover) {
    const { game, catalogue } = this.#table;
    const node = game.tree[this.#ids[this.#at]];
    this.#looks.push({ ...look, mover });
    if (node) {
      const sign = mover === 2 ? -1 : 1;
      node.value = { value: sign * look.value + 0, proven: look.least === look.most, agent: "review" };
      const before = this.#looks.at(-2);
      if (before) {
        node.review = judge(before, node.move, mover === before.mover ? look : turned(look), catalogue.marks);
        node.review.mover = before.mover;
        if (!node.mark || node.marked === "review") [node.mark, node.marked] = [node.review.mark, "review"];
      }
    }
    this.#at += 1;
    this.#table.scene.repaint();
    this.#table.panel.paintReview();
    this.#next();
  }
}

/** A position where the game is over, for the player who moved last. */
function overBy({ outcome, last }) {
  const value = !outcome.winner ? 0 : outcome.winner === last.mover ? 1 : -1;
  return { value, least: value, most: value, best: null, line: [] };
}

/** What a search knows: its value within its bounds, its best move and line. */
function lookOf(search) {
  const { bounds, best, line } = search.head;
  const [least, most] = [ORDER[bounds?.least] ?? -1, ORDER[bounds?.most] ?? 1];
  const value = search.value()?.value ?? 0;
  return { value: Math.min(most, Math.max(least, value)), least, most, best, line: line ?? [] };
}

/** The same for the other player. */
const turned = ({ value, least, most, ...rest }) => ({ ...rest, value: -value + 0, least: -most + 0, most: -least + 0 });

/** What a move cost: {mark, drop, thrown, best, line, before, after} for the player who made it. */
export function judge(before, move, after, [dubious, mistake, blunder]) {
  const thrown = after.most < before.least;
  // What a second search thinks of the first one's own choice is chance, unless it is proven.
  const drop = move === before.best && !thrown ? 0 : Math.max(0, before.value - after.value);
  const mark = thrown || drop >= blunder ? "??" : drop >= mistake ? "?" : drop >= dubious ? "?!" : null;
  return { mark, drop, thrown, best: before.best, line: before.line.slice(0, 8), before: before.value, after: after.value };
}

/** The line that was reviewed: the one that we follow, or else that of the game itself; its nodes, the start first. */
export function reviewedLine(game) {
  const main = along(game.tree, lineThrough(game.tree, 0));
  const reviewed = (ids) => ids.filter((id) => game.tree[id].review).length;
  const own = lineOf(game);
  return reviewed(main) > reviewed(own) ? main : own;
}

/** How each player played a reviewed line. */
export function summaryOf(game) {
  const all = reviewedLine(game).map((id) => game.tree[id]).filter((node) => node.review);
  return [1, 2].map((player) => {
    const own = all.filter(({ review }) => review.mover === player);
    const count = (test) => own.filter(test).length;
    const mean = own.length ? own.reduce((sum, { review }) => sum + review.drop, 0) / own.length : 0;
    return {
      player,
      moves: own.length,
      best: count((node) => node.review.best === node.move),
      mean,
      dubious: count((node) => node.review.mark === "?!"),
      mistakes: count((node) => node.review.mark === "?"),
      blunders: count((node) => node.review.mark === "??"),
      thrown: count((node) => node.review.thrown),
    };
  });
}
