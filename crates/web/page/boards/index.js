// Which board belongs to which game.

import { parseSpec } from "../spec.js";
import { awari } from "./awari.js";
import { breakthrough, clobber, connect4, domineering, inARow, knightthrough, loa, othello } from "./grid.js";
import { hex } from "./hex.js";
import { minishogi } from "./minishogi.js";
import { gomoku } from "./points.js";

const FAMILIES = {
  loa, awari, minishogi, gomoku, knightthrough, breakthrough, clobber, connect4, domineering, hex, othello,
  tictactoe: inARow, mnk: inARow,
};

/** The family of a game's board; none if the page cannot draw it. */
export const familyOf = (game) => FAMILIES[parseSpec(game).name] ?? null;
