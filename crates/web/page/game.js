// The game in this tab: what is played, where we look, who sits where. Kept over a reload, and written into the address.

import { along, freshTree, grow, isTree } from "./gametree.js";

const KEPT = "plyproof.game";

/** A name that no other game has. */
export const newId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Nobody but people plays. */
export const PEOPLE = { 1: "human", 2: "human" };

export const fresh = (game = "loa", start = null, rules = null) => ({
  game,
  /** The text of its rules, for a game that is read from one. */
  rules,
  start,
  moves: [],
  ply: 0,
  /** Who moves for each player: "human" or "engine". */
  seats: { 1: "human", 2: "engine" },
  /** The engine's level, and agent and budget where it is "custom"; by player where one of them has its own. */
  level: "5",
  custom: { agent: "plyproof", simulations: 2000, seconds: null },
  engines: {},
  paused: false,
  flipped: false,
  /** All moves that were ever played, with what is said about them; `moves` is the line that we follow. */
  tree: freshTree(),
  /** The name under which the browser keeps it, players, date and so on, and why it ended if not by the rules. */
  id: newId(),
  headers: [],
  ended: null,
  /** Seconds for each player if the game is timed: {base, increment, left: {1, 2}}. */
  clock: null,
});

/** The nodes of the line that we follow, the start position first. */
export const lineOf = (game) => grow(game.tree, game.moves);

/** The node of the position looked at. */
export const nodeOf = (game) => along(game.tree, game.moves.slice(0, game.ply)).at(-1);

/** What searches said of the positions of the line, by ply: {value, proven} for player 1. */
export const valuesOf = (game) => Object.fromEntries(lineOf(game).flatMap((id, ply) => (game.tree[id].value ? [[ply, game.tree[id].value]] : [])));

/** What is known of the position looked at. */
export const valueOf = (game) => game.tree[nodeOf(game)]?.value ?? null;

/** Notes what a search says of the position looked at. */
export function learn(game, found) {
  game.tree[lineOf(game)[game.ply]].value = found;
}

/** The place on the board as the server wants it. */
export const placeOf = (game, extra = []) => ({
  ...rulesWith(game),
  start: game.start,
  moves: [...game.moves.slice(0, game.ply), ...extra],
});

/** The name of a game, and the text of its rules if it is read from one. */
export const rulesWith = ({ game, rules = null }) => (rules === null ? { game } : { game, rules });

/** A game in which other moves follow the position looked at; we look at it after the first of them. */
export const continued = (game, moves) => ({
  ...cutTo(game, game.ply),
  moves: [...game.moves.slice(0, game.ply), ...moves],
  ply: game.ply + 1,
});

/** A game that goes on from an earlier ply. Its tree keeps the moves that followed. */
export const cutTo = (game, ply) => ({ ...game, moves: game.moves.slice(0, ply), ply: Math.min(game.ply, ply), ended: ply < game.moves.length ? null : game.ended });

/** Whether moves of a game are no longer there in another. */
export const loses = (game, next) =>
  game.moves.length > 0 && (game.game !== next.game || (game.rules ?? null) !== (next.rules ?? null) || game.start !== next.start || game.moves.some((text, index) => text !== next.moves[index]));

export const isGame = (found) =>
  typeof found?.game === "string" && Array.isArray(found.moves) && found.ply >= 0 && found.ply <= found.moves.length && Boolean(found.seats && found.custom && (!found.tree || isTree(found.tree)));

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

/** Keeps the game for this tab, and writes it into the address where the address names a game. */
export function keep(game) {
  writeKept(KEPT, game);
  const address = `#${linkOf(game)}`;
  if (location.hash !== address && /^#game=/.test(location.hash)) history.replaceState(null, "", address);
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
