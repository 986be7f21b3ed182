// Opens a game from elsewhere, a link or a record, of which nobody has checked the moves.

import { cutTo, placeOf } from "./game.js";
import { isFile } from "./rulefiles/known.js";
import { parseSpec } from "./spec.js";

/**
 * As much of a game as is legal: {game, why}. `why` is null if that is all of it, else it says what is wrong with the
 * rest; the game is null if nothing can be shown. `ask(place)` rejects with the server's words; without a connection
 * this rejects as well.
 */
export async function opening(game, ask) {
  const wrong = async (part) => {
    try {
      await ask(placeOf({ ...part, ply: part.moves.length }));
      return null;
    } catch (error) {
      if (error.lost) throw error;
      return error.message;
    }
  };
  const why = await wrong(game);
  if (!why) return { game, why };
  const bare = cutTo(game, 0);
  const wrongStart = await wrong(bare);
  if (wrongStart) {
    const usual = { ...bare, start: null };
    if (game.start && !(await wrong(usual))) return { game: usual, why: `The position to start from cannot be shown, so this is the usual one: ${wrongStart}.` };
    return { game: null, why: `The game cannot be shown: ${isFile(game.game) && !game.rules ? `its rules, ${parseSpec(game.game).name}, are not in this browser. Drop the file on the page, and open the link again` : wrongStart}.` };
  }
  let [good, bad] = [0, game.moves.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await wrong(cutTo(game, middle))) bad = middle;
    else good = middle;
  }
  return { game: cutTo(game, good), why: `The game is shown up to move ${good} of ${game.moves.length}, because the rest cannot be played: ${why}.` };
}
