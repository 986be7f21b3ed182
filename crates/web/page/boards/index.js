// Which board belongs to which game. A game that is not listed here is drawn from its text.

import { parseSpec } from "../spec.js";
import { awari } from "./awari.js";
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

/** The family of a game's board. */
export function familyOf(game) {
  const { name } = parseSpec(game);
  return !plain && Object.hasOwn(FAMILIES, name) ? FAMILIES[name] : generic;
}
