// The game in this tab: what is played, where we look, who sits where. Kept over a reload, and written into the address.

const KEPT = "plyproof.game";

/** Nobody but people plays. */
export const PEOPLE = { 1: "human", 2: "human" };

export const fresh = (game = "loa", start = null) => ({
  game,
  start,
  moves: [],
  ply: 0,
  /** Who moves for each player: "human" or "engine". */
  seats: { 1: "human", 2: "engine" },
  level: "casual",
  /** Agent and budget where the level is "custom". */
  custom: { agent: "plyproof", simulations: 2000, seconds: null },
  paused: false,
  flipped: false,
  /** What searches said of the positions of the game, by ply: {value, proven} for player 1. */
  values: {},
});

/** The place on the board as the server wants it. */
export const placeOf = (game, extra = []) => ({
  game: game.game,
  start: game.start,
  moves: [...game.moves.slice(0, game.ply), ...extra],
});

/** A game in which other moves follow the position looked at; we look at it after the first of them. */
export const continued = (game, moves) => ({
  ...cutTo(game, game.ply),
  moves: [...game.moves.slice(0, game.ply), ...moves],
  ply: game.ply + 1,
});

/** A game without the moves after a ply, and without what is known of the positions there. */
export const cutTo = (game, ply) => ({
  ...game,
  moves: game.moves.slice(0, ply),
  ply: Math.min(game.ply, ply),
  values: Object.fromEntries(Object.entries(game.values).filter(([at]) => Number(at) <= ply)),
});

/** Whether moves of a game are no longer there in another. */
export const loses = (game, next) =>
  game.moves.length > 0 && (game.game !== next.game || game.start !== next.start || game.moves.some((text, index) => text !== next.moves[index]));

export const isGame = (found) =>
  typeof found?.game === "string" && Array.isArray(found.moves) && found.ply >= 0 && found.ply <= found.moves.length && Boolean(found.values && found.seats && found.custom);

/** What this tab has kept under a name; null if there is nothing that can be read. */
export function readKept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}

/** Keeps something for this tab alone. */
export function writeKept(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The browser has no room left: what was kept before stays, and the address has the moves of the game.
  }
}

export function keep(game) {
  writeKept(KEPT, game);
  const address = `#${linkOf(game)}`;
  if (location.hash !== address) history.replaceState(null, "", address);
}

/** What comes after the # of a link to this game. */
export function linkOf(game) {
  const parts = [`game=${encode(game.game)}`];
  if (game.start) parts.push(`start=${encode(game.start)}`);
  if (game.moves.length) parts.push(`moves=${game.moves.map(encode).join("_")}`);
  if (game.ply !== game.moves.length) parts.push(`ply=${game.ply}`);
  return parts.join("&");
}

// Parentheses, slashes and the like may stay readable in a fragment.
const encode = (text) => encodeURIComponent(text).replace(/%(28|29|2C|3D|2F|7C|2A|2B)/g, (code) => decodeURIComponent(code));

/** Reads an address: {game, why}. There is no game if the address names none, and then `why` says what is wrong with it, if anything. */
export function readLink(hash) {
  const pairs = new Map(
    hash.replace(/^#/, "").split("&").filter((part) => part.includes("=")).map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at), part.slice(at + 1)];
    }),
  );
  if (!pairs.has("game")) return { game: null, why: null };
  try {
    const moves = pairs.get("moves") ? pairs.get("moves").split("_").map(decodeURIComponent) : [];
    const ply = pairs.has("ply") ? Number(pairs.get("ply")) : moves.length;
    const start = pairs.has("start") ? decodeURIComponent(pairs.get("start")) : null;
    // A game that came by a link is first looked at, not played on.
    const game = { ...fresh(decodeURIComponent(pairs.get("game")), start), moves, seats: PEOPLE };
    game.ply = Number.isInteger(ply) && ply >= 0 && ply <= moves.length ? ply : moves.length;
    return { game, why: null };
  } catch {
    return { game: null, why: "The link is damaged: a % in it is not followed by a character's code." };
  }
}

/** The game this tab had before a reload; none if it had none. */
export function remembered() {
  const kept = readKept(KEPT);
  return isGame(kept) ? { ...fresh(), ...kept } : null;
}
