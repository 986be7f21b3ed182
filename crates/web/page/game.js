// The game in this tab: what is played, where we look, who sits where. Kept over a reload, and told in the address.

const KEPT = "plyproof.game";

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

/** Keeps the game for this tab alone. */
export function keep(game) {
  sessionStorage.setItem(KEPT, JSON.stringify(game));
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

/** The game that an address tells of; none if it tells of none. */
export function fromLink(hash) {
  const pairs = new Map(
    hash.replace(/^#/, "").split("&").filter((part) => part.includes("=")).map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at), part.slice(at + 1)];
    }),
  );
  if (!pairs.has("game")) return null;
  try {
    const moves = pairs.get("moves") ? pairs.get("moves").split("_").map(decodeURIComponent) : [];
    const ply = pairs.has("ply") ? Number(pairs.get("ply")) : moves.length;
    const start = pairs.has("start") ? decodeURIComponent(pairs.get("start")) : null;
    const game = { ...fresh(decodeURIComponent(pairs.get("game")), start), moves };
    game.ply = Number.isInteger(ply) && ply >= 0 && ply <= moves.length ? ply : moves.length;
    return game;
  } catch {
    return null;
  }
}

/** The game to begin with: the one this tab had, if the address tells of the same; else the address's; else a new one. */
export function restored() {
  const linked = fromLink(location.hash);
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    // What cannot be read was not written by us.
  }
  if (kept && typeof kept === "object" && Array.isArray(kept.moves)) {
    kept = { ...fresh(), ...kept };
    if (!linked || linkOf(linked) === linkOf(kept)) return kept;
  }
  // A game that came by a link is first looked at, not played on.
  return linked ? { ...linked, seats: { 1: "human", 2: "human" } } : fresh();
}
