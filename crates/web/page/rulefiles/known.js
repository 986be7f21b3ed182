// Games from texts of rules: what the page knows of each, so that it can draw it. The text goes along with every request,
// because no server keeps it.

import { parseSpec } from "../spec.js";

/** Characters of a text of rules at most: with a long game beside it, it must fit into one message. */
export const LONGEST = 90_000;

/** Whether a game has the name of a rules file. */
export const isFile = (game) => /\.(rbg|kif|gdl)$/i.test(parseSpec(game).name);

/** A name under which a file can be a game: without folders, and without signs that mean something in names of games. */
export function nameOfFile(name) {
  const base = name.split(/[/\\]/).at(-1).replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[-.]+/, "");
  return /\.(rbg|kif|gdl)$/i.test(base) ? base : `${base || "game"}.rbg`;
}

const drawings = new Map();
const keyOf = (game, rules) => `${game}\n${rules ?? ""}`;

/** What is needed to draw a game: {players, board}; null if nothing is known. */
export const drawingOf = (game, rules) => drawings.get(keyOf(game, rules)) ?? null;

export const learnDrawing = (game, rules, drawing) => drawings.set(keyOf(game, rules), drawing);

/** A connection on which a position of a game from a text is asked for with what is needed to draw it, if that is not known. */
export function withDrawings(link) {
  const ask = link.ask.bind(link);
  link.ask = async (message) => {
    const { at } = message;
    if (message.do !== "position" || !isFile(at.game) || drawingOf(at.game, at.rules)) return ask(message);
    const answer = await ask({ ...message, draw: true });
    const { drawing, game } = answer.position;
    for (const name of drawing ? [at.game, game] : []) learnDrawing(name, at.rules, drawing);
    return answer;
  };
  return link;
}

/** A comment at the beginning of the text, below the title: what the game is about, in a few words. */
export function said(text) {
  const lines = text.split("\n").map((line) => /^\s*(?:\/\/|;+)\s?(.*)$/.exec(line)?.[1] ?? null);
  const end = lines.indexOf(null);
  return lines.slice(1, end < 0 ? undefined : end).filter((line) => !/^\s*(draw|place):/.test(line)).join(" ").trim().slice(0, 200);
}
