// Whose a piece is, by its name and the names of the players, and how it is drawn: as a comment in the rules says, or as a
// stone with a letter.

import { svg } from "../dom.js";
import { glyph, stone } from "./pieces.js";

const EMPTY = /^(e|_|b|blank|empty|none|nothing|free|dirt)$/i;
/** Names that mean a seat or a colour whatever the players are called. */
const SEATS = { 1: ["first", "one", "white", "light", "x"], 2: ["second", "two", "black", "dark", "o"] };
const HUES = { white: "white", light: "white", x: "white", black: "black", dark: "black", o: "black", red: "red", blue: "blue", green: "green", yellow: "yellow", gold: "yellow", orange: "yellow", purple: "purple", silver: "white" };

/** whitePawn and white_pawn are white and pawn. */
const wordsOf = (name) => name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").split(/[ _-]+|(?<=\D)(?=\d)/).map((word) => word.toLowerCase()).filter(Boolean);

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The names of the players for people. */
export const namesOf = (players) => ({ 1: capital(players[0] ?? "Player 1"), 2: capital(players[1] ?? "Player 2") });

/** The colours of both players, by their names: the first one is white, unless the names say otherwise. */
function huesOf(players) {
  const [first, second] = players.map((name) => wordsOf(name).map((word) => HUES[word]).find(Boolean) ?? null);
  const one = first ?? (second === "white" ? "black" : "white");
  const two = second && second !== one ? second : one === "black" ? "white" : "black";
  return { 1: one, 2: two };
}

/** The look of a board with pieces in these colours. */
export function lookOf(players) {
  const hues = huesOf(players);
  return `rules-1${hues[1]}-2${hues[2]}`;
}

/** {owner, rest}: whose piece, and what of the name is left to say what kind it is. Nobody's is owner 0. */
function ownerOf(name, players) {
  const words = wordsOf(name);
  for (const player of [1, 2]) {
    const own = wordsOf(players[player - 1] ?? "").join("");
    const at = words.findIndex((word) => word === own);
    if (at >= 0) return { owner: player, rest: words.filter((_, index) => index !== at).join(" ") };
  }
  const initials = players.map((name) => name.charAt(0).toLowerCase());
  if (initials[0] !== initials[1]) {
    for (const player of [1, 2]) {
      const at = words.findIndex((word) => word === initials[player - 1]);
      if (at === 0 || (at > 0 && at === words.length - 1)) return { owner: player, rest: words.filter((_, index) => index !== at).join(" ") };
      // wr and bq, as many files write chess pieces.
      if (words.length === 1 && words[0].length === 2 && words[0][0] === initials[player - 1]) return { owner: player, rest: words[0][1] };
    }
  }
  for (const player of [1, 2]) {
    const at = words.findIndex((word) => SEATS[player].includes(word));
    if (at >= 0) return { owner: player, rest: words.filter((_, index) => index !== at).join(" ") };
  }
  return { owner: 0, rest: words.join(" ") };
}

/** What comments in the rules say: `// draw: NAME = ●` and `// place: NAME = x, y`, by names. */
export function commentsOf(text) {
  const found = { draw: new Map(), place: new Map() };
  for (const [, kind, name, value] of (text ?? "").matchAll(/^[^\S\n]*(?:\/\/|;+)[^\S\n]*(draw|place):[^\S\n]*(\S+)[^\S\n]*=[^\S\n]*(\S.*?)[^\S\n]*$/gm)) {
    if (kind === "draw") found.draw.set(name, value);
    const [x, y] = value.split(/[\s,]+/).map(Number);
    if (kind === "place" && Math.abs(x) <= 1000 && Math.abs(y) <= 1000) found.place.set(name, [x, y]);
  }
  return found;
}

/** A picture or a text that a comment asks for. Pictures are data of the page's own; nothing is loaded from elsewhere. */
function drawn(value, owner) {
  if (/^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/.test(value)) {
    return svg("g", { class: `piece p${owner}` }, svg("image", { href: value, x: -42, y: -42, width: 84, height: 84 }));
  }
  const text = [...value].slice(0, 4).join("");
  return svg("g", { class: `piece p${owner} own-sign` }, svg("text", { class: `sign${[...text].length > 1 ? " long" : ""}`, "dominant-baseline": "central", text }));
}

/** One or two letters for each kind, by the first word of its name: kinds of rooks are all rooks. */
function letters(kinds) {
  const words = kinds.map((kind) => kind.split(" ")[0]);
  // As chess players write them.
  const letter = (word) => (word === "knight" ? "N" : word.charAt(0).toUpperCase());
  const clash = (word) => words.some((other) => other !== word && letter(other) === letter(word));
  return words.map((word) => (clash(word) ? capital(word).slice(0, 2) : letter(word)));
}

/** How each piece is drawn, by name: {owner, title, draw}; null for what is not drawn. */
export function pieceStyles(names, players, comments) {
  const hues = huesOf(players);
  const kinds = names.map((name) => {
    const whose = ownerOf(name, players);
    // The second of white and black may well have a piece b.
    const empty = EMPTY.test(name) && !comments.draw.has(name) && !(name.length === 1 && whose.owner && name !== "e");
    return { name, empty, ...whose };
  });
  const styles = new Map();
  for (const owner of [0, 1, 2]) {
    const own = kinds.filter((kind) => !kind.empty && kind.owner === owner);
    const signs = letters(own.map(({ rest, name }) => rest || name));
    own.forEach(({ name }, index) => {
      const value = comments.draw.get(name);
      const draw = () => {
        const node = value ? drawn(value, owner) : owner && own.length === 1 ? stone(owner) : glyph(owner, signs[index]);
        if (owner) node.classList.add(`hue-${hues[owner]}`);
        return node;
      };
      styles.set(name, value === "none" ? null : { owner, title: name, draw });
    });
  }
  for (const { name, empty } of kinds) if (empty) styles.set(name, null);
  return styles;
}
