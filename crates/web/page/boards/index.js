// Which board belongs to which game. A game that is not listed here is drawn from its text.

import { drawingOf } from "../rulefiles/known.js";
import { parseSpec } from "../spec.js";
import { awari } from "./awari.js";
import { fromFacts } from "./facts.js";
import { fromRules } from "./fromrules.js";
import { generic } from "./generic.js";
import { breakthrough, clobber, connect4, domineering, inARow, knightthrough, loa, othello } from "./grid.js";
import { hex } from "./hex.js";
import { minishogi } from "./minishogi.js";
import { gomoku } from "./points.js";

const FAMILIES = {
  loa, awari, minishogi, gomoku, knightthrough, breakthrough, clobber, connect4, domineering, hex, othello,
  tictactoe: inARow, mnk: inARow,
};

/** With ?board=text in the address every game is drawn from its text. */
const plain = new URLSearchParams(location.search).get("board") === "text";

/** Families of games from rules, by what is known of them. */
const fromTexts = new WeakMap();

/** The family of a game's board; `rules` is the text of its rules, if it is read from one. */
export function familyOf(game, rules = null) {
  const { name } = parseSpec(game);
  const drawing = plain ? null : drawingOf(game, rules);
  if (drawing) {
    if (!fromTexts.has(drawing)) fromTexts.set(drawing, drawing.board ? fromRules(drawing, rules) : fromFacts(drawing, rules));
    return fromTexts.get(drawing);
  }
  return !plain && Object.hasOwn(FAMILIES, name) ? FAMILIES[name] : generic;
}
