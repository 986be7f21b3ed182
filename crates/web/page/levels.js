// Opponents from weak to strong, as the program lists them, and agents with budgets of one's own.

const NAMES = ["", "Random", "Beginner", "Novice", "Casual", "Keen", "Club", "Strong", "Expert", "Master", "Champion"];
/** Levels that think for a time rather than for a number of simulations, beyond the measured ones. */
const TIMED = [["1s", "Full strength, 1 s", 1], ["5s", "Full strength, 5 s", 5]];

/** {title, agent, simulations, seconds} by key. */
export const LEVELS = {};

/** Learns the levels and the engines of others from the catalogue. */
export function learnLevels(listed, engines = []) {
  for (const { number, agent, simulations } of listed) {
    LEVELS[number] = { title: `Level ${number}, ${NAMES[number] ?? agent}`, agent, simulations, seconds: null };
  }
  for (const [key, title, seconds] of TIMED) LEVELS[key] = { title, agent: "plyproof", simulations: null, seconds };
  for (const name of engines) LEVELS[`engine ${name}`] = { title: `Engine ${name}, 1 s`, agent: name, simulations: null, seconds: 1 };
}

/** What a seat's engine is set to: {level, custom}. */
export const engineOf = (game, player) => game.engines?.[player] ?? game;

/** Agent and budget of the engine in a seat. */
export function levelOf(game, player) {
  const { level, custom } = engineOf(game, player);
  return level === "custom" ? custom : (LEVELS[level] ?? LEVELS[5]);
}

/** An agent with its budget in a few words. */
export const budgetText = ({ agent, simulations, seconds }) => `${agent}, ${simulations ? `${simulations} simulation${simulations === 1 ? "" : "s"}` : `${seconds} s`} per move`;

/** The engine of a seat in a few words. */
export function levelText(game, player) {
  const { level, custom } = engineOf(game, player);
  return level === "custom" ? budgetText(custom) : (LEVELS[level] ?? LEVELS[5]).title;
}
