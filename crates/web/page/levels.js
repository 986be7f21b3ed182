// Named strengths: an agent and what it may use for a move.

export const LEVELS = {
  beginner: { title: "Beginner", agent: "mcts", simulations: 40, seconds: 5 },
  easy: { title: "Easy", agent: "mcts", simulations: 250, seconds: 5 },
  casual: { title: "Casual", agent: "pn-mcts", simulations: 1500, seconds: 5 },
  strong: { title: "Strong", agent: "plyproof", simulations: null, seconds: 1 },
  expert: { title: "Expert", agent: "plyproof", simulations: null, seconds: 4 },
};

/** Agent and budget of a game's engine. */
export const levelOf = (game) => LEVELS[game.level] ?? game.custom;

/** The same in a few words. */
export function levelText(game) {
  const level = levelOf(game);
  const budget = level.simulations ? `${level.simulations} simulations` : `${level.seconds} s`;
  return LEVELS[game.level] ? LEVELS[game.level].title : `${level.agent}, ${budget}`;
}
