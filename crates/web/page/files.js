// Games as files: plain data for the program that reads and writes them, and back.

import { fresh, newId, rulesWith } from "./game.js";
import { movesTo, ofFile, toFile } from "./gametree.js";
import { parseSpec } from "./spec.js";

/** Who moves first from a position that is written "… o" or "… 2" at its end. */
export const firstMover = (start) => (start && / (o|2|w)( |$)/.test(start) ? 2 : 1);

/** Who made the move of a node: players take turns, and a pass is a move too. */
const moverIn = (start) => (tree, id) => ((firstMover(start) + movesTo(tree, id).length) % 2) + 1;

/** A game of this page as a file has it. */
export function fileGame(game, result) {
  const given = new Map(game.headers);
  if (!given.has("Date")) given.set("Date", new Date().toISOString().slice(0, 10));
  if (game.ended) given.set("Reason", game.ended.reason);
  const mover = moverIn(game.start);
  return { ...rulesWith(game), start: game.start, headers: [...given], result, nodes: toFile(game.tree, (id) => mover(game.tree, id)) };
}

/** A game of a file as this page has it, to be looked at. */
export function pageGame({ game, rules = null, start = null, headers, result, nodes }) {
  const tree = ofFile(nodes, moverIn(start));
  const moves = [];
  for (let at = 0; tree[at].children.length; at = tree[at].children[0]) moves.push(tree[tree[at].children[0]].move);
  const reason = new Map(headers).get("Reason");
  const winner = { "1-0": 1, "0-1": 2 }[result];
  const ended = winner && ["resignation", "time"].includes(reason) ? { winner, reason } : null;
  return { ...fresh(game, start, rules), id: newId(), seats: { 1: "human", 2: "human" }, tree, moves, ply: 0, headers, ended };
}

/** What a file is called: "hex-size-7-2026-11-18.games". */
export function fileName(game, format) {
  const { name, params } = parseSpec(game.game);
  const parts = [name, ...Object.entries(params).flat(), new Date().toISOString().slice(0, 10)];
  return `${parts.join("-").replace(/[^A-Za-z0-9-]+/g, "-")}.${format}`;
}
